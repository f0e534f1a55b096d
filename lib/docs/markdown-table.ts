// Writes code and tables as Markdown, and reads the texts of generated tables, which writers edit in
// docs/templates/table-texts.md.
import { fileText } from './pages.ts';

export const code = (text: string) => `\`${text}\``;

/** Cells are inline Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const line = /^- ([\w ]+): (.+)$/gm;

/** The texts of a list by name. Throws unless it has exactly one for each of the names. */
export function textsOf<Name extends string>(title: string, names: readonly Name[]): Record<Name, string> {
  const [, section = ''] = fileText('docs/templates/table-texts.md').split(`\n## ${title}\n`);
  const [list = ''] = section.split('\n## ');
  const rows = [...list.matchAll(line)].flatMap(([, keys = '', text = '']) =>
    keys.split(' ').map((key) => [key, text]),
  );
  const texts = Object.fromEntries(rows);
  const wrong = [
    ...names.filter((name) => !texts[name]),
    ...Object.keys(texts).filter((key) => !names.some((name) => name === key)),
  ];
  if (wrong.length > 0) throw new Error(`docs/templates/table-texts.md, ${title}: ${wrong.join(', ')}`);
  return texts;
}
