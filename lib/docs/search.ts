// Builds the search index: every section of every page, every error code, every operation with its field names, and
// every payment method.
import { errorConditions } from '../core/error-conditions.ts';
import { type ErrorKey, errors } from '../core/errors.ts';
import { type DocumentName, documentNames } from '../core/openapi.ts';
import { parameterLines } from '../methods/catalog/lines.ts';
import { findMethod, methods } from '../methods/catalog.ts';
import type { Method } from '../methods/method.ts';
import { documentOf } from '../openapi/index.ts';
import { headingIds } from './links.ts';
import { methodSummary } from './method-page.ts';
import { readPage } from './page.ts';
import { type DocPage, docPages } from './pages.ts';
import { errorAnchor } from './reference.ts';
import { leavesOf, linesOf, operationSlug, placedIn, schemaAt, titleOf } from './schema-description.ts';
import type { Entry } from './search-ranking.ts';

/** Returns all entries, those of pages first. */
export function searchIndex(): Entry[] {
  return [
    ...docPages.flatMap(sectionsOf),
    ...errorEntries(),
    ...documentNames.flatMap(operationsOf),
    ...methods.map(methodOf),
  ];
}

// Measurements, set-ups that few deployments need and the tables of requirements are indexed by their headings only;
// generated tables have entries of their own.
const headingsOnly = [
  ...['contributing/benchmarks', 'contributing/chaos-tests', 'contributing/simulation'],
  ...['operations/kubernetes', 'operations/large-deployments'],
  ...['reference/changelog', 'reference/errors', 'security/asvs', 'security/pci'],
];
const unindexedSections = ['Measurements', 'Algorithms', 'Protection levels'];
const proseMax = 210;
const rowMax = 76;

const headingLine = /^#{2,6} (.+)$/;

function sectionsOf({ slug, title: page, keys }: DocPage): Entry[] {
  const text = readPage(slug)?.text ?? '';
  const entries: Entry[] = [{ href: `/docs/${slug}`, page, section: '', text: '', ...(keys && { keys }) }];
  // Code blocks are excluded, because they are similar on many pages.
  const lines = text.replace(/^```.*?^```$/gms, '').split('\n');
  const ids = headingIds(lines.flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1] ?? [])).slice(1);
  for (const line of lines) {
    const [, heading] = headingLine.exec(line) ?? [];
    if (heading !== undefined) {
      entries.push({ href: `/docs/${slug}#${ids.shift()}`, page, section: plain(heading), text: '' });
    } else if (!line.startsWith('# ') && !hasOwnEntry(line)) {
      const last = entries.at(-1) as Entry;
      const isLeftOut = unindexedSections.includes(last.section) || headingsOnly.includes(slug);
      // Only the beginning of rows and of long texts is indexed.
      const isRow = line.startsWith('|');
      const isBeyond = !isRow && last.text.length > proseMax;
      const words = isRow ? plain(line).slice(0, rowMax) : plain(line);
      if (!isLeftOut && !isBeyond) last.text = `${last.text} ${words}`.trim();
    }
  }
  // The links at the end of a page are no topic.
  return entries.filter(({ section }) => section !== 'Next');
}

/** Reports whether a table row is about a method or links to an operation, which have entries of their own. */
function hasOwnEntry(line: string): boolean {
  const [, name = ''] = /^\| \[?`([^`]+)`/.exec(line) ?? [];
  return findMethod(name) !== undefined || line.includes('](/docs/reference/');
}

/** Search words for an error that its message does not contain. */
const errorKeys: Partial<Record<ErrorKey, string>> = {
  hashNotValid: 'signature mismatch invalid wrong hash',
  duplicatePayment: 'duplicate order number',
  tooManyRequests: 'rate limit throttled',
  tooBusy: 'overload unavailable',
};

/** An entry per error: `error 204005`, `#204005` and its message find it. */
function errorEntries(): Entry[] {
  return (Object.keys(errors) as ErrorKey[]).map((key) => {
    const { code, message } = errors[key];
    return {
      href: `/docs/reference/errors#${errorAnchor(key)}`,
      page: 'Errors',
      section: `${code} ${message}`,
      text: plain(errorConditions[key]),
      keys: `error ${code} ${errorKeys[key] ?? ''}`.trim(),
    };
  });
}

function operationsOf(name: DocumentName): Entry[] {
  const document = documentOf(name);
  const { schemas } = document.components;
  const page = titleOf(document);
  const href = `/docs/reference/${name}`;
  const pathsOf = (fields: readonly { path: string }[]) => fields.map(({ path }) => path).join(' ');
  const namesOf = (ref: { $ref: string }) =>
    pathsOf(linesOf(schemaAt(schemas, ref)).filter(({ isSwitched }) => !isSwitched));
  const card = schemas['parameters.card'];
  const entry = (slug: string, section: string, text: string) => ({ href: `${href}/${slug}`, page, section, text });
  return [
    { href, page, section: '', text: document.info.description },
    ...placedIn(document).map(({ operation: { name: section, summary, request } }) =>
      entry(operationSlug(section), section, `${summary} ${namesOf(request)}`),
    ),
    entry('callbacks', 'Callbacks', namesOf(document.webhooks.callback.post['x-callback'].body)),
    ...(card ? [entry('card-parameters', 'Card parameters', pathsOf(leavesOf(card, '')))] : []),
  ];
}

function methodOf(method: Method): Entry {
  const { id, name, note, parameters, payout } = method;
  const names = [...parameterLines(parameters), ...parameterLines(payout)].map((line) => line.name);
  const text = [methodSummary(method), note, ...new Set(names)].filter(Boolean).join(' ');
  return { href: `/docs/methods/${id}`, page: name, section: id, text };
}

// Digests and ids are removed, because they do not compress.
const longHex = /[0-9a-f]{24,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

// Measurements are removed: cells with a number, such as 1,690 or 23 ms, and their spread, such as (1,912..3,060).
const spreads = /\([\d,.]+\.\.[\d,.]+\)/g;
const figures = /\|\s*(\d{1,3}(,\d{3})+|\d+\.\d+|\d+(\.\d+)? (ms|KB|MB|s))\s*(?=\|)/g;

/** Removes Markdown markup, ids and measurements. */
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
