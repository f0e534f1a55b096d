// Lists the languages of the samples.
import { writeNode } from './node';
import { writePhp } from './php';
import { writePython } from './python';
import type { Language } from './sample';
import { writeShell } from './shell';

export const languages: readonly Language[] = [
  { id: 'shell', title: 'curl', write: writeShell },
  { id: 'node', title: 'Node', write: writeNode },
  { id: 'php', title: 'PHP', write: writePhp },
  { id: 'python', title: 'Python', write: writePython },
];
