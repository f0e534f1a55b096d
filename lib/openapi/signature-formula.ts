// Formats a recipe as a readable formula: `sha1(md5(upper(order.number + order.amount + ... + password)))`. It uses the
// layout of the signature table, so that the formula cannot differ from the verification.
import type { Formula } from '../core/openapi';
import type { Group, Layout, Part } from '../core/signatures';
import { fieldOf, textAt } from '../protocols';

type Body = { [name: string]: unknown };

/** Values that are not in the request but in the payment. */
const paymentValues: { readonly [name: string]: string } = {
  payerEmail: 'payer_email of the payment',
  fragment: 'first 6 and last 4 digits of its card',
  orderId: 'order.number after the update',
  currency: 'order.currency after the update',
  description: 'order.description after the update',
};

/** Returns the formula of a layout, with values named by the body's fields that contain them. */
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
  if (path === null) return paymentValues[name] ?? name;
  const isCut = name === 'fragment' && textAt(body, path) !== text;
  return isCut ? `first 6 and last 4 digits of ${path}` : path;
}

/** Removes duplicate formulas. */
export function uniqueFormulas(formulas: readonly Formula[]): Formula[] {
  return formulas.filter(({ formula }, index) => formulas.findIndex((each) => each.formula === formula) === index);
}
