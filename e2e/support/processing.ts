// Hosted fields over HTTP only: the token, the frames' submissions, and the merchant's pay call.
import type { Answer, Changes, Merchant } from './merchant';
import type { Order } from './signer';

/** A session of hosted fields. */
export type FieldsSession = { token: string; order: Order };

/** What the frames of a mount submit, as typed. */
export const typed = {
  settled: { card_number: '4111 1111 1111 1111', card_expiry: '01 / 38', card_cvv: '123' },
  declined: { card_number: '4111 1111 1111 1111', card_expiry: '02 / 38', card_cvv: '123' },
  challenge: { card_number: '4111 1111 1111 1111', card_expiry: '05 / 38', card_cvv: '123' },
};

/** The body of a processing call with which nothing is wrong. */
export const payBody = { name: 'Ana Petrović', with_hosted_fields: true };

/** Opens a session that has to be accepted. */
export async function openToken(shop: Merchant, changes: Changes = {}): Promise<FieldsSession> {
  const body = shop.signed(shop.sessionBody({ return_url: `${shop.catcher.url}/back`, ...changes }));
  const answer = await shop.post('/api/v1/session/token', body);
  if (answer.status !== 200) throw new Error(`token refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { token: String(answer.body.token), order: body.order as Order };
}

/** Posts to /fields/collect as the frames' script does; `headers` go before its own. */
export function collect(
  shop: Merchant,
  token: string,
  body: unknown = typed.settled,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return shop.post('/fields/collect', body, { 'sec-fetch-site': 'same-origin', token, ...headers });
}

/** Makes the payment; `from` are headers of the caller. */
export function processCard(
  shop: Merchant,
  token: string,
  changes: Changes = {},
  { operation = 'purchase', headers = {} }: { operation?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return shop.post(`/api/v1/processing/${operation}/card`, { ...payBody, ...changes }, { token, ...headers });
}

/** Opens, submits and pays. */
export async function payFields(
  shop: Merchant,
  card: object = typed.settled,
  { session = {}, call = {} }: { session?: Changes; call?: Changes } = {},
): Promise<FieldsSession & { answer: Answer }> {
  const opened = await openToken(shop, session);
  const held = await collect(shop, opened.token, card);
  if (held.status !== 200) throw new Error(`collect refused: ${held.status} ${JSON.stringify(held.body)}`);
  return { ...opened, answer: await processCard(shop, opened.token, call) };
}
