// Attacks on the HTTP layer, sent byte by byte: requests that two servers would split differently, methods and headers
// that a server should not act on, paths that leave their folder, and pages of other origins.
import { connect } from 'node:net';
import { visitorAs } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

/** The statuses of all responses to the bytes, until the server closes the connection or is quiet for five seconds. */
function statusesOf(florin: string, text: string): Promise<number[]> {
  const { hostname, port } = new URL(florin);
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text, 'latin1'));
    let received = '';
    const finish = () => {
      socket.destroy();
      done([...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status)));
    };
    socket.setTimeout(5_000, finish);
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    socket.once('end', finish);
    socket.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? finish() : fail(error)));
  });
}

const smuggled = 'GET /api/v1/smuggled HTTP/1.1\r\nhost: florin\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /api/v1/payment/status HTTP/1.1\r\nhost: florin\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;

/** Each hides a second request from a server that reads the first one differently. */
const smuggling: [string, string][] = [
  ['both lengths', post('content-length: 4\r\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['two lengths', post(`content-length: 2\r\ncontent-length: ${2 + smuggled.length}\r\n`, `{}${smuggled}`)],
  ['a list of lengths', post('content-length: 2, 2\r\n', `{}${smuggled}`)],
  ['a signed length', post('content-length: +2\r\n', `{}${smuggled}`)],
  ['a length of letters', post('content-length: 0x2\r\n', `{}${smuggled}`)],
  ['an unknown encoding', post('transfer-encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['a blank before the colon', post('transfer-encoding : chunked\r\n', `0\r\n\r\n${smuggled}`)],
  ['a folded header', post('transfer-encoding:\r\n chunked\r\ncontent-length: 5\r\n', `0\r\n\r\n${smuggled}`)],
  ['two encodings', post('transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n', `0\r\n\r\n${smuggled}`)],
  ['a bare line feed', `POST /api/v1/payment/status HTTP/1.1\nhost: florin\ncontent-length: 0\n\n${smuggled}`],
  ['a negative chunk', post('transfer-encoding: chunked\r\n', `-1\r\n\r\n${smuggled}`)],
  ['a chunk without its end', post('transfer-encoding: chunked\r\n', `2\r\n{}${smuggled}`)],
  ['two hosts', `GET /healthz HTTP/1.1\r\nhost: florin\r\nhost: evil.test\r\n\r\n${smuggled}`],
  ['no host', `GET /healthz HTTP/1.1\r\n\r\n${smuggled}`],
];

for (const [name, text] of smuggling) {
  test(`a request with ${name} is refused, and nothing after it is read`, async ({ florin }) => {
    expect(await statusesOf(florin, text)).toEqual([400]);
  });
}

test('headers and methods without a meaning here are refused or ignored', async ({ florin }) => {
  const get = (line: string, headers = '') => statusesOf(florin, `${line} HTTP/1.1\r\nhost: florin\r\n${headers}\r\n`);
  // The answer is lost where the server closes before the client has sent everything.
  for (const headers of [`x: ${'a'.repeat(20_000)}\r\n`, 'x: a\r\n'.repeat(2_500)])
    expect((await get('GET /healthz', headers)).filter((status) => status !== 431)).toEqual([]);
  expect(await get('GET /healthz', 'x: a\0b\r\n')).toEqual([400]);
  expect(await get('TRACE /healthz', 'connection: close\r\n')).toEqual([405]);
  expect((await get('CONNECT evil.test:443')).filter((status) => status < 400)).toEqual([]);
  // The method and the address are those of the request line.
  for (const header of ['x-http-method-override: DELETE', 'x-original-url: /dashboard', 'x-rewrite-url: /metrics'])
    expect(await get('GET /healthz', `${header}\r\nconnection: close\r\n`)).toEqual([200]);
});

test('the header by which Next skips its checks changes nothing', async ({ florin }) => {
  for (const value of ['middleware', 'src/middleware', Array(6).fill('middleware').join(':')]) {
    const headers = { 'x-middleware-subrequest': value, 'x-nextjs-data': '1', 'next-action': 'x' };
    const page = await fetch(`${florin}/dashboard/payments`, { headers, redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([307, expect.stringContaining('/dashboard/sign-in')]);
    expect((await fetch(`${florin}/dashboard/api/payments`, { headers })).status).toBe(401);
  }
});

test('no path leaves its folder', async ({ florin }) => {
  const climbs = ['..%2f', '..%5c', '%2e%2e/', '%2e%2e%2f', '....//', '%252e%252e%252f', '..%c0%af', '.%00./'];
  for (const folder of ['/sdk/', '/docs/', '/.well-known/', '/_next/static/', '/openapi/', '/pay/', '/']) {
    for (const climb of climbs) {
      for (const file of ['package.json', '.env', 'etc/passwd']) {
        const path = folder + climb.repeat(6) + file;
        const [status] = await statusesOf(florin, `GET ${path} HTTP/1.1\r\nhost: florin\r\nconnection: close\r\n\r\n`);
        expect([308, 400, 404], path).toContain(status);
      }
    }
  }
});

test('no origin may read answers with a session or act with it', async ({ florin }) => {
  const { cookie } = await visitorAs(florin, 'manager');
  for (const origin of ['https://evil.example', 'null', `${florin}.evil.example`, florin.replace('http', 'https')]) {
    for (const path of ['/dashboard/api/payments', '/api/v1/session', '/s2s/card/post', '/metrics', '/readyz']) {
      const preflight = await fetch(florin + path, {
        method: 'OPTIONS',
        headers: { origin, cookie, 'access-control-request-method': 'POST' },
      });
      const answer = await fetch(florin + path, { headers: { origin, cookie } });
      for (const { headers } of [preflight, answer]) {
        expect([path, headers.get('access-control-allow-credentials')]).toEqual([path, null]);
        if (path.startsWith('/dashboard')) expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  }
});

test('links in e-mails have the address of the deployment, whatever the request names', async ({ florin }) => {
  const body = JSON.stringify({ email: 'viewer@plain.test' });
  const { host } = new URL(florin);
  const headers = [
    `host: ${host}`,
    `origin: ${florin}`,
    'x-forwarded-host: evil.example',
    'x-forwarded-proto: https',
    'forwarded: host=evil.example;proto=https',
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  await statusesOf(florin, `POST /dashboard/api/password/forgotten HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  const outbox = async () => (await fetch(`${florin}/sandbox/outbox`)).text();
  await expect.poll(outbox).toMatch(/\/dashboard\/sign-in\/new-password\//);
  expect(await outbox()).not.toContain('evil.example');
});
