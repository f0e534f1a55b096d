import { expect, it } from 'vitest';
import { searchEntries } from './search-ranking.ts';

const entries = [
  { href: '/docs/callbacks', page: 'Callbacks', section: '', text: 'Every change of a payment is posted.' },
  { href: '/docs/errors', page: 'Errors', section: '', text: '208003 400 Not acceptable to request the capture' },
  { href: '/docs/s2s-card#capture', page: 'S2S CARD', section: 'CAPTURE', text: 'Takes what is held (in part).' },
];

const hrefs = (query: string) => searchEntries(entries, query).map(({ href }) => href);

it('finds sections with every word, headings first', () => {
  expect(hrefs('capture')).toEqual(['/docs/s2s-card#capture', '/docs/errors']);
  expect(hrefs('CAPTURE request')).toEqual(['/docs/errors']);
  expect(hrefs('card held')).toEqual(['/docs/s2s-card#capture']);
  expect(hrefs('callb')).toEqual(['/docs/callbacks']);
});

it('finds nothing for an empty query, and matches special characters literally', () => {
  expect(hrefs('  ')).toEqual([]);
  expect(hrefs('(in')).toEqual(['/docs/s2s-card#capture']);
  expect(hrefs('.*')).toEqual([]);
});

it('returns an excerpt', () => {
  expect(searchEntries(entries, '208003')[0]).toEqual({
    href: '/docs/errors',
    title: 'Errors',
    excerpt: '208003 400 Not acceptable to request the capture',
  });
});

it('cuts excerpts between words', () => {
  const text = `${'before '.repeat(20)}middle ${'behind '.repeat(20)}end`;
  const [found] = searchEntries([{ href: '/docs/long', page: 'Long', section: '', text }], 'middle');
  expect(found?.excerpt).toMatch(/^…(before )+middle( behind)+…$/);
});

it('ranks the shorter heading first', () => {
  const named = (section: string) => ({ href: `/docs/a#${section}`, page: 'A', section, text: '' });
  const both = [named('POST /payments/{original}/capture, /refund, /void'), named('payment/refund')];
  expect(searchEntries(both, 'refund').map(({ href }) => href)).toEqual(['/docs/a#payment/refund', expect.any(String)]);
});
