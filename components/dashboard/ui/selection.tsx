'use client';
// Selected rows, and the bar that shows their number and actions.
import { type ReactNode, useState } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { KeyCap } from './button.tsx';
import { useShortcuts } from './shortcuts.ts';
import type { Selection } from './table.tsx';

/** Stores the selection. */
export function useSelection(): Selection & { clear: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggleAll = (all: readonly string[]) =>
    setIds(
      (now) => new Set(all.every((id) => now.has(id)) ? [...now].filter((id) => !all.includes(id)) : [...now, ...all]),
    );
  return { ids, toggleAll, toggle: (id) => toggleAll([id]), clear: () => setIds(new Set()) };
}

type BarProps = {
  count: number;
  sum?: ReactNode;
  /** BarButtons, each with the number of affected rows: `Capture 1`. */
  children?: ReactNode;
  onClear: () => void;
};

export function SelectionBar({ count, sum, children, onClear }: BarProps) {
  useShortcuts({ escape: onClear }, { on: count > 0 });
  if (count === 0) return null;
  return (
    <section
      aria-label="Selection"
      className="mx-auto flex w-max max-w-[calc(100%-32px)] flex-wrap items-center gap-x-1 gap-y-1 rounded-control bg-dock px-3 py-1 text-dock-ink shadow-over"
    >
      <p className="pr-2 font-semibold" aria-live="polite">
        {count} selected
      </p>
      {sum ? <p className="figures pr-2 opacity-75">{sum}</p> : null}
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-dock-ink/25" />
      {children}
      <button
        type="button"
        onClick={onClear}
        className="ml-1 inline-flex min-h-8 items-center gap-2 border-0 bg-transparent px-2 text-dock-ink"
      >
        <Icon name="cross" size={14} />
        <span className="unseen">Clear selection</span>
        <KeyCap text="Esc" inButton />
      </button>
    </section>
  );
}

/** A button of the bar. */
export function BarButton({ icon, onClick, children }: { icon: IconName; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex min-h-8 items-center gap-2 rounded-control border-0 bg-transparent px-2 text-dock-ink hover:bg-dock-ink/10 phone:min-h-11"
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}
