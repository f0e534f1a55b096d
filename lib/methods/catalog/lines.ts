/** Parses the tables inside a row of the catalogue: for the checks, the documentation and the JSON. */

/** A line of a parameter. lib/methods/method.ts explains R, C, A and O at `parameters`. */
export type ParameterLine = { name: string; format: string; need: string; where: string };

/** A setting of the MID; secret ones are encrypted and never shown again. `format` is one of formats.ts. */
export type CredentialLine = { name: string; secret: boolean; required: boolean; about: string; format: string };

/** The lines of `parameters`, `payout` or `fields` of a row. */
export function parameterLines(table: string | undefined): ParameterLine[] {
  return linesOf(table, ['name', 'format', 'need', 'where']);
}

/** The lines of `credentials` of a row. */
export function credentialLines(table: string | undefined): CredentialLine[] {
  return cellsOf(table).map(([name = '', kind, need, about = '', format = 'text 1024']) => ({
    name,
    secret: kind === 'secret',
    required: need === 'R',
    about,
    format,
  }));
}

/** The lines of a table as objects with these columns. */
export function linesOf<Column extends string>(table: string | undefined, columns: readonly Column[]) {
  return cellsOf(table).map((cells) => {
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) as Record<Column, string>;
  });
}

/** The cells of a table's lines, separated by bars; blank lines are left out. */
export function cellsOf(table = ''): string[][] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
