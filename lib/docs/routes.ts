// The documentation for machines: every page as Markdown, those of methods and of the reference too, and an index of them.

import { env } from '../config';
import { documentNames } from '../core/openapi';
import type { Route } from '../http';
import { findMethod, methods } from '../methods/catalog';
import type { Method } from '../methods/method';
import { documentOf } from '../openapi';
import { headingId } from './heading';
import { methodIntro, methodSummary, methodText } from './method-page';
import { readPage } from './page';
import { docGroups, docPages } from './pages';
import { anybody } from './reader';
import { referenceText } from './reference-text';
import { titleOf } from './reference-words';
import { searchFile } from './search';

const slugs = docPages.map(({ slug }) => slug);
const references = documentNames.map((name) => `reference/${name}`);

/** Everything that there is as Markdown. */
export const markdownPaths: readonly string[] = [...slugs, ...references, ...methods.map(({ id }) => `methods/${id}`)];

/** A page as Markdown, with the values that everybody may see: `errors`, `methods/papara`, `reference/checkout`. */
export async function markdownOf(path: string): Promise<string | null> {
  const text = await textAt(path);
  return text === null ? null : withFileLinks(text);
}

async function textAt(path: string): Promise<string | null> {
  const [slug = '', name] = path.split('/');
  if (name === undefined) return (await readPage(slug))?.text ?? null;
  if (slug === 'methods') return methodMarkdown(findMethod(name));
  const protocol = slug === 'reference' && documentNames.find((each) => each === name);
  return protocol ? referenceText(documentOf(protocol), protocol) : null;
}

function methodMarkdown(method: Method | undefined): string | null {
  return method ? `${methodIntro(method)}\n\n${methodText(method, anybody())}` : null;
}

/** Whoever reads files goes on to files: `/docs/reference/checkout#payment.refund` has its heading there. */
function withFileLinks(text: string): string {
  return text.replace(/\]\(\/docs\/([\w/-]+)(?:#([^)]+))?\)/g, (_, path: string, anchor?: string) => {
    return `](/docs/${path}.md${anchor === undefined ? '' : `#${headingId(anchor)}`})`;
  });
}

const plain = (text: string, type: string) =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' } });

async function tellPage(path: string): Promise<Response> {
  const text = await markdownOf(path);
  return text === null ? new Response(null, { status: 404 }) : plain(text, 'text/markdown');
}

async function tellAll(): Promise<Response> {
  const texts = await Promise.all([...slugs, ...references].map(markdownOf));
  return plain(texts.join('\n\n---\n\n'), 'text/plain');
}

function tellIndex(): Response {
  const lineOf = (path: string, title: string, summary: string) =>
    `- [${title}](${env.baseUrl}/docs/${path}.md): ${summary}`;
  const section = (title: string, lines: readonly string[]) => ['', `## ${title}`, '', ...lines];
  const groups = docGroups.map(({ title, pages }) => {
    return section(
      title,
      pages.map((page) => lineOf(page.slug, page.title, page.summary)),
    );
  });
  const drawn = documentNames.map((name) =>
    lineOf(`reference/${name}`, titleOf(documentOf(name)), documentOf(name).info.description),
  );
  const kinds = methods.map((method) => {
    return lineOf(`methods/${method.id}`, method.id, `${method.name}. ${methodSummary(method)}`);
  });
  const lines = [
    '# Florin',
    '',
    '> A self-hosted payment service: Checkout, S2S CARD, S2S APM, hosted fields, signed callbacks.',
    '',
    `All pages in one, but for those of single methods: ${env.baseUrl}/llms-full.txt`,
    ...groups.flat(),
    ...section('Reference of each protocol', drawn),
    ...section('Each payment method', kinds),
    '',
  ];
  return plain(lines.join('\n'), 'text/plain');
}

/** The index of the search. It is the same for everybody, so that a browser need not fetch it for every page. */
async function tellSearch(request: Request): Promise<Response> {
  const { text, etag } = await searchFile();
  const headers = { etag, 'cache-control': 'public, max-age=300' };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, 'content-type': 'application/json; charset=utf-8' } });
}

/** A row per page at its own address, which Next hands over under /docs/text (next.config.mjs). */
export const docsRoutes: Route[] = [
  ...markdownPaths.map((path): Route => ({ method: 'GET', path: `/docs/${path}.md`, run: () => tellPage(path) })),
  {
    method: 'GET',
    path: '/docs/text/*',
    run: (_request, { '*': path = '' }) => tellPage(path.replace(/\.md$/, '')),
  },
  { method: 'GET', path: '/docs/search.json', run: tellSearch },
  { method: 'GET', path: '/llms.txt', run: tellIndex },
  { method: 'GET', path: '/llms-full.txt', run: tellAll },
];
