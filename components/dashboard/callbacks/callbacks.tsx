'use client';
// The callback log: messages to merchants' servers and their responses. One callback opens beside the list; all that a
// filter finds can be resent, and deliveries to an address can be paused.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { CallbackRow, CallbackSummary } from '../../../lib/dashboard/developers/contract.ts';
import {
  ActionError,
  Actions,
  BarButton,
  Button,
  ConfirmDialog,
  errorText,
  ListPage,
  type ListProps,
  Note,
  request,
  SelectionBar,
  useAction,
  useObject,
  useSelection,
  useToast,
} from '../ui/index.ts';
import { changedQuery } from '../ui/list-filters.tsx';
import { Time } from '../zone.tsx';
import { CallbackPanel } from './callback-panel.tsx';

type Props = ListProps<CallbackRow> & {
  summary: CallbackSummary;
  /** Today in the user's time zone, `2026-11-20`. */
  today: string;
  mayResend: boolean;
  mayHold: boolean;
};

export function Callbacks({ summary: first, today, mayResend, mayHold, ...list }: Props) {
  const params = useSearchParams();
  const [asking, setAsking] = useState<string | null>(null);
  const { page: summary } = useObject('/callbacks/summary', first, { refetchInterval: 15_000 });
  const views = [
    { id: 'all', title: 'All', query: '' },
    { id: 'today', title: 'Today', query: `from=${today}&to=${today}`, count: summary.today },
    { id: 'waiting', title: 'Waiting', query: 'state=waiting', count: summary.waiting },
    { id: 'failed', title: 'Failed', query: 'state=failed', count: summary.failed },
    { id: 'error', title: 'Answered ERROR', query: 'answer=error', count: summary.saidError },
  ];
  const filter = changedQuery(params, {}).toString();
  const selection = useSelection();
  return (
    <>
      <PausedHosts summary={summary} mayHold={mayHold} manyMerchants={list.view.manyMerchants} />
      <ListPage<CallbackRow>
        {...list}
        views={views}
        tools={
          <Actions
            of={[
              { text: 'Verify a callback', icon: 'verify', href: '/dashboard/callback-verifier' },
              mayResend &&
                filter !== '' && { text: 'Resend all found', icon: 'again', onClick: () => setAsking(filter) },
            ]}
          />
        }
        selection={mayResend ? selection : undefined}
        over={<SelectedCallbacks ids={selection.ids} onClear={selection.clear} />}
        panel={(open) => <CallbackPanel key={open.id} open={open} />}
      />
      {asking === null ? null : <ResendDialog filter={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** Resends the selected callbacks, one after the other; those of a payment keep their order. */
function SelectedCallbacks({ ids, onClear }: { ids: ReadonlySet<string>; onClear: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { run } = useAction();
  const resend = async () => {
    let failure = '';
    let sent = 0;
    for (const id of ids) {
      try {
        await request(`/callbacks/${id}/resend`, { body: {} });
        sent += 1;
      } catch (thrown) {
        failure = errorText(thrown);
      }
    }
    await client.invalidateQueries();
    onClear();
    toast(failure === '' ? `${countOf(sent)} queued.` : `${countOf(sent)} of ${ids.size} queued. ${failure}`);
  };
  return (
    <SelectionBar count={ids.size} onClear={onClear}>
      <BarButton icon="again" onClick={() => void run(resend)}>
        Resend {ids.size}
      </BarButton>
    </SelectionBar>
  );
}

const countOf = (count: number) => `${grouped(count)} ${count === 1 ? 'callback' : 'callbacks'}`;

type PausedProps = Pick<Props, 'summary' | 'mayHold'> & { manyMerchants: boolean };

function PausedHosts({ summary, mayHold, manyMerchants }: PausedProps) {
  const client = useQueryClient();
  const { run, busy, error } = useAction();
  const resume = (merchantId: string, address: string) =>
    run(async () => {
      const body = { merchantId, address, held: false };
      await request('/callbacks/hold', { body }).finally(() => client.invalidateQueries());
    }, address);
  if (summary.held.length === 0) return null;
  return (
    <div className="grid gap-2 border-b border-line px-gutter py-3">
      {summary.held.map(({ merchantId, merchantName, address, since, waiting }) => (
        <Note key={merchantId + address} tone="warn" icon="pause">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span>
              Deliveries to <strong className="font-semibold">{address}</strong>
              {manyMerchants ? ` for ${merchantName}` : ''} have been paused since{' '}
              <Time at={since} as="date and time" />.{' '}
              {waiting === '1' ? '1 callback is waiting.' : `${waiting} callbacks are waiting.`}
            </span>
            {mayHold ? (
              <Button size="small" icon="play" busy={busy === address} onClick={() => void resume(merchantId, address)}>
                Resume
              </Button>
            ) : null}
          </span>
        </Note>
      ))}
      <ActionError text={error} />
    </div>
  );
}

type Counted = { found: number; most: number; resent: number };

function ResendDialog({ filter, onClose }: { filter: string; onClose: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const { data, error } = useQuery({
    queryKey: ['resendable', filter],
    queryFn: () => request<Counted>('/callbacks/resend', { body: { query: filter, dry: true }, reads: true }),
    staleTime: 0,
  });
  const count = data ? Math.min(data.found, data.most) : null;
  const resend = async () => {
    if (count === 0) return;
    const { resent } = await request<Counted>('/callbacks/resend', { body: { query: filter } });
    await client.invalidateQueries();
    toast(resent === 0 ? 'Nothing to resend: all of them are being sent.' : `${countOf(resent)} queued.`);
  };
  return (
    <ConfirmDialog
      open
      title="Resend all found callbacks"
      verb={count === null ? 'Resend' : `Resend ${countOf(count)}`}
      onConfirm={resend}
      onClose={onClose}
    >
      {error ? (
        <p role="alert" className="text-bad">
          {error.message}
        </p>
      ) : data === undefined || count === null ? (
        <p className="text-ink2">Counting.</p>
      ) : (
        <div className="grid gap-2 text-ink2">
          <p>
            {data.found > data.most
              ? `The filter finds more than ${grouped(data.most)} callbacks with a URL. The oldest ${grouped(data.most)} are sent now.`
              : `${countOf(data.found)} with a URL ${data.found === 1 ? 'is' : 'are'} sent now, whatever ${data.found === 1 ? 'its' : 'their'} state.`}
          </p>
          <p>
            Each keeps its <code className="mono">webhook-id</code>, and those of one payment keep their order. Your
            server may receive callbacks again.
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
