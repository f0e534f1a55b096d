// Reads vouchers back as a PDF reader and a barcode scanner do, so that tests compare what was drawn.

import { inflateSync } from 'node:zlib';

type PdfObject = { head: string; stream: Buffer };

/** A PDF's objects by number, with inflated streams. */
function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const [, number = '', body = ''] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body.indexOf('stream\n');
    const head = at < 0 ? body : body.slice(0, at);
    const raw = at < 0 ? '' : body.slice(at + 7, body.lastIndexOf('\nendstream'));
    const bytes = Buffer.from(raw, 'latin1');
    objects.set(number, { head, stream: head.includes('/FlateDecode') ? inflateSync(bytes) : bytes });
  }
  return objects;
}

/** The characters of a font by glyph, from its ToUnicode table of arrays. */
function charactersOf(table: string): string[] {
  const characters: string[] = [];
  for (const [, from = '', list = ''] of table.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/g)) {
    for (const [place, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      characters[Number.parseInt(from, 16) + place] = Buffer.from(hex.replaceAll(' ', ''), 'hex')
        .swap16()
        .toString('utf16le');
    }
  }
  return characters;
}

/** Pages in order: the text, one line per separately drawn text, and the drawing operators. */
export function readPdf(pdf: Buffer): { text: string; drawing: string }[] {
  const objects = objectsOf(pdf);
  const of = (number: string | undefined) => objects.get(number ?? '') ?? { head: '', stream: Buffer.alloc(0) };
  const fonts = new Map<string, string[]>();
  for (const { head } of objects.values()) {
    for (const [, name = '', number] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = of(/\/ToUnicode (\d+) 0 R/.exec(of(number).head)?.[1]).stream.toString('latin1');
      fonts.set(name, charactersOf(table));
    }
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return pages.map(({ head }) => {
    const drawing = of(/\/Contents (\d+) 0 R/.exec(head)?.[1]).stream.toString('latin1');
    return { drawing, text: textOf(drawing, fonts) };
  });
}

function textOf(drawing: string, fonts: Map<string, string[]>): string {
  let text = '';
  let height = '';
  for (const [, y = '', font = '', shown = ''] of drawing.matchAll(
    /1 0 0 1 \S+ (\S+) Tm\n\/(F\d+) \S+ Tf\n\[(.*?)\] TJ/g,
  )) {
    const codes = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    const characters = codes.map((glyph) => fonts.get(font)?.[Number.parseInt(glyph, 16)] ?? '?').join('');
    text += y === height || text === '' ? characters : `\n${characters}`;
    height = y;
  }
  return text;
}

/** The values of Code 128 by the widths of their three bars and three gaps (ISO/IEC 15417, table 1). */
const patterns = `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132
122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123
212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422
121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142
121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311
113141 114131 311141 411131 211412 211214 211232`.split(/\s+/);

/** The content of a page's barcode; null for none, a wrong check value or a wrong start or stop. */
export function readBarcode(drawing: string): string | null {
  const bars = [...drawing.matchAll(/^(\S+) (\S+) (\S+) (\S+) re$/gm)].map(([, x, , width]) => ({
    x: Number(x),
    width: Number(width),
  }));
  const module = Math.min(...bars.map(({ width }) => width));
  const widths = bars.flatMap(({ x, width }, place) => {
    const next = bars[place + 1];
    return next ? [width, next.x - x - width] : [width];
  });
  const text = widths.map((width) => Math.round(width / module)).join('');
  if (text.length < 25 || !text.endsWith('2331112')) return null;
  const values = (text.slice(0, -7).match(/.{6}/g) ?? []).map((pattern) => patterns.indexOf(pattern));
  const check = values.pop();
  const sum = values.reduce((total, value, place) => total + value * Math.max(place, 1), 0);
  return sum % 103 === check && !values.includes(-1) ? textOfCode(values) : null;
}

function textOfCode([start, ...values]: number[]): string | null {
  const starts: { [value: number]: string } = { 103: 'A', 104: 'B', 105: 'C' };
  let set = starts[start ?? -1];
  let text = '';
  for (const value of values) {
    const change = set === 'C' ? { 100: 'B', 101: 'A' }[value] : { 99: 'C', 100: 'B', 101: 'A' }[value];
    if (change) set = change;
    else if (set === 'C') text += String(value).padStart(2, '0');
    else text += String.fromCharCode(32 + value);
  }
  return set ? text : null;
}
