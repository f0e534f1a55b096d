/** A4 documents as PDF files. The typeface has Latin, Cyrillic and Greek letters. */
import { setImmediate } from 'node:timers/promises';
import type { DetailRow } from '../core/presentation.ts';
import { processWide } from '../core/process-wide.ts';
import { inTurn, isTooBusy, newTurns } from '../core/turns.ts';
import { type FontFace, fontRunsOf, hasEveryLetter, registerFonts, writable } from './pdf-typeface.ts';

const page = { width: 595.28, height: 841.89, margin: 56 };
const inner = page.width - 2 * page.margin;
const ink = '#1b1d1f';
const soft = '#575a5c';
const line = '#c9c7c0';

type Style = { size: number; isQuiet?: boolean; before?: number; after?: number };

/** A document that is being drawn, from top to bottom. */
export type Pdf = {
  doc: PDFKit.PDFDocument;
  /** The left margin and the width between the margins. */
  left: number;
  width: number;
  hasEveryLetter(text: string): boolean;
  /** Writes a paragraph at the left margin. */
  write(text: string, style: Style): void;
  /** Draws a line across the page. */
  rule(): void;
  /**
   * Names above their values, with a line between rows; a page break never splits a name from its value. Other requests
   * get their turn between a few rows.
   */
  drawRows(rows: readonly DetailRow[]): Promise<void>;
  /** Continues on a new page if less than `height` is left on this one. */
  keepTogether(height: number): void;
};

type Options = {
  title: string;
  /** The language of the document, as a BCP 47 tag. */
  lang: string;
  /** Written in the place of letters that the typeface lacks. */
  lack?: string;
};

/** The documents of a process at a time, with the one that is being drawn. */
const documentsMax = 10;

/** Some milliseconds of the process. */
const rowsAtOnce = 5;

/** After so long a client may try again if too many wait. */
export const pdfBusySeconds = 2;

const turns = processWide('pdfTurns', newTurns);

/** Draws a document when those before it are drawn; null, without drawing it, if too many wait, or it waits too long. */
export async function drawPdf(options: Options, draw: (pdf: Pdf) => unknown): Promise<Buffer | null> {
  if (turns.running + turns.waiting.size >= documentsMax) return null;
  return inTurn(turns, 1, async () => {
    // What is drawn at once occupies the process, so other requests get their turn before each document.
    await setImmediate();
    return pdfOf(options, draw);
  }).catch((thrown) => {
    if (isTooBusy(thrown)) return null;
    throw thrown;
  });
}

async function pdfOf({ title, lang, lack = '' }: Options, draw: (pdf: Pdf) => unknown): Promise<Buffer> {
  // Loaded on first use: most processes never draw a document.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    // The standard typefaces lack most letters, so none is embedded.
    font: '',
    lang,
    info: { Title: title, Creator: 'Florin', Producer: 'Florin' },
  });
  const bytes = collected(doc);
  const faces = registerFonts(doc);
  const write: Pdf['write'] = (text, style) => writeParagraph(doc, faces, writable(text, faces, lack), style);
  const rule = () => drawRule(doc);
  const keepTogether = (height: number) => {
    if (doc.y > page.height - page.margin - height) doc.addPage();
  };
  await draw({
    doc,
    left: page.margin,
    width: inner,
    hasEveryLetter: (text) => hasEveryLetter(text, faces),
    write,
    rule,
    keepTogether,
    async drawRows(rows) {
      for (const [at, { name, value }] of rows.entries()) {
        if (at > 0 && at % rowsAtOnce === 0) await setImmediate();
        keepTogether(60);
        rule();
        write(name, { size: 10, isQuiet: true, before: 8, after: 0 });
        write(value, { size: 13, after: 8 });
      }
    },
  });
  doc.end();
  return bytes;
}

function collected(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => done(Buffer.concat(chunks)));
    doc.on('error', fail);
  });
}

/** Writes a paragraph, and changes the font file between runs. */
function writeParagraph(
  doc: PDFKit.PDFDocument,
  faces: readonly FontFace[],
  text: string,
  { size, isQuiet = false, before = 0, after = 2 }: Style,
): void {
  const runs = fontRunsOf(text, faces);
  if (runs.length === 0) return;
  doc.y += before;
  doc.x = page.margin;
  doc.fontSize(size).fillColor(isQuiet ? soft : ink);
  for (const [place, run] of runs.entries()) {
    doc.font(run.face.name).text(run.text, { width: inner, continued: place < runs.length - 1 });
  }
  doc.y += after;
}

function drawRule(doc: PDFKit.PDFDocument): void {
  doc
    .moveTo(page.margin, doc.y)
    .lineTo(page.width - page.margin, doc.y)
    .lineWidth(0.75)
    .stroke(line);
}
