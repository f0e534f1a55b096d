import { describe, expect, it } from 'vitest';
import { findingsOf, partsOf } from './words.ts';

const lists = { names: new Map([['takeUp', 'process']]), phrases: new Map([['whoever', 'the worker']]) };
const whatIn = (path: string, text: string) => findingsOf(path, text, lists).map(({ line, what }) => `${line} ${what}`);

describe('partsOf', () => {
  it('separates code, comments and strings', () => {
    const parts = partsOf("a(); // one\nb('two'); /* three */ `four`");
    expect(parts.filter(({ kind }) => kind !== 'code').map(({ text }) => text)).toEqual([
      '// one',
      "'two'",
      '/* three */',
      '`four`',
    ]);
  });
});

describe('findingsOf', () => {
  it('finds refused names in code, and not in comments', () => {
    expect(whatIn('lib/a.ts', 'takeUp();\n// takeUp\n')).toEqual(['1 takeUp']);
  });

  it('finds refused file names', () => {
    expect(whatIn('lib/takeUp.test.ts', '')).toEqual(['1 the file name takeUp']);
  });

  it('finds refused phrases in comments, sentences, text of pages and documents', () => {
    expect(whatIn('lib/a.ts', "\n// Whoever asks.\nf('not for whoever asks', 'whoever')")).toEqual([
      '2 "Whoever"',
      '3 "whoever"',
    ]);
    expect(whatIn('components/a.tsx', '<p>For whoever asks</p>')).toEqual(['1 "whoever"']);
    expect(whatIn('docs/a.md', 'For whoever asks\n```\nwhoever\n```\n')).toEqual(['1 "whoever"']);
  });
});
