// Rules as aligned text: one row per line, columns parted by `|`. A rule that is a table in the contract stays one here.

/** The cells of every line that is not blank, trimmed. `\|` stands for a bar. */
export function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));
}

/**
 * The value of a cell: JSON; `x*255` for a text of that length; `-` for an absent value; anything else is text.
 * is the text itself.
 */
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
