/** Keys of Google Pay: several open tokens at once, and the first is the one that pages ask tokens to be sealed for. */
import { z } from 'zod';
import { type DecryptedWallet, describeKey, type GoogleWallet, generateKey, normalizeKey } from '../../merchants';
import { WalletKeyError } from '../../wallets';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import { changeWallet, versionForm } from './actions';
import type { WalletView } from './contract';

/** As many as can be needed while keys change over. */
const keysMax = 4;

const adding = versionForm.extend({ privateKey: z.string().max(8192, 'That is too long for a key.').optional() });

/** Adds a key behind the others: one that is given, or a new one. */
export function addKeyAction(asked: DashboardRequest): Promise<WalletView | null> {
  const { privateKey } = parseBody(adding, asked.body);
  return changeWallet(asked, 'wallet.key_add', async (wallet) => {
    const { settings } = googleOf(wallet);
    if (settings.privateKeys.length >= keysMax) {
      throw new DashboardError(409, `There are ${keysMax} keys already. Remove one that Google no longer knows.`);
    }
    const added = privateKey === undefined ? await generateKey() : readKey(privateKey);
    const { fingerprint } = describeKey(added);
    if (settings.privateKeys.some((key) => describeKey(key).fingerprint === fingerprint)) {
      throw new DashboardError(409, 'This key is here already.');
    }
    return { settings: { ...settings, privateKeys: [...settings.privateKeys, added] } };
  });
}

function readKey(text: string): string {
  try {
    return normalizeKey(text);
  } catch (thrown) {
    if (!(thrown instanceof WalletKeyError)) throw thrown;
    throw new DashboardError(400, thrown.message, { privateKey: thrown.message });
  }
}

const naming = versionForm.extend({ fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** Takes a key away. */
export function removeKeyAction(asked: DashboardRequest): Promise<WalletView | null> {
  return changeKeys(asked, 'wallet.key_remove', (_named, others) => others);
}

/** Has pages ask for tokens under this key from now on; the others still open what was made before. */
export function preferKeyAction(asked: DashboardRequest): Promise<WalletView | null> {
  return changeKeys(asked, 'wallet.key_prefer', (named, others) => [named, ...others]);
}

function changeKeys(
  asked: DashboardRequest,
  action: string,
  arrange: (named: string, others: string[]) => string[],
): Promise<WalletView | null> {
  const { fingerprint } = parseBody(naming, asked.body);
  return changeWallet(asked, action, (wallet) => {
    const { settings } = googleOf(wallet);
    const isNamed = (key: string) => describeKey(key).fingerprint === fingerprint;
    const named = settings.privateKeys.find(isNamed);
    if (named === undefined) throw new DashboardError(409, 'The key is gone already.');
    const others = settings.privateKeys.filter((key) => key !== named);
    return { settings: { ...settings, privateKeys: arrange(named, others) } };
  });
}

function googleOf(wallet: DecryptedWallet): GoogleWallet {
  if (wallet.kind !== 'googlepay') throw new DashboardError(409, 'Only Google Pay has keys of this kind.');
  return wallet;
}
