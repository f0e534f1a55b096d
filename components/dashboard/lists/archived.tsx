// What the search of a list finds among the archived payments.
import type { ArchivedLine } from '../../../lib/dashboard/lists/contract.ts';
import { dateTimeText } from '../times.ts';
import { Empty, Pairs } from '../ui/parts.tsx';
import { useZone } from '../zone.tsx';

export function Archived({ payments }: { payments: readonly ArchivedLine[] }) {
  const zone = useZone();
  return (
    <Empty title="Archived">
      <p>The rows of this payment were moved to a file of the archive. An operator of the deployment can read it.</p>
      {payments.map(({ id, orderNumber, amount, currency, status, createdAt, archivedAt, file }) => (
        <Pairs
          key={id}
          of={[
            ['Order', orderNumber, 'mono'],
            ['payment_id', id, 'mono'],
            ['Amount', `${amount} ${currency}`],
            ['Status', status],
            ['Created', dateTimeText(createdAt, zone)],
            ['Archived', dateTimeText(archivedAt, zone)],
            ['File', file, 'mono break-all'],
          ]}
          className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-1"
        />
      ))}
    </Empty>
  );
}
