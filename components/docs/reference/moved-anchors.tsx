'use client';
// Operations were sections of one page: `#payment.refund.amount` leads on to the field on the page of its operation.
import { useEffect } from 'react';

type Props = { path: string; parts: readonly (readonly [anchor: string, slug: string])[] };

export function MovedAnchors({ path, parts }: Props) {
  useEffect(() => {
    const wanted = decodeURIComponent(window.location.hash.slice(1));
    const found = parts
      .filter(([anchor]) => wanted === anchor || wanted.startsWith(`${anchor}.`))
      .sort(([a], [b]) => b.length - a.length)[0];
    if (!found) return;
    const [anchor, slug] = found;
    const field = wanted.slice(anchor.length + 1);
    window.location.replace(`${path}/${slug}${field === '' ? '' : `#${field}`}`);
  }, [path, parts]);
  return null;
}
