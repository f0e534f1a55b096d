/** The list of unresolved items: differences between a provider and a payment. */
import { may } from '../../auth';
import { formatAmount } from '../../core/money';
import {
  type PaymentRow,
  paymentColumns,
  toPayment,
  toUnresolved,
  type UnresolvedRow as UnresolvedSqlRow,
  unresolvedColumns,
} from '../../payments';
import { amount, created, merchant, order } from '../lists/columns';
import type { UnresolvedRow } from '../lists/contract';
import { choice, choices, currency, days, optionsOf } from '../lists/filters';
import { type ListRequest, resource } from '../lists/resource';
import { unresolvedKindLabels } from './labels';

type Row = UnresolvedSqlRow &
  PaymentRow & {
    merchantName: string;
    requestedMinor: bigint;
    requestedCurrency: string;
    undecided: boolean;
    /** The name of the user who closed it; null if Florin did, or the user was deleted. */
    closedByName: string | null;
  };

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

function toRow(row: Row, { viewer }: ListRequest): UnresolvedRow {
  const { id, orderNumber } = toPayment(row);
  const { amount: money, action, closedAt, closedBy, createdAt, ...item } = toUnresolved(row);
  return {
    id: item.id,
    kind: item.kind,
    reason: item.reason,
    amount: formatAmount(money.minor, money.currency),
    currency: money.currency,
    requested: `${formatAmount(row.requestedMinor, row.requestedCurrency)} ${row.requestedCurrency}`,
    orderNumber,
    paymentId: id,
    next: closedAt ? null : nextSteps[action],
    state: closedAt ? 'closed' : 'open',
    resolution: item.resolution,
    closedBy: closedBy === 'florin' ? 'Florin' : closedBy && (row.closedByName ?? 'A deleted user'),
    closedAt: closedAt?.toISOString() ?? null,
    undecided: row.undecided,
    mayClose: closedAt === null && action === 'task' && may(viewer.role, 'unresolved.close'),
    merchantName: row.merchantName,
    createdAt: createdAt.toISOString(),
  };
}
