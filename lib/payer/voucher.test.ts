import { describe, expect, it } from 'vitest';
import { readPdf } from '../../e2e/support/pdf.ts';
import { locales } from '../core/locales.ts';
import { translationsOf } from '../http/i18n.ts';
import { readBarcode, readItf } from './barcode.test-data.ts';
import { type Voucher, voucherPdf } from './voucher.ts';

const voucher: Voucher = {
  merchant: 'Čigra & Söhne',
  method: 'Axxi Cash',
  order: 'order-4711',
  description: 'Обувки, Zażółć gęślą jaźń',
  amount: { minor: 123_450n, currency: 'EUR' },
  rows: [
    { name: 'reference', value: '8400 0001 2345' },
    { name: 'Convenio', value: '01234567' },
  ],
  barcode: '840000012345678901',
  expiresAt: new Date('2026-11-23T10:00:00Z'),
};

async function pdfOf(...given: Parameters<typeof voucherPdf>): Promise<Buffer> {
  const pdf = await voucherPdf(...given);
  if (!pdf) throw new Error('too many documents');
  return pdf;
}

describe('a voucher', () => {
  it('is drawn once for each content and language', async () => {
    const first = voucherPdf(voucher, translationsOf('de'));
    expect(voucherPdf({ ...voucher }, translationsOf('de'))).toBe(first);
    const others = [
      voucherPdf(voucher, translationsOf('fr')),
      voucherPdf({ ...voucher, order: 'o' }, translationsOf('de')),
    ];
    for (const other of others) expect(other).not.toBe(first);
    for (let place = 0; place < 100; place += 1)
      await voucherPdf({ ...voucher, order: `order-${place}` }, translationsOf('de'));
    expect(voucherPdf(voucher, translationsOf('de'))).not.toBe(first);
  });

  it('is drawn later if too many documents wait', async () => {
    await voucherPdf({ ...voucher, order: 'the last one that waits' }, translationsOf('de'));
    const orders = Array.from({ length: 11 }, (_, at) => ({ ...voucher, order: `waiting-${at}` }));
    const drawn = await Promise.all(orders.map((each) => voucherPdf(each, translationsOf('de'))));
    expect(drawn.map((pdf) => pdf !== null)).toEqual([...Array(10).fill(true), false]);
    expect(await voucherPdf(orders[10] as Voucher, translationsOf('de'))).not.toBeNull();
  });

  it('has amount, merchant, payment data and due date on one page', async () => {
    const pages = readPdf(await pdfOf(voucher, translationsOf('en')));
    expect(pages.map(({ text }) => text.split('\n'))).toEqual([
      [
        'Axxi Cash',
        'Pay Čigra & Söhne',
        'Amount to pay',
        '€1,234.50',
        'Pay by 23 November 2026 at 10:00 UTC',
        '840000012345678901',
        'Reference',
        '8400 0001 2345',
        'Convenio',
        '01234567',
        'Order',
        'order-4711',
        'For',
        'Обувки, Zażółć gęślą jaźń',
      ],
    ]);
  });

  it.each(locales.map(({ code }) => code))('has every letter of its words: %s', async (code) => {
    const words = translationsOf(['ar', 'ja', 'zh', 'zh-TW'].includes(code) ? 'en' : code);
    const [page] = readPdf(await pdfOf(voucher, translationsOf(code)));
    const blank = (text: string) => text.replace(/\s+/g, ' ');
    expect(blank(page?.text ?? '')).toContain(words.t('pay.amount'));
    expect(page?.text).toContain(words.t('pay.title', { merchant: voucher.merchant }));
    expect(blank(page?.text ?? '')).toContain(blank(words.amount(voucher.amount).text));
    expect(blank(page?.text ?? '')).toContain(blank(words.dateTime(voucher.expiresAt as Date)));
  });

  it('omits characters that the typeface lacks', async () => {
    const [page] = readPdf(
      await pdfOf({ ...voucher, merchant: '東京 Store', description: '東京' }, translationsOf('en')),
    );
    expect(page?.text).toContain('Pay Store');
    expect(page?.text).not.toContain('?');
  });

  it('continues on another page for long data', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ name: `Line ${at}`, value: `Value ${at}` }));
    const pages = readPdf(await pdfOf({ ...voucher, rows }, translationsOf('en')));
    expect(pages.length).toBeGreaterThan(1);
    const text = pages.map((page) => page.text).join('\n');
    for (const { value } of rows) expect(text.split('\n')).toContain(value);
  });
});

describe('the barcode', () => {
  const drawn = async (barcode: string) => {
    const [page] = readPdf(await pdfOf({ ...voucher, barcode }, translationsOf('en')));
    return { code: readBarcode(page?.drawing ?? ''), text: page?.text ?? '' };
  };

  it.each(['840000012345678901', '1', 'AXXI-2026/11', 'abc DEF 123456', '0123456789'.repeat(4)])(
    'is read back: %s',
    async (text) => {
      const { code, text: below } = await drawn(text);
      expect(code).toBe(text);
      expect(below.split('\n')).toContain(text);
    },
  );

  it.each(['34196166700000123451101234567880057123457000', '00', '0123456789'])(
    'of ITF is read back: %s',
    async (text) => {
      const itf = { ...voucher, barcode: text, symbology: 'itf' as const };
      const [page] = readPdf(await pdfOf(itf, translationsOf('pt')));
      expect(readItf(page?.drawing ?? '')).toBe(text);
      expect(page?.text.split('\n')).toContain(text);
    },
  );

  it.each(['012', 'AXXI-1'])('of ITF is left to its text where the text is no pairs of digits: %s', async (text) => {
    const itf = { ...voucher, barcode: text, symbology: 'itf' as const };
    const [page] = readPdf(await pdfOf(itf, translationsOf('en')));
    expect(page?.drawing).not.toMatch(/ re$/m);
    expect(page?.text.split('\n')).toContain(text);
  });

  it.each(['Čigra-1', 'x'.repeat(81), 'aB'.repeat(40)])(
    'is left to its text where no scanner could read it: %s',
    async (text) => {
      const { code, text: below } = await drawn(text);
      expect(code).toBeNull();
      expect(below.replaceAll('\n', '')).toContain(text);
    },
  );

  it('has a quiet zone of ten modules on the left', async () => {
    const [page] = readPdf(await pdfOf(voucher, translationsOf('en')));
    const [, x, width] = /^(\S+) \S+ (\S+) \S+ re$/m.exec(page?.drawing ?? '') ?? [];
    expect(Number(x) - 56).toBeCloseTo(10 * (Number(width) / 2), 3);
  });
});
