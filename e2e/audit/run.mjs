// Runs the invariants over an open connection in its current transaction, without writing.
import { importTypeScript } from '../../scripts/bundle.mjs';
import { invariants, references } from './invariants.mjs';
import { sources } from './sources.mjs';

const shownMax = 20;

// Whole tables are joined on equal ids: a hash join needs one pass over each. One process, because parallel workers
// would repeat the sums and take cores from the service.
const settings = [
  "work_mem = '256MB'",
  'enable_nestloop = off',
  'max_parallel_workers_per_gather = 0',
  'jit = off',
  'statement_timeout = 0',
];

/**
 * Checks all invariants.
 * @param {import('pg').ClientBase} client in a repeatable-read transaction
 * @returns {Promise<{ name: string, rule: string, count: number, rows: object[] }[]>} in the order of the table; `rows`
 * are the first 20 violating ones
 */
export async function checkInvariants(client) {
  const { entryHash, sandboxFragments } = await loadProduct();
  const values = { sandboxCards: `array[${sandboxFragments.map((each) => `'${each}'`).join(', ')}]` };
  const found = [];
  for (const setting of settings) await client.query(`set local ${setting}`);
  for (const [source, table] of grouped(invariants)) {
    found.push(...(await checkSource(client, sources[source], table, values)));
  }
  const order = new Map(invariants.map(({ name }, place) => [name, place]));
  found.sort((one, other) => order.get(one.name) - order.get(other.name));
  found.push(await checkAuditHashes(client, entryHash));
  found.push(...(await checkReferences(client)), await checkForeignKeys(client));
  return found;
}

function grouped(table) {
  const groups = new Map();
  for (const each of table) groups.set(each.on, [...(groups.get(each.on) ?? []), each]);
  return groups;
}

async function checkSource(client, { from, show }, table, values) {
  const conditions = table.map(({ broken }) => `(${broken.replace(/:(\w+)\b/g, (all, name) => values[name] ?? all)})`);
  const counts = conditions.map((condition, place) => `count(*) filter (where ${condition}) as n${place}`);
  const { rows } = await client.query(`select ${counts.join(',\n')} from ${from}`);
  const results = [];
  for (const [place, { name, rule }] of table.entries()) {
    const count = Number(rows[0][`n${place}`]);
    // Rows are fetched only if there are any: a second pass for findings alone.
    const query = `select ${show} from ${from} where ${conditions[place]} limit ${shownMax}`;
    results.push({ name, rule, count, rows: count === 0 ? [] : (await client.query(query)).rows });
  }
  return results;
}

// The hash covers JSON in a fixed order, which SQL can't produce.
async function checkAuditHashes(client, entryHash) {
  const batch = 5000;
  const broken = [];
  let last = '0';
  for (;;) {
    const { rows } = await client.query('select * from audit_entries where id > $1 order by id limit $2', [
      last,
      batch,
    ]);
    for (const entry of rows) {
      if (!entryHash(entry, entry.previous).equals(entry.hash)) {
        broken.push({ entry: entry.id, action: entry.action, subject: entry.subject });
      }
    }
    if (rows.length < batch) break;
    last = rows.at(-1).id;
  }
  return {
    name: 'audit entry is unaltered',
    rule: 'The hash of every audit entry matches its content.',
    count: broken.length,
    rows: broken.slice(0, shownMax),
  };
}

async function checkReferences(client) {
  const results = [];
  for (const line of references.trim().split('\n')) {
    const [from, to] = line.split('->').map((each) => each.trim().split('.'));
    const offending = `from ${from[0]} c where c.${from[1]} is not null
      and not exists (select 1 from ${to[0]} p where p.${to[1]} = c.${from[1]})`;
    const [{ count }] = (await client.query(`select count(*)::int as count ${offending}`)).rows;
    const column = from.join('.');
    results.push({
      name: `${column} references a row`,
      rule: `Every ${column} names a row of ${to[0]}.`,
      count,
      rows: count === 0 ? [] : (await client.query(`select c.${from[1]} ${offending} limit ${shownMax}`)).rows,
    });
  }
  return results;
}

// The database enforces these itself; a failed restore or disabled triggers show up here.
async function checkForeignKeys(client) {
  const { rows: keys } = await client.query(`
    select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
           quote_ident(a.attname) as "column", quote_ident(b.attname) as "named"
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and cardinality(c.conkey) = 1
     order by 1, 3`);
  const broken = [];
  let count = 0;
  for (const { child, parent, column, named } of keys) {
    const { rows } = await client.query(
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

let loaded;
function loadProduct() {
  loaded ??= importTypeScript('e2e/audit/service-definitions.ts');
  return loaded;
}
