'use client';
// The callback log: messages to merchants' servers and their responses. One callback opens beside the list; all that a
// filter finds can be resent, and deliveries to an address can be paused.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type { CallbackRow, CallbackSummary } from '../../../lib/dashboard/developers/contract';
import type { ListOf, ListView } from '../../../lib/dashboard/lists/contract';
import {
  BarButton,
  Button,
  errorText,
  LinkButton,
  ListPage,
  Note,
  request,
  SelectionBar,
  useSelection,
  useToast,
} from '../ui';
import { Time } from '../zone';
import { CallbackPanel } from './callback-panel';
import { ResendDialog } from './resend-dialog';

type Props = {
  view: ListView;
  initial: ListOf<CallbackRow>;
  query: string;
  summary: CallbackSummary;
  /** Today in the user's time zone, `2026-11-20`. */
  today: string;
  mayResend: boolean;
  mayHold: boolean;
};

export function Callbacks({ summary: first, today, mayResend, mayHold, ...list }: Props) {
  const params = useSearchParams();
  const [asking, setAsking] = useState<string | null>(null);
  const { data: summary = first } = useQuery({
    queryKey: ['callback-summary'],
    queryFn: () => request<CallbackSummary>('/callbacks/summary'),
    initialData: first,
    refetchInterval: 15_000,
  });
  const views = [
    { id: 'all', title: 'All', query: '' },
    { id: 'today', title: 'Today', query: `from=${today}&to=${today}`, count: summary.today },
    { id: 'waiting', title: 'Waiting', query: 'state=waiting', count: summary.waiting },
    { id: 'failed', title: 'Failed', query: 'state=failed', count: summary.failed },
    { id: 'error', title: 'Answered ERROR', query: 'answer=error', count: summary.saidError },
  ];
  const filter = filterOf(params);
  const selection = useSelection();
  return (
    <>
      <PausedHosts summary={summary} mayHold={mayHold} manyMerchants={list.view.manyMerchants} />
      <ListPage<CallbackRow>
        {...list}
        views={views}
        tools={
          <>
            <LinkButton icon="verify" href="/dashboard/callback-verifier">
              Verify a callback
            </LinkButton>
            {mayResend && filter !== '' ? (
              <Button icon="again" onClick={() => setAsking(filter)}>
                Resend all found
              </Button>
            ) : null}
          </>
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
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    if (busy) return;
    setBusy(true);
    let failure: string | null = null;
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
    setBusy(false);
    onClear();
    toast(failure === null ? `${countOf(sent)} queued.` : `${countOf(sent)} of ${ids.size} queued. ${failure}`);
  };
  return (
    <SelectionBar count={ids.size} onClear={onClear}>
      <BarButton icon="again" onClick={() => void resend()}>
        Resend {ids.size}
      </BarButton>
    </SelectionBar>
  );
}

const countOf = (count: number) => `${count} ${count === 1 ? 'callback' : 'callbacks'}`;

/** The filter without the opened callback and the page position. */
function filterOf(params: URLSearchParams): string {
  const filter = new URLSearchParams(params);
  for (const name of ['open', 'after', 'before']) filter.delete(name);
  return filter.toString();
}

/** Paused addresses, each with a button to resume. */
function PausedHosts({
  summary,
  mayHold,
  manyMerchants,
}: {
  summary: CallbackSummary;
  mayHold: boolean;
  manyMerchants: boolean;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const letGo = async (merchantId: string, address: string) => {
    setBusy(address);
    setError(null);
    try {
      await request('/callbacks/hold', { body: { merchantId, address, held: false } });
    } catch (thrown) {
      setError((thrown as Error).message);
    }
    await client.invalidateQueries();
    setBusy(null);
  };
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
              <Button size="small" icon="play" busy={busy === address} onClick={() => letGo(merchantId, address)}>
                Resume
              </Button>
            ) : null}
          </span>
        </Note>
      ))}
      {error ? (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}
