import { describe, expect, it } from 'vitest';
import { billingAddress, email, formId, languageOf, methodParameters, phone, returnUrl } from './fields.ts';
import { cardNumber } from './s2s-requests.ts';

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

describe('a text that is too long', () => {
  it.each([
    ['an id of a form', formId, '4:'.repeat(129_000)],
    ['a URL', returnUrl, 'not a URL '.repeat(200)],
    ['a phone number', phone, `4111 1111 1111 1111${'-'.repeat(600)}`],
    ['an e-mail address', email, 'a'.repeat(600)],
    ['a card number', cardNumber, '4'.repeat(200)],
  ])('has its length checked, and nothing after it: %s', (_, schema, value) => {
    expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual(['This value is not valid.']);
  });
});

it('parameters of more methods than there are are one error', () => {
  const members = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`p${place}`, value]));
  const issuesOf = (value: unknown) =>
    methodParameters.safeParse(value).error?.issues.map(({ path, message }) => [path, message]);
  expect(methodParameters.parse(members(400, []))).toEqual(members(400, {}));
  for (const value of [{}, 1]) expect(issuesOf(members(401, value))).toEqual([[[], 'This value is not valid.']]);
});
