import { describe, expect, it } from 'vitest';
import { declinesOf, heatOf, methodsOf, rateOf, volumesOf } from './overview.ts';
import type { MoneyRow } from './volume-queries.ts';

const money = (line: string): MoneyRow => {
  const [bucket = '', currency = '', method = '', state = '', payments = '', settled = ''] = line.trim().split(/\s+/);
  return {
    bucket: Number(bucket),
    currency,
    method: method === '-' ? '' : method,
    state: state as MoneyRow['state'],
    payments: Number(payments),
    settledMinor: BigInt(settled),
    refundedMinor: 0n,
  };
};

const rows = `
  0 EUR card     settled  3 30000
  0 EUR blik     settled  1  1000
  1 EUR card     declined 2     0
  1 EUR card     settled  1  5050
  1 JPY card     settled  1   700
  1 EUR -        prepare  4     0`
  .trim()
  .split('\n')
  .map(money);

describe('the settled volume', () => {
  it('is reported by currency, in its own decimals', () => {
    const [euro, yen] = volumesOf(rows, [], [], 2);
    expect([euro?.currency, euro?.settled, euro?.payments]).toEqual([
      'EUR',
      { now: '360.50', before: '0.00', change: null },
      11,
    ]);
    expect([yen?.currency, yen?.settled.now]).toEqual(['JPY', '700']);
  });

  it('is drawn by bucket and method, the largest method first', () => {
    const [euro] = volumesOf(rows, [], [], 2);
    expect(euro?.methods).toEqual(['card', 'blik']);
    expect(euro?.bars.map((bar) => bar.map(({ text, value }) => [text, value]))).toEqual([
      [
        ['300.00', 300],
        ['10.00', 10],
      ],
      [
        ['50.50', 50.5],
        ['0.00', 0],
      ],
    ]);
  });

  it('combines the smallest of many methods', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((method, at) =>
      money(`0 EUR ${method} settled 1 ${(6 - at) * 100}`),
    );
    const [euro] = volumesOf(many, [], [], 1);
    expect(euro?.methods).toEqual(['a', 'b', 'c', 'd', 'other']);
    expect(euro?.bars[0]?.at(-1)?.text).toBe('3.00');
  });

  it('is compared with the same part of the previous period, and drawn against the whole', () => {
    const whole = [money('0 EUR card settled 1 10000'), money('1 EUR card settled 1 90000')];
    const [euro] = volumesOf([money('0 EUR card settled 1 12500')], whole, whole.slice(0, 1), 2);
    expect([euro?.settled, euro?.before.map(({ text }) => text)]).toEqual([
      { now: '125.00', before: '100.00', change: 0.25 },
      ['100.00', '900.00'],
    ]);
  });
});

describe('methods', () => {
  it('have a share of all attempts, and of the completed ones', () => {
    expect(methodsOf(rows)).toEqual([
      { method: 'card', payments: 7, share: 7 / 8, approved: 5 / 7 },
      { method: 'blik', payments: 1, share: 1 / 8, approved: 1 },
    ]);
  });
});

describe('attempts', () => {
  const attempt = (status: 'success' | 'fail', attempts: number, declineClass: string | null = null) => ({
    bucket: 0,
    status,
    declineClass,
    attempts,
  });

  it('have a rate only if attempts have completed', () => {
    expect([rateOf([]), rateOf([attempt('success', 3), attempt('fail', 1)])]).toEqual([null, 0.75]);
  });

  it('are declined by class, compared with the previous period', () => {
    const now = [attempt('fail', 2, 'bank'), attempt('fail', 1), attempt('fail', 9, 'funds'), attempt('success', 50)];
    expect(declinesOf(now, [attempt('fail', 4, 'technical')])).toEqual([
      { class: 'funds', now: 9, before: 0 },
      { class: 'bank', now: 3, before: 0 },
      { class: 'technical', now: 0, before: 4 },
    ]);
  });
});

describe('the heat map', () => {
  const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 20, hour, minute));
  const days = [{ day: '2026-11-20', hours: Array.from({ length: 24 }, (_, hour) => ({ at: at(hour), hour })) }];
  const starts = days.flatMap(({ hours }) => hours.map((each) => each.at));
  const row = (bucket: number, written: number, failedFirst: number) => ({ bucket, written, failedFirst, first: 0 });

  it('has a cell for each hour that has begun', () => {
    const [day] = heatOf(days, [row(3, 7, 2)], starts, at(5, 30));
    expect(
      day?.hours
        .map((cell) => (cell ? `${cell.written}/${cell.failed}` : ''))
        .join(' ')
        .trim(),
    ).toBe('0/0 0/0 0/0 7/2 0/0 0/0');
  });

  it('combines both of a repeated hour in one cell', () => {
    const twice = [
      {
        day: '2026-10-25',
        hours: [
          { at: at(0), hour: 2 },
          { at: at(1), hour: 2 },
        ],
      },
    ];
    const [day] = heatOf(twice, [row(0, 1, 0), row(1, 2, 1)], [at(0), at(1)], at(9));
    expect(day?.hours[2]).toEqual({ written: 3, failed: 1 });
  });
});
