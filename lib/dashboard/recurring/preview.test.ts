import { describe, expect, it } from 'vitest';
import type { SchedulePlan } from '../../core/recurrence.ts';
import { buildPreview, firstPaymentText, intervalText, type PreviewProgress, paymentsText, startedAt } from './plan.ts';

const monthly: SchedulePlan = { intervalLength: 1, intervalUnit: 'month', paymentsCount: 14 };
const now = new Date('2026-01-31T06:30:00.000Z');
const eur = { minor: 3900n, currency: 'EUR' };

function shown(plan: SchedulePlan, counted: PreviewProgress, more: Partial<Parameters<typeof buildPreview>[0]> = {}) {
  return buildPreview({ plan, counted, money: eur, againAt: null, now, ...more });
}

describe('the next charges', () => {
  it('are twelve, on the last day where a month is short, and add up', () => {
    const { rows, more, hour, currency } = shown(monthly, startedAt(monthly, now));
    const lines = rows.map(({ number, date, weekday, amount, total, note }) =>
      [number, date, weekday, amount, total, note ?? '-'].join(' | '),
    );
    expect(lines).toEqual([
      '1 | 2026-02-28 | Sat | 39.00 | 39.00 | First payment; 31 is not in February, charged on the last day',
      '2 | 2026-03-31 | Tue | 39.00 | 78.00 | -',
      '3 | 2026-04-30 | Thu | 39.00 | 117.00 | Day 31 is not in April, charged on the last day',
      '4 | 2026-05-31 | Sun | 39.00 | 156.00 | -',
      '5 | 2026-06-30 | Tue | 39.00 | 195.00 | Day 31 is not in June, charged on the last day',
      '6 | 2026-07-31 | Fri | 39.00 | 234.00 | -',
      '7 | 2026-08-31 | Mon | 39.00 | 273.00 | -',
      '8 | 2026-09-30 | Wed | 39.00 | 312.00 | Day 31 is not in September, charged on the last day',
      '9 | 2026-10-31 | Sat | 39.00 | 351.00 | -',
      '10 | 2026-11-30 | Mon | 39.00 | 390.00 | Day 31 is not in November, charged on the last day',
      '11 | 2026-12-31 | Thu | 39.00 | 429.00 | -',
      '12 | 2027-01-31 | Sun | 39.00 | 468.00 | -',
    ]);
    expect([more, hour, currency]).toEqual([true, '06:30', 'EUR']);
  });

  it('end with the schedule', () => {
    const plan = { ...monthly, paymentsCount: 3 };
    const { rows, more } = shown(plan, { ...startedAt(plan, now), done: 2 });
    expect(rows.map(({ number, date, note }) => [number, date, note])).toEqual([
      [3, '2026-04-30', 'Day 31 is not in April, charged on the last day'],
    ]);
    expect(more).toBe(false);
  });

  it('show when a declined one is retried', () => {
    const counted = { ...startedAt(monthly, now), done: 1, retries: 2 };
    const { rows } = shown(monthly, counted, { againAt: new Date('2026-04-02T07:00:00Z') });
    expect(rows[0]?.note).toBe('Declined 2 times, retry on 2 Apr 2026, 07:00 UTC');
  });

  it('have no amount without a subscriber', () => {
    const { rows, yearly, currency } = shown(monthly, startedAt(monthly, now), { money: null });
    expect([rows[0]?.amount, rows[0]?.total, yearly, currency]).toEqual([null, null, null, null]);
  });
});

describe('the year', () => {
  it('begins with this month and sums its charges', () => {
    const { months, days, yearly } = shown(monthly, startedAt(monthly, now));
    expect([months[0], months.at(-1), months.length]).toEqual(['2026-01', '2026-12', 12]);
    expect([days.length, days[0], days.at(-1), yearly]).toEqual([11, '2026-02-28', '2026-12-31', '429.00']);
  });

  it('begins with the first charge if it is more than a year away', () => {
    const plan = { ...monthly, delayedFirstPayment: 'delay_by_interval' as const, firstPaymentIntervalLength: 24 };
    const { months } = shown(
      { ...plan, firstPaymentIntervalUnit: 'month' },
      startedAt({ ...plan, firstPaymentIntervalUnit: 'month' }, now),
    );
    expect([months[0], months.at(-1)]).toEqual(['2028-01', '2028-12']);
  });

  it('contains every day of a daily schedule', () => {
    const plan: SchedulePlan = { intervalLength: 1, intervalUnit: 'day', paymentsCount: 9999 };
    expect(shown(plan, startedAt(plan, now)).days.length).toBe(334);
  });
});

describe('a plan as text', () => {
  it.each([
    [{}, 'Every month', '1 month after the initial payment', '14 payments'],
    [
      { intervalLength: 2, dayOfMonth: 31 },
      'Every 2 months on day 31',
      '2 months after the initial payment',
      '14 payments',
    ],
    [
      { intervalLength: 14, intervalUnit: 'day', paymentsCount: 1 },
      'Every 14 days',
      '14 days after the initial payment',
      '1 payment',
    ],
    [
      { delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: 7 },
      'Every month',
      'Next Sunday after the initial payment',
      '14 payments',
    ],
    [
      { delayedFirstPayment: 'day_of_month', firstPaymentDayOfMonth: 15 },
      'Every month',
      'Next day 15 of a month after the initial payment',
      '14 payments',
    ],
    [
      { delayedFirstPayment: 'delay_by_interval', firstPaymentIntervalLength: 10, firstPaymentIntervalUnit: 'day' },
      'Every month',
      '10 days after the initial payment',
      '14 payments',
    ],
  ] as [Partial<SchedulePlan>, string, string, string][])('%j', (changes, every, first, payments) => {
    const plan = { ...monthly, ...changes };
    expect([intervalText(plan), firstPaymentText(plan), paymentsText(plan)]).toEqual([every, first, payments]);
  });
});
