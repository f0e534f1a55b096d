// Small parts: tags, notes, code and empty states.
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { codeLines } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { StatusShape } from '../../ui/status.tsx';
import { Icon, type IconName } from '../icons.tsx';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'accent' | 'cb';

const tones: Record<Tone, string> = {
  plain: 'bg-hover text-ink2',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent',
  cb: 'bg-cb-soft text-cb',
};

/** A mode or state of an object (SMS/DMS, Draft 18), never the status of a payment. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex min-h-5 items-center gap-1 rounded-tag px-1.5 text-xs leading-5 font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

const noteTones = {
  plain: 'border-line bg-sub',
  warn: 'border-warn-line bg-warn-soft [&>span]:text-warn',
  bad: 'border-bad-line bg-bad-soft [&>span]:text-bad',
  ok: 'border-ok/35 bg-ok-soft [&>span]:text-ok',
};

type NoteProps = {
  tone?: keyof typeof noteTones;
  icon?: IconName;
  children: ReactNode;
  role?: 'alert' | 'status';
  className?: string;
};

/** A short message that the user must know; nothing if it is absent. */
export function Note({ tone = 'plain', icon = tone === 'plain' ? 'info' : 'warn', ...rest }: NoteProps) {
  const { children, role, className } = rest;
  return (children ?? null) === null ? null : (
    <div
      role={role}
      className={clsx(
        'flex gap-2.5 rounded-control border border-solid px-3.5 py-2.5 text-sm',
        noteTones[tone],
        className,
      )}
    >
      <span className="mt-0.5">
        <Icon name={icon} />
      </span>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** The error of a form or a page, if any. */
export const ErrorNote = ({ text, className }: { text: ReactNode; className?: string }) => (
  <Note tone="bad" role="alert" className={className}>
    {text}
  </Note>
);

type CodeProps = {
  text: string;
  /** Names are quiet and values dark if the language has names: every one except `text`. */
  language?: 'json' | 'form' | 'http' | 'shell' | 'text';
  /** What the copy button copies, for screen readers: `request body`. Without it there is no button. */
  copy?: string;
  title?: ReactNode;
  /** The height in pixels from which it scrolls. */
  tall?: boolean;
};

/** A code block that wraps. */
export function Code({ text, language = 'text', copy, title, tall = false }: CodeProps) {
  return (
    <figure className="min-w-0">
      {title || copy ? (
        <figcaption className="mb-1.5 flex min-h-7 items-center justify-between gap-2 font-semibold">
          <span>{title}</span>
          {copy ? <CopyButton text={text} what={copy} word /> : null}
        </figcaption>
      ) : null}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable block must be reachable by keyboard
        tabIndex={0}
        className={clsx(
          'overflow-auto rounded-control border border-solid border-line bg-sub px-3.5 py-3 font-mono text-xs leading-[19px] break-words whitespace-pre-wrap',
          !tall && 'max-h-[420px]',
        )}
      >
        <code className="text-xs">{language === 'text' ? text : codeLines(text, 'text-ink3')}</code>
      </pre>
    </figure>
  );
}

export type Step = {
  text: ReactNode;
  done: boolean;
  /** The button of the next step, or the time when it was done. */
  aside?: ReactNode;
};

/** Numbered steps; the next one is strong. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <ol className="mt-3 border-t border-line">
      {steps.map(({ text, done, aside: beside }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their order
          key={at}
          className="flex min-h-[42px] items-center gap-3 border-b border-line py-1.5"
        >
          <StatusShape status={done ? 'settled' : 'prepare'} />
          <span className={clsx('min-w-0 flex-1', at === next ? 'font-semibold' : done ? '' : 'text-ink2')}>
            <span className="unseen">{done ? 'Done: ' : 'To do: '}</span>
            {text}
          </span>
          {beside ? <span className="text-xs text-ink3">{beside}</span> : null}
        </li>
      ))}
    </ol>
  );
}

type EmptyProps = { title: string; steps?: readonly Step[]; children?: ReactNode; aside?: ReactNode };

/** An empty state: what the list will contain, the steps to get there, and a sample to copy. */
export function Empty({ title, steps, children, aside }: EmptyProps) {
  return (
    <div className="grid gap-x-12 gap-y-6 px-gutter py-8 lg:grid-cols-[minmax(0,386px)_minmax(0,1fr)]">
      <div className="grid content-start gap-2">
        <h2 className="text-title font-semibold">{title}</h2>
        {children ? <div className="grid justify-items-start gap-3 text-ink2">{children}</div> : null}
        {steps ? <Steps steps={steps} /> : null}
      </div>
      {aside ? <div className="min-w-0">{aside}</div> : null}
    </div>
  );
}

/** A section heading with actions at its right. */
export function Heading({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
      <h2 className="text-base font-semibold">{children}</h2>
      {aside}
    </div>
  );
}

export type Pair = readonly [name: string, value: ReactNode, className?: string];

/** Names with their values; the class has the columns. */
export function Pairs({ of, className }: { of: readonly Pair[]; className: string }) {
  return (
    <dl className={className}>
      {of.map(([name, value, valueClass]) => (
        <div key={name} className="contents">
          <dt className="text-ink3">{name}</dt>
          <dd className={valueClass}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Text between backticks as code. */
export function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono">
        {part}
      </code>
    ),
  );
}
