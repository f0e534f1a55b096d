// Serves the documentation as plain text: every page as Markdown, the llms.txt indexes, and the search index.
import { env } from '../config/index.ts';
import { type DocumentName, documentNames } from '../core/openapi.ts';
import { rememberLast } from '../core/remember.ts';
import { cacheableText, type HttpResult, httpResult, type Route } from '../http/index.ts';
import { methods } from '../methods/catalog.ts';
import type { Method } from '../methods/method.ts';
import { documentOf, openApiRoutes } from '../openapi/index.ts';
import { retryAfterForAddress } from '../risk/index.ts';
import { addressOf, allPaths, partsOf } from './address.ts';
import { methodIntro, methodSummary, methodText } from './method-page.ts';
import { readPage } from './page.ts';
import { docGroups, docPages, movedPages } from './pages.ts';
import { publicReader } from './reader-credentials.ts';
import { partText, referenceText } from './reference-text.ts';
import { titleOf } from './schema-description.ts';
import { searchIndex } from './search.ts';

/** Every path below /docs that is served as Markdown. */
export const markdownPaths: readonly string[] = allPaths();

/** Returns a page (`reference/errors`, `methods/papara`, `reference/checkout`) as Markdown with public values. */
export function markdownOf(path: string): string | null {
  const text = textAt(path);
  return text === null ? null : withFileLinks(text);
}

function textAt(path: string): string | null {
  const address = addressOf(path);
  if (address?.kind === 'page') return readPage(path)?.text ?? null;
  if (address?.kind === 'method') return methodMarkdown(address.method);
  if (address?.kind === 'protocol') return referenceText(documentOf(address.name), address.name);
  if (address?.kind === 'part') return partText(documentOf(address.name), address.part);
  return null;
}

const methodMarkdown = (method: Method) => `${methodIntro(method)}\n\n${methodText(method, publicReader())}`;

/** Converts `/docs/reference/errors#error-400` to `/docs/reference/errors.md#error-400`. */
function withFileLinks(text: string): string {
  return text.replace(/\]\(\/docs\/([\w/-]+)(#[^)]+)?\)/g, (_, path: string, anchor = '') => {
    return `](/docs/${path}.md${anchor})`;
  });
}

const plain = (text: string, type: string) =>
  httpResult(text, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' } });

/** The last texts: one needs up to 20 milliseconds. */
const rendered = rememberLast<{ text: string | null }>(100);

function servePage(path: string): HttpResult {
  const address = addressOf(path);
  if (address?.kind === 'moved' && address.to !== '') {
    return httpResult(null, { status: 308, headers: { location: `/docs/${address.to}.md` } });
  }
  const text = address && rendered(path, () => ({ text: markdownOf(path) })).text;
  return text === null ? httpResult(null, { status: 404 }) : plain(text, 'text/markdown');
}

function allPages(): string {
  const paths = [...docPages.map(({ slug }) => slug), ...documentNames.map((name) => `reference/${name}`)];
  return paths.map(markdownOf).join('\n\n---\n\n');
}

/** Serves all pages in one file, built once per process. */
const serveAll = once(() => cacheableText(allPages(), { 'content-type': 'text/plain; charset=utf-8' }));

const lineOf = (path: string, title: string, summary: string) =>
  `- [${title}](${env.baseUrl}/docs/${path}.md): ${summary}`;

const section = (title: string, lines: readonly string[]) => ['', `## ${title}`, '', ...lines];

function serveIndex(): HttpResult {
  const groups = docGroups.map(({ title, pages }) =>
    section(
      title,
      pages.map((page) => lineOf(page.slug, page.title, page.summary)),
    ),
  );
  const lines = [
    '# Florin',
    '',
    '> A self-hosted payment gateway: hosted checkout, hosted fields, S2S CARD, S2S APM, signed callbacks.',
    '',
    `All pages in one file, without those of single payment methods: ${env.baseUrl}/llms-full.txt`,
    `The payment methods: ${env.baseUrl}/llms-methods.txt`,
    ...groups.flat(),
    ...section('API reference by protocol', documentNames.flatMap(referenceLines)),
    '',
  ];
  return plain(lines.join('\n'), 'text/plain');
}

function referenceLines(name: DocumentName): string[] {
  const { info } = documentOf(name);
  const title = titleOf(documentOf(name));
  const parts = partsOf(name).map((part) =>
    lineOf(`reference/${name}/${part}`, `${title}: ${part}`, 'One part of it.'),
  );
  return [lineOf(`reference/${name}`, title, info.description), ...parts];
}

function serveMethods(): HttpResult {
  const lines = methods.map((method) =>
    lineOf(`methods/${method.id}`, method.id, `${method.name}. ${methodSummary(method)}`),
  );
  return plain(['# Payment methods of Florin', ...section('Methods', lines), ''].join('\n'), 'text/plain');
}

/** Serves the search index. It is the same for all readers, and built once per process. */
const serveSearch = once(() => cacheableText(JSON.stringify(searchIndex())));

/** What answers a request, made by the first one. */
function once(make: () => Route['run']): Route['run'] {
  let run: Route['run'] | undefined;
  return (...request) => {
    run ??= make();
    return run(...request);
  };
}

/** The Markdown routes are listed by page; Next rewrites their paths to /docs/text (next.config.mjs). */
const routes: Route[] = [
  ...[...markdownPaths, ...Object.keys(movedPages)].map(
    (path): Route => ({ method: 'GET', path: `/docs/${path}.md`, run: () => servePage(path) }),
  ),
  { method: 'GET', path: '/docs/text/*', run: (_request, { '*': path = '' }) => servePage(path.replace(/\.md$/, '')) },
  { method: 'GET', path: '/docs/search.json', run: serveSearch },
  { method: 'GET', path: '/llms.txt', run: serveIndex },
  { method: 'GET', path: '/llms-full.txt', run: serveAll },
  { method: 'GET', path: '/llms-methods.txt', run: serveMethods },
];

/** These pages and the OpenAPI documents. Rendering and sending one takes more time than its request: an address has a limit. */
export const docsRoutes: Route[] = [...routes, ...openApiRoutes].map(({ run, ...route }) => ({
  ...route,
  run: (...request) => {
    const seconds = retryAfterForAddress('docs', request[2].address);
    return seconds > 0
      ? httpResult(null, { status: 429, headers: { 'retry-after': String(seconds) } })
      : run(...request);
  },
}));
