import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { retryAt } from './deliver.ts';
import { sendSyslog, syslogFrame } from './syslog.ts';

const at = new Date('2026-11-20T12:51:08.123Z');
let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.close();
});

/** Listens; `accept` gets each connection. */
async function listen(accept: (socket: Socket) => void): Promise<{ tls: false; host: string; port: number }> {
  const started = createServer(accept);
  server = started;
  await new Promise<void>((done) => started.listen(0, '127.0.0.1', done));
  return { tls: false, host: '127.0.0.1', port: (started.address() as { port: number }).port };
}

it('counts the bytes of a message, not its characters', () => {
  const frame = syslogFrame({ at, severity: 4, id: '42', text: '{"name":"Ünal"}' }).toString();
  const [, length = '', message = ''] = /^(\d+) (.*)$/s.exec(frame) ?? [];
  expect(Buffer.byteLength(message)).toBe(Number(length));
  expect(message).toMatch(/^<108>1 2026-11-20T12:51:08\.123Z [!-~]+ florin \d+ 42 - \uFEFF\{"name":"Ünal"\}$/);
});

it('sends the frames in order over one connection, and waits until the server has read them', async () => {
  const received: Buffer[] = [];
  const address = await listen((socket) => socket.on('data', (chunk) => received.push(chunk)));
  const frames = ['a', 'b', 'c'].map((text) => syslogFrame({ at, severity: 6, id: text, text }));
  await sendSyslog(address, frames);
  expect(Buffer.concat(received)).toEqual(Buffer.concat(frames));
});

it('fails when nothing listens, and when the server resets the connection', async () => {
  const frames = [syslogFrame({ at, severity: 6, id: '1', text: 'x' })];
  const address = await listen((socket) => socket.resetAndDestroy());
  await expect(sendSyslog(address, frames)).rejects.toThrow();
  await new Promise((closed) => server?.close(closed));
  await expect(sendSyslog(address, frames)).rejects.toThrow(/ECONNREFUSED/);
});

it('gives up after 40 seconds, although the server is still reading', async () => {
  const { promise: accepted, resolve } = Promise.withResolvers<void>();
  const address = await listen(() => resolve());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let outcome = 'waits';
  sendSyslog(address, [syslogFrame({ at, severity: 6, id: '1', text: 'x' })]).catch(({ message }) => {
    outcome = message;
  });
  await accepted;
  const after = async (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    await new Promise(setImmediate);
    return outcome;
  };
  expect([await after(39_999), await after(1)]).toEqual(['waits', 'timeout']);
});

it.each([
  [0, 1],
  [1, 2],
  [5, 32],
  [9, 300],
  [1000, 300],
])('tries again after %i failures in %i seconds', (failures, seconds) => {
  expect(retryAt(failures, at).getTime() - at.getTime()).toBe(seconds * 1000);
});
