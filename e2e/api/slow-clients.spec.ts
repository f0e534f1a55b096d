// Clients that send a request slower than the server waits for: each is closed, and gets the contract's error where the
// server can still send one.
import { connect } from 'node:net';
import { expect } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const atOnce = testsAtOnce();

type Closed = { seconds: number; received: string };

/** Sends the parts, one a second, and nothing more; resolves when the server closes the connection. */
function sendSlowly(florin: string, parts: string[]): Promise<Closed> {
  const { hostname, port } = new URL(florin);
  return new Promise((closed, failed) => {
    const started = performance.now();
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    const timer = setInterval(() => {
      const part = parts.shift();
      if (part !== undefined) socket.write(part);
    }, 1_000);
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.once('close', () => {
      clearInterval(timer);
      closed({ seconds: (performance.now() - started) / 1000, received });
    });
    // A part that is sent while the server closes resets the connection, after the answer.
    socket.once('error', (error) => {
      if (received === '') failed(error);
    });
  });
}

atOnce('headers that never end are closed after ten seconds', async ({ florin }) => {
  const lines = [
    'GET /healthz HTTP/1.1\r\n',
    'host: florin\r\n',
    ...Array.from({ length: 30 }, (_, i) => `x${i}: y\r\n`),
  ];
  const { seconds, received } = await sendSlowly(florin, lines);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(seconds).toBeGreaterThan(9);
  expect(seconds).toBeLessThan(16);
});

atOnce('a connection without a request is closed', async ({ florin }) => {
  expect((await sendSlowly(florin, [])).seconds).toBeLessThan(16);
});

for (const [protocol, path, type] of [
  ['Checkout', '/api/v1/session', 'application/json'],
  ['S2S CARD', '/s2s/card/post', 'application/x-www-form-urlencoded'],
]) {
  atOnce(`${protocol}: a body that never ends is refused like an incomplete one`, async ({ florin }) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: florin\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\n`;
    const { seconds, received } = await sendSlowly(florin, [head, ...'{"merchant_key":"aaaaaaaaaaaa']);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.toLowerCase()).toContain('connection: close');
    expect(received).toContain('Request data is invalid.');
    expect(seconds).toBeGreaterThan(19);
    expect(seconds).toBeLessThan(26);
  });
}

atOnce('an idle connection is closed after 65 seconds', async ({ florin }) => {
  const { seconds, received } = await sendSlowly(florin, ['GET /healthz HTTP/1.1\r\nhost: florin\r\n\r\n']);
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  expect(seconds).toBeGreaterThan(64);
  expect(seconds).toBeLessThan(90);
});

atOnce('a body that no handler reads does not keep the connection', async ({ florin }) => {
  const head = 'POST /healthz HTTP/1.1\r\nhost: florin\r\ncontent-length: 100\r\n\r\n';
  const { seconds, received } = await sendSlowly(florin, [head, 'a']);
  expect(received).toMatch(/^HTTP\/1\.1 405 /);
  expect(seconds).toBeLessThan(38);
});
