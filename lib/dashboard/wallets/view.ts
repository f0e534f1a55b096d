/** Wallets as their pages show them and as the audit log stores them, without private keys. */

import { type Members, may, type Viewer } from '../../auth';
import { checkoutBaseUrl, env } from '../../config';
import {
  type AppleWallet,
  type DecryptedWallet,
  describeKey,
  domainsOf,
  type GoogleWallet,
  type PendingRequest,
  type WalletDomain,
  type WalletMid,
  walletMids,
  warningDays,
} from '../../merchants';
import { certificateInfo } from '../../wallets';
import type {
  AccountView,
  AppleView,
  CertificateView,
  DomainView,
  GoogleValues,
  GoogleView,
  RequestView,
  WalletView,
} from './contract';

/** Where Apple requests the file of a host. */
export const associationPath = '/.well-known/apple-developer-merchantid-domain-association';

const dayMs = 86_400_000;

/** A wallet for the signed-in user. */
export async function viewOf(wallet: DecryptedWallet, viewer: Viewer, now: Date): Promise<WalletView> {
  const accounts = await walletMids(wallet.merchantId);
  const common = {
    id: wallet.id,
    merchant: { id: wallet.merchantId, name: wallet.merchantName },
    environment: environmentLabel(wallet.environment),
    version: wallet.version,
    enabled: wallet.enabled,
    flow: flowOf(wallet, accounts),
    accounts: accounts.map((account) => accountOf(account, wallet)),
    mayChange: may(viewer.role, 'settings.change'),
  };
  return wallet.kind === 'applepay'
    ? { ...common, ...applePart(wallet, now), domains: (await domainsOf(wallet.id)).map(domainOf) }
    : { ...common, ...googlePart(wallet) };
}

export function environmentLabel(environment: 'test' | 'production'): 'TEST' | 'PRODUCTION' {
  return environment === 'production' ? 'PRODUCTION' : 'TEST';
}

function accountOf({ id, name, takes, methods }: WalletMid, { kind }: DecryptedWallet): AccountView {
  return { id, name, takes, offers: methods.includes(kind) };
}

function flowOf(wallet: DecryptedWallet, accounts: WalletMid[]): WalletView['flow'] {
  const offering = accounts.filter(({ methods }) => methods.includes(wallet.kind));
  const takesCards = accounts.some(({ methods, takes }) => methods.includes('card') && takes === 'decrypted');
  if (canOpen(wallet) && takesCards) return 'card';
  return offering.some(({ takes }) => takes !== 'none') ? 'virtual' : 'none';
}

function canOpen(wallet: DecryptedWallet): boolean {
  if (wallet.kind === 'applepay') return wallet.settings.processingKeys.some(({ privateKey }) => privateKey);
  return wallet.settings.privateKeys.length > 0 && env.googlePayRoots !== null;
}

type ApplePart = Pick<AppleView, 'kind' | 'values' | 'processing' | 'identity' | 'requests' | 'pageHost'>;

function applePart({ settings, pending }: AppleWallet, now: Date): ApplePart {
  const { processingKeys, merchantIdentity, ...values } = settings;
  const processing = processingKeys.flatMap(({ certificate, privateKey }) =>
    certificateOf(certificate, privateKey !== undefined, now),
  );
  const [identity] = merchantIdentity ? certificateOf(merchantIdentity.certificate, true, now) : [];
  return {
    kind: 'applepay',
    values,
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

function certificateOf(pem: string, hasKey: boolean, now: Date): CertificateView[] {
  const facts = certificateInfo(pem);
  if (!facts) return [];
  const { merchantHash: _hash, ...shown } = facts;
  const leftMs = Date.parse(facts.validTo) - now.getTime();
  return [{ ...shown, hasKey, state: leftMs <= 0 ? 'ended' : leftMs < warningDays * dayMs ? 'ending' : 'valid' }];
}

function requestOf(request: PendingRequest | undefined): RequestView | null {
  return request ? { kind: request.kind, madeAt: request.madeAt } : null;
}

function domainOf({ host, updatedAt, checkedAt, fault }: WalletDomain): DomainView {
  return {
    host,
    url: addressOf(host),
    updatedAt: updatedAt.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    fault,
  };
}

/** Where the file of a host is requested: this deployment's own host with its scheme and port, others over https. */
export function addressOf(host: string): string {
  const own = new URL(env.baseUrl);
  return own.hostname === host ? own.origin + associationPath : `https://${host}${associationPath}`;
}

function googlePart({ settings }: GoogleWallet): Pick<GoogleView, 'kind' | 'values' | 'keys' | 'hasRoots'> {
  const { recipientId, gatewayMerchantId = '', merchantId = '', allowedAuthMethods, networks } = settings;
  const recipient: GoogleValues['recipient'] = recipientId.startsWith('merchant:') ? 'merchant' : 'gateway';
  const name = recipientId.replace(/^[^:]*:/, '');
  const values: GoogleValues = {
    recipient,
    gateway: recipient === 'gateway' ? name : '',
    gatewayMerchantId,
    merchantId: merchantId || (recipient === 'merchant' ? name : ''),
    allowedAuthMethods,
    networks,
  };
  return {
    kind: 'googlepay',
    values,
    keys: settings.privateKeys.map(describeKey),
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
