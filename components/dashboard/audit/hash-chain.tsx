'use client';
// The chain check of the audit log: a band above the entries with the result and a button.
import { useMutation } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { HashChainState } from '../../../lib/dashboard/audit/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { Icon } from '../icons.tsx';
import { Button, request } from '../ui/index.ts';
import { Time } from '../zone.tsx';

/** The last check on this page. */
export const useHashChain = () => useMutation({ mutationFn: () => request<HashChainState>('/audit-log/chain') });

type BannerProps = { chain: ReturnType<typeof useHashChain>; ofMerchant: boolean };

export function HashChainBanner({ chain, ofMerchant }: BannerProps) {
  const { data: state = null, isPending, error } = chain;
  const broken = state?.brokenAt != null;
  const scope = ofMerchant
    ? 'The check reads the whole log, of which you see your merchant’s entries.'
    : 'The check reads the whole log and finds changed or removed entries.';
  return (
    <div
      role="status"
      className={clsx(
        'flex min-h-[52px] flex-wrap items-center gap-x-4 gap-y-2 border-b px-gutter py-2.5 text-sm',
        state === null && 'border-line bg-sub',
        state !== null && (broken ? 'border-bad-line bg-bad-soft' : 'border-line bg-ok-soft'),
      )}
    >
      <span className={clsx(state === null && 'text-ink3', state !== null && (broken ? 'text-bad' : 'text-ok'))}>
        {broken ? <ErrorIcon /> : <Icon name="shield" size={18} />}
      </span>
      <p className="min-w-0 flex-1 basis-72">
        {error?.message ?? (state === null ? <Result title={unchecked}>{scope}</Result> : <Checked state={state} />)}
      </p>
      {state?.head ? (
        <span className="flex items-center gap-2 text-xs text-ink2">
          <code>head {shortHash(state.head)}</code>
          <CopyButton text={state.head} what="head" word />
        </span>
      ) : null}
      <Button size="small" icon="again" busy={isPending} onClick={() => chain.mutate()}>
        {state === null ? 'Verify chain' : 'Verify again'}
      </Button>
    </div>
  );
}

function Checked({ state }: { state: HashChainState }) {
  const { entries, since, checkedAt, brokenAt } = state;
  const count = `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`;
  if (brokenAt) {
    return (
      <Result title={`The chain is broken at entry ${brokenAt.entry}`}>
        of <Time at={brokenAt.at} as="date and time" />:{' '}
        {brokenAt.why === 'altered' ? 'it was changed afterwards' : 'the entry before it was changed or removed'}. The{' '}
        {count} up to there were read.
      </Result>
    );
  }
  return (
    <Result title="The chain is intact">
      {count}
      {since ? ' since ' : null}
      {since ? <Time at={since} as="date and time" /> : null}, checked <Time at={checkedAt} />. No entry was changed or
      removed.
    </Result>
  );
}

const unchecked = 'Each entry contains the hash of the one before it.';

function Result({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <b className="mr-2">{title}</b>
      <span className="text-ink2">{children}</span>
    </>
  );
}

/** The ends of a hash. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 4)}…${hash.slice(-4)}`;
}
