// Labels of values, digests and formulas in the explanations.
import type { RecipeName } from '../signatures';

/** The label of each value. */
const fieldLabels: { readonly [name: string]: string } = {
  password: 'password',
  payerEmail: 'e-mail',
  fragment: 'card number',
  cardToken: 'card token',
  transId: 'transaction id',
  paymentId: 'payment id',
  scheduleId: 'schedule id',
  orderId: 'order number',
  amount: 'amount',
  currency: 'currency',
  description: 'description',
  identifier: 'identifier',
  status: 'status',
  recurringInitTransId: "first payment's transaction id",
  recurringToken: 'recurring token',
};

/** The label of a part; `custom_data.a` for a leaf of a callback. */
export const fieldLabel = (name: string) => fieldLabels[name] ?? name.replace(/^fields\./, '');

/** The displayed names of the digests. */
export const digestNames = { md5: 'MD5', sha256: 'SHA-256' } as const;

/** The purpose of each formula; follows "the formula for". */
export const formulaNames: Readonly<Record<RecipeName, string>> = {
  card1: 'charges by card (formula 1)',
  card1Token: 'charges by card token (formula 1)',
  card2: 'follow-ups of a payment (formula 2)',
  card3: 'CREATE_SCHEDULE (formula 3)',
  card4: 'schedules (formula 4)',
  card5: 'CREDIT2CARD (formula 5)',
  card5Token: 'CREDIT2CARD by card token (formula 5)',
  card6: 'follow-ups without an e-mail (formula 6)',
  card7: 'GET_TRANS_STATUS_BY_ORDER (formula 7)',
  card8: 'wallet payments (formula 8)',
  apmSale: 'SALE and DEBIT2VIRTUAL',
  apmCreditVoid: 'CREDITVOID',
  apmFollow: 'CAPTURE, VOID and GET_TRANS_STATUS',
  apmCredit: 'CREDIT2VIRTUAL and CREDIT2CRYPTO',
  apmCallback: 'callbacks of S2S APM',
  apmCreditCallback: 'callbacks of payouts of S2S APM',
  apmCryptoCallback: 'callbacks of payments in coins',
  session: 'sessions',
  statusByPayment: 'payment/status by payment_id',
  statusByOrder: 'payment/status by order_id',
  amountOfPayment: 'payment/refund and payment/capture',
  wholePayment: 'payment/void and payment/retry',
  recurring: 'payment/recurring',
  cardCredit: 'payment/card/credit',
  cardToken: 'card_token/remove',
  checkoutCallback: 'callbacks of Checkout',
};
