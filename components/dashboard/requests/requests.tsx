'use client';
// An entry of a log beside its list, loaded when it is opened, and the requests of the API log with their bodies.
import type { UseQueryOptions } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { protocolNames } from '../../../lib/core/mapping-options.ts';
import type { DeliveryStatus, RequestPage, RequestRow } from '../../../lib/dashboard/developers/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { OutcomeShape } from '../developers/outcome.tsx';
import {
  Code,
  ErrorNote,
  LinkButton,
  ListPage,
  type ListProps,
  Loading,
  type OpenRow,
  type Pair,
  Pairs,
  Panel,
  PanelPart,
  useRead,
} from '../ui/index.ts';
import { Time } from '../zone.tsx';

const names: { readonly [protocol: string]: string } = protocolNames;

export function Requests(props: ListProps<RequestRow>) {
  const panel = (open: OpenRow<RequestRow>) => (
    <LogPanel<RequestRow, RequestPage>
      key={open.id}
      open={open}
      noun="Request"
      path="/requests"
      title={(data) => ({ mark: data.outcome, text: titleOf(data) })}
      fresh={{ staleTime: Number.POSITIVE_INFINITY }}
    >
      {(data) => <Details data={data} />}
    </LogPanel>
  );
  return <ListPage<RequestRow> {...props} panel={panel} />;
}

const titleOf = ({ status, outcome, errorCode }: RequestPage) =>
  outcome === 'carried'
    ? `${status}, processed`
    : outcome === 'failed'
      ? `${status}, internal error`
      : `${status}, refused with ${errorCode}`;

function Details({ data }: { data: RequestPage }) {
  return (
    <>
      <PanelPart>
        <p className="font-mono text-xs break-all">POST {data.path}</p>
        {data.protocol === 'checkout' ? null : (
          <p className="mt-1 font-mono text-xs text-ink2">
            {names[data.protocol]} {data.action}
          </p>
        )}
        {data.refusedBy ? <p className="mt-2 text-ink2">Refused by {data.refusedBy}.</p> : null}
        <div className="mt-3 flex flex-wrap gap-2">
          {data.explainable ? (
            <LinkButton kind="primary" icon="hash" href={`/dashboard/hash-debugger?request=${data.id}`}>
              Explain hash
            </LinkButton>
          ) : null}
          {data.paymentId ? (
            <LinkButton icon="payments" href={`/dashboard/payments/${data.paymentId}`}>
              View payment
            </LinkButton>
          ) : null}
          {data.curl === '' ? null : <CopyButton text={data.curl} what="the request as curl" word="Copy as curl" />}
        </div>
      </PanelPart>
      <PanelPart>
        <Pairs of={factsOf(data)} className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 gap-y-1" />
      </PanelPart>
      <PanelPart>
        <Code title="Request" text={data.request.text} language={data.request.language} copy="request body" />
        {data.mediaType ? <p className="mt-1.5 text-xs text-ink3">{data.mediaType}</p> : null}
      </PanelPart>
      <PanelPart>
        <Code title="Response" text={data.response.text} language={data.response.language} copy="answer" />
      </PanelPart>
    </>
  );
}

function factsOf({ at, durationMs, orderNumber, paymentId, merchantName, address, userAgent }: RequestPage) {
  const code = 'font-mono text-xs leading-5 break-all';
  const order = paymentId ? (
    <Link href={`/dashboard/payments/${paymentId}`} prefetch={false}>
      {orderNumber}
    </Link>
  ) : (
    orderNumber
  );
  const facts: (Pair | false)[] = [
    ['Time', <Time key="at" at={at} as="date and time" />],
    ['Duration', `${durationMs} ms`, 'figures'],
    Boolean(orderNumber) && ['Order', order, code],
    ['Merchant', merchantName ?? 'No merchant has this key'],
    ['From', address, code],
    Boolean(userAgent) && ['User agent', userAgent, 'break-words'],
  ];
  return facts.filter((fact) => fact !== false);
}

type Props<Row, Page> = {
  open: OpenRow<Row>;
  noun: string;
  /** The path of the entries, without the id: `/callbacks`. */
  path: string;
  title: (page: Page) => { mark: DeliveryStatus | RequestRow['outcome']; text: string };
  fresh: Pick<UseQueryOptions<Page>, 'refetchInterval' | 'staleTime'>;
  children: (page: Page) => ReactNode;
};

export function LogPanel<Row, Page>({ open, noun, path, title, fresh, children }: Props<Row, Page>) {
  const { data, error } = useRead<Page>(`${path}/${open.id}`, fresh);
  const head = data && title(data);
  const shown = head ? (
    <>
      <OutcomeShape kind={head.mark} />
      <span className="truncate">{head.text}</span>
    </>
  ) : (
    noun
  );
  return (
    <Panel title={shown} label={noun} open={open}>
      {error ? (
        <PanelPart>
          <ErrorNote text={error.message} />
        </PanelPart>
      ) : data ? (
        children(data)
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
