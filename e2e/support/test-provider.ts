// A provider that a test runs, behind the accounts of the merchant `ownProvider`. It stores the bodies of its orders,
// including cards and secrets, answers as the test sets, and implements the open provider contract.
import { createServer, type IncomingMessage } from 'node:http';
import { ownProviderPort } from './merchants.ts';

/** A request to an account, `a` or `b`. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are untyped, and the tests check their values.
export type Arrival = { account: string; path: string; body: any };

/** The status in the provider's answer. `declined` is a soft decline. */
export type Verdict = 'approved' | 'declined' | 'refused' | 'processing';

export type TestProvider = {
  /** The orders with one order number, in order of arrival. */
  arrived: (order: string) => Arrival[];
  /** Sets an account's answers to orders with this number and to their status requests. */
  says: (order: string, account: string, verdict: Verdict) => void;
  close: () => Promise<void>;
};

/** Starts the provider on its fixed port: the tests that use it run one after the other. */
export async function startTestProvider(): Promise<TestProvider> {
  const arrivals: Arrival[] = [];
  const verdicts = new Map<string, Verdict>();
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const [, account = '', ...path] = (request.url ?? '').split('/');
      const key = request.method === 'GET' ? path.at(-1) : String(request.headers['idempotency-key']);
      if (request.method === 'POST') arrivals.push({ account, path: `/${path.join('/')}`, body: JSON.parse(text) });
      const known = arrivals.find(({ body }) => body.reference === key);
      const verdict = known && verdicts.get(`${account} ${known.body.order.number}`);
      response.writeHead(verdict ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(verdict ? answerOf(known?.body, verdict) : { error: { code: 'operation_not_found' } }),
      );
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(ownProviderPort, '127.0.0.1', done);
  });
  return {
    arrived: (order) => arrivals.filter(({ body }) => body.order?.number === order),
    says: (order, account, verdict) => void verdicts.set(`${account} ${order}`, verdict),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function answerOf({ reference, amount, currency }: Arrival['body'], verdict: Verdict): object {
  if (verdict === 'approved' || verdict === 'processing') return { reference, status: verdict, amount, currency };
  const soft = verdict === 'declined';
  return { reference, status: 'declined', decline: { code: 'x', message: 'Not now', class: 'bank', soft } };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
