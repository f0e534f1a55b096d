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
import { barsOf, quietModules } from './barcode.ts';

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
  // Loaded on first use: most processes never draw a voucher.
  const { default: PDFDocument } = await import('pdfkit');
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
  drawBarcode(pen, voucher.barcode, await barsOf(voucher.barcode));
  const order: DetailRow = { name: t('summary.order'), value: voucher.order };
  const about: DetailRow = { name: t('summary.for'), value: voucher.description };
  const facts = voucher.rows.map((row) => ({ ...row, name: labelOf(words, row.name) }));
  for (const row of [...facts, order, about]) drawRow(pen, row);
  doc.end();
  return bytes;
}

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

/** The bars as rectangles, with their quiet zone, and the text below. */
function drawBarcode(pen: Pen, text: string, widths: number[] | null): void {
  const { doc } = pen;
  doc.y += 14;
  if (widths) {
    const modules = widths.reduce((sum, width) => sum + width, 0);
    const scale = Math.min(moduleWidth.most, inner / (modules + 2 * quietModules));
    if (scale >= moduleWidth.least) {
      let x = page.margin + quietModules * scale;
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

/** One file of the typeface, registered with the document under `name`. */
type FontFace = { name: string; has: (codePoint: number) => boolean };

const scripts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'];

// The parts of pdfkit's and fontkit's objects used here; their types omit them.
type Command = { command: string; args: number[] };
type Glyph = { path: { commands: Command[] }; advanceWidth: number; _getMetrics(): { leftBearing: number } };
type Subset = {
  _addGlyph(glyphId: number): number;
  glyf: Uint8Array[];
  loca: { offsets: number[]; version: number };
  hmtx: { metrics: { advance: number; bearing: number }[] };
  offset: number;
};
type Embedded = {
  font: {
    characterSet: number[];
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(id: number): Glyph;
  };
  subset: Subset;
};

/**
 * Registers the typeface's WOFF2 files in `folder`, in order of preference. They store glyphs in a form that pdfkit's
 * subset writer cannot copy, so every glyph is written from its outline.
 */
function registerFonts(doc: PDFKit.PDFDocument, folder: string): FontFace[] {
  return scripts.map((name) => {
    doc.registerFont(name, join(folder, `inter-${name}-wght-normal.woff2`)).font(name);
    const { font, subset } = (doc as unknown as { _font: Embedded })._font;
    // A glyph first read as a component of another (the o of ö) would get no code point, and the voucher's text could
    // not be copied.
    for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
    subset._addGlyph = (glyphId) => {
      const glyph = font.getGlyph(glyphId);
      const outline = outlineOf(glyph.path.commands);
      // Long-form offsets, which fit any length.
      subset.loca.version = 1;
      subset.loca.offsets.push(subset.offset);
      subset.glyf.push(outline);
      subset.hmtx.metrics.push({ advance: glyph.advanceWidth, bearing: glyph._getMetrics().leftBearing });
      subset.offset += outline.length;
      return subset.glyf.length - 1;
    };
    return { name, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
  });
}

/** An entry of TrueType's `glyf` table: whole numbers, one flag and two full words per point, no instructions. */
function outlineOf(commands: readonly Command[]): Uint8Array {
  const points: { x: number; y: number; on: boolean }[] = [];
  const ends: number[] = [];
  for (const { command, args } of commands) {
    if (command === 'closePath') ends.push(points.length - 1);
    for (let at = 0; at < args.length; at += 2) {
      const [x, y] = [Math.round(args[at] as number), Math.round(args[at + 1] as number)];
      // The first of the two points of a quadratic curve is its control point.
      points.push({ x, y, on: command !== 'quadraticCurveTo' || at === 2 });
    }
  }
  if (ends.length === 0) return new Uint8Array(0);
  const length = 12 + 2 * ends.length + 5 * points.length;
  const entry = Buffer.alloc(length + (-length & 3));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const head = [ends.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), ...ends, 0];
  let at = 0;
  const put = (word: number) => {
    at = entry.writeInt16BE(word, at);
  };
  head.forEach(put);
  for (const { on } of points) at = entry.writeUInt8(on ? 1 : 0, at);
  for (const values of [xs, ys]) for (const [place, value] of values.entries()) put(value - (values[place - 1] ?? 0));
  return entry;
}

/** Splits a text into runs of one file each. Combining marks are composed; characters without a glyph are dropped. */
function fontRunsOf(text: string, faces: readonly FontFace[]): { text: string; face: FontFace }[] {
  const runs: { text: string; face: FontFace }[] = [];
  const faceOf = (letter: string) => faces.find((face) => face.has(letter.codePointAt(0) as number));
  const known = [...text.normalize('NFC')].filter((letter) => /\s/.test(letter) || faceOf(letter)).join('');
  for (const letter of known.replace(/\s+/g, ' ').trim()) {
    const last = runs.at(-1);
    const face = last?.face.has(letter.codePointAt(0) as number) ? last.face : (faceOf(letter) as FontFace);
    if (last?.face === face) last.text += letter;
    else runs.push({ text: letter, face });
  }
  return runs;
}
