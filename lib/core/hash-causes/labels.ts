// Display names of values, digests and formulas in explanations.
import type { RecipeName } from '../signatures';

/** Display names of values. */
const fieldLabels: { readonly [name: string]: string } = {
  password: 'password',
  payerEmail: 'email',
  fragment: 'card number',
  cardToken: 'card token',
  transId: 'transaction ID',
  paymentId: 'payment ID',
  scheduleId: 'schedule ID',
  orderId: 'order number',
  amount: 'amount',
  currency: 'currency',
  description: 'description',
  identifier: 'identifier',
  status: 'status',
  recurringInitTransId: 'transaction ID of the first payment',
  recurringToken: 'recurring token',
};

/** The display name of a part, `custom_data.a` for a leaf of a callback. */
export const fieldLabel = (name: string) => fieldLabels[name] ?? name.replace(/^fields\./, '');

/** Display names of the digests. */
export const digestNames = { md5: 'MD5', sha256: 'SHA-256' } as const;

/** Display names of the formulas, which follow "the formula for". */
export const formulaNames: Readonly<Record<RecipeName, string>> = {
  card1: 'charges by card (formula 1)',
  card1Token: 'charges by card token (formula 1)',
  card2: 'follow-up requests (formula 2)',
  card3: 'CREATE_SCHEDULE (formula 3)',
  card4: 'schedules (formula 4)',
  card5: 'CREDIT2CARD (formula 5)',
  card5Token: 'CREDIT2CARD by card token (formula 5)',
  card6: 'follow-up requests without an email (formula 6)',
  card7: 'GET_TRANS_STATUS_BY_ORDER (formula 7)',
  card8: 'wallet payments (formula 8)',
  apmSale: 'SALE and DEBIT2VIRTUAL',
  apmCreditVoid: 'CREDITVOID',
  apmFollow: 'CAPTURE, VOID and GET_TRANS_STATUS',
  apmCredit: 'CREDIT2VIRTUAL and CREDIT2CRYPTO',
  apmCallback: 'callbacks of S2S APM',
  apmCreditCallback: 'callbacks of payouts of S2S APM',
  apmCryptoCallback: 'callbacks of crypto payments',
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
