/**
 * Changes of a wallet. Each is decided on the version that the user saw, is logged field by field before it is made,
 * and returns the changed wallet.
 */
import { z } from 'zod';
import { audit, auditChange } from '../../auth';
import { env } from '../../config';
import { isUuid, newId } from '../../core/ids';
import {
  type AppleSettings,
  createWallet,
  type DecryptedWallet,
  findWallet,
  type GoogleSettings,
  removeWallet,
  saveWallet,
} from '../../merchants';
import { certificateInfo, merchantHashOf } from '../../wallets';
import { conflictError, refusedChange } from '../conflict';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { parseBody } from '../parse-body';
import type { WalletView } from './contract';
import { appleValues, googleSettings, googleValues } from './values';
import { membersOf, viewOf } from './view';

const changedWallet = ({ id }: { id: string }) => ({ what: 'The wallet', subject: `wallet:${id}` });

export const versionForm = z.object({ version: z.int().min(0) });

/** The result of a change; absent members stay unchanged. */
export type WalletChanges<Wallet extends DecryptedWallet = DecryptedWallet> = Partial<
  Pick<Wallet, 'settings' | 'pending' | 'enabled'>
>;

/**
 * Finds the wallet that the user saw, decides its change, logs it and saves it. Null if the wallet does not exist for
 * this user.
 */
export async function changeWallet(
  request: DashboardRequest,
  action: string,
  decide: (wallet: DecryptedWallet) => WalletChanges | Promise<WalletChanges>,
): Promise<WalletView | null> {
  const wallet = await walletAtVersion(request);
  if (!wallet) return null;
  const changed = { ...wallet, ...(await decide(wallet)) } as DecryptedWallet;
  const entry = { ...walletAuditEntry(request, wallet), action };
  await auditChange(entry, membersOf(wallet), membersOf(changed), request.now);
  if (!(await saveWallet(changed))) throw await refused(request, action, wallet);
  return currentWalletView(request, wallet.id);
}

/** The wallet in the address, for a body that contains its version; null if it does not exist for this user. */
export async function walletAtVersion(request: DashboardRequest): Promise<DecryptedWallet | null> {
  const { version } = parseBody(versionForm, request.body);
  const wallet = await walletOf(request);
  if (wallet && wallet.version !== version) {
    throw await conflictError(request, { ...changedWallet(wallet), since: wallet.version - version });
  }
  return wallet;
}

const refused = (request: DashboardRequest, action: string, wallet: DecryptedWallet) =>
  refusedChange({ ...request, merchantId: wallet.merchantId }, action, changedWallet(wallet));

/** The wallet in the address; null if it does not exist for this user. */
export async function walletOf({
  params,
  scope,
}: Pick<DashboardRequest, 'params' | 'scope'>): Promise<DecryptedWallet | null> {
  const id = params.id ?? '';
  return isUuid(id) ? findWallet(id, scope) : null;
}

/** The wallet as it is now. */
export async function currentWalletView({ viewer, now }: DashboardRequest, id: string): Promise<WalletView | null> {
  const wallet = await findWallet(id, null);
  return wallet && viewOf(wallet, viewer, now);
}

/** The user and the wallet of an action, for the audit log. */
export function walletAuditEntry(
  { viewer }: Pick<DashboardRequest, 'viewer'>,
  { id, merchantId }: Pick<DecryptedWallet, 'id' | 'merchantId'>,
) {
  return { actor: `user:${viewer.id}`, subject: `wallet:${id}`, merchantId };
}

// Google Pay's settings have a `merchantId` of their own.
const creation = z.object({ kind: z.enum(['applepay', 'googlepay']), merchant: z.uuid() });

/** Creates a disabled wallet. */
export async function createAction(request: DashboardRequest): Promise<WalletView | null> {
  const { kind, merchant: merchantId } = parseBody(creation, request.body);
  if (request.scope !== null && request.scope !== merchantId) return null;
  if ((await merchantChoices(merchantId)).length === 0) return null;
  const settings: AppleSettings | GoogleSettings =
    kind === 'applepay'
      ? { ...parseBody(appleValues, request.body), processingKeys: [] }
      : { ...googleSettings(parseBody(googleValues, request.body)), privateKeys: [] };
  const id = newId();
  const entry = { ...walletAuditEntry(request, { id, merchantId }), action: 'wallet.create' };
  await audit({ ...entry, after: { kind, ...settings } }, request.now);
  if ((await createWallet(merchantId, kind, settings, id)) === null) {
    const message = 'The merchant has this wallet already.';
    await audit({ ...entry, action: 'wallet.create.refused', after: { message } }, request.now);
    throw new DashboardError(409, message);
  }
  return currentWalletView(request, id);
}

const environments = z.object({ environment: z.enum(['TEST', 'PRODUCTION']).optional() });

/** Changes the settings. */
export function settingsAction(request: DashboardRequest): Promise<WalletView | null> {
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
  const own = env.appEnv === 'production' ? 'PRODUCTION' : 'TEST';
  if (environment === undefined || environment === own) return;
  const what = own === 'TEST' ? 'a sandbox' : 'live';
  const message = `This deployment is ${what} and accepts tokens of ${own} only.`;
  throw new DashboardError(400, 'The request is not valid.', { environment: message });
}

function refuseOtherMerchant(keys: { certificate: string }[], merchantIdentifier: string): void {
  const hash = merchantHashOf(merchantIdentifier);
  const isOthers = keys.some(({ certificate }) => {
    const named = certificateInfo(certificate)?.merchantHash ?? null;
    return named !== null && named !== hash;
  });
  if (!isOthers) return;
  const message = 'The processing certificates are for another merchant identifier. Remove them first.';
  throw new DashboardError(400, 'The request is not valid.', { merchantIdentifier: message });
}

const switching = versionForm.extend({ enabled: z.boolean() });

/** Enables or disables a wallet. */
export function switchAction(request: DashboardRequest): Promise<WalletView | null> {
  const { enabled } = parseBody(switching, request.body);
  return changeWallet(request, enabled ? 'wallet.switch_on' : 'wallet.switch_off', () => ({ enabled }));
}

/** Deletes a wallet with all of its keys; returns its merchant. */
export async function removeAction(request: DashboardRequest): Promise<{ merchantId: string } | null> {
  const wallet = await walletAtVersion(request);
  if (!wallet) return null;
  const entry = { ...walletAuditEntry(request, wallet), action: 'wallet.remove' };
  await auditChange(entry, membersOf(wallet), {}, request.now);
  if (!(await removeWallet(wallet.id, wallet.version))) throw await refused(request, 'wallet.remove', wallet);
  return { merchantId: wallet.merchantId };
}
