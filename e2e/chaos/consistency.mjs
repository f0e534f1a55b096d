// Compares what happened to the money (the provider's journal), what the application has written down, what it has told its
// clients, and what the shop was called back with. Every difference is a violation, told in a sentence.
import { auditDatabase } from '../audit/verify.mjs';

/** Kinds of transactions whose id is the provider's key, and what the provider calls them. */
const moving = "('sale','authorize','debit','transfer','recurring','capture','refund','reversal','credit')";

/** How long anything may stay unfinished, beside what a request of it was late. */
export const unfinishedSecondsMax = 120;

/**
 * Waits until nothing is open any more: no transaction without an outcome, no callback that waits for its turn, no notification that was not looked up.
 * @returns {Promise<number>} the seconds that it took
 */
export async function waitUntilIdle(environment, patienceSeconds = unfinishedSecondsMax) {
  const started = performance.now();
  const secondsGone = () => (performance.now() - started) / 1000;
  const [{ kept }] = await environment.query("select to_regclass('public.provider_notifications') is not null as kept");
  for (;;) {
    const [{ open }] = await environment.query(
      `select (select count(*) from transactions where status in ('sent', 'waiting', 'unknown'))
            + (select count(*) from callbacks where state = 'waiting')
            + ${kept ? '(select count(*) from provider_notifications)' : '0'} as open`,
    );
    if (Number(open) === 0 || secondsGone() > patienceSeconds) return secondsGone();
    await new Promise((wake) => setTimeout(wake, 250));
  }
}

/**
 * All violations. `acknowledged` is what clients were told: `{ order, action, transId, result, status, answer }`; `lateSeconds`
 * is how long a request may have been on its way.
 * @returns {Promise<{ violations: string[], summary: object }>}
 */
export async function checkConsistency(environment, acknowledged, lateSeconds = 0) {
  const journal = lastOf(environment.provider.journal());
  const rows = await environment.query(
    `select t.id, t.kind::text, t.status::text, t.amount_minor::text as minor, t.payment_id, p.order_number,
            p.state::text, extract(epoch from coalesce(t.finished_at, now()) - t.created_at) as seconds
       from transactions t join payments p on p.id = t.payment_id`,
  );
  const [{ count: inFlight }] = await environment.query(
    'select count(*)::int as count from payments where in_flight_id is not null',
  );
  const callbacks = await environment.query(
    `select c.id, c.sequence, c.state::text, p.order_number from callbacks c join payments p on p.id = c.payment_id
      where c.url is not null order by c.payment_id, c.sequence`,
  );
  const unresolved = await unresolvedIn(environment);
  const arrivals = (order) => environment.catcher.arrived(order).map(({ sequence }) => sequence);
  const violations = violationsIn({
    journal: [...journal.values()],
    rows,
    inFlight,
    callbacks,
    arrivals,
    acknowledged,
    unresolved,
    lateSeconds,
  });
  const audit = await auditDatabase(environment.databaseUrl);
  if (audit.findings > 0)
    violations.push(`the auditor has findings:\n${audit.lines.filter((line) => !/ 0$/.test(line)).join('\n')}`);
  const summary = {
    payments: new Set(rows.map((row) => row.payment_id)).size,
    transactions: rows.length,
    movements: [...journal.values()].filter(({ status }) => isDone(status)).length,
    acknowledged: acknowledged.length,
    callbacks: callbacks.length,
    unresolved: unresolved.length,
    unresolvedOpen: unresolved.filter(({ open }) => open).length,
    longestSeconds: Math.round(Math.max(0, ...rows.map(({ seconds }) => Number(seconds))) * 10) / 10,
  };
  return { violations, summary };
}

/** What the books list as differing from the provider, still open or closed; nothing where they have no such list. */
async function unresolvedIn(environment) {
  const [{ there }] = await environment.query("select to_regclass('public.unresolved') is not null as there");
  if (!there) return [];
  return environment.query('select payment_id, transaction_id, kind, closed_at is null as open from unresolved');
}

/**
 * Compares three accounts of one run: what the provider did, what the books say, and what the shop was told. Pure.
 * @param {object} run
 * @param {object[]} run.journal the provider's last line about each key
 * @param {object[]} run.rows the transactions, with their payments' order numbers and states
 * @param {number} run.inFlight payments that an operation still holds
 * @param {object[]} run.callbacks those that have an address, in their payments' order
 * @param {(order: string) => number[]} run.arrivals the sequences that arrived for an order
 * @param {object[]} run.acknowledged what clients were answered
 * @param {object[]} [run.unresolved] the differences that the books list by themselves
 * @param {number} [run.lateSeconds] how long a request may have been on its way
 * @returns {string[]} every difference in a sentence
 */
export function violationsIn(run) {
  const { journal, rows, inFlight, callbacks, arrivals, acknowledged, unresolved = [], lateSeconds = 0 } = run;
  const violations = [];
  const say = (text) => violations.push(text);
  const transactions = new Map(rows.map((row) => [row.id, row]));
  const paymentsOf = (items) => new Set(items.map(({ payment_id }) => payment_id));
  const [listed, open] = [paymentsOf(unresolved), paymentsOf(unresolved.filter((item) => item.open))];
  const isListed = (row) => row !== undefined && listed.has(row.payment_id);
  const isOpen = (row) => row !== undefined && open.has(row.payment_id);
  const lines = new Map(journal.map((line) => [line.key, line]));
  findDoubleCharges(lines, transactions, isOpen, say);
  findMovementMismatches(lines, transactions, isListed, say);
  findDisputeMismatches(lines, transactions, isListed, say);
  findResponseMismatches(acknowledged, transactions, isListed, say);
  findUnfinished(rows, inFlight, isListed, lateSeconds, say);
  findCallbackMismatches(callbacks, arrivals, say);
  return violations;
}

// The last line of a key tells how it stands.
function lastOf(lines) {
  return new Map(lines.map((line) => [line.key, line]));
}

const isDone = (status) => status === 'approved' || status === 'authorized';

/**
 * The payments of an order that hold money, what was given back taken off: only one of them may, and none of an attempt that
 * the books call failed, unless an item that is open says so.
 */
function findDoubleCharges(journal, transactions, isOpen, say) {
  const back = new Map();
  for (const { kind, original, status, minor } of journal.values()) {
    if ((kind === 'void' || kind === 'refund') && isDone(status))
      back.set(original, (back.get(original) ?? 0n) + BigInt(minor));
  }
  const taken = new Map();
  for (const line of journal.values()) {
    if ((line.kind !== 'payment' && line.kind !== 'payout') || !isDone(line.status)) continue;
    if (BigInt(line.minor) > 0n && (back.get(line.key) ?? 0n) >= BigInt(line.minor)) continue;
    const before = taken.get(line.order);
    const row = transactions.get(line.key);
    if (before && !isOpen(row)) say(`order ${line.order} was charged twice: ${before} and ${line.key}`);
    else if (row?.status === 'fail' && !isOpen(row))
      say(`${row.kind} ${line.key} moved money and the books say fail, and no item of it is open`);
    taken.set(line.order, line.key);
  }
}

function findMovementMismatches(journal, transactions, isListed, say) {
  for (const line of journal.values()) {
    // A void's key is derived; its payment tells of it, which the auditor checks. Disputes are compared apart.
    if (!isDone(line.status) || line.kind === 'void' || line.kind === 'chargeback') continue;
    const row = transactions.get(line.key);
    // What is given back after a late success has a derived key too; the item that is listed tells of it.
    if (!row && line.kind === 'refund' && isListed(transactions.get(line.original))) continue;
    if (!row) say(`${line.kind} ${line.key} of order ${line.order} moved money and is not in the books`);
    else if (isListed(row)) continue;
    // Of an attempt that failed the comparison above has told.
    else if (row.status === 'fail' && (line.kind === 'payment' || line.kind === 'payout')) continue;
    else if (row.status !== 'success') say(`${row.kind} ${line.key} moved money and the books say ${row.status}`);
    else if (row.minor !== line.minor) say(`${row.kind} ${line.key} moved ${line.minor}, the books say ${row.minor}`);
    else if (line.what === 'portal capture' && row.state === 'pending')
      say(`${row.kind} ${line.key} was captured at the portal, and the books say pending`);
  }
  for (const row of transactions.values()) {
    if (row.status !== 'success' || !moving.includes(`'${row.kind}'`) || isListed(row)) continue;
    const line = journal.get(row.id);
    if (row.kind === 'reversal' ? line && !isDone(line.status) : !line || !isDone(line.status)) {
      say(`the books say that ${row.kind} ${row.id} succeeded, the provider knows ${line?.status ?? 'nothing'} of it`);
    }
  }
}

/** Every chargeback is booked with its amount, or listed. */
function findDisputeMismatches(journal, transactions, isListed, say) {
  const booked = new Map();
  for (const row of transactions.values()) {
    if (row.kind !== 'chargeback') continue;
    booked.set(row.payment_id, [...(booked.get(row.payment_id) ?? []), row.minor]);
  }
  for (const line of journal.values()) {
    if (line.kind !== 'chargeback') continue;
    const row = transactions.get(line.original);
    const amounts = booked.get(row?.payment_id) ?? [];
    if (!amounts.includes(line.minor) && !isListed(row))
      say(`${line.minor} of order ${line.order} were charged back, the books say ${amounts.join(', ') || 'nothing'}`);
  }
}

function findResponseMismatches(acknowledged, transactions, isListed, say) {
  const words = {
    SUCCESS: ['success'],
    ACCEPTED: ['success', 'fail', 'sent', 'unknown', 'waiting'],
    DECLINED: ['fail'],
  };
  const captures = [...transactions.values()].filter(({ kind, status }) => kind === 'capture' && status === 'success');
  const captured = new Set(captures.map((row) => row.order_number));
  for (const { order, action, transId, result } of acknowledged) {
    const allowed = words[result];
    if (!allowed || !transId) continue;
    const row = transactions.get(transId);
    if (!row) say(`${action} of order ${order} was acknowledged as ${transId}, which is not in the books`);
    else if (row.order_number !== order)
      say(`${action} of order ${order} was acknowledged as one of ${row.order_number}`);
    else if (isListed(row)) continue;
    else if (/SALE|CREDIT2CARD/.test(action) && !allowed.includes(row.status)) {
      say(`${action} of order ${order} was told ${result}, the books say ${row.status}`);
    } else if (action === 'CAPTURE' && result === 'SUCCESS' && !captured.has(order)) {
      say(`CAPTURE of order ${order} was told ${result}, and the books have none`);
    }
  }
}

function findUnfinished(rows, inFlight, isListed, lateSeconds, say) {
  const most = unfinishedSecondsMax + lateSeconds;
  for (const row of rows) {
    if (isListed(row)) continue;
    if (['sent', 'waiting', 'unknown'].includes(row.status)) say(`${row.kind} ${row.id} is still ${row.status}`);
    else if (Number(row.seconds) > most) {
      say(`${row.kind} ${row.id} took ${Math.round(row.seconds)} s`);
    }
  }
  if (inFlight > new Set(rows.filter((row) => isListed(row)).map((row) => row.payment_id)).size)
    say(`${inFlight} payments are still in flight`);
}

/** Each callback has arrived, and those of a payment in their order. */
function findCallbackMismatches(callbacks, arrivals, say) {
  for (const [order, expected] of groupBy(callbacks)) {
    const arrived = [...new Set(arrivals(order))];
    for (const { sequence, state, id } of expected) {
      if (state !== 'delivered') say(`callback ${id} of order ${order} is ${state}`);
      if (!arrived.includes(sequence)) say(`callback ${sequence} of order ${order} never arrived`);
    }
    if (arrived.some((sequence, place) => place > 0 && sequence < arrived[place - 1])) {
      say(`callbacks of order ${order} arrived as ${arrived.join(', ')}`);
    }
  }
}

function groupBy(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.order_number, [...(groups.get(row.order_number) ?? []), row]);
  return groups;
}
