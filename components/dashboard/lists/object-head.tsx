// The head of an object's page: title, state, actions and a row of facts.
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Tag } from '../ui/index.ts';
import { stateLabel, stateTone } from './list-cells.tsx';

type Props = {
  title: ReactNode;
  state: Parameters<typeof stateLabel>[0];
  about?: ReactNode;
  actions?: ReactNode;
  facts: { name: string; value: ReactNode }[];
};

export function ObjectHead({ title, state, about, actions, facts }: Props) {
  return (
    <header className="border-b border-line">
      <div className="flex items-start justify-between gap-x-6 gap-y-3 px-gutter pt-5 pb-3.5 max-md:flex-wrap">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-title font-semibold">
            <span className="min-w-0 break-words">{title}</span>
            <Tag tone={stateTone(state)}>{stateLabel(state)}</Tag>
          </h1>
          {about ? <p className="mt-1 text-ink2">{about}</p> : null}
        </div>
        {actions ? (
          <div className="flex flex-wrap items-center gap-2 md:shrink-0 phone:w-full phone:[&>*]:flex-1">{actions}</div>
        ) : null}
      </div>
      <dl className="flex flex-wrap gap-y-3 px-gutter pb-3.5 phone:grid phone:grid-cols-2 phone:gap-x-4">
        {facts.map(({ name, value }) => (
          <div
            key={name}
            className="min-w-0 border-line pr-6 not-first:border-l not-first:pl-6 phone:border-0! phone:p-0!"
          >
            <dt className="text-xs text-ink3">{name}</dt>
            <dd className="m-0 mt-0.5 font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

/** An identifier, shown shortened and copied in full. */
export function Identifier({ text, what, whole = text }: { text: string; what: string; whole?: string | null }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <code className="font-mono text-xs" title={whole === text ? text : undefined}>
        {text}
      </code>
      {whole === null ? null : (
        <CopyButton text={whole} what={what} className="border-0! bg-transparent! p-0! text-ink3! shadow-none!" />
      )}
    </span>
  );
}

/** The beginning and end of a long identifier. */
export function shortId(id: string): string {
  return id.length <= 13 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`;
}
