'use client';
// Grey bars as placeholders, after a short delay.
import clsx from 'clsx';
import { useDelayed } from './use-delayed';

const widths = ['w-2/5', 'w-3/5', 'w-1/2', 'w-1/3', 'w-2/3'];
const fades = ['', 'opacity-75', 'opacity-50', 'opacity-30', 'opacity-20'];

export function Loading({ lines = 5, what = 'Loading' }: { lines?: number; what?: string }) {
  const late = useDelayed();
  return (
    <div role="status" className="grid min-h-[38px] gap-4 px-gutter py-4">
      <span className="unseen">{what}</span>
      {late
        ? Array.from({ length: lines }, (_, line) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
              key={line}
              aria-hidden="true"
              className={clsx('h-2.5 rounded-tag bg-line', widths[line % widths.length], fades[line % fades.length])}
            />
          ))
        : null}
    </div>
  );
}
