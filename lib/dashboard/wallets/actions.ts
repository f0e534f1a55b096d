/**
 * Changes of a wallet, decided on the version that the user saw; each returns the changed wallet. Several keys of Google
 * Pay decrypt tokens at once, and payment pages use the first.
 */

import { z } from 'zod';
import type { AuditAction } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { newId } from '../../core/ids.ts';
import {
  createWallet,
  type DecryptedWallet,
  describeKey,
  type GoogleWallet,
  generateKey,
  normalizeKey,
  removeWallet,
  saveWallet,
} from '../../merchants/index.ts';
import { certificateInfo, merchantHashOf, WalletKeyError } from '../../wallets/index.ts';
import { atVersion, logAction, loggedRefusal, saveChange } from '../changes.ts';
import { invalid, notFound, parseBody, refusal } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest } from '../guard.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { appleValues, googleSettings, googleValues } from './values.ts';
import { environmentLabel, membersOf, walletOf, walletPage } from './view.ts';

/** The body of an action that needs only the version of the wallet that the user saw. */
export const versionForm = z.object({ version: z.int().min(0) });

/** The result of a change; absent members stay unchanged. */
type WalletChanges = Partial<Pick<DecryptedWallet, 'settings' | 'pending' | 'enabled'>>;

/** Decides, logs and saves a change of the wallet that the user saw. */
export async function changeWallet(
  request: DashboardRequest,
  action: AuditAction,
  decide: (wallet: DecryptedWallet) => WalletChanges | Promise<WalletChanges>,
) {
  const wallet = await walletAtVersion(request);
  const changed = { ...wallet, ...(await decide(wallet)) } as DecryptedWallet;
  const difference = { before: membersOf(wallet), after: membersOf(changed) };
  await saveChange(request, action, wallet, difference, () => saveWallet(changed), true);
  return walletPage(request);
}

/** The wallet in the address, for a body that contains its version. */
async function walletAtVersion(request: DashboardRequest) {
  const { version } = parseBody(versionForm, request.body);
  return atVersion(request, 'wallet', await walletOf(request), version);
}

// Google Pay's settings have a `merchantId` of their own.
const creation = z.object({ kind: z.enum(['applepay', 'googlepay']), merchant: idField() });

/** Creates a disabled wallet. */
export async function createAction(request: DashboardRequest) {
  const { body, scope } = request;
  const { kind, merchant: merchantId } = parseBody(creation, body);
  if (scope !== null && scope !== merchantId) throw notFound();
  if ((await merchantChoices(merchantId)).length === 0) throw notFound();
  const settings =
    kind === 'applepay'
      ? { ...parseBody(appleValues, body), processingKeys: [] }
      : { ...googleSettings(parseBody(googleValues, body)), privateKeys: [] };
  const id = newId();
  await logAction(request, 'wallet.create', `wallet:${id}`, { after: { kind, ...settings }, merchantId });
  if ((await createWallet(merchantId, kind, settings, id)) === null) {
    const message = 'The merchant has this wallet already.';
    throw await loggedRefusal(request, 'wallet.create', `wallet:${id}`, message, { merchantId });
  }
  return walletPage({ ...request, params: { id } });
}

const environments = z.object({ environment: z.enum(['TEST', 'PRODUCTION']).optional() });

/** Changes the settings. */
export function settingsAction(request: DashboardRequest) {
  return changeWallet(request, 'wallet.change', (wallet) => {
    if (wallet.kind === 'applepay') {
      const values = parseBody(appleValues, request.body);
      refuseOtherMerchant(wallet.settings.processingKeys, values.merchantIdentifier);
      return { settings: { ...wallet.settings, ...values } };
    }
    refuseOtherEnvironment(parseBody(environments, request.body).environment);
    const values = parseBody(googleValues, request.body);
    return { settings: { ...googleSettings(values), privateKeys: wallet.settings.privateKeys } };
  });
}

/** Tokens belong to one environment, and so does this deployment. */
function refuseOtherEnvironment(environment: 'TEST' | 'PRODUCTION' | undefined): void {
  const own = environmentLabel(env.appEnv === 'production' ? 'production' : 'test');
  if (environment === undefined || environment === own) return;
  const what = own === 'TEST' ? 'a sandbox' : 'live';
  const message = `This deployment is ${what} and accepts tokens of ${own} only.`;
  throw invalid({ environment: message });
}

function refuseOtherMerchant(keys: { certificate: string }[], merchantIdentifier: string): void {
  const hash = merchantHashOf(merchantIdentifier);
  const isOthers = keys.some(({ certificate }) => {
    const named = certificateInfo(certificate)?.merchantHash ?? null;
    return named !== null && named !== hash;
  });
  if (!isOthers) return;
  throw invalid({
    merchantIdentifier: 'The processing certificates are for another merchant identifier. Remove them first.',
  });
}

const switching = versionForm.extend({ enabled: z.boolean() });

/** Enables or disables a wallet. */
export function switchAction(request: DashboardRequest) {
  const { enabled } = parseBody(switching, request.body);
  return changeWallet(request, enabled ? 'wallet.switch_on' : 'wallet.switch_off', () => ({ enabled }));
}

/** Deletes a wallet with all of its keys; returns its merchant. */
export async function removeAction(request: DashboardRequest) {
  const wallet = await walletAtVersion(request);
  const { id, version, merchantId } = wallet;
  const difference = { before: membersOf(wallet), after: {} };
  await saveChange(request, 'wallet.remove', wallet, difference, () => removeWallet(id, version), true);
  return { merchantId };
}

const keysMax = 4;

const adding = versionForm.extend({ privateKey: z.string().max(8192, 'The text is too long for a key.').optional() });

/** Adds a key at the end: an uploaded one, or a new one. */
export function addKeyAction(request: DashboardRequest) {
  const { privateKey } = parseBody(adding, request.body);
  return changeWallet(request, 'wallet.key_add', async (wallet) => {
    const { settings } = googleOf(wallet);
    if (settings.privateKeys.length >= keysMax) {
      throw refusal(`There are ${keysMax} keys already. Remove one that is no longer registered with Google.`);
    }
    const added = privateKey === undefined ? await generateKey() : keyIn('privateKey', () => normalizeKey(privateKey));
    const { fingerprint } = describeKey(added);
    if (settings.privateKeys.some((key) => describeKey(key).fingerprint === fingerprint)) {
      throw refusal('This key is stored already.');
    }
    return { settings: { ...settings, privateKeys: [...settings.privateKeys, added] } };
  });
}

/** What `read` gives; a key that cannot be read is an error of the field. */
export function keyIn<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof WalletKeyError)) throw thrown;
    throw invalid({ [field]: thrown.message }, thrown.message);
  }
}

const naming = versionForm.extend({ fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** Deletes a key. */
export function removeKeyAction(request: DashboardRequest) {
  return changeKeys(request, 'wallet.key_remove', (_named, others) => others);
}

/** Makes payment pages use this key; the others still decrypt earlier tokens. */
export function preferKeyAction(request: DashboardRequest) {
  return changeKeys(request, 'wallet.key_prefer', (named, others) => [named, ...others]);
}

function changeKeys(
  request: DashboardRequest,
  action: AuditAction,
  arrange: (named: string, others: string[]) => string[],
) {
  const { fingerprint } = parseBody(naming, request.body);
  return changeWallet(request, action, (wallet) => {
    const { settings } = googleOf(wallet);
    const isNamed = (key: string) => describeKey(key).fingerprint === fingerprint;
    const named = settings.privateKeys.find(isNamed);
    if (named === undefined) throw refusal('The key was removed already.');
    const others = settings.privateKeys.filter((key) => key !== named);
    return { settings: { ...settings, privateKeys: arrange(named, others) } };
  });
}

function googleOf(wallet: DecryptedWallet): GoogleWallet {
  if (wallet.kind !== 'googlepay') throw refusal('Only Google Pay has keys of this kind.');
  return wallet;
}
