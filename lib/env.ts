// The deployment's settings, read from the environment once and checked as a whole: a wrong value stops the start with
// its name instead of surfacing later as a strange payment. Every variable is described in .env.example.

/** The checked settings. Durations carry their unit in the name; absent optional values are `null`. */
export type Env = {
  /** One deployment is one environment (protocol.md 11). */
  appEnv: 'sandbox' | 'production';
  port: number;
  /** Public address without a trailing slash, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Hosts of their own for the three protocols, such as `checkout.example.com`; `null` means the base address. */
  checkoutHost: string | null;
  s2sCardHost: string | null;
  s2sApmHost: string | null;
  databaseUrl: string;
  databasePoolSize: number;
  /** The 32 bytes that wrap the data keys. */
  vaultKey: Uint8Array;
  /** The password of the sandbox's demo accounts. */
  demoPassword: string | null;
  /** Callbacks and reachability checks may reach private addresses. */
  allowPrivateTargets: boolean;
  /** How many reverse proxies stand in front and append to X-Forwarded-For. */
  trustedProxyHops: number;
  /** Whether this process runs the due rows. */
  jobs: boolean;
  /** Opens the guarded clock and tick of the sandbox; `null` keeps them shut. */
  testControlToken: string | null;
  logLevel: LogLevel;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** Every wrong variable at once, each line naming the variable and what it should be. */
export class EnvFault extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}\nSee .env.example.`);
    this.name = 'EnvFault';
    this.faults = faults;
  }
}

type Source = Record<string, string | undefined>;

/** Reads and checks the settings in `source`; throws {@link EnvFault} naming every wrong variable. */
export function readEnv(source: Source): Env {
  const faults: string[] = [];
  const take = <T>(name: string, fallback: T, wanted: string, parse: (text: string) => T | undefined): T => {
    const text = source[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} should be ${wanted}.`);
    return value ?? fallback;
  };
  const appEnv = take<Env['appEnv']>('APP_ENV', 'sandbox', '"sandbox" or "production"', (text) =>
    text === 'sandbox' || text === 'production' ? text : undefined,
  );
  const port = take('PORT', 3000, 'a port number from 1 to 65535', wholeNumber(1, 65535));
  const host = (name: string) => take<string | null>(name, null, 'a host name such as pay.example.com', parseHost);
  const env: Env = {
    appEnv,
    port,
    baseUrl: take('BASE_URL', `http://localhost:${port}`, 'an http or https address without a path', parseOrigin),
    checkoutHost: host('CHECKOUT_HOST'),
    s2sCardHost: host('S2S_CARD_HOST'),
    s2sApmHost: host('S2S_APM_HOST'),
    databaseUrl: take('DATABASE_URL', '', 'a postgresql:// address', parseDatabaseUrl),
    databasePoolSize: take('DATABASE_POOL_SIZE', 16, 'a whole number from 1 to 200', wholeNumber(1, 200)),
    vaultKey: take('VAULT_KEY', new Uint8Array(0), '32 bytes in base64 or hex', parseVaultKey),
    demoPassword: take<string | null>('DEMO_PASSWORD', null, 'at least 12 characters', (text) =>
      text.length >= 12 ? text : undefined,
    ),
    allowPrivateTargets: take('ALLOW_PRIVATE_TARGETS', appEnv === 'sandbox', '"on" or "off"', parseSwitch),
    trustedProxyHops: take('TRUSTED_PROXY_HOPS', 0, 'a whole number from 0 to 10', wholeNumber(0, 10)),
    jobs: take('JOBS', true, '"on" or "off"', parseSwitch),
    testControlToken: take<string | null>('TEST_CONTROL_TOKEN', null, 'at least 16 characters', (text) =>
      text.length >= 16 ? text : undefined,
    ),
    logLevel: take<LogLevel>('LOG_LEVEL', 'info', `one of ${logLevels.join(', ')}`, (text) =>
      logLevels.find((level) => level === text),
    ),
  };
  const missing = (name: string) => !source[name]?.trim();
  if (missing('DATABASE_URL')) faults.push('DATABASE_URL is missing (npm start sets it for its embedded PostgreSQL).');
  if (missing('VAULT_KEY')) faults.push('VAULT_KEY is missing: 32 bytes in base64, e.g. from openssl rand -base64 32.');
  if (appEnv === 'production') {
    if (missing('BASE_URL')) faults.push('BASE_URL is missing: production needs its public address.');
    if (env.testControlToken !== null) faults.push('TEST_CONTROL_TOKEN should be absent in production.');
  }
  if (faults.length > 0) throw new EnvFault(faults);
  return env;
}

let checked: Env | undefined;

/** The settings of this process. Read and checked at the first use, so that a build needs none of them. */
export const env: Env = new Proxy({} as Env, {
  get(_target, name) {
    checked ??= readEnv(process.env);
    return checked[name as keyof Env];
  },
});

function wholeNumber(least: number, most: number) {
  return (text: string): number | undefined => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  return /^(off|false|0|no)$/i.test(text) ? false : undefined;
}

function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) return undefined;
  return url.pathname === '/' ? url.origin : undefined;
}

function parseHost(text: string): string | undefined {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text) ? text.toLowerCase() : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

function parseVaultKey(text: string): Uint8Array | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return bytes.length === 32 ? new Uint8Array(bytes) : undefined;
}
