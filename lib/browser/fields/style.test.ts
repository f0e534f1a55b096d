import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rulesOf } from './style.ts';

describe('the style of a hosted field', () => {
  it('accepts listed properties, in either spelling', () => {
    expect(
      rulesOf({
        input: { fontSize: '16px', color: '#1b1a17', 'font-family': '"Inter", sans-serif', padding: '0 14px' },
        '::placeholder': { color: 'rgb(0 0 0 / 50%)' },
        'input.invalid': { color: 'red' },
      }),
    ).toEqual([
      '.field,.line,.words{font-size:16px;color:#1b1a17;font-family:"Inter", sans-serif;padding:0 14px}',
      '.field::placeholder{color:rgb(0 0 0 / 50%)}',
      '.field[aria-invalid]{color:red}',
    ]);
  });

  it.each([
    ['a property off the list', { input: { 'background-image': 'none' } }],
    ['an address', { input: { color: 'url(https://evil.example/x)' } }],
    ['a second declaration', { input: { color: 'red;position:fixed' } }],
    ['the end of the rule', { input: { color: 'red}*{color:red' } }],
    ['an escape', { input: { color: '\\75rl(x)' } }],
    ['a comment', { input: { color: 'red/**/' } }],
    ['an import', { input: { 'font-family': '@import "x"' } }],
    ['a font address', { input: { 'font-family': 'url(x)' } }],
    ['an attribute selector', { 'input[value^="4"]': { color: 'red' } }],
    ['a selector that ends the list', { 'input{}*': { color: 'red' } }],
    ['an inherited name', { constructor: { color: 'red' } }],
    ['an inherited property', { input: { constructor: 'red' } }],
    ['a number where a text belongs', { input: { color: 7 } }],
    ['an object as value', { input: { color: { toString: 'red' } } }],
    ['a huge text', { input: { 'font-family': 'a'.repeat(500) } }],
    ['calc', { input: { 'font-size': 'calc(1px + 1vw)' } }],
    ['a variable', { input: { color: 'var(--x)' } }],
    ['an expression', { input: { color: 'expression(alert(1))' } }],
    ['no object', 'input{color:red}'],
    ['null', null],
  ])('leaves out %s', (_what, style) => {
    expect(rulesOf(style)).toEqual([]);
  });
});

it('accepts every documented property', () => {
  const page = readFileSync(new URL('../../../docs/templates/guide/hosted-fields.md', import.meta.url), 'utf8');
  const section = /## Styles\n([\s\S]*?)\n## /.exec(page)?.[1]?.split('Properties:')[1]?.split('Fonts are')[0] ?? '';
  const names = [...section.matchAll(/`([a-z-]+)/g)].map((match) => match[1] ?? '');
  expect(names).toHaveLength(16);
  const samples = [
    'red',
    'ltr',
    '16px',
    'italic',
    'none',
    '0.5',
    'serif',
    'small-caps',
    '600',
    'center',
    'color 120ms',
  ];
  const taken = (name: string) => samples.some((sample) => rulesOf({ input: { [name]: sample } }).length > 0);
  expect(names.filter((name) => !taken(name))).toEqual([]);
});
