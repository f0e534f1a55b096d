'use client';
// A session's page: offered methods, attempts, and where the payer is redirected.
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { AttemptLine, SessionPage } from '../../../lib/dashboard/lists/contract.ts';
import { Status } from '../../ui/status.tsx';
import { AmountCell } from '../amount.tsx';
import { Facts } from '../facts.tsx';
import { MethodText } from '../lists/list-cells.tsx';
import { ObjectHead } from '../lists/object-head.tsx';
import { LinkButton, request, Tag } from '../ui/index.ts';
import { Time } from '../zone.tsx';

const restingMilliseconds = 15_000;
const movingMilliseconds = 2_000;

export function SessionView({ initial }: { initial: SessionPage }) {
  const { data: session = initial } = useQuery({
    queryKey: ['session', initial.id],
    queryFn: () => request<SessionPage>(`/sessions/${initial.id}`),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.state === 'trying' ? movingMilliseconds : restingMilliseconds),
  });
  return (
    <>
      <ObjectHead
        title={<AmountCell amount={session.amount} currency={session.currency} />}
        state={session.state}
        about={
          <>
            Order <code className="mono">{session.orderNumber}</code>, {session.description}
          </>
        }
        actions={
          <LinkButton href={`/dashboard/payments/${session.id}`} icon="payments">
            View payment
          </LinkButton>
        }
        facts={[
          { name: 'Created', value: <Time at={session.createdAt} as="date and time" /> },
          endOf(session),
          { name: 'Payment', value: <Status status={session.status} /> },
          { name: 'Attempts', value: session.attempts },
        ]}
      />
      <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_348px]">
        <Course session={session} />
        <aside
          aria-label="Facts"
          className="grid content-start gap-5 border-line px-gutter py-4 max-lg:border-t lg:border-l"
        >
          <Facts groups={session.groups} />
        </aside>
      </div>
    </>
  );
}

/** The attempts, the offered methods, and the redirects. */
function Course({ session }: { session: SessionPage }) {
  return (
    <div className="min-w-0">
      <Part title="Attempts">
        {session.tries.length === 0 ? (
          <p className="mt-2 text-ink2">{noAttempts(session)}</p>
        ) : (
          <ol className="mt-2">
            {session.tries.map((each) => (
              <Attempt key={each.id} line={each} />
            ))}
          </ol>
        )}
      </Part>
      <Part title="Methods offered" count={session.offered.length || 'all'}>
        {session.offered.length === 0 ? (
          <p className="mt-2 text-ink2">
            The request names no methods, so the payer can choose any method of the merchant's MIDs.
          </p>
        ) : (
          <ul className="mt-2.5 flex flex-wrap gap-1.5">
            {session.offered.map(({ id, name }) => (
              <li key={id}>
                <Tag>{name}</Tag>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Redirects">
        <dl className="mt-2 grid gap-2 md:grid-cols-[148px_minmax(0,1fr)]">
          {session.addresses.map(({ name, url }) => (
            <div key={name} className="contents">
              <dt className="font-mono text-xs leading-5 text-ink3">{name}</dt>
              <dd className="m-0 break-all">{url}</dd>
            </div>
          ))}
        </dl>
      </Part>
    </div>
  );
}

function Part({ title, count, children }: { title: string; count?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b border-line px-gutter py-4 last:border-b-0">
      <h2 className="text-base font-semibold">
        {title} {count ? <span className="figures font-normal text-ink3">{count}</span> : null}
      </h2>
      {children}
    </section>
  );
}

function endOf({ state, cancelledAt, expiresAt }: SessionPage) {
  if (cancelledAt) return { name: 'Cancelled by the payer', value: <Time at={cancelledAt} as="date and time" /> };
  const name = state === 'expired' ? 'Expired' : 'Expires';
  return { name, value: <Time at={expiresAt} as="date and time" /> };
}

function noAttempts({ state }: SessionPage): string {
  if (state === 'open') return 'None yet. The link is open, and the payer has not submitted anything.';
  if (state === 'cancelled') return 'None: the payer returned to the shop.';
  return 'None: the payer submitted nothing before the link expired.';
}

const tones = { ok: 'text-ok', bad: 'text-bad', warn: 'text-warn' };

function Attempt({ line: { at, what, method, midName, outcome, detail } }: { line: AttemptLine }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-t border-line py-2 first:border-t-0">
      <Time at={at} as="day and time" />
      <span className="font-strong">
        {what} by <MethodText means={method} />
      </span>
      <span className={clsx('font-medium', tones[outcome.tone])}>{outcome.text}</span>
      <span className="min-w-0 flex-1 text-ink3">{detail ? `${detail}, ${midName}` : midName}</span>
    </li>
  );
}
