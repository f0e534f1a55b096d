// Limits the open connections of one client address, so that it cannot take all file descriptors of this process.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../core/rate-limits.ts';
import { metrics } from '../telemetry/index.ts';

/** The connections of one address; `isExempt` is true for reverse proxies, whose connections are those of many clients. */
export type ConnectionLimit = { max: number; isExempt: (address: string) => boolean };

/** How long a refused connection may take to send a request, and so to get an answer. */
const refusalMilliseconds = 1_000;

/**
 * Counts the connections of each IPv4 address and of each IPv6 network of 64 bits. Returns whether a connection is over
 * the limit: its request must be refused. It is closed after a second, with or without a request.
 */
export function limitConnections(server: Server, { max, isExempt }: ConnectionLimit): (socket: Socket) => boolean {
  const open = new Map<string, number>();
  const refused = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isExempt(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= max) {
      refused.add(socket);
      metrics.refusedConnections.inc();
      const timer = setTimeout(() => socket.destroy(), refusalMilliseconds);
      socket.once('close', () => clearTimeout(timer));
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
  return (socket) => refused.has(socket);
}
