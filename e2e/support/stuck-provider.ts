// A provider that a test is itself, on a free port: to orders and to questions what became of them it says `approved`, fails,
// or says nothing at all, ever. Of an order it keeps the amount, which its answers carry.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How it answers. `error` is an outcome that has to be asked for; what hangs is given up by the side that waits. */
type Manner = 'approved' | 'error' | 'hang';

export type StuckProvider = {
  url: string;
  /** What an account of a merchant leads to it by (support/settings.ts). */
  account: object;
  /** From now on it answers orders, and questions about them, like this. */
  behaves: (orders: Manner, questions: Manner) => void;
  /** How many questions have come. */
  asked: () => number;
  /** How many requests have been left without an answer, and when those came that the other side has not given up. */
  hung: () => number;
  waiting: () => Date[];
  close: () => Promise<void>;
};

/** Starts one. */
export async function startStuckProvider(orders: Manner, questions: Manner): Promise<StuckProvider> {
  let manners = { orders, questions };
  let asked = 0;
  let hung = 0;
  const waiting = new Set<Date>();
  const amounts = new Map<string, { amount: string; currency: string }>();
  const server = createServer(async (request, response) => {
    const isQuestion = request.method === 'GET';
    const key = isQuestion ? request.url?.split('/').at(-1) : request.headers['idempotency-key'];
    const manner = isQuestion ? manners.questions : manners.orders;
    if (isQuestion) {
      asked += 1;
      request.resume();
    } else {
      const { amount, currency } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
      amounts.set(String(key), { amount, currency });
    }
    if (manner === 'hang') {
      hung += 1;
      const came = new Date();
      waiting.add(came);
      response.on('close', () => waiting.delete(came));
      return;
    }
    const answer = { reference: key, status: 'approved', ...amounts.get(String(key)) };
    const [status, body] = manner === 'error' ? [500, {}] : [200, answer];
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
    behaves: (toOrders, toQuestions) => {
      manners = { orders: toOrders, questions: toQuestions };
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
