/**
 * The notation of the catalogue: methods as lines of a table under what they have in common. A plain method is its line
 * and nothing else.
 */
import type { ApmAction, Method, MethodKind, MethodOperation, RequiredPayerField } from '../method';

/** What the methods of a table have in common; `prefix` stands before each identifier. */
export type Common = Partial<Method> & Pick<Method, 'experience'> & { prefix?: string };

const charges: readonly MethodOperation[] = ['purchase', 'debit'];
const chargeActions: readonly ApmAction[] = ['SALE', 'DEBIT2VIRTUAL'];

/** For methods that pay out and do nothing else. */
export const payoutOnly = { operations: ['credit'], actions: ['CREDIT2VIRTUAL'], experience: 'none' } as const;

/**
 * The methods of a table, a line each: `id | name | kind | currencies and countries | what is asked of the payer`. The
 * last two may be left out. Currencies (three capitals) and countries (two) after an `=` stand in the contract; all others
 * are read from the method's name. Without other word a method is charged: purchases and debits.
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
