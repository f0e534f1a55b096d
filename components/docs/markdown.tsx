// Renders Markdown on the server with the pages' own parts: headings with an address, tables that scroll by themselves,
// blocks of code to copy. `<!-- insert: name -->` stands for a table that is drawn from the code.
import { marked, Renderer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Code } from '../ui/code';

export type Inserts = Record<string, () => ReactNode>;

const insert = /^<!--\s*insert:\s*([\w-]+)\s*-->\s*$/;

/** `text` is a file of ours and trusted: HTML in it stays. */
export function Markdown({ text, inserts = {} }: { text: string; inserts?: Inserts }) {
  const tokens = marked.lexer(text);
  const parts: ReactNode[] = [];
  const add = (part: ReactNode) => parts.push(<Fragment key={`part-${parts.length}`}>{part}</Fragment>);
  let run: Token[] = [];
  const flush = () => {
    if (run.length === 0) return;
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file of this repository
    add(<div dangerouslySetInnerHTML={{ __html: marked.parser(run, { renderer }) }} />);
    run = [];
  };
  let heading = '';
  const tables = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') heading = plain((token as Tokens.Heading).text);
    const named = token.type === 'html' ? insert.exec(token.raw)?.[1] : undefined;
    if (token.type === 'code') {
      flush();
      const { text: code, lang } = token as Tokens.Code;
      add(<Code text={code} title={titleOf(lang)} copies="this block" />);
    } else if (token.type === 'table') {
      flush();
      const count = (tables.get(heading) ?? 0) + 1;
      tables.set(heading, count);
      add(
        <Scroll
          label={count > 1 ? `${heading}, table ${count}` : heading}
          html={marked.parser([token], { renderer })}
        />,
      );
    } else if (named !== undefined) {
      flush();
      add(inserts[named]?.() ?? null);
    } else run.push(token);
  }
  flush();
  return parts;
}

/** The first heading of a text, and its further headings of the second level with their addresses. */
export function outlineOf(text: string): { title: string; sections: { id: string; title: string }[] } {
  const headings = marked.lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading');
  const title = headings.find((heading) => heading.depth === 1)?.text ?? '';
  const sections = headings
    .filter(({ depth }) => depth === 2)
    .map(({ text }) => ({ id: idOf(text), title: plain(text) }));
  return { title: plain(title), sections };
}

const languages: Record<string, string> = {
  sh: 'Terminal',
  bash: 'Terminal',
  json: 'JSON',
  js: 'Node',
  php: 'PHP',
  python: 'Python',
  http: 'HTTP',
  html: 'HTML',
  tsx: 'React',
};

function titleOf(lang: string | undefined): string {
  return languages[lang?.split(' ')[0] ?? ''] ?? '';
}

function plain(text: string): string {
  return text.replace(/`|\*\*/g, '');
}

function idOf(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

const renderer = new Renderer();

renderer.heading = function ({ depth, text, tokens }) {
  return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
};

// Texts link to one another as files, which works in the repository too.
renderer.link = function ({ href, tokens }) {
  const address = href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1').replaceAll('"', '%22');
  return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
};

// An empty cell is no heading of anything; a table whose headings are all empty has none.
renderer.tablecell = function (token) {
  const text = this.parser.parseInline(token.tokens);
  return token.header && text !== '' ? `<th scope="col">${text}</th>\n` : `<td>${text}</td>\n`;
};

const table = Renderer.prototype.table;
renderer.table = function (token) {
  const html = table.call(this, token);
  return token.header.some((cell) => cell.text !== '') ? html : html.replace(/<thead>.*?<\/thead>/s, '');
};

function Scroll({ label, html }: { label: string; html: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reachable by keyboard
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file of this repository
    <section className="scroll" tabIndex={0} aria-label={label} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
