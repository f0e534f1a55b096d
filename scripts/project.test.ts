// The memory settings exist in three files; they must be equal, so that what is measured is what runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { memorySettings, root } from './project.ts';
import { systemVariables } from './system-variables.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const settings = Object.entries(memorySettings.environment).map((pair) => pair.join('='));

it('npm start keeps its memory as the benchmarks do', () => {
  const { start } = JSON.parse(read('package.json')).scripts;
  expect(start).toBe(
    `exec env ${settings.join(' ')} node ${memorySettings.arguments.join(' ')} scripts/florin.mjs start`,
  );
});

it('the image keeps its memory as the benchmarks do', () => {
  const dockerfile = read('Dockerfile');
  for (const setting of settings) expect(dockerfile).toContain(` ${setting}\n`);
  expect(dockerfile).toContain(
    `CMD ${JSON.stringify(['node', ...memorySettings.arguments, 'dist/server.js']).replaceAll(',', ', ')}\n`,
  );
});

it('programs that need no settings get none', () => {
  const all = { VAULT_KEY: 'k', DATABASE_URL: 'd', npm_config_cache: '/c', HTTPS_PROXY: 'p', TZ: 'UTC' };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  const { VAULT_KEY, DATABASE_URL, ...kept } = systemVariables();
  expect([VAULT_KEY, DATABASE_URL]).toEqual([undefined, undefined]);
  expect(kept).toMatchObject({ npm_config_cache: '/c', HTTPS_PROXY: 'p', TZ: 'UTC', PATH: process.env.PATH });
  vi.unstubAllEnvs();
});
