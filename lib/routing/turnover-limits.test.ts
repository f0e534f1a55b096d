// Turnover limits, checked before and under the lock.
import { describe, expect, it } from 'vitest';
import type { ErrorKey } from '../core/errors.ts';
import { midWith } from '../merchants/mid.test-data.ts';
import {
  exceededLimit,
  type LimitCheck,
  midsBelowLimits,
  type TurnoverLimit,
  withExceeded,
} from './turnover-limits.ts';

const mids = ['a', 'b', 'c'].map((id) => midWith({ id }));
const [, b] = mids;
if (!b) throw new Error('three accounts');

const limitCheckOf = (mapping: ErrorKey | null, full: { [id: string]: ErrorKey } = {}): LimitCheck => ({
  mapping,
  accounts: new Map(Object.entries(full)),
});
const resultOf = (check: LimitCheck) => [
  midsBelowLimits(mids, check)
    .map(({ id }) => id)
    .join(' '),
  exceededLimit(mids, check),
];
const common = { maxMinor: 1n, since: new Date(0) };

describe('a limit check', () => {
  it.each<[string, LimitCheck, string, ErrorKey | null]>([
    ['allows every account without a limit', limitCheckOf(null), 'a b c', null],
    ['excludes an account at its limit', limitCheckOf(null, { b: 'midDailyLimit' }), 'a c', 'midDailyLimit'],
    ['excludes every account above a limit of the mapping', limitCheckOf('mappingDailyLimit'), '', 'mappingDailyLimit'],
    [
      'returns the error of the first account',
      limitCheckOf(null, { c: 'midDailyLimit', b: 'midMonthlyLimit', a: 'midDailyLimit' }),
      '',
      'midDailyLimit',
    ],
    [
      'returns the error of the mapping before those of accounts',
      limitCheckOf('mappingWeeklyLimit', { a: 'midDailyLimit' }),
      '',
      'mappingWeeklyLimit',
    ],
  ])('%s', (_name, check, left, refusal) => {
    expect(resultOf(check)).toEqual([left, refusal]);
  });

  it('excludes accounts whose limit is exceeded under the lock', () => {
    const ofAccount: TurnoverLimit = { ...common, scope: { midId: 'b' }, errorKey: 'midMonthlyLimit' };
    const ofMapping: TurnoverLimit = {
      ...common,
      scope: { merchantId: 'm', protocol: 's2s_card' },
      errorKey: 'mappingDailyLimit',
    };
    const known = limitCheckOf(null, { c: 'midDailyLimit' });
    expect(resultOf(withExceeded(known, b, ofAccount))).toEqual(['a', 'midMonthlyLimit']);
    expect(resultOf(withExceeded(known, b, ofMapping))).toEqual(['', 'mappingDailyLimit']);
    expect(resultOf(known)).toEqual(['a b', 'midDailyLimit']);
  });
});
