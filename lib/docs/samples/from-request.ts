// The languages of the samples, and requests as samples: the body, and the terms of its signature as fields of that
// body.
import { protocolBaseUrl } from '../../config/index.ts';
import type { Digest, Layout } from '../../core/signatures.ts';
import { fieldOf, type RegisteredAction, textAt } from '../../protocols/index.ts';
import { writeNode } from './node.ts';
import { writePhp } from './php.ts';
import { writePython } from './python.ts';
import type { Body, Language, Sample, SignedGroup, Term } from './sample.ts';
import { writeShell } from './shell.ts';

/** Returns a request as a sample; `signed` is null if the request has no signature. */
export function sampleOf(
  registered: RegisteredAction,
  body: Body,
  signed: { layout: Layout; digest: Digest } | null,
  headers?: Sample['headers'],
): Sample {
  const { hash: _made, ...sent } = body;
  const format = registered.protocol === 'checkout' ? 'json' : 'form';
  const groups = signed?.layout.groups.map(({ parts, reversed }): SignedGroup => {
    return { reversed, parts: parts.map(({ name, text, upper }) => ({ term: termOf(name, text, sent), upper })) };
  });
  const signature = signed && groups ? { groups, digest: signed.digest, outer: signed.layout.outer } : null;
  const url = protocolBaseUrl(registered.protocol) + registered.path.replace(/^\/s2s\/(card|apm)/, '');
  return { method: registered.method, url, format, body: sent, signature, headers };
}

function termOf(name: string, text: string, body: Body): Term {
  if (name === 'password') return { kind: 'password' };
  const path = fieldOf(name, text, body);
  if (path === null) return { kind: 'known', name, text };
  const isCut = name === 'fragment' && textAt(body, path) !== text;
  return isCut ? { kind: 'fragment', path } : { kind: 'field', path };
}

/** Returns the request in every language. */
export function programsOf(sample: Sample, part: 'program' | 'signing'): { id: string; title: string; text: string }[] {
  return languages.map(({ id, title, write }) => ({ id, title, text: write(sample)[part] }));
}

export const languages: readonly Language[] = [
  { id: 'shell', fence: 'sh', title: 'curl', write: writeShell },
  { id: 'node', fence: 'js', title: 'Node', write: writeNode },
  { id: 'php', fence: 'php', title: 'PHP', write: writePhp },
  { id: 'python', fence: 'python', title: 'Python', write: writePython },
];

/** Writes a program in every language, as Markdown blocks that pages render as tabs; `rules` are for tests. */
export const tabBlocks = (tab: string, rules: string, program: (language: Language) => string) =>
  languages.map((each) => `\`\`\`${each.fence} tab=${tab}${rules}\n${program(each).trimEnd()}\n\`\`\``).join('\n\n');
