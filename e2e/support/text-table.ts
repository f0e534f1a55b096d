// Rules as aligned text: one row per line, columns separated by `|`. Rules that are tables in the contract are tables
// here.

/** The trimmed cells of every line that is not blank. `\|` is a literal bar. */
export function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));
}

/** The value of a cell: JSON; `x*255` for a text of that length; `-` for an absent value; anything else is text. */
export function parseCell(cell: string): unknown {
  if (cell === '-') return undefined;
  const repeated = /^(.)\*(\d+)$/.exec(cell);
  if (repeated) return (repeated[1] ?? '').repeat(Number(repeated[2]));
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** `{a: {b: value}}` for `a.b`. */
export function atPath(path: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length > 0 ? atPath(rest.join('.'), value) : value };
}
