import { describe, expect, it } from 'vitest';
import { brandingValues, readLogo, toSettings, toValues } from './branding.ts';

const empty = {
  accent: '',
  background: '',
  radius: '',
  font: '',
  privacyUrl: '',
  termsUrl: '',
  supportEmail: '',
  texts: {},
};

// field | input | stored value, or !
const table = `
accent       | #14532D                       | #14532d
accent       | #fff                          | !
accent       | rgb(1,2,3)                    | !
background   | #F6EBDD                       | #f6ebdd
background   | linen                         | !
font         | serif                         | serif
font         | Comic Sans                    | !
radius       | 0                             | 0
radius       | 14                            | 14
radius       | 15                            | !
radius       | 1.5                           | !
privacyUrl   | https://orme.example/privacy  | https://orme.example/privacy
privacyUrl   | http://orme.example           | !
privacyUrl   | https://a:b@orme.example      | !
privacyUrl   | //orme.example                | !
supportEmail | help@orme.example             | help@orme.example
supportEmail | help@orme                     | !
`;

const rows = table
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));

it.each(rows)('%s reads %s as %s', (field, typed, stored) => {
  const read = brandingValues.safeParse({ ...empty, [field as string]: typed });
  expect(read.success ? read.data[field as keyof typeof empty] : '!').toBe(stored);
});

describe('texts', () => {
  it.each([
    [{ de: { summary: ' Gratis ' }, default: { form: '' }, ar: {} }, { de: { summary: 'Gratis' } }],
    [{ default: { receipt: 'a'.repeat(160) } }, { default: { receipt: 'a'.repeat(160) } }],
    [{ default: { receipt: 'a'.repeat(161) } }, '!'],
    [{ default: { summary: 'a\tb' } }, '!'],
    [{ default: { summary: 'a\u202eb' } }, '!'],
    [
      { default: { button: 'Donate', title: 'Your donation', footer: '' } },
      { default: { button: 'Donate', title: 'Your donation' } },
    ],
    [{ default: { button: 'a'.repeat(25) } }, '!'],
    [{ default: { title: 'a'.repeat(61) } }, '!'],
    [{ default: { heading: 'Pay' } }, '!'],
    [{ xx: { summary: 'a' } }, '!'],
  ])('%j are stored as %j', (texts, stored) => {
    const read = brandingValues.safeParse({ ...empty, texts });
    expect(read.success ? read.data.texts : '!').toEqual(stored);
  });
});

it('stores nothing for empty fields, and fills in stored values', () => {
  const nothing = {
    ...{ accent: null, background: null, radius: null, font: null },
    ...{ privacyUrl: null, termsUrl: null, supportEmail: null, pageTexts: {} },
  };
  expect(toSettings(empty)).toEqual(nothing);
  expect(toValues(nothing)).toEqual(empty);
  const values = {
    ...empty,
    accent: '#14532d',
    background: '#f6ebdd',
    font: 'serif',
    radius: '0',
    texts: { de: { form: 'Danke' } },
  };
  expect(toValues(toSettings(values))).toEqual(values);
});

it('accepts images by their content, and says why it rejects others', () => {
  expect(readLogo(Buffer.from('<svg viewBox="0 0 1 1"/>'))).toContain('SVG');
  expect(readLogo(Buffer.from('GIF89a\x40\0\x40\0\0\0\0', 'latin1'))).toContain('not a PNG');
  expect(readLogo(Buffer.from('ffd8ffe0', 'hex'))).toContain('smaller than 16');
  expect(readLogo(Buffer.alloc(200 * 1024 + 1))).toContain('200 KB');
});
