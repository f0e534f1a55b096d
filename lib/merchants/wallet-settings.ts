/**
 * Reads and changes wallets with decrypted settings. A change names the version that it is based on, so that concurrent
 * changes do not overwrite each other.
 */
import { z } from 'zod';
import { env } from '../config';
import { newId } from '../core/ids';
import type { WalletKind } from '../core/provider-data';
import { prisma, query, transaction } from '../db';
import { seal, unseal } from '../vault';
import { clearSettingsCache } from './merchants';
import { walletCapability } from './mid-capabilities';
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

/** Creates a merchant's wallet, disabled; null if it exists. */
export async function createWallet(
  merchantId: string,
  kind: WalletKind,
  settings: AppleSettings | GoogleSettings,
  id: string = newId(),
): Promise<string | null> {
  const sealed = await seal(JSON.stringify(settings), 'wallet-settings');
  const rows = await query<{ id: string }>(
    'wallet-create',
    `insert into wallets (id, merchant_id, kind, environment, settings, enabled)
     values ($1, $2, $3::"WalletKind", $4::"WalletEnvironment", $5, false)
     on conflict (merchant_id, kind) do nothing returning id`,
    [id, merchantId, kind, deployedEnvironment(), sealed],
  );
  clearSettingsCache();
  return rows[0]?.id ?? null;
}

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
  const rows = await query(
    'wallet-save',
    `update wallets set settings = $3, pending = $4, enabled = $5, version = version + 1
      where id = $1 and version = $2 returning id`,
    [id, version, sealed, storedPending, enabled],
  );
  clearSettingsCache();
  return rows.length > 0;
}

/** Deletes a wallet with all its keys; false if its version has changed. */
export async function removeWallet(id: string, version: number): Promise<boolean> {
  const removed = await transaction(async (run) => {
    const rows = await run('wallet-lock', 'select id from wallets where id = $1 and version = $2 for update', [
      id,
      version,
    ]);
    if (rows.length === 0) return false;
    await run('wallet-domains-remove', 'delete from wallet_domains where wallet_id = $1', [id]);
    await run('wallet-remove', 'delete from wallets where id = $1', [id]);
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
  const counted = async (kind: WalletKind) => {
    const [row] = await query<{ count: number }>(
      'wallet-payments-count',
      `select count(*)::int as count from (
         select 1 from payments where merchant_id = $1 and created_at >= $2::timestamptz and digital_wallet = $3 limit $4
       ) as counted`,
      [merchantId, since, kind, most],
    );
    return row?.count ?? 0;
  };
  return { applepay: await counted('applepay'), googlepay: await counted('googlepay') };
}
