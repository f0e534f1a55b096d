// A provider for connector tests: a server on its own port that responds to each call by a handler.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpSettings, PayRequest } from './connector.ts';

export type Call = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type TestProvider = { settings: HttpSettings; calls: Call[] };
export type CallHandler = (call: Call, response: ServerResponse) => unknown;

/** A sale by card, without its card. */
export const cardSale: PayRequest = {
  key: '0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c',
  operation: 'sale',
  method: 'card',
  amount: { minor: 8450n, currency: 'EUR' },
  order: { number: '10428', description: 'Two bowls' },
  payer: {},
  parameters: {},
  returnUrl: 'https://pay.example/return/1',
  notifyUrl: 'https://pay.example/notify/http/1',
};

/** Creates providers, which `close` stops. `servers` are the open ones. */
export function testProviders() {
  const servers: Server[] = [];

  function close(): void {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  }

  async function startProvider(behave: CallHandler, timeoutSeconds = 5): Promise<TestProvider> {
    const calls: Call[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      behave(call, response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v1`;
    return { calls, settings: { url, apiKey: 'the-api-key', signingSecret: 'whsec_c2VjcmV0', timeoutSeconds } };
  }

  return { peer: startProvider, servers, close };
}

/** Responds to every call with the same status and body. */
export const answering =
  (status: number, body: unknown): CallHandler =>
  (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
