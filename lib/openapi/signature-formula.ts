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

type Group = { parts: readonly { upper: boolean }[] };
type Writer<G> = { plus: string; groupText: (group: G) => string; upper: (text: string) => string };

/** Writes the signed text: groups in their order, joined by `plus`; runs that are uppercased together in `upper`. */
export function signedText<G extends Group>(groups: readonly G[], { plus, groupText, upper }: Writer<G>): string {
  const runs: { isUpper: boolean; texts: string[] }[] = [];
  for (const group of groups) {
    const isUpper = group.parts.every((part) => part.upper);
    const last = runs.at(-1);
    if (last?.isUpper === isUpper) last.texts.push(groupText(group));
    else runs.push({ isUpper, texts: [groupText(group)] });
  }
  return runs.map(({ isUpper, texts }) => (isUpper ? upper(texts.join(plus)) : texts.join(plus))).join(plus);
}

/** Returns the formula of a layout, with the names of its values. */
export function formulaText({ groups, outer }: Layout, nameOf: (part: Part) => string, plus = ' + '): string {
  const groupText = ({ parts, reversed }: Layout['groups'][number]) => {
    const joined = parts.map(nameOf).join(plus);
    return reversed ? `reverse(${joined})` : joined;
  };
  const text = signedText(groups, { plus, groupText, upper: (joined) => `upper(${joined})` });
  return outer ? `sha1(md5(${text}))` : `md5(${text})`;
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
