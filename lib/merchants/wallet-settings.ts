/**
 * The rows of wallets as somebody who sets them up sees and changes them: the very JSON that payments read, opened. A
 * change names the version that it was decided on, so that two people never overwrite one another.
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
  /** PEM of PKCS #8; it waits here for its certificate and never leaves. */
  privateKey: z.string(),
  /** The request in PEM. */
  request: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
});

const pendingSettings = z.object({ processing: pendingRequest.optional(), identity: pendingRequest.optional() });

/** A certificate that was asked for and has not come yet. */
export type PendingRequest = z.infer<typeof pendingRequest>;
/** Both certificates of Apple Pay: the one that tokens are sealed for, and the one that Apple knows the server by. */
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
/** A wallet with its secrets open. */
export type DecryptedWallet = AppleWallet | GoogleWallet;

/** The environment whose tokens this deployment takes. */
export function deployedEnvironment(): WalletEnvironment {
  return env.appEnv === 'production' ? 'production' : 'test';
}

/** A wallet of the merchant, or of any where that is null; null for an id that is nobody's or another's. */
export async function findWallet(id: string, merchantId: string | null): Promise<DecryptedWallet | null> {
  const [found] = await readWallets({ id, ...(merchantId !== null && { merchantId }) });
  return found ?? null;
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
      const opened: unknown = JSON.parse(await unseal(settings, 'wallet-settings'));
      const waiting: unknown = pending ? JSON.parse(await unseal(pending, 'wallet-pending')) : {};
      const common = { id, merchantId, merchantName: merchant.name, environment, enabled, version };
      const all = { ...common, pending: pendingSettings.parse(waiting) };
      return kind === 'applepay'
        ? { ...all, kind, settings: applePaySettings.parse(opened) }
        : { ...all, kind, settings: googlePaySettings.parse(opened) };
    }),
  );
}

/** Makes a merchant's wallet, switched off; null where there is one already. */
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

/** Keeps a changed wallet; false where it has another version by now. */
export async function saveWallet({
  id,
  version,
  settings,
  pending,
  enabled,
}: Pick<DecryptedWallet, 'id' | 'version' | 'settings' | 'pending' | 'enabled'>): Promise<boolean> {
  const sealed = await seal(JSON.stringify(settings), 'wallet-settings');
  const waiting = Object.values(pending).some(Boolean) ? await seal(JSON.stringify(pending), 'wallet-pending') : null;
  const rows = await query(
    'wallet-save',
    `update wallets set settings = $3, pending = $4, enabled = $5, version = version + 1
      where id = $1 and version = $2 returning id`,
    [id, version, sealed, waiting, enabled],
  );
  clearSettingsCache();
  return rows.length > 0;
}

/** Takes a wallet away with all of its keys; false where it has another version by now. */
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

/** What a merchant's account takes of a wallet, and whether it is asked for it at all. */
export type WalletMid = { id: string; name: string; takes: 'decrypted' | 'token' | 'none'; methods: string[] };

/** The merchant's accounts that are switched on, as wallets see them. */
export async function walletMids(merchantId: string): Promise<WalletMid[]> {
  const mids = await prisma().mid.findMany({
    where: { merchantId, enabled: true },
    select: { id: true, name: true, connector: true, capabilities: true, methods: true },
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
  });
  return mids.map(({ id, name, methods, ...mid }) => {
    const word = walletCapability(mid);
    return { id, name, methods, takes: word === 'decrypted' || word === 'token' ? word : 'none' };
  });
}

/** How many payments a merchant's wallets have had since a moment, at most `most` of each counted. */
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
