// The static files of public/ that browsers and scanners request; the pages link to them.
import { expect, test } from '../support/test.ts';

const files = [
  ['/favicon.ico', /^image\//],
  ['/icon.svg', /^image\/svg\+xml/],
  ['/icon-192.png', /^image\/png/],
  ['/icon-512.png', /^image\/png/],
  ['/apple-touch-icon.png', /^image\/png/],
  ['/robots.txt', /^text\/plain/],
  ['/site.webmanifest', /^application\/manifest\+json/],
] as const;

for (const [path, type] of files) {
  test(`${path} is served`, async ({ florin }) => {
    const answer = await fetch(`${florin}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type') ?? '').toMatch(type);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });
}

test('the pages link to the icons and the manifest', async ({ florin }) => {
  const html = await (await fetch(florin)).text();
  for (const path of ['/favicon.ico', '/icon.svg', '/apple-touch-icon.png', '/site.webmanifest']) {
    expect(html).toContain(`href="${path}"`);
  }
});

test('every icon of the manifest exists', async ({ florin }) => {
  const { icons } = await (await fetch(`${florin}/site.webmanifest`)).json();
  expect(icons.length).toBeGreaterThan(0);
  for (const { src } of icons) expect((await fetch(`${florin}${src}`)).status, src).toBe(200);
});

test('security.txt has a contact and has not expired', async ({ florin }) => {
  const text = await (await fetch(`${florin}/.well-known/security.txt`)).text();
  expect(text).toMatch(/^Contact: mailto:security@florin\.test$/m);
  const [, expires = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
  expect(new Date(expires).getTime()).toBeGreaterThan(Date.now());
});
