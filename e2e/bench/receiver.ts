// Minimal callback receivers at separate addresses in one process. Keeps the first arrival of each callback by id and
// counts repeats.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const arrived = new Map<string, number>();
let repeated = 0;

function take(request: IncomingMessage, response: ServerResponse) {
  request.resume();
  request.on('end', () => {
    const id = request.headers['webhook-id']?.toString();
    // The reachability check before a payment.
    if (id !== undefined) {
      if (arrived.has(id)) repeated += 1;
      else arrived.set(id, Date.now());
    }
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('OK');
  });
}

const answers: Record<string, () => unknown> = {
  count: () => ({ arrived: arrived.size, repeated }),
  list: () => [...arrived],
  forget() {
    arrived.clear();
    repeated = 0;
    return null;
  },
};

process.on('message', (command: string) => process.send?.({ result: answers[command]?.() }));

const servers = Array.from({ length: Number(process.env.ADDRESSES) }, () => createServer(take));
const listening = servers.map(
  (server) =>
    new Promise<string>((done) => {
      server.keepAliveTimeout = 60_000;
      server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    }),
);
process.send?.({ addresses: await Promise.all(listening) });
