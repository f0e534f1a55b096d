'use client';
// The link to the page above; Esc follows it too. To a list it leads with the filters that the list had last.
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';

const keyOf = (path: string) => `florin_list ${path}`;

/** Remembers a list's address for the links of its objects, until the browser's tab is closed. */
export function useRememberedList(query: string): void {
  useEffect(() => sessionStorage.setItem(keyOf(location.pathname), query), [query]);
}

export function UpLink({ href, children }: { href: string; children: ReactNode }) {
  const [query, setQuery] = useState('');
  useEffect(() => setQuery(sessionStorage.getItem(keyOf(href)) ?? ''), [href]);
  return (
    <Link
      href={query === '' ? href : `${href}?${query}`}
      data-up=""
      className="whitespace-nowrap text-ink2 no-underline hover:text-ink hover:underline"
    >
      {children}
    </Link>
  );
}
