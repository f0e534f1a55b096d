import { describe, expect, it } from 'vitest';
import { countryCodes } from '../core/countries.ts';
import type { LocaleCode } from '../core/locales.ts';
import { addressForm, fitsPostalCode, inPageOrder } from './address-form.ts';

const street = 'address+house_number';

// language, country, rows; fields of one row are joined by +
it.each([
  ['en', 'US', `${street} district city state+zip`],
  ['en', 'GB', `${street} district city+zip`],
  ['de', 'DE', `${street} district zip+city`],
  ['pt', 'BR', `${street} district city+zip`],
  ['en', 'JP', `${street} district city state+zip`],
  ['ja', 'JP', `zip+state city district ${street}`],
  ['ja', 'DE', `${street} district zip+city`],
  ['zh', 'CN', `zip+city district ${street}`],
  ['sp', 'MX', `${street} district zip+city`],
  ['en', 'IN', `${street} district city+zip state`],
  ['hu', 'HU', `city ${street} district zip`],
  ['en', 'AU', `${street} district city state+zip`],
  ['en', '', `${street} district city+zip`],
  ['en', 'XX', `${street} district city+zip`],
] as const)('%s, %s: %s', (language, country, rows) => {
  expect(
    addressForm(language, country)
      .rows.map((row) => row.join('+'))
      .join(' '),
  ).toBe(rows);
});

it.each([
  ['en', 'US', 'zip', 'ZIP code'],
  ['en', 'US', 'state', 'State'],
  ['en', 'CA', 'state', 'Province or territory'],
  ['en', 'GB', 'zip', 'Postcode'],
  ['en', 'IN', 'zip', 'PIN code'],
  ['en', 'DE', 'zip', 'Postal code'],
  ['de', 'US', 'zip', 'Postleitzahl'],
  ['pt', 'BR', 'zip', 'CEP'],
  ['pt', 'PT', 'zip', 'Código postal'],
  ['sp', 'MX', 'district', 'Colonia'],
  ['ja', 'JP', 'state', '都道府県'],
] as const)('%s, %s: %s is labelled %s', (language, country, name, label) => {
  expect(addressForm(language, country).labels[name]).toBe(label);
});

it('has the errors of the same words', () => {
  expect(addressForm('en', 'US').errors).toMatchObject({
    'zip.empty': 'Enter your ZIP code.',
    'zip.check': 'Check the ZIP code.',
  });
});

it('lists states for the countries of the contract only', () => {
  const withStates = countryCodes.filter((country) => addressForm('en', country).states.length > 0);
  expect(withStates).toEqual(['AU', 'CA', 'IN', 'JP', 'US']);
});

it('contains every field in every country', () => {
  const all = ['address', 'city', 'district', 'house_number', 'zip'];
  for (const language of ['en', 'ja'] as LocaleCode[]) {
    for (const country of countryCodes) {
      const names = addressForm(language, country).rows.flat();
      expect([country, names.filter((name) => name !== 'state').sort()]).toEqual([country, all]);
    }
  }
});

it('puts the person and the country before the address', () => {
  const names = ['email', 'country', 'state', 'city', 'zip', 'address', 'phone'];
  expect(inPageOrder(names, 'en', 'US')).toEqual(['email', 'country', 'phone', 'address', 'city', 'state', 'zip']);
});

describe('postal codes', () => {
  it.each([
    ['US', '02108', true],
    ['US', '02108-1234', true],
    ['US', '021081234', false],
    ['US', '2108', false],
    ['GB', 'sw1a 1aa', true],
    ['GB', 'SW1A1AA', true],
    ['GB', '90210', false],
    ['DE', '10115', true],
    ['DE', 'D-10115', false],
    ['PL', '00950', true],
    ['PL', '00-950', true],
    ['JP', '1540023', true],
    ['BR', '40301 110', true],
    ['MX', '06082', true],
    ['NL', '1234AB', true],
    ['RS', '18000', true],
    ['AE', 'anything', true],
    ['', 'anything', true],
  ])('%s %s: %s', (country, code, fits) => {
    expect(fitsPostalCode(country, code)).toBe(fits);
  });

  it('have a pattern that can be tested in every country', () => {
    for (const country of countryCodes) expect(typeof fitsPostalCode(country, '12345')).toBe('boolean');
  });
});
