import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QrInput } from './qr-input.ts';
import { ipsPayload, ipsReference } from './qr-ips.ts';
import { sandboxPayee } from './qr-payload.ts';

const input: QrInput = {
  amount: { minor: 102_512n, currency: 'RSD' },
  orderNumber: 'order-4711',
  description: 'Plaćanje porudžbine',
  merchantName: 'Čigra doo',
  merchantCity: 'Beograd',
  payeeAccount: '840-955845-10',
  reference: '123456789',
};

const currencies = ['RSD', 'EUR', 'BAM', 'MKD'];

/** Tags and values; a value may contain line breaks and colons. */
const read = (payload: string) =>
  payload.split('|').map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)] as const);

describe('an ips code', () => {
  it('is the text of the recommendations', () => {
    expect(ipsPayload(input)).toBe(
      'K:PR|V:01|C:1|R:840000000095584510|N:Čigra doo\nBeograd|I:RSD1025,12|SF:221|S:Plaćanje porudžbine|RO:9778123456789',
    );
  });

  it('omits an empty purpose', () => {
    const tags = read(ipsPayload({ ...input, description: '', orderNumber: '||' })).map(([tag]) => tag);
    expect(tags).toEqual(['K', 'V', 'C', 'R', 'N', 'I', 'SF', 'RO']);
  });

  it.each(currencies)('is written in %s', (currency) => {
    const payment = { ...input, amount: { minor: 50_000n, currency }, payeeAccount: sandboxPayee('ips', currency) };
    expect(read(ipsPayload(payment))).toContainEqual(['I', `${currency}500,00`]);
  });

  it.each([
    ['one digit wrong', 'RSD', '840000000095584511'],
    ['two digits swapped', 'RSD', '840000000095548510'],
    ['too short', 'RSD', '95584510'],
    ['an IBAN for dinars', 'RSD', 'RS35260005601001611379'],
    ['an IBAN with a wrong check', 'EUR', 'ME25505000012345678952'],
    ['one of another country', 'MKD', '840000000095584510'],
  ])('refuses an account: %s', (_name, currency, payeeAccount) => {
    expect(() => ipsPayload({ ...input, amount: { minor: 100n, currency }, payeeAccount })).toThrow(/account/);
  });

  it.each([
    ['another currency', { minor: 100n, currency: 'USD' }, /USD/],
    ['a zero amount', { minor: 0n, currency: 'RSD' }, /positive/],
    ['an amount that does not fit', { minor: 10n ** 15n, currency: 'RSD' }, /too long/],
  ])('refuses %s', (_name, amount, message) => {
    expect(() => ipsPayload({ ...input, amount })).toThrow(message);
  });

  it('accepts any texts: within the limits, with allowed characters and correct separators', () => {
    const any = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(any, any, any, any, (merchantName, merchantCity, description, reference) => {
        const fields = read(ipsPayload({ ...input, merchantName, merchantCity, description, reference }));
        const { N: name = '', S: purpose = '', RO: model = '' } = Object.fromEntries(fields);
        const tags = fields.map(([tag]) => tag);
        expect(tags.filter((tag) => tag !== 'S')).toEqual(['K', 'V', 'C', 'R', 'N', 'I', 'SF', 'RO']);
        expect(fields.every(([, value]) => value !== '' && value === value.trim())).toBe(true);
        expect(name.length).toBeLessThanOrEqual(70);
        expect(name.split('\n').length).toBeLessThanOrEqual(3);
        expect(purpose.length).toBeLessThanOrEqual(35);
        expect(`${name}${purpose}`).toMatch(/^[ -[\]-{}~\nčćžšđČĆŽŠĐ\u0400-\u045f]*$/);
        expect(model).toMatch(/^97[0-9]{3,22}$/);
      }),
    );
  });
});

describe('the reference', () => {
  const rest = (model: string) => BigInt(model.slice(4) + model.slice(2, 4)) % 97n;

  it('passes the check of model 97, and is deterministic', () => {
    fc.assert(
      fc.property(fc.string(), (reference) => {
        expect(rest(ipsReference(reference))).toBe(1n);
        expect(ipsReference(reference)).toBe(ipsReference(reference));
      }),
    );
  });

  it('of the printed example of the National Bank has its check digits', () => {
    expect(ipsReference('3220000111111111000')).toBe('97163220000111111111000');
  });

  it('keeps a number of up to 20 digits', () => {
    expect(ipsReference('00000000000000000042')).toMatch(/^97[0-9]{2}00000000000000000042$/);
    expect(ipsReference('12')).toMatch(/^97[0-9]{2}12$/);
  });

  it('distinguishes long references', () => {
    const references = Array.from(
      { length: 200 },
      (_, at) => `0192f3a4-5b6c-7d8e-9f01-${String(at).padStart(12, '0')}`,
    );
    expect(new Set(references.map(ipsReference)).size).toBe(200);
  });
});
