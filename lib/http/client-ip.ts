// Determines the client IP. Any client can send X-Forwarded-For, so only the entries of trusted reverse proxies count,
// and all other forwarding headers are removed.
import type { IncomingMessage } from 'node:http';

// Next marks internal requests with the last header; an external request could use it to bypass checks.
const untrustedHeaders = [
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-middleware-subrequest',
];
const proxied = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];

/**
 * Returns the client IP behind `hops` trusted proxies (0: the connection's own address) and writes it to the request as
 * the only X-Forwarded-For entry, so that later readers get the same address.
 */
export function resolveClientIp(request: IncomingMessage, hops: number): string {
  const { headers } = request;
  const address = clientIpBehind(headers['x-forwarded-for'], request.socket.remoteAddress ?? '', hops);
  dropHeaders(headers, untrustedHeaders);
  if (hops === 0) dropHeaders(headers, proxied);
  headers['x-forwarded-for'] = address;
  return address;
}

// Deleting an absent property would still slow down later reads of the object.
function dropHeaders(headers: IncomingMessage['headers'], names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}

/** Returns the address `hops` entries before the connection's own in `forwarded`. */
export function clientIpBehind(forwarded: string | string[] | undefined, own: string, hops: number): string {
  if (hops === 0) return normalizeAddress(own);
  const chain = String(forwarded ?? '')
    .split(',')
    .map((entry) => normalizeAddress(entry.trim()))
    .filter((entry) => entry !== '');
  chain.push(normalizeAddress(own));
  // With fewer entries than proxies, the request bypassed some of them, and the first entry is the best known address.
  return chain[Math.max(0, chain.length - 1 - hops)] ?? '';
}

// Removes IPv6-mapped notation, ports and brackets.
function normalizeAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^([\d.]+):\d+$/.exec(text)?.[1] || text);
  return bare.startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}
