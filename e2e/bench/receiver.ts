// @ts-nocheck
// Minimal callback receivers at separate addresses in one process. Keeps the first arrival of each callback by id and
// counts repeats.
import { createServer } from 'node:http';

const arrived = new Map();
let repeated = 0;

function take(request, response) {
  request.resume();
  request.on('end', () => {
    const id = request.headers['webhook-id'];
    // The reachability check before a payment.
    if (id !== undefined) {
      if (arrived.has(id)) repeated += 1;
      else arrived.set(id, Date.now());
    }
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('OK');
  });
}

const answers = {
  count: () => ({ arrived: arrived.size, repeated }),
  list: () => [...arrived],
  forget() {
    arrived.clear();
    repeated = 0;
    return null;
  },
};

process.on('message', (command) => process.send({ result: answers[command]() }));

const servers = Array.from({ length: Number(process.env.ADDRESSES) }, () => createServer(take));
const listening = servers.map(
  (server) =>
    new Promise((done) => {
      server.keepAliveTimeout = 60_000;
      server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${server.address().port}`));
    }),
);
process.send({ addresses: await Promise.all(listening) });
