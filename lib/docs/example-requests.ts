// Describes the requests of the documentation. Their signatures come from the signature recipes, and lib/docs/samples
// writes them in every language. Readers replace words in capitals (`TRANS_ID`).

import type { Protocol } from '../core/payment';
import type { RecipeName, SignatureValues } from '../core/signatures';
import type { Body } from './samples/sample';

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
const firstPayment = { payerEmail: payer.payer_email, fragment: '4111111111' };
const card = { card_number: '4111111111111111', card_exp_month: '01', card_exp_year: '2038', card_cvv2: '123' };
const payeeCard = '4601541833776519';
const order = { amount: '84.50', currency: 'EUR', description: 'Two coffee cups' };
const flatOrder = (number: string) => ({
  order_id: number,
  order_amount: order.amount,
  order_currency: order.currency,
  order_description: order.description,
});
const payout = { order_amount: '40.00', order_currency: 'EUR', order_description: 'Refund of a deposit' };

const checkout = (
  path: string,
  recipe: RecipeName | null,
  body: (values: ExampleValues) => Body,
  more: Pick<Operation, 'says'> & Partial<Operation>,
): Operation => ({
  protocol: 'checkout',
  action: `/api/v1/${path}`,
  recipe,
  body: (values) => (recipe === null ? body(values) : { merchant_key: values.key, ...body(values) }),
  ...more,
});

const form = (
  protocol: 's2s_card' | 's2s_apm',
  action: string,
  recipe: RecipeName,
  body: (values: ExampleValues) => Body,
  more: Pick<Operation, 'says'> & Partial<Operation>,
): Operation => ({
  protocol,
  action,
  recipe,
  body: (values) => ({ action, client_key: values.key, ...body(values) }),
  ...more,
});

const payment = (path: string, recipe: RecipeName, needs: string, says: string, more: Body = {}) =>
  checkout(`payment/${path}`, recipe, () => ({ payment_id: 'PAYMENT_ID', ...more }), { needs, says });

const ofCard = (action: string, needs: string, says: string, more: Body = {}) =>
  form('s2s_card', action, 'card2', () => ({ trans_id: 'TRANS_ID', ...more }), { known: firstPayment, needs, says });

const ofSchedule = (action: string, more: Body = {}, needs = 'schedule') =>
  form('s2s_card', action, 'card4', () => ({ schedule_id: 'SCHEDULE_ID', ...more }), { needs, says: 'SUCCESS' });

const ofApm = (action: string, recipe: RecipeName, needs: string, says: string, more: Body = {}) =>
  form('s2s_apm', action, recipe, () => ({ trans_id: 'TRANS_ID', ...more }), { needs, says });

/** The header with the merchant's idempotency key of a follow-up. */
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

const session = ({ base, number }: ExampleValues) => ({
  operation: 'purchase',
  methods: ['card'],
  order: { number, ...order },
  success_url: `${base}/?paid`,
  cancel_url: `${base}/?cancelled`,
  customer: { name: 'Ana Petrovic', email: 'ana@example.com' },
});

const wallet = ({ base, number }: ExampleValues) => ({
  brand: 'vcard',
  ...flatOrder(number),
  identifier: 'success@gmail.com',
  payer_ip: payer.payer_ip,
  return_url: `${base}/?back`,
});

const debit = (values: ExampleValues) => {
  const { return_url, ...sale } = wallet(values);
  return { ...sale, payer_return_url: return_url };
};

const checkoutOperations: Record<string, Operation> = {
  session: checkout('session', 'session', session, { says: 'redirect_url' }),
  'session-notified': checkout(
    'session',
    'session',
    (values) => ({ ...session(values), notification_url: 'http://localhost:8080/' }),
    { needs: 'receiver', says: 'redirect_url' },
  ),
  'session-held': checkout('session', 'session', (values) => ({ ...session(values), auth: true }), {
    says: 'redirect_url',
  }),
  'session-chain': checkout('session', 'session', (values) => ({ ...session(values), recurring_init: true }), {
    says: 'redirect_url',
  }),
  'session-scheduled': checkout(
    'session',
    'session',
    (values) => ({ ...session(values), recurring_init: true, schedule_id: 'SCHEDULE_ID' }),
    { needs: 'schedule', says: 'redirect_url' },
  ),
  'session-payout': checkout(
    'session',
    'session',
    (values) => {
      const { methods, order, success_url, cancel_url } = session(values);
      return {
        operation: 'credit',
        methods,
        order: { ...order, amount: '40.00', description: 'Refund of a deposit' },
        success_url,
        cancel_url,
        payee_first_name: 'Ana',
        payee_last_name: 'Petrovic',
      };
    },
    { says: 'redirect_url' },
  ),
  'session-token': checkout(
    'session/token',
    'session',
    ({ base, number }) => ({
      operation: 'purchase',
      order: { number, ...order },
      return_url: `${base}/?back`,
      customer: { name: 'Ana Petrovic', email: 'ana@example.com', ip: '203.0.113.9' },
    }),
    { says: 'token' },
  ),
  'session-update': checkout('session/update', null, () => ({ customer: { name: 'Ana Maria Petrovic' } }), {
    headers: { Token: 'SESSION_TOKEN' },
    needs: 'checkout-session',
    says: 'redirect_url',
  }),
  'fields-pay': checkout('processing/purchase/card', null, () => ({ name: 'Ana Petrovic', with_hosted_fields: true }), {
    headers: { Token: 'SESSION_TOKEN' },
    needs: 'checkout-fields',
    says: 'success',
  }),
  status: payment('status', 'statusByPayment', 'checkout-paid', 'settled'),
  'status-operations': payment('status', 'statusByPayment', 'checkout-paid', 'refundable_amount', { operations: true }),
  'status-by-order': checkout('payment/status', 'statusByOrder', () => ({ order_id: 'ORDER_ID', size: '10' }), {
    needs: 'checkout-paid',
    says: 'settled',
  }),
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
  recurring: checkout(
    'payment/recurring',
    'recurring',
    ({ number }) => ({
      recurring_init_trans_id: 'FIRST_TRANS_ID',
      recurring_token: 'RECURRING_TOKEN',
      order: { number, amount: '12.00', description: 'The second month' },
    }),
    { needs: 'checkout-chain', says: 'settled' },
  ),
  'card-credit': checkout(
    'payment/card/credit',
    'cardCredit',
    ({ number }) => ({ order_id: number, ...payout, card_token: 'CARD_TOKEN' }),
    { needs: 'payee-token', says: 'accepted' },
  ),
  'card-token-remove': checkout('card_token/remove', 'cardToken', () => ({ card_token: 'CARD_TOKEN' }), {
    needs: 'spare-token',
    says: 'removed',
  }),
};

const charge = ({ number }: ExampleValues) => ({ ...flatOrder(number), ...card, ...payer });
const again = ({ number }: ExampleValues) => ({
  order_id: number,
  order_amount: '12.00',
  order_description: 'The second month',
  recurring_first_trans_id: 'FIRST_TRANS_ID',
  recurring_token: 'RECURRING_TOKEN',
});

const cardOperations: Record<string, Operation> = {
  'card-sale': form('s2s_card', 'SALE', 'card1', charge, { says: 'SETTLED' }),
  'card-auth': form('s2s_card', 'SALE', 'card1', (values) => ({ ...charge(values), auth: 'Y' }), { says: 'PENDING' }),
  'card-chain': form('s2s_card', 'SALE', 'card1', (values) => ({ ...charge(values), recurring_init: 'Y' }), {
    says: 'recurring_token',
  }),
  'card-token-sale': form(
    's2s_card',
    'SALE',
    'card1Token',
    ({ number }) => ({ ...flatOrder(number), card_token: 'CARD_TOKEN', ...payer }),
    { needs: 'card-token', says: 'SETTLED' },
  ),
  'card-wallet': form(
    's2s_card',
    'SALE',
    'card8',
    ({ number }) => ({
      ...flatOrder(number),
      digital_wallet: 'applepay',
      payment_token: 'WALLET_TOKEN',
      ...payer,
    }),
    { needs: 'wallet-token', says: 'SETTLED' },
  ),
  'card-debit': form('s2s_card', 'DEBIT', 'card1', charge, { says: 'SETTLED' }),
  'card-transfer': form(
    's2s_card',
    'CARD2CARD',
    'card1',
    (values) => ({ ...charge(values), payee_card_number: payeeCard }),
    { says: 'SETTLED' },
  ),
  'card-payout': form(
    's2s_card',
    'CREDIT2CARD',
    'card5',
    ({ number }) => ({ order_id: number, ...payout, card_number: payeeCard }),
    { says: 'SETTLED' },
  ),
  'card-again': form('s2s_card', 'RECURRING_SALE', 'card1', again, {
    known: firstPayment,
    needs: 'card-chain',
    says: 'SETTLED',
  }),
  'card-again-debit': form('s2s_card', 'RECURRING_DEBIT', 'card1', again, {
    known: firstPayment,
    needs: 'card-debit-chain',
    says: 'SETTLED',
  }),
  'card-capture': { ...ofCard('CAPTURE', 'card-held', 'SETTLED', { amount: '84.50' }), ...withKey('capture-1') },
  'card-creditvoid': { ...ofCard('CREDITVOID', 'card-paid', 'ACCEPTED', { amount: '20.00' }), ...withKey('return-1') },
  'card-void': { ...ofCard('VOID', 'card-paid', 'VOID'), ...withKey('void-1') },
  'card-retry': ofCard('RETRY', 'card-declined', 'ACCEPTED'),
  'card-status': ofCard('GET_TRANS_STATUS', 'card-paid', 'SETTLED'),
  'card-status-by-order': form('s2s_card', 'GET_TRANS_STATUS_BY_ORDER', 'card7', () => ({ order_id: 'ORDER_ID' }), {
    known: firstPayment,
    needs: 'card-paid',
    says: 'SETTLED',
  }),
  'card-details': ofCard('GET_TRANS_DETAILS', 'card-paid', 'transactions'),
  'schedule-create': form(
    's2s_card',
    'CREATE_SCHEDULE',
    'card3',
    () => ({ name: 'Monthly box', interval_length: '1', interval_unit: 'month', payments_count: '12' }),
    { says: 'schedule_id' },
  ),
  'schedule-update': ofSchedule('UPDATE_SCHEDULE', { payments_count: '24' }),
  'schedule-pause': ofSchedule('PAUSE_SCHEDULE'),
  'schedule-run': ofSchedule('RUN_SCHEDULE'),
  'schedule-delete': ofSchedule('DELETE_SCHEDULE'),
  'schedule-info': ofSchedule('SCHEDULE_INFO'),
  deschedule: ofSchedule('DESCHEDULE', { recurring_token: 'RECURRING_TOKEN' }, 'subscription'),
};

const apmOperations: Record<string, Operation> = {
  'apm-sale': form('s2s_apm', 'SALE', 'apmSale', wallet, { says: 'SETTLED' }),
  'apm-auth': form('s2s_apm', 'SALE', 'apmSale', (values) => ({ ...wallet(values), auth: 'Y' }), { says: 'PENDING' }),
  'apm-capture': {
    ...ofApm('CAPTURE', 'apmFollow', 'apm-held', 'SETTLED', { amount: '84.50' }),
    ...withKey('capture-1'),
  },
  'apm-creditvoid': { ...ofApm('CREDITVOID', 'apmCreditVoid', 'apm-paid', 'ACCEPTED'), ...withKey('return-1') },
  'apm-void': { ...ofApm('VOID', 'apmFollow', 'apm-paid', 'VOID'), ...withKey('void-1') },
  'apm-status': ofApm('GET_TRANS_STATUS', 'apmFollow', 'apm-paid', 'SETTLED'),
  'apm-payout': form(
    's2s_apm',
    'CREDIT2VIRTUAL',
    'apmCredit',
    ({ number }) => ({
      brand: 'kora',
      order_id: number,
      order_amount: '2000',
      order_currency: 'XOF',
      parameters: {
        mobile_money_operator: 'mtn-ci',
        mobile_number: '2250700000000',
        customer_email: 'awa@example.com',
      },
      payee_first_name: 'Awa',
      payee_last_name: 'Traore',
      payee_email: 'awa@example.com',
    }),
    { says: 'SETTLED' },
  ),
  'apm-crypto-payout': form(
    's2s_apm',
    'CREDIT2CRYPTO',
    'apmCredit',
    ({ number }) => ({
      brand: 'm2p-withdrawal',
      order_id: number,
      ...payout,
      crypto_network: 'tron',
      parameters: { withdrawCurrency: 'USDT', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
    }),
    { says: 'SETTLED' },
  ),
  'apm-debit': form('s2s_apm', 'DEBIT2VIRTUAL', 'apmSale', debit, { says: 'total_amount' }),
  'apm-debit-calc': form('s2s_apm', 'DEBIT2VIRTUAL_CALC', 'apmSale', debit, { says: 'PREPARE' }),
  'apm-debit-complete': ofApm('DEBIT2VIRTUAL_COMPLETE', 'apmFollow', 'apm-quote', 'SETTLED'),
};

/** Every request by the name that templates use. */
export const operations: Readonly<Record<string, Operation>> = {
  ...checkoutOperations,
  ...cardOperations,
  ...apmOperations,
};
