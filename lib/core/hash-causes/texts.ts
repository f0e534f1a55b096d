// The texts of explanations: names of values, digests and formulas, and the ways in which programs and people write the
// same value differently.
import type { RecipeName } from '../signatures.ts';

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

/** The ways in which programs write `10.00`; never the text itself. */
export function amountTexts(sent: string): string[] {
  const [, whole = '', decimals = ''] = /^([0-9]{1,30})(?:[.,]([0-9]{1,30}))?$/.exec(sent) ?? [];
  if (whole === '') return [];
  const bare = decimals.replace(/0+$/, '');
  const lengths = [0, 1, 2, 3, 4].filter((length) => length >= bare.length);
  const padded = lengths.map((length) => (length === 0 ? whole : `${whole}.${bare.padEnd(length, '0')}`));
  const minor = [2, 3, 0].map((length) =>
    (whole + decimals.padEnd(length, '0').slice(0, length)).replace(/^0+(?=.)/, ''),
  );
  const thousands = whole.replace(/\B(?=([0-9]{3})+$)/g, ',');
  const grouped = padded.map((text) => text.replace(whole, thousands));
  const commas = padded.map((text) => text.replace('.', ','));
  return [...new Set([...padded, ...minor, ...grouped, ...commas])].filter((text) => text !== sent);
}

/** Invisible whitespace. */
export const spaces = [
  [' ', 'a space'],
  ['\n', 'a line break'],
  ['\r\n', 'a line break'],
] as const;

const htmlEscapes: readonly (readonly [RegExp, string])[] = [
  [/&/g, '&amp;'],
  [/</g, '&lt;'],
  [/>/g, '&gt;'],
  [/"/g, '&quot;'],
  [/'/g, '&#039;'],
];
const escapedHtml = (text: string) => htmlEscapes.reduce((made, [from, to]) => made.replace(from, to), text);
const unescapedHtml = (text: string) =>
  htmlEscapes.reduceRight((made, [from, to]) => made.replaceAll(to, plainOf(from)), text);
const plainOf = (pattern: RegExp) => pattern.source;
const escapedJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Ways to encode or decode a text. */
export const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['URL-encoded', encodeURIComponent],
  ['form-encoded', (text) => new URLSearchParams({ '': text }).toString().slice(1)],
  ['escaped for HTML', escapedHtml],
  ['escaped for JSON', escapedJson],
  ['in its decoded form', decoded],
  ['in its unescaped form', unescapedHtml],
];

/** Wrong card digits that can be built from the first six and last four digits. */
export const cardTexts = (fragment: string): (readonly [string, string])[] => {
  const [first6, last4] = [fragment.slice(0, 6), fragment.slice(-4)];
  return [
    ['the last four digits before the first six', last4 + first6],
    ['the last four digits alone', last4],
    ['the first six digits alone', first6],
    ['the first four digits and the last four', first6.slice(0, 4) + last4],
    ...[4, 5, 6, 8, 9].map((stars) => ['the masked number', `${first6}${'*'.repeat(stars)}${last4}`] as const),
  ];
};
