// Merchants' callback receivers: each listens at its own address and works, fails at times, rejects failures, is slow
// or hangs. Deliveries are kept by order: sequence, time, response status and digest of the body.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Draw, random } from './seeded-random.ts';

type Reply = [status: number, text: string, milliseconds: number];
type Tried = { id: string; sequence: number; kind: string; status: number | null; at: number; digest: string };

/** The response of each kind of receiver; null for none. */
const behaviours: Record<string, (draw: Draw, body: string) => Reply | null> = {
  good: () => [200, 'OK', 0],
  // Loses one in three.
  flaky: (draw) => (draw() < 0.33 ? [500, 'no', 0] : [200, 'OK', 0]),
  // Accepts successes only, like a shop plugin that handles nothing else.
  selective: (_draw, body) => (/(^|&)(result=DECLINED|status=fail)(&|$)/.test(body) ? [403, 'no', 0] : [200, 'OK', 0]),
  slow: () => [200, 'OK', 150],
  hanging: () => null,
};

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Starts receivers of each kind. */
export async function startReceivers(counts: Record<string, number>, seed: number) {
  const draw = random(seed);
  const arrived = new Map<string, Tried[]>();
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array<string>(count).fill(kind));
  const recovered = new Set<string>();
  const servers = await Promise.all(kinds.map((kind) => listen(kind)));

  async function listen(kind: string) {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        // The reachability check before a payment.
        if (request.method !== 'POST') return response.end();
        const body = Buffer.concat(chunks).toString();
        const order = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
        const answer: Reply | null = recovered.has(kind) ? [200, 'OK', 0] : (behaviours[kind]?.(draw, body) ?? null);
        const { 'webhook-id': id, 'florin-sequence': sequence } = request.headers;
        note(order, { id: String(id), sequence: Number(sequence), kind, status: answer?.[0] ?? null, body });
        if (answer) setTimeout(() => response.writeHead(answer[0]).end(answer[1]), answer[2]);
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return { server, kind, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  function note(order: string, { body, ...tried }: Omit<Tried, 'at' | 'digest'> & { body: string }) {
    const list = arrived.get(order) ?? [];
    list.push({ ...tried, at: Date.now(), digest: createHash('sha256').update(body).digest('base64') });
    arrived.set(order, list);
  }

  return {
    /** The receiver of an order: the same for all its callbacks. */
    addressFor(order: string) {
      const place = [...order].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % servers.length;
      return `${servers[place]?.url}/callbacks/${encodeURIComponent(order)}`;
    },
    arrived: (order: string) => arrived.get(order) ?? [],
    /** All deliveries, one list per order. */
    all: () => [...arrived.values()],
    /** The address of a receiver of this kind for an order. */
    addressAt: (kind: string, order: string) =>
      `${servers.find((each) => each.kind === kind)?.url}/callbacks/${encodeURIComponent(order)}`,
    addresses: (kind: string) => servers.filter((each) => each.kind === kind).map(({ url }) => url),
    /** From now on receivers of this kind work. */
    recover: (kind: string) => recovered.add(kind),
    async close() {
      for (const { server } of servers) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}
