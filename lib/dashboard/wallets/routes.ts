/** Routes of wallets. */

import { may } from '../../auth';
import { countWalletPayments, deployedEnvironment, walletsOf } from '../../merchants';
import { type DashboardRequest, type GuardedRoute, route } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { createAction, removeAction, settingsAction, switchAction, walletOf } from './actions';
import { certificateAction, removeCertificateAction, requestAction, requestFile, validationAction } from './apple';
import type { WalletsPage, WalletView } from './contract';
import { checkDomainAction, removeDomainAction, saveDomainAction } from './domains';
import { addKeyAction, preferKeyAction, removeKeyAction } from './google';
import { environmentLabel, viewOf } from './view';

const countedDays = 14;
const countedMost = 10_000;

/** The wallets of the merchant in `merchant`, otherwise of the first. Null for a merchant out of scope. */
export async function walletsPage({
  query,
  scope,
  viewer,
  now,
}: Pick<DashboardRequest, 'query' | 'scope' | 'viewer' | 'now'>): Promise<WalletsPage | null> {
  const merchants = await merchantChoices(scope);
  const named = query.get('merchant');
  const merchant = named === null ? merchants[0] : merchants.find(({ id }) => id === named);
  if (named !== null && !merchant) return null;
  const wallets = merchant ? await walletsOf(merchant.id) : [];
  const views = await Promise.all(wallets.map((wallet) => viewOf(wallet, viewer, now)));
  const since = new Date(now.getTime() - countedDays * 86_400_000);
  const counts = merchant ? await countWalletPayments(merchant.id, since, countedMost) : { applepay: 0, googlepay: 0 };
  return {
    merchants,
    merchant: merchant ?? null,
    apple: views.find((view) => view.kind === 'applepay') ?? null,
    google: views.find((view) => view.kind === 'googlepay') ?? null,
    payments: { ...counts, days: countedDays, most: countedMost },
    environment: environmentLabel(deployedEnvironment()),
    mayChange: may(viewer.role, 'settings.change'),
  };
}

/** One wallet; null if it does not exist for this user. */
export async function walletPage(
  request: Pick<DashboardRequest, 'params' | 'scope' | 'viewer' | 'now'>,
): Promise<WalletView | null> {
  const wallet = await walletOf(request);
  return wallet && viewOf(wallet, request.viewer, request.now);
}

const uploadBytesMax = 160 * 1024;

function action(path: string, run: GuardedRoute['run'], bodyBytesMax?: number): GuardedRoute {
  return { method: 'POST', path, right: 'settings.change', run, ...(bodyBytesMax !== undefined && { bodyBytesMax }) };
}

export const walletRoutes: GuardedRoute[] = [
  route('GET /wallets', 'settings.read', walletsPage),
  action('/wallets', createAction),
  route('GET /wallets/:id', 'settings.read', walletPage),
  action('/wallets/:id', settingsAction),
  action('/wallets/:id/switch', switchAction),
  action('/wallets/:id/remove', removeAction),
  action('/wallets/:id/requests', requestAction),
  route('GET /wallets/:id/requests/:slot', 'settings.read', requestFile),
  action('/wallets/:id/certificates', certificateAction, uploadBytesMax),
  action('/wallets/:id/certificates/remove', removeCertificateAction),
  action('/wallets/:id/validation', validationAction),
  action('/wallets/:id/domains', saveDomainAction, 40 * 1024),
  action('/wallets/:id/domains/remove', removeDomainAction),
  action('/wallets/:id/domains/check', checkDomainAction),
  action('/wallets/:id/keys', addKeyAction),
  action('/wallets/:id/keys/remove', removeKeyAction),
  action('/wallets/:id/keys/prefer', preferKeyAction),
];
