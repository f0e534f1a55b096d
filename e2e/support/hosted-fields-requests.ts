// Hosted fields over HTTP: the token, the submissions of the frames, and the merchant's payment request.
import type { Answer, Changes, Merchant } from './merchant.ts';
import type { Order } from './signatures.ts';

/** A session of hosted fields. */
export type FieldsSession = { token: string; order: Order };

/** The values that the frames of one mount submit, as typed. */
export const typed = {
  settled: { card_number: '4111 1111 1111 1111', card_expiry: '01 / 38', card_cvv: '123' },
  declined: { card_number: '4111 1111 1111 1111', card_expiry: '02 / 38', card_cvv: '123' },
  challenge: { card_number: '4111 1111 1111 1111', card_expiry: '05 / 38', card_cvv: '123' },
};

/** The body of a valid payment request. */
export const payBody = { name: 'Ana Petrović', with_hosted_fields: true };

/** Opens a session that must be accepted. */
export async function createSessionToken(shop: Merchant, changes: Changes = {}): Promise<FieldsSession> {
  const body = shop.signed(shop.sessionBody({ return_url: `${shop.shopServer.url}/back`, ...changes }));
  const answer = await shop.post('/api/v1/session/token', body);
  if (answer.status !== 200) throw new Error(`token rejected: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { token: String(answer.body.token), order: body.order as Order };
}

/** Posts to /fields/collect like the frames' script; `headers` override its own. */
export function collect(
  shop: Merchant,
  token: string,
  body: unknown = typed.settled,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return shop.post('/fields/collect', body, { 'sec-fetch-site': 'same-origin', token, ...headers });
}

/** Makes the payment; `from` are the caller's headers. */
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
  const opened = await createSessionToken(shop, session);
  const collected = await collect(shop, opened.token, card);
  if (collected.status !== 200)
    throw new Error(`collect rejected: ${collected.status} ${JSON.stringify(collected.body)}`);
  return { ...opened, answer: await processCard(shop, opened.token, call) };
}
