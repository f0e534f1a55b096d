// The documentation for machines: every page as Markdown, and an index of them.
import { type DocPage, docGroups, docPages } from '../../components/docs/pages';
import { env } from '../env';
import type { Route } from '../route';
import { readPage } from './page';
import { searchIndex } from './search';

/** A page as Markdown, with the values that everybody may see. */
export async function markdownOf(slug: string): Promise<string | null> {
  return (await readPage(slug))?.text ?? null;
}

const plain = (text: string, type: string) =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' } });

async function tellPage(slug: string): Promise<Response> {
  const text = await markdownOf(slug);
  return text === null ? new Response(null, { status: 404 }) : plain(text, 'text/markdown');
}

async function tellAll(): Promise<Response> {
  const texts = await Promise.all(docPages.map(({ slug }) => markdownOf(slug)));
  return plain(texts.join('\n\n---\n\n'), 'text/plain');
}

function tellIndex(): Response {
  const linesOf = (pages: readonly DocPage[]) =>
    pages.map(({ slug, title, summary }) => `- [${title}](${env.baseUrl}/docs/${slug}.md): ${summary}`);
  const groups = docGroups.flatMap(({ title, pages }) => ['', `## ${title}`, '', ...linesOf(pages)]);
  const intro = '> A self-hosted payment service: Checkout, S2S CARD, S2S APM, hosted fields, signed callbacks.';
  const whole = `All pages in one: ${env.baseUrl}/llms-full.txt`;
  return plain(['# Florin', '', intro, '', whole, ...groups, ''].join('\n'), 'text/plain');
}

/** A row per page at its own address, which Next hands over under /docs/text (next.config.mjs). */
export const docsRoutes: Route[] = [
  ...docPages.map(({ slug }): Route => ({ method: 'GET', path: `/docs/${slug}.md`, run: () => tellPage(slug) })),
  {
    method: 'GET',
    path: '/docs/text/:file',
    run: (_request, { file = '' }) => tellPage(file.replace(/\.md$/, '')),
  },
  { method: 'GET', path: '/docs/search.json', run: async () => Response.json(await searchIndex()) },
  { method: 'GET', path: '/llms.txt', run: tellIndex },
  { method: 'GET', path: '/llms-full.txt', run: tellAll },
];
