// A page of the documentation: the list of pages beside it, the text, and where to read on. Made on the server; script is
// what copies, searches and remembers a language.
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { docGroups, docPages } from '../../lib/docs/pages';
import styles from './docs.module.css';
import { Markdown, outlineOf } from './markdown';
import { Search } from './search';

/** `base` is where the pages stand: /docs, or /dashboard/docs for who reads them with a key of their own: `ownHref`. */
type Props = { slug: string; text: string; note?: ReactNode; base?: string; ownHref?: string };

export function DocBody({ slug, text, note, base = '/docs', ownHref }: Props) {
  const { sections } = outlineOf(text);
  return (
    <DocFrame slug={slug} sections={sections} base={base}>
      {note}
      <Markdown text={text} base={base} />
      <Source path={slug} ownHref={ownHref} />
      <Neighbours slug={slug} base={base} />
    </DocFrame>
  );
}

/** Where the text of a page is to be had: `errors`, `methods/papara`. */
export function Source({ path, ownHref }: { path: string; ownHref?: string }) {
  return (
    <p className={styles.source}>
      <a href={`/docs/${path}.md`}>This page as Markdown</a>
      {ownHref ? <a href={ownHref}>Signed in to the dashboard? Read it with your own key</a> : null}
    </p>
  );
}

function Neighbours({ slug, base }: { slug: string; base: string }) {
  const at = docPages.findIndex((page) => page.slug === slug);
  const [before, next] = [docPages[at - 1], docPages[at + 1]];
  return (
    <nav aria-label="Previous and next" className={styles.neighbours}>
      {before ? (
        <Link href={`${base}/${before.slug}`} rel="prev">
          <span className="quiet">Previous</span>
          {before.title}
        </Link>
      ) : null}
      {next ? (
        <Link href={`${base}/${next.slug}`} rel="next">
          <span className="quiet">Next</span>
          {next.title}
        </Link>
      ) : null}
    </nav>
  );
}

type FrameProps = {
  slug: string;
  sections: readonly { id: string; title: string }[];
  children: ReactNode;
  base?: string;
  /** Whether the sections are named as the wire names them. */
  asCode?: boolean;
};

/** What stands around every page: the list of pages, and the way within this one. */
export function DocFrame({ slug, sections, children, base = '/docs', asCode = false }: FrameProps) {
  return (
    <div className={`wide ${styles.frame}`}>
      <Menu slug={slug} base={base} />
      <article className={styles.article}>{children}</article>
      {sections.length > 2 ? (
        <nav aria-label="On this page" className={asCode ? `${styles.outline} ${styles.code}` : styles.outline}>
          <h2>On this page</h2>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{broken(title)}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </div>
  );
}

/** May go on in the next line behind a slash or an underscore, where names of the wire would otherwise break anywhere. */
const broken = (title: string): ReactNode =>
  title.split(/(?<=[/_])/).map((part, at) => {
    const key = `${at}`;
    return (
      <Fragment key={key}>
        {at > 0 ? <wbr /> : null}
        {part}
      </Fragment>
    );
  });

function Menu({ slug, base }: { slug: string; base: string }) {
  return (
    <div className={styles.side}>
      <Search base={base} />
      <Link href="/docs" className={styles.all}>
        All pages
      </Link>
      <nav aria-label="Documentation" className={styles.menu}>
        {docGroups.map(({ title, pages }) => (
          <section key={title} aria-label={title}>
            <p>{title}</p>
            <ul>
              {pages.map((page) => (
                <li key={page.slug}>
                  <Link href={`${base}/${page.slug}`} aria-current={page.slug === slug ? 'page' : undefined}>
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

/** The list of all pages with what each is about. */
export function DocIndex() {
  return (
    <div className={`wide ${styles.index}`}>
      <h1>Documentation</h1>
      <p className="soft">
        Florin takes payments for merchants. A merchant's server opens a session, the payer pays on Florin's page, and
        the outcome comes by callback.
      </p>
      <Search />
      {docGroups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ slug, title: name, summary }) => (
              <li key={slug}>
                <Link href={`/docs/${slug}`}>{name}</Link>
                <span>{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
