/**
 * Draws the voucher that a payer prints or shows at a counter: amount, payment data and a barcode. The typeface has
 * Latin, Cyrillic and Greek letters; for languages of other scripts (Arabic, Chinese, Japanese) the voucher is in
 * English.
 */
import { join } from 'node:path';
import type { LocaleCode } from '../core/locales.ts';
import type { Money } from '../core/money.ts';
import type { DetailRow } from '../core/presentation.ts';
import type { Translations } from '../core/translations.ts';
import { translationsOf } from '../http/index.ts';
import { type FontFace, fontRunsOf, registerFonts } from './voucher-fonts.ts';

export type Voucher = {
  merchant: string;
  method: string;
  order: string;
  description: string;
  amount: Money;
  rows: readonly DetailRow[];
  /** The barcode's content. Texts that Code 128 cannot encode are printed without a barcode. */
  barcode: string;
  expiresAt?: Date;
};

const page = { width: 595.28, height: 841.89, margin: 56 };
const inner = page.width - 2 * page.margin;
const ink = '#1b1d1f';
const soft = '#575a5c';
const line = '#c9c7c0';
/** The widest module of the barcode, and the narrowest that a scanner can read (0.19 mm). */
const moduleWidth = { most: 1.6, least: 0.54 };
const barHeight = 72;

const otherScripts: readonly LocaleCode[] = ['ar', 'ja', 'zh', 'zh-TW'];

/** The voucher as a PDF of A4 pages, in the given language if the typeface has its script. */
export async function voucherPdf(voucher: Voucher, requested: Translations): Promise<Buffer> {
  const words = otherScripts.includes(requested.code) ? translationsOf('en') : requested;
  // Loaded on first use: most processes never draw a voucher, and the sources take four megabytes.
  const [{ default: PDFDocument }, { default: bwip }] = await Promise.all([import('pdfkit'), import('bwip-js/node')]);
  const { t } = words;
  const title = t('pay.title', { merchant: voucher.merchant });
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    // The standard typefaces lack most letters, so none is embedded.
    font: '',
    lang: words.lang,
    info: { Title: title, Creator: 'Florin', Producer: 'Florin' },
  });
  const bytes = collected(doc);
  const faces = registerFonts(doc, join(process.cwd(), 'node_modules/@fontsource-variable/inter/files'));
  const pen: Pen = { doc, faces };
  write(pen, voucher.method, { size: 12, colour: soft });
  write(pen, title, { size: 22, after: 14 });
  rule(doc);
  write(pen, t('pay.amount'), { size: 10, colour: soft, before: 14 });
  write(pen, words.amount(voucher.amount).text, { size: 30, after: 6 });
  if (voucher.expiresAt) {
    write(pen, t('ticket.due', { time: words.dateTime(voucher.expiresAt) }), { size: 12, after: 6 });
  }
  drawBarcode(pen, bwip, voucher.barcode);
  const order: DetailRow = { name: t('summary.order'), value: voucher.order };
  const about: DetailRow = { name: t('summary.for'), value: voucher.description };
  const facts = voucher.rows.map((row) => ({ ...row, name: labelOf(words, row.name) }));
  for (const row of [...facts, order, about]) drawRow(pen, row);
  doc.end();
  return bytes;
}

type Bwip = typeof import('bwip-js/node');
type Pen = { doc: PDFKit.PDFDocument; faces: readonly FontFace[] };

function collected(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => done(Buffer.concat(chunks)));
    doc.on('error', fail);
  });
}

const labelOf = ({ t, has }: Translations, name: string) => (has(`details.${name}`) ? t(`details.${name}`) : name);

type Style = { size: number; colour?: string; before?: number; after?: number };

/** Writes a paragraph at the left margin, and changes the font file between runs. */
function write({ doc, faces }: Pen, text: string, { size, colour = ink, before = 0, after = 2 }: Style): void {
  const runs = fontRunsOf(text, faces);
  if (runs.length === 0) return;
  doc.y += before;
  doc.x = page.margin;
  doc.fontSize(size).fillColor(colour);
  for (const [place, run] of runs.entries()) {
    doc.font(run.face.name).text(run.text, { width: inner, continued: place < runs.length - 1 });
  }
  doc.y += after;
}

function rule(doc: PDFKit.PDFDocument): void {
  doc
    .moveTo(page.margin, doc.y)
    .lineTo(page.width - page.margin, doc.y)
    .lineWidth(0.75)
    .stroke(line);
}

/** A name above its value, with a line between rows; a page break never splits a row. */
function drawRow(pen: Pen, { name, value }: DetailRow): void {
  if (pen.doc.y > page.height - page.margin - 60) pen.doc.addPage();
  rule(pen.doc);
  write(pen, name, { size: 10, colour: soft, before: 8, after: 0 });
  write(pen, value, { size: 13, after: 8 });
}

/** The bars as rectangles, with the quiet zone of ten modules that Code 128 requires, and the text below. */
function drawBarcode(pen: Pen, bwip: Bwip, text: string): void {
  const widths = barsOf(bwip, text);
  const { doc } = pen;
  doc.y += 14;
  if (widths) {
    const modules = widths.reduce((sum, width) => sum + width, 0);
    const scale = Math.min(moduleWidth.most, inner / (modules + 20));
    if (scale >= moduleWidth.least) {
      let x = page.margin + 10 * scale;
      for (const [place, width] of widths.entries()) {
        if (place % 2 === 0) doc.rect(x, doc.y, width * scale, barHeight);
        x += width * scale;
      }
      doc.fill('#000000');
      doc.y += barHeight + 6;
    }
  }
  write(pen, text, { size: 14, after: 16 });
}

/** Widths of bars and gaps in turn, in modules; null for a text that Code 128 cannot encode. */
function barsOf(bwip: Bwip, text: string): number[] | null {
  if (!/^[\x20-\x7e]{1,80}$/.test(text)) return null;
  const [code] = bwip.raw({ bcid: 'code128', text }) as { sbs: number[] }[];
  return code ? [...code.sbs] : null;
}
