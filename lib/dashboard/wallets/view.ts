/** Wallets as their pages show them and as the audit log stores them, without private keys. */

import { type Members, may, type Viewer } from '../../auth/index.ts';
import { checkoutBaseUrl, env } from '../../config/index.ts';
import { isUuid } from '../../core/ids.ts';
import { pick } from '../../core/pick.ts';
import {
  type AppleWallet,
  countWalletPayments,
  type DecryptedWallet,
  deployedEnvironment,
  describeKey,
  domainsOf,
  type ExpiringCertificate,
  expiringCertificates,
  findWallet,
  type GoogleWallet,
  type PendingRequest,
  type WalletDomain,
  type WalletMid,
  walletMids,
  walletsOf,
  warningDays,
} from '../../merchants/index.ts';
import { certificateInfo } from '../../wallets/index.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';
import { chosenMerchant } from '../merchants/choices.ts';
import type { AttentionItem } from '../overview/attention.ts';

/** Where Apple requests the file of a host. */
const associationPath = '/.well-known/apple-developer-merchantid-domain-association';

const dayMs = 86_400_000;
const countedDays = 14;
const countedMost = 10_000;

/** The wallets of the merchant in `merchant`, otherwise of the first. */
export async function walletsPage(request: PageContext) {
  const { viewer, now } = request;
  const { merchants, merchant } = await chosenMerchant(request);
  const wallets = merchant ? await walletsOf(merchant.id) : [];
  const views = await Promise.all(wallets.map((wallet) => viewOf(wallet, viewer, now)));
  const since = new Date(now.getTime() - countedDays * dayMs);
  const counts = merchant ? await countWalletPayments(merchant.id, since, countedMost) : { applepay: 0, googlepay: 0 };
  return {
    merchants,
    merchant,
    apple: views.find((view) => view.kind === 'applepay') ?? null,
    google: views.find((view) => view.kind === 'googlepay') ?? null,
    /** Payments in the last `days` days; the count stops at `most`. */
    payments: { ...counts, days: countedDays, most: countedMost },
    environment: environmentLabel(deployedEnvironment()),
    mayChange: may(viewer.role, 'settings.change'),
  };
}

/** One wallet. */
export async function walletPage(request: PageContext) {
  return viewOf(await walletOf(request), request.viewer, request.now);
}

/** The wallet in the address. */
export async function walletOf({ params, scope }: PageContext) {
  const id = params.id ?? '';
  return existing(isUuid(id) ? await findWallet(id, scope) : null);
}

async function viewOf(wallet: DecryptedWallet, viewer: Viewer, now: Date) {
  const mids = await walletMids(wallet.merchantId);
  const common = {
    ...pick(wallet, 'id', 'version', 'enabled'),
    merchant: { id: wallet.merchantId, name: wallet.merchantName },
    environment: environmentLabel(wallet.environment),
    flow: flowOf(wallet, mids),
    /** What each MID accepts from the wallet, and whether it has the wallet's method. */
    accounts: mids.map(({ methods, ...mid }) => ({ ...mid, offers: methods.includes(wallet.kind) })),
    mayChange: may(viewer.role, 'settings.change'),
  };
  return wallet.kind === 'applepay'
    ? { ...common, ...applePart(wallet, now), domains: (await domainsOf(wallet.id)).map(domainOf) }
    : { ...common, ...googlePart(wallet) };
}

export function environmentLabel(environment: 'test' | 'production'): 'TEST' | 'PRODUCTION' {
  return environment === 'production' ? 'PRODUCTION' : 'TEST';
}

/** `card`: tokens are decrypted here. `virtual`: they are passed to the provider. `none`: no MID accepts any. */
function flowOf(wallet: DecryptedWallet, mids: WalletMid[]): 'card' | 'virtual' | 'none' {
  const offering = mids.filter(({ methods }) => methods.includes(wallet.kind));
  const takesCards = mids.some(({ methods, takes }) => methods.includes('card') && takes === 'decrypted');
  if (canOpen(wallet) && takesCards) return 'card';
  return offering.some(({ takes }) => takes !== 'none') ? 'virtual' : 'none';
}

function canOpen(wallet: DecryptedWallet): boolean {
  if (wallet.kind === 'applepay') return wallet.settings.processingKeys.some(({ privateKey }) => privateKey);
  return wallet.settings.privateKeys.length > 0 && env.googlePayRoots !== null;
}

function applePart({ settings, pending }: AppleWallet, now: Date) {
  const { processingKeys, merchantIdentity, ...values } = settings;
  const processing = processingKeys.flatMap(({ certificate, privateKey }) =>
    certificateOf(certificate, privateKey !== undefined, now),
  );
  const [identity] = merchantIdentity ? certificateOf(merchantIdentity.certificate, true, now) : [];
  return {
    kind: 'applepay' as const,
    values,
    /** By expiry, the latest first. */
    processing: processing.sort((one, other) => other.validTo.localeCompare(one.validTo)),
    identity: identity ?? null,
    requests: { processing: requestOf(pending.processing), identity: requestOf(pending.identity) },
    pageHost: pageHost(),
  };
}

/** The host of the payment pages, which a merchant registers with Apple. */
export function pageHost(): string {
  return new URL(checkoutBaseUrl()).host.replace(/:\d+$/, '');
}

function certificateOf(pem: string, hasKey: boolean, now: Date) {
  const facts = certificateInfo(pem);
  if (!facts) return [];
  const { merchantHash: _hash, ...shown } = facts;
  const leftMs = Date.parse(facts.validTo) - now.getTime();
  const state = leftMs <= 0 ? 'ended' : leftMs < warningDays * dayMs ? 'ending' : 'valid';
  return [{ ...shown, hasKey, state: state as 'valid' | 'ending' | 'ended' }];
}

const requestOf = (request: PendingRequest | undefined) =>
  request ? { kind: request.kind, madeAt: request.madeAt } : null;

const domainOf = (domain: WalletDomain) => ({ ...domain, url: addressOf(domain.host) });

/** Where the file of a host is requested: this deployment's own host with its scheme and port, others over https. */
export function addressOf(host: string): string {
  const own = new URL(env.baseUrl);
  return own.hostname === host ? own.origin + associationPath : `https://${host}${associationPath}`;
}

function googlePart({ settings }: GoogleWallet) {
  const { recipientId, gatewayMerchantId = '', merchantId = '', allowedAuthMethods, networks } = settings;
  const recipient = recipientId.startsWith('merchant:') ? ('merchant' as const) : ('gateway' as const);
  const name = recipientId.replace(/^[^:]*:/, '');
  const values = {
    recipient,
    gateway: recipient === 'gateway' ? name : '',
    gatewayMerchantId,
    merchantId: merchantId || (recipient === 'merchant' ? name : ''),
    allowedAuthMethods,
    networks,
  };
  return {
    kind: 'googlepay' as const,
    values,
    /** The first key is the one that payment pages use. */
    keys: settings.privateKeys.map(describeKey),
    /** Whether the deployment has Google's root keys; without them no token is decrypted. */
    hasRoots: env.googlePayRoots !== null,
  };
}

/** A wallet for comparison in the audit log: certificates and keys by their fingerprints. */
export function membersOf(wallet: DecryptedWallet): Members {
  const common = { enabled: wallet.enabled };
  if (wallet.kind === 'googlepay') {
    const { privateKeys, ...rest } = wallet.settings;
    return { ...common, ...rest, privateKeys: privateKeys.map((key) => describeKey(key).fingerprint) };
  }
  const { processingKeys, merchantIdentity, ...rest } = wallet.settings;
  const fingerprint = (pem: string) => certificateInfo(pem)?.fingerprint ?? null;
  return {
    ...common,
    ...rest,
    processingCertificates: processingKeys.map(({ certificate }) => fingerprint(certificate)),
    identityCertificate: merchantIdentity ? fingerprint(merchantIdentity.certificate) : null,
    processingRequest: wallet.pending.processing?.madeAt,
    identityRequest: wallet.pending.identity?.madeAt,
  };
}

const certificatesMax = 3;

/** The alerts for users who may see wallets. */
export async function expiringCertificateItems(viewer: Pick<Viewer, 'role'>, scope: string | null, now: Date) {
  if (!may(viewer.role, 'settings.read')) return [];
  const ending = await expiringCertificates(scope, now);
  return ending.slice(0, certificatesMax).map((each) => expiryItem(each, scope === null, now));
}

/** `isOneOfMany`: the merchant is named. */
export function expiryItem(
  { walletId, merchantName, slot, endsAt }: ExpiringCertificate,
  isOneOfMany: boolean,
  now: Date,
): AttentionItem {
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  const when =
    days < 0 ? 'has expired' : days === 0 ? 'expires today' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`;
  const rest =
    slot === 'processing'
      ? ' Afterwards tokens cannot be decrypted. Generate a CSR now: both certificates work during the change.'
      : ' Afterwards the payment page does not offer Apple Pay. Generate a CSR now.';
  return {
    kind: 'certificate',
    strong: `The ${slot} certificate of Apple Pay${isOneOfMany ? ` of ${merchantName}` : ''} ${when}.`,
    rest,
    href: `/dashboard/wallets/${walletId}`,
    action: 'View wallet',
  };
}
