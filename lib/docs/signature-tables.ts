// Generates every signature as a formula and as a test vector, from the recipes that verify requests.
import { layOut, type RecipeName, recipes, type SignatureValues, sign, signedBytes } from '../core/signatures.ts';
import { formulaText } from '../openapi/index.ts';
import { tableOf } from './markdown-table.ts';
import { snake } from './samples/sample.ts';
import { textsOf } from './table-texts.ts';

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

/** The field of a value: `payer_email` of `payerEmail`. */
const fieldNameOf = (name: string) =>
  ({ fragment: 'card', orderId: 'order number' })[name] ?? snake(name.replace(/^fields\./, ''));

/** The formula of a recipe: `sha1(md5(upper(order number . amount)))`. */
const formulaOf = (recipe: RecipeName) => formulaText(layOut(recipe, values), ({ name }) => fieldNameOf(name), ' . ');

const all = Object.keys(recipes) as RecipeName[];
const useOf = (recipe: RecipeName) => textsOf('Uses of signatures', all)[recipe];

function tableFor(chosen: RecipeName[]): string {
  const rows = chosen.map((recipe) => [useOf(recipe), `\`${formulaOf(recipe)}\``]);
  return tableOf(['For', 'Formula'], rows);
}

function vectorsFor(chosen: RecipeName[]): string {
  const rows = chosen.map((recipe) => [
    useOf(recipe),
    `\`${signedBytes(layOut(recipe, values)).toString('utf8')}\``,
    `\`${sign(recipe, values, { digest: 'md5' })}\``,
    `\`${sign(recipe, values, { digest: 'sha256' })}\``,
  ]);
  return tableOf(['For', 'The text that is digested', 'With MD5', 'With SHA-256'], rows);
}

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
      Object.entries(shown(values)).map(([name, text]) => [fieldNameOf(name), `\`${text}\``]),
    ),
} as const;
