import { expect, test, vi } from 'vitest';
import { holdCard, takeCard } from './pending-cards';

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
const card = { number: '4111111111111111', expiry: { month: 1, year: 2038 }, cvv: '123' };

test('a card is taken out once', () => {
  holdCard('once', card, at(0));
  expect(takeCard('once', at(1))).toEqual(card);
  expect(takeCard('once', at(1))).toBeNull();
});

test('a later submit replaces an earlier one', () => {
  holdCard('again', card, at(0));
  holdCard('again', { ...card, cvv: '999' }, at(5));
  expect(takeCard('again', at(6))?.cvv).toBe('999');
});

test('what nobody takes is forgotten by itself', () => {
  vi.useFakeTimers();
  holdCard('forgotten', card, at(0));
  vi.advanceTimersByTime(15 * 60_000);
  vi.useRealTimers();
  expect(takeCard('forgotten', at(1))).toBeNull();
});

test('after a quarter of an hour there is nothing', () => {
  holdCard('late', card, at(0));
  expect(takeCard('late', at(15 * 60))).toBeNull();
});

test('nothing readable lies in memory', () => {
  holdCard('sealed', card, at(0));
  const { cards } = (globalThis as { [key: symbol]: { cards: Map<string, { bytes: Buffer }> } })[
    Symbol.for('florin.heldCards')
  ] as { cards: Map<string, { bytes: Buffer }> };
  expect(cards.get('sealed')?.bytes.toString('latin1')).not.toContain('4111');
  takeCard('sealed', at(1));
});
