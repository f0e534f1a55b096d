/** Reads and changes wallets. A change names its version, so that concurrent changes do not overwrite each other. */
import { createHash, createPublicKey } from 'node:crypto';
import { z } from 'zod';
import { env } from '../config/index.ts';
import { applePaySession } from '../connectors/index.ts';
import { newId } from '../core/ids.ts';
import type { WalletKind } from '../core/provider-data.ts';
import { prisma } from '../db/index.ts';
import type { WalletDomain as Row, Wallet as WalletRow } from '../prisma/client.ts';
import { type SealedRow, seal, unseal } from '../vault/index.ts';
import { certificateInfo, type GooglePayKey, makePrivateKey, readGooglePayKey } from '../wallets/index.ts';
import { clearSettingsCache, walletCapability } from './merchants.ts';
import { applePaySettings, googlePaySettings } from './wallets.ts';

export type AppleSettings = z.infer<typeof applePaySettings>;
export type GoogleSettings = z.infer<typeof googlePaySettings>;

const pendingRequest = z.object({
  kind: z.enum(['EC', 'RSA']),
  /** PKCS #8 PEM; stored until its certificate is uploaded, never exported. */
  privateKey: z.string(),
  request: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
});

const pendingSettings = z.object({ processing: pendingRequest.optional(), identity: pendingRequest.optional() });

export type PendingRequest = z.infer<typeof pendingRequest>;
/** The two Apple Pay certificates: one that tokens are encrypted for, one that identifies the server to Apple. */
type PendingSettings = z.infer<typeof pendingSettings>;
type CertificateSlot = keyof PendingSettings;

type WalletEnvironment = WalletRow['environment'];

type WalletBase = Omit<WalletRow, 'kind' | 'settings' | 'pending' | 'createdAt'> & {
  merchantName: string;
  pending: PendingSettings;
};
export type AppleWallet = WalletBase & { kind: 'applepay'; settings: AppleSettings };
export type GoogleWallet = WalletBase & { kind: 'googlepay'; settings: GoogleSettings };
export type DecryptedWallet = AppleWallet | GoogleWallet;

/** The environment whose tokens this deployment accepts. */
export function deployedEnvironment(): WalletEnvironment {
  return env.appEnv === 'production' ? 'production' : 'test';
}

/** A wallet of the merchant, or of any if that is null; null for an unknown id. */
export async function findWallet(id: string, merchantId: string | null): Promise<DecryptedWallet | null> {
  const [wallet] = await readWallets({ id, ...(merchantId !== null && { merchantId }) });
  return wallet ?? null;
}

/** The wallets of a merchant, or of all. */
export function walletsOf(merchantId: string | null): Promise<DecryptedWallet[]> {
  return readWallets(merchantId === null ? {} : { merchantId });
}

async function readWallets(where: { id?: string; merchantId?: string }): Promise<DecryptedWallet[]> {
  const rows = await prisma().wallet.findMany({
    where,
    omit: { createdAt: true },
    include: { merchant: { select: { name: true } } },
    orderBy: [{ merchantId: 'asc' }, { kind: 'asc' }],
  });
  return Promise.all(
    rows.map(async ({ merchant, settings, pending, kind, ...wallet }) => {
      const place = { id: wallet.id, owner: wallet.merchantId };
      const decrypted: unknown = JSON.parse(await unseal(settings, 'wallet-settings', place));
      const storedPending: unknown = pending ? JSON.parse(await unseal(pending, 'wallet-pending', place)) : {};
      const all = { ...wallet, merchantName: merchant.name, pending: pendingSettings.parse(storedPending) };
      return kind === 'applepay'
        ? { ...all, kind, settings: applePaySettings.parse(decrypted) }
        : { ...all, kind, settings: googlePaySettings.parse(decrypted) };
    }),
  );
}

/** Creates a merchant's wallet, disabled; null if it exists. */
export async function createWallet(
  merchantId: string,
  kind: WalletKind,
  settings: AppleSettings | GoogleSettings,
  id: string = newId(),
): Promise<string | null> {
  const sealed = await sealedJson(settings, 'wallet-settings', { id, owner: merchantId });
  const data = { id, merchantId, kind, environment: deployedEnvironment(), settings: sealed, enabled: false };
  const { count } = await prisma().wallet.createMany({ data, skipDuplicates: true });
  clearSettingsCache();
  return count > 0 ? id : null;
}

/** Stores a changed wallet; false if its version has changed. */
export async function saveWallet(wallet: DecryptedWallet): Promise<boolean> {
  const { id, version, settings, pending, enabled } = wallet;
  const place = { id, owner: wallet.merchantId };
  const hasPending = Object.values(pending).some(Boolean);
  const { count } = await prisma().wallet.updateMany({
    where: { id, version },
    data: {
      settings: await sealedJson(settings, 'wallet-settings', place),
      pending: hasPending ? await sealedJson(pending, 'wallet-pending', place) : null,
      enabled,
      version: { increment: 1 },
    },
  });
  clearSettingsCache();
  return count > 0;
}

const sealedJson = async (value: object, label: 'wallet-settings' | 'wallet-pending', place: SealedRow) =>
  new Uint8Array(await seal(JSON.stringify(value), label, place));

/** Deletes a wallet with all its keys; false if its version has changed. */
export async function removeWallet(id: string, version: number): Promise<boolean> {
  const removed = await prisma().$transaction(async (tx) => {
    // Locks the wallet before its hosts are deleted.
    const { count } = await tx.wallet.updateMany({ where: { id, version }, data: { version: { increment: 1 } } });
    if (count === 0) return false;
    await tx.walletDomain.deleteMany({ where: { walletId: id } });
    await tx.wallet.delete({ where: { id } });
    return true;
  });
  clearSettingsCache();
  return removed;
}

/** What a merchant's MID accepts of a wallet, and its methods. */
export type WalletMid = { id: string; name: string; takes: 'decrypted' | 'token' | 'none'; methods: string[] };

/** The merchant's enabled MIDs with their wallet capabilities. */
export async function walletMids(merchantId: string): Promise<WalletMid[]> {
  const mids = await prisma().mid.findMany({
    where: { merchantId, enabled: true },
    select: { id: true, name: true, connector: true, capabilities: true, methods: true },
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
  });
  return mids.map(({ id, name, methods, ...mid }) => {
    const capability = walletCapability(mid);
    return { id, name, methods, takes: capability === 'decrypted' || capability === 'token' ? capability : 'none' };
  });
}

/** The numbers of payments by a merchant's wallets since a moment, each counted up to `most`. */
export async function countWalletPayments(
  merchantId: string,
  since: Date,
  most: number,
): Promise<Record<WalletKind, number>> {
  const counted = (digitalWallet: WalletKind) =>
    prisma().payment.count({ where: { merchantId, createdAt: { gte: since }, digitalWallet }, take: most });
  return { applepay: await counted('applepay'), googlepay: await counted('googlepay') };
}

/** `fault` is null if the file was found or not yet checked. */
export type WalletDomain = Omit<Row, 'walletId' | 'file'>;

/** The hosts of a wallet, by name. */
export function domainsOf(walletId: string): Promise<WalletDomain[]> {
  return prisma().walletDomain.findMany({
    where: { walletId },
    omit: { walletId: true, file: true },
    orderBy: { host: 'asc' },
  });
}

/** Stores the file of a host, replacing an earlier one. */
export async function saveDomain(walletId: string, host: string, file: string, now: Date): Promise<void> {
  await prisma().walletDomain.upsert({
    where: { walletId_host: { walletId, host } },
    create: { walletId, host, file, updatedAt: now },
    update: { file, updatedAt: now, checkedAt: null, fault: null },
  });
}

/** Removes a host. */
export async function removeDomain(walletId: string, host: string): Promise<void> {
  await prisma().walletDomain.deleteMany({ where: { walletId, host } });
}

/** Stores the result of fetching the file as Apple does. */
export async function saveDomainCheck(walletId: string, host: string, error: string | null, now: Date): Promise<void> {
  await prisma().walletDomain.updateMany({ where: { walletId, host }, data: { checkedAt: now, fault: error } });
}

/** The file that is served at a host, or that a wallet has for it; null if none is registered. */
export async function findDomainFile(host: string, walletId?: string): Promise<string | null> {
  const where = { host, ...(walletId !== undefined && { walletId }) };
  const row = await prisma().walletDomain.findFirst({ where, orderBy: { updatedAt: 'desc' } });
  return row?.file ?? null;
}

/** Days before the expiry from which a certificate is reported. */
export const warningDays = 30;

const dayMs = 86_400_000;

type Expiry = { slot: CertificateSlot; endsAt: Date };
export type ExpiringCertificate = Expiry & Record<'walletId' | 'merchantId' | 'merchantName', string>;

/**
 * The certificates of a merchant, or of all, that expire within {@link warningDays} or have expired, soonest first.
 * Excludes disabled wallets and kinds that have a later certificate.
 */
export async function expiringCertificates(merchantId: string | null, now: Date): Promise<ExpiringCertificate[]> {
  const wallets = await walletsOf(merchantId);
  const ending = wallets.flatMap((wallet): ExpiringCertificate[] => {
    if (wallet.kind !== 'applepay' || !wallet.enabled) return [];
    const { id: walletId, merchantId, merchantName } = wallet;
    return certificateExpiries(wallet.settings)
      .filter(({ endsAt }) => endsAt.getTime() < now.getTime() + warningDays * dayMs)
      .map((end) => ({ walletId, merchantId, merchantName, ...end }));
  });
  return ending.sort((one, other) => one.endsAt.getTime() - other.endsAt.getTime());
}

/** The latest expiry of each kind of certificate. */
export function certificateExpiries({ processingKeys, merchantIdentity }: AppleSettings): Expiry[] {
  const latest = (slot: CertificateSlot, pairs: { certificate: string }[]) => {
    const last = pairs
      .flatMap(({ certificate }) => certificateInfo(certificate)?.validTo ?? [])
      .sort()
      .at(-1);
    return last === undefined ? [] : [{ slot, endsAt: new Date(last) }];
  };
  return [...latest('processing', processingKeys), ...latest('identity', merchantIdentity ? [merchantIdentity] : [])];
}

const gateways = {
  test: 'https://apple-pay-gateway-cert.apple.com',
  production: 'https://apple-pay-gateway.apple.com',
} as const;

/** Whether Apple creates a session with these settings for a page at `host`; false also if Apple does not respond. */
export async function isAcceptedByApple(settings: AppleSettings, host: string): Promise<boolean> {
  const { merchantIdentity, merchantIdentifier, shopName } = settings;
  if (!merchantIdentity) return false;
  const gateway = env.applePayGateway ?? gateways[deployedEnvironment()];
  const session = await applePaySession(`${gateway}/paymentservices/startSession`, merchantIdentity, {
    merchantIdentifier,
    displayName: shopName,
    initiative: 'web',
    initiativeContext: host,
  });
  return session !== null;
}

/** The public half as an uncompressed point in Base64, the format of payment requests and of Google's console. */
export function publicPoint(key: GooglePayKey): string {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return point.toString('base64');
}

/** SHA-256 of the public half in hex. Throws WalletKeyError for a text that is not a P-256 key. */
export function describeKey(privateKey: string): { fingerprint: string; publicKey: string } {
  const key = readGooglePayKey(privateKey);
  const info = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { fingerprint: createHash('sha256').update(info).digest('hex'), publicKey: publicPoint(key) };
}

/** A private key as PKCS #8 PEM, from any supported format. Throws WalletKeyError. */
export function normalizeKey(text: string): string {
  return readGooglePayKey(text.trim()).export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** A new private key in PEM. */
export async function generateKey(): Promise<string> {
  return (await makePrivateKey('EC')).export({ format: 'pem', type: 'pkcs8' }).toString();
}
