// Renders Markdown on the server with the components of the documentation: headings with ids, scrollable tables, code
// blocks with a copy button.
import { marked, Parser, Renderer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { headingIds, pageLink, plainHeading } from '../../lib/docs/links.ts';
import { Code } from '../ui/code.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Status } from '../ui/status.tsx';
import { LanguageTabs } from './language-tabs.tsx';

/** `from` is the slug that relative links are resolved against, `base` the path prefix of the pages. */
type Props = { text: string; from?: string; base?: string };

/** `text` is a file of this repository and trusted: its HTML is not escaped. */
export function Markdown({ text, from = '', base = '/docs' }: Props) {
  const tokens = marked.lexer(text);
  const ids = headingIds(headingsIn(tokens).map((heading) => heading.text));
  const renderer = rendererOf(ids, from, base);
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
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading') heading = plainHeading((token as Tokens.Heading).text);
    if (token.type === 'code') {
      flush();
      const code = token as Tokens.Code;
      const tab = tabOf(code);
      if (tab === null) add(<Code text={code.text} title={titleOf(code.lang)} copies="this block" />);
      else if (tabOf(codeBefore(tokens, at)) !== tab) add(<Tabs label={heading} blocks={blocksOf(tokens, at, tab)} />);
    } else if (token.type === 'table') {
      flush();
      const count = (tables.get(heading) ?? 0) + 1;
      tables.set(heading, count);
      add(
        <DataTable
          label={count > 1 ? `${heading}, table ${count}` : heading}
          table={token as Tokens.Table}
          renderer={renderer}
        />,
      );
    } else run.push(token);
  }
  flush();
  return parts;
}

/** The second-level headings of a text with their ids. */
export function sectionsOf(text: string): { id: string; title: string }[] {
  const headings = headingsIn(marked.lexer(text));
  const ids = headingIds(headings.map((heading) => heading.text));
  return headings.flatMap(({ depth, text: title }, at) =>
    depth === 2 ? [{ id: ids[at] ?? '', title: plainHeading(title) }] : [],
  );
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
  java: 'Java',
  csharp: 'C#',
  go: 'Go',
};

function titleOf(lang: string | undefined): string {
  const [, file] = /\sfile=([\w.-]+)/.exec(lang ?? '') ?? [];
  if (file !== undefined) return file;
  return languages[lang?.split(' ')[0] ?? ''] ?? '';
}

// Adjacent blocks with the same `tab` are one example in several languages. The other attributes of a fence are for
// tests.
function tabOf(code: Tokens.Code | null): string | null {
  return /\stab=([\w-]+)/.exec(code?.lang ?? '')?.[1] ?? null;
}

function codeBefore(tokens: readonly Token[], at: number): Tokens.Code | null {
  const before = tokens.slice(0, at).findLast(({ type }) => type !== 'space');
  return before?.type === 'code' ? (before as Tokens.Code) : null;
}

function blocksOf(tokens: readonly Token[], at: number, tab: string): Tokens.Code[] {
  const rest = tokens.slice(at).filter(({ type }) => type !== 'space') as Tokens.Code[];
  const end = rest.findIndex((token) => token.type !== 'code' || tabOf(token) !== tab);
  return end === -1 ? rest : rest.slice(0, end);
}

const tabTitles: Record<string, string> = { sh: 'curl', js: 'Node', php: 'PHP', python: 'Python' };

function Tabs({ label, blocks }: { label: string; blocks: Tokens.Code[] }) {
  const panels = blocks.map(({ lang, text }) => {
    const language = lang?.split(' ')[0] ?? '';
    // A receiver in the shell does not use curl.
    const title = lang?.includes(' receives=') && language === 'sh' ? 'Shell' : (tabTitles[language] ?? language);
    return { language, title, block: <Code text={text} copies={`the example in ${title}`} /> };
  });
  return <LanguageTabs label={`Language of the example: ${label}`} panels={panels} />;
}

function headingsIn(tokens: readonly Token[]): Tokens.Heading[] {
  return tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
}

/** Takes the ids of the headings in their order; links are relative to the page `from`. */
function rendererOf(ids: string[], from: string, base: string): Renderer {
  const renderer = new Renderer();
  renderer.heading = function ({ depth, tokens }) {
    const id = ids.shift() ?? '';
    // Hidden from keyboards and screen readers, which have the outline.
    const anchor = depth > 1 ? ` <a href="#${id}" class="anchor" aria-hidden="true" tabindex="-1">#</a>` : '';
    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
  };
  renderer.link = function ({ href, tokens }) {
    const link = pageLink(href, from);
    const address = (link ? `${base}/${link.slug}${link.anchor}` : href).replaceAll('"', '%22');
    return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
  };
  // Code within a list; Markdown() renders top-level blocks with a copy button.
  renderer.code = ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
  renderer.checkbox = ({ checked }) => (checked ? '☑ ' : '☐ ');
  const drawTable = renderer.table;
  renderer.table = function (token) {
    return `<div class="scroll" tabindex="0" role="group">${drawTable.call(this, token)}</div>\n`;
  };
  return renderer;
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;');

/** The columns whose values are payment states. */
const stateColumns = ['State', 'From', 'To'];

// On a phone a table of more than three columns becomes a list. An empty header cell is a td; a table without header
// texts has no head.
function DataTable({ label, table, renderer }: { label: string; table: Tokens.Table; renderer: Renderer }) {
  const { header, rows } = table;
  const inline: Inline = (cell) => ({ __html: new Parser({ renderer }).parseInline(cell.tokens) });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={label}>
      <table className={header.length > 3 ? 'stacks' : undefined}>
        {header.some(({ text }) => text !== '') ? (
          <thead>
            <tr>{header.map((cell, at) => headingOf(cell, `${at}`, inline))}</tr>
          </thead>
        ) : null}
        <tbody>{rows.map((cells, at) => rowOf(cells, header, `${at}`, inline))}</tbody>
      </table>
    </section>
  );
}

function rowOf(cells: Tokens.TableCell[], header: Tokens.TableCell[], key: string, inline: Inline): ReactNode {
  return (
    <tr key={key} id={rowId(header, cells)}>
      {cells.map((cell, at) => cellOf(cell, plainHeading(header[at]?.text ?? ''), `${at}`, inline))}
    </tr>
  );
}

type Inline = (cell: Tokens.TableCell) => { __html: string };

function headingOf(cell: Tokens.TableCell, key: string, inline: Inline): ReactNode {
  if (cell.text === '') return <td key={key} />;
  // A cell can list several fields, which would leave no space for the other columns.
  const width = cell.text === 'Field' ? 'field' : undefined;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file of this repository
  return <th key={key} scope="col" className={width} dangerouslySetInnerHTML={inline(cell)} />;
}

/** The id of a row that links refer to: `method-papara`, `setting-BASE_URL`. */
function rowId([first]: Tokens.TableCell[], [cell]: Tokens.TableCell[]): string | undefined {
  const prefix = { Identifier: 'method', Variable: 'setting' }[first?.text ?? ''];
  return prefix && cell ? `${prefix}-${plainHeading(cell.text)}` : undefined;
}

function cellOf(cell: Tokens.TableCell, column: string, key: string, inline: Inline): ReactNode {
  const [, word] = /^`([^`]+)`$/.exec(cell.text) ?? [];
  if (word !== undefined && stateColumns.includes(column)) {
    return (
      <td key={key} className="nowrap" data-column={column}>
        <Status status={word} />
      </td>
    );
  }
  if (word !== undefined && column === 'Number' && /^[\d ]{12,}$/.test(word)) {
    return (
      <td key={key} data-column={column}>
        <span className="number">
          <code>{word}</code>
          <CopyButton text={word.replaceAll(' ', '')} what={`card number ${word}`} className="bare" />
        </span>
      </td>
    );
  }
  const width = column === 'Identifier' ? 'nowrap' : undefined;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a file of this repository
  return <td key={key} className={width} data-column={column || undefined} dangerouslySetInnerHTML={inline(cell)} />;
}
