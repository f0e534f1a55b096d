/** Keys of Google Pay: several keys decrypt tokens at once, and payment pages use the first. */
import { z } from 'zod';
import {
  type DecryptedWallet,
  describeKey,
  type GoogleWallet,
  generateKey,
  normalizeKey,
} from '../../merchants/index.ts';
import { WalletKeyError } from '../../wallets/index.ts';
import { invalid, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { changeWallet, versionForm } from './actions.ts';

/** The maximum number of keys during a rotation. */
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
    const added = privateKey === undefined ? await generateKey() : readKey(privateKey);
    const { fingerprint } = describeKey(added);
    if (settings.privateKeys.some((key) => describeKey(key).fingerprint === fingerprint)) {
      throw refusal('This key is stored already.');
    }
    return { settings: { ...settings, privateKeys: [...settings.privateKeys, added] } };
  });
}

function readKey(text: string): string {
  try {
    return normalizeKey(text);
  } catch (thrown) {
    if (!(thrown instanceof WalletKeyError)) throw thrown;
    throw invalid({ privateKey: thrown.message }, thrown.message);
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

function changeKeys(request: DashboardRequest, action: string, arrange: (named: string, others: string[]) => string[]) {
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
