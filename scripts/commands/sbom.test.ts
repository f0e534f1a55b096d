// The bill of materials against the lock file and package.json: it lists every runtime package with its hash.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sbomOf } from './sbom.ts';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'));
const madeAt = new Date('2026-11-22T06:00:00Z');

const bill = sbomOf(read('package-lock.json'), madeAt);
const named = new Map(bill.components.map((component) => [component.purl, component]));

test('is CycloneDX 1.6, and the same for the same lock file', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(sbomOf(read('package-lock.json'), madeAt)).toEqual(bill);
  expect(named.size).toBe(bill.components.length);
});

test('names every production dependency in its version, and none that is for development alone', () => {
  const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>;
  const versions = new Map(bill.components.map(({ name, version }) => [`${name}@${version}`, true]));
  for (const [name, version] of Object.entries(dependencies ?? {})) {
    expect(versions.has(`${name}@${version}`), `${name}@${version}`).toBe(true);
  }
  const root = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/florin@'));
  expect(root?.dependsOn.length).toBe(Object.keys(dependencies ?? {}).length);
  for (const name of ['@biomejs/biome', 'knip', 'pix-utils', 'smtp-server']) {
    expect(Object.hasOwn(devDependencies ?? {}, name)).toBe(true);
    expect(bill.components.some((component) => component.name === name)).toBe(false);
  }
});

test('has a hash of every package that is always installed, and every reference leads somewhere', () => {
  for (const { purl, scope, hashes } of bill.components) {
    if (scope === 'required') expect(hashes?.[0]?.content, purl).toMatch(/^[0-9a-f]{40,128}$/);
  }
  for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(named.has(ref), ref).toBe(true);
  // Every listed package is needed by another.
  const needed = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect([...named.keys()].filter((ref) => !needed.has(ref))).toEqual([]);
});
