'use client';
// Grey bars as placeholders, after a short delay.
import clsx from 'clsx';
import { useEffect, useState } from 'react';

const widths = ['w-2/5', 'w-3/5', 'w-1/2', 'w-1/3', 'w-2/3'];
const fades = ['', 'opacity-75', 'opacity-50', 'opacity-30', 'opacity-20'];

/** True after 200 ms: faster results need no loading indicator. */
export function useDelayed(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

export function Loading() {
  const late = useDelayed();
  return (
    <div role="status" className="grid min-h-[38px] gap-4 px-gutter py-4">
      <span className="unseen">Loading</span>
      {late
        ? widths.map((width, line) => (
            <span key={width} aria-hidden="true" className={clsx('h-2.5 rounded-tag bg-line', width, fades[line])} />
          ))
        : null}
    </div>
  );
}
