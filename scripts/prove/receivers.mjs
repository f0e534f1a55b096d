// Shops' servers that take callbacks: each listens at an address of its own and is good, forgetful, slow or dead. What
// arrives is kept by order: the callback's place in its payment, and when it first came.
import { createServer } from 'node:http';
import { random } from './chance.mjs';

/** How a kind of receiver answers; null for never. */
const manners = {
  good: () => [200, 'OK', 0],
  // One in three is lost by the shop itself.
  flaky: (draw) => (draw() < 0.33 ? [500, 'no', 0] : [200, 'OK', 0]),
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
  const healed = new Set();
  const servers = await Promise.all(kinds.map((kind) => listen(kind)));

  async function listen(kind) {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        // Whether somebody is at home at all is asked before a payment is taken.
        if (request.method !== 'POST') return response.end();
        const order = decodeURIComponent(request.url.split('/').at(-1));
        note(order, Number(request.headers['florin-sequence']), kind);
        const answer = healed.has(kind) ? [200, 'OK', 0] : manners[kind](draw);
        if (answer) setTimeout(() => response.writeHead(answer[0]).end(answer[1]), answer[2]);
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    return { server, kind, url: `http://127.0.0.1:${server.address().port}` };
  }

  function note(order, sequence, kind) {
    const list = arrived.get(order) ?? [];
    list.push({ sequence, kind, at: Date.now() });
    arrived.set(order, list);
  }

  return {
    /** The receiver of an order: the same one for all its callbacks. */
    addressFor(order) {
      const place = [...order].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % servers.length;
      return `${servers[place].url}/callbacks/${encodeURIComponent(order)}`;
    },
    arrived: (order) => arrived.get(order) ?? [],
    addresses: (kind) => servers.filter((each) => each.kind === kind).map(({ url }) => url),
    /** From now on receivers of this kind are good ones. */
    heal: (kind) => healed.add(kind),
    async close() {
      for (const { server } of servers) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}
