'use client';
// The next twelve charges of a schedule, for a subscriber or a new subscription, and their calendar year.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { daysInMonth } from '../../../lib/core/dates.ts';
import type { Preview, SchedulePage } from '../../../lib/dashboard/lists/contract.ts';
import { dateText, monthText } from '../times.ts';
import { request, Select, type SmallColumn, SmallTable } from '../ui/index.ts';

const someday = 'someday';

const previewQuery = (of: string, begins: string) => (of === someday ? `begins=${begins}` : `of=${of}`);

export function SchedulePreview({ schedule }: { schedule: SchedulePage }) {
  const living = schedule.subscribers.rows.filter(({ stoppedAt }) => stoppedAt === null);
  const [of, setOf] = useState(schedule.preview.subscription ?? someday);
  const [begins, setBegins] = useState(schedule.preview.today);
  const requested = previewQuery(of, begins);
  const initial = previewQuery(schedule.preview.subscription ?? someday, schedule.preview.today);
  const { data: preview = schedule.preview } = useQuery({
    queryKey: ['schedule', schedule.id, 'preview', requested, schedule.preview],
    queryFn: () => request<Preview>(`/schedules/${schedule.id}/preview?${requested}`),
    initialData: requested === initial ? schedule.preview : undefined,
    placeholderData: keepPreviousData,
  });
  const options = [
    ...living.map(({ id, orderNumber, payer }) => ({
      value: id,
      label: payer === null ? orderNumber : `${orderNumber}, ${payer}`,
    })),
    { value: someday, label: 'New subscription on a day' },
  ];
  return (
    <div className="grid flex-1 xl:grid-cols-[minmax(0,1fr)_466px]">
      <section aria-label="Upcoming charges" className="min-w-0">
        <div className="flex flex-wrap items-center gap-2 px-gutter py-3">
          <span className="flex flex-wrap items-center gap-2 text-ink2">
            <span aria-hidden="true">Charges of</span>
            <Select
              aria-label="Subscription"
              value={of}
              onChange={({ target }) => setOf(target.value)}
              options={options}
              className="min-w-[254px]"
              size="full"
            />
          </span>
          {of === someday ? (
            <label className="flex items-center gap-2 text-ink2">
              on
              <input
                type="date"
                value={begins}
                min="2000-01-01"
                max="2999-12-31"
                onChange={({ target }) => (target.value === '' ? undefined : setBegins(target.value))}
                className="h-8 rounded-control border border-solid border-field bg-raised px-2.5 text-ink field-focus phone:h-11 phone:text-[16px]"
              />
            </label>
          ) : null}
        </div>
        <NextCharges preview={preview} />
        <p className="px-gutter py-4 text-xs text-ink3">
          Charged at {preview.hour} UTC, the hour of the initial payment. Every date is counted from the first charge,
          so a short month doesn't move the later ones.
        </p>
      </section>
      <Aside preview={preview} />
    </div>
  );
}

function Aside({ preview }: { preview: Preview }) {
  const { months, days, today } = preview;
  const charged = new Set(days);
  return (
    <aside
      aria-label="The year"
      className="grid content-start gap-6 border-line px-gutter py-4 max-xl:border-t xl:border-l"
    >
      <div>
        <div className="mb-3.5 flex flex-wrap items-baseline justify-between gap-2">
          <h2 className="text-base font-semibold">The year</h2>
          <span className="figures text-xs text-ink3">{yearText(preview)}</span>
        </div>
        {/* Decorative: the table next to it has the same data. */}
        <div aria-hidden="true" className="grid grid-cols-3 gap-x-3.5 gap-y-4 xl:grid-cols-4">
          {months.map((month, at) => (
            <Month
              key={month}
              month={month}
              named={at === 0 || month.endsWith('-01')}
              charged={charged}
              today={today}
            />
          ))}
        </div>
      </div>
      <div>
        <h2 className="text-base font-semibold">When a charge fails</h2>
        <p className="mt-2 text-ink2">{failureText(preview.retries)}</p>
      </div>
    </aside>
  );
}

function yearText({ yearly, currency, days }: Preview): string {
  const many = days.length === 1 ? '1 charge' : `${days.length} charges`;
  return yearly === null ? many : `${yearly} ${currency} in ${many}`;
}

/** Describes how lib/recurring/charge.ts handles a declined charge. */
function failureText({ count, hours }: Preview['retries']): string {
  const refused = 'A permanent decline by the issuer ends the subscription immediately.';
  if (count === 0) return `It is not retried: the next date stays as planned. ${refused}`;
  const times = count === 1 ? 'once' : `up to ${count} times`;
  const apart = hours % 24 === 0 ? (hours === 24 ? 'a day' : `${hours / 24} days`) : `${hours} hours`;
  const every = count === 1 ? `${apart} later` : `${apart} apart`;
  return `It is retried ${times}, ${every}. Then the date is skipped and the next one stays as planned. ${refused} Every attempt sends its own callback.`;
}

type Charge = Preview['rows'][number];

const columnsOf = (currency: string | null): SmallColumn<Charge>[] => [
  {
    head: 'No.',
    className: 'pl-gutter! text-end',
    headClass: 'w-14',
    cellClass: 'figures text-ink3',
    cell: ({ number }) => number,
  },
  {
    head: 'Date',
    headClass: 'text-start',
    cellClass: 'font-strong whitespace-nowrap',
    cell: ({ date }) => <time dateTime={date}>{dateText(date)}</time>,
  },
  {
    head: 'Day',
    className: 'phone:hidden',
    headClass: 'text-start',
    cellClass: 'text-ink2',
    cell: ({ weekday }) => weekday,
  },
  ...(currency === null ? [] : moneyColumns(currency)),
  { head: 'Note', className: 'pr-gutter! text-xs text-ink3', headClass: 'text-start', cell: ({ note }) => note },
];

const moneyColumns = (currency: string): SmallColumn<Charge>[] => [
  {
    head: 'Amount',
    className: 'text-end',
    cellClass: 'figures whitespace-nowrap',
    cell: ({ amount }) => (
      <>
        <span className="font-strong">{amount}</span> <span className="text-xs text-ink3">{currency}</span>
      </>
    ),
  },
  { head: 'Total', className: 'text-end phone:hidden', cellClass: 'figures text-ink2', cell: ({ total }) => total },
];

function NextCharges({ preview: { rows, currency, more } }: { preview: Preview }) {
  if (rows.length === 0) {
    return <p className="px-gutter py-4 text-ink2">No further charges: the schedule is complete.</p>;
  }
  return (
    <>
      <SmallTable
        label="Upcoming charges"
        className="w-full"
        headCell="h-8 border-b border-line px-2 text-xs font-medium text-ink3"
        cell="h-[38px] border-b border-line px-2"
        rowClass="hover:bg-hover"
        columns={columnsOf(currency)}
        rows={rows.map((row) => ({ ...row, key: `${row.number}` }))}
      />
      {more ? <p className="px-gutter pt-2 text-xs text-ink3">More charges follow.</p> : null}
    </>
  );
}

// Classes instead of styles, because the page's policy forbids style attributes from the server.
const starts = 'col-start-1 col-start-2 col-start-3 col-start-4 col-start-5 col-start-6 col-start-7'.split(' ');

type MonthProps = { month: string; named: boolean; charged: ReadonlySet<string>; today: string };

function Month({ month, named, charged, today }: MonthProps) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const first = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  return (
    <div>
      <p className="mb-1.5 text-xs font-semibold">
        {monthText(month)} {named ? year : null}
      </p>
      <div className="figures grid grid-cols-7 text-center whitespace-nowrap [overflow-wrap:normal] text-[9.5px] leading-[15px] text-ink3">
        {Array.from({ length: daysInMonth(year, number) }, (_, at) => {
          const day = `${month}-${String(at + 1).padStart(2, '0')}`;
          return (
            <span
              key={day}
              className={clsx(
                'rounded-[3px]',
                at === 0 && starts[first],
                charged.has(day) && 'bg-accent font-semibold text-bg',
                day === today && !charged.has(day) && 'text-ink outline-1 -outline-offset-1 outline-ink',
              )}
            >
              {at + 1}
            </span>
          );
        })}
      </div>
    </div>
  );
}
