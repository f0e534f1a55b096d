// The guarded client for addresses that a merchant gave: callbacks and reachability checks. A name is resolved once, by
// the lookup that also opens the connection, so that no second answer of the DNS can lead it somewhere private; no
// redirect is followed; time and answer are limited.
import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { env } from '../config';

const connectSeconds = 5;
const probeSeconds = 5;
const answerBytesMax = 1024;
/** What every request of the guarded client calls itself. */
export const userAgent = 'Florin';

/** What became of a request that was sent: an HTTP status, or why there is none. Never throws for the other side. */
export type SendResult = {
  httpStatus?: number;
  /** The first bytes of the answer's body, as text. */
  answer?: string;
  /** A few of the answer's headers, which say who answered and how. */
  answerHeaders?: Record<string, string>;
  /** One word or two, fit for showing: `timeout`, `dns`, `connection refused`, `private address` ... */
  error?: string;
  timedOut: boolean;
  durationMs: number;
};

export type Client = {
  /** POSTs a body within `seconds` for the whole exchange, five of them to connect. */
  post(url: string, body: string, headers: Record<string, string>, seconds: number): Promise<SendResult>;
  /** GETs a small file: its bytes, or null for any answer but 200, one above `bytesMax`, or none within `seconds`. */
  download(url: string, bytesMax: number, seconds: number): Promise<Uint8Array | null>;
  /** Whether anything speaks HTTP there. Any HTTP answer counts: an address for POST alone answers others by 405. */
  reachable(url: string): Promise<boolean>;
};

export type ClientOptions = {
  allowPrivateTargets: boolean;
  /** How names become addresses; the system's resolver when absent. */
  resolver?: (name: string) => Promise<LookupAddress[]>;
  /** Milliseconds that only grow, for the age of what is remembered. */
  clock?: () => number;
};

/** A target that is not to be asked at all; the message says why in words fit for showing. */
class BlockedTargetError extends Error {
  readonly code = 'GUARDED';
}

/** An absolute http or https address without user name and password, without blanks and control characters; else null. */
export function parseWebUrl(text: string): URL | null {
  // The URL parser drops or repairs these, so that the text and what it is read as would differ.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && url.username === '' && url.password === '' && !/^[^/]*\/\/[^/?#]*@/.test(text) ? url : null;
}

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Public by its range, and yet a machine beside this one: where Azure answers its own machines. */
const metadataAddresses = new Set(['168.63.129.16']);

/** Whether an IP address belongs to the public internet: no private, local, mapped, translated or reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || metadataAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  // Every range with a meaning of its own is refused, among them IPv4 in disguise: mapped, 6to4, Teredo, NAT64.
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalIpv6);
}

// Ports that browsers refuse, and others above 1023 behind which no web server stands but a database or a cache.
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 5060, 5061, 5432, 5984, 6000, 6379, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017,
]);

/** Why an address may not be asked, before any name is resolved; null when nothing speaks against it. */
export function blockedReason(text: string, allowPrivateTargets: boolean): string | null {
  const url = parseWebUrl(text);
  if (!url) return 'not a web address';
  if (url.port === '0') return 'port not allowed';
  if (allowPrivateTargets) return null;
  const port = url.port === '' ? 443 : Number(url.port);
  if ((port < 1024 && port !== 80 && port !== 443) || blockedPorts.has(port)) return 'port not allowed';
  // A literal address never reaches the lookup. The parser has already turned 0x7f.1 and the like into 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) && !isPublicAddress(host) ? 'private address' : null;
}

function systemResolver(name: string): Promise<LookupAddress[]> {
  return new Promise((done, fail) => {
    resolve(name, { all: true, verbatim: true }, (err, addresses) => (err ? fail(err) : done(addresses)));
  });
}

// One private address among public ones is reason enough: nobody serves a shop that way by accident.
function guardedLookup({ allowPrivateTargets, resolver = systemResolver }: ClientOptions): LookupFunction {
  return (name, options: LookupOptions, done) => {
    resolver(name).then(
      (addresses) => {
        const fault =
          addresses.length === 0 ||
          (!allowPrivateTargets && !addresses.every(({ address }) => isPublicAddress(address)));
        const [first] = addresses;
        if (fault || !first) done(new BlockedTargetError('private address'), '', 0);
        else if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (err: NodeJS.ErrnoException) => done(err, '', 0),
    );
  };
}

/** A client of its own; the process's one is {@link guardedClient}. */
export function createClient(options: ClientOptions): Client {
  const agent = new Agent({
    connect: { timeout: connectSeconds * 1000, lookup: guardedLookup(options) },
    keepAliveTimeout: 10_000,
  });

  async function send(
    method: 'POST' | 'HEAD' | 'GET',
    url: string,
    headers: Record<string, string>,
    seconds: number,
    body?: string,
  ): Promise<SendResult> {
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    const fault = blockedReason(url, options.allowPrivateTargets);
    if (fault) return { error: fault, timedOut: false, durationMs: durationMs() };
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      const limits = { headersTimeout: 0, bodyTimeout: 0, signal, dispatcher: agent };
      const response = await request(url, {
        method,
        headers: { 'user-agent': userAgent, ...headers },
        body,
        ...limits,
      });
      const answer = await firstBytes(response.body);
      const answerHeaders = loggedHeadersOf(response.headers);
      return { httpStatus: response.statusCode, answer, answerHeaders, timedOut: false, durationMs: durationMs() };
    } catch (err) {
      return { ...readNetworkError(err), durationMs: durationMs() };
    }
  }

  async function download(url: string, bytesMax: number, seconds: number): Promise<Uint8Array | null> {
    if (blockedReason(url, options.allowPrivateTargets)) return null;
    const signal = AbortSignal.timeout(seconds * 1000);
    try {
      const response = await request(url, { headers: { 'user-agent': userAgent }, signal, dispatcher: agent });
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (response.statusCode !== 200 || size > bytesMax) return null;
        chunks.push(chunk);
      }
      return response.statusCode === 200 ? Buffer.concat(chunks) : null;
    } catch {
      return null;
    }
  }

  async function probe(url: string): Promise<boolean> {
    const head = await send('HEAD', url, {}, probeSeconds);
    if (head.httpStatus !== undefined) return true;
    // Some servers hang up on HEAD.
    return head.error === 'connection closed' && (await send('GET', url, {}, probeSeconds)).httpStatus !== undefined;
  }

  return {
    post: (url, body, headers, seconds) => send('POST', url, headers, seconds, body),
    download,
    reachable: cachedProbe(probe, options.clock ?? (() => performance.now())),
  };
}

const loggedHeaders = [
  'content-type',
  'content-length',
  'server',
  'date',
  'location',
  'retry-after',
  'via',
  'x-request-id',
];
const headerCharacters = 200;

function loggedHeadersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const found = loggedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value).slice(0, headerCharacters)] as const];
  });
  return Object.fromEntries(found);
}

const probeCacheSeconds = { reachable: 60, unreachable: 5 };
const probeCacheMax = 2000;

// Any HTTP answer counts, so that what is known of one address holds for its whole origin. Checks of one origin that
// come at once share one probe; a failure is forgotten soon, because somebody is mending it.
function cachedProbe(probe: (url: string) => Promise<boolean>, clock: () => number): Client['reachable'] {
  const known = new Map<string, { until: number; answer: Promise<boolean> }>();
  return async (text) => {
    const url = parseWebUrl(text);
    if (!url) return false;
    const held = known.get(url.origin);
    if (held && held.until > clock()) return held.answer;
    const entry = { until: Number.POSITIVE_INFINITY, answer: probe(text) };
    known.delete(url.origin);
    known.set(url.origin, entry);
    if (known.size > probeCacheMax) known.delete(known.keys().next().value as string);
    const answer = await entry.answer;
    entry.until = clock() + (answer ? probeCacheSeconds.reachable : probeCacheSeconds.unreachable) * 1000;
    return answer;
  };
}

// What comes after the first bytes is never read: the connection is given up instead. The status has been said by then,
// so that a body which breaks off or stalls changes nothing.
async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= answerBytesMax) break;
    }
  } catch {
    // What arrived is what there is.
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8');
}

type NetworkError = { name?: string; code?: string; syscall?: string; message?: string; errors?: unknown[] };

const errorLabels: [RegExp, string][] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, 'timeout'],
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, 'network unreachable'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/, 'connection closed'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO|UNABLE_)/, 'tls'],
];

// The messages of errors may quote the address with its query, so that only words of our own go on.
function readNetworkError(thrown: unknown): { error: string; timedOut: boolean } {
  const fault = (thrown ?? {}) as NetworkError;
  const inner = (fault.errors?.[0] ?? fault) as NetworkError;
  if (fault.name === 'TimeoutError') return { error: 'timeout', timedOut: true };
  const code = inner.code ?? fault.code ?? '';
  if (code === 'GUARDED') return { error: inner.message ?? 'private address', timedOut: false };
  const word = errorLabels.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection failed';
  return { error: word, timedOut: word === 'timeout' };
}

let sharedClient: Client | undefined;

/** The process's guarded client, by the deployment's ALLOW_PRIVATE_TARGETS; made at the first use. */
export function guardedClient(): Client {
  sharedClient ??= createClient({ allowPrivateTargets: env.allowPrivateTargets });
  return sharedClient;
}
