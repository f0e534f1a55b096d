/**
 * Converts form input to stored settings: empty secrets stay unchanged, credentials follow the catalogue, limits are
 * read in the MID's currency. All errors are reported together, each at its field.
 */
import { isDeepStrictEqual } from 'node:util';
import { env } from '../../config/index.ts';
import { exponentOf } from '../../core/currencies.ts';
import { parseAmount } from '../../core/money.ts';
import { ambiguousAmount, plainAmount } from '../../core/typed-amount.ts';
import { blockedReason, operatorGuard, type TargetSettings } from '../../http/index.ts';
import { type MidFees, type MidSettings, methodSettingsOf, type StoredMid } from '../../merchants/index.ts';
import { type CredentialLine, credentialLines } from '../../methods/catalog/lines.ts';
import { findMethod } from '../../methods/catalog.ts';
import { checkOf, formatOf } from '../../methods/formats.ts';
import { providerPath, sandboxProviderSettings } from '../../sandbox/index.ts';
import { invalid } from '../errors.ts';
import { limitCurrencyOf } from './new-values.ts';
import { type MidInput, plainSettings } from './schema.ts';

type Provider = StoredMid['settings'];
type FieldErrors = Record<string, string>;

/** The settings of MID `id`; `stored` has the previous ones. Throws with a sentence for each invalid field. */
export function toMidSettings(...input: Parameters<typeof readMidSettings>): MidSettings {
  const { settled, errors } = readMidSettings(...input);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return settled;
}

/** As {@link toMidSettings}, with the errors. */
export function readMidSettings(id: string, input: MidInput, stored: Provider | null, targets: TargetSettings) {
  const errors: FieldErrors = {};
  const provider = providerSettings(id, input, stored, targets, errors);
  const stays = stored !== null && input.provider === 'sandbox' && leadsToSandbox(stored);
  const moved = stored !== null && !stays && hostOf(stored.url) !== hostOf(provider.url);
  const methods = methodCredentials(input, stored, moved, errors);
  const { timeoutSeconds } = input;
  const currency = limitCurrencyOf(input.currencies);
  const settled: MidSettings = {
    ...plainSettings(input),
    settings: {
      ...provider,
      ...(timeoutSeconds !== null && { timeoutSeconds }),
      ...(Object.keys(methods).length > 0 && { methods }),
    },
    capabilities: {
      ...(input.payerTextMax !== null && { payerTextMax: input.payerTextMax }),
      ...(input.wallet !== '' && { wallet: input.wallet }),
      ...(input.cardSets.length > 0 && { cardSets: input.cardSets as MidSettings['capabilities']['cardSets'] }),
    },
    overrideLinkTarget: input.overrideLinkTarget || null,
    feeOptions: feesOf(input),
    dailyLimitMinor: limitOf(input.dailyLimit, currency, 'dailyLimit', errors),
    monthlyLimitMinor: limitOf(input.monthlyLimit, currency, 'monthlyLimit', errors),
  };
  return { settled, errors };
}

/**
 * The URL and keys of the provider. Only a sandbox allows the simulator, providers over plain HTTP and any private address.
 * Keys are sent to no other host than the one that they were entered for.
 */
export function providerSettings(
  id: string,
  input: Pick<MidInput, 'provider' | 'url' | 'apiKey'> & { signingSecret?: string },
  stored: Provider | null,
  targets: TargetSettings,
  errors: FieldErrors,
): Pick<Provider, 'url' | 'apiKey' | 'signingSecret'> {
  if (input.provider === 'sandbox') {
    if (targets.appEnv === 'sandbox') return sandboxSettings(id, stored);
    errors.provider = 'The simulator is available in the sandbox only.';
  }
  const { url } = input;
  if (url === '') errors.url = 'Enter the URL of the provider.';
  else if (targets.appEnv === 'production' && !url.startsWith('https://'))
    errors.url = 'A live provider requires https.';
  else if (blockedReason(url, operatorGuard(targets))) errors.url = privateAddress;
  const known = stored !== null && hostOf(stored.url) === hostOf(url) ? stored : null;
  const again = stored === null ? '' : ' Re-enter it when you change the host.';
  const apiKey = input.apiKey || known?.apiKey || '';
  const signingSecret = input.signingSecret || known?.signingSecret || '';
  if (apiKey === '') errors.apiKey = `Enter the API key.${again}`;
  if (signingSecret === '' && input.signingSecret !== undefined) {
    errors.signingSecret = `Enter the signing secret.${again}`;
  }
  return { url, apiKey, signingSecret };
}

const privateAddress = 'This port or private address is not allowed; PRIVATE_NETWORKS lists the allowed networks.';

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

function methodCredentials(input: MidInput, stored: Provider | null, moved: boolean, errors: FieldErrors) {
  // A family's settings stay: no method's form writes them.
  const remaining = Object.entries(stored?.methods ?? {}).filter(([name]) => name.endsWith('-'));
  const own: Record<string, Record<string, string>> = Object.fromEntries(moved ? [] : remaining);
  for (const method of input.methods) {
    const lines = linesOf(method);
    if (lines.length === 0) continue;
    const before = stored && !moved ? methodSettingsOf(stored, method) : {};
    const entered = input.credentials[method] ?? {};
    const values: Record<string, string> = {};
    for (const line of lines) {
      const { name, secret, required } = line;
      const typed = entered[name] ?? (secret ? '' : (before[name] ?? ''));
      const value = secret && typed === '' ? (before[name] ?? '') : typed;
      const error = value === '' ? null : credentialError(line, value);
      if (value !== '') values[name] = value;
      if (error !== null) errors[`credentials.${method}.${name}`] = error;
      if (value === '' && required) errors[`credentials.${method}.${name}`] = `${method} requires this value.`;
    }
    const inherited = stored && !stored.methods?.[method] && isDeepStrictEqual(values, before);
    if (Object.keys(values).length > 0 && !inherited) own[method] = values;
  }
  return own;
}

function feesOf({ feePercent, feeFixed, feePayerBears }: MidInput): MidFees | Record<string, never> {
  if (feePercent === '' && feeFixed === '') return {};
  return { percent: feePercent || '0', fixed: feeFixed || '0', payer_bears: feePayerBears };
}

function limitOf(text: string, currency: string, field: string, errors: FieldErrors): bigint | null {
  if (text === '') return null;
  const plain = plainAmount(text);
  const parsed = parseAmount(plain ?? '', currency);
  if (parsed.ok && parsed.minor > 0n) return parsed.minor;
  errors[field] = parsed.ok
    ? 'A limit is above zero. To stop the MID, disable it.'
    : plain === null
      ? ambiguousAmount(text)
      : limitError(parsed.fault, currency);
  return null;
}

function limitError(error: string, currency: string): string {
  const exponent = exponentOf(currency) ?? 2;
  if (error === 'decimals')
    return exponent === 0 ? `${currency} has no decimals.` : `${currency} has ${exponent} decimals.`;
  if (error === 'range') return 'A limit has at most 15 digits before the point.';
  return `Enter an amount such as ${exponent === 0 ? '5000' : '5000.00'}.`;
}

/** The credential definitions of a method; most have none. */
export function linesOf(method: string): CredentialLine[] {
  return credentialLines(findMethod(method)?.credentials);
}

/** The fields of a method's form. `choices` if only these are allowed. */
export function credentialFields(method: string) {
  return linesOf(method).map(({ name, secret, required, about, format }) => {
    const { choices } = formatOf(format).input;
    return { name, secret, required, about, choices: choices ? [...choices] : null };
  });
}

/** The error of a value as a sentence; null for a valid one. */
export function credentialError({ format }: CredentialLine, value: string): string | null {
  if ('value' in checkOf(format)(value)) return null;
  const [word, ...measures] = format.split(' ');
  if (word === 'one') return `Choose ${measures.join(' or ')}.`;
  if (word === 'header') return 'It is sent in a header: use visible ASCII characters without spaces.';
  if (word === 'by-currency')
    return 'Enter a currency, an equals sign and the ID, separated by spaces: EUR=1234 RON=5678.';
  return `Enter at most ${measures[0]} characters.`;
}

type Settings = StoredMid['settings'];

const ownKey = /^sandbox\.([\w-]{1,64})\.[\w-]{43}$/;

/** Whether these settings use the sandbox simulator. */
export function leadsToSandbox({ url, apiKey }: Settings): boolean {
  if (env.appEnv !== 'sandbox' || !URL.canParse(url) || !ownKey.test(apiKey)) return false;
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === providerPath;
}

/** The simulator's URL and keys for a MID. An existing MID keeps its accounts. */
export function sandboxSettings(midId: string, stored: Settings | null) {
  const [, account = midId] = (stored && leadsToSandbox(stored) && ownKey.exec(stored.apiKey)) || [];
  const { url, apiKey, signingSecret } = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey, account);
  return { url, apiKey, signingSecret };
}
