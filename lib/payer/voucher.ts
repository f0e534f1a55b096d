/**
 * Draws the voucher that a payer prints or shows at a counter: amount, payment data and a barcode. The typeface has
 * Latin, Cyrillic and Greek letters; for languages of other scripts (Arabic, Chinese, Japanese) the voucher is in
 * English.
 */
import { detailName } from '../core/detail-rows.ts';
import type { LocaleCode } from '../core/locales.ts';
import type { Money } from '../core/money.ts';
import type { DetailRow, Symbology } from '../core/presentation.ts';
import { rememberLast } from '../core/remember.ts';
import type { Translations } from '../core/translations.ts';
import { drawPdf, type Pdf, translationsOf } from '../http/index.ts';
import { barsOf, quietModules } from './barcode.ts';

export type Voucher = {
  merchant: string;
  method: string;
  order: string;
  description: string;
  amount: Money;
  rows: readonly DetailRow[];
  /** The barcode's content. Texts that its symbology cannot encode are printed without a barcode. */
  barcode: string;
  symbology?: Symbology;
  expiresAt?: Date;
};

/** The widest module of the barcode, and the narrowest that a scanner can read (0.19 mm). */
const moduleWidth = { most: 1.6, least: 0.54 };
const barHeight = 72;

const otherScripts: readonly LocaleCode[] = ['ar', 'ja', 'zh', 'zh-TW'];

/** The vouchers that were drawn last, each about 10 KB: drawing takes 10 ms, and a link can be opened again and again. */
const drawn = rememberLast<Promise<Buffer | null>>(100);

/** The voucher as a PDF of A4 pages, in the given language if the typeface has its script; null if too many documents wait. */
export function voucherPdf(voucher: Voucher, requested: Translations): Promise<Buffer | null> {
  const words = otherScripts.includes(requested.code) ? translationsOf('en') : requested;
  const amount = words.amount(voucher.amount).text;
  const key = JSON.stringify([words.lang, { ...voucher, amount }]);
  return drawn(key, () => drawVoucher(voucher, words));
}

async function drawVoucher(voucher: Voucher, words: Translations): Promise<Buffer | null> {
  const title = words.t('pay.title', { merchant: voucher.merchant });
  const bars = await barsOf(voucher.barcode, voucher.symbology);
  return drawPdf({ title, lang: words.lang }, (pdf) => writeVoucher(pdf, voucher, title, bars, words));
}

function writeVoucher(pdf: Pdf, voucher: Voucher, title: string, bars: number[] | null, words: Translations) {
  const { t } = words;
  pdf.write(voucher.method, { size: 12, isQuiet: true });
  pdf.write(title, { size: 22, after: 14 });
  pdf.rule();
  pdf.write(t('pay.amount'), { size: 10, isQuiet: true, before: 14 });
  pdf.write(words.amount(voucher.amount).text, { size: 30, after: 6 });
  if (voucher.expiresAt) {
    pdf.write(t('ticket.due', { time: words.dateTime(voucher.expiresAt) }), { size: 12, after: 6 });
  }
  drawBarcode(pdf, voucher.barcode, bars);
  const order: DetailRow = { name: t('summary.order'), value: voucher.order };
  const about: DetailRow = { name: t('summary.for'), value: voucher.description };
  const facts = voucher.rows.map((row) => ({ ...row, name: detailName(row.name, words) }));
  return pdf.drawRows([...facts, order, about]);
}

/** The bars as rectangles, with their quiet zone, and the text below. */
function drawBarcode(pdf: Pdf, text: string, widths: number[] | null): void {
  const { doc, left, width: space } = pdf;
  doc.y += 14;
  if (widths) {
    const modules = widths.reduce((sum, width) => sum + width, 0);
    const scale = Math.min(moduleWidth.most, space / (modules + 2 * quietModules));
    if (scale >= moduleWidth.least) {
      let x = left + quietModules * scale;
      for (const [place, width] of widths.entries()) {
        if (place % 2 === 0) doc.rect(x, doc.y, width * scale, barHeight);
        x += width * scale;
      }
      doc.fill('#000000');
      doc.y += barHeight + 6;
    }
  }
  pdf.write(text, { size: 14, after: 16 });
}
