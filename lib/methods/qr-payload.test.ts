import fc from 'fast-check';
import { createDynamicPix, createStaticPix, parsePix } from 'pix-utils';
import { parse } from 'promptparse';
import { anyId, billPayment } from 'promptparse/generate';
import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '../core/money.ts';
import type { QrScheme } from '../core/presentation.ts';
import { readFields, readPayload, readPng } from './code-readers.test.support.ts';
import { qrPng } from './qr.ts';
import type { QrInput } from './qr-input.ts';
import { qrPayload, sandboxPayee } from './qr-payload.ts';

const currencyOf: { readonly [scheme in QrScheme]: string } = {
  ips: 'RSD',
  pix: 'BRL',
  promptpay: 'THB',
  qris: 'IDR',
  duitnow: 'MYR',
  qrph: 'PHP',
  upi: 'INR',
  text: 'KES',
};
const schemes = Object.keys(currencyOf) as QrScheme[];
const emvSchemes: QrScheme[] = ['pix', 'promptpay', 'qris', 'duitnow', 'qrph'];

function money(text: string, currency: string) {
  const amount = parseAmount(text, currency);
  if (!amount.ok) throw new Error(`${text} ${currency} is ${amount.fault}`);
  return { minor: amount.minor, currency };
}

function inputOf(scheme: QrScheme, changes: Partial<QrInput> & { value?: string } = {}): QrInput {
  const { value = '1234.50', ...rest } = changes;
  return {
    amount: money(value, currencyOf[scheme]),
    orderNumber: 'order-4711',
    description: 'Two tickets',
    merchantName: 'Kiosk am Eck',
    merchantCity: 'Novi Sad',
    payeeAccount: sandboxPayee(scheme, currencyOf[scheme]),
    reference: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
    ...rest,
  };
}

/** The fields of a payload, those of templates under `26.00`. */
function fieldsOf(payload: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { tag, value } of readPayload(payload) ?? []) {
    fields[tag] = value;
    const template = (Number(tag) >= 26 && Number(tag) <= 51) || tag === '62';
    for (const inner of template ? (readFields(value) ?? []) : []) fields[`${tag}.${inner.tag}`] = inner.value;
  }
  return fields;
}

describe('every scheme', () => {
  it.each(schemes)('%s is decoded from its image', async (scheme) => {
    const payload = qrPayload(scheme, inputOf(scheme));
    expect(decodeQR(readPng(await qrPng(payload)))).toBe(payload);
  });

  it.each(schemes)('%s rejects a zero amount', (scheme) => {
    expect(() => qrPayload(scheme, inputOf(scheme, { value: '0' }))).toThrow(RangeError);
  });

  it.each(schemes.filter((scheme) => scheme !== 'text'))('%s rejects another currency', (scheme) => {
    const amount = { minor: 100n, currency: 'USD' };
    expect(() => qrPayload(scheme, inputOf(scheme, { amount }))).toThrow(RangeError);
  });

  it.each(schemes.filter((scheme) => scheme !== 'text'))(
    '%s refuses an account that is not one of its own',
    (scheme) => {
      expect(() => qrPayload(scheme, inputOf(scheme, { payeeAccount: 'somebody' }))).toThrow(RangeError);
    },
  );

  it.each(emvSchemes)('%s is valid for any texts', (scheme) => {
    const any = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(any, any, any, any, fc.bigInt({ min: 1n, max: 99_999_999_99n }), (name, city, note, order, minor) => {
        const amount = { minor, currency: currencyOf[scheme] };
        const texts = {
          merchantName: name,
          merchantCity: city,
          description: note,
          orderNumber: order,
          reference: order,
        };
        const payload = qrPayload(scheme, { ...inputOf(scheme), ...texts, amount });
        const fields = fieldsOf(payload);
        expect(money(fields['54'] as string, amount.currency).minor).toBe(minor);
        expect((fields['59'] as string).length).toBeLessThanOrEqual(25);
        expect((fields['60'] as string).length).toBeLessThanOrEqual(15);
        expect(payload).toMatch(/^[ -~]+$/);
        expect(parse(payload, true)?.getTagValue('58')).toBe(fields['58']);
      }),
    );
  });
});

describe('pix', () => {
  const keys = [
    'comprador@florin.example',
    '+5561912345678',
    '12345678909',
    '12345678000195',
    sandboxPayee('pix', 'BRL'),
  ];

  it.each(keys)('equals the result of another implementation for the key %s', (pixKey) => {
    const payload = qrPayload(
      'pix',
      inputOf('pix', { payeeAccount: pixKey, merchantName: 'Padaria São João', merchantCity: 'São Paulo' }),
    );
    const other = createStaticPix({
      merchantName: 'Padaria São João',
      merchantCity: 'São Paulo',
      pixKey,
      infoAdicional: 'Two tickets',
      txid: 'c7d8e9f0123456789abcd'.padStart(25, '4a5b6'),
      transactionAmount: 1234.5,
    }).throwIfError();
    const upper = (fields: Record<string, string>) => ({
      ...fields,
      59: fields['59']?.toUpperCase(),
      60: fields['60']?.toUpperCase(),
    });
    const expected = fieldsOf(other.toBRCode());
    expect(upper(fieldsOf(payload))).toEqual({
      ...expected,
      62: fieldsOf(payload)['62'],
      '62.05': 'a45b6c7d8e9f0123456789abcd'.slice(-25),
    });
    expect(parsePix(payload)).toMatchObject({ pixKey, transactionAmount: 1234.5, merchantCity: expect.any(String) });
  });

  it('by address has neither amount nor identifier', () => {
    const url = 'pix.florin.example/v2/cob/0192f3a45b6c7d8e9f0123456789abcd';
    const payload = qrPayload('pix', inputOf('pix', { payeeAccount: url }));
    const other = createDynamicPix({ merchantName: 'KIOSK AM ECK', merchantCity: 'NOVI SAD', url }).throwIfError();
    expect(fieldsOf(payload)).toEqual({ ...fieldsOf(other.toBRCode()), 59: 'Kiosk am Eck', 60: 'Novi Sad' });
  });

  it('omits a note that exceeds its template', () => {
    const payeeAccount = `${'k'.repeat(70)}@a.br`;
    const fields = fieldsOf(qrPayload('pix', inputOf('pix', { payeeAccount })));
    expect(fields['26.01']).toBe(payeeAccount);
    expect(fields['26.02']).toBeUndefined();
  });
});

describe('promptpay', () => {
  const pick = (payload: string) => {
    const { 52: _category, 59: _name, 60: _city, ...rest } = fieldsOf(payload);
    return rest;
  };

  it.each([
    ['MSISDN', '0812345678'],
    ['NATID', '1234567890123'],
  ] as const)('by %s is what another implementation makes', (type, target) => {
    const payload = qrPayload('promptpay', inputOf('promptpay', { payeeAccount: target }));
    expect(pick(payload)).toEqual(fieldsOf(anyId({ type, target, amount: 1234.5 })));
  });

  it('by biller has the reference', () => {
    const billerId = sandboxPayee('promptpay', 'THB');
    const ref1 = '7D8E9F0123456789ABCD';
    expect(pick(qrPayload('promptpay', inputOf('promptpay')))).toEqual(
      fieldsOf(billPayment({ billerId, ref1, amount: 1234.5 })),
    );
  });
});

describe('the others of EMVCo', () => {
  it('qris has its register, the merchant and whole rupiah', () => {
    expect(fieldsOf(qrPayload('qris', inputOf('qris', { value: '25000.00' })))).toMatchObject({
      '01': '12',
      '51.00': 'ID.CO.QRIS.WWW',
      '51.02': 'ID1020000000001',
      '53': '360',
      '54': '25000',
      '58': 'ID',
      '62.01': 'order-4711',
    });
    expect(fieldsOf(qrPayload('qris', inputOf('qris', { value: '25000.50' })))['54']).toBe('25000.50');
  });

  it('duitnow has the acquirer and the merchant', () => {
    expect(fieldsOf(qrPayload('duitnow', inputOf('duitnow')))).toMatchObject({
      '26.00': 'A0000006150001',
      '26.01': '999999',
      '26.02': 'SANDBOX000001',
      '53': '458',
      '54': '1234.50',
      '58': 'MY',
      '62.05': '45b6c7d8e9f0123456789abcd',
    });
  });

  it('qrph has the BIC of the acquirer and is for one payment', () => {
    expect(fieldsOf(qrPayload('qrph', inputOf('qrph')))).toMatchObject({
      '28.00': 'ph.ppmi.p2m',
      '28.01': 'TESTPHM1XXX',
      '28.03': 'SANDBOX000001',
      '28.05': '010',
      '53': '608',
      '58': 'PH',
      '62.00': 'ph.ppmi.qrph',
    });
  });

  it('a name without Latin letters has a replacement', () => {
    const fields = fieldsOf(qrPayload('qris', inputOf('qris', { merchantName: 'متجر', merchantCity: '東京' })));
    expect(fields).toMatchObject({ 59: 'MERCHANT', 60: 'JAKARTA' });
  });
});

describe('upi', () => {
  it('is a link with the values for the app', () => {
    const payload = qrPayload('upi', inputOf('upi', { merchantName: 'Chai & Co', payeeAccount: 'chai.co@okbank' }));
    expect(payload).toMatch(/^upi:\/\/pay\?pa=chai\.co@okbank&/);
    expect(payload).not.toContain('+');
    expect(Object.fromEntries(new URL(payload).searchParams)).toEqual({
      pa: 'chai.co@okbank',
      pn: 'Chai & Co',
      tr: '0192f3a45b6c7d8e9f0123456789abcd',
      tn: 'Two tickets',
      am: '1234.50',
      cu: 'INR',
    });
  });
});

it('a code of no scheme is readable text', () => {
  expect(qrPayload('text', inputOf('text', { reference: 'R1' }))).toBe('Kiosk am Eck\norder-4711\n1234.50 KES\nR1');
});
