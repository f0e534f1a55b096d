'use client';
// Values of a chart at a position: by pointer, or by arrow keys when the chart has the focus. For screen readers the
// chart is a slider over its positions that reads their values.
import clsx from 'clsx';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';

export type TooltipPoint = {
  /** The position in pixels from the chart's left edge. */
  x: number;
  title: string;
  lines: { text: string; value: string; swatch?: string }[];
};

type Props = {
  label: string;
  points: readonly TooltipPoint[];
  width: number;
  children: (active: number | null) => ReactNode;
};

export function ChartTooltips({ label, points, width, children }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const last = points.length - 1;
  const press = (event: KeyboardEvent) => {
    const now = active ?? (event.key === 'ArrowLeft' ? points.length : -1);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') setActive(null);
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.min(last, Math.max(0, next)));
  };
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setActive(nearest(points, x));
  };
  const shown = active === null ? undefined : points[active];
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label} Use the arrow keys`}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={active ?? Math.max(last, 0)}
      aria-valuetext={textOf(shown ?? points[last])}
      onKeyDown={press}
      onFocus={(event) => (event.currentTarget.matches(':focus-visible') ? setActive(active ?? last) : undefined)}
      onBlur={() => setActive(null)}
      onPointerMove={point}
      onPointerLeave={() => setActive(null)}
      className="relative rounded-tag"
    >
      {children(active)}
      {shown ? <ChartTooltip point={shown} width={width} /> : null}
    </div>
  );
}

function nearest(points: readonly TooltipPoint[], x: number): number | null {
  let best: number | null = null;
  for (const [at, point] of points.entries()) {
    const known = best === null ? undefined : points[best];
    if (!known || Math.abs(point.x - x) < Math.abs(known.x - x)) best = at;
  }
  return best;
}

function textOf(point: TooltipPoint | undefined): string {
  if (!point) return 'nothing';
  return `${point.title}: ${point.lines.map(({ text, value }) => `${text} ${value}`).join(', ')}`;
}

function ChartTooltip({ point, width }: { point: TooltipPoint; width: number }) {
  const right = point.x > width / 2;
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'pointer-events-none absolute top-0 z-2 grid gap-0.5 rounded-control bg-raised px-2.5 py-2 text-xs whitespace-nowrap shadow-lifted',
        right && '-translate-x-full',
      )}
      style={{ left: point.x + (right ? -12 : 12) }}
    >
      <span className="font-semibold">{point.title}</span>
      {point.lines.map(({ text, value, swatch }) => (
        <span key={text} className="flex items-center gap-2">
          {swatch ? (
            <svg width="8" height="8" aria-hidden="true" className={swatch}>
              <rect width="8" height="8" rx="2" />
            </svg>
          ) : null}
          <span className="text-ink2">{text}</span>
          <span className="figures ml-auto pl-3 font-medium">{value}</span>
        </span>
      ))}
    </div>
  );
}
