// Drawings of the shop's products: a few shapes each, in the page's colours, so that no file has to be loaded.
import type { ReactNode } from 'react';

const line = { stroke: 'var(--ink2)', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const body = { ...line, fill: 'var(--raised)' } as const;
const warm = { ...line, fill: 'var(--art)' } as const;
const open = { ...line, fill: 'none' } as const;

const drawings: Record<string, ReactNode> = {
  bowls: (
    <>
      <path d="M38 38h52c0 17-10 27-26 27S38 55 38 38z" {...body} />
      <path d="M38 38h52" {...line} />
      <path d="M54 65h20v5H54z" {...body} />
      <path d="M66 52h50c0 17-10 26-25 26S66 69 66 52z" {...warm} />
      <path d="M81 78h20v5H81z" {...warm} />
    </>
  ),
  kettle: (
    <>
      <path d="M62 44h38l7 40H55z" {...warm} />
      <path d="M59 62c-12 0-14-8-15-18-.6-6-3-8-8-8" {...open} />
      <path d="M101 50c16-4 22 2 20 14-1 8-6 13-14 15" {...open} />
      <path d="M66 44c2-7 8-10 15-10s13 3 15 10z" {...body} />
      <circle cx="81" cy="31" r="3" {...body} />
    </>
  ),
  bread: (
    <>
      <path d="M52 85V66c-11-5-9-26 10-26h36c19 0 21 21 10 26v19z" {...warm} />
      <path d="m64 52-5 11m18-11-5 11m18-11-5 11m18-11-5 11" {...open} />
    </>
  ),
  notebook: (
    <>
      <path d="M54 28h52a4 4 0 0 1 4 4v52a4 4 0 0 1-4 4H54z" {...body} />
      <path d="M54 28h10v60H54z" {...warm} />
      <path d="M76 44h0m10 0h0m10 0h0M76 54h0m10 0h0m10 0h0M76 64h0m10 0h0m10 0h0M76 74h0m10 0h0m10 0h0" {...open} />
    </>
  ),
  lamp: (
    <>
      <path d="M62 88h36" {...line} strokeWidth={4} />
      <path d="M80 86V58L60 42" {...open} />
      <path d="m52 50 20-22 14 22-8 6c-8-8-16-9-26-6z" {...warm} />
      <circle cx="80" cy="58" r="3" {...body} />
    </>
  ),
  shoes: (
    <>
      <path d="M40 48c6 4 12 3 18-2l8-6 24 20c6 4 24 4 30 10 2 3 2 6 2 9H40z" {...warm} />
      <path d="M38 79h84v5a3 3 0 0 1-3 3H44a6 6 0 0 1-6-6z" {...body} />
      <path d="m66 54 8-6m0 13 8-6m0 12 7-5" {...open} />
    </>
  ),
};

export function ProductArt({ id }: { id: string }) {
  return (
    <svg viewBox="20 16 120 84" aria-hidden="true" focusable="false">
      {drawings[id]}
    </svg>
  );
}
