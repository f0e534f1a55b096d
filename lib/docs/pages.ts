// The pages of the documentation in reading order, as docs/README.md lists them for readers of the repository, and
// their sources: a template in docs/templates if a page has examples, tables or values of the deployment, otherwise the
// file in docs/.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the template of a page, or its text; null if neither exists. */
export function sourceOf(slug: string): { text: string; isTemplate: boolean } | null {
  const folder = ['docs/templates', 'docs'].find((each) => existsSync(pathOf(`${each}/${slug}.md`)));
  return folder === undefined
    ? null
    : { text: fileText(`${folder}/${slug}.md`), isTemplate: folder === 'docs/templates' };
}

const pathOf = (path: string) => join(/* turbopackIgnore: true */ process.cwd(), path);

/** Reads a file of the repository by its path from the root. */
export const fileText = (path: string) => readFileSync(pathOf(path), 'utf8');

let version: string | undefined;

/** The version in package.json: `0.2.0`. */
export function florinVersion(): string {
  version ??= String(JSON.parse(fileText('package.json')).version);
  return version;
}

/** `slug` is the path of the page below docs/ and /docs. `keys` are search words that the page does not contain. */
export type DocPage = { slug: string; title: string; summary: string; keys?: string };

export type DocGroup = { title: string; pages: readonly DocPage[] };

const pageLine = /^- \[(.+?)\]\((.+?)\.md\): (.+?)(?: <!-- (.+) -->)?$/gm;

function pagesIn(section: string): DocPage[] {
  return [...section.matchAll(pageLine)].map(([, title = '', slug = '', summary = '', keys]) => ({
    slug,
    title,
    summary,
    ...(keys && { keys }),
  }));
}

// The sections from "API by protocol" on list files that are no pages of their own.
const [listed = ''] = fileText('docs/README.md').split('\n## API by protocol');

export const docGroups: readonly DocGroup[] = listed
  .split('\n## ')
  .slice(1)
  .map((section) => ({ title: section.slice(0, section.indexOf('\n')), pages: pagesIn(section) }));

export const docPages: readonly DocPage[] = docGroups.flatMap(({ pages }) => pages);

/** Pages whose former path below /docs is the last part of the present one. */
const withoutFolder =
  'hosted-fields client-sdk s2s-card s2s-apm callbacks idempotency recurring payouts wallets sandbox pci ' +
  'going-live configuration security adapter signatures errors states methods mapping routing languages unspecified ' +
  'benchmarks';

const pageNamed = (name: string) => docPages.find(({ slug }) => slug.endsWith(`/${name}`))?.slug ?? '';

/** Former paths below /docs, each with the page that it redirects to. */
export const movedPages: Readonly<Record<string, string>> = {
  florin: 'guide/overview',
  'first-payment': 'guide/quickstart',
  checkout: 'guide/hosted-checkout',
  scaling: 'operations/high-availability',
  operations: 'operations/health-checks',
  auditor: 'operations/ledger-check',
  'provider-contract': 'providers/contract',
  reference: 'reference/api',
  'sandbox-cards': 'reference/test-cards',
  version: 'reference/versions',
  proofs: 'contributing/chaos-tests',
  ...Object.fromEntries(withoutFolder.split(' ').map((name) => [name, pageNamed(name)])),
};
