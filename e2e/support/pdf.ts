// Reads the PDF documents of the service as a PDF reader does, so that tests compare what was drawn.
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
