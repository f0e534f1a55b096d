// A shop's server that receives callbacks and returning payers on a free port. A test can set error responses per path.
// Each worker has one; each test uses paths of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Delivery = {
  path: string;
  receivedAt: number;
  headers: Record<string, string>;
  body: string;
  /** The form fields, nested fields under their bracket keys. */
  fields: Record<string, string>;
  /** Florin-Sequence. */
  sequence: number;
};

/** The responses of a path to POST: each is used once in order, the last one for all further requests. */
export type Answer = { status?: number; body?: string; headers?: Record<string, string>; hang?: true };

/** A response, fixed or computed from the posted body. */
type Answering = Answer | ((delivery: Delivery) => Answer);

export type ShopServer = {
  /** `http://127.0.0.1:port`, for return addresses. */
  url: string;
  /** The notification address of an order. */
  addressFor(orderNumber: string): string;
  /** All deliveries of the order so far, in order of arrival. */
  arrived(orderNumber: string): Delivery[];
  /** Waits until `enough` accepts the deliveries of the order; after `seconds` throws with those received. */
  waitFor(orderNumber: string, enough: (deliveries: Delivery[]) => boolean, seconds?: number): Promise<Delivery[]>;
  /** Sets how the path of the order responds. */
  answer(orderNumber: string, ...answers: Answering[]): void;
  /** The number of GET requests to a path. */
  visits(path: string): number;
  close(): Promise<void>;
};

const notificationPrefix = '/callbacks/';

/** How long tests wait for what must happen. A busy machine delays everything, and a test that passes waits for nothing. */
export const patienceSeconds = 60;

/** Starts a shop's server. `port` 0 takes a free port; any other port is awaited until it is free. */
export async function startShopServer(port = 0): Promise<ShopServer> {
  const deliveries: Delivery[] = [];
  const answers = new Map<string, Answering[]>();
  const visits = new Map<string, number>();
  const waiting = new Set<() => void>();
  const hanging = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    void readBody(request).then((body) => {
      if (request.method !== 'POST') {
        visits.set(path, (visits.get(path) ?? 0) + 1);
        response.end('<!doctype html><title>Shop</title><h1>Shop</h1>');
        return;
      }
      const delivery = deliveryOf(path, request, body);
      deliveries.push(delivery);
      for (const resolve of waiting) resolve();
      reply(delivery, response);
    });
  });

  function reply(delivery: Delivery, response: ServerResponse) {
    const list = answers.get(delivery.path) ?? [];
    const next = (list.length > 1 ? list.shift() : list[0]) ?? {};
    const answer = typeof next === 'function' ? next(delivery) : next;
    if (answer.hang) {
      hanging.add(response);
      return;
    }
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.body ?? 'OK');
  }

  await listen(server, port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pathOf = (order: string) => (order.startsWith('/') ? order : notificationPrefix + encodeURIComponent(order));
  const arrived = (order: string) => deliveries.filter((delivery) => delivery.path === pathOf(order));

  return {
    url,
    addressFor: (order) => url + pathOf(order),
    arrived,
    answer: (order, ...list) => answers.set(pathOf(order), list),
    visits: (path) => visits.get(path) ?? 0,
    async waitFor(order, enough, seconds = patienceSeconds) {
      const until = Date.now() + seconds * 1000;
      for (;;) {
        const now = arrived(order);
        if (enough(now)) return now;
        const left = until - Date.now();
        if (left <= 0)
          throw new Error(`callbacks of ${order} after ${seconds} s:\n${now.map(describeDelivery).join('\n')}`);
        await new Promise<void>((resolve) => {
          const stop = setTimeout(done, left);
          function done() {
            clearTimeout(stop);
            waiting.delete(done);
            resolve();
          }
          waiting.add(done);
        });
      }
    },
    async close() {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** A delivery in the notation of the decision table: `success sale settled`. */
export function describeDelivery({ fields }: Delivery): string {
  return [fields.status, fields.type, fields.order_status].join(' ');
}

/** Each message once, in order of first arrival. */
export function messagesOf(deliveries: Delivery[]): Delivery[] {
  const seen = new Set<string>();
  return deliveries.filter(({ headers }) => {
    const id = headers['webhook-id'] ?? '';
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  for (;;) {
    const error = await new Promise<NodeJS.ErrnoException | null>((done) => {
      server.once('error', done);
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', done);
        done(null);
      });
    });
    if (!error) return;
    // Another worker's test uses the port.
    if (error.code !== 'EADDRINUSE' || port === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function deliveryOf(path: string, request: IncomingMessage, body: string): Delivery {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    path,
    receivedAt: Date.now(),
    headers,
    body,
    fields: Object.fromEntries(new URLSearchParams(body)),
    sequence: Number(headers['florin-sequence']),
  };
}
