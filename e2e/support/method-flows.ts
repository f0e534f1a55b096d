// Pays by any catalogue method over HTTP: the session that its row requires, its form on the page, and the payer's
// actions at the provider.
import { expect } from '@playwright/test';
import {
  type Line,
  linesFor,
  countryOf as methodCountry,
  parametersOf,
  phones,
  type Row,
  sampleOf,
} from './catalog.ts';
import type { Form } from './html.ts';
import type { Changes, Merchant } from './merchant.ts';
import type { Payer, Screen } from './payer.ts';
import type { Provider } from './provider.ts';
import { type Outcome, playPayer } from './provider-client.ts';

/** The session request of one method. */
export type Walk = {
  row: Row;
  country: string;
  currency: string;
  operation: 'purchase' | 'credit';
  /** Parameters that the request must contain, and those that the page asks for. */
  demanded: Line[];
  asked: Line[];
};

/** How a row is tested: by a purchase, or by a payout if the method supports nothing else. */
export function walkOf(row: Row, country = methodCountry(row)): Walk {
  const operation = row.operations.includes('purchase') ? 'purchase' : 'credit';
  const currency = row.currencies?.[0] ?? 'EUR';
  const table = operation === 'credit' ? (row.payout ?? row.parameters) : row.parameters;
  const lines = linesFor(table, country, currency);
  return {
    row,
    country,
    currency,
    operation,
    demanded: lines.filter(({ need }) => need === 'R'),
    asked: lines.filter(({ need }) => need === 'C' || need === 'A'),
  };
}

/** The request for a method. Parameters that the page asks for are omitted unless `more` contains them. */
export function sessionOf({ row, country, currency, operation, demanded }: Walk, more: Changes = {}): Changes {
  const asks = row.asks ?? [];
  return {
    operation,
    methods: [row.id],
    order: { amount: '120.00', currency, description: 'Two stoneware bowls' },
    customer: undefined,
    billing_address: asks.includes('country') ? undefined : { country },
    parameters: demanded.length > 0 ? { [row.id]: parametersOf(demanded) } : undefined,
    ...(operation === 'credit' && { payee_first_name: 'Mia', payee_last_name: 'Lindqvist' }),
    ...more,
  };
}

/** The form of a method on the page. */
export function methodFormOf(screen: Screen, id: string): Form {
  const isOf = ({ controls }: Form) => controls.some(({ name, value }) => name === 'method' && value === id);
  const form = screen.forms.find(isOf);
  if (!form) throw new Error(`no form of ${id} on ${screen.url}: ${screen.forms.map((each) => each.action).join(' ')}`);
  return form;
}

/** Names of the fields that a form asks for. */
export function fieldsOf(form: Form): string[] {
  return form.controls.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
}

/** Values for the fields about the payer. */
export function payerValues(country: string): Record<string, string> {
  return {
    name: 'Mia Lindqvist',
    email: 'mia@example.com',
    phone: phones[country] ?? '+254712345678',
    birth_date: '1990-02-28',
    country,
    city: 'Springfield',
    zip: '12345',
    address: 'Main Street 1',
  };
}

/** Valid values for every field of a form. */
export function filled(form: Form, { asked, country }: Walk): Record<string, string> {
  const own = payerValues(country);
  const parameters = Object.fromEntries(asked.map((line) => [`parameter_${line.name}`, sampleOf(line, country)]));
  const all: Record<string, string> = { ...own, ...parameters };
  return Object.fromEntries(fieldsOf(form).map((name) => [name, all[name] ?? '']));
}

/** Submits the form of a method, and the next form if the answer asks for more (the fields of a country). */
export async function submitMethod(payer: Payer, screen: Screen, walk: Walk): Promise<Screen> {
  const form = methodFormOf(screen, walk.row.id);
  const first = await payer.submit(form, filled(form, walk));
  if (first.status !== 422) return first;
  const next = methodFormOf(first, walk.row.id);
  return payer.submit(next, filled(next, walk));
}

/** The provider's reference of an order's latest payment, which is the transaction's id. */
export async function referenceOf(provider: Provider, orderNumber: string): Promise<string> {
  const entries = await provider.journal(orderNumber);
  const last = entries.filter(({ kind }) => kind === 'payment' || kind === 'payout').at(-1);
  if (!last) throw new Error(`the provider has no payment of ${orderNumber}`);
  return last.reference;
}

/** Acts as the payer at the provider, without using the payment page. */
export async function finish(
  { baseUrl }: Pick<Merchant, 'baseUrl'>,
  reference: string,
  outcome: Outcome = 'approve',
): Promise<void> {
  const response = await playPayer(baseUrl, reference, outcome);
  expect(response.status, await response.text()).toBe(200);
}
