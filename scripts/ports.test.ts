// Ports for servers that start seconds after the choice, in several processes at once.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from './ports.ts';

const chosen = 200;
const program = `import(${JSON.stringify(join(import.meta.dirname, 'ports.ts'))}).then(async ({ freePort }) => {
  console.log(JSON.stringify(await Promise.all(Array.from({ length: ${chosen} }, () => freePort()))));
  setTimeout(() => {}, 2_000);
});`;

test('no two calls choose the same port, in one process or in several', async () => {
  const others = [1, 2].map(() => promisify(execFile)(process.execPath, ['--eval', program]));
  const own = await Promise.all(Array.from({ length: chosen }, () => freePort()));
  const ports = [...own];
  for (const { stdout } of await Promise.all(others)) ports.push(...(JSON.parse(stdout) as number[]));
  expect(ports).toHaveLength(3 * chosen);
  expect(new Set(ports).size).toBe(ports.length);
});
