// A provider that a test is itself, on a free port: it carries nothing out and answers no order, so that what becomes of it
// has to be asked, and to questions it says `approved` or nothing at all, ever.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StuckProvider = {
  url: string;
  /** How many questions have come, and how many of them were given up by the side that asked. */
  asked: () => number;
  givenUp: () => number;
  close: () => Promise<void>;
};

/** Starts one. `orders` is how it answers orders, `questions` how it answers what became of them; null is never. */
export async function startStuckProvider(
  orders: 'error' | 'approved' | null,
  questions: 'approved' | null,
): Promise<StuckProvider> {
  let asked = 0;
  let givenUp = 0;
  const server = createServer((request, response) => {
    const isQuestion = request.method === 'GET';
    const key = isQuestion ? request.url?.split('/').at(-1) : request.headers['idempotency-key'];
    request.resume();
    if (isQuestion) asked += 1;
    const says = isQuestion ? questions : orders;
    if (says === null) {
      if (isQuestion) response.on('close', () => (givenUp += 1));
      return;
    }
    const [status, body] = says === 'error' ? [500, {}] : [200, { reference: key, status: 'approved' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    givenUp: () => givenUp,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
