import { describe, expect, it } from 'vitest';
import { billingAddress, languageOf } from './fields.ts';

describe('the language of a payer', () => {
  it.each([
    ['de', 'de'],
    [' pt-BR ', 'pt-BR'],
    ['sr_Latn_RS', 'sr_Latn_RS'],
    ['es-419', 'es-419'],
    ['Klingon', 'Klingon'],
    ['4111111111111111', 'und'],
    ['de-4111-1111-1111-1111', 'und'],
    ['de 4111', 'und'],
    ['<b>', 'und'],
    [' ', undefined],
    [7, undefined],
  ])('%j is stored as %j', (given, stored) => {
    expect(languageOf(given)).toBe(stored);
    expect(billingAddress.parse({ language: given }).language).toBe(stored);
  });
});
