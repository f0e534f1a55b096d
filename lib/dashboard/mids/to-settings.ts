/**
 * Converts form input to stored settings: empty secrets stay unchanged, credentials follow the catalogue, limits are
 * read in the MID's currency. All errors are reported together, each at its field.
 */

import { exponentOf } from '../../core/currencies.ts';
import { parseAmount } from '../../core/money.ts';
import { ambiguousAmount, plainAmount } from '../../core/typed-amount.ts';
import { type MidFees, type MidSettings, methodSettingsOf, type StoredMid } from '../../merchants/index.ts';
import { invalid } from '../errors.ts';
import { limitCurrencyOf } from './limit-currency.ts';
import { credentialError, leadsToSandbox, linesOf, sandboxSettings } from './provider.ts';
import { type MidInput, plainSettings } from './schema.ts';

type Provider = StoredMid['settings'];
type FieldErrors = Record<string, string>;

/** The environment: only a sandbox allows the simulator and providers over plain HTTP. */
export type Deployment = { appEnv: 'sandbox' | 'production' };

/** The settings of MID `id`; `stored` has the previous ones. Throws with a sentence for each invalid field. */
export function toMidSettings(
  id: string,
  input: MidInput,
  stored: Provider | null,
  { appEnv }: Deployment,
): MidSettings {
  const errors: FieldErrors = {};
  const provider = providerSettings(id, input, stored, appEnv, errors);
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
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return settled;
}

/** The URL and keys of the provider. Keys are sent to no other host than the one that they were entered for. */
export function providerSettings(
  id: string,
  input: Pick<MidInput, 'provider' | 'url' | 'apiKey'> & { signingSecret?: string },
  stored: Provider | null,
  appEnv: Deployment['appEnv'],
  errors: FieldErrors,
): Pick<Provider, 'url' | 'apiKey' | 'signingSecret'> {
  if (input.provider === 'sandbox') {
    if (appEnv === 'sandbox') return sandboxSettings(id, stored);
    errors.provider = 'The simulator is available in the sandbox only.';
  }
  const { url } = input;
  if (url === '') errors.url = 'Enter the URL of the provider.';
  else if (appEnv === 'production' && !url.startsWith('https://')) errors.url = 'A live provider requires https.';
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
    const inherited = stored && !stored.methods?.[method] && sameValues(values, before);
    if (Object.keys(values).length > 0 && !inherited) own[method] = values;
  }
  return own;
}

function sameValues(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

function feesOf({ feePercent, feeFixed, feePayerBears }: MidInput): MidFees | Record<string, never> {
  if (feePercent === '' && feeFixed === '') return {};
  return { percent: feePercent || '0', fixed: feeFixed || '0', payer_bears: feePayerBears };
}

/** An amount in the MID's currency as minor units. */
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
