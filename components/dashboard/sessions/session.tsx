'use client';
// A session's page: offered methods, attempts, and where the payer is redirected.
import clsx from 'clsx';
import type { AttemptLine, SessionPage } from '../../../lib/dashboard/lists/contract.ts';
import { Status } from '../../ui/status.tsx';
import { AmountCell } from '../amount.tsx';
import { MethodText } from '../lists/list-cells.tsx';
import { ObjectPage, ObjectPart } from '../lists/object-head.tsx';
import { Pairs, Tag, useObject } from '../ui/index.ts';
import { Time } from '../zone.tsx';

const restingMilliseconds = 15_000;
const movingMilliseconds = 2_000;

export function SessionView({ initial }: { initial: SessionPage }) {
  const { page: session } = useObject(`/sessions/${initial.id}`, initial, {
    refetchInterval: ({ state }) => (state.data?.state === 'trying' ? movingMilliseconds : restingMilliseconds),
  });
  return (
    <ObjectPage
      title={<AmountCell amount={session.amount} currency={session.currency} />}
      state={session.state}
      about={
        <>
          Order <code className="mono">{session.orderNumber}</code>, {session.description}
        </>
      }
      actions={[{ text: 'View payment', icon: 'payments', href: `/dashboard/payments/${session.id}` }]}
      facts={{
        Created: <Time at={session.createdAt} as="date and time" />,
        [endName(session)]: <Time at={session.cancelledAt ?? session.expiresAt} as="date and time" />,
        Payment: <Status status={session.status} />,
        Attempts: session.attempts,
      }}
      groups={session.groups}
    >
      <ObjectPart title="Attempts">
        {session.tries.length === 0 ? (
          <p className="mt-2 text-ink2">{noAttempts(session)}</p>
        ) : (
          <ol className="mt-2">
            {session.tries.map((each) => (
              <Attempt key={each.id} line={each} />
            ))}
          </ol>
        )}
      </ObjectPart>
      <ObjectPart title="Methods offered" count={session.offered.length || 'all'}>
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
      </ObjectPart>
      <ObjectPart title="Redirects">
        <Pairs
          className="mt-2 grid gap-2 md:grid-cols-[148px_minmax(0,1fr)] [&_dt]:font-mono [&_dt]:text-xs [&_dt]:leading-5"
          of={session.addresses.map(({ name, url }) => [name, url, 'break-all'])}
        />
      </ObjectPart>
    </ObjectPage>
  );
}

function endName({ state, cancelledAt }: SessionPage): string {
  if (cancelledAt) return 'Cancelled by the payer';
  return state === 'expired' ? 'Expired' : 'Expires';
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
