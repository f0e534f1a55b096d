// The tables whose rows belong to a payment. They follow from the foreign keys; columns that reference a payment or a
// transaction without one are listed here, and a column that is not listed ends the command.
import type pg from 'pg';
import { tablesOf } from '../backup/write.ts';

/** A reference: `child.column` names `parent.key`. */
export type Reference = { child: string; column: string; parent: string; key: string };

/** References without a foreign key whose rows are archived with the payment. */
const softReferences: Reference[] = [
  { child: 'messages', column: 'payment_id', parent: 'payments', key: 'id' },
  { child: 'used_wallet_tokens', column: 'payment_id', parent: 'payments', key: 'id' },
  // The sandbox provider's records: the ledger check compares them with the transactions. No other provider has any.
  { child: 'sim_operations', column: 'key', parent: 'transactions', key: 'id::text' },
];

/** Columns with the id of a payment or transaction that need no rows of it, or that keep it out of the archive. */
const otherColumns = [
  // A payment with one of these stays (eligible.ts).
  ...['recurring_chains.payment_id', 'subscriptions.payment_id', 'provider_notifications.transaction_id'],
  // These are deleted by their own age.
  ...['api_requests.payment_id', 'pending_cards.payment_id', 'shop_orders.payment_id'],
  // The ledger is append-only: its entries remain.
  ...['ledger_entries.payment_id', 'ledger_entries.transaction_id'],
  // Settlement reports are kept as the ledger is.
  ...['settlement_lines.transaction_id', 'settlement_differences.payment_id', 'settlement_differences.transaction_id'],
  // These tables have the payment's id too.
  ...['callbacks.transaction_id', 'messages.transaction_id'],
];

/** A table of the archive: how its rows `t` lead to the payment, as joins and the column with the payment's id. */
export type ArchivedTable = { name: string; joins: string; payment: string };

/** The archived tables: in the order of the file, referenced ones first, and in that of their deletion. */
export type Plan = { tables: ArchivedTable[]; deletion: ArchivedTable[] };

/** Derives the plan from the foreign keys and columns; `order` has referenced tables first. */
export function planTables(foreignKeys: Reference[], columns: string[], order: string[]): Plan {
  const unknown = columns.filter((column) => !isKnown(column, foreignKeys));
  if (unknown.length > 0) {
    throw new Error(
      `scripts/archive/tables.ts does not say whether the archive takes these columns of a payment along: ${unknown.join(', ')}.`,
    );
  }
  const found = new Map<string, Reference[]>([['payments', []]]);
  // Breadth first: the shortest way to a payment is found first.
  for (const [parent, way] of found) {
    for (const reference of [...foreignKeys, ...softReferences]) {
      if (reference.parent === parent && !found.has(reference.child)) found.set(reference.child, [reference, ...way]);
    }
  }
  const names = order.filter((name) => found.has(name));
  const tables = names.map((name) => tableOf(name, found.get(name) ?? []));
  const isSoft = ({ name }: ArchivedTable) => found.get(name)?.some((each) => softReferences.includes(each));
  // Rows that lead to a payment without a foreign key are found only while the rows in between exist.
  const deletion = [...tables.filter(isSoft).reverse(), ...tables.filter((table) => !isSoft(table)).reverse()];
  return { tables, deletion };
}

function isKnown(column: string, foreignKeys: Reference[]) {
  if (otherColumns.includes(column)) return true;
  return [...foreignKeys, ...softReferences].some((each) => `${each.child}.${each.column}` === column);
}

function tableOf(name: string, way: Reference[]): ArchivedTable {
  const last = way.at(-1);
  if (!last) return { name, joins: '', payment: 't.id' };
  const alias = (at: number) => (at === 0 ? 't' : `u${at}`);
  const joins = way
    .slice(0, -1)
    .map(
      ({ column, parent, key }, at) => `join "${parent}" u${at + 1} on u${at + 1}.${key} = ${alias(at)}."${column}"`,
    );
  return { name, joins: joins.join(' '), payment: `${alias(way.length - 1)}."${last.column}"` };
}

/** The plan of a database. */
export async function readPlan(client: pg.ClientBase): Promise<Plan> {
  const { rows: foreignKeys } = await client.query<Reference>(
    `select c.relname::text as child, a.attname::text as "column", f.relname::text as parent, b.attname::text as key
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
       join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
      where k.contype = 'f' and k.conrelid <> k.confrelid and c.relnamespace = current_schema()::regnamespace
      order by 1, 2`,
  );
  const { rows: columns } = await client.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = current_schema()::regnamespace
        and a.attname in ('payment_id', 'transaction_id') and not a.attisdropped order by 1`,
  );
  return planTables(
    foreignKeys,
    columns.map(({ name }) => name),
    await tablesOf(client),
  );
}

/** The statement that reads the rows of a table: the payment's id and the row as JSON, in a fixed order. */
export const rowsSql = ({ name, joins, payment }: ArchivedTable, lock: boolean) =>
  `select ${payment}::text as payment, row_to_json(t)::text as "row" from "${name}" t ${joins}
    where ${payment} = any($1::uuid[]) order by 1, 2${lock ? ' for update of t' : ''}`;

/** The statement that deletes them. */
export function deleteSql({ name, joins, payment }: ArchivedTable): string {
  return `delete from "${name}" where ctid in (select t.ctid from "${name}" t ${joins} where ${payment} = any($1::uuid[]))`;
}
