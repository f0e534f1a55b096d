'use client';
// The parts of the charts: a frame that also shows the numbers as a table, and a plot over days or hours.
import clsx from 'clsx';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { CurrencyVolume, Overview } from '../../../lib/dashboard/overview/contract.ts';
import { IconButton } from '../ui/button.tsx';
import { SmallTable } from '../ui/small-table.tsx';
import { bucketText, labelStep, tickText } from './format.ts';

/** What every chart is given: the overview, and the names and the filter of its links. */
export type ChartProps = Overview & {
  volume: CurrencyVolume | null;
  names: Readonly<Record<string, string>>;
  filter: string;
  className?: string;
};

type ChartTable = { head: string[]; rows: string[][] };

type FrameProps = {
  question: string;
  about: ReactNode;
  table: ChartTable;
  aside?: ReactNode;
  /** Replaces a chart without data. */
  nothing?: string;
  className?: string;
  children: ReactNode;
};

export function ChartFrame({ question, about, table, aside, nothing, className, children }: FrameProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section aria-labelledby={id} className={clsx('min-w-0 px-gutter py-4', className)}>
      <div className="flex items-start gap-3 phone:flex-wrap">
        <div className="min-w-0 flex-1 phone:basis-[70%]">
          <h2 id={id} className="text-base font-semibold">
            {question}
          </h2>
          <p className="text-xs text-ink3">{about}</p>
        </div>
        {aside ? <div className="phone:order-last phone:basis-full">{aside}</div> : null}
        {nothing ? null : (
          <IconButton
            icon="table"
            label={asTable ? 'View as chart' : 'View as table'}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className="-my-1 aria-pressed:bg-sel"
          />
        )}
      </div>
      <div className="mt-3">
        {nothing ? (
          <p className="py-6 text-ink3">{nothing}</p>
        ) : asTable ? (
          <Numbers question={question} table={table} />
        ) : (
          children
        )}
      </div>
    </section>
  );
}

function Numbers({ question, table: { head, rows } }: { question: string; table: ChartTable }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section tabIndex={0} aria-label={`${question} as a table`} className="max-h-[320px] overflow-auto rounded-tag">
      <SmallTable<{ cells: string[] }>
        className="w-full"
        headCell="sticky top-0 h-8 bg-bg pr-4 text-xs font-medium text-ink3 last:pr-2"
        cell="h-[30px] border-t border-line pr-4 whitespace-nowrap"
        columns={head.map((name, at) =>
          at === 0
            ? { head: name, names: true, cellClass: 'font-normal', cell: ({ cells }) => cells[0] }
            : { head: name, className: 'text-end', cellClass: 'figures last:pr-2', cell: ({ cells }) => cells[at] },
        )}
        rows={rows.map((cells) => ({ key: cells[0] ?? '', cells }))}
      />
    </section>
  );
}

/** The width of an element; until it is measured, the width of the server's rendering. */
export function useWidth(first: number) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (!element.current) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(200, Math.round(entry.contentRect.width)));
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, width] as const;
}

type Scale = { (value: number): number; ticks: (count: number) => number[] };

type TooltipLine = { text: string; value: string; swatch?: string };

type PlotProps<Scales> = {
  label: string;
  buckets: string[];
  firstWidth: number;
  /** Pixels beside the bars or lines: the labels of the axis, and the ends of lines. */
  left: number;
  right?: number;
  space: number;
  /** For a width in pixels: `x` is a bucket's middle. */
  scales: (width: number) => Scales;
  tick: (value: number) => string;
  valuesOf: (bucket: number) => TooltipLine[];
  children: (scales: Scales, active: number | null) => ReactNode;
};

export const plotHeight = 256;
export const plotBottom = 24;

/** A chart over buckets. For screen readers it is a slider over them that reads their values. */
export function Plot<Scales extends { x: (bucket: string) => number; y: Scale }>(props: PlotProps<Scales>) {
  const { label, buckets, firstWidth, left, right = 0, space, scales, tick, valuesOf, children } = props;
  const [frame, width] = useWidth(firstWidth);
  const drawn = scales(width);
  const { x, y } = drawn;
  const points = buckets.map((bucket, at) => ({ x: x(bucket), title: bucketText(bucket), lines: valuesOf(at) }));
  const step = labelStep(buckets.length, width - left - right, space);
  return (
    <div ref={frame}>
      <ChartTooltips label={label} points={points} width={width}>
        {(active) => (
          <svg
            viewBox={`0 0 ${width} ${plotHeight}`}
            width="100%"
            height={plotHeight}
            aria-hidden="true"
            className="text-11"
          >
            {y.ticks(4).map((value) => (
              <g key={value} transform={`translate(0 ${y(value)})`}>
                <line x1={left} x2={width - right + (right && 6)} stroke="currentColor" className="text-line" />
                <text x={left - 10} y={4} textAnchor="end" className="figures fill-ink3">
                  {tick(value)}
                </text>
              </g>
            ))}
            {children(drawn, active)}
            {buckets.map((bucket, at) =>
              at % step === 0 ? (
                <text
                  key={bucket}
                  x={x(bucket)}
                  y={plotHeight - plotBottom + 18}
                  textAnchor="middle"
                  className="figures fill-ink3"
                >
                  {tickText(bucket, at)}
                </text>
              ) : null,
            )}
          </svg>
        )}
      </ChartTooltips>
    </div>
  );
}

/** The path through the points; empty without one. */
export function linePath(points: [x: number, y: number][]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x},${y}`).join('');
}

/** `x` in pixels from the chart's left edge. */
type TooltipPoint = { x: number; title: string; lines: TooltipLine[] };

type TooltipsProps = {
  label: string;
  points: readonly TooltipPoint[];
  width: number;
  children: (active: number | null) => ReactNode;
};

function ChartTooltips({ label, points, width, children }: TooltipsProps) {
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
    const distances = points.map((each) => Math.abs(each.x - x));
    setActive(distances.length === 0 ? null : distances.indexOf(Math.min(...distances)));
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
