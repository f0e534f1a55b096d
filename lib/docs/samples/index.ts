// Lists the languages of the samples.
import { writeNode } from './node.ts';
import { writePhp } from './php.ts';
import { writePython } from './python.ts';
import type { Language } from './sample.ts';
import { writeShell } from './shell.ts';

export const languages: readonly Language[] = [
  { id: 'shell', title: 'curl', write: writeShell },
  { id: 'node', title: 'Node', write: writeNode },
  { id: 'php', title: 'PHP', write: writePhp },
  { id: 'python', title: 'Python', write: writePython },
];
