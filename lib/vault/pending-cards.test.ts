import { expect, test, vi } from 'vitest';
import { storePendingCard, takePendingCard } from './pending-cards';

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
const card = { number: '4111111111111111', expiry: { month: 1, year: 2038 }, cvv: '123' };

test('a card is taken out once', () => {
  storePendingCard('once', card, at(0));
  expect(takePendingCard('once', at(1))).toEqual(card);
  expect(takePendingCard('once', at(1))).toBeNull();
});

test('a later submit replaces an earlier one', () => {
  storePendingCard('again', card, at(0));
  storePendingCard('again', { ...card, cvv: '999' }, at(5));
  expect(takePendingCard('again', at(6))?.cvv).toBe('999');
});

test('a card that is not taken is deleted by a timer', () => {
  vi.useFakeTimers();
  storePendingCard('forgotten', card, at(0));
  vi.advanceTimersByTime(15 * 60_000);
  vi.useRealTimers();
  expect(takePendingCard('forgotten', at(1))).toBeNull();
});

test('a card expires after a quarter of an hour', () => {
  storePendingCard('late', card, at(0));
  expect(takePendingCard('late', at(15 * 60))).toBeNull();
});

test('the card number is encrypted in memory', () => {
  storePendingCard('sealed', card, at(0));
  const { cards } = (globalThis as { [key: symbol]: { cards: Map<string, { bytes: Buffer }> } })[
    Symbol.for('florin.pendingCards')
  ] as { cards: Map<string, { bytes: Buffer }> };
  expect(cards.get('sealed')?.bytes.toString('latin1')).not.toContain('4111');
  takePendingCard('sealed', at(1));
});
