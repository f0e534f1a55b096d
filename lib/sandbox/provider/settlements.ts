// GET /settlements/:date of the open provider contract: the settlement report of a day as CSV, of the operations of an
// account. Faults change it on purpose, so that reconciliation can be tried.
import { stringify } from 'csv-stringify/sync';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { now } from '../../db/clock.ts';
import { prisma } from '../../db/index.ts';
import { type HttpRequest, type HttpResult, httpResult } from '../../http/index.ts';
import type { Caller } from './modifications.ts';
import type { Operation } from './operation.ts';
import { reject } from './wire.ts';

/** The faults of a report by their names in `?faults=`, separated by commas. */
export const settlementFaults = [
  ...(['amount', 'currency', 'missing', 'unknown', 'duplicate', 'fee', 'batch', 'type', 'truncated'] as const),
] as const;
type Fault = (typeof settlementFaults)[number];

/** The columns of the contract's report, in their order. */
const columns = [
  ...([
    'reference',
    'provider_reference',
    'type',
    'gross',
    'fee',
    'net',
    'currency',
    'date',
    'batch',
    'arn',
    'rrn',
  ] as const),
] as const;

type Line = {
  reference: string;
  providerReference: string;
  type: 'sale' | 'refund' | 'chargeback' | 'chargeback_won' | 'credit';
  minor: bigint;
  currency: string;
  network: Record<string, string>;
};

const dayMs = 86_400_000;
/** The fees of the sandbox: 1.5 per cent of a sale, here in thousandths. */
const feeThousandths = 15n;

/** Answers with the report of a day (UTC) that is over or is today. */
export async function tellSettlements(
  { account }: Caller,
  request: HttpRequest,
  { date = '' }: Record<string, string>,
): Promise<HttpResult> {
  const from = new Date(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(from.getTime())) {
    return reject(400, 'invalid_request', 'The date is not a day');
  }
  if (from > now()) return reject(404, 'report_not_found', 'There is no report of this day yet');
  const wanted = (new URL(request.url).searchParams.get('faults') ?? '').split(',');
  const faults = new Set(settlementFaults.filter((fault) => wanted.includes(fault)));
  const lines = await linesOf(account, { date, from, until: new Date(from.getTime() + dayMs) });
  const text = stringify(withFaults(recordsOf(lines, date), faults), { header: true, columns: [...columns] });
  return httpResult(faults.has('truncated') ? text.slice(0, -20) : text, {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' },
  });
}

type Day = { date: string; from: Date; until: Date };

/** The lines of a day: what was captured, undone, refunded, paid out, charged back and won on it. */
async function linesOf(account: string, day: Day): Promise<Line[]> {
  const [payments, payouts, refunds, disputed] = (await Promise.all([
    paymentsOf(account, day),
    payoutsOf(account, day),
    refundsOf(account, day),
    disputedOf(account),
  ])) as [(Operation & { follows: Operation[] })[], Operation[], Operation[], Operation[]];
  return [
    ...payments.flatMap((payment) => linesOfPayment(payment, day)),
    ...payouts.map((payout) => lineOf(payout, 'credit', payout.amountMinor)),
    ...refunds
      .filter(({ facts }) => facts.completed_at === undefined || facts.completed_at.startsWith(day.date))
      .map((refund) => lineOf(refund, 'refund', refund.amountMinor)),
    ...disputed.flatMap((payment) => chargebacksOf(payment, day.date)),
  ];
}

const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];

// Also payments that were undone later: what the provider shows of them then is not what it has settled.
function paymentsOf(account: string, { from, until }: Day) {
  const within = { gte: from, lt: until };
  return prisma().simOperation.findMany({
    where: { account, kind: 'payment', capturedAt: { lt: until }, OR: [{ capturedAt: within }, { voidedAt: within }] },
    include: { follows: { where: { kind: { in: ['capture', 'void'] }, status: 'approved' }, orderBy: oldestFirst } },
    orderBy: oldestFirst,
  });
}

/** Payouts by the time of their completion. */
function payoutsOf(account: string, { from, until }: Day) {
  const within = { gte: from, lt: until };
  return prisma().simOperation.findMany({
    where: {
      ...{ account, kind: 'payout', status: 'approved' },
      OR: [{ capturedAt: within }, { capturedAt: null, createdAt: within }],
    },
    orderBy: oldestFirst,
  });
}

/** Approved refunds that were asked for or completed on the day. */
function refundsOf(account: string, { date, from, until }: Day) {
  return prisma().simOperation.findMany({
    where: {
      ...{ account, kind: 'refund', status: 'approved' },
      OR: [{ createdAt: { gte: from, lt: until } }, { facts: { path: ['completed_at'], string_starts_with: date } }],
    },
    orderBy: oldestFirst,
  });
}

const disputedOf = (account: string) =>
  prisma().simOperation.findMany({
    where: { account, kind: 'payment', capturedAt: { not: null }, facts: { path: ['chargebacks'], not: {} } },
    orderBy: oldestFirst,
  });

/** A payment that was captured and voided on one day was never settled; a later void returns it. */
function linesOfPayment(payment: Operation & { follows: Operation[] }, { from, until }: Day): Line[] {
  const isWithin = (at: Date | null) => at !== null && at >= from && at < until;
  const { capturedAt, voidedAt, capturedMinor, follows } = payment;
  if (isWithin(capturedAt) && isWithin(voidedAt)) return [];
  const keyOf = (kind: string) => follows.find((each) => each.kind === kind)?.key;
  if (isWithin(capturedAt)) return [lineOf(payment, 'sale', capturedMinor, keyOf('capture'))];
  return [lineOf(payment, 'refund', capturedMinor, keyOf('void'))];
}

function lineOf(operation: Operation, type: Line['type'], minor: bigint, reference = operation.key): Line {
  const { id, currency, facts } = operation;
  return { reference, providerReference: id, type, minor, currency, network: facts.network ?? {} };
}

const chargebacksOf = (operation: Operation, day: string): Line[] =>
  (operation.facts.chargebacks ?? []).flatMap(({ id, date, amount, currency }) => {
    const of = (type: Line['type']) => ({ ...lineOf(operation, type, minorOf(amount, currency)), currency });
    const isWon = operation.facts.won_on?.[id] === day;
    return [...(date.startsWith(day) ? [of('chargeback')] : []), ...(isWon ? [of('chargeback_won')] : [])];
  });

const minorOf = (amount: string, currency: string): bigint => {
  const read = parseAmount(amount, currency);
  return read.ok ? read.minor : 0n;
};

type Rec = Record<(typeof columns)[number], string>;

/** The lines of each currency, with the payout of their total; a day that costs the merchant money has none. */
function recordsOf(lines: Line[], date: string): Rec[] {
  const totals = new Map<string, bigint>();
  const records = lines.map(({ type, minor, currency, reference, providerReference, network }) => {
    const fee = type === 'sale' ? (minor * feeThousandths + 500n) / 1000n : 0n;
    const net = (type === 'sale' || type === 'chargeback_won' ? minor : -minor) - fee;
    totals.set(currency, (totals.get(currency) ?? 0n) + net);
    const amounts = {
      gross: formatAmount(minor, currency),
      fee: formatAmount(fee, currency),
      net: formatAmount(net, currency),
    };
    const { arn = '', rrn = '' } = network;
    return {
      reference,
      provider_reference: providerReference,
      type,
      ...amounts,
      currency,
      date,
      batch: batchOf(date, currency),
      arn,
      rrn,
    };
  });
  const paid = [...totals].filter(([, total]) => total > 0n);
  const payouts = paid.map(([currency, total]) => ({
    ...{
      reference: '',
      provider_reference: '',
      type: 'payout',
      gross: formatAmount(total, currency),
      fee: '',
      net: '',
    },
    ...{ currency, date, batch: batchOf(date, currency), arn: '', rrn: '' },
  }));
  return [...records, ...payouts];
}

const batchOf = (date: string, currency: string) => `${date}-${currency}`;

/** The records with each fault in its first fitting line. */
function withFaults(records: Rec[], faults: ReadonlySet<Fault>): Rec[] {
  const sales = records.filter(({ type }) => type === 'sale');
  const changed = new Map<Rec, Rec | null>();
  const more: Rec[] = [];
  const change = (fault: Fault, at: number, by: (record: Rec) => Rec | null) => {
    const record = sales[at % Math.max(1, sales.length)];
    if (faults.has(fault) && record) changed.set(record, by(record));
  };
  const another = (currency: string) => (currency === 'EUR' ? 'USD' : 'EUR');
  // Without the net amount: the line itself is consistent.
  change('amount', 0, (record) => ({ ...record, gross: `1${record.gross}`, net: '' }));
  change('currency', 1, (record) => ({ ...record, currency: another(record.currency) }));
  change('missing', 2, () => null);
  change('fee', 3, (record) => ({ ...record, fee: record.gross, net: '' }));
  change('type', 4, (record) => ({ ...record, type: 'mystery' }));
  const [first] = sales;
  if (first && faults.has('duplicate')) more.push(sales.at(-1) ?? first);
  if (first && faults.has('unknown'))
    more.push({ ...first, reference: 'unknown', provider_reference: '', arn: '', rrn: '' });
  return [...records.flatMap((record) => changed.get(record) ?? (changed.has(record) ? [] : [record])), ...more].map(
    (record) => (faults.has('batch') && record.type === 'payout' ? { ...record, gross: `1${record.gross}` } : record),
  );
}
