// A page of the documentation: the list of pages beside it, the text, and where to read on. Made on the server; only the
// copy buttons are script.
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './docs.module.css';
import { Markdown, outlineOf } from './markdown';
import { docPages } from './pages';

type Props = { slug: string; text: string };

export function DocBody({ slug, text }: Props) {
  const at = docPages.findIndex((page) => page.slug === slug);
  const next = docPages[at + 1];
  const { sections } = outlineOf(text);
  return (
    <DocFrame slug={slug} sections={sections}>
      <Markdown text={text} />
      {next ? (
        <p className={styles.next}>
          <span className="quiet">Next</span>
          <Link href={`/docs/${next.slug}`}>{next.title}</Link>
        </p>
      ) : null}
    </DocFrame>
  );
}

type FrameProps = { slug: string; sections: readonly { id: string; title: string }[]; children: ReactNode };

/** What stands around every page: the list of pages, and the way within this one. */
export function DocFrame({ slug, sections, children }: FrameProps) {
  return (
    <div className={`wide ${styles.frame}`}>
      <Menu slug={slug} />
      <article className={styles.article}>{children}</article>
      {sections.length > 2 ? (
        <nav aria-label="On this page" className={styles.outline}>
          <h2>On this page</h2>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </div>
  );
}

function Menu({ slug }: { slug: string | null }) {
  return (
    <nav aria-label="Documentation" className={styles.menu}>
      <ul>
        {docPages.map((page) => (
          <li key={page.slug}>
            <Link href={`/docs/${page.slug}`} aria-current={page.slug === slug ? 'page' : undefined}>
              {page.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
      <ul>
        {docPages.map(({ slug, title, summary }) => (
          <li key={slug}>
            <Link href={`/docs/${slug}`}>{title}</Link>
            <span>{summary}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
