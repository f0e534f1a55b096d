// Room below turnover limits, as it is known before and found out under the lock.
import { describe, expect, it } from 'vitest';
import type { ErrorKey } from '../core/errors';
import { midWith } from '../merchants/mid.test-data';
import { exceededLimit, type LimitCheck, midsBelowLimits, type TurnoverLimit, withExceeded } from './turnover-limits';

const mids = ['a', 'b', 'c'].map((id) => midWith({ id }));
const [, b] = mids;
if (!b) throw new Error('three accounts');

const roomOf = (mapping: ErrorKey | null, full: { [id: string]: ErrorKey } = {}): LimitCheck => ({
  mapping,
  accounts: new Map(Object.entries(full)),
});
const seen = (room: LimitCheck) => [
  midsBelowLimits(mids, room)
    .map(({ id }) => id)
    .join(' '),
  exceededLimit(mids, room),
];
const common = { maxMinor: 1n, since: new Date(0) };

describe('room', () => {
  it.each<[string, LimitCheck, string, ErrorKey | null]>([
    ['is everywhere without a limit', roomOf(null), 'a b c', null],
    ['is not at a full account', roomOf(null, { b: 'midDailyLimit' }), 'a c', 'midDailyLimit'],
    ['is nowhere above a limit of the mapping', roomOf('mappingDailyLimit'), '', 'mappingDailyLimit'],
    [
      'is refused by the limit of the first account',
      roomOf(null, { c: 'midDailyLimit', b: 'midMonthlyLimit', a: 'midDailyLimit' }),
      '',
      'midDailyLimit',
    ],
    [
      'is refused by the limit of the mapping before all',
      roomOf('mappingWeeklyLimit', { a: 'midDailyLimit' }),
      '',
      'mappingWeeklyLimit',
    ],
  ])('%s', (_name, room, left, refusal) => {
    expect(seen(room)).toEqual([left, refusal]);
  });

  it('is less by what was found under the lock', () => {
    const ofAccount: TurnoverLimit = { ...common, scope: { midId: 'b' }, errorKey: 'midMonthlyLimit' };
    const ofMapping: TurnoverLimit = {
      ...common,
      scope: { merchantId: 'm', protocol: 's2s_card' },
      errorKey: 'mappingDailyLimit',
    };
    const known = roomOf(null, { c: 'midDailyLimit' });
    expect(seen(withExceeded(known, b, ofAccount))).toEqual(['a', 'midMonthlyLimit']);
    expect(seen(withExceeded(known, b, ofMapping))).toEqual(['', 'mappingDailyLimit']);
    expect(seen(known)).toEqual(['a b', 'midDailyLimit']);
  });
});
