// A recipe as a line to read: `sha1(md5(upper(order.number + order.amount + ... + password)))`. The table of signatures is
// asked what it makes of the values, so that the line can never differ from what is verified.
import type { Formula } from '../core/openapi';
import type { Group, Layout, Part } from '../core/signatures';
import { fieldOf, textAt } from '../protocols';

type Body = { [name: string]: unknown };

/** What the request does not carry, because the service knows it of the payment. */
const ofPayment: { readonly [name: string]: string } = {
  payerEmail: 'payer_email of the payment',
  fragment: 'first 6 and last 4 digits of its card',
  orderId: 'the changed order.number',
  currency: 'the changed order.currency',
  description: 'the changed order.description',
};

/** The formula of a layout; values are named by the fields of the body that they stand in. */
export function formulaText(layout: Layout, body: Body): string {
  const runs: { upper: boolean; terms: string[] }[] = [];
  for (const group of layout.groups) {
    const upper = group.parts.every((part) => part.upper);
    const last = runs.at(-1);
    if (last?.upper === upper) last.terms.push(termOf(group, body));
    else runs.push({ upper, terms: [termOf(group, body)] });
  }
  const text = runs.map(({ upper, terms }) => (upper ? `upper(${terms.join(' + ')})` : terms.join(' + '))).join(' + ');
  return layout.outer ? `sha1(md5(${text}))` : `md5(${text})`;
}

function termOf({ parts, reversed }: Group, body: Body): string {
  const joined = parts.map((part) => nameOf(part, body)).join(' + ');
  return reversed ? `reverse(${joined})` : joined;
}

function nameOf({ name, text }: Part, body: Body): string {
  if (name === 'password') return name;
  const path = fieldOf(name, text, body);
  if (path === null) return ofPayment[name] ?? name;
  const isCut = name === 'fragment' && textAt(body, path) !== text;
  return isCut ? `first 6 and last 4 digits of ${path}` : path;
}

/** Formulas without those that say the same again. */
export function uniqueFormulas(found: readonly Formula[]): Formula[] {
  return found.filter(({ formula }, at) => found.findIndex((each) => each.formula === formula) === at);
}
