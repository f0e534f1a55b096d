import { expect, it } from 'vitest';
import { isWithinMinute } from './store.ts';

it('requests without a known merchant are limited for each address and in all, by the minute', () => {
  const admitted = (address: (place: number) => string, minute: number) =>
    Array.from({ length: 200 }, (_, place) => isWithinMinute(address(place), minute)).filter(Boolean).length;
  expect(admitted(() => '203.0.113.9', 1)).toBe(10);
  expect(admitted((place) => `198.51.100.${place}`, 1)).toBe(90);
  expect(admitted((place) => `198.51.100.${place}`, 2)).toBe(100);
});
