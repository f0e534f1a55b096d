'use client';
import type { SubscriptionRow } from '../../../lib/dashboard/lists/contract';
// Subscriptions as a table: of a schedule, leading to their chains, or of a chain, leading to their schedules.
import { AmountCell } from '../amount';
import { MethodText, TextOrDash } from '../lists/cells';
import { Button, type Column, ObjectTable } from '../ui';
import { Time } from '../zone';

type Props = {
  rows: SubscriptionRow[];
  of: 'schedule' | 'chain';
  /** Ends a subscription, where the person may. */
  onEnd?: (row: SubscriptionRow) => void;
};

export function Subscriptions({ rows, of, onEnd }: Props) {
  const columns: Column<SubscriptionRow>[] = [
    of === 'schedule'
      ? { id: 'order', head: 'First order', width: '24%', cell: ({ orderNumber }) => orderNumber }
      : { id: 'schedule', head: 'Schedule', width: '24%', cell: ({ scheduleName }) => scheduleName },
    {
      id: 'amount',
      head: 'Each time',
      align: 'end',
      width: 150,
      cell: ({ amount, currency }) => <AmountCell amount={amount} currency={currency} />,
    },
    { id: 'card', head: 'Card', cell: ({ card }) => <MethodText means={card} /> },
    ...(of === 'schedule'
      ? [
          {
            id: 'payer',
            head: 'Payer',
            hideOnPhone: true,
            cell: ({ payer }: SubscriptionRow) => <TextOrDash text={payer} />,
          },
        ]
      : []),
    {
      id: 'done',
      head: 'Done',
      align: 'end',
      width: 90,
      cell: ({ done, of: all }) => `${done} of ${all}`,
    },
    { id: 'next', head: 'Next', align: 'end', width: 190, cell: (row) => <Next row={row} /> },
  ];
  return (
    <ObjectTable
      caption="Subscriptions"
      columns={columns}
      rows={rows}
      rowHref={(row) =>
        of === 'schedule' ? `/dashboard/chains/${row.chainId}` : `/dashboard/schedules/${row.scheduleId}`
      }
      actions={
        onEnd &&
        ((row) =>
          row.stoppedAt ? null : (
            <Button size="small" onClick={() => onEnd(row)}>
              End
            </Button>
          ))
      }
      empty={<p className="px-gutter py-4 text-ink2">Nobody has subscribed yet.</p>}
    />
  );
}

const reasons: Record<string, string> = { completed: 'Completed', descheduled: 'Ended' };

const stopReasons: Record<string, string> = {
  early: 'its date has not come',
  interval: 'less than an interval after the charge before',
  spacing: 'soon after the charge before',
};

function Next({ row: { dueAt, stopReason, retries, braked } }: { row: SubscriptionRow }) {
  if (dueAt === null) return <span className="text-ink3">{reasons[stopReason ?? ''] ?? stopReason ?? 'Ended'}</span>;
  return (
    <>
      {retries > 0 ? <span className="mr-1.5 text-warn">Try {retries + 1}</span> : null}
      <Time at={dueAt} as="day and time" />
      {braked ? <span className="block text-xs text-warn">Stopped: {stopReasons[braked] ?? braked}</span> : null}
    </>
  );
}
