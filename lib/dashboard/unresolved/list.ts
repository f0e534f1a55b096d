/** The list of unresolved items, differences between a provider and a payment, and the decision about one. */

import { z } from 'zod';
import { may } from '../../auth/index.ts';
import { formatAmount } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import {
  findUnresolved,
  type PaymentRow,
  paymentColumns,
  reasonText,
  resolveManually,
  toPayment,
  toUnresolved,
  type UnresolvedRow,
  unresolvedColumns,
} from '../../payments/index.ts';
import { logAction } from '../changes.ts';
import { existing, parseBody, refusal, textLine } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { amount, created, merchant, order } from '../lists/columns.ts';
import { choice, choices, currency, days, optionsOf } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';
import { subjectOf } from '../payments/payment.ts';
import { unresolvedKindLabels } from './labels.ts';

type Row = UnresolvedRow &
  PaymentRow & {
    merchantName: string;
    requestedMinor: bigint;
    requestedCurrency: string;
    undecided: boolean;
    /** The name of the user who closed it; null if Florin did, or the user was deleted. */
    closedByName: string | null;
  };

/** The list of differences between a provider and a payment, open and closed. */
export const unresolved = resource({
  name: 'unresolved',
  title: 'Unresolved',
  nouns: ['item', 'items'],
  search: 'Payment, order, email, last four',
  filters: [
    choice(
      'state',
      'State',
      optionsOf({ open: 'Open', closed: 'Closed' }),
      (value) => `u.closed_at is ${value === 'open' ? '' : 'not '}null`,
    ),
    choices(
      'kind',
      'Difference',
      optionsOf(unresolvedKindLabels),
      (values, add) => `u.kind = any(${add(values)}::text[])`,
    ),
    days('Opened', 'opened'),
    currency('u.currency'),
  ],
  views: [
    ['Open', 'state=open'],
    ['Closed', 'state=closed'],
  ],
  columns: [
    amount,
    { id: 'kind', head: 'Difference', labels: unresolvedKindLabels, width: '30%' },
    order,
    { id: 'state', head: 'State', kind: 'unresolved', width: 132 },
    ...[merchant, created('Opened')],
  ],
  rowName: '{orderNumber}: {kind}',
  empty: {
    title: 'No unresolved items',
    texts: [
      'If a provider reports something that a payment does not account for, such as an approval after a decline or a different amount, it is listed here until the money is returned or a user closes it.',
    ],
  },
  source: {
    columns: `${unresolvedColumns}, ${paymentColumns}, m.name as "merchantName",
      (select w.name from users w where u.closed_by = 'user:' || w.id) as "closedByName",
      t.status in ('sent', 'challenge', 'redirect', 'waiting', 'unknown') as undecided,
      t.amount_minor as "requestedMinor", t.currency as "requestedCurrency"`,
    from: `unresolved u join payments p on p.id = u.payment_id join transactions t on t.id = u.transaction_id
      join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id`,
    at: 'u.created_at',
    id: 'u.id',
    merchant: 'u.merchant_id',
  },
  toRow,
});

const nextSteps = { void: 'Florin will void it', refund: 'Florin will refund it', task: null } as const;

/** An item in the list. */
export function toRow(row: Row, { viewer }: PageContext) {
  const { id: paymentId, orderNumber } = toPayment(row);
  const item = toUnresolved(row);
  const { amount: money, action, closedAt, closedBy } = item;
  const { requestedMinor, requestedCurrency, closedByName } = row;
  return {
    ...pick(item, 'id', 'kind', 'resolution', 'closedAt', 'createdAt'),
    reason: reasonText(item),
    orderNumber,
    paymentId,
    /** `undecided`: whether the operation has no outcome yet, so that closing the item decides it. */
    ...pick(row, 'merchantName', 'undecided'),
    amount: formatAmount(money.minor, money.currency),
    currency: money.currency,
    /** The amount and currency of the operation: what `approved` books. */
    requested: `${formatAmount(requestedMinor, requestedCurrency)} ${requestedCurrency}`,
    /** What Florin does next; null if a user must act or nothing remains. */
    next: closedAt ? null : nextSteps[action],
    state: closedAt ? ('closed' as const) : ('open' as const),
    closedBy: closedBy === 'florin' ? 'Florin' : closedBy && (closedByName ?? 'A deleted user'),
    mayClose: closedAt === null && action === 'task' && may(viewer.role, 'unresolved.close'),
  };
}

const closeInput = z.object({
  decision: z.enum(['closed', 'approved', 'declined'], 'Choose the outcome.'),
  note: textLine(200).min(3, 'Enter what was done.'),
});

/** Closes an item with a user's decision; the note is stored with it. */
export async function closeAction(request: DashboardRequest) {
  const { viewer, scope, now, params } = request;
  const { decision, note } = parseBody(closeInput, request.body);
  const item = existing(await findUnresolved(params.id ?? '', scope));
  if (item.closedAt !== null) throw refusal('This item is closed already.');
  if (item.action !== 'task') throw refusal('Florin is still working on this item.');
  const { merchantId } = item;
  const subject = subjectOf(item.paymentId);
  const after = { item: item.reason, decision, reason: note };
  await logAction(request, 'unresolved.close', subject, { after, merchantId });
  if (await resolveManually(item, decision, { by: `user:${viewer.id}`, note }, now)) return { closed: true };
  const message = 'The operation was changed by someone else. Reload the list.';
  await logAction(request, 'unresolved.close.refused', subject, { after: { ...after, message }, merchantId });
  throw refusal(message);
}
