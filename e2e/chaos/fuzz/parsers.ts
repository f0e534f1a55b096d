// The parsers of everything that merchants, payers, providers and users send, called directly: thousands of inputs a
// second. A parser may refuse its input as it declares; any other exception is a violation.
import { ApiError } from '../../../lib/core/errors.ts';
import type { HttpRequest } from '../../../lib/http/index.ts';
import type { Action, Protocol } from '../../../lib/protocols/pipeline/handle.ts';
import { toRequestRow } from '../../../lib/request-log/record.ts';
import { cardFields, payoutCard } from '../../support/card-merchant.ts';
import { codeParsers } from './code-parsers.ts';
import { certificateParsers, walletParsers } from './crypto-parsers.ts';
import { boundary, mutatedForm, mutatedJsonBytes, mutatedMultipart } from './mutations.ts';
import type { Parser } from './parser.ts';
import { notificationParsers } from './provider-parsers.ts';

/** The kinds of input, each with its parsers. */
export const targets = [
  'form',
  'json',
  'multipart',
  'asn1',
  'emv',
  'notifications',
  'csv',
  'jws',
  'documents',
] as const;
export type Target = (typeof targets)[number];

/** The card number of all valid requests. No response and no log may contain it. */
export const cardNumber = cardFields.settled.card_number;

const spelled = new RegExp(`(?<!\\d)${[...cardNumber].join('[^\\p{L}\\p{N}]{0,3}')}(?!\\d)`, 'u');

/** Whether a text has the card number as a whole run of digits, also with other characters between them. */
export const hasCardNumber = (text: string) => spelled.test(text);

/** Whether a text has the security code beside its name. */
const hasSecurityCode = (text: string) =>
  new RegExp(
    `cvv2?[^\\p{L}\\p{N}]{1,9}${[...cardFields.settled.card_cvv2].join('[^\\p{L}\\p{N}]{0,3}')}(?!\\d)`,
    'iu',
  ).test(text);

/** Fields of every action, with values that most of them accept. */
const fields = {
  client_key: '7e57aaaa-0001-4000-9000-000000000001',
  merchant_key: '7e57aaaa-0001-4000-9000-000000000001',
  order_id: 'order-1',
  order_amount: '84.50',
  order_currency: 'EUR',
  order_description: 'Two stoneware bowls',
  ...cardFields.settled,
  payee_card_number: payoutCard,
  payer_first_name: 'Ana',
  payer_email: 'ana@example.com',
  payer_phone: '38164123456',
  payer_birth_date: '1990-02-28',
  payer_country: 'RS',
  payer_ip: '203.0.113.7',
  brand: 'papara',
  identifier: 'ana@example.com',
  trans_id: '0190a1b2-0000-7000-8000-000000000001',
  recurring_first_trans_id: '0190a1b2-0000-7000-8000-000000000001',
  recurring_token: 'b'.repeat(32),
  schedule_id: '0190a1b2-0000-7000-8000-000000000001',
  name: 'Membership',
  interval_length: '1',
  interval_unit: 'month',
  amount: '10.00',
  callback_url: 'https://shop.example/callbacks?a=b',
  term_url_3ds: 'https://shop.example/back',
  'custom_data[a][]': 'x',
  'parameters[cart][items][0][name]': 'Bowl',
  'parameters[cart.items[0].price]': '84.50',
  hash: 'a'.repeat(32),
};

const formsOf = (actions: Readonly<Record<string, unknown>>) =>
  Object.keys(actions).map((action) => Object.entries({ action, ...fields }));

const session = {
  merchant_key: fields.merchant_key,
  operation: 'purchase',
  methods: ['card'],
  order: { number: 'order-1', amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' },
  success_url: 'https://shop.example/paid',
  cancel_url: 'https://shop.example/cancelled',
  customer: { name: 'Ana Petrović', email: 'ana@example.com', birth_date: '1990-02-28' },
  billing_address: { country: 'RS', city: 'Novi Sad', address: 'Dunavska 1', zip: '21000', phone: '38164123456' },
  parameters: { card: { card_number: cardNumber }, cart: { items: [{ name: 'Bowl', price: '84.50' }] } },
  payment_id: fields.trans_id,
  amount: '10.00',
  hash: fields.hash,
};

const postOf = (body: Buffer, type: string): HttpRequest =>
  new Request('http://florin.test/', { method: 'POST', headers: { 'content-type': type }, body: new Uint8Array(body) });

/** Runs `read`; an API error is an allowed result. */
async function orRefused<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof ApiError) return undefined;
    throw thrown;
  }
}

/** Decodes a request, checks its fields and makes its row of the request log, as the pipeline does. */
async function throughProtocol<Body>(protocol: Protocol<Body>, body: Buffer, type: string, action?: Action) {
  const request = postOf(body, type);
  const decoded = await orRefused(() => protocol.decode(request));
  const row = decoded === undefined ? null : (action ?? protocol.find(decoded));
  const schema = typeof row?.schema === 'function' ? row.schema(null) : row?.schema;
  schema?.safeParse(decoded);
  const logged = toRequestRow({
    ...{ protocol: protocol.name, at: new Date(0), durationMs: 1, body: decoded, status: 400, answer: {} },
    ...{ errorCode: 204002, refusedAt: 'fields', url: request.url, address: '203.0.113.7', mediaType: type },
    ...{ userAgent: null, merchantId: null, paymentId: null },
    unreadable: decoded === undefined ? body.length : undefined,
    isFromAnyone: false,
  });
  const text = JSON.stringify(logged).replace(/%EF%BF%BD|%[01][0-9a-f]|\\+u00[01][0-9a-f]/gi, '\0');
  if (hasCardNumber(text)) throw new Error('The request log has the card number.');
  if (hasSecurityCode(text)) throw new Error('The request log has the security code.');
}

/** The parsers of a target, by name. */
export async function parsersOf(target: Target): Promise<{ [name: string]: Parser }> {
  switch (target) {
    case 'form':
    case 'multipart':
      return formParsers(target);
    case 'json':
      return jsonParsers();
    case 'asn1':
      return certificateParsers();
    case 'jws':
      return walletParsers();
    case 'notifications':
      return notificationParsers();
    default:
      return codeParsers(target);
  }
}

async function formParsers(target: 'form' | 'multipart'): Promise<{ [name: string]: Parser }> {
  const [{ cardActions, cardProtocol }, { apmActions, apmProtocol }] = await Promise.all([
    import('../../../lib/protocols/s2s-card/actions.ts'),
    import('../../../lib/protocols/s2s-apm/actions.ts'),
  ]);
  const [mutated, type] =
    target === 'form'
      ? ([mutatedForm, 'application/x-www-form-urlencoded'] as const)
      : ([mutatedMultipart, `multipart/form-data; boundary=${boundary}`] as const);
  return {
    's2s-card': { inputs: mutated(formsOf(cardActions)), parse: (body) => throughProtocol(cardProtocol, body, type) },
    's2s-apm': { inputs: mutated(formsOf(apmActions)), parse: (body) => throughProtocol(apmProtocol, body, type) },
  };
}

async function jsonParsers(): Promise<{ [name: string]: Parser }> {
  const { checkoutRows, pageRows, protocolOf } = await import('../../../lib/protocols/checkout/actions.ts');
  const { readJsonObject } = await import('../../../lib/wallets/json.ts');
  const rows = [...checkoutRows, ...pageRows].map(({ action, path }): [string, Parser] => {
    const parse = (body: Buffer) => throughProtocol(protocolOf(action), body, 'application/json', action);
    return [path, { inputs: mutatedJsonBytes([session]), parse }];
  });
  const strict: Parser = { inputs: mutatedJsonBytes([session]), parse: (body) => readJsonObject(body.toString(), 4) };
  return { ...Object.fromEntries(rows), 'wallet token': strict };
}
