// The requests and responses of the production server over real connections.
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addCookies, type HttpRequest, type HttpResult, httpResult, jsonResult } from '../http/index.ts';
import { chooseEncoding, normalTarget, sendResult, webRequest } from './node-adapter.ts';

type Handler = (request: HttpRequest) => Promise<HttpResult> | HttpResult;
let handler: Handler = () => httpResult('unset');
let closing = new AbortController();
const server = createServer(async (incoming, outgoing) => {
  const { request, abort } = webRequest(incoming, outgoing, 'https://pay.example.com', 0.3);
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) abort();
  });
  try {
    await sendResult(await handler(request), incoming, outgoing, closing.signal);
  } catch (err) {
    outgoing.writeHead(500).end(String(err));
  }
});

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => {
  closing.abort();
  server.closeAllConnections();
  server.close();
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

function call(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((done, fail) => {
    const { method = 'GET', headers } = init;
    const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers }, (received) => {
      const chunks: Buffer[] = [];
      received.on('data', (chunk: Buffer) => chunks.push(chunk));
      received.on('end', () =>
        done({ status: received.statusCode ?? 0, headers: received.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', fail);
    sent.end(init.body);
  });
}

it.each([
  ['/a/../b', '/b'],
  ['/docs/%2e%2e/dashboard', '/dashboard'],
  ['/docs/%2E./dashboard?x=%2e%2e', '/dashboard?x=%2e%2e'],
  ['/%2e/dashboard', '/dashboard'],
  ['http://evil.example/a', '/a'],
  ['//evil.example/a', '//evil.example/a'],
  ['/%7Ea?x=[1]', '/%7Ea?x=[1]'],
  ['*', null],
  ['a://x?card=1', null],
  ['mailto:a?card=1', null],
  ['https://a:99999/pay/x', null],
])('the target %s is %s in normal form', (target, expected) => {
  expect(normalTarget(target)).toBe(expected);
});

describe('the request of a handler', () => {
  const readers: [string, (request: HttpRequest) => Promise<string>][] = [
    ['text', (request) => request.text()],
    ['json', async (request) => JSON.stringify(await request.json())],
    ['bytes', async (request) => Buffer.from(await request.bytes()).toString()],
  ];
  it.each(readers)('reads its body by %s', async (_name, read) => {
    handler = async (request) => httpResult(await read(request));
    const answer = await call('/x', { method: 'POST', body: '{"a":"é"}' });
    expect(answer.body.toString()).toBe('{"a":"é"}');
  });

  it('has the public address, its query and its headers', async () => {
    handler = (request) => jsonResult([request.method, request.url, request.headers.get('X-Some')]);
    const answer = await call('/a/b?c=d', { headers: { 'x-some': 'thing' } });
    expect(JSON.parse(answer.body.toString())).toEqual(['GET', 'https://pay.example.com/a/b?c=d', 'thing']);
  });

  it('refuses a body over the limit', async () => {
    handler = async (request) => httpResult(await request.text());
    const answer = await call('/x', { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024 + 1) });
    expect(answer.body.toString()).toContain('Request data is invalid.');
  });

  /** Sends the beginning of a chunked body; resolves with the response, and whether the connection is closed after it. */
  function begin(chunks: string): Promise<{ received: string; isClosed: boolean }> {
    const { port } = server.address() as AddressInfo;
    return new Promise((done) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      const end = (isClosed: boolean) => {
        done({ received, isClosed });
        socket.destroy();
      };
      socket.write(`POST /x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`);
      socket.on('data', (bytes) => {
        received += bytes;
        if (received.includes('\r\n\r\n') && !received.includes('connection: close')) end(false);
      });
      socket.on('error', () => {});
      socket.on('close', () => end(true));
    });
  }

  it('refuses a body without a declared length as soon as the limit of its handler is exceeded', async () => {
    handler = async (request) => httpResult(String(await request.bytes(100)));
    const { received, isClosed } = await begin(`${(101).toString(16)}\r\n${'x'.repeat(101)}\r\n`);
    expect(received).toContain('Request data is invalid.');
    expect(isClosed).toBe(false);
  });

  it('refuses a body in very many chunks, and closes the connection', async () => {
    handler = async (request) => httpResult(`${(await request.bytes()).length} bytes`);
    expect((await begin(`${'1\r\nx\r\n'.repeat(9_990)}0\r\n\r\n`)).received).toContain('9990 bytes');
    const { received, isClosed } = await begin('1\r\nx\r\n'.repeat(20_000));
    expect(received).toContain('Request data is invalid.');
    expect(isClosed).toBe(true);
  });

  it('cannot be read twice', async () => {
    handler = async (request) => httpResult((await request.text()) + (await request.text()));
    expect((await call('/x', { method: 'POST', body: 'a' })).status).toBe(500);
  });

  it('is refused when its body is late, and the connection is closed', async () => {
    handler = async (request) => httpResult(await request.text());
    const { port } = server.address() as AddressInfo;
    const received = await new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.write('POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc');
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('close', () => done(text));
    });
    expect(received).toContain('Request data is invalid.');
    expect(received.toLowerCase()).toContain('connection: close');
  });

  it('is aborted when the client disconnects', async () => {
    const disconnected = new Promise<boolean>((done) => {
      handler = (request) => {
        request.signal.addEventListener('abort', () => done(request.signal.aborted));
        return new Promise(() => {});
      };
    });
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ port, host: '127.0.0.1', path: '/slow' });
    sent.on('error', () => {});
    sent.end();
    setTimeout(() => sent.destroy(), 50);
    expect(await disconnected).toBe(true);
  });
});

describe('the result of a handler', () => {
  it('is sent with its status, headers and body', async () => {
    handler = () => jsonResult({ a: 'é' }, { status: 402, headers: { 'x-own': '1' } });
    const { status, headers, body } = await call('/');
    expect([status, headers['content-type'], headers['x-own'], headers['content-length']]).toEqual([
      402,
      'application/json',
      '1',
      '10',
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.toString()).toBe('{"a":"é"}');
  });

  it('keeps several cookies and headers that were set later', async () => {
    handler = () => {
      const result = httpResult('x');
      addCookies(result, ['a=1']);
      addCookies(result, ['b=2']);
      result.headers['content-type'] = 'text/html';
      return result;
    };
    const { headers } = await call('/');
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(headers['content-type']).toBe('text/html');
  });

  it.each([
    [new Uint8Array([0, 255, 1]), 3],
    ['', 0],
    [null, 0],
  ])('sends the body %s', async (body, length) => {
    handler = () => httpResult(body);
    expect((await call('/')).body.length).toBe(length);
  });

  it('has no body if its status allows none', async () => {
    handler = () => httpResult(null, { status: 204 });
    const { status, headers } = await call('/');
    expect([status, headers['content-length']]).toEqual([204, undefined]);
  });

  it('has only headers for HEAD', async () => {
    handler = () => httpResult('body', { headers: { a: 'b' } });
    const { headers, body } = await call('/', { method: 'HEAD' });
    expect([headers.a, body.length]).toEqual(['b', 0]);
  });

  it('can be a redirect', async () => {
    handler = () => httpResult(null, { status: 303, headers: { location: 'https://shop.example/x' } });
    const { status, headers } = await call('/');
    expect([status, headers.location]).toEqual([303, 'https://shop.example/x']);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses long texts with %s', async (encoding, decompress) => {
    const page = '<p>Hello</p>'.repeat(200);
    handler = () => httpResult(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    const { headers, body } = await call('/', { headers: { 'accept-encoding': encoding } });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    expect(decompress(body).toString()).toBe(page);
    const plain = await call('/');
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(plain.body.toString()).toBe(page);
  });

  it('compresses bytes that are sent again once', async () => {
    const bytes = Buffer.from('<p>Hello</p>'.repeat(200));
    const before = bytes.toString();
    handler = () => httpResult(bytes, { headers: { 'content-type': 'text/html' } });
    const sent = async () => brotliDecompressSync((await call('/', { headers: { 'accept-encoding': 'br' } })).body);
    expect((await sent()).toString()).toBe(before);
    bytes.fill(0x20);
    expect((await sent()).toString()).toBe(before);
  });

  it('streams events without delay', async () => {
    handler = () => {
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
          await new Promise((done) => setTimeout(done, 30));
          controller.enqueue(new TextEncoder().encode('data: 2\n\n'));
          controller.close();
        },
      });
      return httpResult(stream, { headers: { 'content-type': 'text/event-stream' } });
    };
    const { headers, body } = await call('/', { headers: { 'accept-encoding': 'br' } });
    expect([headers['transfer-encoding'], headers['content-encoding']]).toEqual(['chunked', undefined]);
    expect(body.toString()).toBe('data: 1\n\ndata: 2\n\n');
  });

  it('is cancelled and not sent if the client disconnected before', async () => {
    const pull = vi.fn();
    const cancelled = new Promise<string>((done) => {
      handler = async (request) => {
        await new Promise((aborted) => request.signal.addEventListener('abort', aborted));
        return httpResult(new ReadableStream({ pull, cancel: () => done('cancelled') }, { highWaterMark: 0 }));
      };
    });
    const sent = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', path: '/' });
    sent.on('error', () => {});
    sent.end();
    setTimeout(() => sent.destroy(), 50);
    expect(await cancelled).toBe('cancelled');
    expect(pull).not.toHaveBeenCalled();
  });

  it('ends a stream of events at once if the server is already closing', async () => {
    const cancel = vi.fn();
    handler = () => httpResult(new ReadableStream({ cancel }), { headers: { 'content-type': 'text/event-stream' } });
    closing.abort();
    const { status, body } = await call('/');
    closing = new AbortController();
    expect([status, body.length]).toEqual([200, 0]);
    expect(cancel).toHaveBeenCalled();
  });

  it('refuses a header with a line break', async () => {
    handler = () => httpResult('x', { headers: { a: 'b\r\nc: d' } });
    expect((await call('/')).status).toBe(500);
  });
});

describe('chooseEncoding', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
  ])('%s results in %s', (accepted, expected) => {
    expect(chooseEncoding(accepted)).toBe(expected);
  });
});
