import { expect, it } from 'vitest';
import { expiryItem } from './view.ts';

const now = new Date('2026-11-20T12:00:00Z');

// certificate | expiry | merchant shown | text
it.each([
  ['processing', '2026-12-04T12:00:00Z', true, 'The processing certificate of Apple Pay of Orme expires in 14 days.'],
  ['identity', '2026-11-21T13:00:00Z', false, 'The identity certificate of Apple Pay expires in 1 day.'],
  ['identity', '2026-11-20T13:00:00Z', false, 'The identity certificate of Apple Pay expires today.'],
  ['processing', '2026-11-20T11:00:00Z', false, 'The processing certificate of Apple Pay has expired.'],
] as const)('the %s certificate until %s, among many: %s', (slot, end, isOneOfMany, strong) => {
  const ending = { walletId: 'w', merchantId: 'm', merchantName: 'Orme', slot, endsAt: new Date(end) };
  expect(expiryItem(ending, isOneOfMany, now)).toMatchObject({ strong, href: '/dashboard/wallets/w' });
});
