// What every answer has and refuses at the server's edge: encryption, methods, and the sandbox's pages under a foreign
// name.
import { type IncomingHttpHeaders, request } from 'node:http';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';

test('every answer of a server with https demands encryption for two years', async ({ florin }) => {
  const server = await startKillableServer({ BASE_URL: 'https://pay.example.com' });
  try {
    const script = /src="(\/sdk\/[^"]+)"/.exec(await (await fetch(`${server.url}/fields/card?lang=en`)).text())?.[1];
    expect(script).toBeDefined();
    const paths = [
      '/healthz',
      '/',
      '/docs',
      '/dashboard/sign-in',
      '/api/v1/nothing',
      '/nothing',
      '/pay/unknown',
      script,
    ];
    for (const path of paths) {
      const { headers } = await fetch(`${server.url}${path}`, { redirect: 'manual' });
      expect(headers.get('strict-transport-security'), path).toBe('max-age=63072000; includeSubDomains');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    }
    const refused = await fetch(`${server.url}/docs`, { method: 'DELETE' });
    expect(refused.headers.get('strict-transport-security')).not.toBeNull();
    // A sandbox without https could never be opened again.
    expect((await fetch(florin)).headers.get('strict-transport-security')).toBeNull();
  } finally {
    await server.kill();
  }
});

test('pages and files take GET and HEAD only', async ({ florin }) => {
  for (const path of ['/docs', '/dashboard/sign-in', '/sdk/hosted-fields.js', '/sdk/unknown.js', '/favicon.ico', '/'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(florin + path, { method });
      expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, 'GET, HEAD']);
    }
  expect((await fetch(`${florin}/nothing`, { method: 'POST' })).status).toBe(404);
  for (const path of ['/docs', '/sdk/hosted-fields.js'])
    expect((await fetch(florin + path, { method: 'HEAD' })).status).toBe(200);
});

test('a page has at most a hundred parameters in its address', async ({ florin }) => {
  for (const path of ['/nothing', '/docs', '/dashboard/sign-in', '/']) {
    const few = await fetch(`${florin}${path}?${'a&'.repeat(99)}a`);
    expect(few.status, path).toBe(path === '/nothing' ? 404 : 200);
    expect((await fetch(`${florin}${path}?${'a&'.repeat(100)}a`)).status, path).toBe(400);
  }
});

test('every answer has a policy', async ({ florin }) => {
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(
    await (await fetch(`${florin}/dashboard/sign-in`)).text(),
  )?.[1];
  const requests = [
    ...['/healthz', '/readyz', '/nothing', '/api/v1/nothing', '/pay/x', '/return/x', '/sdk/hosted-fields.js'],
    ...[
      '/sdk/nothing.js',
      '/_next/static/nothing.js',
      '/_next/nothing',
      script,
      '/docs',
      '/favicon.ico',
      '/%zz',
      '/pay/%zz',
    ],
  ].map((path) => ['GET', path]);
  const others = [
    ...['POST /healthz', 'DELETE /api/v1/session', 'PUT /pay/x', 'OPTIONS /healthz', 'POST /docs', 'POST /nothing'],
    ...['POST /sdk/hosted-fields.js', 'POST /_next/static/nothing.js', 'POST /shop/basket', 'GET /dashboard'],
  ].map((text) => text.split(' '));
  for (const [method, path] of [...requests, ...others]) {
    const { status, headers } = await fetch(`${florin}${path}`, { method, redirect: 'manual' });
    expect([method, path, status, headers.get('content-security-policy')]).toEqual([
      ...[method, path, status],
      expect.stringContaining("default-src 'none'"),
    ]);
  }
});

test("files of Next's pages are compressed like others, cached for ever, and not rendered if they are unknown", async ({
  florin,
}) => {
  const html = await (await fetch(`${florin}/dashboard/sign-in`)).text();
  const [, script] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html) ?? [];
  const load = (encoding: string, more = {}) =>
    fetch(`${florin}${script}`, { headers: { 'accept-encoding': encoding, ...more } });
  const plain = await load('identity');
  const text = await plain.text();
  for (const encoding of ['br', 'gzip', 'br']) {
    const { headers, status } = await load(encoding);
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, encoding, 'Accept-Encoding']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
  expect(await (await load('br')).text()).toBe(text);
  expect((await load('br', { 'if-none-match': plain.headers.get('etag') })).status).toBe(304);
  const unknown = await fetch(`${florin}/_next/static/chunks/nothing.js`);
  expect([unknown.status, await unknown.text()]).toEqual([404, '']);
});

test('images are not scaled for clients', async ({ florin }) => {
  for (const path of ['/icon-512.png', '/dashboard']) {
    const answer = await fetch(`${florin}/_next/image?${new URLSearchParams({ url: path, w: '384', q: '75' })}`);
    expect([path, answer.status]).toEqual([path, 404]);
  }
});

type Received = { status: number; headers: IncomingHttpHeaders; text: string };

/** GET with any Host and any target, neither of them in normal form. */
const getRaw = (florin: string, host: string, path: string) =>
  new Promise<Received>((done, fail) => {
    const { hostname, port } = new URL(florin);
    const sent = request({ hostname, port, path, headers: { host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', fail).end();
  });

/** GET as a browser sends it for a name that leads here. */
const getAs = async (florin: string, host: string, path: string) => (await getRaw(florin, host, path)).text;

test('a path has one meaning, however its dots are written', async ({ florin }) => {
  const { host } = new URL(florin);
  const policy = async (path: string) => String((await getRaw(florin, host, path)).headers['content-security-policy']);
  const own = (await policy('/dashboard/sign-in')).replace(/nonce-[^']+/g, '');
  expect(own).toContain("frame-ancestors 'none'");
  for (const path of ['/_next/%2e%2e/dashboard/sign-in', '/docs/%2E./dashboard/sign-in', '/%2e/dashboard/sign-in'])
    expect([path, (await policy(path)).replace(/nonce-[^']+/g, '')]).toEqual([path, own]);
});

test('a target that is no path is refused, with the headers of every answer', async ({ florin }) => {
  const { host } = new URL(florin);
  for (const path of ['*', 'https://a:99999/pay/x?card=4111111111111111']) {
    const { status, headers } = await getRaw(florin, host, path);
    const { 'x-content-type-options': sniffing, 'content-security-policy': policy } = headers;
    expect([path, status, sniffing, policy]).toEqual([path, 400, 'nosniff', expect.stringContaining("'none'")]);
  }
});

test('a page under a foreign name reads no link to an account and no list of payments', async ({ florin, apmShop }) => {
  await fetch(`${florin}/dashboard/api/password/forgotten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: florin },
    body: JSON.stringify({ email: 'viewer@plain.test' }),
  });
  const sold = await apmShop.sell({
    brand: 'ptn-email',
    identifier: 'ana@example.com',
    payer_email: 'ana@example.com',
  });
  const { host } = new URL(florin);
  const link = /\/dashboard\/sign-in\/new-password\/[\w-]{43}/;
  const [outbox, payments] = ['/sandbox/outbox', '/sandbox/provider/open'];
  await expect.poll(() => getAs(florin, host, outbox)).toMatch(link);
  expect(await getAs(florin, host, payments)).toContain(`/sandbox/finish/${sold.transId}`);
  for (const foreign of [
    'evil.test',
    `evil.test:${new URL(florin).port}`,
    'localhost.evil.test',
    '127.0.0.1.evil.test',
  ]) {
    expect(await getAs(florin, foreign, outbox)).not.toMatch(link);
    expect(await getAs(florin, foreign, payments)).not.toContain('/sandbox/finish/');
  }
});
