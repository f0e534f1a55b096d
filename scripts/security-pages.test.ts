// The pages that compare the project with OWASP ASVS and PCI DSS: every requirement has its row, and what a row names
// exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attacks } from '../e2e/chaos/security/attacks.ts';

const root = join(import.meta.dirname, '..');

type Row = { id: string; how: string; heldBy: string };

function rowsOf(page: string): Row[] {
  const lines = readFileSync(join(root, 'docs', 'security', page), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (!/^\| A?\d/.test(line)) return [];
    const [, id = '', how = '', heldBy = '', ...rest] = line.split('|').map((cell) => cell.trim());
    expect(rest, line).toEqual(['']);
    return [{ id, how, heldBy }];
  });
}

/** The level of each requirement of ASVS 5.0.0 by section: `1.1:22` are 1.1.1 and 1.1.2, both of level 2. */
const asvsLevels = `
  1.1:22 1.2:1111122223 1.3:112222222223 1.4:222 1.5:123 2.1:122 2.2:112 2.3:12223 2.4:23 3.1:3 3.2:113 3.3:12223
  3.4:11222233 3.5:11122333 3.6:3 3.7:22333 4.1:12233 4.2:23333 4.3:22 4.4:1222 5.1:2 5.2:112333 5.3:113 5.4:222
  6.1:122 6.2:111111112222 6.3:11223333 6.4:112233 6.5:22222333 6.6:2223 6.7:33 6.8:2222 7.1:222 7.2:1111 7.3:22
  7.4:11222 7.5:223 7.6:22 8.1:1233 8.2:1123 8.3:133 8.4:23 9.1:111 9.2:1222 10.1:22 10.2:223 10.3:22223
  10.4:1111122222233333 10.5:22222 10.6:22 10.7:222 11.1:2233 11.2:22233 11.3:11233 11.4:1222 11.5:23 11.6:23
  11.7:33 12.1:12233 12.2:11 12.3:22223 13.1:2333 13.2:222223 13.3:2233 13.4:1222233 14.1:22 14.2:12223333
  14.3:122 15.1:12233 15.2:12233 15.3:1222222 15.4:3333 16.1:2 16.2:22222 16.3:2222 16.4:222 16.5:2223 17.1:23
  17.2:22223333 17.3:22`;

const asvsIds = asvsLevels
  .trim()
  .split(/\s+/)
  .flatMap((section) => {
    const [id, levels = ''] = section.split(':');
    return [...levels].flatMap((level, at) => (level === '3' ? [] : [`${id}.${at + 1}`]));
  });

/** The number of requirements of PCI DSS 4.0.1 under each number: `3.3.1:3` are 3.3.1.1 to 3.3.1.3. A3 is one row. */
const pciCounts = `
  1.1:2 1.2:8 1.3:3 1.4:5 1.5:1 2.1:2 2.2:7 2.3:2 3.1:2 3.2:1 3.3:3 3.3.1:3 3.4:2 3.5:1 3.5.1:3 3.6:1 3.6.1:4 3.7:9
  4.1:2 4.2:2 4.2.1:2 5.1:2 5.2:3 5.2.3:1 5.3:5 5.3.2:1 5.4:1 6.1:2 6.2:4 6.2.3:1 6.3:3 6.4:3 6.5:6 7.1:2 7.2:6
  7.2.5:1 7.3:3 8.1:2 8.2:8 8.3:11 8.3.10:1 8.4:3 8.5:1 8.6:3 9.1:2 9.2:4 9.2.1:1 9.3:4 9.3.1:1 9.4:7 9.4.1:2 9.4.5:1
  9.5:1 9.5.1:3 9.5.1.2:1 10.1:2 10.2:2 10.2.1:7 10.3:4 10.4:3 10.4.1:1 10.4.2:1 10.5:1 10.6:3 10.7:3 11.1:2 11.2:2
  11.3:2 11.3.1:3 11.3.2:1 11.4:7 11.5:2 11.5.1:1 11.6:1 12.1:4 12.2:1 12.3:4 12.4:2 12.4.2:1 12.5:3 12.5.2:1 12.6:3
  12.6.3:2 12.7:1 12.8:5 12.9:2 12.10:7 12.10.4:1 A1.1:4 A1.2:3 A2.1:3`;

const pciIds = pciCounts
  .trim()
  .split(/\s+/)
  .flatMap((group) => {
    const [id, count] = group.split(':');
    return Array.from({ length: Number(count) }, (_, at) => `${id}.${at + 1}`);
  });

const pathPattern = /`((?:[\w.-]+\/)+[\w.-]+|Dockerfile|\w+\.(?:json|md))`/g;

const pages = { 'asvs.md': rowsOf('asvs.md'), 'pci.md': rowsOf('pci.md') };

it('the page of ASVS has each requirement of levels 1 and 2 once, in order', () => {
  expect(asvsIds).toHaveLength(253);
  expect(pages['asvs.md'].map(({ id }) => id)).toEqual(asvsIds);
});

it('the page of PCI DSS has each requirement once', () => {
  expect(pages['pci.md'].map(({ id }) => id).toSorted()).toEqual([...pciIds, 'A3'].toSorted());
});

describe.each(Object.entries(pages))('%s', (_page, rows) => {
  it('has a text in each row', () => {
    for (const { id, how } of rows) expect(how, id).toMatch(/\w/);
  });

  it('names a file, a duty of the deployment, a reason or what is missing in each row', () => {
    const held = /^`|^Deployment: \w|^Does not apply$|^\*\*Not met\*\*: [\w`]/;
    expect(rows.filter(({ heldBy }) => !held.test(heldBy))).toEqual([]);
  });

  it('names files that exist', () => {
    const named = rows.flatMap(({ how, heldBy }) =>
      [...`${how} ${heldBy}`.matchAll(pathPattern)].map(([, path = '']) => path),
    );
    expect(named.length).toBeGreaterThan(rows.length / 2);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the pages name the file of each attack that the reviews found', () => {
  const text = JSON.stringify(pages);
  const found = attacks.filter(({ id }) => id !== '-').map(({ file }) => file);
  expect([...new Set(found)].filter((file) => !text.includes(file))).toEqual([]);
});
