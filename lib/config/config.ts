// Reads the deployment's settings from the environment once and validates them together: an invalid value stops the
// start and is reported by name. .env.example describes every variable.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type BinCountries, readBinCountries } from '../core/bins.ts';
import { defaultTestingLimits, parseTestingLimits, type TestingLimits } from '../core/card-testing.ts';
import { defaultRateLimits, parseRateLimits, type RateLimits } from '../core/rate-limits.ts';
import { readApplePayRoots, readGooglePayRoots } from '../wallets/index.ts';
import { parseRanges } from './address-ranges.ts';
import { parseClamavAddress } from './clamav-address.ts';
import { eventProblems, eventSettings } from './event-settings.ts';
import { exportProblems, exportSettings } from './export-settings.ts';
import {
  containerExpected,
  isMetadataHost,
  keyInconsistencies,
  metadataExpected,
  parseContainerAddress,
  parseVaultKey,
} from './key-settings.ts';
import { readKmsAddress } from './kms-address.ts';
import { managingRoles, productionProblems } from './production.ts';
import { parsedFile, parseSwitch, type Reader, readerOf, type Source } from './reader.ts';
import { parseWebAddress, urlOf } from './web-addresses.ts';

const rangesExpected = 'addresses, ranges such as 10.0.0.0/24, loopback or private';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** All invalid variables at once, one line each with the variable and the expected value. */
export class EnvError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example.`);
    this.name = 'EnvError';
    this.problems = problems;
  }
}

/** The validated settings. Durations have their unit in the name; absent optional values are `null`. */
export type Env = ReturnType<typeof settingsIn>;

/** Reads and validates the settings in `source`; throws {@link EnvError} with every invalid variable. */
export function readEnv(source: Source): Env {
  const problems: string[] = [];
  const env = settingsIn(source, problems);
  problems.push(...inconsistencies(env, source));
  if (problems.length > 0) throw new EnvError(problems);
  return env;
}

function settingsIn(source: Source, problems: string[]) {
  const reader = readerOf(source, problems);
  const server = serverSettings(reader);
  const isProduction = server.appEnv === 'production';
  return {
    ...server,
    ...keySettings(reader),
    ...accessSettings(reader, isProduction),
    ...processSettings(reader),
    ...messageSettings(reader),
    /** The deployment's list of card prefixes and their countries, for routing rules; `null`: sandbox cards only. */
    binCountries: binCountriesIn(source.BIN_COUNTRIES_FILE?.trim(), problems),
    ...walletSettings(reader, isProduction),
    ...recordSettings(reader),
  };
}

function serverSettings({ take, optional, whole, either }: Reader) {
  const appEnv = either('APP_ENV', 'sandbox', 'production');
  const port = whole('PORT', 3000, 1, 65535, 'a port number');
  /** Public address without a trailing slash, such as `https://pay.example.com`. */
  const baseUrl = take('BASE_URL', `http://localhost:${port}`, 'an http or https address without a path', parseOrigin);
  const { protocol } = new URL(baseUrl);
  const host = (name: string) =>
    optional(name, 'a host name such as pay.example.com', (text) => parseHost(text, protocol));
  return {
    /** A deployment is one environment (protocol.md 11). */
    appEnv,
    port,
    /** The address that the server listens on; `null`: all addresses of the machine. */
    listenAddress: optional('HOST', 'an address of this machine such as 127.0.0.1', parseListenAddress),
    webConcurrency: whole('WEB_CONCURRENCY', 1, 1, 64),
    baseUrl,
    /** Separate hosts for the three protocols, such as `checkout.example.com`; `null` means the base address. */
    checkoutHost: host('CHECKOUT_HOST'),
    s2sCardHost: host('S2S_CARD_HOST'),
    s2sApmHost: host('S2S_APM_HOST'),
    /** The only host of the dashboard, which serves nothing for payers; `null`: the dashboard is at the base address. */
    dashboardHost: host('DASHBOARD_HOST'),
    databaseUrl: take('DATABASE_URL', '', 'a postgresql:// address', parseDatabaseUrl),
    /** The standby server that answers lists, exports and statuses (lib/db/reads.ts); `null`: the primary does. */
    databaseReplicaUrl: optional('DATABASE_REPLICA_URL', 'a postgresql:// address', parseDatabaseUrl),
    databasePoolSize: whole('DATABASE_POOL_SIZE', 16, 1, 200),
    /** The pooler between this process and PostgreSQL: one that assigns a connection per transaction, or none. */
    databasePooler: either('DATABASE_POOLER', 'none', 'transaction'),
    /** The direct address for commands that need a persistent connection (scripts/project.ts); `null`: no pooler. */
    directDatabaseUrl: optional('DIRECT_DATABASE_URL', 'a postgresql:// address', parseDatabaseUrl),
  };
}

/** The key that encrypts the data keys: in a variable, in a file, or in a key management service. */
function keySettings({ take, optional, matching }: Reader) {
  const keyFile = optional('VAULT_KEY_FILE', 'the path of a file with 32 bytes in base64 or hex', (path) => {
    const key = parsedFile(path, (text) => parseVaultKey(text.trim()));
    return key && { path, key };
  });
  const credential = (name: string) => matching(name, 'a text without blanks', /^[!-~]+$/);
  return {
    /** The 32 bytes that encrypt the data keys; empty if a service encrypts them. */
    vaultKey: take('VAULT_KEY', keyFile?.key ?? new Uint8Array(0), '32 bytes in base64 or hex', parseVaultKey),
    vaultKeyFile: keyFile?.path ?? null,
    /** The address of the key in HashiCorp Vault, or its ARN at AWS KMS. */
    vaultKms: optional('VAULT_KMS', 'the address of a transit key, or the ARN of a key at AWS KMS', (text) =>
      readKmsAddress(text) ? text : undefined,
    ),
    vaultToken: credential('VAULT_TOKEN'),
    vaultTokenFile: optional('VAULT_TOKEN_FILE', 'the path of a readable file', (path) => parsedFile(path, () => path)),
    vaultNamespace: credential('VAULT_NAMESPACE'),
    awsAccessKeyId: credential('AWS_ACCESS_KEY_ID'),
    awsSecretAccessKey: credential('AWS_SECRET_ACCESS_KEY'),
    awsSessionToken: credential('AWS_SESSION_TOKEN'),
    ...roleSettings({ take, optional, matching }),
    /** Replaces the public endpoint of AWS KMS, such as a VPC endpoint. */
    awsKmsEndpoint: optional('AWS_ENDPOINT_URL_KMS', 'an http or https address without a path', parseOrigin),
  };
}

/** Where the credentials of an AWS role come from without an access key. The platform sets the first three. */
function roleSettings({ take, optional, matching }: Pick<Reader, 'take' | 'optional' | 'matching'>) {
  const path = matching('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'a path', /^\/[!-~]*$/);
  const url = optional('AWS_CONTAINER_CREDENTIALS_FULL_URI', containerExpected, parseContainerAddress);
  return {
    /** The address for the credentials of the container's role; `null`: those of the instance's role. */
    awsContainerUrl: path === null ? url : `http://169.254.170.2${path}`,
    awsContainerTokenFile: optional('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'the path of a readable file', (name) =>
      parsedFile(name, () => name),
    ),
    awsMetadataUrl: take('AWS_EC2_METADATA_SERVICE_ENDPOINT', 'http://169.254.169.254', metadataExpected, (text) => {
      const origin = parseOrigin(text);
      return origin && isMetadataHost(new URL(origin).hostname) ? origin : undefined;
    }),
  };
}

/** Passwords, and what protects the access. */
function accessSettings({ take, optional, matching, whole, flag }: Reader, isProduction: boolean) {
  return {
    /** The password of the sandbox's demo accounts. */
    demoPassword: matching('DEMO_PASSWORD', 'at least 12 characters', /^.{12}/s),
    /** Whether callbacks, reachability checks and providers may use private addresses. */
    allowPrivateTargets: flag('ALLOW_PRIVATE_TARGETS', !isProduction),
    /** The clamd that scans files before they are read; `null`: files are not scanned. */
    clamav: optional('CLAMAV_URL', 'tcp:// with a host and a port, or unix: and a path', parseClamavAddress),
    /** The private networks that providers and the receiver of security events may be in. */
    privateNetworks: take('PRIVATE_NETWORKS', [], rangesExpected, parseRanges),
    /** The roles of dashboard users that must use a second factor. */
    secondFactorRoles: take<readonly string[]>(
      'REQUIRE_SECOND_FACTOR',
      isProduction ? managingRoles : [],
      `on, off, all, or roles such as ${managingRoles.join(' ')}`,
      parseSecondFactor,
    ),
    /** A session of the dashboard is locked after so many minutes without use. PCI DSS 8.2.8 allows 15. */
    inactiveUserDays: whole(
      'INACTIVE_USER_DAYS',
      isProduction ? 90 : 0,
      isProduction ? 1 : 0,
      isProduction ? 90 : 3650,
    ),
    sessionIdleMinutes: whole('SESSION_IDLE_MINUTES', isProduction ? 15 : 480, 1, isProduction ? 15 : 480),
    /** The reverse proxies whose entries in X-Forwarded-For count. */
    trustedProxies: take('TRUSTED_PROXIES', [], rangesExpected, parseRanges),
    /** The connections of one client address to this process; 0: unlimited. Trusted proxies have no limit. */
    connectionsPerAddress: whole('CONNECTIONS_PER_ADDRESS', 1_000, 0, 65_535),
    /** Requests per minute by scope; `null`: unlimited. */
    rateLimits: take<RateLimits | null>(
      'RATE_LIMITS',
      defaultRateLimits,
      'on, off, or limits such as pay.address=6000',
      parseRateLimits,
    ),
    /** Thresholds of card testing; `null` disables the check. */
    cardTesting: take<TestingLimits | null>(
      'CARD_TESTING',
      isProduction ? defaultTestingLimits : null,
      'on, off, or thresholds such as address=20',
      parseTestingLimits,
    ),
    /** The digest of the script inventory that the operator approved; `null`: the build's own. */
    scriptsApproved: matching('SCRIPTS_APPROVED', 'sha384- and 64 characters of base64', /^sha384-[A-Za-z0-9+/]{64}$/),
  };
}

/** What one process does, and how tests control it. */
function processSettings({ take, matching, whole, flag }: Reader) {
  return {
    jobs: flag('JOBS', true),
    /** The hour (UTC) from which the ledger is checked each night; `null`: it is not checked. */
    ledgerCheckHour: take<number | null>('LEDGER_CHECK_HOUR', 3, 'an hour from 0 to 23, or off', (text) => {
      if (text === 'off') return null;
      return /^\d{1,2}$/.test(text) && Number(text) < 24 ? Number(text) : undefined;
    }),
    /** How long a stopping process accepts connections, so that the load balancer notices first. */
    drainSeconds: whole('DRAIN_SECONDS', 0, 0, 60),
    /** Enables the sandbox's guarded clock and job rounds; `null` disables them. */
    testControlToken: matching('TEST_CONTROL_TOKEN', 'at least 16 characters', /^.{16}/s),
    /** Seconds by which this process's clock is shifted in tests of a sandbox; positive is ahead. */
    testClockSkewSeconds: take('TEST_CLOCK_SKEW_SECONDS', 0, 'a whole number from -86400 to 86400', (text) =>
      /^-?\d{1,5}$/.test(text) && Math.abs(Number(text)) <= 86_400 ? Number(text) : undefined,
    ),
  };
}

/** Messages to payers; without an address none is sent. */
function messageSettings({ optional, matching }: Reader) {
  return {
    /** The mail server, `smtp://` or `smtps://` with user and password. */
    smtpUrl: optional('SMTP_URL', 'an smtp:// or smtps:// address', parseSmtpUrl),
    /** The sender of e-mails: an address, or a name with the address in angle brackets. */
    mailFrom: optional('MAIL_FROM', 'an e-mail address, or a name and <an address>', parseSender),
    /** The HTTP gateway for text messages, and its bearer token. */
    smsGatewayUrl: optional('SMS_GATEWAY_URL', 'an http or https address', parseWebAddress),
    smsGatewayToken: matching('SMS_GATEWAY_TOKEN', 'a token without blanks', /^[!-~]+$/),
  };
}

function walletSettings({ optional, whole, file }: Reader, isProduction: boolean) {
  // Both files are read, so that an invalid file for the other environment is noticed early.
  const googleRoots = {
    test: file('GOOGLE_PAY_ROOTS_TEST', "Google's root keys of ECv2 in JSON", readGooglePayRoots),
    production: file('GOOGLE_PAY_ROOTS_PRODUCTION', "Google's root keys of ECv2 in JSON", readGooglePayRoots),
  };
  return {
    /** The trusted roots of Apple Pay tokens; `null`: Apple Root CA - G3. */
    applePayRoots: file('APPLE_PAY_ROOTS', 'certificates of authorities in PEM', readApplePayRoots),
    /** The maximum difference between an Apple Pay token's signing time and this server's clock. */
    applePayToleranceSeconds: whole('APPLE_PAY_TOLERANCE_SECONDS', 300, 1, 86_400),
    /** Replaces Apple's gateway for Apple Pay sessions in tests; an origin. */
    applePayGateway: optional('APPLE_PAY_GATEWAY', 'an http or https address without a path', parseOrigin),
    /** Google's root keys of this deployment's environment; `null`: no Google Pay token is accepted. */
    googlePayRoots: googleRoots[isProduction ? 'production' : 'test'],
  };
}

/** What is recorded of requests, and where it goes. */
function recordSettings({ take, optional, matching, whole, flag }: Reader) {
  return {
    /** The contact in /.well-known/security.txt; `null`: there is no such file. */
    securityContact: matching(
      'SECURITY_CONTACT',
      'mailto: with an address, or an https:// address',
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
    ),
    /** Days for which requests of merchants' servers are stored for their engineers; 0: none is stored. */
    requestLogDays: whole('REQUEST_LOG_DAYS', 14, 0, 400),
    /** The bearer token for /metrics; `null`: the route does not exist. */
    metricsToken: matching('METRICS_TOKEN', 'at least 16 characters', /^.{16}/s),
    /** The address for traces, without a path; `null`: no traces. */
    otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', 'an http or https address', parseWebAddress),
    ...eventSettings({ flag, matching, optional }),
    ...exportSettings({ matching, optional, take }),
    logLevel: take<(typeof logLevels)[number]>('LOG_LEVEL', 'info', `one of ${logLevels.join(', ')}`, (text) =>
      logLevels.find((level) => level === text),
    ),
  };
}

/** Missing variables, and values that contradict each other or the environment. */
function inconsistencies(env: Env, source: Source): string[] {
  const problems: string[] = [];
  const missing = (name: string) => !source[name]?.trim();
  if (!missing('TRUSTED_PROXY_HOPS')) {
    problems.push('TRUSTED_PROXY_HOPS has been replaced by TRUSTED_PROXIES, which has the addresses of the proxies.');
  }
  if (missing('DATABASE_URL'))
    problems.push('DATABASE_URL is missing (npm start sets it for its embedded PostgreSQL).');
  problems.push(...keyInconsistencies(env, missing));
  // Messages without a sender or a token would fail for each payer.
  if (env.smtpUrl !== null && missing('MAIL_FROM')) problems.push('MAIL_FROM is missing: SMTP_URL needs a sender.');
  if (env.smsGatewayUrl !== null && missing('SMS_GATEWAY_TOKEN')) {
    problems.push('SMS_GATEWAY_TOKEN is missing: SMS_GATEWAY_URL needs it.');
  }
  const otherHosts = [new URL(env.baseUrl).host, env.checkoutHost, env.s2sCardHost, env.s2sApmHost];
  if (env.dashboardHost !== null && otherHosts.includes(env.dashboardHost)) {
    problems.push('DASHBOARD_HOST should be a host of its own, not that of BASE_URL or of a protocol.');
  }
  problems.push(...eventProblems(env), ...exportProblems(env));
  if (env.testClockSkewSeconds !== 0 && env.testControlToken === null) {
    problems.push('TEST_CLOCK_SKEW_SECONDS should be absent without TEST_CONTROL_TOKEN.');
  }
  if (env.testControlToken !== null && env.webConcurrency > 1) {
    problems.push('TEST_CONTROL_TOKEN should be absent with WEB_CONCURRENCY: it moves the clock of one process.');
  }
  if (env.appEnv === 'production') problems.push(...productionProblems(env, missing));
  return problems;
}

let cachedEnv: Env | undefined;

/** The settings of this process. Read at the first access, so that a build needs none of them. */
export const env: Env = new Proxy({} as Env, {
  get(_target, name) {
    cachedEnv ??= readEnv(process.env);
    return cachedEnv[name as keyof Env];
  },
});

/** Reads the list once, at the start, so that errors are noticed before a payment is routed by it. */
function binCountriesIn(path: string | undefined, problems: string[]): BinCountries | null {
  if (!path) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    problems.push('BIN_COUNTRIES_FILE should be the path of a readable file.');
    return null;
  }
  const read = readBinCountries(text);
  if (!('wrongLine' in read)) return read;
  const where = read.wrongLine > 0 ? `line ${read.wrongLine} is invalid` : 'the file is empty';
  problems.push(
    `BIN_COUNTRIES_FILE should contain lines such as 457173,DK (4 to 8 digits, ISO 3166-1 alpha-2): ${where}.`,
  );
  return null;
}

const merchantRoles = ['merchant_owner', 'operator', 'viewer'];

function parseSecondFactor(text: string): string[] | undefined {
  const all = [...managingRoles, ...merchantRoles];
  if (text === 'all') return all;
  const on = parseSwitch(text);
  if (on !== undefined) return on ? managingRoles : [];
  const roles = text.split(/\s+/);
  return roles.every((role) => all.includes(role)) ? roles : undefined;
}

function parseOrigin(text: string): string | undefined {
  const url = urlOf(text, /^https?:$/);
  return url && !url.username && !url.search && url.pathname === '/' ? url.origin : undefined;
}

/** A host without the scheme's default port, which browsers do not send. */
function parseHost(text: string, protocol: string): string | undefined {
  const address = `${protocol}//${text}`;
  const isHost = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text) && URL.canParse(address);
  return isHost ? new URL(address).host : undefined;
}

/** Returns an IP address or host name to listen on. */
function parseListenAddress(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined;
}

function parseSmtpUrl(text: string): string | undefined {
  const url = urlOf(text, /^smtps?:$/);
  return url && url.hostname !== '' && !url.search && /^\/?$/.test(url.pathname) ? text : undefined;
}

function parseSender(text: string): string | undefined {
  const address = '[^\\s@<>,;"]+@[^\\s@<>,;"]+';
  return new RegExp(`^(${address}|[^<>"\\r\\n]+<${address}>)$`).test(text) ? text : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

/** The public address of a host of this deployment, without a trailing slash; the base address without a host. */
const addressAt = (host: string | null) => (host ? `${new URL(env.baseUrl).protocol}//${host}` : env.baseUrl);

/** The public address of Checkout and of the payment pages, without a trailing slash. */
export const checkoutBaseUrl = () => addressAt(env.checkoutHost);

/** The public address of the dashboard's host, without a trailing slash. */
export const dashboardBaseUrl = () => addressAt(env.dashboardHost);

/**
 * What a link between the dashboard, the documentation and the public pages begins with. Empty if they have one host: a
 * sandbox has several names, and the browser stays at the one that it uses.
 */
export function linkBase(to: 'dashboard' | 'public'): string {
  if (env.dashboardHost === null) return '';
  return to === 'dashboard' ? dashboardBaseUrl() : env.baseUrl;
}

/** The public address of a protocol, without a trailing slash. */
export function protocolBaseUrl(protocol: 'checkout' | 's2s_card' | 's2s_apm'): string {
  if (protocol === 'checkout') return checkoutBaseUrl();
  const [host, path] = protocol === 's2s_card' ? [env.s2sCardHost, '/s2s/card'] : [env.s2sApmHost, '/s2s/apm'];
  return host ? addressAt(host) : env.baseUrl + path;
}
