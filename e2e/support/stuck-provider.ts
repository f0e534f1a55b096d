// A provider that a test runs on a free port: approves orders and status requests, fails, or never answers. It
// remembers the amount of each order for its answers.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Its behaviour. `error` is an unknown outcome to poll; `hang` times out at the caller. */
type Behaviour = 'approved' | 'error' | 'hang';

export type StuckProvider = {
  url: string;
  /** The connection settings of a MID at this provider (created-merchants.ts). */
  account: object;
  /** Sets the behaviour for orders and status requests from now on. */
  behaves: (orders: Behaviour, statusRequests: Behaviour) => void;
  /** The number of status requests so far. */
  asked: () => number;
  /** The number of requests without an answer, and the arrival times of those that the caller has not aborted. */
  hung: () => number;
  waiting: () => Date[];
  close: () => Promise<void>;
};

/** Starts the provider. */
export async function startStuckProvider(orders: Behaviour, statusRequests: Behaviour): Promise<StuckProvider> {
  let behaviours = { orders, statusRequests };
  let asked = 0;
  let hung = 0;
  const waiting = new Set<Date>();
  const amounts = new Map<string, { amount: string; currency: string }>();
  const server = createServer(async (request, response) => {
    const isStatusRequest = request.method === 'GET';
    const key = isStatusRequest ? request.url?.split('/').at(-1) : request.headers['idempotency-key'];
    const behaviour = isStatusRequest ? behaviours.statusRequests : behaviours.orders;
    if (isStatusRequest) {
      asked += 1;
      request.resume();
    } else {
      const { amount, currency } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
      amounts.set(String(key), { amount, currency });
    }
    if (behaviour === 'hang') {
      hung += 1;
      const arrivedAt = new Date();
      waiting.add(arrivedAt);
      response.on('close', () => waiting.delete(arrivedAt));
      return;
    }
    const answer = { reference: key, status: 'approved', ...amounts.get(String(key)) };
    const [status, body] = behaviour === 'error' ? [500, {}] : [200, answer];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    account: {
      provider: 'own',
      url,
      apiKey: randomUUID(),
      signingSecret: `whsec_${Buffer.from(randomUUID()).toString('base64')}`,
      timeoutSeconds: 15,
    },
    behaves: (orders, statusRequests) => {
      behaviours = { orders, statusRequests };
    },
    asked: () => asked,
    hung: () => hung,
    waiting: () => [...waiting],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
