// Compares the provider's journal, the database, the responses that clients got and the callbacks that arrived. Every
// difference is a violation, described in one sentence.
import { checkLedger, checkText } from '../../lib/operations/ledger/check-database.ts';

/** The provider's last entry for a key. */
export type JournalLine = {
  key: string;
  kind: string;
  order: string;
  status: string;
  minor: string;
  currency?: string;
  original?: string;
  what?: string;
  /** Milliseconds since 1970. */
  at?: number;
};
/** A transaction with the order number and the state of its payment. */
export type Row = {
  id: string;
  kind: string;
  status: string;
  minor: string;
  payment_id: string;
  order_number: string;
  state?: string;
  seconds: number;
};
type Callback = { id: string; sequence: number; state: string; order_number: string };
type Item = { payment_id: string; transaction_id: string; open: boolean };
/** A response to a client. */
export type Acknowledged = { order: string; action: string; transId: string; result: string };

/** The records of one run. */
export type Run = {
  journal: JournalLine[];
  rows: Row[];
  /** Payments with an operation in flight. */
  inFlight: number;
  /** Those with an address, in the order of their payments. */
  callbacks: Callback[];
  /** The sequences that arrived for an order. */
  arrivals: (order: string) => number[];
  /** The differences that the service lists itself. */
  unresolved?: Item[];
  /** The maximum delay of a request. */
  lateSeconds?: number;
  acknowledged: Acknowledged[];
};

/** What the check reads of a test environment. */
export type Checked = {
  databaseUrl: string;
  query: <T extends object>(sql: string) => Promise<T[]>;
  provider: { journal: () => JournalLine[] };
  shopServer: { arrived: (order: string) => { sequence: number }[] };
};

type Journal = Map<string, JournalLine>;
type Rows = Map<string, Row>;
type IsListed = (row: Row | undefined) => boolean;
type Report = (text: string) => void;

/** Kinds of transactions whose id is the provider's idempotency key, and their names at the provider. */
const moving = "('sale','authorize','debit','transfer','recurring','capture','refund','reversal','credit')";

/** Maximum time for anything to stay unfinished, plus the delay of late requests. */
export const unfinishedSecondsMax = 120;

/**
 * Waits until nothing is pending: no transaction without an outcome, no waiting callback, no unprocessed notification.
 * Returns the seconds waited.
 */
export async function waitUntilIdle(
  environment: Pick<Checked, 'query'>,
  patienceSeconds = unfinishedSecondsMax,
): Promise<number> {
  const started = performance.now();
  const secondsGone = () => (performance.now() - started) / 1000;
  const [table] = await environment.query<{ kept: boolean }>(
    "select to_regclass('public.provider_notifications') is not null as kept",
  );
  for (;;) {
    const [found] = await environment.query<{ open: string }>(
      `select (select count(*) from transactions where status in ('sent', 'waiting', 'unknown'))
            + (select count(*) from callbacks where state = 'waiting')
            + ${table?.kept ? '(select count(*) from provider_notifications)' : '0'} as open`,
    );
    if (Number(found?.open) === 0 || secondsGone() > patienceSeconds) return secondsGone();
    await new Promise((wake) => setTimeout(wake, 250));
  }
}

/**
 * Finds all violations. `acknowledged` are the responses to clients; `lateSeconds` is the maximum delay of a request.
 */
export async function checkConsistency(
  environment: Checked,
  acknowledged: Acknowledged[],
  lateSeconds = 0,
): Promise<{ violations: string[]; summary: object }> {
  const journal = lastOf(environment.provider.journal());
  const rows = await environment.query<Row>(
    `select t.id, t.kind::text, t.status::text, t.amount_minor::text as minor, t.payment_id, p.order_number,
            p.state::text, extract(epoch from coalesce(t.finished_at, now()) - t.created_at) as seconds
       from transactions t join payments p on p.id = t.payment_id`,
  );
  const [flying] = await environment.query<{ count: number }>(
    'select count(*)::int as count from payments where in_flight_id is not null',
  );
  const callbacks = await environment.query<Callback>(
    `select c.id, c.sequence, c.state::text, p.order_number from callbacks c join payments p on p.id = c.payment_id
      where c.url is not null order by c.payment_id, c.sequence`,
  );
  const unresolved = await unresolvedIn(environment);
  const arrivals = (order: string) => environment.shopServer.arrived(order).map(({ sequence }) => sequence);
  const violations = violationsIn({
    journal: [...journal.values()],
    rows,
    inFlight: flying?.count ?? 0,
    callbacks,
    arrivals,
    acknowledged,
    unresolved,
    lateSeconds,
  });
  const audit = await checkLedger(environment.databaseUrl);
  if (audit.findings > 0)
    violations.push(
      `the ledger check has findings:\n${checkText(audit)
        .filter((line) => !/ 0$/.test(line))
        .join('\n')}`,
    );
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

/** The unresolved items of the database, open and closed; none if the table does not exist. */
async function unresolvedIn(environment: Checked): Promise<Item[]> {
  const [table] = await environment.query<{ there: boolean }>(
    "select to_regclass('public.unresolved') is not null as there",
  );
  if (!table?.there) return [];
  return environment.query<Item>('select payment_id, transaction_id, kind, closed_at is null as open from unresolved');
}

/**
 * Compares three records of one run: the provider's, the database's and the merchant's. Pure. Returns one sentence per
 * difference.
 */
export function violationsIn(run: Run): string[] {
  const { journal, rows, inFlight, callbacks, arrivals, acknowledged, unresolved = [], lateSeconds = 0 } = run;
  const violations: string[] = [];
  const report = (text: string) => violations.push(text);
  const transactions = new Map(rows.map((row) => [row.id, row]));
  const transactionsOf = (items: Item[]) => new Set(items.map(({ transaction_id }) => transaction_id));
  const [listed, open] = [transactionsOf(unresolved), transactionsOf(unresolved.filter((item) => item.open))];
  const isListed: IsListed = (row) => row !== undefined && listed.has(row.id);
  const isOpen: IsListed = (row) => row !== undefined && open.has(row.id);
  const lines = new Map(journal.map((line) => [line.key, line]));
  findDoubleCharges(lines, transactions, isOpen, report);
  findMovementMismatches(lines, transactions, { isListed, isOpen }, report);
  findDisputeMismatches(lines, transactions, isOpen, report);
  findResponseMismatches(acknowledged, transactions, isOpen, report);
  findUnfinished(rows, inFlight, isOpen, lateSeconds, report);
  findCallbackMismatches(callbacks, arrivals, report);
  return violations;
}

// The last entry of a key is its current state.
function lastOf(lines: JournalLine[]): Journal {
  return new Map(lines.map((line) => [line.key, line]));
}

const isDone = (status: string) => status === 'approved' || status === 'authorized';

/**
 * An order may have one payment that holds money after refunds and voids, and none from an attempt recorded as failed,
 * unless an unresolved item is open for it.
 */
function findDoubleCharges(journal: Journal, transactions: Rows, isOpen: IsListed, report: Report) {
  const back = new Map<string | undefined, bigint>();
  for (const { kind, original, status, minor } of journal.values()) {
    if ((kind === 'void' || kind === 'refund') && isDone(status))
      back.set(original, (back.get(original) ?? 0n) + BigInt(minor));
  }
  const taken = new Map<string, string>();
  for (const line of journal.values()) {
    if ((line.kind !== 'payment' && line.kind !== 'payout') || !isDone(line.status)) continue;
    if (BigInt(line.minor) > 0n && (back.get(line.key) ?? 0n) >= BigInt(line.minor)) continue;
    const before = taken.get(line.order);
    const row = transactions.get(line.key);
    const isExplained = isOpen(row) || isOpen(transactions.get(before ?? ''));
    if (before && !isExplained) report(`order ${line.order} was charged twice: ${before} and ${line.key}`);
    else if (row?.status === 'fail' && !isOpen(row))
      report(`${row.kind} ${line.key} moved money, is recorded as fail, and has no open item`);
    taken.set(line.order, line.key);
  }
}

type Listing = { isListed: IsListed; isOpen: IsListed };

function findMovementMismatches(journal: Journal, transactions: Rows, { isListed, isOpen }: Listing, report: Report) {
  for (const line of journal.values()) {
    // A void's key is derived; the ledger check covers it through its payment. Disputes are compared separately.
    if (!isDone(line.status) || line.kind === 'void' || line.kind === 'chargeback') continue;
    const row = transactions.get(line.key);
    // The refund of a late success has a derived key too; its unresolved item covers it.
    if (!row && line.kind === 'refund' && isListed(transactions.get(line.original ?? ''))) continue;
    if (!row) report(`${line.kind} ${line.key} of order ${line.order} moved money and is not recorded`);
    else if (isOpen(row)) continue;
    // findDoubleCharges() reports failed attempts.
    else if (row.status === 'fail' && (line.kind === 'payment' || line.kind === 'payout')) continue;
    else if (row.status !== 'success') report(`${row.kind} ${line.key} moved money and is recorded as ${row.status}`);
    else if (row.minor !== line.minor) report(`${row.kind} ${line.key} moved ${line.minor}, recorded are ${row.minor}`);
    else if (line.what === 'portal capture' && row.state === 'pending')
      report(`${row.kind} ${line.key} was captured at the portal and is recorded as pending`);
  }
  for (const row of transactions.values()) {
    if (row.status !== 'success' || !moving.includes(`'${row.kind}'`) || isOpen(row)) continue;
    const line = journal.get(row.id);
    // Providers report a released authorisation as declined, and their staff may decline an attempt that was returned.
    if (row.kind === 'authorize' && /^(declined|reversal|void)$/.test(row.state ?? '')) continue;
    if (/^(reversal|void)$/.test(row.state ?? '') && line?.kind === 'payment' && line.status === 'declined') continue;
    if (row.kind === 'reversal' ? line && !isDone(line.status) : !line || !isDone(line.status)) {
      report(`${row.kind} ${row.id} is recorded as success, at the provider it is ${line?.status ?? 'unknown'}`);
    }
  }
}

/** Every chargeback is recorded with its amount, or listed as unresolved. */
function findDisputeMismatches(journal: Journal, transactions: Rows, isOpen: IsListed, report: Report) {
  const booked = new Map<string, string[]>();
  for (const row of transactions.values()) {
    if (row.kind !== 'chargeback') continue;
    booked.set(row.payment_id, [...(booked.get(row.payment_id) ?? []), row.minor]);
  }
  for (const line of journal.values()) {
    if (line.kind !== 'chargeback') continue;
    const row = transactions.get(line.original ?? '');
    const amounts = booked.get(row?.payment_id ?? '') ?? [];
    if (!amounts.includes(line.minor) && !isOpen(row))
      report(`${line.minor} of order ${line.order} were charged back, recorded are ${amounts.join(', ') || 'none'}`);
  }
}

function findResponseMismatches(acknowledged: Acknowledged[], transactions: Rows, isOpen: IsListed, report: Report) {
  const words: Record<string, string[]> = {
    SUCCESS: ['success'],
    ACCEPTED: ['success', 'fail', 'sent', 'unknown', 'waiting'],
    DECLINED: ['fail'],
  };
  const captures = [...transactions.values()].filter(({ kind, status }) => kind === 'capture' && status === 'success');
  const captured = new Set(captures.map((row) => row.order_number));
  // A payment keeps its transaction id when another account pays it.
  const attemptsOf = (row: Row) =>
    [...transactions.values()].filter((each) => each.payment_id === row.payment_id && each.kind === row.kind);
  for (const { order, action, transId, result } of acknowledged) {
    const allowed = words[result];
    if (!allowed || !transId) continue;
    const row = transactions.get(transId);
    if (!row) report(`${action} of order ${order} was acknowledged as ${transId}, which is not recorded`);
    else if (row.order_number !== order)
      report(`${action} of order ${order} was acknowledged as one of ${row.order_number}`);
    else if (isOpen(row)) continue;
    else if (/SALE|CREDIT2CARD/.test(action) && !attemptsOf(row).some(({ status }) => allowed.includes(status))) {
      report(`${action} of order ${order} got ${result} and is recorded as ${row.status}`);
    } else if (action === 'CAPTURE' && result === 'SUCCESS' && !captured.has(order)) {
      report(`CAPTURE of order ${order} got ${result} and none is recorded`);
    }
  }
}

function findUnfinished(rows: Row[], inFlight: number, isOpen: IsListed, lateSeconds: number, report: Report) {
  const most = unfinishedSecondsMax + lateSeconds;
  for (const row of rows) {
    if (isOpen(row)) continue;
    if (['sent', 'waiting', 'unknown'].includes(row.status)) report(`${row.kind} ${row.id} is still ${row.status}`);
    else if (Number(row.seconds) > most) {
      report(`${row.kind} ${row.id} took ${Math.round(row.seconds)} s`);
    }
  }
  if (inFlight > new Set(rows.filter((row) => isOpen(row)).map((row) => row.payment_id)).size)
    report(`${inFlight} payments are still in flight`);
}

/** Every callback has arrived, and the callbacks of a payment in order. */
function findCallbackMismatches(callbacks: Callback[], arrivals: Run['arrivals'], report: Report) {
  for (const [order, expected] of groupBy(callbacks)) {
    const arrived = [...new Set(arrivals(order))];
    for (const { sequence, state, id } of expected) {
      if (state !== 'delivered') report(`callback ${id} of order ${order} is ${state}`);
      if (!arrived.includes(sequence)) report(`callback ${sequence} of order ${order} never arrived`);
    }
    if (arrived.some((sequence, place) => place > 0 && sequence < (arrived[place - 1] ?? 0))) {
      report(`callbacks of order ${order} arrived as ${arrived.join(', ')}`);
    }
  }
}

function groupBy(rows: Callback[]) {
  const groups = new Map<string, Callback[]>();
  for (const row of rows) groups.set(row.order_number, [...(groups.get(row.order_number) ?? []), row]);
  return groups;
}
