'use client';
// The hash debugger: one refused request, why its hash is wrong, and links to the previous and next one.
import { keepPreviousData } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { protocolNames } from '../../../lib/core/mapping-options.ts';
import type { DebuggerPage, DebuggerResult, RequestRow } from '../../../lib/dashboard/developers/contract.ts';
import { timeText } from '../times.ts';
import {
  Actions,
  Code,
  Empty,
  type FormQuestion,
  fieldsOf,
  LinkButton,
  type Offers,
  request,
  Select,
  useQuestion,
  useRead,
} from '../ui/index.ts';
import { useZone } from '../zone.tsx';
import { Cause, CausesTried, Programs, SignedText } from './explanation.tsx';
import { OutcomeShape } from './outcome.tsx';

type Props = {
  initial: DebuggerPage;
  /** The request of `initial`; empty for the newest. */
  request: string;
};

const names: { readonly [protocol: string]: string } = protocolNames;

export function HashDebugger({ initial, request: first }: Props) {
  const wanted = useSearchParams().get('request') ?? '';
  const { ask, dialog } = useQuestion();
  const [pasted, setPasted] = useState<DebuggerResult | null>(null);
  const { data = initial } = useRead<DebuggerPage>(`/hash-debugger${wanted === '' ? '' : `?request=${wanted}`}`, {
    initialData: wanted === first ? initial : undefined,
    placeholderData: keepPreviousData,
  });
  const debugged = pasted ?? data.debugged;
  const open = (id: string) => {
    setPasted(null);
    history.pushState(null, '', `?request=${id}`);
  };
  const paste: Offers[number] = {
    text: 'Paste a request',
    icon: 'requests',
    onClick: () => ask(pasteForm(data.actions, setPasted)),
  };
  return (
    <>
      {debugged || data.recent.length > 0 ? (
        <Bar page={data} debugged={debugged} pasted={pasted !== null} onOpen={open} paste={paste} />
      ) : null}
      {debugged ? (
        <Result debugged={debugged} />
      ) : (
        <Empty title="No request was refused for its hash">
          <p>
            The next refused request appears here with the text to sign, step by step, and the mistake that gives the
            received hash.
          </p>
          <Actions of={[paste]} />
        </Empty>
      )}
      {dialog}
    </>
  );
}

type BarProps = {
  page: DebuggerPage;
  debugged: DebuggerResult | null;
  pasted: boolean;
  onOpen: (id: string) => void;
  paste: Offers[number];
};

function Bar({ page, debugged, pasted, onOpen, paste }: BarProps) {
  const zone = useZone();
  const current = debugged?.request ?? null;
  const rows = current && !page.recent.some(({ id }) => id === current.id) ? [current, ...page.recent] : page.recent;
  const options = rows.map((row) => ({ value: row.id, label: rowText(row, zone) }));
  const all = pasted ? [{ value: '', label: 'Pasted request' }, ...options] : options;
  const { earlier, later } = debugged ?? {};
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-3 border-b border-line px-gutter py-2.5">
      {all.length > 0 ? (
        <div className="w-[386px] max-w-full">
          <Select
            aria-label="Refused request"
            size="full"
            options={all}
            value={pasted ? '' : (current?.id ?? '')}
            onChange={({ target }) => target.value !== '' && onOpen(target.value)}
          />
        </div>
      ) : null}
      {current ? (
        <p className="flex items-center gap-2">
          <OutcomeShape kind={current.outcome} />
          <strong className="font-semibold">{current.status}</strong>
          <span className="font-mono text-xs text-ink2">{debugged?.message ?? ''}</span>
        </p>
      ) : null}
      <div className="ml-auto flex flex-wrap gap-2 phone:ml-0">
        <Actions
          of={[
            !!earlier && { text: 'Earlier', icon: 'left', onClick: () => onOpen(earlier) },
            !!later && { text: 'Later', icon: 'right', onClick: () => onOpen(later) },
            paste,
          ]}
        />
      </div>
    </div>
  );
}

function rowText({ protocol, action, orderNumber, at }: RequestRow, zone: string): string {
  const name = protocol === 'checkout' ? `POST ${action}` : `${names[protocol]} ${action}`;
  return [name, orderNumber, timeText(at, zone)].filter((text) => text !== null).join(', ');
}

function Result({ debugged: { explanation, said, request: row } }: { debugged: DebuggerResult }) {
  if (!explanation) {
    return (
      <div className="grid justify-items-start gap-3 px-gutter py-8">
        <h2 className="text-title font-semibold">{said?.title}</h2>
        <p className="max-w-[720px] text-ink2">{said?.text}</p>
        {said && said.faults.length > 0 ? <Code text={said.faults.join('\n')} /> : null}
        {row ? (
          <LinkButton icon="requests" href={`/dashboard/requests?open=${row.id}`}>
            View in the API logs
          </LinkButton>
        ) : null}
      </div>
    );
  }
  return (
    <>
      <Cause explanation={explanation} />
      <SignedText
        explanation={explanation}
        oursTitle="What Florin signed"
        theirsTitle="What you most likely signed"
        aside={
          <>
            <div className="border-b border-line py-5 pr-gutter pl-5 max-lg:pl-gutter">
              <Programs title="Correct code" code={explanation.code} />
            </div>
            <CausesTried tried={explanation.tried} />
          </>
        }
      />
    </>
  );
}

type Pasted = { row: string; text: string };

const { area, select } = fieldsOf<Pasted>();

function pasteForm(actions: DebuggerPage['actions'], show: (found: DebuggerResult) => void): FormQuestion<Pasted> {
  const options = actions.map(({ protocol, action }) => {
    return { value: `${protocol} ${action}`, label: `${names[protocol]} ${action}` };
  });
  return {
    wide: true,
    title: 'Paste a request',
    verb: 'Explain hash',
    logged: 'Do not paste a password',
    about: 'The body as your server sends it, including its hash. Nothing is stored.',
    defaultValues: { row: 'checkout /api/v1/session', text: '' },
    onConfirm: async ({ row, text }) => {
      const [protocol = '', action = ''] = row.split(' ');
      show(await request<DebuggerResult>('/hash-debugger', { body: { protocol, action, text }, reads: true }));
    },
    fields: [
      select('row', 'Action', {
        size: 'full',
        options,
        help: 'The action in a form body takes precedence over this choice.',
      }),
      area('text', 'Body', {
        mono: true,
        rows: 10,
        help: 'JSON of Checkout; for the form protocols one line of name=value, or one line per field.',
      }),
    ],
  };
}
