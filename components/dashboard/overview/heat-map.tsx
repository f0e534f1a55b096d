'use client';
// First-attempt deliveries of callbacks by hour. Hours with failures are crossed, so that the colour is not needed.
import { scaleBand } from '@visx/scale';
import { useState } from 'react';
import type { HeatDay } from '../../../lib/dashboard/overview/contract.ts';
import { ChartFrame, type ChartProps, useWidth } from './chart.tsx';
import { countText, shortDay } from './format.ts';

const left = 52;
const rowHeight = 18;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourText = (hour: number) => String(hour).padStart(2, '0');

export function HeatMap({ heat, callbacks, className }: ChartProps) {
  return (
    <ChartFrame
      question="Callback delivery"
      about="First attempt, by hour. A crossed cell had failures."
      nothing={
        heat.every((day) => day.hours.every((cell) => !cell?.written)) ? 'No callbacks on these days.' : undefined
      }
      table={{
        head: ['Day and hour', 'Callbacks', 'Failed at the first attempt'],
        rows: heat.flatMap(({ day, hours: cells }) =>
          cells.flatMap((cell, hour) =>
            cell?.written
              ? [[`${shortDay(day)}, ${hourText(hour)}:00`, countText(cell.written), countText(cell.failed)]]
              : [],
          ),
        ),
      }}
      className={className}
    >
      <Cells heat={heat} />
      <p className="mt-3 flex flex-wrap gap-x-4 text-xs text-ink2">
        <span>{countText(callbacks.written)} in the period</span>
        {Object.entries({ waiting: callbacks.waiting, failed: callbacks.givenUp }).map(([state, count]) => (
          <span key={state} className={count > 0 ? 'font-semibold text-bad' : ''}>
            {countText(count)} {state}
          </span>
        ))}
      </p>
    </ChartFrame>
  );
}

function Cells({ heat }: { heat: HeatDay[] }) {
  const [frame, width] = useWidth(380);
  const [at, setAt] = useState<{ day: number; hour: number } | null>(null);
  const x = scaleBand({ domain: hours, range: [left, width], paddingInner: 0.14 });
  const height = heat.length * rowHeight + 20;
  const cell = at ? heat[at.day]?.hours[at.hour] : null;
  const text = at ? textOf(heat[at.day], at.hour) : 'Use the arrow keys to move through the hours';
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const now = at ?? { day: heat.length - 1, hour: 0 };
    const wrap = (value: number, most: number) => Math.min(most, Math.max(0, value));
    setAt({ day: wrap(now.day + (step[0] ?? 0), heat.length - 1), hour: wrap(now.hour + (step[1] ?? 0), 23) });
  };
  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label="Callback delivery by hour. Use the arrow keys"
      aria-valuemin={0}
      aria-valuemax={heat.length * 24 - 1}
      aria-valuenow={at ? at.day * 24 + at.hour : 0}
      aria-valuetext={text}
      onKeyDown={press}
      onBlur={() => setAt(null)}
      onPointerLeave={() => setAt(null)}
      className="relative rounded-tag"
    >
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" height={height} aria-hidden="true" className="text-11">
        {heat.map(({ day, hours: cells }, row) => (
          <g key={day} transform={`translate(0 ${row * rowHeight})`}>
            <text x={left - 8} y={12} textAnchor="end" className="figures fill-ink3">
              {shortDay(day)}
            </text>
            {cells.map((each, hour) => (
              <Cell
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its hour
                key={hour}
                cell={each}
                x={x(hour) ?? 0}
                size={x.bandwidth()}
                here={at?.day === row && at.hour === hour}
                enter={() => setAt({ day: row, hour })}
              />
            ))}
          </g>
        ))}
        {[0, 6, 12, 18, 23].map((hour) => (
          <text
            key={hour}
            x={(x(hour) ?? 0) + x.bandwidth() / 2}
            y={height - 5}
            textAnchor="middle"
            className="figures fill-ink3"
          >
            {hourText(hour)}
          </text>
        ))}
      </svg>
      {at && cell ? (
        <div
          aria-hidden="true"
          className={`pointer-events-none absolute z-2 rounded-control bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-lifted ${at.hour > 11 ? '-translate-x-full' : ''}`}
          style={{ left: (x(at.hour) ?? 0) + (at.hour > 11 ? 0 : x.bandwidth()), top: (at.day + 1) * rowHeight }}
        >
          {text}
        </div>
      ) : null}
    </div>
  );
}

function textOf(day: HeatDay | undefined, hour: number): string {
  const cell = day?.hours[hour];
  const when = `${day ? shortDay(day.day) : ''}, ${hourText(hour)}:00`;
  if (!cell) return `${when}: no data yet`;
  if (cell.written === 0) return `${when}: none`;
  return `${when}: ${countText(cell.written)} callbacks, ${cell.failed === 0 ? 'none failed' : `${countText(cell.failed)} failed at the first attempt`}`;
}

type CellProps = { cell: HeatDay['hours'][number]; x: number; size: number; here: boolean; enter: () => void };

function Cell({ cell, x, size, here, enter }: CellProps) {
  if (!cell) return null;
  const share = cell.written === 0 ? 0 : cell.failed / cell.written;
  const fill = cell.written === 0 ? 'fill-line' : share === 0 ? 'fill-heat' : 'fill-bad';
  const crossed = size > 8 && cell.failed > 0;
  return (
    <g transform={`translate(${x} 2)`} onPointerEnter={enter}>
      <rect
        width={size}
        height={14}
        rx={2}
        className={`${fill} ${here ? 'stroke-ink' : ''}`}
        strokeWidth={1.5}
        opacity={share === 0 ? 1 : 0.5 + share / 2}
      />
      {crossed ? (
        <path d={`M${size / 2 - 2.5} 4.5l5 5m0-5-5 5`} className="stroke-bg" strokeWidth={1.5} strokeLinecap="round" />
      ) : null}
    </g>
  );
}
