import { expect, test, vi } from 'vitest';
import { storePendingCard, takePendingCard } from './pending-cards.ts';

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
const card = { number: '4111111111111111', expiry: { month: 1, year: 2038 }, cvv: '123' };

test('a card is taken out once', async () => {
  await storePendingCard('once', card, at(0));
  expect(await takePendingCard('once', at(1))).toEqual(card);
  expect(await takePendingCard('once', at(1))).toBeNull();
});

test('a later submit replaces an earlier one', async () => {
  await storePendingCard('again', card, at(0));
  await storePendingCard('again', { ...card, cvv: '999' }, at(5));
  expect((await takePendingCard('again', at(6)))?.cvv).toBe('999');
});

test('a card that is not taken is deleted by a timer', async () => {
  vi.useFakeTimers();
  await storePendingCard('forgotten', card, at(0));
  vi.advanceTimersByTime(15 * 60_000);
  vi.useRealTimers();
  expect(await takePendingCard('forgotten', at(1))).toBeNull();
});

test('a card expires after a quarter of an hour', async () => {
  await storePendingCard('late', card, at(0));
  expect(await takePendingCard('late', at(15 * 60))).toBeNull();
});

test('the card number is encrypted in memory', async () => {
  await storePendingCard('sealed', card, at(0));
  const { cards } = (globalThis as { [key: symbol]: { cards: Map<string, { bytes: Buffer }> } })[
    Symbol.for('florin.pendingCards')
  ] as { cards: Map<string, { bytes: Buffer }> };
  expect(cards.get('sealed')?.bytes.toString('latin1')).not.toContain('4111');
  await takePendingCard('sealed', at(1));
});
