/** Labels of a mapping's settings, on the page and in the list of changes. */
import type { FieldPlace, FieldRow, MappingProtocol } from '../../../lib/core/mapping-options.ts';
import { rowsOf } from './form-values.ts';

/** The columns of the matrix. */
export const columnTitles: Record<FieldPlace, string> = {
  required: 'Required',
  callback: 'In callbacks',
  status: 'In status',
};

const groups: Record<string, { name: string; aside: (count: number) => string }> = {
  threeDS: { name: '3DS attributes', aside: (count) => `${count} fields, from threeDSServerTransID to eci` },
  browser: { name: 'Browser attributes', aside: (count) => `${count} fields such as browser_language` },
};

/** The label of a row; `isContract` is whether it is a contract name. */
export function rowTitle({ id, names }: FieldRow): { name: string; isContract: boolean; aside?: string } {
  const group = groups[id];
  if (group) return { name: group.name, isContract: false, aside: group.aside(names.length) };
  return { name: names.join(', '), isContract: true };
}

const boxText = (value: unknown) => (value === 'some' ? 'some' : value ? 'on' : 'off');

/** The texts of the list of changes for the matrix. */
export function matrixWords(protocol: MappingProtocol) {
  const rows = rowsOf(protocol).flatMap((row) =>
    Object.entries({ required: 'required', callback: 'in callbacks', status: 'in status' }).map(
      ([place, text]) => [`matrix.${place}.${row.id}`, `${rowTitle(row).name} ${text}`] as const,
    ),
  );
  return { labels: Object.fromEntries(rows), show: Object.fromEntries(rows.map(([field]) => [field, boxText])) };
}

const tags: Record<string, string> = { sp: 'es', zh: 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** `German (de)` for a language code of the contract. */
export function languageName(code: string): string {
  return `${new Intl.DisplayNames('en', { type: 'language' }).of(tags[code] ?? code)} (${code})`;
}
