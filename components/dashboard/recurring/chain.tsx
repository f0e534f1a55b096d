'use client';
// The page of a recurring agreement: its initial payment, its schedule and its subsequent charges.
import Link from 'next/link';
import type { ChainPage } from '../../../lib/dashboard/lists/contract.ts';
import { AmountCell } from '../amount.tsx';
import { Facts } from '../facts.tsx';
import { fetchLines, PaymentLines } from '../lists/cells.tsx';
import { MethodText } from '../lists/list-cells.tsx';
import { Identifier, ObjectHead, shortId } from '../lists/object-head.tsx';
import { LinkButton, useObject } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { Subscriptions } from './subscriptions.tsx';

const refreshMilliseconds = 15_000;

export function ChainView({ initial }: { initial: ChainPage }) {
  const path = `/chains/${initial.id}`;
  const { page: chain } = useObject(path, initial, { refetchInterval: refreshMilliseconds });
  return (
    <>
      <ObjectHead
        title={<AmountCell amount={chain.amount} currency={chain.currency} />}
        state={chain.state}
        about={
          <>
            Initial order <code className="mono">{chain.orderNumber}</code>, {chain.description}
          </>
        }
        actions={
          <LinkButton href={`/dashboard/payments/${chain.id}`} icon="payments">
            View initial payment
          </LinkButton>
        }
        facts={[
          { name: 'Card', value: <MethodText means={chain.card} /> },
          { name: 'Started', value: <Time at={chain.createdAt} as="date and time" /> },
          { name: 'Subsequent charges', value: chain.charges },
          nextOf(chain),
          {
            name: 'recurring_token',
            value: <Identifier text={chain.masked} whole={chain.token} what="recurring_token" />,
          },
          {
            name: 'recurring_init_trans_id',
            value: (
              <Identifier
                text={shortId(chain.firstTransId)}
                whole={chain.firstTransId}
                what="recurring_init_trans_id"
              />
            ),
          },
        ]}
      />
      <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_348px]">
        <Course chain={chain} path={path} />
        <aside
          aria-label="Facts"
          className="grid content-start gap-5 border-line px-gutter py-4 max-lg:border-t lg:border-l"
        >
          <Facts groups={chain.groups} />
        </aside>
      </div>
    </>
  );
}

/** The schedules that charge it, and every charge. */
function Course({ chain, path }: { chain: ChainPage; path: string }) {
  return (
    <div className="min-w-0">
      {chain.subscriptions.length > 0 ? (
        <section aria-labelledby="schedules" className="border-b border-line">
          <h2 id="schedules" className="px-gutter pt-4 pb-2 text-base font-semibold">
            Schedules
          </h2>
          <Subscriptions rows={chain.subscriptions} of="chain" />
        </section>
      ) : null}
      <section aria-labelledby="charges">
        <h2 id="charges" className="px-gutter pt-4 pb-2 text-base font-semibold">
          Subsequent charges
        </h2>
        <PaymentLines
          caption="Subsequent charges"
          name={['chain-charges', chain.id]}
          initial={chain.later}
          more={(query) => fetchLines<ChainPage>(path, query, ({ later }) => later)}
          empty={
            chain.state === 'scheduled'
              ? 'None yet: the schedule makes the first one automatically.'
              : 'None yet: your server charges the card with recurring_token, or adds it to a schedule.'
          }
        />
      </section>
    </div>
  );
}

function nextOf({ state, schedule, stoppedAt }: ChainPage) {
  if (stoppedAt) return { name: 'Stopped', value: <Time at={stoppedAt} as="date and time" /> };
  if (state !== 'scheduled' || !schedule) return { name: 'Next charge', value: 'on your server’s request' };
  return {
    name: schedule.paused ? 'Next charge, paused' : 'Next charge',
    value: (
      <>
        <Time at={schedule.dueAt} as="date and time" />{' '}
        <Link href={`/dashboard/schedules/${schedule.id}`} prefetch={false} className="text-accent">
          {schedule.name}
        </Link>
      </>
    ),
  };
}
