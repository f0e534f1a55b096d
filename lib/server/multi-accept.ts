/**
 * Listens with several handles. libuv takes one new connection a turn of the event loop from each handle: with a single one,
 * a process that is busy for ten milliseconds a turn takes a hundred a second. Whoever comes then waits in the kernel, whose
 * queue runs over, and those clients get no answer at all, not even that too much is going on (docs/contributing/benchmarks.md).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Server } from 'node:http';
import { log } from '../telemetry';

/** New connections a turn. A handle costs each new connection one vain look, about a microsecond. */
const handleCount = 8;
/**
 * Connections that the kernel keeps until they are taken, as far as the system allows (net.core.somaxconn, 4,096 on Linux).
 * By Node's 511 it turns away thousands of them in half a minute of three times the peak.
 */
const backlog = 4_096;
const patienceMilliseconds = 3_000;

/** A handle of libuv's as Node gives it to whoever listens on it or sends it to another process. */
type Handle = { close: () => void };

/**
 * Has servers of `make` listen on one port, each with a handle of its own on the same socket, and gives them. Where the
 * system cannot copy handles, one listens alone.
 * @throws what listening throws, as when the port is taken
 */
export async function listenMultiAccept(make: () => Server, port: number, host?: string): Promise<Server[]> {
  const first = make();
  await whenListening(first, (server) => server.listen({ port, host, backlog }));
  const handle = (first as unknown as { _handle: Handle })._handle;
  const copies = await copyHandle(handle, handleCount - 1).catch((err: unknown) => {
    log.warn({ err }, 'new connections are taken one at a time');
    return [];
  });
  const others = copies.map(async (copy) => {
    const server = make();
    await whenListening(server, () => server.listen(copy, backlog));
    return server;
  });
  return [first, ...(await Promise.all(others))];
}

function whenListening(server: Server, listen: (server: Server) => void): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.once('listening', () => {
      server.off('error', failed);
      done();
    });
    listen(server);
  });
}

// Node has no call that copies a handle. What is sent to another process arrives there as a copy, and comes back as one more.
// That process only sends back: it never listens, so that no connection is lost in it.
function copyHandle(handle: Handle, count: number): Promise<Handle[]> {
  const echo = spawn(process.execPath, ['-e', 'process.on("message", (m, copy) => process.send(m, copy))'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Nothing of ours is any business of its.
    env: { NODE_ENV: 'production' },
  });
  const copies: Handle[] = [];
  const taken = new Promise<Handle[]>((done, failed) => {
    const timer = setTimeout(() => failed(new Error('no handle was copied in time')), patienceMilliseconds);
    echo.on('error', failed);
    echo.on('exit', (code) => failed(new Error(`what copies handles has ended with ${code}`)));
    echo.on('message', (_, copy) => {
      copies.push(copy as unknown as Handle);
      if (copies.length === count) done(copies);
    });
    echo.on('close', () => clearTimeout(timer));
    for (let sent = 0; sent < count; sent += 1) send(echo, handle, failed);
  });
  return taken
    .finally(() => echo.kill('SIGKILL'))
    .catch((err) => {
      for (const copy of copies) copy.close();
      throw err;
    });
}

function send(child: ChildProcess, handle: Handle, failed: (err: Error) => void): void {
  child.send('copy', handle as unknown as Server, (err) => err && failed(err));
}
