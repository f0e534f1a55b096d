// The columns of the payments list. The amount is first and the time last; the others can be chosen.

import type { PaymentRow } from '../../../lib/dashboard/contract';
import { Status } from '../../ui/status';
import { AmountCell } from '../amount';
import type { Column } from '../ui';
import { Time } from '../zone';
import type { ListOrder } from './order';

/** The selectable columns in order. */
export const choosable = [
  { id: 'status', name: 'Status' },
  { id: 'order', name: 'Order' },
  { id: 'method', name: 'Method' },
  { id: 'payer', name: 'Payer' },
  { id: 'merchant', name: 'Merchant' },
  { id: 'mid', name: 'MID' },
  { id: 'channel', name: 'Channel' },
  { id: 'description', name: 'Description' },
  { id: 'captured', name: 'Captured' },
  { id: 'refunded', name: 'Refunded' },
  { id: 'country', name: 'Country' },
  { id: 'payment_id', name: 'payment_id' },
  { id: 'trans_id', name: 'trans_id' },
  { id: 'settled', name: 'Settled' },
] as const;

type ColumnId = (typeof choosable)[number]['id'];

/** The default columns. */
export function usualColumns(manyMerchants: boolean): ColumnId[] {
  return ['status', 'order', 'method', 'payer', manyMerchants ? 'merchant' : 'mid'];
}

const none = <span className="text-ink3">–</span>;

const cells: Record<ColumnId, Omit<Column<PaymentRow>, 'id' | 'head'>> = {
  status: { cell: statusOf, width: 176 },
  order: { cell: ({ orderNumber }) => orderNumber, width: 124, mono: true },
  method: { cell: methodOf, width: 168, hideBelow: 'lg', hideOnPhone: true },
  payer: { cell: ({ payer }) => payer ?? none },
  merchant: { cell: ({ merchantName }) => merchantName, width: 116, hideBelow: 'lg', hideOnPhone: true },
  mid: { cell: ({ midName }) => midName ?? none, width: 116, hideBelow: 'lg', hideOnPhone: true },
  channel: { cell: ({ channel }) => channel, width: 150, hideBelow: 'xl', hideOnPhone: true },
  description: { cell: ({ description }) => description, hideBelow: 'xl', hideOnPhone: true },
  captured: { cell: ({ captured }) => captured, width: 104, align: 'end', hideBelow: 'xl', hideOnPhone: true },
  refunded: { cell: ({ refunded }) => refunded, width: 104, align: 'end', hideBelow: 'xl', hideOnPhone: true },
  country: { cell: ({ country }) => country ?? none, width: 72, hideBelow: 'xl', hideOnPhone: true },
  payment_id: { cell: ({ id }) => id, width: '14%', mono: true, hideBelow: 'xl', hideOnPhone: true },
  trans_id: { cell: ({ transId }) => transId ?? none, width: '14%', mono: true, hideBelow: 'xl', hideOnPhone: true },
  settled: {
    cell: ({ settledAt }) => (settledAt ? <Time at={settledAt} as="day and time" /> : none),
    width: 140,
    align: 'end',
    hideBelow: 'xl',
    hideOnPhone: true,
  },
};

/** Sorts the list. */
type Sort = (order: ListOrder) => void;

/** The selected columns of the table. */
export function paymentColumns(chosen: readonly string[], order: ListOrder, sort: Sort): Column<PaymentRow>[] {
  const between = choosable.filter(({ id }) => chosen.includes(id));
  return [
    {
      id: 'amount',
      head: 'Amount',
      align: 'end',
      width: 124,
      sorted: ({ largest: 'descending', smallest: 'ascending' } as const)[order as string],
      onSort: () => sort(order === 'largest' ? 'smallest' : 'largest'),
      cell: amountOf,
    },
    ...between.map(({ id, name }) => ({ id, head: name, ...cells[id] })),
    {
      id: 'created',
      head: 'Created',
      align: 'end',
      width: 136,
      sorted: ({ newest: 'descending', oldest: 'ascending' } as const)[order as string],
      onSort: () => sort(order === 'newest' ? 'oldest' : 'newest'),
      cell: ({ createdAt }) => <Time at={createdAt} as="day and time" />,
    },
  ];
}

function amountOf({ amount, currency }: PaymentRow) {
  return <AmountCell amount={amount} currency={currency} />;
}

function statusOf({ status, remark }: PaymentRow) {
  return (
    <span className="flex min-w-0 gap-2">
      <Status status={status} />
      {remark ? <span className="truncate text-ink3 phone:hidden">{remark}</span> : null}
    </span>
  );
}

function methodOf({ method }: PaymentRow) {
  if (!method) return none;
  return (
    <>
      {method.name}
      {method.last4 ? <span className="figures"> •••• {method.last4}</span> : null}
    </>
  );
}
