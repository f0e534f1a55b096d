/**
 * Listens with several handles. libuv accepts one connection per handle and event loop turn, so a process with turns of
 * ten milliseconds accepts only a hundred connections per second from a single handle. More connections overflow the
 * kernel's queue, and their clients get no response at all, not even a 503 (docs/contributing/benchmarks.md).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Server } from 'node:http';
import { log } from '../telemetry';

/** Connections accepted per turn. Each handle costs each new connection one failed accept, about a microsecond. */
const handleCount = 8;
/**
 * Connections that the kernel queues until they are accepted, limited by net.core.somaxconn (4,096 on Linux). With
 * Node's default of 511 it drops thousands of connections in half a minute at three times the peak load.
 */
const backlog = 4_096;
const timeoutMilliseconds = 3_000;

/** A libuv handle, as Node uses it to listen and to send it to another process. */
type Handle = { close: () => void };

/**
 * Creates servers with `make` that listen on one port, each with its own handle of the same socket. If handles cannot
 * be copied, only one server listens.
 * @throws the error of `listen`, for example for a port in use
 */
export async function listenMultiAccept(make: () => Server, port: number, host?: string): Promise<Server[]> {
  const first = make();
  await whenListening(first, (server) => server.listen({ port, host, backlog }));
  const handle = (first as unknown as { _handle: Handle })._handle;
  const copies = await copyHandle(handle, handleCount - 1).catch((err: unknown) => {
    log.warn({ err }, 'handles cannot be copied: connections are accepted one per event loop turn');
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

// Node has no function to copy a handle, but a handle that is sent to another process and back arrives as a copy. The
// other process never listens, so it accepts no connections.
function copyHandle(handle: Handle, count: number): Promise<Handle[]> {
  const echo = spawn(process.execPath, ['-e', 'process.on("message", (m, copy) => process.send(m, copy))'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The child process must not get this process's environment.
    env: { NODE_ENV: 'production' },
  });
  const copies: Handle[] = [];
  const received = new Promise<Handle[]>((done, failed) => {
    const timer = setTimeout(() => failed(new Error('no handle was copied in time')), timeoutMilliseconds);
    echo.on('error', failed);
    echo.on('exit', (code) => failed(new Error(`the process that copies handles exited with ${code}`)));
    echo.on('message', (_, copy) => {
      copies.push(copy as unknown as Handle);
      if (copies.length === count) done(copies);
    });
    echo.on('close', () => clearTimeout(timer));
    for (let sent = 0; sent < count; sent += 1) send(echo, handle, failed);
  });
  return received
    .finally(() => echo.kill('SIGKILL'))
    .catch((err) => {
      for (const copy of copies) copy.close();
      throw err;
    });
}

function send(child: ChildProcess, handle: Handle, failed: (err: Error) => void): void {
  child.send('copy', handle as unknown as Server, (err) => err && failed(err));
}
