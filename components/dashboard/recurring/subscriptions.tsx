'use client';
// Subscriptions as a table: those of a schedule link to recurring payments, those of a recurring payment to schedules.
import { amount, payer } from '../../../lib/dashboard/lists/columns.ts';
import type { ColumnDef, SubscriptionRow } from '../../../lib/dashboard/lists/contract.ts';
import { tableColumns } from '../lists/list-cells.tsx';
import { Button, type Column, ObjectTable } from '../ui/index.ts';
import { Time } from '../zone.tsx';

type Props = { rows: SubscriptionRow[]; of: 'schedule' | 'chain'; onEnd?: (row: SubscriptionRow) => void };

const money: ColumnDef[] = [
  { ...amount, width: 150 },
  { id: 'card', head: 'Card', kind: 'method' },
];
const completed: ColumnDef = { id: 'completed', head: 'Completed', align: 'end', width: 90 };
const ofSchedule = [{ id: 'orderNumber', head: 'Initial order', width: '24%' }, ...money, payer, completed];
const ofChain = [{ id: 'scheduleName', head: 'Schedule', width: '24%' }, ...money, completed];
const nextColumn: Column<SubscriptionRow> = {
  id: 'next',
  head: 'Next',
  align: 'end',
  width: 190,
  cell: (row) => <Next row={row} />,
};

export function Subscriptions({ rows, of, onEnd }: Props) {
  const columns = [...tableColumns(of === 'schedule' ? ofSchedule : ofChain), nextColumn];
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
      empty={<p className="px-gutter py-4 text-ink2">No subscribers yet.</p>}
    />
  );
}

const reasons: Record<string, string> = { completed: 'Completed', descheduled: 'Ended' };

const stopReasons: Record<string, string> = {
  early: 'its date was not reached',
  interval: 'less than one interval after the previous charge',
  spacing: 'too soon after the previous charge',
};

function Next({ row: { dueAt, stopReason, retries, braked } }: { row: SubscriptionRow }) {
  if (dueAt === null) return <span className="text-ink3">{reasons[stopReason ?? ''] ?? stopReason ?? 'Ended'}</span>;
  return (
    <>
      {retries > 0 ? <span className="mr-1.5 text-warn">Attempt {retries + 1}</span> : null}
      <Time at={dueAt} as="day and time" />
      {braked ? <span className="block text-xs text-warn">Skipped: {stopReasons[braked] ?? braked}</span> : null}
    </>
  );
}
