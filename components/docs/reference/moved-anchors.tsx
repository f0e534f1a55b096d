'use client';
// Redirects anchors of the former single page: `#payment.refund.amount` leads to the field on the page of its
// operation.
import { useEffect } from 'react';

type Props = { path: string; parts: readonly (readonly [anchor: string, slug: string])[] };

export function MovedAnchors({ path, parts }: Props) {
  useEffect(() => {
    const hash = decodeURIComponent(window.location.hash.slice(1));
    const match = parts
      .filter(([anchor]) => hash === anchor || hash.startsWith(`${anchor}.`))
      .sort(([a], [b]) => b.length - a.length)[0];
    if (!match) return;
    const [anchor, slug] = match;
    const field = hash.slice(anchor.length + 1);
    window.location.replace(`${path}/${slug}${field === '' ? '' : `#${field}`}`);
  }, [path, parts]);
  return null;
}
