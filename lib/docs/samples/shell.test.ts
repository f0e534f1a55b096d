import { expect, test } from 'vitest';
import { writeShell } from './shell.ts';

test('a value of the request is never an expansion of the shell', () => {
  const body = { a: '\u0001PATH', b: '$(id)', c: '`id`', d: '$HOME', e: '"\\$HOME', f: "'; id #" };
  const format = { method: 'POST', url: 'https://pay.example/api', signature: null } as const;
  const json = writeShell({ ...format, format: 'json', body }).program;
  const document = json.slice(json.indexOf('<<BODY\n') + 7, json.indexOf('\nBODY\n'));
  expect(document.replaceAll(/\\[\\`$]/g, '')).not.toMatch(/[$`\\](?!u0001)/);
  const form = writeShell({ ...format, format: 'form', body }).program;
  expect(form).toContain(`--data-urlencode 'b=$(id)'`);
  expect(form).toContain(`--data-urlencode 'f='\\''; id #'`);
});
