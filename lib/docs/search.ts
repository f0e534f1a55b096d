// The index of the search as plain text: every section of every page, every operation of the reference with the names of
// its fields, and every payment method.
import { createHash } from 'node:crypto';
import { type DocumentName, documentNames } from '../core/openapi';
import { findMethod, methods } from '../methods/catalog';
import { parameterLines } from '../methods/catalog/lines';
import type { Method } from '../methods/method';
import { documentOf } from '../openapi';
import { headingIds } from './heading';
import { methodSummary } from './method-page';
import { readPage } from './page';
import { docPages } from './pages';
import { anchorOf, leavesOf, linesOf, placedIn, schemaAt, titleOf } from './reference-words';

type Entry = { href: string; page: string; section: string; text: string };

let file: Promise<{ text: string; etag: string }> | undefined;

/** The index as JSON. Made once in a process: it holds what everybody may see. */
export function searchFile(): Promise<{ text: string; etag: string }> {
  file ??= searchIndex().then((entries) => {
    const text = JSON.stringify(entries);
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"` };
  });
  return file;
}

/** All entries, those of the pages first. */
export async function searchIndex(): Promise<Entry[]> {
  const pages = await Promise.all(docPages.map(({ slug, title }) => sectionsOf(slug, title)));
  return [...pages.flat(), ...documentNames.flatMap(operationsOf), ...methods.map(methodOf)];
}

// What was measured or proved is read, not looked for: its headings lead there.
const figuresSections = ['Figures', 'What was measured'];
const figuresPages = ['benchmarks', 'proofs'];
/** Characters of a section after which prose adds little that leads to it. */
const proseMax = 1200;

const headingLine = /^#{2,6} (.+)$/;

async function sectionsOf(slug: string, page: string): Promise<Entry[]> {
  const text = (await readPage(slug))?.text ?? '';
  const entries: Entry[] = [{ href: `/docs/${slug}`, page, section: '', text: '' }];
  // What stands in blocks of code is the same on many pages.
  const lines = text.replace(/^```.*?^```$/gms, '').split('\n');
  const ids = headingIds(lines.flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1] ?? [])).slice(1);
  for (const line of lines) {
    const [, heading] = headingLine.exec(line) ?? [];
    if (heading !== undefined) {
      entries.push({ href: `/docs/${slug}#${ids.shift()}`, page, section: plain(heading), text: '' });
    } else if (!line.startsWith('# ') && !hasOwnEntry(line)) {
      const last = entries.at(-1) as Entry;
      const isFigures = figuresSections.includes(last.section) || figuresPages.includes(slug);
      // A row of a table is looked for by its name; a long text is found by its beginning.
      const isBeyond = !line.startsWith('|') && last.text.length > proseMax;
      if (!isFigures && !isBeyond) last.text = `${last.text} ${plain(line)}`.trim();
    }
  }
  return entries;
}

/** Rows of tables about a method, and those that lead to an operation: what they say is found there. */
function hasOwnEntry(line: string): boolean {
  const [, name = ''] = /^\| \[?`([^`]+)`/.exec(line) ?? [];
  return findMethod(name) !== undefined || line.includes('](/docs/reference/');
}

function operationsOf(name: DocumentName): Entry[] {
  const document = documentOf(name);
  const { schemas } = document.components;
  const page = titleOf(document);
  const href = `/docs/reference/${name}`;
  const namesOf = (ref: { $ref: string }) =>
    linesOf(schemaAt(schemas, ref))
      .filter(({ isSwitched }) => !isSwitched)
      .map(({ path }) => path)
      .join(' ');
  const card = schemas['parameters.card'];
  return [
    { href, page, section: '', text: document.info.description },
    ...placedIn(document).map(({ operation: { name: section, summary, request } }) => {
      return { href: `${href}#${anchorOf(section)}`, page, section, text: `${summary} ${namesOf(request)}` };
    }),
    {
      ...{ href: `${href}#callbacks`, page, section: 'Callbacks' },
      text: namesOf(document.webhooks.callback.post['x-callback'].body),
    },
    ...(card
      ? [
          {
            ...{ href: `${href}#card-parameters`, page, section: 'Card parameters' },
            text: leavesOf(card, '')
              .map(({ path }) => path)
              .join(' '),
          },
        ]
      : []),
  ];
}

function methodOf(method: Method): Entry {
  const { id, name, note, parameters, payout } = method;
  const names = [...parameterLines(parameters), ...parameterLines(payout)].map((line) => line.name);
  const text = [methodSummary(method), note, ...new Set(names)].filter(Boolean).join(' ');
  return { href: `/docs/methods/${id}`, page: name, section: id, text };
}

// Nobody looks for a digest or an id, and nothing makes them smaller on the wire.
const longHex = /[0-9a-f]{24,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

// Nor for what was measured: the cells of a table with a figure, as 1,690 or 23 ms, and how far it went, as (1,912..3,060).
const spreads = /\([\d,.]+\.\.[\d,.]+\)/g;
const figures = /\|\s*(\d{1,3}(,\d{3})+|\d+\.\d+|\d+(\.\d+)? (ms|KB|MB|s))\s*(?=\|)/g;

/** Without the signs of Markdown. */
function plain(line: string): string {
  return line
    .replace(longHex, '')
    .replace(spreads, '')
    .replace(figures, '|')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|<[^>]*>|^[-\s]+$|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
