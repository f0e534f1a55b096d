// Describes the requests of the documentation. Their signatures come from the signature recipes, and lib/docs/samples
// writes them in every language. Readers replace words in capitals (`TRANS_ID`).
import type { Protocol } from '../core/payment.ts';
import type { RecipeName, SignatureValues } from '../core/signatures.ts';
import type { Body } from './samples/sample.ts';

/** The values of an example: the reader's key, the base of return URLs, and a new order number. */
export type ExampleValues = { key: string; base: string; number: string };

export type Operation = {
  protocol: Protocol;
  /** The name in the action registry; for Checkout the path. */
  action: string;
  /** Null if the request has a token instead of a signature. */
  recipe: RecipeName | null;
  body: (values: ExampleValues) => Body;
  /** Signed values that the request does not carry. */
  known?: Partial<SignatureValues>;
  headers?: { readonly [name: string]: string };
  /** The precondition: tests create it, readers have it from their own payments. */
  needs?: string;
  /** A word that the response contains. */
  says: string;
};

/** The payer of S2S CARD payments; signatures of follow-ups contain the e-mail. */
const payer = {
  payer_first_name: 'Jo',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '441632960961',
  payer_ip: '203.0.113.7',
};
const known = { payerEmail: payer.payer_email, fragment: '4111111111' };
const cardData = { card_number: '4111111111111111', card_exp_month: '01', card_exp_year: '2038', card_cvv2: '123' };
const payeeCard = '4601541833776519';
const order = { amount: '84.50', currency: 'EUR', description: 'Two coffee cups' };
const flatOrder = (number: string) => ({
  order_id: number,
  order_amount: order.amount,
  order_currency: order.currency,
  order_description: order.description,
});
const payout = { order_amount: '40.00', order_currency: 'EUR', order_description: 'Refund of a deposit' };

type BodyOf = Operation['body'];
type More = Partial<Omit<Operation, 'says'>>;

const checkout = (path: string, recipe: RecipeName | null, says: string, body: BodyOf, more: More = {}): Operation => ({
  protocol: 'checkout',
  action: `/api/v1/${path}`,
  recipe,
  says,
  body: (values) => (recipe === null ? body(values) : { merchant_key: values.key, ...body(values) }),
  ...more,
});

const form =
  (protocol: 's2s_card' | 's2s_apm') =>
  (action: string, recipe: RecipeName, says: string, body: BodyOf, more: More = {}): Operation => ({
    protocol,
    action,
    recipe,
    says,
    body: (values) => ({ action, client_key: values.key, ...body(values) }),
    ...more,
  });
const card = form('s2s_card');
const apm = form('s2s_apm');

const plus =
  (body: BodyOf, more: Body): BodyOf =>
  (values) => ({ ...body(values), ...more });

const payment = (path: string, recipe: RecipeName, needs: string, says: string, more: Body = {}) =>
  checkout(`payment/${path}`, recipe, says, () => ({ payment_id: 'PAYMENT_ID', ...more }), { needs });

const ofCard = (action: string, needs: string, says: string, more: Body = {}) =>
  card(action, 'card2', says, () => ({ trans_id: 'TRANS_ID', ...more }), { known, needs });

const ofSchedule = (action: string, more: Body = {}, needs = 'schedule') =>
  card(action, 'card4', 'SUCCESS', () => ({ schedule_id: 'SCHEDULE_ID', ...more }), { needs });

const ofApm = (action: string, recipe: RecipeName, needs: string, says: string, more: Body = {}) =>
  apm(action, recipe, says, () => ({ trans_id: 'TRANS_ID', ...more }), { needs });

/** The header with the merchant's idempotency key of a follow-up. */
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const withToken = { headers: { Token: 'SESSION_TOKEN' } };

const session: BodyOf = ({ base, number }) => ({
  operation: 'purchase',
  methods: ['card'],
  order: { number, ...order },
  success_url: `${base}/?paid`,
  cancel_url: `${base}/?cancelled`,
  customer: { name: 'Ana Petrovic', email: 'ana@example.com' },
});

const payoutSession: BodyOf = ({ base, number }) => ({
  operation: 'credit',
  methods: ['card'],
  order: { number, amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' },
  success_url: `${base}/?paid`,
  cancel_url: `${base}/?cancelled`,
  payee_first_name: 'Ana',
  payee_last_name: 'Petrovic',
});

const fieldsSession: BodyOf = ({ base, number }) => ({
  operation: 'purchase',
  order: { number, ...order },
  return_url: `${base}/?back`,
  customer: { name: 'Ana Petrovic', email: 'ana@example.com', ip: '203.0.113.9' },
});

const savingSession: BodyOf = (given) => ({
  ...fieldsSession(given),
  order: { number: given.number, ...order, amount: '0.00', description: 'Save a card' },
  recurring_init: true,
  req_token: true,
});

const subsequent: BodyOf = ({ number }) => ({
  recurring_init_trans_id: 'FIRST_TRANS_ID',
  recurring_token: 'RECURRING_TOKEN',
  order: { number, amount: '12.00', description: 'The second month' },
});

const creditToToken: BodyOf = ({ number }) => ({ order_id: number, ...payout, card_token: 'CARD_TOKEN' });
const payerUpdate = { customer: { name: 'Ana Maria Petrovic' } };
const fieldsPayment = { name: 'Ana Petrovic', with_hosted_fields: true };
const opened = (body: BodyOf, more?: More) => checkout('session', 'session', 'redirect_url', body, more);

const checkoutOperations: Record<string, Operation> = {
  session: opened(session),
  'session-notified': opened(plus(session, { notification_url: 'http://localhost:8080/' }), { needs: 'receiver' }),
  'session-held': opened(plus(session, { auth: true })),
  'session-chain': opened(plus(session, { recurring_init: true })),
  'session-scheduled': opened(plus(session, { recurring_init: true, schedule_id: 'SCHEDULE_ID' }), {
    needs: 'schedule',
  }),
  'session-payout': opened(payoutSession),
  'session-token': checkout('session/token', 'session', 'token', fieldsSession),
  'session-save-card': checkout('session/token', 'session', 'token', savingSession),
  'session-update': checkout('session/update', null, 'redirect_url', () => payerUpdate, {
    ...withToken,
    needs: 'checkout-session',
  }),
  'fields-pay': checkout('processing/purchase/card', null, 'success', () => fieldsPayment, {
    ...withToken,
    needs: 'checkout-fields',
  }),
  status: payment('status', 'statusByPayment', 'checkout-paid', 'settled'),
  'status-operations': payment('status', 'statusByPayment', 'checkout-paid', 'refundable_amount', { operations: true }),
  'status-by-order': checkout(
    'payment/status',
    'statusByOrder',
    'settled',
    () => ({ order_id: 'ORDER_ID', size: '10' }),
    { needs: 'checkout-paid' },
  ),
  capture: {
    ...payment('capture', 'amountOfPayment', 'checkout-held', 'settled', { amount: '84.50' }),
    ...withKey('capture-1'),
  },
  refund: {
    ...payment('refund', 'amountOfPayment', 'checkout-paid', 'accepted', { amount: '20.00' }),
    ...withKey('return-1'),
  },
  void: { ...payment('void', 'wholePayment', 'checkout-paid', 'void'), ...withKey('void-1') },
  retry: payment('retry', 'wholePayment', 'checkout-declined', 'accepted'),
  recurring: checkout('payment/recurring', 'recurring', 'settled', subsequent, { needs: 'checkout-chain' }),
  'card-credit': checkout('payment/card/credit', 'cardCredit', 'accepted', creditToToken, { needs: 'payee-token' }),
  'card-token-remove': checkout('card_token/remove', 'cardToken', 'removed', () => ({ card_token: 'CARD_TOKEN' }), {
    needs: 'spare-token',
  }),
};

const charge: BodyOf = ({ number }) => ({ ...flatOrder(number), ...cardData, ...payer });
const byToken: BodyOf = ({ number }) => ({ ...flatOrder(number), card_token: 'CARD_TOKEN', ...payer });
const byWallet: BodyOf = ({ number }) => ({
  ...flatOrder(number),
  digital_wallet: 'applepay',
  payment_token: 'WALLET_TOKEN',
  ...payer,
});
const cardPayout: BodyOf = ({ number }) => ({ order_id: number, ...payout, card_number: payeeCard });
const again: BodyOf = ({ number }) => ({
  order_id: number,
  order_amount: '12.00',
  order_description: 'The second month',
  recurring_first_trans_id: 'FIRST_TRANS_ID',
  recurring_token: 'RECURRING_TOKEN',
});
const schedule = { name: 'Monthly box', interval_length: '1', interval_unit: 'month', payments_count: '12' };

const cardOperations: Record<string, Operation> = {
  'card-sale': card('SALE', 'card1', 'SETTLED', charge),
  'card-auth': card('SALE', 'card1', 'PENDING', plus(charge, { auth: 'Y' })),
  'card-chain': card('SALE', 'card1', 'recurring_token', plus(charge, { recurring_init: 'Y' })),
  'card-token-sale': card('SALE', 'card1Token', 'SETTLED', byToken, { needs: 'card-token' }),
  'card-wallet': card('SALE', 'card8', 'SETTLED', byWallet, { needs: 'wallet-token' }),
  'card-debit': card('DEBIT', 'card1', 'SETTLED', charge),
  'card-transfer': card('CARD2CARD', 'card1', 'SETTLED', plus(charge, { payee_card_number: payeeCard })),
  'card-payout': card('CREDIT2CARD', 'card5', 'SETTLED', cardPayout),
  'card-again': card('RECURRING_SALE', 'card1', 'SETTLED', again, { known, needs: 'card-chain' }),
  'card-again-debit': card('RECURRING_DEBIT', 'card1', 'SETTLED', again, { known, needs: 'card-debit-chain' }),
  'card-capture': { ...ofCard('CAPTURE', 'card-held', 'SETTLED', { amount: '84.50' }), ...withKey('capture-1') },
  'card-creditvoid': { ...ofCard('CREDITVOID', 'card-paid', 'ACCEPTED', { amount: '20.00' }), ...withKey('return-1') },
  'card-void': { ...ofCard('VOID', 'card-paid', 'VOID'), ...withKey('void-1') },
  'card-retry': ofCard('RETRY', 'card-declined', 'ACCEPTED'),
  'card-status': ofCard('GET_TRANS_STATUS', 'card-paid', 'SETTLED'),
  'card-status-by-order': card('GET_TRANS_STATUS_BY_ORDER', 'card7', 'SETTLED', () => ({ order_id: 'ORDER_ID' }), {
    known,
    needs: 'card-paid',
  }),
  'card-details': ofCard('GET_TRANS_DETAILS', 'card-paid', 'transactions'),
  'schedule-create': card('CREATE_SCHEDULE', 'card3', 'schedule_id', () => schedule),
  'schedule-update': ofSchedule('UPDATE_SCHEDULE', { payments_count: '24' }),
  'schedule-pause': ofSchedule('PAUSE_SCHEDULE'),
  'schedule-run': ofSchedule('RUN_SCHEDULE'),
  'schedule-delete': ofSchedule('DELETE_SCHEDULE'),
  'schedule-info': ofSchedule('SCHEDULE_INFO'),
  deschedule: ofSchedule('DESCHEDULE', { recurring_token: 'RECURRING_TOKEN' }, 'subscription'),
};

const wallet = ({ base, number }: ExampleValues) => ({
  brand: 'vcard',
  ...flatOrder(number),
  identifier: 'success@gmail.com',
  payer_ip: payer.payer_ip,
  return_url: `${base}/?back`,
});
const debit: BodyOf = (values) => {
  const { return_url, ...sale } = wallet(values);
  return { ...sale, payer_return_url: return_url };
};
const walletPayout: BodyOf = ({ number }) => ({
  brand: 'kora',
  order_id: number,
  order_amount: '2000',
  order_currency: 'XOF',
  parameters: { mobile_money_operator: 'mtn-ci', mobile_number: '2250700000000', customer_email: 'awa@example.com' },
  payee_first_name: 'Awa',
  payee_last_name: 'Traore',
  payee_email: 'awa@example.com',
});
const cryptoPayout: BodyOf = ({ number }) => ({
  brand: 'm2p-withdrawal',
  order_id: number,
  ...payout,
  crypto_network: 'tron',
  parameters: { withdrawCurrency: 'USDT', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
});

const apmOperations: Record<string, Operation> = {
  'apm-sale': apm('SALE', 'apmSale', 'SETTLED', wallet),
  'apm-auth': apm('SALE', 'apmSale', 'PENDING', plus(wallet, { auth: 'Y' })),
  'apm-capture': {
    ...ofApm('CAPTURE', 'apmFollow', 'apm-held', 'SETTLED', { amount: '84.50' }),
    ...withKey('capture-1'),
  },
  'apm-creditvoid': { ...ofApm('CREDITVOID', 'apmCreditVoid', 'apm-paid', 'ACCEPTED'), ...withKey('return-1') },
  'apm-void': { ...ofApm('VOID', 'apmFollow', 'apm-paid', 'VOID'), ...withKey('void-1') },
  'apm-status': ofApm('GET_TRANS_STATUS', 'apmFollow', 'apm-paid', 'SETTLED'),
  'apm-payout': apm('CREDIT2VIRTUAL', 'apmCredit', 'SETTLED', walletPayout),
  'apm-crypto-payout': apm('CREDIT2CRYPTO', 'apmCredit', 'SETTLED', cryptoPayout),
  'apm-debit': apm('DEBIT2VIRTUAL', 'apmSale', 'total_amount', debit),
  'apm-debit-calc': apm('DEBIT2VIRTUAL_CALC', 'apmSale', 'PREPARE', debit),
  'apm-debit-complete': ofApm('DEBIT2VIRTUAL_COMPLETE', 'apmFollow', 'apm-quote', 'SETTLED'),
};

/** Every request by the name that templates use. */
export const operations: Readonly<Record<string, Operation>> = {
  ...checkoutOperations,
  ...cardOperations,
  ...apmOperations,
};
