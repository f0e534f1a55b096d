import { afterEach, expect, it, vi } from 'vitest';
import { setPreference } from './zone.tsx';

afterEach(() => vi.unstubAllGlobals());

const cookieOver = (protocol: string) => {
  const page = { cookie: '' };
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol });
  setPreference('florin_zone', 'Europe/Oslo');
  return page.cookie;
};

it('a preference is set by this host only, and sent over https only', () => {
  expect(cookieOver('https:')).toMatch(/^__Host-florin_zone=Europe%2FOslo; path=\/; .*samesite=lax; secure$/);
  expect(cookieOver('http:')).toMatch(/^florin_zone=Europe%2FOslo; path=\/; .*samesite=lax$/);
});
