/** Runs the invariants over an open connection in its current transaction, without writing. */
import type { ClientBase } from 'pg';
import { sandboxCards } from '../../core/sandbox-cards.ts';
import { type Invariant, invariants, references } from './invariants.ts';
import { type Source, sources } from './sources.ts';

/** First six and last four digits of every card that is allowed in the sandbox. */
const sandboxFragments = sandboxCards.map(({ number }) => number.slice(0, 6) + number.slice(-4));

/** The violations of one invariant: their number, and the first rows. */
export type Finding = { name: string; rule: string; count: number; rows: object[] };

/** The rows that are shown of an invariant. */
export const shownMax = 20;

// Whole tables are joined on equal ids: a hash join needs one pass over each. One process, because parallel workers
// would repeat the sums and take cores from the service.
const settingsOf = (memory: string) => [
  `work_mem = '${memory}'`,
  'hash_mem_multiplier = 1',
  'enable_nestloop = off',
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'statement_timeout = 0',
];

/**
 * Checks all invariants, in the order of the table; `client` is in a repeatable-read transaction. `memory` is the limit of each
 * sort and hash table, of which a statement has several.
 */
export async function checkInvariants(client: ClientBase, memory = '256MB'): Promise<Finding[]> {
  const values = { sandboxCards: `array[${sandboxFragments.map((each) => `'${each}'`).join(', ')}]` };
  const found: Finding[] = [];
  for (const setting of settingsOf(memory)) await client.query(`set local ${setting}`);
  for (const [source, table] of grouped(invariants)) {
    const from = sources[source];
    if (!from) throw new Error(`There is no source ${source}.`);
    found.push(...(await checkSource(client, from, table, values)));
  }
  const order = new Map(invariants.map(({ name }, place) => [name, place]));
  found.sort((one, other) => (order.get(one.name) ?? 0) - (order.get(other.name) ?? 0));
  found.push(...(await checkReferences(client)), await checkForeignKeys(client));
  return found;
}

function grouped(table: Invariant[]) {
  const groups = new Map<string, Invariant[]>();
  for (const each of table) groups.set(each.on, [...(groups.get(each.on) ?? []), each]);
  return groups;
}

async function checkSource(
  client: ClientBase,
  { from, show }: Source,
  table: Invariant[],
  values: Record<string, string>,
): Promise<Finding[]> {
  const conditions = table.map(
    ({ broken }) => `(${broken.replace(/:(\w+)\b/g, (all, name: string) => values[name] ?? all)})`,
  );
  const counts = conditions.map((condition, place) => `count(*) filter (where ${condition}) as n${place}`);
  const { rows } = await client.query(`select ${counts.join(',\n')} from ${from}`);
  const results: Finding[] = [];
  for (const [place, { name, rule }] of table.entries()) {
    const count = Number(rows[0][`n${place}`]);
    // Rows are fetched only if there are any: a second pass for findings alone.
    const query = `select ${show} from ${from} where ${conditions[place]} limit ${shownMax}`;
    results.push({ name, rule, count, rows: count === 0 ? [] : (await client.query(query)).rows });
  }
  return results;
}

async function checkReferences(client: ClientBase): Promise<Finding[]> {
  const results: Finding[] = [];
  for (const line of references.trim().split('\n')) {
    const [child, column, parent, named] = line.split(/->|\./).map((each) => each.trim());
    const offending = `from ${child} c where c.${column} is not null
      and not exists (select 1 from ${parent} p where p.${named} = c.${column})`;
    const { rows: counted } = await client.query<{ count: number }>(`select count(*)::int as count ${offending}`);
    const count = counted[0]?.count ?? 0;
    results.push({
      name: `${child}.${column} references a row`,
      rule: `Every ${child}.${column} names a row of ${parent}.`,
      count,
      rows: count === 0 ? [] : (await client.query(`select c.${column} ${offending} limit ${shownMax}`)).rows,
    });
  }
  return results;
}

// The database enforces these itself; a failed restore or disabled triggers show up here.
async function checkForeignKeys(client: ClientBase): Promise<Finding> {
  const { rows: keys } = await client.query<Record<'child' | 'parent' | 'column' | 'named', string>>(`
    select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
           quote_ident(a.attname) as "column", quote_ident(b.attname) as "named"
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and cardinality(c.conkey) = 1
     order by 1, 3`);
  const broken: object[] = [];
  let count = 0;
  for (const { child, parent, column, named } of keys) {
    const { rows } = await client.query<{ table: string; column: string; names: string; count: number }>(
      `select '${child}' as "table", '${column}' as "column", c.${column}::text as "names", count(*) over ()::int as count
         from ${child} c left join ${parent} p on p.${named} = c.${column}
        where c.${column} is not null and p.${named} is null limit ${shownMax}`,
    );
    count += rows[0]?.count ?? 0;
    broken.push(...rows.map(({ count: _, ...row }) => row));
  }
  const rule = `No row of any table is an orphan: all ${keys.length} foreign keys hold.`;
  return { name: 'no orphans', rule, count, rows: broken.slice(0, shownMax) };
}
