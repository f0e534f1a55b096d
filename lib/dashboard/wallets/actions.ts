/**
 * Changes of a wallet. Each is decided on the version that the person saw, is written into the audit log field by field
 * before it is done, and answers the wallet as it is then.
 */
import { z } from 'zod';
import { audit, auditChange } from '../../auth/audit';
import { env } from '../../config/config';
import { isUuid, newId } from '../../core/ids';
import {
  type AppleSettings,
  createWallet,
  findWallet,
  type GoogleSettings,
  type OpenWallet,
  removeWallet,
  saveWallet,
} from '../../merchants/wallet-settings';
import { factsOf, merchantHashOf } from '../../wallets/certificate-facts';
import { Fault } from '../fault';
import type { Asked } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { valid } from '../valid';
import type { WalletView } from './contract';
import { appleValues, googleSettings, googleValues } from './values';
import { membersOf, viewOf } from './view';

const stale = 'The wallet has changed meanwhile. Look at it again and decide anew.';

export const seen = z.object({ version: z.int().min(0) });

/** What a change leaves behind; what it leaves out stays. */
export type Changed<Wallet extends OpenWallet = OpenWallet> = Partial<Pick<Wallet, 'settings' | 'pending' | 'enabled'>>;

/**
 * Finds the wallet that the person has seen, decides its change, logs it and keeps it. Null for a wallet that is not
 * there for this person.
 */
export async function change(
  asked: Asked,
  action: string,
  decide: (wallet: OpenWallet) => Changed | Promise<Changed>,
): Promise<WalletView | null> {
  const wallet = await seenWallet(asked);
  if (!wallet) return null;
  const changed = { ...wallet, ...(await decide(wallet)) } as OpenWallet;
  const entry = { ...entryOf(asked, wallet), action };
  await auditChange(entry, membersOf(wallet), membersOf(changed), asked.now);
  if (!(await saveWallet(changed))) {
    await audit({ ...entry, action: `${action}.refused`, after: { message: stale } }, asked.now);
    throw new Fault(409, stale);
  }
  return viewAgain(asked, wallet.id);
}

/** The wallet of the address, for a body that names its version; null where it is not there for this person. */
export async function seenWallet(asked: Asked): Promise<OpenWallet | null> {
  const { version } = valid(seen, asked.body);
  const wallet = await walletOf(asked);
  if (wallet && wallet.version !== version) throw new Fault(409, stale);
  return wallet;
}

/** The wallet of the address; null where it is not there for this person. */
export async function walletOf({ params, scope }: Pick<Asked, 'params' | 'scope'>): Promise<OpenWallet | null> {
  const id = params.id ?? '';
  return isUuid(id) ? findWallet(id, scope) : null;
}

/** The wallet as it is by now. */
export async function viewAgain({ viewer, now }: Asked, id: string): Promise<WalletView | null> {
  const wallet = await findWallet(id, null);
  return wallet && viewOf(wallet, viewer, now);
}

/** Who does something to which wallet, for the audit log. */
export function entryOf({ viewer }: Pick<Asked, 'viewer'>, { id, merchantId }: Pick<OpenWallet, 'id' | 'merchantId'>) {
  return { actor: `user:${viewer.id}`, subject: `wallet:${id}`, merchantId };
}

// Google Pay has a `merchantId` of its own among its values.
const creation = z.object({ kind: z.enum(['applepay', 'googlepay']), merchant: z.uuid() });

/** Makes a wallet, switched off until somebody switches it on. */
export async function createAction(asked: Asked): Promise<WalletView | null> {
  const { kind, merchant: merchantId } = valid(creation, asked.body);
  if (asked.scope !== null && asked.scope !== merchantId) return null;
  if ((await merchantChoices(merchantId)).length === 0) return null;
  const settings: AppleSettings | GoogleSettings =
    kind === 'applepay'
      ? { ...valid(appleValues, asked.body), processingKeys: [] }
      : { ...googleSettings(valid(googleValues, asked.body)), privateKeys: [] };
  const id = newId();
  const entry = { ...entryOf(asked, { id, merchantId }), action: 'wallet.create' };
  await audit({ ...entry, after: { kind, ...settings } }, asked.now);
  if ((await createWallet(merchantId, kind, settings, id)) === null) {
    const message = 'The merchant has this wallet already.';
    await audit({ ...entry, action: 'wallet.create.refused', after: { message } }, asked.now);
    throw new Fault(409, message);
  }
  return viewAgain(asked, id);
}

const environments = z.object({ environment: z.enum(['TEST', 'PRODUCTION']).optional() });

/** Changes what is filled in. */
export function settingsAction(asked: Asked): Promise<WalletView | null> {
  return change(asked, 'wallet.change', (wallet) => {
    if (wallet.kind === 'applepay') {
      const values = valid(appleValues, asked.body);
      refuseOtherMerchant(wallet.settings.processingKeys, values.merchantIdentifier);
      return { settings: { ...wallet.settings, ...values } };
    }
    refuseOtherEnvironment(valid(environments, asked.body).environment);
    const values = valid(googleValues, asked.body);
    return { settings: { ...googleSettings(values), privateKeys: wallet.settings.privateKeys } };
  });
}

/** Tokens are made in one environment, and this deployment is one. */
function refuseOtherEnvironment(environment: 'TEST' | 'PRODUCTION' | undefined): void {
  const own = env.appEnv === 'production' ? 'PRODUCTION' : 'TEST';
  if (environment === undefined || environment === own) return;
  const what = own === 'TEST' ? 'a sandbox' : 'live';
  const message = `This deployment is ${what} and takes tokens of ${own} only.`;
  throw new Fault(400, 'The request is not valid.', { environment: message });
}

function refuseOtherMerchant(keys: { certificate: string }[], merchantIdentifier: string): void {
  const hash = merchantHashOf(merchantIdentifier);
  const isOthers = keys.some(({ certificate }) => {
    const named = factsOf(certificate)?.merchantHash ?? null;
    return named !== null && named !== hash;
  });
  if (!isOthers) return;
  const message = 'The processing certificates are for another merchant identifier. Remove them first.';
  throw new Fault(400, 'The request is not valid.', { merchantIdentifier: message });
}

const switching = seen.extend({ enabled: z.boolean() });

/** Switches a wallet on or off. */
export function switchAction(asked: Asked): Promise<WalletView | null> {
  const { enabled } = valid(switching, asked.body);
  return change(asked, enabled ? 'wallet.switch_on' : 'wallet.switch_off', () => ({ enabled }));
}

/** Takes a wallet away with all of its keys; answers whose it was. */
export async function removeAction(asked: Asked): Promise<{ merchantId: string } | null> {
  const wallet = await seenWallet(asked);
  if (!wallet) return null;
  const entry = { ...entryOf(asked, wallet), action: 'wallet.remove' };
  await auditChange(entry, membersOf(wallet), {}, asked.now);
  if (!(await removeWallet(wallet.id, wallet.version))) throw new Fault(409, stale);
  return { merchantId: wallet.merchantId };
}
