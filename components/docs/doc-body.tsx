// Renders a page of the documentation on the server: menu, text, outline, and links to the previous and next page; the
// page of a payment method has a button that opens it in the sandbox. Only copying, search and the choice of a language
// need script.
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { docGroups, docPages } from '../../lib/docs/pages.ts';
import article from './article.module.css';
import styles from './docs.module.css';
import { Markdown, sectionsOf } from './markdown.tsx';
import { Search } from './search.tsx';

/** `base`: the pages' path prefix, /docs or /dashboard/docs with the reader's own key. `ownHref`: the latter. */
type Props = { slug: string; text: string; note?: ReactNode; base?: string; ownHref?: string };

export function DocBody({ slug, text, note, base = '/docs', ownHref }: Props) {
  return (
    <DocFrame slug={slug} sections={sectionsOf(text)} base={base}>
      {note}
      <Markdown text={text} from={slug} base={base} />
      <Source path={slug} ownHref={ownHref} />
      <PageLinks slug={slug} base={base} />
    </DocFrame>
  );
}

/** Links to the Markdown of a page; `path` is `reference/errors` or `methods/papara`. */
export function Source({ path, ownHref }: { path: string; ownHref?: string }) {
  return (
    <p className={article.source}>
      <a href={`/docs/${path}.md`}>This page as Markdown</a>
      {ownHref ? <a href={ownHref}>Signed in to the dashboard? Read this page with your own key</a> : null}
    </p>
  );
}

function PageLinks({ slug, base }: { slug: string; base: string }) {
  const at = docPages.findIndex((page) => page.slug === slug);
  const neighbours = [
    { page: docPages[at - 1], rel: 'prev', word: 'Previous' },
    { page: docPages[at + 1], rel: 'next', word: 'Next' },
  ];
  return (
    <nav aria-label="Previous and next" className={styles.neighbours}>
      {neighbours.map(({ page, rel, word }) =>
        page ? (
          <Link key={rel} href={`${base}/${page.slug}`} rel={rel}>
            <span className="quiet">{word}</span>
            {page.title}
          </Link>
        ) : null,
      )}
    </nav>
  );
}

type Section = { id: string; title: string };
type Group = { title: string; pages: readonly { slug: string; title: string }[] };

type FrameProps = {
  slug: string;
  sections: readonly Section[];
  children: ReactNode;
  base?: string;
  /** Additional menu entries of this page: the operations of a protocol. */
  menu?: Group;
};

/** The frame of a page: the menu of all pages and the outline of this one. */
export function DocFrame({ slug, sections, children, base = '/docs', menu }: FrameProps) {
  const outline = sections.length > 2 ? <Outline sections={sections} /> : null;
  return (
    <div className={`wide ${styles.frame}`}>
      <div className={styles.side}>
        <Search base={base} />
        <details className={styles.narrow}>
          <summary>Menu</summary>
          <Menu slug={slug} base={base} extra={menu} />
        </details>
        {outline ? (
          <details className={styles.narrow}>
            <summary>On this page</summary>
            {outline}
          </details>
        ) : null}
        <div className={styles.broad}>
          <Menu slug={slug} base={base} extra={menu} />
        </div>
      </div>
      <article className={article.article}>{children}</article>
      {outline ? (
        <div className={styles.outline}>
          <h2>On this page</h2>
          {outline}
        </div>
      ) : null}
    </div>
  );
}

function Outline({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="On this page">
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{withBreaks(title)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Allows line breaks in wire names only after a slash or an underscore. */
const withBreaks = (title: string): ReactNode =>
  title.split(/(?<=[/_])/).map((part, at) => {
    const key = `${at}`;
    return (
      <Fragment key={key}>
        {at > 0 ? <wbr /> : null}
        {part}
      </Fragment>
    );
  });

function Menu({ slug, base, extra }: { slug: string; base: string; extra?: Group }) {
  const groups: readonly Group[] = extra ? [extra, ...docGroups] : docGroups;
  return (
    <nav aria-label="Documentation" className={styles.menu}>
      <Link href="/docs" className={styles.all}>
        All pages
      </Link>
      {groups.map((group) => (
        <details key={group.title} open={group.pages.some((page) => page.slug === slug)}>
          <summary>{group.title}</summary>
          <ul>
            {group.pages.map((page) => (
              <li key={page.slug}>
                <Link
                  href={`${group === extra ? '/docs' : base}/${page.slug}`}
                  prefetch={false}
                  aria-current={page.slug === slug ? 'page' : undefined}
                >
                  {withBreaks(page.title)}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

/** The list of all pages with their summaries. */
export function DocIndex() {
  return (
    <AllPages title="Documentation">
      Florin is a self-hosted payment gateway. A merchant’s server creates a session, the payer pays on Florin’s page,
      and a signed callback reports the outcome.
    </AllPages>
  );
}

/** The 404 page of /docs. */
export function DocMissing() {
  return (
    <AllPages title="This page does not exist">
      The address may be misspelt, or the page has moved. Search for it, or choose a page below.
    </AllPages>
  );
}

function AllPages({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={`wide ${styles.index}`}>
      <h1>{title}</h1>
      <p className="soft">{children}</p>
      <Search />
      {docGroups.map((group) => (
        <section key={group.title}>
          <h2 id={group.title.toLowerCase()}>{group.title}</h2>
          <ul>
            {group.pages.map(({ slug, title: name, summary }) => (
              <li key={slug}>
                <Link href={`/docs/${slug}`} prefetch={false}>
                  {name}
                </Link>
                <span>{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The version of Florin and of the interface that the pages describe. */
export function DocVersion({ version }: { version: string }) {
  return (
    <p className={`wide ${styles.version}`}>
      Florin {version}, interface 6.7.0. <Link href="/docs/reference/changelog">Changelog</Link>,{' '}
      <Link href="/docs/reference/versions">versions and deprecations</Link>.
    </p>
  );
}

export function ReaderKeyNote({ merchant, accounts }: { merchant: string; accounts: readonly string[] }) {
  return (
    <p className={article.note}>
      The examples contain the sandbox key of {merchant}.{' '}
      {accounts.length > 0 ? `Payments go to its MIDs ${accounts.join(', ')}.` : 'It has no MID yet.'}
    </p>
  );
}

/** `session` is the session request that the button sends to `shop`, as JSON; null in production. */
type MethodProps = { id: string; intro: string; text: string; session: string | null; shop: string };

export function MethodPage({ id, intro, text, session, shop }: MethodProps) {
  return (
    <DocFrame slug="reference/methods" sections={sectionsOf(text)}>
      <Markdown text={intro} />
      {session === null ? null : (
        <form method="post" action={shop}>
          <input type="hidden" name="request" value={session} />
          <p>
            <button type="submit" className="button primary">
              Open in the sandbox
            </button>
          </p>
          <p className="quiet">
            The demo shop creates a session with this method only and opens its payment page. The sandbox simulates the
            payer’s side. Afterwards the page of the order shows all requests and callbacks.
          </p>
        </form>
      )}
      <Markdown text={text} />
      <p>
        <Link href="/docs/reference/methods">All methods</Link>
      </p>
      <Source path={`methods/${id}`} />
    </DocFrame>
  );
}
