/** Unresolved items: the list, and the decision about one. */
import { z } from 'zod';
import { audit, may } from '../../auth';
import { formatAmount } from '../../core/money';
import { findUnresolved, resolveManually, type UnresolvedKind, unresolvedKinds } from '../../payments';
import { DashboardError } from '../errors';
import { textLine } from '../form-fields';
import type { DashboardRequest } from '../guard';
import type { ListOf, UnresolvedRow } from '../lists/contract';
import { readPage } from '../lists/paging';
import { type ListRequest, readChoice, readChoices, readCode, readListParams } from '../lists/params';
import { parseBody } from '../parse-body';
import { subjectOf } from '../payments/payment';
import { type ListedUnresolved, listUnresolved } from './queries';

const kinds = Object.keys(unresolvedKinds) as UnresolvedKind[];

/** A page of the items: `q`, `state` (open, closed), `kind`, `currency`, `from`, `to`. */
export async function unresolvedList({ query, scope, zone, viewer }: ListRequest): Promise<ListOf<UnresolvedRow>> {
  const params = readListParams(query, zone);
  const state = readChoice(query, 'state', ['open', 'closed'] as const);
  const filter = {
    ...params,
    merchantId: scope,
    open: state && state === 'open',
    kinds: readChoices(query, 'kind', kinds),
    currency: readCode(query, 'currency'),
  };
  const page = await readPage(
    params,
    (place) => listUnresolved(filter, place),
    ({ item }) => item,
  );
  const mayClose = may(viewer.role, 'unresolved.close');
  return { ...page, rows: page.rows.map((row) => rowOf(row, mayClose)) };
}

const nextSteps = { void: 'Florin will void it', refund: 'Florin will refund it', task: null } as const;

function rowOf(row: ListedUnresolved, mayClose: boolean): UnresolvedRow {
  const { item, payment, merchantName, requested, undecided, closedByName } = row;
  const { id, kind, reason, amount, action, closedAt, closedBy, resolution, createdAt } = item;
  return {
    id,
    kind,
    reason,
    amount: formatAmount(amount.minor, amount.currency),
    currency: amount.currency,
    requested: `${formatAmount(requested.minor, requested.currency)} ${requested.currency}`,
    orderNumber: payment.orderNumber,
    paymentId: payment.id,
    next: closedAt ? null : nextSteps[action],
    state: closedAt ? 'closed' : 'open',
    resolution,
    closedBy: closedBy === 'florin' ? 'Florin' : closedBy && (closedByName ?? 'A deleted user'),
    closedAt: closedAt?.toISOString() ?? null,
    undecided,
    mayClose: mayClose && closedAt === null && action === 'task',
    merchantName,
    createdAt: createdAt.toISOString(),
  };
}

const closeInput = z.object({
  decision: z.enum(['closed', 'approved', 'declined'], 'Choose the outcome.'),
  note: textLine(200).min(3, 'Enter what was done.'),
});

/** Closes an item with a user's decision; the note is stored with it. */
export async function closeAction(request: DashboardRequest): Promise<{ closed: true } | null> {
  const { viewer, scope, now, params } = request;
  const { decision, note } = parseBody(closeInput, request.body);
  const item = await findUnresolved(params.id ?? '', scope);
  if (!item) return null;
  if (item.closedAt !== null) throw new DashboardError(409, 'This item is closed already.');
  if (item.action !== 'task') throw new DashboardError(409, 'Florin is still working on this item.');
  const entry = { actor: `user:${viewer.id}`, action: 'unresolved.close', subject: subjectOf(item.paymentId) };
  const { merchantId } = item;
  const after = { item: item.reason, decision, reason: note };
  await audit({ ...entry, after, merchantId }, now);
  if (await resolveManually(item, decision, { by: `user:${viewer.id}`, note }, now)) return { closed: true };
  const message = 'The operation was changed by someone else. Reload the list.';
  await audit({ ...entry, action: `${entry.action}.refused`, after: { ...after, message }, merchantId }, now);
  throw new DashboardError(409, message);
}
