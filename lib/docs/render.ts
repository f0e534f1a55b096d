// Renders the generated files of docs/: filled templates and the reference of each protocol. `npm run docs`
// writes them; a test fails when they are out of date.
import { documentNames } from '../core/openapi.ts';
import { documentOf } from '../openapi/index.ts';
import { addressOf } from './address.ts';
import { fileLink, headingId } from './links.ts';
import { fill } from './page.ts';
import { docPages, sourceOf } from './pages.ts';
import { repositoryReader } from './reader-credentials.ts';
import { referenceText } from './reference-text.ts';
import { languages } from './samples/from-request.ts';

/** Returns every generated file by its path in the repository. The settings must be those of a local sandbox. */
export function renderedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of docPages) {
    const source = sourceOf(page.slug);
    if (!source?.isTemplate) continue;
    const text = fill(source.text, repositoryReader);
    files.set(`docs/${page.slug}.md`, file(page.slug, text, `docs/templates/${page.slug}.md`));
  }
  for (const name of documentNames) {
    const slug = `reference/${name}`;
    files.set(`docs/${slug}.md`, file(slug, referenceText(documentOf(name), name), 'lib/openapi'));
  }
  return files;
}

const note = (source: string) => `<!-- Generated from ${source} by npm run docs. Do not edit. -->\n\n`;

const file = (slug: string, text: string, source: string) =>
  `${note(source)}${withRepositoryLinks(withDetails(text), slug).trimEnd()}\n`;

const languageNames = new Map(languages.map(({ fence, title }) => [fence, title]));

/** Wraps an example's languages in details elements, the first one open, without the test attributes of fences. */
function withDetails(text: string): string {
  return text.replace(/^```([^\n]*)\n(.*?)^```$/gms, (_, info: string, code: string) => {
    const [language = '', ...rules] = info.split(' ');
    const block = `\`\`\`${language}\n${code}\`\`\``;
    if (!rules.some((rule) => rule.startsWith('tab='))) return block;
    const isReceiver = rules.some((rule) => rule.startsWith('receives='));
    const title = isReceiver && language === 'sh' ? 'Shell' : (languageNames.get(language) ?? language);
    const open = language === 'sh' ? ' open' : '';
    return `<details${open}><summary>${title}</summary>\n\n${block}\n\n</details>`;
  });
}

/** Converts links of the site to links between files; pages without a file are linked in a local sandbox. */
function withRepositoryLinks(text: string, from: string): string {
  return text.replace(/\[([^\][]*)\]\((\/[^)\s]*)\)/g, (_, words: string, href: string) => {
    const [, path = '', anchor = ''] = /^\/docs\/([^#]*)(#.*)?$/.exec(href) ?? [];
    const address = addressOf(path);
    if (address?.kind === 'method') return words;
    if (address?.kind === 'page') return `[${words}](${fileLink(path, from)}${anchor})`;
    if (address?.kind === 'protocol') return `[${words}](${fileLink(path, from)}${anchor})`;
    if (address?.kind === 'part')
      return `[${words}](${fileLink(`reference/${address.name}`, from)}${partAnchor(path)})`;
    return `[${words}](${repositoryReader.base}${href})`;
  });
}

/** The anchor of an operation in the file of its protocol: `#payment-refund`. */
function partAnchor(path: string): string {
  const [, protocol = '', part = ''] = path.split('/');
  const name = documentNames.find((each) => each === protocol);
  const text = name ? referenceText(documentOf(name), name) : '';
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const heading = headings.find((each) => each.toLowerCase().replace(/[ /_]/g, '-') === part);
  return heading === undefined ? '' : `#${headingId(heading)}`;
}
