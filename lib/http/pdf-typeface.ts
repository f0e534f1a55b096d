/** The typeface of PDF documents: Inter, in files of one script each. */
import { join } from 'node:path';
import { processWide } from '../core/process-wide.ts';

/** One file of the typeface, registered with the document under `name`. */
export type FontFace = { name: string; has: (codePoint: number) => boolean };

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

/** The files as read for the first document of this process: reading them takes longer than to draw a voucher. */
const fonts = processWide('pdfFonts', () => new Map<string, Embedded['font']>());

const folder = join(process.cwd(), 'node_modules/@fontsource-variable/inter/files');

/**
 * Registers the typeface's WOFF2 files, in order of preference. They store glyphs in a form that pdfkit's subset writer
 * cannot copy, so every glyph is written from its outline.
 */
export function registerFonts(doc: PDFKit.PDFDocument): FontFace[] {
  return scripts.map((name) => {
    const known = fonts.get(name);
    const source = known ?? join(folder, `inter-${name}-wght-normal.woff2`);
    // pdfkit also takes a font that was read, which its types omit.
    doc.registerFont(name, source as PDFKit.Mixins.PDFFontSource).font(name);
    const { font, subset } = (doc as unknown as { _font: Embedded })._font;
    // A glyph first read as a component of another (the o of ö) would get no code point, and the text could
    // not be copied.
    if (!known) for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
    fonts.set(name, font);
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

const isBlank = (letter: string) => /\s/.test(letter);
const faceOf = (letter: string, faces: readonly FontFace[]) =>
  faces.find((face) => face.has(letter.codePointAt(0) as number));

/** Whether the typeface has every letter of a text. */
export function hasEveryLetter(text: string, faces: readonly FontFace[]): boolean {
  return [...text.normalize('NFC')].every((letter) => isBlank(letter) || faceOf(letter, faces));
}

/** A text with its combining marks composed, and `lack` in the place of letters that the typeface lacks. */
export function writable(text: string, faces: readonly FontFace[], lack: string): string {
  let written = '';
  let isLacking = false;
  for (const letter of text.normalize('NFC').replace(/\s+/g, ' ').trim()) {
    const isKnown = isBlank(letter) || faceOf(letter, faces) !== undefined;
    if (isKnown) written += letter;
    else if (!isLacking) written += lack;
    isLacking = !isKnown;
  }
  return written.replace(/ +/g, ' ').trim();
}

/** Splits a text that the typeface can write into runs of one file each. */
export function fontRunsOf(text: string, faces: readonly FontFace[]): { text: string; face: FontFace }[] {
  const runs: { text: string; face: FontFace }[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const face = last?.face.has(letter.codePointAt(0) as number) ? last.face : (faceOf(letter, faces) as FontFace);
    if (last?.face === face) last.text += letter;
    else runs.push({ text: letter, face });
  }
  return runs;
}
