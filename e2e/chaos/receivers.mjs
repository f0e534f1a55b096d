// Shops' servers that take callbacks: each listens at an address of its own and is good, forgetful, selective, slow or dead. What
// arrives is kept by order: the callback's place in its payment, when it came, what it was answered, and its body's digest.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { random } from './random.mjs';

/** How a kind of receiver answers a body; null for never. */
const behaviours = {
  good: () => [200, 'OK', 0],
  // One in three is lost by the shop itself.
  flaky: (draw) => (draw() < 0.33 ? [500, 'no', 0] : [200, 'OK', 0]),
  // Takes successes only, as a shop's plugin does that looks up nothing else.
  selective: (_draw, body) => (/(^|&)(result=DECLINED|status=fail)(&|$)/.test(body) ? [403, 'no', 0] : [200, 'OK', 0]),
  slow: () => [200, 'OK', 150],
  hanging: () => null,
};

/**
 * Starts some of each kind.
 * @param {{ [kind: string]: number }} counts
 * @param {number} seed
 */
export async function startReceivers(counts, seed) {
  const draw = random(seed);
  const arrived = new Map();
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array(count).fill(kind));
  const recovered = new Set();
  const servers = await Promise.all(kinds.map((kind) => listen(kind)));

  async function listen(kind) {
    const server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        // Whether somebody is at home at all is asked before a payment is taken.
        if (request.method !== 'POST') return response.end();
        const body = Buffer.concat(chunks).toString();
        const order = decodeURIComponent(request.url.split('/').at(-1));
        const answer = recovered.has(kind) ? [200, 'OK', 0] : behaviours[kind](draw, body);
        const { 'webhook-id': id, 'florin-sequence': sequence } = request.headers;
        note(order, { id, sequence: Number(sequence), kind, status: answer?.[0] ?? null, body });
        if (answer) setTimeout(() => response.writeHead(answer[0]).end(answer[1]), answer[2]);
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    return { server, kind, url: `http://127.0.0.1:${server.address().port}` };
  }

  function note(order, { body, ...tried }) {
    const list = arrived.get(order) ?? [];
    list.push({ ...tried, at: Date.now(), digest: createHash('sha256').update(body).digest('base64') });
    arrived.set(order, list);
  }

  return {
    /** The receiver of an order: the same one for all its callbacks. */
    addressFor(order) {
      const place = [...order].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % servers.length;
      return `${servers[place].url}/callbacks/${encodeURIComponent(order)}`;
    },
    arrived: (order) => arrived.get(order) ?? [],
    /** Everything that arrived, each order's in a list of its own. */
    all: () => [...arrived.values()],
    /** The address of a receiver of this kind, for an order of its own. */
    addressAt: (kind, order) =>
      `${servers.find((each) => each.kind === kind).url}/callbacks/${encodeURIComponent(order)}`,
    addresses: (kind) => servers.filter((each) => each.kind === kind).map(({ url }) => url),
    /** From now on receivers of this kind are good ones. */
    recover: (kind) => recovered.add(kind),
    async close() {
      for (const { server } of servers) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}
