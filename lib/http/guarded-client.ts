// The HTTP client for addresses that users enter: callbacks, reachability checks and downloads of merchants, and the
// calls of providers. Each connection resolves its name once and checks the result, so that DNS rebinding cannot reach a
// private address. It follows no redirects and limits time and response size.
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { type AddressRange, type Env, env, isInRanges } from '../config/index.ts';
import { readAtMost } from './body.ts';
import { type Resolver, resolveName, resolvePublicName } from './resolve-name.ts';

const connectSeconds = 5;
const probeSeconds = 5;
const answerBytesMax = 1024;
/** The User-Agent of the guarded client. */
export const userAgent = 'Florin';

/** The result of a request: an HTTP status or the reason why there is none. */
export type SendResult = {
  httpStatus?: number;
  /** The first bytes of the response body as text. */
  answer?: string;
  /** A selection of the response headers. */
  answerHeaders?: Record<string, string>;
  /** A short reason that can be shown to users: `timeout`, `dns`, `connection refused`, `private address` ... */
  error?: string;
  timedOut: boolean;
  durationMs: number;
};

export type Client = {
  /** POSTs a body within `seconds` in total and five seconds to connect. Network errors are returned, not thrown. */
  post(url: string, body: string, headers: Record<string, string>, seconds: number): Promise<SendResult>;
  /** GETs a small file; null for another status than 200, more than `bytesMax` bytes, or no response in time. */
  download(url: string, bytesMax: number, seconds: number): Promise<Uint8Array | null>;
  /** Reports whether an HTTP server responds, with any status: a URL for POST only responds to HEAD with 405. */
  reachable(url: string): Promise<boolean>;
};

/** Which targets are allowed besides public addresses. */
export type Guard = {
  allowPrivateTargets: boolean;
  /** Private networks that are allowed; an address in one may have any port. */
  networks?: readonly AddressRange[];
  /** Resolves names; by default as public names where no private address can be allowed. */
  resolver?: Resolver;
};

type ClientOptions = Guard & {
  /** A monotonic clock in milliseconds, for the age of cached results. */
  clock?: () => number;
  /** How long an unused connection stays open at most. */
  idleMilliseconds?: number;
};

/** The code of {@link BlockedTargetError}. */
export const blockedTarget = 'BLOCKED_TARGET';

/** The error of a blocked target, thrown before anything is sent. Its message can be shown to users. */
class BlockedTargetError extends Error {
  readonly code = blockedTarget;
}

/** Parses an absolute http or https URL without user name, password, blanks and control characters; null for others. */
export function parseWebUrl(text: string): URL | null {
  // The URL parser would drop or replace these characters without an error.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && url.username === '' && url.password === '' && !/^[^/]*\/\/[^/?#]*@/.test(text) ? url : null;
}

const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Where clouds give the credentials of a machine to anyone on it, and Azure's host endpoint in a public range. */
const metadataAddresses = new Set([
  ...['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'],
  ...['169.254.42.42', '169.254.0.23', 'fd00:42::42', 'fd00:c1::a9fe:a9fe', 'fd00:a9fe:a9fe::1'],
  // The agents of ECS and of EKS Pod Identity.
  ...['169.254.170.2', '169.254.170.23', 'fd00:ec2::23'],
]);

const isMetadataAddress = (address: string) => metadataAddresses.has(ipaddr.process(address).toString());

/** Whether an address is in a listed network; metadata services never are, because a network of the operator surrounds them. */
const isListed = (networks: readonly AddressRange[], address: string) =>
  isInRanges(networks, address) && !isMetadataAddress(address);

/** Reports whether an IP address is public: not in a private, local, mapped, translated or reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  const parsed = ipaddr.parse(address);
  // All special ranges are refused, including those that embed IPv4 addresses: mapped, 6to4, Teredo, NAT64.
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalIpv6);
}

// Ports above 1023 that browsers refuse or that databases and caches use.
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 5060, 5061, 5432, 5984, 6000, 6379, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017,
]);

/** Returns the reason why a URL is blocked before its name is resolved; null if it is not. */
export function blockedReason(text: string, { allowPrivateTargets, networks = [] }: Guard): string | null {
  const url = parseWebUrl(text);
  if (!url) return 'not a web address';
  if (url.port === '0') return 'port not allowed';
  if (allowPrivateTargets) return null;
  // IP literals skip the lookup. The URL parser has normalised notations such as 0x7f.1 to 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isListed(networks, host)) return null;
  const port = url.port === '' ? 443 : Number(url.port);
  if ((port < 1024 && port !== 80 && port !== 443) || blockedPorts.has(port)) return 'port not allowed';
  return ipaddr.isValid(host) && !isPublicAddress(host) ? 'private address' : null;
}

// A name with any address that is not allowed is blocked.
function guardedLookup({ allowPrivateTargets, networks, resolver }: Guard): LookupFunction {
  const mayBePrivate = allowPrivateTargets || networks !== undefined;
  const resolve = resolver ?? (mayBePrivate ? resolveName : resolvePublicName);
  const isAllowed = ({ address }: LookupAddress) =>
    allowPrivateTargets || isPublicAddress(address) || isListed(networks ?? [], address);
  return (name, options: LookupOptions, done) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(isAllowed)) done(new BlockedTargetError('private address'), '', 0);
        else if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (err: NodeJS.ErrnoException) => done(err, '', 0),
    );
  };
}

type Init = Pick<NonNullable<Parameters<typeof request>[1]>, 'method' | 'headers' | 'body' | 'signal'>;

/**
 * Requests to allowed targets only; others throw an error with the code {@link blockedTarget}. The caller's signal limits
 * the time.
 */
export function guardedRequests(
  guard: Guard,
  pool: Pick<Agent.Options, 'connections' | 'keepAliveTimeout' | 'keepAliveMaxTimeout'>,
) {
  const connect = { timeout: connectSeconds * 1000, lookup: guardedLookup(guard) };
  const limits = { headersTimeout: 0, bodyTimeout: 0, dispatcher: new Agent({ connect, ...pool }) };
  return async (url: string, init: Init) => {
    const blocked = blockedReason(url, guard);
    if (blocked) throw new BlockedTargetError(blocked);
    return request(url, { ...init, ...limits });
  };
}

/** Creates a client. The process shares those of {@link guardedClient} and {@link operatorClient}. */
export function createClient(options: ClientOptions): Client {
  // A receiver can name a longer time, and merchants choose the receivers: unused connections would fill the process.
  const { idleMilliseconds = 10_000 } = options;
  const open = guardedRequests(options, { keepAliveTimeout: idleMilliseconds, keepAliveMaxTimeout: idleMilliseconds });

  async function send(
    method: 'POST' | 'HEAD' | 'GET',
    url: string,
    headers: Record<string, string>,
    seconds: number,
    body?: string,
  ): Promise<SendResult> {
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      const response = await open(url, { method, headers: { 'user-agent': userAgent, ...headers }, body, signal });
      const answer = await firstBytes(response.body);
      const answerHeaders = loggedHeadersOf(response.headers);
      return { httpStatus: response.statusCode, answer, answerHeaders, timedOut: false, durationMs: durationMs() };
    } catch (err) {
      return { ...readNetworkError(err), durationMs: durationMs() };
    }
  }

  async function download(url: string, bytesMax: number, seconds: number): Promise<Uint8Array | null> {
    const signal = AbortSignal.timeout(seconds * 1000);
    try {
      const response = await open(url, { headers: { 'user-agent': userAgent }, signal });
      const bytes = await readAtMost(response.body, response.statusCode === 200 ? bytesMax : 0);
      return response.statusCode === 200 ? bytes : null;
    } catch {
      return null;
    }
  }

  async function probe(url: string): Promise<boolean> {
    const head = await send('HEAD', url, {}, probeSeconds);
    if (head.httpStatus !== undefined) return true;
    // Some servers close the connection on HEAD.
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
  const entries = loggedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value).slice(0, headerCharacters)] as const];
  });
  return Object.fromEntries(entries);
}

const probeCacheSeconds = { reachable: 60, unreachable: 5 };
const probeCacheMax = 2000;

// Caches results by origin, because any HTTP response counts. Concurrent checks of an origin share one probe. Failures
// have a short lifetime, so that a repaired server is accepted soon.
function cachedProbe(probe: (url: string) => Promise<boolean>, clock: () => number): Client['reachable'] {
  const probes = new Map<string, { until: number; answer: Promise<boolean> }>();
  return async (text) => {
    const url = parseWebUrl(text);
    if (!url) return false;
    const cached = probes.get(url.origin);
    if (cached && cached.until > clock()) return cached.answer;
    const entry = { until: Number.POSITIVE_INFINITY, answer: probe(text) };
    probes.delete(url.origin);
    probes.set(url.origin, entry);
    if (probes.size > probeCacheMax) probes.delete(probes.keys().next().value as string);
    const answer = await entry.answer;
    entry.until = clock() + (answer ? probeCacheSeconds.reachable : probeCacheSeconds.unreachable) * 1000;
    return answer;
  };
}

// Reads only the first bytes and then drops the connection. The status is known by then, so an incomplete body is no
// error.
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
    // The received bytes are enough.
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

// Error messages may contain the URL with its query, so only fixed labels are returned.
function readNetworkError(thrown: unknown): { error: string; timedOut: boolean } {
  const error = (thrown ?? {}) as NetworkError;
  const inner = (error.errors?.[0] ?? error) as NetworkError;
  if (error.name === 'TimeoutError') return { error: 'timeout', timedOut: true };
  const code = inner.code ?? error.code ?? '';
  if (code === blockedTarget) return { error: inner.message ?? 'private address', timedOut: false };
  const label = errorLabels.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection failed';
  return { error: label, timedOut: label === 'timeout' };
}

let sharedClient: Client | undefined;

/** Returns the process's client for merchants' addresses, created at the first use with ALLOW_PRIVATE_TARGETS. */
export function guardedClient(): Client {
  sharedClient ??= createClient({ allowPrivateTargets: env.allowPrivateTargets });
  return sharedClient;
}

/** The settings of {@link operatorGuard}. */
export type TargetSettings = Pick<Env, 'allowPrivateTargets' | 'appEnv' | 'privateNetworks'>;

/**
 * The guard of addresses that the operator and account managers enter: providers, and the receiver of security events.
 * The sandbox's provider has a private address.
 */
export function operatorGuard({ allowPrivateTargets, appEnv, privateNetworks }: TargetSettings = env): Guard {
  return { allowPrivateTargets: allowPrivateTargets || appEnv === 'sandbox', networks: privateNetworks };
}

let sharedOperatorClient: Client | undefined;

/** Returns the process's client for addresses of {@link operatorGuard}. */
export function operatorClient(): Client {
  sharedOperatorClient ??= createClient(operatorGuard());
  return sharedOperatorClient;
}
