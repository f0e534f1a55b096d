'use client';
// An explained signature: the cause, the signed text step by step, and both hashes. The hash debugger and the callback
// verifier share it.
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import type { Explanation, SignedPart } from '../../../lib/dashboard/developers/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { StatusShape } from '../../ui/status.tsx';
import { Code, Tabs, Tag } from '../ui/index.ts';

type Props = {
  explanation: Explanation;
  /** `What Florin signed`, or for a request what should have been signed. */
  oursTitle: string;
  theirsTitle: string;
  aside?: ReactNode;
};

/** The headline: the mistake, or that there is none. */
export function Cause({ explanation: { right, title, advice, tried, theirs } }: { explanation: Explanation }) {
  return (
    <section aria-label="Cause" className="flex items-start gap-3 border-b border-line px-gutter py-5">
      <span className={clsx('mt-[7px]', right ? '' : theirs ? 'text-accent' : 'text-bad')}>
        {right ? <StatusShape status="settled" /> : theirs ? <Lamp /> : <ErrorIcon />}
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-title font-semibold break-words">{title}</h2>
        <p className="mt-1 max-w-[720px] text-ink2">{advice}</p>
      </div>
      {tried.length > 0 ? (
        <span className="phone:hidden">
          <Tag tone="accent">
            {tried.filter(({ matches }) => matches).length} of {tried.length} causes matches
          </Tag>
        </span>
      ) : null}
    </section>
  );
}

const Lamp = () => (
  <svg width="16" height="18" viewBox="0 0 16 18" fill="none" aria-hidden="true" focusable="false">
    <path
      d="M5.6 12.2c0-1.6-2.4-2.4-2.4-5.4A4.8 4.8 0 0 1 8 2a4.8 4.8 0 0 1 4.8 4.8c0 3-2.4 3.8-2.4 5.4zM6 14.6h4M6.8 16.6h2.4"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

type TitledProps = { title: string; about?: ReactNode; beside?: ReactNode; className?: string; children: ReactNode };

function Titled({ title, about, beside, className, children }: TitledProps) {
  return (
    <section aria-label={title} className={className}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base font-semibold">{title}</h3>
        {beside}
      </div>
      {about ? <p className="text-xs text-ink3">{about}</p> : null}
      {children}
    </section>
  );
}

/** The signed text in pieces, the steps to its hash, and the comparison. */
export function SignedText({ explanation, oursTitle, theirsTitle, aside }: Props) {
  const { right, ours, theirs, steps, expected, received, whole, formula } = explanation;
  return (
    <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start lg:content-stretch lg:grid-cols-[minmax(0,1fr)_420px]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6 px-gutter py-5">
        <Titled title={oursTitle} about={`${formula}. Values as in the body; case is changed later.`}>
          <Parts parts={ours} tone="ok" />
        </Titled>
        {theirs ? (
          <Titled title={theirsTitle} about="Rebuilt from the received hash.">
            <Parts parts={theirs} tone="bad" />
          </Titled>
        ) : null}
        <Titled title="Step by step">
          <ol className="mt-1">
            {steps.map(({ name, text }, at) => (
              <li
                key={name}
                className="grid min-h-9 grid-cols-[92px_minmax(0,1fr)_auto] items-center gap-3 border-b border-line py-1.5 last:border-b-0 phone:grid-cols-[minmax(0,1fr)_auto]"
              >
                <span className="text-ink3 phone:col-span-2">
                  {at + 1} {name}
                </span>
                <code className="text-xs leading-[19px] break-all whitespace-pre-wrap">{visibleSpaces(text)}</code>
                <CopyButton text={text} what={`step ${at + 1}`} className="bare" />
              </li>
            ))}
          </ol>
        </Titled>
        <Titled title="Compare">
          <dl className="mt-1">
            <Compared name="Expected" hash={expected} tone="ok" />
            <Compared
              name="Received"
              hash={received}
              tone={right ? 'ok' : 'bad'}
              aside={right ? 'equal' : theirs ? 'equals what you most likely signed' : undefined}
            />
          </dl>
          {whole ? null : (
            <p className="mt-1.5 text-xs text-ink3">
              The right hash is shown in part. In a sandbox, users who may send requests from the dashboard see it in
              full.
            </p>
          )}
        </Titled>
      </div>
      {aside ? <div className="border-line max-lg:border-t lg:border-l">{aside}</div> : null}
    </div>
  );
}

function Compared({ name, hash, tone, aside }: { name: string; hash: string; tone: 'ok' | 'bad'; aside?: string }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 border-b border-line py-1.5 last:border-b-0">
      <dt className="w-[92px] text-ink3">{name}</dt>
      <dd
        className={clsx(
          'font-mono text-xs leading-[19px] font-semibold break-all',
          tone === 'ok' ? 'text-ok' : 'text-bad',
        )}
      >
        {hash === '' ? 'none' : hash}
      </dd>
      {aside ? (
        <dd className="ml-auto flex items-center gap-2 text-ink2">
          <StatusShape status="settled" /> {aside}
        </dd>
      ) : null}
    </div>
  );
}

function visibleSpaces(text: string): string {
  return text.replace(/\r?\n/g, '↵').replace(/^ +| +$/g, (blanks) => '␣'.repeat(blanks.length));
}

function Parts({ parts, tone }: { parts: SignedPart[]; tone: 'ok' | 'bad' }) {
  return (
    <ol className="mt-2 flex w-max max-w-full flex-wrap overflow-hidden rounded-control border border-solid border-line2">
      {parts.map(({ text, label, secret, changed }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have an order and may be alike
          key={at}
          className={clsx(
            '-mb-px min-w-0 flex-auto border-r border-b border-line px-3 py-2 last:border-r-0',
            changed && (tone === 'ok' ? 'bg-ok-soft' : 'bg-bad-soft'),
          )}
        >
          <code
            className={clsx(
              'block text-xs leading-[19px] break-all whitespace-pre-wrap',
              changed && ['font-semibold', tone === 'ok' ? 'text-ok' : 'text-bad'],
            )}
          >
            {secret ? <span aria-hidden="true">{text}</span> : text === '' ? 'empty' : visibleSpaces(text)}
          </code>
          <span className="block text-11 text-ink3">{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** The mistakes that were checked. */
export function CausesTried({ tried }: { tried: Explanation['tried'] }) {
  if (tried.length === 0) return null;
  return (
    <Titled title="Causes checked" className="py-5 pr-gutter pl-5 max-lg:pl-gutter">
      <ul className="mt-1">
        {tried.map(({ name, matches }) => (
          <li key={name} className="flex min-h-8 items-center gap-3 border-b border-line last:border-b-0">
            {matches ? (
              <StatusShape status="settled" />
            ) : (
              <span aria-hidden="true" className="w-3.5 text-center text-ink3">
                –
              </span>
            )}
            <span className={clsx('min-w-0 flex-1', matches ? 'font-semibold' : 'text-ink2')}>{name}</span>
            <span className={matches ? 'font-medium text-ok' : 'text-ink3'}>{matches ? 'matches' : 'no match'}</span>
          </li>
        ))}
      </ul>
    </Titled>
  );
}

/** Source code in a choice of languages. */
export function Programs({ title, code }: { title: string; code: Explanation['code'] }) {
  const [language, setLanguage] = useState('node');
  const shown = code.find(({ id }) => id === language) ?? code[0];
  if (!shown) return null;
  const choice = (
    <div className="flex items-center gap-2">
      <Tabs tabs={code} value={shown.id} onChange={setLanguage} label="Language" segments />
      <CopyButton text={shown.text} what="code" />
    </div>
  );
  return (
    <Titled title={title} beside={choice} className="min-w-0">
      <div className="mt-2">
        <Code text={shown.text} tall />
      </div>
    </Titled>
  );
}
