/**
 * Reads and changes wallets with decrypted settings. A change names the version that it is based on, so that concurrent
 * changes do not overwrite each other.
 */
import { z } from 'zod';
import { env } from '../config';
import { newId } from '../core/ids';
import type { WalletKind } from '../core/provider-data';
import { prisma, statement, transaction } from '../db';
import { seal, unseal } from '../vault';
import { clearSettingsCache, walletCapability } from './merchants';
import { applePaySettings, googlePaySettings } from './wallets';

export type AppleSettings = z.infer<typeof applePaySettings>;
export type GoogleSettings = z.infer<typeof googlePaySettings>;

const pendingRequest = z.object({
  kind: z.enum(['EC', 'RSA']),
  /** PKCS #8 PEM; stored until its certificate is uploaded, never exported. */
  privateKey: z.string(),
  /** The request in PEM. */
  request: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
});

const pendingSettings = z.object({ processing: pendingRequest.optional(), identity: pendingRequest.optional() });

/** A requested certificate that was not uploaded yet. */
export type PendingRequest = z.infer<typeof pendingRequest>;
/**
 * The two Apple Pay certificates: the one that tokens are encrypted for, and the one that identifies the server to
 * Apple.
 */
export type PendingSettings = z.infer<typeof pendingSettings>;
export type CertificateSlot = keyof PendingSettings;

export type WalletEnvironment = 'test' | 'production';

type WalletBase = {
  id: string;
  merchantId: string;
  merchantName: string;
  environment: WalletEnvironment;
  enabled: boolean;
  version: number;
  pending: PendingSettings;
};
export type AppleWallet = WalletBase & { kind: 'applepay'; settings: AppleSettings };
export type GoogleWallet = WalletBase & { kind: 'googlepay'; settings: GoogleSettings };
/** A wallet with decrypted secrets. */
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
    include: { merchant: { select: { name: true } } },
    orderBy: [{ merchantId: 'asc' }, { kind: 'asc' }],
  });
  return Promise.all(
    rows.map(async ({ merchant, settings, pending, kind, id, merchantId, environment, enabled, version }) => {
      const decrypted: unknown = JSON.parse(await unseal(settings, 'wallet-settings'));
      const storedPending: unknown = pending ? JSON.parse(await unseal(pending, 'wallet-pending')) : {};
      const common = { id, merchantId, merchantName: merchant.name, environment, enabled, version };
      const all = { ...common, pending: pendingSettings.parse(storedPending) };
      return kind === 'applepay'
        ? { ...all, kind, settings: applePaySettings.parse(decrypted) }
        : { ...all, kind, settings: googlePaySettings.parse(decrypted) };
    }),
  );
}

const insertWallet = statement<
  { id: string; merchantId: string; kind: WalletKind; environment: string; sealed: Uint8Array },
  { id: string }
>(
  'wallet-create',
  `insert into wallets (id, merchant_id, kind, environment, settings, enabled)
   values (:id, :merchantId, :kind::"WalletKind", :environment::"WalletEnvironment", :sealed, false)
   on conflict (merchant_id, kind) do nothing returning id`,
);

/** Creates a merchant's wallet, disabled; null if it exists. */
export async function createWallet(
  merchantId: string,
  kind: WalletKind,
  settings: AppleSettings | GoogleSettings,
  id: string = newId(),
): Promise<string | null> {
  const sealed = await seal(JSON.stringify(settings), 'wallet-settings');
  const rows = await insertWallet({ id, merchantId, kind, environment: deployedEnvironment(), sealed });
  clearSettingsCache();
  return rows[0]?.id ?? null;
}

const updateWallet = statement<{
  id: string;
  version: number;
  sealed: Uint8Array;
  pending: Uint8Array | null;
  enabled: boolean;
}>(
  'wallet-save',
  `update wallets set settings = :sealed, pending = :pending, enabled = :enabled, version = version + 1
    where id = :id and version = :version returning id`,
);

/** Stores a changed wallet; false if its version has changed. */
export async function saveWallet({
  id,
  version,
  settings,
  pending,
  enabled,
}: Pick<DecryptedWallet, 'id' | 'version' | 'settings' | 'pending' | 'enabled'>): Promise<boolean> {
  const sealed = await seal(JSON.stringify(settings), 'wallet-settings');
  const storedPending = Object.values(pending).some(Boolean)
    ? await seal(JSON.stringify(pending), 'wallet-pending')
    : null;
  const rows = await updateWallet({ id, version, sealed, pending: storedPending, enabled });
  clearSettingsCache();
  return rows.length > 0;
}

const lockWallet = statement<{ id: string; version: number }>(
  'wallet-lock',
  'select id from wallets where id = :id and version = :version for update',
);

const deleteDomains = statement<{ id: string }>(
  'wallet-domains-remove',
  'delete from wallet_domains where wallet_id = :id',
);

const deleteWallet = statement<{ id: string }>('wallet-remove', 'delete from wallets where id = :id');

/** Deletes a wallet with all its keys; false if its version has changed. */
export async function removeWallet(id: string, version: number): Promise<boolean> {
  const removed = await transaction(async (run) => {
    const rows = await lockWallet({ id, version }, run);
    if (rows.length === 0) return false;
    await deleteDomains({ id }, run);
    await deleteWallet({ id }, run);
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

const countPayments = statement<{ merchantId: string; since: Date; kind: WalletKind; most: number }, { count: number }>(
  'wallet-payments-count',
  `select count(*)::int as count from (
     select 1 from payments
      where merchant_id = :merchantId and created_at >= :since::timestamptz and digital_wallet = :kind limit :most
   ) as counted`,
);

/** The numbers of payments by a merchant's wallets since a moment, each counted up to `most`. */
export async function countWalletPayments(
  merchantId: string,
  since: Date,
  most: number,
): Promise<Record<WalletKind, number>> {
  const counted = async (kind: WalletKind) => {
    const [row] = await countPayments({ merchantId, since, kind, most });
    return row?.count ?? 0;
  };
  return { applepay: await counted('applepay'), googlepay: await counted('googlepay') };
}
