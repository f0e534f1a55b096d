'use client';
// The callback log: messages to merchants' servers and their responses. One callback opens beside the list with its
// attempts, body and headers; all that a filter finds can be resent, and deliveries to an address can be paused.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type {
  CallbackAttemptRow,
  CallbackPage,
  CallbackRow,
  CallbackSummary,
} from '../../../lib/dashboard/developers/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { OutcomeShape } from '../developers/outcome.tsx';
import { Icon } from '../icons.tsx';
import { LogPanel } from '../requests/requests.tsx';
import {
  ActionError,
  Actions,
  BarButton,
  Button,
  Code,
  ConfirmDialog,
  errorText,
  ListPage,
  type ListProps,
  Note,
  type OpenRow,
  PanelPart,
  request,
  SelectionBar,
  Tag,
  useAction,
  useObject,
  useSelection,
  useToast,
} from '../ui/index.ts';
import { changedQuery } from '../ui/list-filters.tsx';
import { Time } from '../zone.tsx';

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
        panel={panelOf}
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

const panelOf = (open: OpenRow<CallbackRow>) => (
  <LogPanel<CallbackRow, CallbackPage>
    key={open.id}
    open={open}
    noun="Callback"
    path="/callbacks"
    title={({ mark, title }) => ({ mark, text: title })}
    fresh={{ refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3_000 : false) }}
  >
    {(data) => <Details data={data} />}
  </LogPanel>
);

function Details({ data }: { data: CallbackPage }) {
  return (
    <>
      <PanelPart>
        <p>
          <Link href={`/dashboard/payments/${data.paymentId}`} prefetch={false} className="font-mono text-xs">
            {data.orderNumber}
          </Link>
          , {data.type}, {data.outcome}, {data.orderStatus},{' '}
          <span className="figures">
            {data.amount} {data.currency}
          </span>
        </p>
        <p className="mt-1 font-mono text-xs break-all text-ink2">
          {data.url ? `POST ${data.url}` : 'No callback URL'}
        </p>
        <CallbackActions data={data} />
      </PanelPart>
      <PanelPart>
        <Attempts data={data} />
      </PanelPart>
      <PanelPart>
        <Code
          title={
            <>
              Body <span className="mx-1 text-xs font-normal text-ink3">{data.body.fields} fields</span>{' '}
              <Tag tone={data.signature.valid ? 'ok' : 'bad'}>{data.signature.title}</Tag>
            </>
          }
          text={data.body.text}
          language="form"
          copy="body"
        />
        {data.signature.texts.map((text) => (
          <p key={text} className="mt-2 text-xs break-words text-ink2">
            {text}
          </p>
        ))}
      </PanelPart>
      <PanelPart>
        <Code
          title={data.tried.length > 0 ? 'Headers sent' : 'Headers'}
          text={data.headers}
          language="http"
          copy="headers"
        />
      </PanelPart>
    </>
  );
}

function CallbackActions({ data }: { data: CallbackPage }) {
  const client = useQueryClient();
  const toast = useToast();
  const { run, busy, error } = useAction();
  const { address, merchantId, host, held, mayHold } = data;
  const act = (name: string, path: string, body: object, result: string) => () =>
    void run(async () => {
      await request(`/callbacks/${path}`, { body });
      toast(result);
      await client.invalidateQueries();
    }, name);
  const hold = (on: boolean) =>
    act('hold', 'hold', { address, merchantId, held: on }, `Deliveries to ${host} are ${on ? 'paused' : 'resumed'}.`);
  const resend = act('resend', `${data.id}/resend`, {}, 'The callback is being sent.');
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Actions
          of={[
            data.mayResend && {
              text: 'Resend now',
              kind: 'primary',
              icon: 'again',
              busy: busy === 'resend',
              onClick: resend,
            },
            mayHold && !held && { text: `Pause ${host}`, icon: 'pause', busy: busy === 'hold', onClick: hold(true) },
            mayHold && held && { text: 'Resume', icon: 'play', busy: busy === 'hold', onClick: hold(false) },
          ]}
        />
        {data.curl ? <CopyButton text={data.curl} what="the callback as curl" word="Copy as curl" /> : null}
      </div>
      {data.nextTry ? (
        <p className="mt-2.5 flex items-center gap-1.5 text-xs text-ink2">
          <Icon name="clock" size={14} /> Next attempt <Time at={data.nextTry} />
          {timeUntil(data.nextTry)}
        </p>
      ) : null}
      {data.pausedUntil && !data.held ? (
        <p className="mt-2.5 text-xs text-ink2">
          Five deliveries to {data.host} timed out within five minutes: they are paused until{' '}
          <Time at={data.pausedUntil} />.
        </p>
      ) : null}
      {data.held ? <p className="mt-2.5 text-xs text-ink2">Deliveries to {data.host} are paused.</p> : null}
      <ActionError text={error} className="mt-2.5 text-xs" />
    </>
  );
}

/** `, in 15 m 24 s`; nothing if it is due. */
function timeUntil(iso: string): string {
  const seconds = Math.round((Date.parse(iso) - Date.now()) / 1000);
  if (seconds <= 0) return '';
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return `, in ${hours} h ${minutes} m`;
  return minutes > 0 ? `, in ${minutes} m ${rest} s` : `, in ${rest} s`;
}

function Attempts({ data }: { data: CallbackPage }) {
  return (
    <>
      <h3 className="flex flex-wrap items-baseline gap-2 font-semibold">
        Attempts
        <span className="text-xs font-normal text-ink3">
          {data.state === 'waiting' && data.tried.length > 0
            ? `${data.tried.length} of ${data.triesMost}, over about three days`
            : data.tried.length === 0
              ? 'none yet'
              : data.tried.length}
        </span>
      </h3>
      <ol className="mt-1">
        {data.tried.map((tried) => (
          <li key={tried.at} className="border-b border-line last:border-b-0">
            <Attempt tried={tried} />
          </li>
        ))}
        {data.nextTry ? (
          <li className="flex min-h-9 items-center gap-3 text-ink2">
            <OutcomeShape kind="waiting" />
            <Time at={data.nextTry} />
            <span className="min-w-0 flex-1">
              Planned
              {data.later.length > 0 ? ', then ' : null}
              {data.later.map((at, place) => (
                <span key={at}>
                  {place > 0 ? ', ' : null}
                  <Time at={at} />
                </span>
              ))}
            </span>
          </li>
        ) : null}
      </ol>
    </>
  );
}

function Attempt({ tried }: { tried: CallbackAttemptRow }) {
  const { at, mark, title, answer, headers, durationMs } = tried;
  const line = (
    <>
      <OutcomeShape kind={mark} />
      <Time at={at} />
      <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
      <span className="figures text-ink3">{grouped(durationMs)} ms</span>
    </>
  );
  if (answer === null && headers === null) return <div className="flex min-h-9 items-center gap-3">{line}</div>;
  return (
    <details className="group">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
        {line}
        <span className="text-ink3 group-open:rotate-180">
          <Icon name="down" size={14} />
        </span>
      </summary>
      <div className="grid gap-2 pb-3">
        {answer === null ? (
          <p className="text-xs text-ink3">The response had no body.</p>
        ) : (
          <Code text={answer} title="Response body" />
        )}
        {headers === null ? null : <Code text={headers} title="Response headers" language="http" />}
      </div>
    </details>
  );
}
