// A calendar of twelve months with the charge days. Decorative: the table next to it has the same data.
import clsx from 'clsx';
import { daysInMonth } from '../../../lib/core/dates';
import { monthText } from '../times';

// Classes instead of styles, because the page's policy forbids style attributes from the server.
const starts = [
  'col-start-1',
  'col-start-2',
  'col-start-3',
  'col-start-4',
  'col-start-5',
  'col-start-6',
  'col-start-7',
];

type Props = { months: string[]; days: string[]; today: string };

export function Year({ months, days, today }: Props) {
  const charged = new Set(days);
  return (
    <div aria-hidden="true" className="grid grid-cols-3 gap-x-3.5 gap-y-4 xl:grid-cols-4">
      {months.map((month, at) => (
        <Month key={month} month={month} named={at === 0 || month.endsWith('-01')} charged={charged} today={today} />
      ))}
    </div>
  );
}

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
