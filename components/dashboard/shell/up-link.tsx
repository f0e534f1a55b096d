'use client';
// The breadcrumb's link to the list, with the search and filters that the list had.
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';

const keyOf = (path: string) => `florin:search:${path}`;

/** Keeps the search of every page for {@link UpLink}, as long as the tab is open. */
export function RememberSearch() {
  const path = usePathname();
  const search = useSearchParams().toString();
  useEffect(() => sessionStorage.setItem(keyOf(path), search), [path, search]);
  return null;
}

export function UpLink({ href, text }: { href: string; text: string }) {
  const [search, setSearch] = useState('');
  useEffect(() => setSearch(sessionStorage.getItem(keyOf(href)) ?? ''), [href]);
  return (
    <Link
      href={search === '' ? href : `${href}?${search}`}
      data-up=""
      className="whitespace-nowrap text-ink2 no-underline hover:text-ink hover:underline"
    >
      {text}
    </Link>
  );
}
