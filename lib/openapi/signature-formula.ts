// Formats a recipe as a readable formula: `sha1(md5(upper(order.number + order.amount + ... + password)))`. It uses the
// layout of the signature table, so that the formula cannot differ from the verification.
import type { Formula } from '../core/openapi.ts';
import type { Layout, Part } from '../core/signatures.ts';
import { fieldOf, textAt } from '../protocols/index.ts';

type Body = { [name: string]: unknown };

/** Values that are not in the request but in the payment. */
const paymentValues: { readonly [name: string]: string } = {
  payerEmail: 'payer_email of the payment',
  fragment: 'first 6 and last 4 digits of its card',
  orderId: 'order.number after the update',
  currency: 'order.currency after the update',
  description: 'order.description after the update',
};

/** Returns the formula of a layout, with the names of its values. */
export function formulaText(layout: Layout, nameOf: (part: Part) => string, plus = ' + '): string {
  const runs: { upper: boolean; terms: string[] }[] = [];
  for (const group of layout.groups) {
    const upper = group.parts.every((part) => part.upper);
    const last = runs.at(-1);
    const joined = group.parts.map(nameOf).join(plus);
    const term = group.reversed ? `reverse(${joined})` : joined;
    if (last?.upper === upper) last.terms.push(term);
    else runs.push({ upper, terms: [term] });
  }
  const text = runs.map(({ upper, terms }) => (upper ? `upper(${terms.join(plus)})` : terms.join(plus))).join(plus);
  return layout.outer ? `sha1(md5(${text}))` : `md5(${text})`;
}

/** Names values by the body's fields that contain them. */
export const namesIn =
  (body: Body) =>
  ({ name, text }: Part): string => {
    if (name === 'password') return name;
    const path = fieldOf(name, text, body);
    if (path === null) return paymentValues[name] ?? name;
    const isCut = name === 'fragment' && textAt(body, path) !== text;
    return isCut ? `first 6 and last 4 digits of ${path}` : path;
  };

/** Removes duplicate formulas. */
export function uniqueFormulas(formulas: readonly Formula[]): Formula[] {
  return formulas.filter(({ formula }, index) => formulas.findIndex((each) => each.formula === formula) === index);
}
