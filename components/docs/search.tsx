'use client';
// Searches all pages, in an index that is fetched when the field gets the focus. The key "/" moves the focus here.
// Without script the list of all pages remains.
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { type Entry, type SearchResult, searchEntries } from '../../lib/docs/search-ranking.ts';
import styles from './search.module.css';

let index: Promise<Entry[]> | undefined;

const readIndex = () => {
  index ??= fetch('/docs/search.json').then((answer) => answer.json());
  // The next focus retries a failed fetch.
  index.catch(() => {
    index = undefined;
  });
  return index;
};

/** Maps a result to the pages of the reader; methods and the generated reference exist under /docs only. */
const hrefFor = (href: string, base: string) =>
  /^\/docs\/(methods|reference\/(checkout|s2s-card|s2s-apm))\b/.test(href) ? href : href.replace(/^\/docs/, base);

const usefulPages = [
  { href: '/docs/guide/troubleshooting', title: 'Troubleshooting' },
  { href: '/docs/reference/errors', title: 'Errors' },
  { href: '/docs/reference/api', title: 'API reference' },
  { href: '/docs', title: 'All pages' },
];

/** `base` is the path prefix of the reader's pages. */
export function Search({ base = '/docs' }: { base?: string }) {
  const [text, setText] = useState('');
  const [entries, setEntries] = useState<Entry[]>([]);
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useSlash(input);
  const found = searchEntries(entries, text);
  const isShown = isOpen && text.trim() !== '';
  const go = (to: SearchResult) => {
    setOpen(false);
    input.current?.blur();
    window.location.assign(hrefFor(to.href, base));
  };
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    }
    if (event.key === 'Escape') setOpen(false);
    const chosen = found[at];
    if (event.key === 'Enter' && isShown && chosen) {
      event.preventDefault();
      go(chosen);
    }
  };
  return (
    <search className={styles.search}>
      <label className="unseen" htmlFor={`${id}-input`}>
        Search the documentation
      </label>
      <input
        ref={input}
        id={`${id}-input`}
        type="text"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && found[at] ? `${id}-${at}` : undefined}
        value={text}
        onFocus={() => {
          setOpen(true);
          readIndex().then(setEntries, () => {});
        }}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onKeyDown={move}
      />
      <span className={styles.key} aria-hidden="true">
        /
      </span>
      <Results id={id} found={found} at={at} isShown={isShown} go={go} />
      <p className="unseen" role="status">
        {isShown ? `${found.length} found` : ''}
      </p>
      {isShown && entries.length > 0 && found.length === 0 ? <NothingFound /> : null}
    </search>
  );
}

/** Moves the focus to the input at the key "/", except while another field is typed in. */
function useSlash(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const reach = (event: globalThis.KeyboardEvent) => {
      const typed = event.target as HTMLElement;
      if (event.key !== '/' || event.metaKey || event.ctrlKey || /^(INPUT|TEXTAREA|SELECT)$/.test(typed.tagName))
        return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', reach);
    return () => window.removeEventListener('keydown', reach);
  }, [input]);
}

type ResultsProps = {
  id: string;
  found: readonly SearchResult[];
  at: number;
  isShown: boolean;
  go: (to: SearchResult) => void;
};

function Results({ id, found, at, isShown, go }: ResultsProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Search results"
      className={styles.list}
      hidden={!isShown || found.length === 0}
    >
      {found.map((each, place) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the input holds the focus and names the option
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's
        <div
          key={each.href}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          // Before the input loses the focus, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => go(each)}
        >
          <span>{each.title}</span>
          <span className="quiet">{each.excerpt}</span>
        </div>
      ))}
    </div>
  );
}

function NothingFound() {
  return (
    // Before the input loses the focus, which would close the list.
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is
    <div className={styles.none} onMouseDown={(event) => event.preventDefault()}>
      <p>Nothing found. Try other words, or look here:</p>
      <ul>
        {usefulPages.map(({ href, title }) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
