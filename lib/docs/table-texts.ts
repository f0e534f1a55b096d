// The texts of generated tables. Writers edit them in docs/templates/table-texts.md.
import { fileText } from './page-source.ts';

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
