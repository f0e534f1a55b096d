/** The notation of the catalogue: methods as lines of a table under their common properties. */
import type { ApmAction, Method, MethodKind, MethodOperation, RequiredPayerField } from '../method';

/** The common properties of a table's methods; `prefix` precedes each identifier. */
export type Common = Partial<Method> & Pick<Method, 'experience'> & { prefix?: string };

const charges: readonly MethodOperation[] = ['purchase', 'debit'];
const chargeActions: readonly ApmAction[] = ['SALE', 'DEBIT2VIRTUAL'];

/** For methods that support payouts only. */
export const payoutOnly = { operations: ['credit'], actions: ['CREDIT2VIRTUAL'], experience: 'none' } as const;

/**
 * The methods of a table, one line each: `id | name | kind | currencies and countries | required payer fields`. The
 * last two are optional. Currencies (three capitals) and countries (two) after an `=` are in the contract; all others
 * are inferred from the method's name. By default a method supports purchases and debits.
 */
export function group({ prefix = '', ...common }: Common, table: string): Method[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id = '', name = '', kind = '', places = '', asks = ''] = line.split('|').map((cell) => cell.trim());
      if (name === '' || kind === '') throw new Error(`no method: ${line}`);
      const row: Method = {
        operations: charges,
        actions: chargeActions,
        ...common,
        id: prefix + id,
        name,
        kind: kind as MethodKind,
      };
      return { ...row, ...placesOf(places), ...(asks === '' ? {} : { asks: asks.split(' ') as RequiredPayerField[] }) };
    });
}

function placesOf(cell: string): Partial<Method> {
  if (cell === '') return {};
  const words = cell.split(' ');
  const named = words.map((word) => word.replace('=', ''));
  const currencies = named.filter((word) => word.length === 3);
  const countries = named.filter((word) => word.length === 2);
  return {
    ...(currencies.length > 0 ? { currencies } : {}),
    ...(countries.length > 0 ? { countries } : {}),
    ...(words.every((word) => word.startsWith('=')) ? {} : { inferred: true }),
  };
}
