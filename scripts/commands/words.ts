// florin words: checks names and prose against docs/glossary.md.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

const glossary = 'docs/glossary.md';
/** Contract texts, recorded data and the list itself. */
const exempt =
  /^(docs\/glossary\.md|CHANGELOG\.md|docs\/adr\/|prisma\/migrations\/|messages\/(?!en\.)|package-lock\.json|lib\/client-sdk\/dist\/|LICENSE|scripts\/commands\/words\.)/;
const code = /\.(ts|tsx|mts|mjs|cjs)$/;
const prose = /\.(md|css|prisma|yml|yaml|sh|php|py)$/;
/** A string is prose from this many words on. */
const sentenceWords = 3;

/** A piece of source text, with the position where it begins. */
export type Part = { kind: 'code' | 'comment' | 'string'; text: string; at: number };
/** Refused names and phrases, each with what to use. */
export type Lists = { names: Map<string, string>; phrases: Map<string, string> };
type Finding = { line: number; what: string; use: string | undefined };

function readGlossary(): Lists {
  const text = readFileSync(join(root, glossary), 'utf8');
  const names = new Map<string, string>();
  const phrases = new Map<string, string>();
  for (const line of text.slice(text.indexOf('## Words that are not used')).split('\n')) {
    const [, use = '', not = ''] = line.split('|').map((cell) => cell.trim());
    for (const [, name] of not.matchAll(/`([^`]+)`/g) as Iterable<[string, string]>) names.set(name, use);
    for (const [, phrase] of not.matchAll(/"([^"]+)"/g) as Iterable<[string, string]>) phrases.set(phrase, use);
  }
  if (names.size === 0 || phrases.size === 0) throw new Error(`${glossary} lists no refused words.`);
  return { names, phrases };
}

/** Splits source text into code, comments and strings; expressions inside of template strings are part of the string. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  let at = 0;
  for (const match of text.matchAll(token)) {
    parts.push({ kind: 'code', text: text.slice(at, match.index), at });
    parts.push({ kind: match[0].startsWith('/') ? 'comment' : 'string', text: match[0], at: match.index });
    at = match.index + match[0].length;
  }
  parts.push({ kind: 'code', text: text.slice(at), at });
  return parts;
}

const isSentence = (text: string) => text.trim().split(/\s+/).length >= sentenceWords;

/** Findings of one file: line, what was found, what to use. */
export function findingsOf(path: string, text: string, { names, phrases }: Lists): Finding[] {
  const found: Finding[] = [];
  const add = (at: number, what: string, use: string | undefined) =>
    found.push({ line: text.slice(0, at).split('\n').length, what, use });
  const [stem = ''] = basename(path).split('.');
  if (names.has(stem)) add(0, `the file name ${stem}`, names.get(stem));
  const checkPhrases = (part: string, at: number) => {
    for (const [phrase, use] of phrases) {
      const pattern = new RegExp(`(?<![\\w-])${phrase}(?![\\w-])`, 'gi');
      for (const match of part.matchAll(pattern)) add(at + match.index, `"${match[0]}"`, use);
    }
  };
  if (!code.test(path)) {
    checkPhrases(
      text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ' ')),
      0,
    );
    return found;
  }
  for (const part of partsOf(text)) {
    if (part.kind === 'comment') checkPhrases(part.text, part.at);
    else if (part.kind === 'string') {
      if (isSentence(part.text)) checkPhrases(part.text, part.at);
    } else {
      for (const match of part.text.matchAll(/[A-Za-z_$][\w$]*/g)) {
        if (names.has(match[0])) add(part.at + match.index, match[0], names.get(match[0]));
      }
      // What is left between tags is text of a page.
      if (path.endsWith('.tsx')) checkPhrases(part.text, part.at);
    }
  }
  return found;
}

export const words = defineCommand({
  usage: 'florin words [path ...]: checks the files and folders of the arguments, or all tracked files.',
  positionals: { least: 0, most: 10_000 },
  run: async (_values, paths) => checkWords(paths),
});

/** Prints the findings in the files or folders of `args`, or in all tracked files; returns the exit code. */
function checkWords(args: string[]): number {
  const lists = readGlossary();
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => (code.test(path) || prose.test(path) || /^messages\/en\.json$/.test(path)) && !exempt.test(path));
  let count = 0;
  for (const path of files) {
    for (const { line, what, use } of findingsOf(path, readFileSync(join(root, path), 'utf8'), lists)) {
      count += 1;
      console.log(`${path}:${line}: ${what}; use ${use}`);
    }
  }
  if (files.length === 0) throw new Error('No file was checked.');
  console.log(`${files.length} files, ${count} findings.`);
  return count === 0 ? 0 : 1;
}
