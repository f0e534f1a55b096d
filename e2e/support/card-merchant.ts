// A shop's server that uses S2S CARD, signed by the formulas of the contract.
import { type Answer, type Changes, changed } from './merchant.ts';
import type { Credentials } from './merchants.ts';
import { formClient, orderNumberOf, type Sold, textOf } from './s2s-merchant.ts';
import type { ShopServer } from './shop-server.ts';
import { type CardValues, fragmentOf, signCard } from './signatures.ts';

export type CardMerchant = ReturnType<typeof cardMerchant>;

/** The cards of protocol.md 9 in this protocol's fields. */
export const cardFields = {
  settled: cardOf('01', '2038'),
  declined: cardOf('02', '2038'),
  captureDeclined: cardOf('03', '2038'),
  challenge: cardOf('05', '2038'),
  challengeDeclined: cardOf('06', '2038'),
  redirect: cardOf('12', '2038'),
  redirectDeclined: cardOf('12', '2039'),
  funds: cardOf('01', '2038', '4000000000009995'),
  /** No answer in time, although the payment has settled. */
  hangs: cardOf('01', '2038', '4000000000001034'),
  /** Processing; settles after three seconds. */
  waits: cardOf('01', '2038', '4000000000001075'),
  voidDeclined: cardOf('01', '2038', '4000000000001091'),
  refundDeclined: cardOf('01', '2038', '4000000000005126'),
};

export const payoutCard = '4601541833776519';

function cardOf(month: string, year: string, number = '4111111111111111') {
  return { card_number: number, card_exp_month: month, card_exp_year: year, card_cvv2: '123' };
}

/** Acts as the merchant with these credentials at the server at `baseUrl`. */
export function cardMerchant(baseUrl: string, credentials: Credentials, shopServer: ShopServer) {
  const { key } = credentials;

  const { send, post, accepted } = formClient(baseUrl, '/s2s/card/post');

  /** The fields of SALE, DEBIT and CARD2CARD, without the hash. */
  function chargeBody(action: string, changes: Changes = {}): Changes {
    const orderId = orderNumberOf(changes);
    const base = {
      action,
      client_key: key,
      order_id: orderId,
      order_amount: '84.50',
      order_currency: 'EUR',
      order_description: 'Two stoneware bowls',
      ...cardFields.settled,
      payer_first_name: 'Ana',
      payer_last_name: 'Petrović',
      payer_email: 'ana@example.com',
      payer_phone: '38164123456',
      payer_ip: '203.0.113.7',
      callback_url: shopServer.addressFor(orderId),
      ...(action === 'CARD2CARD' && { payee_card_number: payoutCard }),
    };
    return changed(base, changes);
  }

  /** Signs the body with the correct hash: formula 1, or formula 8 for a wallet token. */
  function signed(body: Changes): Changes {
    const number = textOf(body.card_number);
    const card = number === undefined ? textOf(body.card_token) : fragmentOf(number);
    const formula = body.payment_token !== undefined && number === undefined ? 8 : 1;
    return { ...body, hash: signCard(formula, { email: textOf(body.payer_email), card }, credentials) };
  }

  const charge = (action: string, changes: Changes = {}, path?: string) =>
    post(signed(chargeBody(action, changes)), path);

  /** Makes a sale and returns the values that later requests need. */
  async function sell(changes: Changes = {}, action = 'SALE'): Promise<Sold> {
    const body = signed(chargeBody(action, changes));
    const number = textOf(body.card_number);
    return { ...(await accepted(body)), card: number && fragmentOf(number) };
  }

  function payoutBody(changes: Changes = {}): Changes {
    const orderId = orderNumberOf(changes);
    const base = {
      action: 'CREDIT2CARD',
      client_key: key,
      order_id: orderId,
      order_amount: '40.00',
      order_currency: 'EUR',
      order_description: 'Refund of a deposit',
      card_number: payoutCard,
      callback_url: shopServer.addressFor(orderId),
    };
    const body = changed(base, changes);
    const number = textOf(body.card_number);
    const card = number === undefined ? textOf(body.card_token) : fragmentOf(number);
    return { ...body, hash: signCard(5, { card }, credentials) };
  }

  /**
   * CAPTURE, VOID, CREDITVOID, RETRY and the status requests of one payment: formula 2, or formula 6 without an e-mail
   * address.
   */
  function followBody(action: string, { transId, email, card }: Omit<Sold, 'orderId' | 'answer'>, more: Changes = {}) {
    const hash = signCard(email === undefined ? 6 : 2, { transId, email, card }, credentials);
    return { action, client_key: key, trans_id: transId, hash, ...more };
  }

  /** RECURRING_SALE and RECURRING_DEBIT, signed with the values of the initial payment. */
  function secondaryBody(first: Sold, changes: Changes = {}, action = 'RECURRING_SALE'): Changes {
    const orderId = orderNumberOf(changes);
    const base = {
      action,
      client_key: key,
      order_id: orderId,
      order_amount: '12.00',
      order_description: 'The second month',
      recurring_first_trans_id: first.transId,
      recurring_token: first.answer.body.recurring_token,
      callback_url: shopServer.addressFor(orderId),
      hash: signCard(1, { email: first.email, card: first.card }, credentials),
    };
    return changed(base, changes);
  }

  /** A schedule action: formula 3 for CREATE_SCHEDULE, formula 4 for the others. */
  function schedule(action: string, fields: Changes): Promise<Answer> {
    const values: CardValues = { scheduleId: textOf(fields.schedule_id) };
    const hash = signCard(action === 'CREATE_SCHEDULE' ? 3 : 4, values, credentials);
    return post({ action, client_key: key, hash, ...fields });
  }

  return {
    protocol: 's2s-card' as const,
    credentials,
    baseUrl,
    shopServer,
    send,
    post,
    chargeBody,
    signed,
    charge,
    sell,
    payoutBody,
    payout: (changes?: Changes) => post(payoutBody(changes)),
    followBody,
    isSigned: (fields: Record<string, string>, { email }: { email?: string }) =>
      isSignedCardCallback(fields, email, credentials),
    follow: (
      action: string,
      sold: Omit<Sold, 'orderId' | 'answer'>,
      more?: Changes,
      headers?: Record<string, string>,
    ) => post(followBody(action, sold, more), undefined, headers),
    byOrder: ({ orderId, email, card }: Sold) =>
      post({
        action: 'GET_TRANS_STATUS_BY_ORDER',
        client_key: key,
        order_id: orderId,
        hash: signCard(7, { orderId, email, card }, credentials),
      }),
    secondaryBody,
    again: (first: Sold, changes?: Changes, action?: string) => post(secondaryBody(first, changes, action)),
    schedule,
  };
}

/**
 * Whether a callback has the correct hash: formula 2, or formula 6 for payouts and payments without an e-mail address.
 */
export function isSignedCardCallback(
  fields: Record<string, string>,
  email: string | undefined,
  by: Credentials,
): boolean {
  const without = email === undefined || fields.action === 'CREDIT2CARD';
  const values = { email, transId: fields.trans_id, card: fields.card && fragmentOf(fields.card) };
  return fields.hash === signCard(without ? 6 : 2, values, by);
}
