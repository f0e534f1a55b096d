/** The list of differences between settlement reports and the ledger, and what users do about one. */
import { z } from 'zod';
import { type AuditAction, may, seesEveryMerchant } from '../../auth/index.ts';
import { exponentOf } from '../../core/currencies.ts';
import { isUuid } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import {
  approve,
  type Difference,
  differenceColumns,
  explain,
  findDifference,
  findLimits,
  isAdjustable,
  type Resolution,
  reject,
  resolveDifference,
  type Seen,
} from '../../reconciliation/index.ts';
import { logAction, loggedRefusal } from '../changes.ts';
import { existing, parseBody, textLine } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { amount, created, merchant } from '../lists/columns.ts';
import { choice, choices, currency, days, optionsOf } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { differenceLabels, differenceStateLabels } from './labels.ts';

type Row = Difference & {
  merchantName: string;
  midName: string;
  reference: string | null;
  reportName: string | null;
  lineNumber: number | null;
  orderNumber: string | null;
  closedByName: string | null;
  notedByName: string | null;
  proposedByName: string | null;
};

const nameOf = (column: string, as: string) =>
  `(select w.name from users w where ${column} = 'user:' || w.id) as "${as}"`;

/** The list of differences, open and closed. */
export const differences = resource({
  name: 'differences',
  title: 'Differences',
  right: 'reconciliation.read',
  nouns: ['difference', 'differences'],
  search: 'Order, reference, batch',
  find: (text, add) => {
    const value = `${add(text)}::text`;
    return `(p.order_number = ${value} or l.reference = ${value} or l.provider_reference = ${value} or l.batch = ${value})`;
  },
  filters: [
    choices(
      'state',
      'State',
      optionsOf(differenceStateLabels),
      (values, add) => `d.state = any(${add(values)}::text[])`,
    ),
    choices('kind', 'Difference', optionsOf(differenceLabels), (values, add) => `d.kind = any(${add(values)}::text[])`),
    choice('adjustable', 'Entry', optionsOf({ yes: 'Can be adjusted', no: 'Cannot be adjusted' }), (value) =>
      value === 'yes' ? isAdjustable : `not (${isAdjustable})`,
    ),
    days('Found', 'found'),
    currency('coalesce(d.reported_currency, d.expected_currency)'),
  ],
  views: [
    ['Open', 'state=open'],
    ['Waits for approval', 'state=proposed'],
    ['Closed', 'state=closed'],
  ],
  columns: [
    amount,
    { id: 'kind', head: 'Difference', labels: differenceLabels, width: '24%' },
    { id: 'subject', head: 'Order or reference', mono: true },
    { id: 'state', head: 'State', labels: differenceStateLabels, width: 132 },
    { id: 'midName', head: 'MID', hideOnPhone: true, hideBelow: 'md' },
    ...[merchant, created('Found')],
  ],
  rowName: '{subject}: {kind}',
  empty: {
    title: 'No differences',
    texts: [
      'Import a settlement report of a provider. Its lines are compared with the ledger, and what differs is listed here.',
    ],
  },
  source: {
    columns: `${differenceColumns}, m.name as "merchantName", i.name as "midName", l.reference, l.number as "lineNumber",
      r.name as "reportName", p.order_number as "orderNumber", ${nameOf('d.closed_by', 'closedByName')},
      ${nameOf('d.noted_by', 'notedByName')}, ${nameOf('d.proposed_by', 'proposedByName')}`,
    from: `settlement_differences d join merchants m on m.id = d.merchant_id join mids i on i.id = d.mid_id
      left join settlement_lines l on l.id = d.line_id left join settlement_reports r on r.id = l.report_id
      left join payments p on p.id = d.payment_id`,
    at: 'd.created_at',
    id: 'd.id',
    merchant: 'd.merchant_id',
  },
  toRow,
});

const moneyOf = (minor: bigint | null, code: string | null) =>
  minor === null || code === null ? null : `${formatAmount(minor, code)} ${code}`;

const currencyOf = ({ reportedCurrency, expectedCurrency }: Difference) =>
  reportedCurrency ?? expectedCurrency ?? 'EUR';

function adjustmentOf(difference: Difference): string | null {
  const { adjustable, deltaMinor, convertedMinor, expectedCurrency } = difference;
  if (!adjustable) return null;
  const delta = moneyOf(deltaMinor, currencyOf(difference));
  return convertedMinor === 0n ? delta : `${delta} and ${moneyOf(convertedMinor, expectedCurrency)}`;
}

const personOf = (by: string | null, name: string | null) =>
  by === 'florin' ? 'Florin' : by && (name ?? 'A deleted user');

/** A difference in the list. */
export function toRow(row: Row, { viewer }: PageContext) {
  const { reportedMinor, reportedCurrency, expectedMinor, expectedCurrency, state } = row;
  const code = currencyOf(row);
  const mayWrite = may(viewer.role, 'reconciliation.write') && state !== 'closed';
  const isOwn = row.proposedBy === `user:${viewer.id}`;
  return {
    ...pick(
      row,
      'id',
      'kind',
      'state',
      'resolution',
      'note',
      'paymentId',
      'reportName',
      'lineNumber',
      'createdAt',
      'closedAt',
    ),
    ...pick(row, 'midName', 'merchantId', 'merchantName', 'orderNumber'),
    subject: row.orderNumber ?? row.reference,
    amount: formatAmount(reportedMinor ?? expectedMinor ?? 0n, code),
    currency: code,
    reported: moneyOf(reportedMinor, reportedCurrency),
    expected: moneyOf(expectedMinor, expectedCurrency),
    /** What an adjustment adds to the receivable from the provider; null if none is possible. */
    adjustment: adjustmentOf(row),
    /** The same in minor units, which a decision repeats. */
    deltaMinor: String(row.deltaMinor),
    notedBy: personOf(row.notedBy, row.notedByName),
    proposedBy: personOf(row.proposedBy, row.proposedByName),
    closedBy: personOf(row.closedBy, row.closedByName),
    mayDecide: mayWrite && state === 'open',
    mayApprove: mayWrite && state === 'proposed' && !isOwn && seesEveryMerchant(viewer.role),
    mayReject: mayWrite && state === 'proposed',
    mayChangeLimits: may(viewer.role, 'settings.change'),
  };
}

const noteInput = z.object({ note: textLine(500).min(3, 'Enter the reason.') });
/** What a decision is about, as its user has seen it. */
const seenInput = z.object({
  deltaMinor: z.string('The amount is missing.').regex(/^-?[0-9]{1,18}$/, 'The amount is missing.'),
  currency: z.string('The currency is missing.').max(10),
});
const decisionInput = noteInput.extend(seenInput.shape);
const changed = 'The difference was changed by someone else, or its amount has changed. Reload the list.';

type Name = Extract<AuditAction, `settlement_difference.${string}`>;
type Logged = { [name: string]: string | null };

/** Logs an action on the difference in the address and carries it out; a refusal is logged too. */
async function act<T>(
  request: DashboardRequest,
  action: Name,
  carryOut: (found: Difference, by: string) => Promise<T | null | false>,
  {
    message = changed,
    more = async () => ({}),
  }: { message?: string; more?: (found: Difference) => Promise<Logged> } = {},
): Promise<T> {
  const found = existing(await findDifference(existingId(request), request.scope));
  const { merchantId, midId, kind } = found;
  const subject = `settlement_difference:${found.id}`;
  const after = { kind, mid: midId, ...(await more(found)) };
  await logAction(request, action, subject, { merchantId, after });
  const done = await carryOut(found, `user:${request.viewer.id}`);
  if (done) return done;
  throw await loggedRefusal(request, action, subject, message, { merchantId });
}

const existingId = ({ params: { id = '' } }: DashboardRequest) => existing(isUuid(id) ? id : null);

const seenOf = ({ deltaMinor, currency: code }: z.output<typeof seenInput>): Seen => ({
  deltaMinor: BigInt(deltaMinor),
  currency: code,
});

/** The amount of a decision as its user has seen it. */
function amountOf({ deltaMinor, currency: code }: Seen): string {
  return exponentOf(code) === null ? String(deltaMinor) : `${formatAmount(deltaMinor, code)} ${code}`;
}

/** Stores an explanation; the difference remains open. */
export async function explainAction(request: DashboardRequest) {
  const { note } = parseBody(noteInput, request.body);
  const more = async () => ({ reason: note });
  await act(request, 'settlement_difference.explain', ({ id }, by) => explain({ id, by, note }), { more });
  return { state: 'open' };
}

const resolving = (action: Name, resolution: Resolution, message: string) => async (request: DashboardRequest) => {
  const { note, ...rest } = parseBody(decisionInput, request.body);
  const seen = seenOf(rest);
  const more = async () => ({ reason: note, amount: amountOf(seen), resolution });
  const state = await act(
    request,
    action,
    ({ id }, by) => resolveDifference({ id, by, note, resolution, ...seen, now: request.now }),
    { message, more },
  );
  return { state };
};

/** Posts an entry that settles the difference, or proposes it above the merchant's limit. */
export const adjustAction = resolving(
  'settlement_difference.adjust',
  'adjusted',
  'No entry can settle this difference, or it was changed by someone else, or its amount has changed. Reload the list.',
);

/** Closes the difference without an entry, or proposes it above the merchant's limit. */
export const acceptAction = resolving('settlement_difference.accept', 'accepted', changed);

/**
 * Carries out the proposal of another user, who manages every merchant: an owner of the merchant could invite a second account of
 * their own.
 */
export async function approveAction(request: DashboardRequest) {
  const seen = seenOf(parseBody(seenInput, request.body));
  const isManager = seesEveryMerchant(request.viewer.role);
  const message = `An account manager other than the proposer has to approve it. Or: ${changed}`;
  const more = async (found: Difference) => ({
    amount: amountOf(seen),
    resolution: found.resolution,
    limit: await limitOf(found),
  });
  const carryOut = async ({ id }: Difference, by: string) =>
    isManager && approve({ id, by, ...seen, now: request.now });
  await act(request, 'settlement_difference.approve', carryOut, { message, more });
  return { state: 'closed' };
}

/** The merchant's limit in the currency of a difference, as text; null for none. */
async function limitOf(difference: Difference): Promise<string | null> {
  const code = currencyOf(difference);
  const limits = await findLimits({ merchant: difference.merchantId });
  return moneyOf(limits.find((limit) => limit.currency === code)?.minor ?? null, code);
}

/** Opens a proposed difference again. */
export async function rejectAction(request: DashboardRequest) {
  const more = async (found: Difference) => ({
    amount: `${formatAmount(found.deltaMinor, currencyOf(found))} ${currencyOf(found)}`,
    resolution: found.resolution,
  });
  await act(request, 'settlement_difference.reject', ({ id }) => reject(id), { more });
  return { state: 'open' };
}
