// The minimal counterparts of the API benchmark: a provider that approves every payment at once
// (docs/providers/contract.md) and a callback receiver. They count requests, callbacks and duplicate payments.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

let [payments, repeated, callbacks] = [0, 0, 0];
const references = new Set<string>();

function readBody(request: IncomingMessage, done: (body: string) => void) {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function say(response: ServerResponse, body: string) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

function approve(body: string) {
  payments += 1;
  const { reference, amount, currency } = JSON.parse(body);
  if (references.has(reference)) repeated += 1;
  references.add(reference);
  return JSON.stringify({
    reference,
    provider_reference: `bench-${payments}`,
    status: 'approved',
    amount,
    currency,
    network: { rrn: '604412345678', approval_code: 'A1B2C3', brand: 'visa' },
  });
}

const server = createServer((request, response) => {
  readBody(request, (body) => {
    if (request.url === '/payments') return say(response, approve(body));
    if (request.url === '/callback') callbacks += 1;
    say(response, request.url === '/count' ? JSON.stringify({ payments, repeated, callbacks }) : 'OK');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
