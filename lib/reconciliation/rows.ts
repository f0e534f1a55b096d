/** Reads a settlement report as a stream of lines, each with its number: memory does not grow with the file. */
import { CsvError, type Info, parse } from 'csv-parse';
import { type Inspected, type Open, textOf } from './encoding.ts';
import { type Cells, type Line, type LineError, lineReader } from './lines.ts';
import type { LineField, Mapping } from './mapping.ts';

/** A line of a file that is read, or what is wrong with it. */
export type Row = { number: number; line: Line } | { errors: LineError[] };

const separators = [',', ';', '\t'] as const;
/** Characters of a record, and those of the header in which the separator is searched. */
const recordMax = 64 * 1024;
const columnsMax = 500;

type Record = { record: string[]; info: Info };

/** The rows after the header. A file that cannot be read on ends with a row of errors. `latest`: as {@link lineReader}. */
export async function* readRows(
  open: Open,
  inspected: Pick<Inspected, 'encoding'>,
  mapping: Mapping,
  latest: string,
): AsyncGenerator<Row> {
  const { separator, text } = await withSeparator(textOf(open, inspected), mapping);
  const parser = parse({
    delimiter: separator,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: recordMax,
  });
  const feeding = feed(text, parser);
  const readLine = lineReader(mapping, latest);
  let places: Places | null = null;
  let width = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Record>) {
      const line = info.lines;
      if (places === null) {
        const found = placesOf(record, mapping, line);
        if ('errors' in found) return yield found;
        places = found;
        width = record.length;
      } else yield rowOf(record, line, width, places, readLine);
    }
    await feeding;
    if (places === null) yield { errors: [{ line: 1, field: 'file', message: 'The file is empty.' }] };
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    yield { errors: [{ line: parser.info.lines, field: 'line', message: csvMessage(thrown) }] };
  } finally {
    parser.destroy();
    await feeding.catch(() => {});
  }
}

async function feed(text: AsyncGenerator<string>, parser: ReturnType<typeof parse>): Promise<void> {
  try {
    for await (const chunk of text) {
      if (parser.destroyed) return;
      if (!parser.write(chunk)) await drained(parser);
    }
    parser.end();
  } catch (thrown) {
    parser.destroy(thrown as Error);
  }
}

// A parser that has failed is closed and never drains.
const drained = (parser: ReturnType<typeof parse>) =>
  new Promise<void>((resolve) => {
    const done = () => {
      parser.off('drain', done).off('close', done);
      resolve();
    };
    parser.once('drain', done).once('close', done);
  });

function csvMessage({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return `The line has more than ${recordMax} characters; a quote may be missing.`;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'A quote is not closed: the file is truncated.';
  return 'A quote is in the wrong place. The lines after it were not read.';
}

/** The text with its separator, which is the one that the first line has most often. */
async function withSeparator(text: AsyncGenerator<string>, { separator }: Mapping) {
  if (separator !== 'auto') return { separator, text };
  let start = '';
  for (let next = await text.next(); !next.done; next = await text.next()) {
    start += next.value;
    if (start.trimStart().includes('\n') || start.length > recordMax) break;
  }
  const [header = ''] = start.trimStart().split('\n', 1);
  const countOf = (sign: string) => header.split(sign).length - 1;
  const most = separators.reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
  return { separator: most, text: followed(start, text) };
}

async function* followed(start: string, text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* text;
}

type Places = [LineField, number][];

const folded = (text: string) => text.trim().toLowerCase();

/** The place of each column, by its header in any letter case. */
function placesOf(header: string[], { columns }: Mapping, line: number): Places | { errors: LineError[] } {
  if (header.length > columnsMax) {
    return { errors: [{ line, field: 'file', message: `The header has more than ${columnsMax} columns.` }] };
  }
  const errors: LineError[] = [];
  const heads = header.map(folded);
  const places: Places = [];
  for (const [field, name = ''] of Object.entries(columns) as [LineField, string | undefined][]) {
    const at = heads.indexOf(folded(name));
    if (at < 0) errors.push({ line, field, message: `The header has no column “${name}”.` });
    else if (heads.indexOf(folded(name), at + 1) >= 0) {
      errors.push({ line, field, message: `The header has the column “${name}” twice.` });
    } else places.push([field, at]);
  }
  return errors.length > 0 ? { errors } : places;
}

function rowOf(
  record: string[],
  number: number,
  width: number,
  places: Places,
  read: ReturnType<typeof lineReader>,
): Row {
  if (record.length !== width) {
    const message = `The line has ${record.length} columns, the header ${width}.`;
    return { errors: [{ line: number, field: 'line', message }] };
  }
  const cells: Cells = {};
  for (const [field, at] of places) cells[field] = record[at] ?? '';
  const result = read(cells);
  if ('line' in result) return { number, line: result.line };
  return { errors: result.errors.map((error) => ({ line: number, ...error })) };
}
