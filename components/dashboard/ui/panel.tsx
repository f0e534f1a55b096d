'use client';
// A detail panel beside a list: 508 px wide, the list stays usable. On small screens it covers the list.
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useShortcuts } from './shortcuts.ts';

/** A row that is open beside the list, with links to its neighbours; absent at either end. */
export type OpenRow<Row> = {
  id: string;
  row: Row | null;
  onClose: () => void;
  onPrevious?: () => void;
  onNext?: () => void;
};

type Props = { title: ReactNode; label: string; open: OpenRow<unknown>; children: ReactNode };

export function Panel({ title, label, open: { onClose, onPrevious, onNext }, children }: Props) {
  useShortcuts({ escape: onClose });
  return (
    <section
      aria-label={label}
      className="border-line bg-bg max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-20 max-xl:w-[508px] max-xl:max-w-full max-xl:overflow-y-auto max-xl:border-l max-xl:shadow-over xl:sticky xl:top-[calc(var(--top)+48px)] xl:h-[calc(100dvh-48px-var(--top))] xl:w-[508px] xl:shrink-0 xl:overflow-y-auto xl:border-l"
    >
      <div className="sticky top-0 z-1 flex min-h-12 items-center gap-1 bg-bg px-5 pt-2">
        <h2 className="mr-auto flex min-w-0 items-center gap-2 truncate text-base font-semibold">{title}</h2>
        {onPrevious ? <IconButton label="Previous" icon="up" onClick={onPrevious} /> : null}
        {onNext ? <IconButton label="Next" icon="down" onClick={onNext} /> : null}
        <IconButton label="Close" icon="cross" onClick={onClose} />
      </div>
      <div className="pb-6">{children}</div>
    </section>
  );
}

/** A region of the panel, below a hairline. */
export function PanelPart({ children }: { children: ReactNode }) {
  return <div className="border-b border-line px-5 py-3.5 last:border-b-0">{children}</div>;
}
