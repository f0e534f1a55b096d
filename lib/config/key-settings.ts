/** Reads and checks the settings of the key that encrypts the data keys. */
import { readKmsAddress } from './kms-address.ts';
import { isOwnHost, isSecure, parseWebAddress } from './web-addresses.ts';

/** The 32 bytes of a text in base64 or hex; undefined for another length. */
export function parseVaultKey(text: string): Uint8Array | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  // The decoder skips blanks and other characters, with which a typed text could have 32 bytes.
  const isWhole =
    isHex || bytes.toString('base64url') === text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_');
  return bytes.length === 32 && isWhole ? new Uint8Array(bytes) : undefined;
}

/**
 * 32 random bytes have fewer than 20 different values in one of 10^10 cases, are all printable ASCII in one of 10^13, and in
 * base64 have capitals or small letters only in one of 10^9: such a key is zeros or a typed text.
 */
function isWeak(key: Uint8Array): boolean {
  const base64 = Buffer.from(key).toString('base64');
  const isTyped = !/[A-Z]/.test(base64) || !/[a-z]/.test(base64);
  return isTyped || new Set(key).size < 20 || key.every((byte) => byte >= 0x20 && byte <= 0x7e);
}

export const containerExpected = 'an https address, or that of a credentials agent on this machine';

/** The agents of ECS and of EKS Pod Identity, which AWS's own clients also accept without encryption. */
const containerAgents = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];

/** The address for the credentials of a container's role; undefined for one to which its token must not be sent. */
export function parseContainerAddress(text: string): string | undefined {
  const address = parseWebAddress(text);
  const isAllowed = address && (isSecure(address) || containerAgents.includes(new URL(address).hostname));
  return isAllowed ? address : undefined;
}

export const metadataExpected =
  'the address of the service at this machine, 169.254.169.254 or [fd00:ec2::254], without a path';

/** Whether AWS's instance metadata service can be at a host: any other would get the token, and name its own credentials. */
export const isMetadataHost = (host: string) =>
  isOwnHost(host) || ['169.254.169.254', '[fd00:ec2::254]'].includes(host);

type Settings = { appEnv: string; vaultKey: Uint8Array; vaultKms: string | null; awsKmsEndpoint: string | null };

/**
 * Missing and contradicting settings: exactly one of them has the key. A sandbox has VAULT_KEY also beside a service, for
 * its simulated provider. `missing` says whether a variable has no value.
 */
export function keyInconsistencies(env: Settings, missing: (name: string) => boolean): string[] {
  const isProduction = env.appEnv === 'production';
  const own = missing('VAULT_KEY_FILE') ? 'VAULT_KEY' : 'VAULT_KEY_FILE';
  const problems: string[] = [];
  if (!missing('VAULT_KEY') && !missing('VAULT_KEY_FILE')) {
    problems.push('VAULT_KEY_FILE should be absent with VAULT_KEY.');
  }
  if (missing(own) && (missing('VAULT_KMS') || !isProduction)) {
    problems.push('VAULT_KEY is missing: 32 bytes in base64, e.g. from openssl rand -base64 32.');
  }
  if (isProduction && env.vaultKey.length > 0 && isWeak(env.vaultKey)) {
    problems.push(`${own} should be 32 random bytes, not a typed text, e.g. from openssl rand -base64 32.`);
  }
  if (isProduction && !missing('VAULT_KMS') && !missing(own)) problems.push(`${own} should be absent with VAULT_KMS.`);
  return [...problems, ...serviceInconsistencies(env, missing)];
}

function serviceInconsistencies(env: Settings, missing: (name: string) => boolean): string[] {
  const kms = env.vaultKms === null ? undefined : readKmsAddress(env.vaultKms);
  if (!kms) return [];
  const isTransit = kms.kind === 'transit';
  const [name, address] = isTransit ? ['VAULT_KMS', kms.engine] : ['AWS_ENDPOINT_URL_KMS', env.awsKmsEndpoint];
  const isOpen = env.appEnv === 'production' && address !== null && !isSecure(address);
  const problems = isOpen ? [`${name} should begin with https:// in production.`] : [];
  if (!isTransit) {
    const absent = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].filter(missing);
    // Without both, the credentials are those of a role.
    if (absent.length === 1) problems.push(`${absent[0]} is missing: an access key has an id and a secret.`);
  } else if (missing('VAULT_TOKEN') && missing('VAULT_TOKEN_FILE')) {
    problems.push('VAULT_TOKEN is missing, or VAULT_TOKEN_FILE: VAULT_KMS needs one of them.');
  }
  return problems;
}
