// What must hold in every history: while it goes on, and after everything has come to rest.
import { invariants } from '../audit/invariants.ts';
import { checkInvariants } from '../audit/run.ts';
import { sources } from '../audit/sources.ts';
import { type JournalLine, type Row, violationsIn } from '../chaos/consistency.ts';
import type { Reply } from './clients.ts';
import type { Raw } from './database.ts';
import { merchant, scheduleRetries } from './settings.ts';
import type { World } from './world.ts';

const hour = 3_600_000;

/** Checks what can be said at every step: a key moves money once, and no answer contradicts an earlier one. */
export function watch(world: World, replies: Reply[]) {
  const moved = new Map<string, string>();
  world.moved.push(({ key, kind, status }) => {
    if (kind === 'chargeback' || status !== 'approved') return;
    if (kind === 'refund' && moved.has(key)) world.report(`refund ${key} was approved twice`);
    moved.set(key, kind);
  });
  let seen = 0;
  const said = new Map<string, string>();
  world.afterStep.push(() => {
    for (; seen < replies.length; seen += 1) {
      const { action, transId, result = '' } = replies[seen] as Reply;
      if (!/^(SALE|RECURRING_SALE|CREDIT2CARD)$/.test(action) || !['SUCCESS', 'DECLINED'].includes(result)) continue;
      const before = said.get(transId);
      if (before && before !== result)
        world.report(`${action} ${transId} was answered with ${before}, then with ${result}`);
      said.set(transId, result);
    }
  });
}

/** Some time after the last fault no outcome is unknown, unless it is listed. */
export async function checkOpen({ base, report }: World) {
  const open = await base.rows<{ id: string; kind: string; status: string }>(
    `select t.id, t.kind::text, t.status::text from transactions t where t.status in ('sent', 'unknown')
        and not exists (select 1 from unresolved u where u.transaction_id = t.id)`,
  );
  for (const { id, kind, status } of open) report(`${kind} ${id} is still ${status} long after the last fault`);
}

/** Compares the records of a history that has come to rest. */
export async function checkHistory(world: World, replies: Reply[]): Promise<{ payments: number }> {
  const { base, providers, arrivals } = world;
  const rows = await base.rows<Row & { seconds: string }>(
    `select t.id, t.kind::text, t.status::text, t.amount_minor::text as minor, t.payment_id, p.order_number,
            p.state::text, '0' as seconds
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
    'select payment_id, transaction_id, closed_at is null as open from unresolved',
  );
  const lines = new Map<string, JournalLine>();
  for (const { journal } of providers) for (const line of journal) lines.set(line.key, line as JournalLine);
  const found = violationsIn({
    journal: [...lines.values()],
    rows: rows.map((row) => ({ ...row, seconds: Number(row.seconds) })),
    inFlight: Number(flying?.count ?? 0),
    callbacks: callbacks.map((each) => ({ ...each, sequence: Number(each.sequence) })),
    // A callback that was refused or got lost holds later ones back for a minute only: their first tries are in order.
    arrivals: (payment) =>
      world.tries.filter(({ id }) => paymentOf.get(id) === payment).map(({ sequence }) => sequence),
    acknowledged: replies,
    unresolved: unresolved.map((each) => ({ ...each, open: each.open === 't' })),
    lateSeconds: 0,
  });
  for (const text of found) world.report(text);
  const accepted = new Set(arrivals.map(({ id }) => id));
  for (const { id, state } of callbacks)
    if (state === 'delivered' && !accepted.has(id)) world.report(`callback ${id} is delivered and never arrived`);
  await checkLedger(world);
  await checkSlots(world);
  await checkRetries(world, replies);
  await checkChanges(world);
  checkReports(world);
  checkOriginals(world);
  await checkBalances(world, [...lines.values()]);
  checkLogs(world);
  return { payments: new Set(rows.map((row) => row.payment_id)).size };
}

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

/** The invariants of `florin ledger verify`. */
async function checkLedger({ base, report }: World) {
  const [counted] = await base.rows<{ found: string }>(countViolations);
  if (counted?.found === '0') return;
  const client = {
    query: async (text: string, values: unknown[] = []) => {
      const { fields, rows }: Raw = await base.run(text, values);
      return { rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [fields[at]?.name, value]))) };
    },
  };
  for (const { name, count, rows } of await checkInvariants(client as never)) {
    if (count > 0) report(`the ledger check: ${name}: ${JSON.stringify(rows[0])}`);
  }
}

/** A slot of a schedule is paid once, and no two charges of a subscription are closer than its interval. */
async function checkSlots({ base, report }: World) {
  const paid = await base.rows<{ subscription: string; at: string; order: string }>(
    `select p.subscription_id as subscription, (extract(epoch from p.created_at) * 1000)::bigint as at, p.order_number as order
       from payments p where p.subscription_id is not null and p.settled_at is not null order by 1, 2`,
  );
  for (const [place, one] of paid.entries()) {
    const before = paid[place - 1];
    if (before?.subscription !== one.subscription) continue;
    if (Number(one.at) - Number(before.at) < 12 * hour)
      report(
        `a subscription was charged twice in ${Math.round((Number(one.at) - Number(before.at)) / 1000)} s: ${before.order}, ${one.order}`,
      );
  }
}

/** No slot begins early by the database's clock, and a slot ends only after its retries; a hard decline ends them all. */
async function checkRetries({ base, report, chance }: World, replies: Reply[]) {
  const early = await base.rows<{ id: string }>(
    "select id from subscriptions where begun_at < begun_for - interval '61 seconds'",
  );
  for (const { id } of early) report(`a slot of subscription ${id} was charged before its time`);
  type Charge = { subscription: string; order: string; state: string; soft: string; listed: string };
  const charges = await base.rows<Charge>(
    `select p.subscription_id as subscription, p.order_number as order, p.state::text,
            bool_and(coalesce(t.decline_soft, true)) as soft,
            exists (select 1 from unresolved u where u.payment_id = p.id) as listed
       from payments p join transactions t on t.payment_id = p.id where p.subscription_id is not null group by p.id`,
  );
  // Slots that are due during a pause or an outage are passed over, with their retries.
  const isMoved = (order = '') =>
    chance.met.some((fault) => fault.startsWith('outage of days')) ||
    replies.some((each) => order.startsWith(`${each.order}/`) && /^(UPDATE|PAUSE)_/.test(each.action));
  const slots = new Map<string, Map<number, Charge[]>>();
  for (const charge of charges) {
    const [, slot] = /\/(\d+)(-\d+)?$/.exec(charge.order) ?? [];
    if (!slot) continue;
    const ofSubscription = slots.get(charge.subscription) ?? new Map<number, Charge[]>();
    slots.set(charge.subscription, ofSubscription);
    ofSubscription.set(Number(slot), [...(ofSubscription.get(Number(slot)) ?? []), charge]);
  }
  for (const ofSubscription of slots.values()) {
    const last = Math.max(...ofSubscription.keys());
    for (const [slot, attempts] of ofSubscription) {
      if (slot === last || attempts.some(({ state, listed }) => state !== 'declined' || listed === 't')) continue;
      const [first] = attempts;
      if (attempts.some(({ soft }) => soft === 'f'))
        report(`order ${first?.order}: charges went on after a hard decline`);
      else if (attempts.length <= scheduleRetries && !isMoved(first?.order))
        report(`order ${first?.order}: a slot ended before its retries`);
    }
  }
}

/** Every recorded change of a payment was asked for. */
async function checkChanges({ base, asked, report }: World) {
  const rows = await base.rows<{ order: string; capture: string; count: string }>(
    `select p.order_number as order, t.kind = 'capture' as capture, count(*) as count
       from transactions t join payments p on p.id = t.payment_id
      where t.kind in ('capture', 'refund', 'reversal', 'void') and t.status = 'success' group by 1, 2`,
  );
  for (const { order, capture, count } of rows) {
    const wanted = asked.filter((each) => each.order === order && /capture/i.test(each.action) === (capture === 't'));
    if (wanted.length < Number(count)) report(`order ${order} was changed ${count} times, asked for ${wanted.length}`);
  }
}

/** No callback reports a declined payment as successful. */
function checkReports({ tries, report }: World) {
  for (const { order, fields } of tries) {
    const { action, result, status, type, order_status } = fields;
    const isSale = /SALE|CREDIT2CARD/.test(action ?? '')
      ? result === 'SUCCESS'
      : type === 'sale' && status === 'success';
    if (isSale && /^decline/i.test((action ? status : order_status) ?? ''))
      report(`order ${order} is declined and was reported as ${action ?? type} ${result ?? status}`);
  }
}

/** The money that the provider holds of each order and attempt, in minor units, and the attempts it has authorised. */
function heldIn(journal: JournalLine[]) {
  const orders = new Map<string, bigint>();
  const attempts = new Map<string, bigint>();
  const add = (line: JournalLine, minor: bigint) => {
    const attempt = line.kind === 'payment' ? line.key : (line.original ?? '');
    orders.set(line.order, (orders.get(line.order) ?? 0n) + minor);
    attempts.set(attempt, (attempts.get(attempt) ?? 0n) + minor);
  };
  const isApproved = ({ status }: JournalLine) => status === 'approved';
  const paidAt = new Map(journal.filter(({ kind }) => kind === 'payment').map(({ key, at = 0 }) => [key, at]));
  // A payment that settles after its void is held again.
  const isVoid = ({ kind, original = '', at = 0 }: JournalLine) => kind === 'void' && at >= (paidAt.get(original) ?? 0);
  const voided = new Set(journal.filter((line) => isVoid(line) && isApproved(line)).map(({ original }) => original));
  for (const line of journal) {
    if (!isApproved(line) || voided.has(line.kind === 'payment' ? line.key : line.original)) continue;
    if (line.kind === 'refund') add(line, -BigInt(line.minor));
    else if (line.kind !== 'void' && line.kind !== 'chargeback') add(line, BigInt(line.minor));
  }
  const authorized = journal.filter(({ key, status }) => status === 'authorized' && !voided.has(key));
  return { orders, attempts, authorized: new Set(authorized.map(({ key }) => key)) };
}

/**
 * Of every order that has no open unresolved item, the provider holds what the payment says; of an attempt that is listed
 * as approved late, it holds money, or an authorisation.
 */
async function checkBalances({ base, report }: World, journal: JournalLine[]) {
  const held = heldIn(journal);
  const rows = await base.rows<{ order: string; minor: string }>(
    `select p.order_number as order, sum(case when p.state in ('settled', 'refund', 'chargeback')
            then p.settled_minor - p.refunded_minor else 0 end)::text as minor
       from payments p where not exists (select 1 from unresolved u where u.payment_id = p.id and u.closed_at is null)
      group by 1`,
  );
  for (const { order, minor } of rows) {
    const money = held.orders.get(order) ?? 0n;
    if (money !== BigInt(minor)) report(`of order ${order} the provider holds ${money}, the payment says ${minor}`);
  }
  const late = await base.rows<{ id: string }>(
    `select transaction_id as id from unresolved where kind = 'late_success' and closed_at is null`,
  );
  for (const { id } of late)
    if (!held.attempts.get(id) && !held.authorized.has(id))
      report(`the late success of ${id} is listed, and the provider holds nothing`);
}

/** Captures and refunds are sent for attempts that have been approved. */
function checkOriginals({ providers, report }: World) {
  for (const { journal } of providers) {
    const approved = new Set(
      journal.filter(({ status }) => /^(approved|authorized)$/.test(status)).map(({ key }) => key),
    );
    for (const { kind, key, original } of journal)
      if ((kind === 'refund' || kind === 'capture') && original !== null && !approved.has(original))
        report(`${kind} ${key} was sent for ${original}, which was never approved`);
  }
}

function checkLogs({ logs, report }: World) {
  for (const line of logs) {
    if (/\b4\d{15}\b/.test(line) || line.includes(merchant.password)) report('a card number or a secret is in the log');
    if (/cannot happen|TypeError|ReferenceError|syntax error/.test(line)) report(`the log has ${line.slice(0, 600)}`);
  }
}
