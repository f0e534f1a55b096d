import { describe, expect, it } from 'vitest';
import { brandOf, brands, luhn, numberError } from './cards.ts';
import { declineClasses } from './declines.ts';
import { findSandboxCard, isSandboxCard, liveCardDecline, sandboxCard, sandboxCards } from './sandbox-cards.ts';

describe('the sandbox cards', () => {
  it.each(sandboxCards.map((card) => [card.id, card] as const))(
    '%s is a number that the payer can type',
    (_id, card) => {
      expect(luhn(card.number)).toBe(true);
      expect(numberError(card.number)).toBeNull();
      expect(brandOf(card.number)?.id).toBe(card.brand);
      if (card.expiry !== null) expect(card.expiry).toMatch(/^(0[1-9]|1[0-2])\/20\d\d$/);
    },
  );

  it('never has the same number and date twice, nor the same id', () => {
    const places = sandboxCards.map((card) => `${card.number} ${card.expiry}`);
    expect(new Set(places).size).toBe(places.length);
    const ids = sandboxCards.map((card) => card.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('never mixes rows for any date with rows for a specific one', () => {
    const anyDate = sandboxCards.filter((card) => card.expiry === null).map((card) => card.number);
    for (const number of anyDate) expect(sandboxCards.filter((card) => card.number === number)).toHaveLength(1);
  });

  it('settles a card of every brand', () => {
    const settled = sandboxCards.filter((card) => card.outcome === 'settled' && !card.via && !card.follow);
    expect(new Set(settled.map((card) => card.brand))).toEqual(new Set(brands.map((brand) => brand.id)));
  });

  it('declines in every class, and gives every decline a reason', () => {
    const declined = sandboxCards.filter((card) => card.outcome === 'declined');
    expect(new Set(declined.map((card) => card.decline?.class))).toEqual(new Set(declineClasses));
    for (const card of declined) expect(card.decline?.reason).toBeTruthy();
  });

  it.each([
    [1, 2038, 'settled', undefined],
    [2, 2038, 'declined', undefined],
    [3, 2038, 'settled', undefined],
    [5, 2038, 'settled', 'confirm'],
    [6, 2038, 'declined', 'confirm'],
    [12, 2038, 'settled', 'redirect'],
    [12, 2039, 'declined', 'redirect'],
  ])('4111111111111111 %i/%i is %s via %s', (month, year, outcome, via) => {
    expect(findSandboxCard('4111111111111111', month, year)).toMatchObject({ outcome, ...(via && { via }) });
  });

  it('declines 02/2038 with the text of the contract and the capture of 03/2038', () => {
    expect(findSandboxCard('4111111111111111', 2, 2038)?.decline?.reason).toBe('Declined by processing');
    expect(findSandboxCard('4111111111111111', 3, 2038)?.follow?.capture).toBeDefined();
  });

  it('recognises a number alone, but a row only with its date', () => {
    expect(isSandboxCard('4111111111111111')).toBe(true);
    expect(findSandboxCard('4111111111111111', 4, 2038)).toBeNull();
    expect(findSandboxCard('4601541833776519', 7, 2031)?.outcome).toBe('payout');
    expect(isSandboxCard('4012888888881881')).toBe(false);
    expect(findSandboxCard('4012888888881881', 1, 2038)).toBeNull();
    expect(liveCardDecline.soft).toBe(false);
  });

  it('finds a row by its id', () => {
    expect(sandboxCard('no-funds').decline?.class).toBe('funds');
    expect(() => sandboxCard('nothing')).toThrow(RangeError);
  });
});
