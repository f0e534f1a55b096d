// What production refuses at the start, and the settings that open it, of which it warns.
import { type AddressRange, coversPrivateNetwork, coversPublicAddresses } from './address-ranges.ts';
import { leavesMachine } from './clamav-address.ts';
import { isSecure } from './web-addresses.ts';

/** The roles that manage every merchant, which need a second factor in production. */
export const managingRoles = ['administrator', 'account_manager'];

type Settings = {
  appEnv: string;
  logLevel: string;
  databaseUrl: string;
  baseUrl: string;
  secondFactorRoles: readonly string[];
  smsGatewayUrl: string | null;
  trustedProxies: readonly AddressRange[];
  privateNetworks: readonly AddressRange[];
  clamav: Parameters<typeof leavesMachine>[0];
  testControlToken: string | null;
  applePayGateway: string | null;
  allowPrivateTargets: boolean;
  cardTesting: object | null;
  rateLimits: object | null;
  connectionsPerAddress: number;
};

/** Missing variables and values that no deployment needs. `missing` says whether a variable has no value. */
export function productionProblems(env: Settings, missing: (name: string) => boolean): string[] {
  const problems: string[] = [];
  if (missing('BASE_URL')) problems.push('BASE_URL is missing: production needs its public address.');
  else if (!isSecure(env.baseUrl)) problems.push('BASE_URL should begin with https:// in production.');
  if (!managingRoles.every((role) => env.secondFactorRoles.includes(role))) {
    problems.push(`REQUIRE_SECOND_FACTOR should include ${managingRoles.join(' and ')} in production.`);
  }
  if (env.smsGatewayUrl !== null && !isSecure(env.smsGatewayUrl)) {
    problems.push('SMS_GATEWAY_URL should begin with https:// in production.');
  }
  if (env.trustedProxies.some(coversPublicAddresses)) {
    problems.push(
      'TRUSTED_PROXIES should be the addresses of the proxies in production, no public network wider than /8 (IPv4) or /16 (IPv6).',
    );
  }
  if (env.privateNetworks.some(coversPublicAddresses)) {
    problems.push(
      'PRIVATE_NETWORKS should be the networks of the providers in production, no public network wider than /8 (IPv4) or /16 (IPv6).',
    );
  }
  if (leavesMachine(env.clamav)) {
    problems.push('CLAMAV_URL should be an address of this machine in production: clamd has no encryption.');
  }
  if (env.logLevel === 'fatal' || env.logLevel === 'silent') {
    problems.push('LOG_LEVEL should be error or a lower level in production: alerts are lines of the log.');
  }
  if (env.testControlToken !== null) problems.push('TEST_CONTROL_TOKEN should be absent in production.');
  if (env.applePayGateway !== null) problems.push('APPLE_PAY_GATEWAY should be absent in production.');
  return problems;
}

/** The settings by which production lacks a protection, each with what it opens (docs/operations/configuration.md). */
export function productionWarnings(env: Settings): string[] {
  if (env.appEnv !== 'production') return [];
  const warnings: [boolean, string][] = [
    [
      env.allowPrivateTargets,
      'ALLOW_PRIVATE_TARGETS=on lets merchants send requests of this server to private networks and metadata services.',
    ],
    [env.cardTesting === null, 'CARD_TESTING=off lets payers test any number of stolen cards.'],
    [
      env.rateLimits === null,
      'RATE_LIMITS=off lets one client use up this server, and try the passwords of any number of users.',
    ],
    [
      env.trustedProxies.some(coversPrivateNetwork),
      'TRUSTED_PROXIES has a whole private network: every machine in it can choose the address of a client.',
    ],
    [
      isUnverified(env.databaseUrl),
      'DATABASE_URL has another host and no sslmode=verify-full: the network between can read and change what is stored.',
    ],
    [env.connectionsPerAddress === 0, 'CONNECTIONS_PER_ADDRESS=0 lets one client occupy every connection.'],
  ];
  return warnings.flatMap(([applies, text]) => (applies ? [text] : []));
}

/** Whether a database on another machine is used without its certificate being verified. */
function isUnverified(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const isLocal = /^(127\..*|\[::1\]|localhost|%2F.*|)$/i.test(hostname) || searchParams.has('host');
  return !isLocal && !['verify-full', 'verify-ca'].includes(searchParams.get('sslmode') ?? '');
}
