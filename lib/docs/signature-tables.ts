// Generates every signature as a formula and as a test vector, from the recipes that verify requests.
import { layOut, type RecipeName, type SignatureValues, sign, signedBytes } from '../core/signatures';
import { tableOf } from './markdown-table';

const values: Required<SignatureValues> = {
  password: '13a4822c5907ed235f3a068c76184fc3',
  payerEmail: 'doe@example.com',
  fragment: '4111111111',
  cardToken: '5f2c9a1e',
  transId: '0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c',
  paymentId: '0199d0f4-1111-7c7e-9a52-0d6f5a1e2b3c',
  scheduleId: '0199d0f4-2222-7c7e-9a52-0d6f5a1e2b3c',
  orderId: 'order-1',
  amount: '84.50',
  currency: 'EUR',
  description: 'Two coffee cups',
  identifier: 'success@gmail.com',
  status: 'SETTLED',
  recurringInitTransId: '0199d0f4-3333-7c7e-9a52-0d6f5a1e2b3c',
  recurringToken: '0199d0f4-4444-7c7e-9a52-0d6f5a1e2b3c',
  fields: { action: 'SALE', custom_data: { basket: '7' }, order_id: 'order-1', status: 'SETTLED' },
};

const uses: Record<RecipeName, string> = {
  session: '`session`, `session/token`',
  statusByPayment: '`payment/status` by `payment_id`',
  statusByOrder: '`payment/status` by `order_id`',
  amountOfPayment: '`payment/refund`, `payment/capture`',
  wholePayment: '`payment/void`, `payment/retry`',
  recurring: '`payment/recurring`',
  cardCredit: '`payment/card/credit`',
  cardToken: '`card_token/remove`',
  checkoutCallback: 'callbacks; the query of return addresses',
  card1: 'formula 1: `SALE`, `DEBIT`, `CARD2CARD`, `RECURRING_SALE`, `RECURRING_DEBIT`',
  card1Token: 'formula 1 with a `card_token`',
  card2: 'formula 2: `CAPTURE`, `VOID`, `CREDITVOID`, `RETRY`, `GET_TRANS_STATUS`, `GET_TRANS_DETAILS`; callbacks',
  card3: 'formula 3: `CREATE_SCHEDULE`',
  card4: 'formula 4: every other schedule action',
  card5: 'formula 5: `CREDIT2CARD`',
  card5Token: 'formula 5 with a `card_token`',
  card6: 'formula 6: formula 2 without a payer e-mail; callbacks of `CREDIT2CARD`',
  card7: 'formula 7: `GET_TRANS_STATUS_BY_ORDER`',
  card8: 'formula 8: `SALE` and `DEBIT` with a `payment_token`',
  apmSale: '`SALE`, `DEBIT2VIRTUAL`, `DEBIT2VIRTUAL_CALC`',
  apmCreditVoid: '`CREDITVOID`',
  apmFollow: '`CAPTURE`, `VOID`, `GET_TRANS_STATUS`, `DEBIT2VIRTUAL_COMPLETE`',
  apmCredit: '`CREDIT2VIRTUAL`, `CREDIT2CRYPTO`',
  apmCallback: 'callbacks, every other',
  apmCreditCallback: 'callbacks of `CREDIT2VIRTUAL`, `CREDIT2CRYPTO`',
  apmCryptoCallback: 'callback of a `SALE` in coins',
};

const names: { [name: string]: string } = {
  payerEmail: 'payer_email',
  fragment: 'card',
  cardToken: 'card_token',
  transId: 'trans_id',
  paymentId: 'payment_id',
  scheduleId: 'schedule_id',
  orderId: 'order number',
  recurringInitTransId: 'recurring_init_trans_id',
  recurringToken: 'recurring_token',
};

/** The formula of a recipe: `sha1(md5(upper(order number . amount)))`. */
function formulaOf(recipe: RecipeName): string {
  const { groups, outer } = layOut(recipe, values);
  const nameOf = (name: string) => names[name] ?? name.replace(/^fields\./, '');
  const runs: { upper: boolean; terms: string[] }[] = [];
  for (const { parts, reversed } of groups) {
    const upper = parts.every((part) => part.upper);
    const joined = parts.map(({ name }) => nameOf(name)).join(' . ');
    const last = runs.at(-1);
    const term = reversed ? `reverse(${joined})` : joined;
    if (last?.upper === upper) last.terms.push(term);
    else runs.push({ upper, terms: [term] });
  }
  const text = runs.map(({ upper, terms }) => (upper ? `upper(${terms.join(' . ')})` : terms.join(' . '))).join(' . ');
  return outer ? `sha1(md5(${text}))` : `md5(${text})`;
}

function tableFor(recipes: RecipeName[]): string {
  const rows = recipes.map((recipe) => [uses[recipe], `\`${formulaOf(recipe)}\``]);
  return tableOf(['For', 'Formula'], rows);
}

function vectorsFor(recipes: RecipeName[]): string {
  const rows = recipes.map((recipe) => [
    uses[recipe],
    `\`${signedBytes(layOut(recipe, values)).toString('utf8')}\``,
    `\`${sign(recipe, values, { digest: 'md5' })}\``,
    `\`${sign(recipe, values, { digest: 'sha256' })}\``,
  ]);
  return tableOf(['For', 'The text that is digested', 'With MD5', 'With SHA-256'], rows);
}

const all = Object.keys(uses) as RecipeName[];
const ofCard = all.filter((name) => /^card\d/.test(name));
const ofApm = all.filter((name) => name.startsWith('apm'));
const ofCheckout = all.filter((name) => !ofCard.includes(name) && !ofApm.includes(name));

const shown = ({ fields: _nested, ...texts }: typeof values) => texts;

/** By the names that templates use. */
export const signatureTables = {
  'signatures-checkout': () => tableFor(ofCheckout),
  'signatures-card': () => tableFor(ofCard),
  'signatures-apm': () => tableFor(ofApm),
  'vectors-checkout': () => vectorsFor(ofCheckout),
  'vectors-card': () => vectorsFor(ofCard),
  'vectors-apm': () => vectorsFor(ofApm),
  'vector-values': () =>
    tableOf(
      ['Value', 'In the examples'],
      Object.entries(shown(values)).map(([name, text]) => [names[name] ?? name, `\`${text}\``]),
    ),
} as const;
