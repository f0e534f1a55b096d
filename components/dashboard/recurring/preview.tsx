'use client';
// The upcoming charges of a schedule: the next twelve dates and amounts of a subscriber or of a new subscription, and
// their calendar year.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Preview, SchedulePage } from '../../../lib/dashboard/lists/contract';
import { dateText } from '../times';
import { request, Select } from '../ui';
import { Year } from './year';

const someday = 'someday';

export function SchedulePreview({ schedule }: { schedule: SchedulePage }) {
  const living = schedule.subscribers.rows.filter(({ stoppedAt }) => stoppedAt === null);
  const [of, setOf] = useState(schedule.preview.subscription ?? someday);
  const [begins, setBegins] = useState(schedule.preview.today);
  const requested = of === someday ? `begins=${begins}` : `of=${of}`;
  const { data: preview = schedule.preview } = useQuery({
    queryKey: ['schedule', schedule.id, 'preview', requested, schedule.preview],
    queryFn: () => request<Preview>(`/schedules/${schedule.id}/preview?${requested}`),
    initialData:
      of === (schedule.preview.subscription ?? someday) && begins === schedule.preview.today
        ? schedule.preview
        : undefined,
    placeholderData: (before: Preview | undefined) => before,
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

/** The calendar year, and how a declined charge is handled. */
function Aside({ preview }: { preview: Preview }) {
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
        <Year months={preview.months} days={preview.days} today={preview.today} />
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

const head = 'h-8 border-b border-line px-2 text-xs font-medium text-ink3';
const cell = 'h-[38px] border-b border-line px-2';

function NextCharges({ preview: { rows, currency, more } }: { preview: Preview }) {
  if (rows.length === 0)
    return <p className="px-gutter py-4 text-ink2">No further charges: the schedule is complete.</p>;
  return (
    <table aria-label="Upcoming charges" className="w-full">
      <thead>
        <tr>
          <th scope="col" className={`${head} w-14 pl-gutter! text-end`}>
            No.
          </th>
          <th scope="col" className={`${head} text-start`}>
            Date
          </th>
          <th scope="col" className={`${head} text-start phone:hidden`}>
            Day
          </th>
          {currency === null ? null : (
            <>
              <th scope="col" className={`${head} text-end`}>
                Amount
              </th>
              <th scope="col" className={`${head} text-end phone:hidden`}>
                Total
              </th>
            </>
          )}
          <th scope="col" className={`${head} pr-gutter! text-start`}>
            Note
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, date, weekday, amount, total, note }) => (
          <tr key={number} className="hover:bg-hover">
            <td className={`${cell} figures pl-gutter! text-end text-ink3`}>{number}</td>
            <td className={`${cell} font-strong whitespace-nowrap`}>
              <time dateTime={date}>{dateText(date)}</time>
            </td>
            <td className={`${cell} text-ink2 phone:hidden`}>{weekday}</td>
            {currency === null ? null : (
              <>
                <td className={`${cell} figures text-end whitespace-nowrap`}>
                  <span className="font-strong">{amount}</span> <span className="text-xs text-ink3">{currency}</span>
                </td>
                <td className={`${cell} figures text-end text-ink2 phone:hidden`}>{total}</td>
              </>
            )}
            <td className={`${cell} pr-gutter! text-xs text-ink3`}>{note}</td>
          </tr>
        ))}
      </tbody>
      {more ? (
        <tfoot>
          <tr>
            <td colSpan={6} className="px-gutter pt-2 text-xs text-ink3">
              More charges follow.
            </td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}
