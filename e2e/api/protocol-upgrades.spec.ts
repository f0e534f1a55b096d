// Requests to upgrade a connection to another protocol: the server supports none, and none of them holds a socket.
import { connect } from 'node:net';
import { expect, test } from '../support/test.ts';

/** Sends a WebSocket upgrade and nothing more; resolves to whether the server has closed the connection in five seconds. */
function isClosed(florin: string, path: string, protocol = 'websocket'): Promise<boolean> {
  const { hostname, port } = new URL(florin);
  return new Promise((closed, failed) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const timeout = setTimeout(() => {
      socket.destroy();
      closed(false);
    }, 5000);
    socket.once('connect', () => {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: florin', 'Connection: Upgrade', `Upgrade: ${protocol}`];
      const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
      socket.write(`${[...lines, ...key].join('\r\n')}\r\n\r\n`);
    });
    socket.on('data', () => {});
    socket.once('end', () => {
      clearTimeout(timeout);
      closed(true);
    });
    socket.once('error', failed);
  });
}

test.describe('upgrades', () => {
  test('of 200 connections each is closed, even on a process that has served pages', async ({ florin }) => {
    // Next listens for upgrades from its first page on.
    for (const page of ['/docs', '/dashboard/sign-in', '/']) await fetch(florin + page);
    const paths = ['/_next/webpack-hmr', '/_next/hmr', '/', '/docs', '/pay/none', '/api/v1/session', '/dashboard'];
    const connections = Array.from({ length: 200 }, (_, at) => isClosed(florin, paths[at % paths.length] ?? '/'));
    expect((await Promise.all(connections)).filter((closed) => !closed)).toEqual([]);
  });

  test('to HTTP/2 without TLS get a normal answer, because clients offer it by default', async ({ florin }) => {
    const { hostname, port } = new URL(florin);
    const answer = await new Promise<string>((done, failed) => {
      const socket = connect({ host: hostname, port: Number(port) });
      let read = '';
      const headers =
        'Host: florin\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__';
      socket.write(`GET /healthz HTTP/1.1\r\n${headers}\r\n\r\n`);
      socket.on('data', (bytes) => {
        read += bytes;
        socket.destroy();
      });
      socket.once('close', () => done(read));
      socket.once('error', failed);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
