// The documents at the entrance of the repository name files, commands and one another: what they name has to exist, so
// that a rename cannot leave them behind.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headingId } from '../lib/docs/links.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const records = readdirSync(join(root, 'docs', 'adr'))
  .filter((file) => /^\d{4}-/.test(file))
  .sort();
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/adr/README.md'];

/** Made by the build, and so absent from a fresh clone. */
const generated = new Set(['public/sdk', 'lib/prisma']);

const folders = 'app|components|lib|prisma|messages|public|e2e|scripts|docs|examples';
const segment = '(?:[\\w.-]+|\\([\\w-]+\\))';
const pathPattern = new RegExp(`(?<![\\w/.-])(?:${folders})/(?:${segment}/?)*`, 'g');

/** The paths that a text names, in prose, tables and diagrams; the targets of links are checked by themselves. */
function pathsOf(text: string): string[] {
  const prose = text.replace(/\]\([^)]*\)/g, ']');
  const named = [...prose.matchAll(pathPattern)].map(([path]) => path.replace(/[./]+$/, ''));
  return [...new Set(named)].filter((path) => !generated.has(path));
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => headingId(heading));
}

function deadLinks(file: string): string[] {
  const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
  return links.filter((href) => {
    if (/^(https?:|mailto:)/.test(href)) return false;
    const [path = '', anchor] = href.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined) return false;
    return statSync(join(root, target)).isDirectory() || !anchorsOf(read(target)).includes(anchor);
  });
}

describe('what the documents of the repository name', () => {
  it.each(documents)('%s has no dead link', (file) => {
    expect(deadLinks(file)).toEqual([]);
  });

  it.each(documents)('%s names paths that exist', (file) => {
    expect(pathsOf(read(file)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(documents)('%s names commands that exist', (file) => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = [...read(file).matchAll(/`?(?:npm run (?:--silent )?)([a-z]+(?::[a-z-]+)*)|`(test:chaos:[a-z]+)`/g)];
    expect(named.map(([, one, two]) => one ?? two ?? '').filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('finds paths in prose and in diagrams', () => {
    expect(pathsOf('See `lib/core/errors.ts`, lib/payer, app/dashboard/(inside) and (docs/adr). Not /docs/x.')).toEqual(
      ['lib/core/errors.ts', 'lib/payer', 'app/dashboard/(inside)', 'docs/adr'],
    );
  });

  it('the README has at most 8 KB', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8192);
  });
});

describe('the decision records', () => {
  const texts = new Map(records.map((file) => [file, read(`docs/adr/${file}`)]));

  it('are numbered without a gap, by date', () => {
    expect(records.map((file) => Number(file.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
    const dates = [...texts.values()].map((text) => /^- Date: (\d{4}-\d\d-\d\d)$/m.exec(text)?.[1] ?? '');
    expect(dates).toEqual([...dates].sort());
  });

  it.each([...texts])('%s has every section and no dead link', (file, text) => {
    expect(text).toMatch(new RegExp(`^# ${file.slice(0, 4)}\\. \\S`));
    expect(text).toMatch(/^- Status: (Accepted|Superseded by \[\d{4}\]\([\w-]+\.md\))$/m);
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(sections).toEqual(['Context', 'Decision', 'Consequences']);
    expect(deadLinks(`docs/adr/${file}`)).toEqual([]);
  });

  it('name the record that they replace, where one was replaced', () => {
    for (const [file, text] of texts) {
      const [, by] = /^- Status: Superseded by \[\d{4}\]\(([\w-]+\.md)\)$/m.exec(text) ?? [];
      if (by !== undefined) expect(texts.get(by) ?? '', file).toContain(`(${file})`);
    }
  });

  it('are all in the index', () => {
    const index = read('docs/adr/README.md');
    for (const file of records) expect(index).toContain(`(${file})`);
  });
});
