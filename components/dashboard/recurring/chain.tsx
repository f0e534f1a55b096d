'use client';
// The page of a recurring agreement: its initial payment, its schedule and its subsequent charges.
import Link from 'next/link';
import type { ChainPage } from '../../../lib/dashboard/lists/contract.ts';
import { AmountCell } from '../amount.tsx';
import { MethodText } from '../lists/list-cells.tsx';
import { Identifier, ObjectPage, ObjectPart, PaymentLines } from '../lists/object-head.tsx';
import { useObject } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { Subscriptions } from './subscriptions.tsx';

const refreshMilliseconds = 15_000;

export function ChainView({ initial }: { initial: ChainPage }) {
  const path = `/chains/${initial.id}`;
  const { page: chain } = useObject(path, initial, { refetchInterval: refreshMilliseconds });
  return (
    <ObjectPage
      title={<AmountCell amount={chain.amount} currency={chain.currency} />}
      state={chain.state}
      about={
        <>
          Initial order <code className="mono">{chain.orderNumber}</code>, {chain.description}
        </>
      }
      actions={[{ text: 'View initial payment', icon: 'payments', href: `/dashboard/payments/${chain.id}` }]}
      facts={{
        Card: <MethodText means={chain.card} />,
        Started: <Time at={chain.createdAt} as="date and time" />,
        'Subsequent charges': chain.charges,
        ...nextOf(chain),
        recurring_token: <Identifier text={chain.masked} whole={chain.token} what="recurring_token" />,
        recurring_init_trans_id: <Identifier whole={chain.firstTransId} what="recurring_init_trans_id" />,
      }}
      groups={chain.groups}
    >
      {chain.subscriptions.length > 0 ? (
        <ObjectPart title="Schedules" table>
          <Subscriptions rows={chain.subscriptions} of="chain" />
        </ObjectPart>
      ) : null}
      <ObjectPart title="Subsequent charges" table>
        <PaymentLines
          caption="Subsequent charges"
          initial={chain.later}
          path={path}
          pick={({ later }: ChainPage) => later}
          empty={
            chain.state === 'scheduled'
              ? 'None yet: the schedule makes the first one automatically.'
              : 'None yet: your server charges the card with recurring_token, or adds it to a schedule.'
          }
        />
      </ObjectPart>
    </ObjectPage>
  );
}

function nextOf({ state, schedule, stoppedAt }: ChainPage) {
  if (stoppedAt) return { Stopped: <Time at={stoppedAt} as="date and time" /> };
  if (state !== 'scheduled' || !schedule) return { 'Next charge': 'on your server’s request' };
  return {
    [schedule.paused ? 'Next charge, paused' : 'Next charge']: (
      <>
        <Time at={schedule.dueAt} as="date and time" />{' '}
        <Link href={`/dashboard/schedules/${schedule.id}`} prefetch={false} className="text-accent">
          {schedule.name}
        </Link>
      </>
    ),
  };
}
