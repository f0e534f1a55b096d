/** The list of differences between settlement reports and the ledger, and what users do about one. */
import { z } from 'zod';
import { type AuditAction, may } from '../../auth/index.ts';
import { isUuid } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import {
  approve,
  type Difference,
  differenceColumns,
  explain,
  findDifference,
  type Resolution,
  reject,
  resolveDifference,
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
    choice(
      'adjustable',
      'Entry',
      optionsOf({ yes: 'Can be adjusted', no: 'Cannot be adjusted' }),
      (value) => `d.delta_minor ${value === 'yes' ? '<>' : '='} 0`,
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

const personOf = (by: string | null, name: string | null) =>
  by === 'florin' ? 'Florin' : by && (name ?? 'A deleted user');

/** A difference in the list. */
export function toRow(row: Row, { viewer }: PageContext) {
  const { reportedMinor, reportedCurrency, expectedMinor, expectedCurrency, deltaMinor, state } = row;
  const code = reportedCurrency ?? expectedCurrency ?? 'EUR';
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
    adjustment: deltaMinor === 0n ? null : moneyOf(deltaMinor, code),
    notedBy: personOf(row.notedBy, row.notedByName),
    proposedBy: personOf(row.proposedBy, row.proposedByName),
    closedBy: personOf(row.closedBy, row.closedByName),
    mayDecide: mayWrite && state === 'open',
    mayApprove: mayWrite && state === 'proposed' && !isOwn,
    mayReject: mayWrite && state === 'proposed',
    mayChangeLimits: may(viewer.role, 'settings.change'),
  };
}

const noteInput = z.object({ note: textLine(500).min(3, 'Enter the reason.') });
const changed = 'The difference was changed by someone else. Reload the list.';

type Name = Extract<AuditAction, `settlement_difference.${string}`>;

/** Logs an action on the difference in the address and carries it out; a refusal is logged too. */
async function act<T>(
  request: DashboardRequest,
  action: Name,
  note: string | null,
  carryOut: (found: Difference, by: string) => Promise<T | null | false>,
  message = changed,
): Promise<T> {
  const found = existing(await findDifference(existingId(request), request.scope));
  const { merchantId } = found;
  const subject = `settlement_difference:${found.id}`;
  await logAction(request, action, subject, { merchantId, after: { kind: found.kind, ...(note && { reason: note }) } });
  const done = await carryOut(found, `user:${request.viewer.id}`);
  if (done) return done;
  throw await loggedRefusal(request, action, subject, message, { merchantId });
}

const existingId = ({ params: { id = '' } }: DashboardRequest) => existing(isUuid(id) ? id : null);

/** Stores an explanation; the difference remains open. */
export async function explainAction(request: DashboardRequest) {
  const { note } = parseBody(noteInput, request.body);
  await act(request, 'settlement_difference.explain', note, ({ id }, by) => explain({ id, by, note }));
  return { state: 'open' };
}

const resolving = (action: Name, resolution: Resolution, message: string) => async (request: DashboardRequest) => {
  const { note } = parseBody(noteInput, request.body);
  const state = await act(
    request,
    action,
    note,
    ({ id }, by) => resolveDifference({ id, by, note, resolution, now: request.now }),
    message,
  );
  return { state };
};

/** Posts an entry that settles the difference, or proposes it above the merchant's limit. */
export const adjustAction = resolving(
  'settlement_difference.adjust',
  'adjusted',
  'No entry can settle this difference, or it was changed by someone else. Reload the list.',
);

/** Closes the difference without an entry, or proposes it above the merchant's limit. */
export const acceptAction = resolving('settlement_difference.accept', 'accepted', changed);

/** Carries out the proposal of another user. */
export async function approveAction(request: DashboardRequest) {
  const message = 'Another user has to approve your proposal, or it was changed by someone else.';
  await act(
    request,
    'settlement_difference.approve',
    null,
    ({ id }, by) => approve({ id, by, now: request.now }),
    message,
  );
  return { state: 'closed' };
}

/** Opens a proposed difference again. */
export async function rejectAction(request: DashboardRequest) {
  await act(request, 'settlement_difference.reject', null, ({ id }) => reject(id));
  return { state: 'open' };
}
