// Compares what happened to the money (the provider's journal), what the application has written down, what it has told its
// clients, and what the shop was called back with. Every difference is a violation, told in a sentence.
import { auditDatabase } from '../audit.mjs';

/** Kinds of transactions whose id is the provider's key, and what the provider calls them. */
const moving = "('sale','authorize','debit','transfer','recurring','capture','refund','reversal','credit')";

/** How long anything may stay unfinished. */
export const unfinishedSecondsMax = 120;

/**
 * Waits until nothing is open any more: no transaction without an outcome, no callback that waits for its turn.
 * @returns {Promise<number>} the seconds that it took
 */
export async function settleDown(world, patienceSeconds = unfinishedSecondsMax) {
  const started = performance.now();
  const secondsGone = () => (performance.now() - started) / 1000;
  for (;;) {
    const [{ open }] = await world.query(
      `select (select count(*) from transactions where status in ('sent', 'waiting', 'unknown'))
            + (select count(*) from callbacks where state = 'waiting') as open`,
    );
    if (Number(open) === 0 || secondsGone() > patienceSeconds) return secondsGone();
    await new Promise((wake) => setTimeout(wake, 250));
  }
}

/**
 * All violations. `acknowledged` is what clients were told: `{ order, action, transId, result, status, answer }`.
 * @returns {Promise<{ violations: string[], facts: object }>}
 */
export async function compareBooks(world, acknowledged) {
  const journal = lastOf(world.provider.journal());
  const rows = await world.query(
    `select t.id, t.kind::text, t.status::text, t.amount_minor::text as minor, t.payment_id, p.order_number,
            p.state::text, extract(epoch from coalesce(t.finished_at, now()) - t.created_at) as seconds
       from transactions t join payments p on p.id = t.payment_id`,
  );
  const [{ count: inFlight }] = await world.query(
    'select count(*)::int as count from payments where in_flight_id is not null',
  );
  const callbacks = await world.query(
    `select c.id, c.sequence, c.state::text, p.order_number from callbacks c join payments p on p.id = c.payment_id
      where c.url is not null order by c.payment_id, c.sequence`,
  );
  const arrivals = (order) => world.catcher.arrived(order).map(({ sequence }) => sequence);
  const violations = violationsIn({
    journal: [...journal.values()],
    rows,
    inFlight,
    callbacks,
    arrivals,
    acknowledged,
  });
  const audit = await auditDatabase(world.databaseUrl);
  if (audit.findings > 0)
    violations.push(`the auditor has findings:\n${audit.lines.filter((line) => !/ 0$/.test(line)).join('\n')}`);
  const facts = {
    payments: new Set(rows.map((row) => row.payment_id)).size,
    transactions: rows.length,
    movements: [...journal.values()].filter(({ status }) => isDone(status)).length,
    acknowledged: acknowledged.length,
    callbacks: callbacks.length,
    longestSeconds: Math.round(Math.max(0, ...rows.map(({ seconds }) => Number(seconds))) * 10) / 10,
  };
  return { violations, facts };
}

/**
 * Compares three accounts of one day: what the provider did, what the books say, and what the shop was told. Pure.
 * @param {object} day
 * @param {object[]} day.journal the provider's last line about each key
 * @param {object[]} day.rows the transactions, with their payments' order numbers and states
 * @param {number} day.inFlight payments that an operation still holds
 * @param {object[]} day.callbacks those that have an address, in their payments' order
 * @param {(order: string) => number[]} day.arrivals the sequences that arrived for an order
 * @param {object[]} day.acknowledged what clients were answered
 * @returns {string[]} every difference in a sentence
 */
export function violationsIn({ journal, rows, inFlight, callbacks, arrivals, acknowledged }) {
  const violations = [];
  const say = (text) => violations.push(text);
  const transactions = new Map(rows.map((row) => [row.id, row]));
  tellMoney(new Map(journal.map((line) => [line.key, line])), transactions, say);
  tellAnswers(acknowledged, transactions, say);
  tellUnfinished(rows, inFlight, say);
  tellCallbacks(callbacks, arrivals, say);
  return violations;
}

// The last line of a key tells how it stands.
function lastOf(lines) {
  return new Map(lines.map((line) => [line.key, line]));
}

const isDone = (status) => status === 'approved' || status === 'authorized';

function tellMoney(journal, transactions, say) {
  const taken = new Map();
  for (const line of journal.values()) {
    if (!isDone(line.status)) continue;
    if (line.kind === 'payment' || line.kind === 'payout') {
      const before = taken.get(line.order);
      if (before) say(`order ${line.order} was charged twice: ${before} and ${line.key}`);
      taken.set(line.order, line.key);
    }
    // A void's key is derived; its payment tells of it, which the auditor checks.
    if (line.kind === 'void') continue;
    const row = transactions.get(line.key);
    if (!row) say(`${line.kind} ${line.key} of order ${line.order} moved money and is not in the books`);
    else if (row.status !== 'success') say(`${row.kind} ${line.key} moved money and the books say ${row.status}`);
    else if (row.minor !== line.minor) say(`${row.kind} ${line.key} moved ${line.minor}, the books say ${row.minor}`);
  }
  for (const row of transactions.values()) {
    if (row.status !== 'success' || !moving.includes(`'${row.kind}'`)) continue;
    const line = journal.get(row.id);
    if (row.kind === 'reversal' ? line && !isDone(line.status) : !line || !isDone(line.status)) {
      say(`the books say that ${row.kind} ${row.id} succeeded, the provider knows ${line?.status ?? 'nothing'} of it`);
    }
  }
}

function tellAnswers(acknowledged, transactions, say) {
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
    else if (/SALE|CREDIT2CARD/.test(action) && !allowed.includes(row.status)) {
      say(`${action} of order ${order} was told ${result}, the books say ${row.status}`);
    } else if (action === 'CAPTURE' && result === 'SUCCESS' && !captured.has(order)) {
      say(`CAPTURE of order ${order} was told ${result}, and the books have none`);
    }
  }
}

function tellUnfinished(rows, inFlight, say) {
  for (const row of rows) {
    if (['sent', 'waiting', 'unknown'].includes(row.status)) say(`${row.kind} ${row.id} is still ${row.status}`);
    else if (Number(row.seconds) > unfinishedSecondsMax) {
      say(`${row.kind} ${row.id} took ${Math.round(row.seconds)} s`);
    }
  }
  if (inFlight > 0) say(`${inFlight} payments are still in flight`);
}

/** Each callback has arrived, and those of a payment in their order. */
function tellCallbacks(callbacks, arrivals, say) {
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
