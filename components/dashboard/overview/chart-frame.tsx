'use client';
// A chart with title, description, and a button that shows the same numbers as a table.
import clsx from 'clsx';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../ui/button';

export type ChartTable = { head: string[]; rows: string[][] };

type Props = {
  question: string;
  about: ReactNode;
  table: ChartTable;
  /** To the right of the title: a legend or a choice. */
  aside?: ReactNode;
  /** Replaces a chart without data. */
  nothing?: string;
  className?: string;
  children: ReactNode;
};

export function ChartFrame({ question, about, table, aside, nothing, className, children }: Props) {
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
      <table className="w-full">
        <thead>
          <tr>
            {head.map((name, at) => (
              <th
                key={name}
                scope="col"
                className={clsx(
                  'sticky top-0 h-8 bg-bg pr-4 text-xs font-medium text-ink3 last:pr-2',
                  at > 0 && 'text-end',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th
                    key={head[0]}
                    scope="row"
                    className="h-[30px] border-t border-line pr-4 font-normal whitespace-nowrap"
                  >
                    {cell}
                  </th>
                ) : (
                  <td
                    key={head[at]}
                    className="figures h-[30px] border-t border-line pr-4 text-end whitespace-nowrap last:pr-2"
                  >
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
