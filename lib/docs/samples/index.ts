// Lists the languages of the samples.
import { writeNode } from './node.ts';
import { writePhp } from './php.ts';
import { writePython } from './python.ts';
import type { Language } from './sample.ts';
import { writeShell } from './shell.ts';

export const languages: readonly Language[] = [
  { id: 'shell', fence: 'sh', title: 'curl', write: writeShell },
  { id: 'node', fence: 'js', title: 'Node', write: writeNode },
  { id: 'php', fence: 'php', title: 'PHP', write: writePhp },
  { id: 'python', fence: 'python', title: 'Python', write: writePython },
];

type Program = (language: Language) => string;

/** Writes a program in every language, as Markdown blocks that pages render as tabs; `rules` are for tests. */
export const tabBlocks = (tab: string, rules: string, program: Program) =>
  languages.map((each) => `\`\`\`${each.fence} tab=${tab}${rules}\n${program(each).trimEnd()}\n\`\`\``).join('\n\n');
