// Generates example requests for every operation and signature formula from the samples of the request builder. The
// hash is computed by the action that verifies it, so that an example can be sent unchanged.
import { checkoutBaseUrl, env } from '../config/index.ts';
import { demoMerchant } from '../core/demo-merchant.ts';
import { layOut, type RecipeName, sign } from '../core/signatures.ts';
import { actionHelp, helpOf, type KnownCaller, type RegisteredAction, type Signature } from '../protocols/index.ts';
import { formulaText, namesIn } from './signature-formula.ts';

/** An example request with its purpose and its signature formulas; none for an unsigned request. */
export type SignedExample = { summary: string; body: Body; input: unknown; formulas: readonly string[] };

type Body = { [name: string]: unknown };
type Variant = { summary: string; without?: readonly string[]; with?: Body; subject?: object };

const cardNames = ['card_number', 'card_exp_month', 'card_exp_year', 'card_cvv2'];
const byToken: Variant = {
  summary: 'With a stored card',
  without: cardNames,
  with: { card_token: '6f1e0b7d2c8841b79a523d0e' },
};
const byWallet: Variant = {
  summary: 'With a wallet token',
  without: cardNames,
  with: {
    digital_wallet: 'googlepay',
    payment_token: '{"protocolVersion":"ECv2","signature":"…","signedMessage":"…"}',
  },
};
const byCard: Variant = { summary: 'With a card' };
const known: Variant = { summary: "A payment with the payer's e-mail" };
const unknown: Variant = { summary: 'A payout, or a payer without e-mail', subject: { payer: {} } };
const modificationVariants = [known, unknown];

const processing: readonly Variant[] = [
  { summary: 'With hosted fields' },
  {
    summary: 'With a wallet token',
    without: ['name', 'with_hosted_fields'],
    with: { digital_wallet: 'applepay', payment_token: '{"version":"EC_v1","data":"…","signature":"…"}' },
  },
];

const variants: { readonly [action: string]: readonly Variant[] } = {
  's2s_card SALE': [byCard, byToken, byWallet],
  's2s_card DEBIT': [byCard, byToken, byWallet],
  's2s_card CARD2CARD': [byCard, byToken],
  's2s_card CREDIT2CARD': [{ summary: 'To a card' }, { ...byToken, summary: 'To a stored card' }],
  's2s_card CAPTURE': modificationVariants,
  's2s_card VOID': modificationVariants,
  's2s_card CREDITVOID': modificationVariants,
  's2s_card RETRY': modificationVariants,
  's2s_card GET_TRANS_STATUS': modificationVariants,
  's2s_card GET_TRANS_DETAILS': modificationVariants,
  'checkout /api/v1/processing/purchase/card': processing,
  'checkout /api/v1/processing/debit/card': processing,
  'checkout /api/v1/payment/status': [
    { summary: 'By payment' },
    { summary: 'By order', without: ['payment_id'], with: { order_id: 'order-1001', size: '10' } },
  ],
  'checkout /api/v1/session/update': [
    { summary: 'Payer data only, without a signature' },
    { summary: 'The order', with: { order: { amount: '90.00' } } },
  ],
};

/** Values for fields that the request builder fills with existing objects. */
const names: { readonly [name: string]: unknown } = {
  payment_id: '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88',
  trans_id: '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70',
  recurring_init_trans_id: '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70',
  recurring_first_trans_id: '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70',
  recurring_token: 'b9f6a1d5e7040c3d8c3d2b9f',
  card_token: '6f1e0b7d2c8841b79a523d0e',
  schedule_id: '019a8f60-0c1d-7d55-b3aa-90b1c2d3e4f5',
  order_id: 'order-1001',
  amount: '20.00',
  with_hosted_fields: true,
  validation_url: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
  domain: 'shop.example',
};

const payment = {
  operation: 'purchase',
  payer: { email: 'ana@example.com' },
  card: { first6: '411111', last4: '1111' },
  orderNumber: 'order-1001',
  orderAmount: '84.50',
  currency: 'EUR',
  description: 'Two coffee cups',
};

const caller = { mapping: { digest: 'md5', requiredPayerFields: [] } } as unknown as KnownCaller;

/** Returns the example requests of an operation with these fields. */
export function examplesOf(
  registered: RegisteredAction,
  fields: readonly { path: string; required: boolean }[],
): SignedExample[] {
  const actionVariants = variants[`${registered.protocol} ${registered.action}`] ?? [
    { summary: actionHelp[registered.action] ?? '' },
  ];
  return actionVariants.map((variant) => exampleOf(registered, fields, variant));
}

function exampleOf(
  registered: RegisteredAction,
  fields: readonly { path: string; required: boolean }[],
  { summary, without = [], with: more = {}, subject = {} }: Variant,
): SignedExample {
  const { protocol, action, row } = registered;
  const body: Body = protocol === 'checkout' ? {} : { action };
  for (const { path, required } of fields) {
    if (path === 'action' || without.includes(path)) continue;
    const { usual, sample } = helpOf(action, path);
    if (required || usual) put(body, path, sampleFor(registered, path, sample));
  }
  const complete: Body = { ...body, ...more };
  const { hash: placeholderHash, ...unsigned } = complete;
  const schema = typeof row.schema === 'function' ? row.schema(null) : row.schema;
  const parsed = schema.safeParse(placeholderHash === undefined ? complete : { ...complete, hash: '0' });
  if (!parsed.success) throw new Error(`the example of ${action} is not valid: ${parsed.error.message}`);
  const signedPayment = { ...payment, ...subject };
  const signedSubject = { ...signedPayment, payment: signedPayment, first: signedPayment, session: {} };
  const signature = row.signature(parsed.data, signedSubject, caller);
  if (!signature) return { summary, body: unsigned, input: parsed.data, formulas: [] };
  const recipes = typeof signature.recipe === 'string' ? [signature.recipe] : signature.recipe;
  const formulas = recipes.map((recipe) => formulaText(layOut(recipe, valuesOf(signature)), namesIn(complete)));
  return { summary, body: { ...unsigned, hash: hashOf(recipes[0], signature) }, input: parsed.data, formulas };
}

const valuesOf = ({ values }: Signature) => ({ ...values, password: demoMerchant.password });

/** Production shows no signatures with the demo merchant's password. */
function hashOf(recipe: RecipeName | undefined, signature: Signature): string {
  if (env.appEnv !== 'sandbox' || !recipe) return 'YOUR-HASH';
  return sign(recipe, valuesOf(signature), { digest: 'md5' });
}

function sampleFor({ protocol }: RegisteredAction, path: string, sample: string): unknown {
  const last = path.slice(path.lastIndexOf('.') + 1);
  if (last === 'merchant_key' || last === 'client_key') return env.appEnv === 'sandbox' ? demoMerchant.key : 'YOUR-KEY';
  const filled = sample.replace('{order}', 'order-1001').replace('{base}', checkoutBaseUrl());
  if (filled === '') return names[last] ?? 'text';
  return protocol === 'checkout' && /^[[{]/.test(filled) ? JSON.parse(filled) : filled;
}

function put(body: Body, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let level = body;
  for (const part of parts) {
    level[part] ??= {};
    level = level[part] as Body;
  }
  level[last] = value;
}
