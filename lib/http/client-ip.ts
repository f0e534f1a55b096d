// Who is really connected. Anyone can send X-Forwarded-For, so only the entries that our own reverse proxies appended
// count, and every forwarding header that is not theirs is dropped before anything reads it.
import type { IncomingMessage } from 'node:http';

// The last is how Next marks its own inner requests; from outside it can only be an attempt to skip a check.
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
 * The client's IP address behind `hops` trusted proxies (0: the connection's own), written back to the request as its
 * only X-Forwarded-For, so that every later reader sees the same.
 */
export function resolveClientIp(request: IncomingMessage, hops: number): string {
  const { headers } = request;
  const address = clientIpBehind(headers['x-forwarded-for'], request.socket.remoteAddress ?? '', hops);
  dropHeaders(headers, untrustedHeaders);
  if (hops === 0) dropHeaders(headers, proxied);
  headers['x-forwarded-for'] = address;
  return address;
}

// Deleting what is not there would still slow every later look at the object.
function dropHeaders(headers: IncomingMessage['headers'], names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}

/** The address that is `hops` from the connection's own, counted over what the proxies appended to `forwarded`. */
export function clientIpBehind(forwarded: string | string[] | undefined, own: string, hops: number): string {
  if (hops === 0) return normalizeAddress(own);
  const chain = String(forwarded ?? '')
    .split(',')
    .map((entry) => normalizeAddress(entry.trim()))
    .filter((entry) => entry !== '');
  chain.push(normalizeAddress(own));
  // Fewer entries than proxies: the request came past some of them, and the furthest known entry is all there is.
  return chain[Math.max(0, chain.length - 1 - hops)] ?? '';
}

// IPv4 inside IPv6 notation, ports and brackets are ways to write the same address.
function normalizeAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^([\d.]+):\d+$/.exec(text)?.[1] || text);
  return bare.startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}
