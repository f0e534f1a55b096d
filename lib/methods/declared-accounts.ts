/** The parameters that methods declare as accounts, identities and the like: their values may look like card numbers. */
import { maskFreeText } from '../core/written-texts.ts';
import { cardSetLines } from './card-sets.ts';
import { parameterLines } from './catalog/lines.ts';
import { findMethod } from './catalog.ts';

/** Names of numbers among the parameters whose format is any text. */
const numberName = /(?:number|account|identity|identification|code|sku|phone|mobile|telnocc|login|reference|id)$/i;

const accounts = new Map<string, ReadonlySet<string>>();

/** Whether a path as `card.payer_account_number`, by method, leads to such a parameter. Positions in lists do not matter. */
export function isDeclaredAccount(path: string): boolean {
  const [method = '', ...names] = path.split(/[.[\]]+/).filter((name) => name !== '');
  const known = accounts.get(method) ?? accountsOf(method);
  return known.has(names.filter((name) => !/^[0-9]+$/.test(name)).join('.'));
}

function accountsOf(method: string): ReadonlySet<string> {
  const row = findMethod(method);
  if (!row) return new Set();
  const lines =
    method === 'card'
      ? [...cardSetLines('checkout'), ...cardSetLines('s2s')]
      : [...parameterLines(row.parameters), ...parameterLines(row.payout)];
  const declared = lines.filter(({ name, format }) => !/^(?:text|between) /.test(format) || numberName.test(name));
  const names = new Set(declared.map(({ name }) => name.replaceAll('[]', '')));
  accounts.set(method, names);
  return names;
}

/** The stored parameters of a payment for a later charge, whose authorisation may not have codes of the first. */
export function parametersForLater(parameters: Record<string, unknown>): Record<string, unknown> {
  const isSealed = (path: string) => /^[\w-]+:\w+/.test(path) || isDeclaredAccount(path);
  return maskFreeText({ parameters }, isSealed).data.parameters;
}
