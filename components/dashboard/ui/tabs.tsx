'use client';
// Tabs as a row under a line (views of a list) or as a segmented control (one of a few).
import clsx from 'clsx';
import { type KeyboardEvent, type ReactNode, useId } from 'react';

export type Tab = { id: string; title: ReactNode; count?: ReactNode };

type Props = {
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
  label: string;
  segments?: boolean;
  /** The panel of the current tab. Without it the caller renders it. */
  children?: ReactNode;
};

/** Arrow keys move between the tabs, as screen reader users expect. */
export function Tabs({ tabs, value, onChange, label, segments = false, children }: Props) {
  const id = useId();
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={press}
        className={
          segments
            ? 'inline-flex w-max rounded-control border border-solid border-line2 bg-sub p-px'
            : 'flex h-11 items-stretch gap-5 overflow-x-auto'
        }
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === value}
            aria-controls={children ? `${id}-panel` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className={segments ? segmentClass(tab.id === value) : tabClass(tab.id === value)}
          >
            {tab.title}
            {tab.count === undefined ? null : <span className="figures font-normal text-ink3">{tab.count}</span>}
          </button>
        ))}
      </div>
      {children ? (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
          {children}
        </div>
      ) : null}
    </>
  );
}

/** The classes of a tab, for links that act as tabs. */
export function tabClass(here: boolean): string {
  return clsx(
    'inline-flex shrink-0 items-center gap-1.5 border-0 border-b-2 border-solid bg-transparent px-0 pt-0.5 font-medium whitespace-nowrap no-underline',
    here ? 'border-ink text-ink' : 'border-transparent text-ink2 hover:text-ink',
  );
}

export function segmentClass(here: boolean): string {
  return clsx(
    'inline-flex min-h-[28px] items-center gap-1.5 rounded-[5px] border border-solid px-2.5 font-medium whitespace-nowrap no-underline phone:min-h-10',
    here
      ? 'border-line2 bg-raised text-ink shadow-button'
      : 'border-transparent bg-transparent text-ink2 hover:text-ink',
  );
}
