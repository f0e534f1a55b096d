'use client';
// One callback beside the list: its attempts with their responses, and the body and headers as sent.
import { useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { grouped } from '../../../lib/core/money.ts';
import type { CallbackAttemptRow, CallbackPage, CallbackRow } from '../../../lib/dashboard/developers/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { OutcomeShape } from '../developers/outcome.tsx';
import { Icon } from '../icons.tsx';
import { LogPanel } from '../requests/requests.tsx';
import { ActionError, Actions, Code, type OpenRow, PanelPart, request, Tag, useAction, useToast } from '../ui/index.ts';
import { Time } from '../zone.tsx';

export function CallbackPanel({ open }: { open: OpenRow<CallbackRow> }) {
  return (
    <LogPanel<CallbackRow, CallbackPage>
      open={open}
      noun="Callback"
      path="/callbacks"
      title={({ mark, title }) => ({ mark, text: title })}
      fresh={{ refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3_000 : false) }}
    >
      {(data) => <Details data={data} />}
    </LogPanel>
  );
}

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
