// florin listen: a receiver of callbacks for development. It prints each callback, verifies its signature where the
// password is known, and forwards it to the merchant's own receiver, whose status Florin then gets.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

/** Whether `webhook-signature` of a callback is one of the password: HMAC-SHA256 over id, time and body. */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, password: string): boolean {
  const secret = createHmac('sha256', password).update('florin callbacks').digest();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const wanted = Buffer.from(`v1,${createHmac('sha256', secret).update(signed).update(body).digest('base64')}`);
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === wanted.length && timingSafeEqual(signature, wanted));
}

// Control characters could change what the terminal shows.
const printable = (line: string) =>
  line.replace(/[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);

function textOf(path: string, headers: IncomingHttpHeaders, body: Buffer): string {
  const password = process.env.FLORIN_PASSWORD;
  const signature = password && (isSigned(headers, body, password) ? 'valid' : 'NOT VALID');
  const lines = [...new URLSearchParams(body.toString('utf8'))].map(([name, value]) => `  ${name} = ${value}`);
  const opening = `${new Date().toISOString()} ${path} ${headers['webhook-id'] ?? 'without webhook-id'}`;
  const text = [`${opening}${signature ? `, signature ${signature}` : ''}`, ...lines];
  return text.map(printable).join('\n');
}

// Hop-by-hop headers belong to one connection.
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

async function forward(to: string, headers: IncomingHttpHeaders, body: Buffer) {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !ownHeaders.has(name));
  const answer = await fetch(to, {
    method: 'POST',
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(25_000),
  });
  return { status: answer.status, text: await answer.text() };
}

export const listen = defineCommand({
  usage: `florin listen [--port 8080] [--forward http://localhost:3001/callback]: receives callbacks on this machine and prints
them. Set notification_url or callback_url to http://localhost:8080/ in a sandbox on the same machine.
    --port      port on 127.0.0.1 (8080)
    --forward   address of a receiver that gets each callback with its headers; its answer becomes the answer to Florin
    FLORIN_PASSWORD   the merchant's password, to verify webhook-signature`,
  options: { port: { type: 'string', default: '8080' }, forward: { type: 'string' } },
  run: async ({ port: text, forward: to }) => {
    const port = Number(text);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port ${text} is not a port.`);
    if (to !== undefined && !URL.canParse(to)) throw new UsageError(`--forward ${to} is not an address.`);
    const server = createServer(async (request, response) => {
      try {
        const body = await buffer(request);
        // Florin checks that an address answers before it accepts it.
        if (request.method !== 'POST') return response.end('OK');
        console.log(textOf(request.url ?? '/', request.headers, body));
        if (to === undefined) return response.end('OK');
        const answer = await forward(to, request.headers, body);
        console.log(`  forwarded: ${answer.status}`);
        return response.writeHead(answer.status).end(answer.text);
      } catch (error) {
        console.log(`  not forwarded: ${messageOf(error)}`);
        return response.writeHead(502).end();
      }
    });
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', done);
    });
    const address = server.address();
    const actual = typeof address === 'object' && address !== null ? address.port : port;
    console.log(`Callbacks are received at http://localhost:${actual}/ until Ctrl-C.`);
  },
});
