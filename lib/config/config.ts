// Reads the deployment's settings from the environment once and validates them together: an invalid value stops the
// start and is reported by name. .env.example describes every variable.

import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type BinCountries, readBinCountries } from '../core/bins';
import { defaultTestingLimits, parseTestingLimits, type TestingLimits } from '../core/card-testing';
import { defaultRateLimits, parseRateLimits, type RateLimits } from '../core/rate-limits';
import { type GooglePayRoot, readApplePayRoots, readGooglePayRoots } from '../wallets';
import {
  parseDatabaseUrl,
  parsedFile,
  parseHost,
  parseListenAddress,
  parseOrigin,
  parseSender,
  parseSmtpUrl,
  parseSwitch,
  parseVaultKey,
  parseWebAddress,
  wholeNumber,
} from './parsers';

/** The validated settings. Durations have their unit in the name; absent optional values are `null`. */
export type Env = {
  /** A deployment is one environment (protocol.md 11). */
  appEnv: 'sandbox' | 'production';
  port: number;
  /** The address that the server listens on; `null`: all addresses of the machine. */
  listenAddress: string | null;
  /** The number of worker processes. */
  webConcurrency: number;
  /** Public address without a trailing slash, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Separate hosts for the three protocols, such as `checkout.example.com`; `null` means the base address. */
  checkoutHost: string | null;
  s2sCardHost: string | null;
  s2sApmHost: string | null;
  databaseUrl: string;
  databasePoolSize: number;
  /** The pooler between this process and PostgreSQL: one that assigns a connection per transaction, or none. */
  databasePooler: 'none' | 'transaction';
  /**
   * The direct address for commands that need a persistent connection (scripts/project.ts); `null`: there is no
   * pooler.
   */
  directDatabaseUrl: string | null;
  /** The 32 bytes that encrypt the data keys. */
  vaultKey: Uint8Array;
  /** The password of the sandbox's demo accounts. */
  demoPassword: string | null;
  /** Whether callbacks and reachability checks may use private addresses. */
  allowPrivateTargets: boolean;
  /** Whether administrators and account managers must use a second factor. */
  requireSecondFactor: boolean;
  /** The number of reverse proxies that append to X-Forwarded-For. */
  trustedProxyHops: number;
  /** Requests per minute by scope; `null`: unlimited. */
  rateLimits: RateLimits | null;
  /** Thresholds of card testing; `null` disables the check. */
  cardTesting: TestingLimits | null;
  /** The digest of the script inventory that the operator approved; `null`: the build's own. */
  scriptsApproved: string | null;
  /** Whether this process processes due rows. */
  jobs: boolean;
  /** How long a stopping process accepts connections, so that the load balancer notices first. */
  drainSeconds: number;
  /** Enables the sandbox's guarded clock and job rounds; `null` disables them. */
  testControlToken: string | null;
  /** Seconds by which this process's clock is shifted in tests of a sandbox; positive is ahead. */
  testClockSkewSeconds: number;
  /**
   * The mail server for messages to payers, `smtp://` or `smtps://` with user and password; `null`: no mail is sent.
   */
  smtpUrl: string | null;
  /** The sender of e-mails: an address, or a name with the address in angle brackets. */
  mailFrom: string | null;
  /** The HTTP gateway for text messages, and its bearer token; `null`: no text messages are sent. */
  smsGatewayUrl: string | null;
  smsGatewayToken: string | null;
  /** The deployment's list of card prefixes and their countries, for routing rules; `null`: sandbox cards only. */
  binCountries: BinCountries | null;
  /** The trusted roots of Apple Pay tokens; `null`: Apple Root CA - G3. */
  applePayRoots: X509Certificate[] | null;
  /** The maximum difference between an Apple Pay token's signing time and this server's clock. */
  applePayToleranceSeconds: number;
  /** Replaces Apple's gateway for Apple Pay sessions in tests; an origin. */
  applePayGateway: string | null;
  /** Google's root keys of this deployment's environment; `null`: no Google Pay token is accepted. */
  googlePayRoots: GooglePayRoot[] | null;
  /** Days for which requests of merchants' servers are stored for their engineers; 0: none is stored. */
  requestLogDays: number;
  /** The bearer token for /metrics; `null`: the route does not exist. */
  metricsToken: string | null;
  /** The address for traces, without a path; `null`: no traces. */
  otlpEndpoint: string | null;
  logLevel: LogLevel;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** All invalid variables at once, one line each with the variable and the expected value. */
export class EnvError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example.`);
    this.name = 'EnvError';
    this.problems = problems;
  }
}

type Source = Record<string, string | undefined>;

/** Reads a variable: the fallback if it is absent; an invalid one is a problem with what is `expected`. */
type Take = <T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined) => T;

/** Reads and validates the settings in `source`; throws {@link EnvError} with every invalid variable. */
export function readEnv(source: Source): Env {
  const problems: string[] = [];
  const take: Take = (name, fallback, expected, parse) => {
    const text = source[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} should be ${expected}.`);
    return value === undefined ? fallback : value;
  };
  const server = serverSettings(take);
  const env: Env = {
    ...server,
    ...databaseSettings(take),
    ...accessSettings(take, server.appEnv),
    ...limitSettings(take, server.appEnv),
    ...processSettings(take),
    ...messageSettings(take),
    binCountries: binCountriesIn(source.BIN_COUNTRIES_FILE?.trim(), problems),
    ...walletSettings(take, server.appEnv),
    ...recordSettings(take),
  };
  problems.push(...inconsistencies(env, source));
  if (problems.length > 0) throw new EnvError(problems);
  return env;
}

function serverSettings(take: Take) {
  const appEnv = take<Env['appEnv']>('APP_ENV', 'sandbox', '"sandbox" or "production"', (text) =>
    text === 'sandbox' || text === 'production' ? text : undefined,
  );
  const port = take('PORT', 3000, 'a port number from 1 to 65535', wholeNumber(1, 65535));
  const host = (name: string) => take<string | null>(name, null, 'a host name such as pay.example.com', parseHost);
  return {
    appEnv,
    port,
    listenAddress: take<string | null>(
      'HOST',
      null,
      'an address of this machine such as 127.0.0.1',
      parseListenAddress,
    ),
    webConcurrency: take('WEB_CONCURRENCY', 1, 'a whole number from 1 to 64', wholeNumber(1, 64)),
    baseUrl: take('BASE_URL', `http://localhost:${port}`, 'an http or https address without a path', parseOrigin),
    checkoutHost: host('CHECKOUT_HOST'),
    s2sCardHost: host('S2S_CARD_HOST'),
    s2sApmHost: host('S2S_APM_HOST'),
  };
}

function databaseSettings(take: Take) {
  return {
    databaseUrl: take('DATABASE_URL', '', 'a postgresql:// address', parseDatabaseUrl),
    databasePoolSize: take('DATABASE_POOL_SIZE', 16, 'a whole number from 1 to 200', wholeNumber(1, 200)),
    databasePooler: take<Env['databasePooler']>('DATABASE_POOLER', 'none', '"none" or "transaction"', (text) =>
      text === 'none' || text === 'transaction' ? text : undefined,
    ),
    directDatabaseUrl: take<string | null>('DIRECT_DATABASE_URL', null, 'a postgresql:// address', parseDatabaseUrl),
  };
}

/** Keys, passwords, and what protects the access. */
function accessSettings(take: Take, appEnv: Env['appEnv']) {
  return {
    vaultKey: take('VAULT_KEY', new Uint8Array(0), '32 bytes in base64 or hex', parseVaultKey),
    demoPassword: take<string | null>('DEMO_PASSWORD', null, 'at least 12 characters', (text) =>
      text.length >= 12 ? text : undefined,
    ),
    allowPrivateTargets: take('ALLOW_PRIVATE_TARGETS', appEnv === 'sandbox', '"on" or "off"', parseSwitch),
    requireSecondFactor: take('REQUIRE_SECOND_FACTOR', appEnv === 'production', '"on" or "off"', parseSwitch),
    trustedProxyHops: take('TRUSTED_PROXY_HOPS', 0, 'a whole number from 0 to 10', wholeNumber(0, 10)),
  };
}

function limitSettings(take: Take, appEnv: Env['appEnv']) {
  return {
    rateLimits: take<RateLimits | null>(
      'RATE_LIMITS',
      defaultRateLimits,
      'on, off, or limits such as pay.address=6000',
      parseRateLimits,
    ),
    cardTesting: take<TestingLimits | null>(
      'CARD_TESTING',
      appEnv === 'production' ? defaultTestingLimits : null,
      'on, off, or thresholds such as address=20',
      parseTestingLimits,
    ),
    scriptsApproved: take<string | null>('SCRIPTS_APPROVED', null, 'sha384- and 64 characters of base64', (text) =>
      /^sha384-[A-Za-z0-9+/]{64}$/.test(text) ? text : undefined,
    ),
  };
}

/** What one process does, and how tests control it. */
function processSettings(take: Take) {
  return {
    jobs: take('JOBS', true, '"on" or "off"', parseSwitch),
    drainSeconds: take('DRAIN_SECONDS', 0, 'a whole number from 0 to 60', wholeNumber(0, 60)),
    testControlToken: take<string | null>('TEST_CONTROL_TOKEN', null, 'at least 16 characters', (text) =>
      text.length >= 16 ? text : undefined,
    ),
    testClockSkewSeconds: take('TEST_CLOCK_SKEW_SECONDS', 0, 'a whole number from -86400 to 86400', (text) =>
      /^-?\d{1,5}$/.test(text) && Math.abs(Number(text)) <= 86_400 ? Number(text) : undefined,
    ),
  };
}

function messageSettings(take: Take) {
  return {
    smtpUrl: take<string | null>('SMTP_URL', null, 'an smtp:// or smtps:// address', parseSmtpUrl),
    mailFrom: take<string | null>('MAIL_FROM', null, 'an e-mail address, or a name and <an address>', parseSender),
    smsGatewayUrl: take<string | null>('SMS_GATEWAY_URL', null, 'an http or https address', parseWebAddress),
    smsGatewayToken: take<string | null>('SMS_GATEWAY_TOKEN', null, 'a token without blanks', (text) =>
      /^[!-~]+$/.test(text) ? text : undefined,
    ),
  };
}

function walletSettings(take: Take, appEnv: Env['appEnv']) {
  const takeFile = <T>(name: string, expected: string, parse: (text: string) => T): T | null =>
    take<T | null>(name, null, `the path of a file with ${expected}`, (path) => parsedFile(path, parse));
  // Both files are read, so that an invalid file for the other environment is noticed early.
  const googleRoots = {
    test: takeFile('GOOGLE_PAY_ROOTS_TEST', "Google's root keys of ECv2 in JSON", readGooglePayRoots),
    production: takeFile('GOOGLE_PAY_ROOTS_PRODUCTION', "Google's root keys of ECv2 in JSON", readGooglePayRoots),
  };
  return {
    applePayRoots: takeFile('APPLE_PAY_ROOTS', 'certificates of authorities in PEM', readApplePayRoots),
    applePayToleranceSeconds: take(
      'APPLE_PAY_TOLERANCE_SECONDS',
      300,
      'a whole number from 1 to 86400',
      wholeNumber(1, 86_400),
    ),
    applePayGateway: take<string | null>(
      'APPLE_PAY_GATEWAY',
      null,
      'an http or https address without a path',
      parseOrigin,
    ),
    googlePayRoots: googleRoots[appEnv === 'production' ? 'production' : 'test'],
  };
}

/** What is recorded of requests, and where it goes. */
function recordSettings(take: Take) {
  return {
    requestLogDays: take('REQUEST_LOG_DAYS', 14, 'a whole number from 0 to 400', wholeNumber(0, 400)),
    metricsToken: take<string | null>('METRICS_TOKEN', null, 'at least 16 characters', (text) =>
      text.length >= 16 ? text : undefined,
    ),
    otlpEndpoint: take<string | null>('OTEL_EXPORTER_OTLP_ENDPOINT', null, 'an http or https address', parseWebAddress),
    logLevel: take<LogLevel>('LOG_LEVEL', 'info', `one of ${logLevels.join(', ')}`, (text) =>
      logLevels.find((level) => level === text),
    ),
  };
}

/** Missing variables, and values that contradict each other or the environment. */
function inconsistencies(env: Env, source: Source): string[] {
  const problems: string[] = [];
  const missing = (name: string) => !source[name]?.trim();
  if (missing('DATABASE_URL'))
    problems.push('DATABASE_URL is missing (npm start sets it for its embedded PostgreSQL).');
  if (missing('VAULT_KEY'))
    problems.push('VAULT_KEY is missing: 32 bytes in base64, e.g. from openssl rand -base64 32.');
  // Messages without a sender or a token would fail for each payer.
  if (env.smtpUrl !== null && missing('MAIL_FROM')) problems.push('MAIL_FROM is missing: SMTP_URL needs a sender.');
  if (env.smsGatewayUrl !== null && missing('SMS_GATEWAY_TOKEN')) {
    problems.push('SMS_GATEWAY_TOKEN is missing: SMS_GATEWAY_URL needs it.');
  }
  if (env.testClockSkewSeconds !== 0 && env.testControlToken === null) {
    problems.push('TEST_CLOCK_SKEW_SECONDS should be absent without TEST_CONTROL_TOKEN.');
  }
  if (env.testControlToken !== null && env.webConcurrency > 1) {
    problems.push('TEST_CONTROL_TOKEN should be absent with WEB_CONCURRENCY: it moves the clock of one process.');
  }
  if (env.appEnv === 'production') {
    if (missing('BASE_URL')) problems.push('BASE_URL is missing: production needs its public address.');
    if (!env.requireSecondFactor) problems.push('REQUIRE_SECOND_FACTOR should not be off in production.');
    if (env.testControlToken !== null) problems.push('TEST_CONTROL_TOKEN should be absent in production.');
    if (env.applePayGateway !== null) problems.push('APPLE_PAY_GATEWAY should be absent in production.');
  }
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
