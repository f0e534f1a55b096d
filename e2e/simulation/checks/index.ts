// What must hold in every history after everything has come to rest.

import { checkInvariants } from '../../../lib/operations/ledger/check.ts';
import { invariants } from '../../../lib/operations/ledger/invariants.ts';
import { sources } from '../../../lib/operations/ledger/sources.ts';
import { type JournalLine, type Row, violationsIn } from '../../chaos/consistency.ts';
import type { Raw } from '../database.ts';
import { orderSql } from '../merchants.ts';
import type { World } from '../world.ts';
import { checkDeclines, checkExpiries } from './authorisations.ts';
import { checkBalances, checkOriginals } from './balances.ts';
import { checkReports } from './callbacks.ts';
import { checkCalm } from './calm.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkIsolation } from './isolation.ts';
import { checkKeys } from './keys.ts';
import { checkLimits } from './limits.ts';
import { checkDisabledAccounts, checkRequests } from './requests.ts';
import { checkLogs, checkSecrets } from './secrets.ts';
import { checkSchedules } from './slots.ts';
import { checkDecisions } from './staff.ts';
import { checkAnswers } from './statuses.ts';

export { checkOpen, newOverdueCheck, settledWithin } from './open.ts';
export { checkStates } from './statuses.ts';
export { watch } from './watch.ts';

/** Compares the records of a history that has come to rest. */
export async function checkHistory(world: World): Promise<{ payments: number }> {
  const { base, providers, arrivals } = world;
  const rows = await base.rows<Omit<Row, 'seconds'>>(
    `select t.id, t.kind::text, t.status::text, t.amount_minor::text as minor, t.payment_id, ${orderSql} as order_number,
            p.state::text
       from transactions t join payments p on p.id = t.payment_id`,
  );
  const [flying] = await base.rows<{ count: string }>(
    'select count(*) as count from payments where in_flight_id is not null',
  );
  // By payment: an order number may be used again after a decline.
  const callbacks = await base.rows<{ id: string; sequence: string; state: string; order_number: string }>(
    `select id, sequence, state::text, payment_id as order_number from callbacks
      where url is not null order by payment_id, sequence`,
  );
  const paymentOf = new Map(callbacks.map(({ id, order_number: payment }) => [id, payment]));
  type Listed = { payment_id: string; transaction_id: string; open: string };
  const unresolved = await base.rows<Listed>(
    // What a user has closed stays different.
    `select payment_id, transaction_id, closed_at is null or closed_by like 'user:%' as open from unresolved`,
  );
  const lines = new Map<string, JournalLine>();
  for (const { journal } of providers) for (const line of journal) lines.set(line.key, line as JournalLine);
  const found = violationsIn({
    journal: [...lines.values()],
    // How long anything is open: open.ts, by virtual time.
    rows: rows.map((row) => ({ ...row, seconds: 0 })),
    inFlight: Number(flying?.count ?? 0),
    callbacks: callbacks.map((each) => ({ ...each, sequence: Number(each.sequence) })),
    // A callback that was refused or got lost holds later ones back for a minute only: their first tries are in order.
    arrivals: (payment) =>
      world.tries.filter(({ id }) => paymentOf.get(id) === payment).map(({ sequence }) => sequence),
    acknowledged: acknowledgedBy(world),
    unresolved: unresolved.map((each) => ({ ...each, open: each.open === 't' })),
    lateSeconds: 0,
  });
  for (const text of found) world.report(text);
  const accepted = new Set(arrivals.map(({ id }) => id));
  for (const { id, state } of callbacks)
    if (state === 'delivered' && !accepted.has(id)) world.report(`callback ${id} is delivered and never arrived`);
  await checkLedger(world);
  await checkSchedules(world);
  await checkRequests(world);
  await checkDisabledAccounts(world);
  await checkLimits(world);
  await checkKeys(world);
  await checkReports(world);
  await checkDeliveries(world);
  checkAnswers(world);
  checkCalm(world);
  checkOriginals(world);
  await checkBalances(world, [...lines.values()]);
  await checkExpiries(world);
  await checkDeclines(world);
  await checkDecisions(world);
  await checkIsolation(world);
  checkLogs(world);
  await checkSecrets(world);
  return { payments: new Set(rows.map((row) => row.payment_id)).size };
}

/** The answers that name a transaction. */
const acknowledgedBy = ({ asked }: World) =>
  asked.flatMap(({ order, action, answer }) => {
    const { trans_id: transId, result } = answer?.body ?? {};
    return transId ? [{ order, action, transId, result }] : [];
  });

// Every invariant in one statement: the number of its violations.
const countViolations = `select ${Object.entries(sources)
  .filter(([, { sandbox }]) => !sandbox)
  .map(([source, { from }]) => {
    const counts = invariants
      .filter(({ on }) => on === source)
      .map(({ broken }) => `count(*) filter (where ${broken.replace(':sandboxCards', "'{}'::text[]")})`);
    return counts.length === 0 ? '0' : `(select ${counts.join(' + ')} from ${from})`;
  })
  .join(' + ')} as found`;

const timestamptz = 1184;
const readField = (field: Raw['fields'][number] | undefined, value: string | null) => [
  field?.name,
  field?.dataTypeID === timestamptz && value !== null ? new Date(value) : value,
];

/** The invariants of `florin ledger check`. */
async function checkLedger({ base, report }: World) {
  const [counted] = await base.rows<{ found: string }>(countViolations);
  if (counted?.found === '0') return;
  const client = {
    query: async (text: string, values: unknown[] = []) => {
      const { fields, rows }: Raw = await base.run(text, values);
      return { rows: rows.map((row) => Object.fromEntries(row.map((value, at) => readField(fields[at], value)))) };
    },
  };
  for (const { name, count, rows } of await checkInvariants(client as never)) {
    if (count > 0) report(`the ledger check: ${name}: ${JSON.stringify(rows[0])}`);
  }
}
