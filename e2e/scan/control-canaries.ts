// Control canaries test the search itself: they are written to the database in many encodings, to deleted rows and to
// the log. A search that misses one of them is invalid.
import { appendFileSync } from 'node:fs';
import { type Canaries, drawCodes, drawNumber, drawWord } from './canaries.ts';
import type { Counted } from './findings.ts';
import type { Finding } from './search.ts';

type Run = (sql: string, values?: unknown[]) => Promise<unknown>;

const codeRows = 200;

/** Draws the controls: a number, a word, a code that contains none of the canaries' codes. */
export function drawControls(canaries: Canaries): Canaries {
  const codes = drawCodes(4, 50)
    .filter((drawn) => !canaries.codes.some((code) => drawn.includes(code)))
    .slice(0, 1);
  return { numbers: [drawControlNumber()], words: [drawWord()], codes, sent: new Map([[codes[0] ?? '', codeRows]]) };
}

// The bytes of a packed number can spell a name: 4373434307311193 begins with `CsC`.
function drawControlNumber(): string {
  const number = drawNumber('4###############');
  return /c[sv][cv]/i.test(Buffer.from(number, 'hex').toString('latin1')) ? drawControlNumber() : number;
}

/** Writes the controls to the database and the end of the log. */
export async function insertControls({ numbers, words, codes }: Canaries, sql: Run, log: string): Promise<void> {
  const [number = '', word = '', code = ''] = [numbers[0], words[0], codes[0]];
  const dashed = number.match(/\d{4}/g)?.join('-');
  // The search by name reads 64 bytes after a name. Letters keep the digits of other rows away, which contain a canary's
  // code by chance.
  const letters = 'x'.repeat(64);
  const texts = [
    Buffer.from(`x${number}y`).toString('base64'),
    Buffer.from(number).toString('hex'),
    [...number].reverse().join(''),
    letters,
    JSON.stringify({ card_cvv: code }),
    letters,
    word.toUpperCase(),
  ];
  await sql('create table scan_controls (words text, bytes bytea, json jsonb, whole bigint, decimals numeric)');
  for (const text of texts) await sql('insert into scan_controls (words) values ($1)', [text]);
  await sql('insert into scan_controls (bytes, whole, decimals) values ($1, $2, $3)', [
    Buffer.from(number, 'hex'),
    number,
    number,
  ]);
  await sql('insert into scan_controls (words) select $1::text from generate_series(1, $2::int)', [code, codeRows]);
  await sql('insert into scan_controls (words) values ($1)', [Buffer.from(number, 'utf16le').toString('hex')]);
  await sql("insert into scan_controls (words) values (encode(sha256(convert_to($1, 'UTF8')), 'hex'))", [number]);
  await sql("insert into scan_controls (words) values ('gone ' || $1)", [number]);
  await sql("delete from scan_controls where words like 'gone%'");
  appendFileSync(log, `{"msg":"control ${dashed}"}\n`);
}

/** The controls that were not found: encodings expected in a kind of place. */
export function missedControls(findings: Finding[], counted: Counted[], placeOf: (file: string) => string): string[] {
  const expected = [
    ['digits', 'log'],
    ['digits', 'data folder'],
    ['digits', 'write-ahead log'],
    ['digits backwards', 'data folder'],
    ['digits backwards', 'export'],
    ['Base64', 'data folder'],
    ['Base64', 'export'],
    ['hexadecimal', 'data folder'],
    ['packed decimal', 'data folder'],
    ['packed decimal', 'write-ahead log'],
    ['64-bit integer', 'data folder'],
    ['numeric of PostgreSQL', 'data folder'],
    ['hash without a key', 'data folder'],
    ['capitals', 'data folder'],
    ['by name', 'data folder'],
    ['by name', 'export'],
  ];
  const absent = expected
    .filter(([form, place]) => !findings.some((found) => found.form === form && placeOf(found.file) === place))
    .map(([form, place]) => `${form} in the ${place}`);
  return counted.every(({ leaked }) => leaked) ? absent : [...absent, 'a code by itself'];
}

/** The number of expected controls. */
export const controlForms = 17;
