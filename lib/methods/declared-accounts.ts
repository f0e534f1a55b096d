/** The parameters that methods declare as accounts, identities and the like: their values may look like card numbers. */
import { maskFreeText } from '../core/written-texts.ts';
import { cardSetLines } from './card-sets.ts';
import { parameterLines } from './catalog/lines.ts';
import { findMethod } from './catalog.ts';

/** Names of numbers among the parameters whose format is any text. */
const numberName = /(?:number|account|identity|identification|code|sku|phone|mobile|telnocc|login|reference|id)$/i;

/** What such a parameter has: a number or identifier, with the signs in phone and document numbers. Others are texts. */
const numberShape = /^[\p{L}\p{N} ()+./_-]{1,64}$/u;
/** Other formats are checked: their values are no texts for people. */
const anyShape = /^/;

type Shapes = ReadonlyMap<string, RegExp>;
const shapesByMethod = new Map<string, Shapes>();

/**
 * The shape of the account at a path as `card.payer_account_number`, by method; undefined where none is declared.
 * Positions in lists do not matter.
 */
export function accountShape(path: string): RegExp | undefined {
  const [method = '', ...names] = path.split(/[.[\]]+/).filter((name) => name !== '');
  const known = shapesByMethod.get(method) ?? shapesOf(method);
  return known.get(names.filter((name) => !/^[0-9]+$/.test(name)).join('.'));
}

function shapesOf(method: string): Shapes {
  const row = findMethod(method);
  if (!row) return new Map();
  const lines =
    method === 'card'
      ? [...cardSetLines('checkout'), ...cardSetLines('s2s')]
      : [...parameterLines(row.parameters), ...parameterLines(row.payout)];
  const shapes = new Map<string, RegExp>();
  for (const { name, format } of lines) {
    const isText = /^(?:text|between) /.test(format);
    if (!isText || numberName.test(name)) shapes.set(name.replaceAll('[]', ''), isText ? numberShape : anyShape);
  }
  shapesByMethod.set(method, shapes);
  return shapes;
}

/**
 * The stored parameters of a payment for a later charge, whose authorisation may not have codes of the first. Encrypted
 * members are bound to the first payment.
 */
export function parametersForLater(stored: Record<string, unknown>): Record<string, unknown> {
  const parameters = Object.fromEntries(Object.entries(stored).filter(([name]) => !name.endsWith(':sealed')));
  const isOwn = (path: string) => /^[\w-]+:\w+/.test(path);
  return maskFreeText({ parameters }, (path) => (isOwn(path) ? anyShape : accountShape(path))).data.parameters;
}
