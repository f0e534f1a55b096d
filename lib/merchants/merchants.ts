/**
 * The caller of a request with its configuration: merchant, key, mapping and MIDs. Every request needs it, so it is
 * cached for two seconds; a change in the dashboard applies within that time in every process.
 */

import { checkoutBaseUrl } from '../config/index.ts';
import { findConnector, type HttpSettings } from '../connectors/index.ts';
import { isUuid } from '../core/ids.ts';
import type { PageTexts } from '../core/page-texts.ts';
import type { Payment, Protocol } from '../core/payment.ts';
import { processWide } from '../core/process-wide.ts';
import type {
  MerchantKey as KeyRow,
  LinkTarget,
  Merchant as MerchantRow,
  Mid as MidRow,
  ProtocolMapping,
} from '../prisma/client.ts';
import { unseal } from '../vault/index.ts';
import * as stored from './queries.ts';

/** A merchant as requests and payment pages need it. An uploaded logo has precedence over the one at `logoUrl`. */
export type Merchant = Omit<MerchantRow, 'enabled' | 'version' | 'createdAt' | 'pageTexts'> & {
  pageTexts: PageTexts;
  logo: { digest: string } | null;
};

export type MerchantKey = Pick<KeyRow, 'id' | 'environment' | 'key'> & { password: string };

/** A routing rule of a mapping; an absent condition matches every payment. Amounts are minor units as text. */
export type Rule = {
  name: string;
  enabled: boolean;
  conditions: {
    currencies?: string[];
    methods?: string[];
    brands?: string[];
    /** The first digits of a card number. */
    bins?: string[];
    /** ISO 3166-1 alpha-2, by lib/core/bins. */
    binCountries?: string[];
    amountFrom?: string;
    amountTo?: string;
  };
  targets: { midId: string; weight: number }[];
};

/** The behaviour of one protocol for one merchant; the columns of protocol_mappings say what each setting does. */
export type Mapping = Omit<ProtocolMapping, 'id' | 'merchantId' | 'version' | 'routingVersion'> & { rules: Rule[] };

/** A MID with decrypted settings; lib/core/commission reads `feeOptions`. */
export type Mid = Omit<MidRow, 'version' | 'createdAt' | DecodedColumn> & {
  settings: HttpSettings;
  capabilities: unknown;
  feeOptions: unknown;
  overrideLinkTarget: `_${LinkTarget}` | null;
};

type DecodedColumn = 'settings' | 'capabilities' | 'feeOptions' | 'overrideLinkTarget';

/**
 * A merchant's configuration for one protocol, with the key of the request. `signers`: the keys that may sign a request
 * that names none; absent for one that names its key.
 */
export type Caller = {
  merchant: Merchant;
  key: MerchantKey;
  mapping: Mapping | null;
  mids: Mid[];
  signers?: readonly MerchantKey[];
};

/** A caller with a mapping for the protocol. */
export type KnownCaller = Caller & { mapping: Mapping };

const cacheSeconds = 2;

const cache = processWide('settings', () => new Map<string, { until: number; value: Promise<unknown> }>());

/** The merchant of a key; null for an unknown, expired or disabled one. */
export async function findCaller(key: string, protocol: Protocol, now: Date): Promise<Caller | null> {
  if (key.length > 64) return null;
  const keyRow = await cached(`key:${key}`, () => stored.findKey({ key }).then(unsealKey));
  if (!keyRow?.merchantEnabled || hasEnded(keyRow, now)) return null;
  return joinCaller(keyRow, protocol);
}

/**
 * The merchant of a payment with the key that created it, for the payer's requests, modifications and callbacks: an ended
 * key still signs callbacks. A disabled merchant has no MIDs for new payments; started ones are completed.
 */
export async function callerOf(payment: PaymentOfKey): Promise<KnownCaller> {
  return joinKnownCaller(await keyOf(payment), payment.protocol);
}

type PaymentOfKey = Pick<Payment, 'keyId' | 'protocol'>;

/**
 * The merchant of a payment for what is new at `now`: its requests about the payment that name no key, and charges of its
 * schedules. `signers` are the payment's key until it ends, then the live keys that replaced it, the nearest first; none
 * after the end of a key without a live replacement. `key` is the first signer, without one the payment's own key.
 */
export async function currentCallerOf(
  payment: PaymentOfKey,
  now: Date,
): Promise<KnownCaller & Required<Pick<Caller, 'signers'>>> {
  const own = await keyOf(payment);
  const caller = await joinKnownCaller(own, payment.protocol);
  // The rotation that replaces a key also sets its end.
  const signers = own.validUntil === null ? [caller.key] : await liveKeysOf(own.id, now);
  return { ...caller, key: signers[0] ?? caller.key, signers };
}

/** The key and those that replaced it, without those that have ended; a rotation keeps merchant and environment. */
async function liveKeysOf(id: string, now: Date): Promise<MerchantKey[]> {
  const rows = await cached(`replacements:${id}`, () => stored.findReplacements({ id }));
  const keys = await Promise.all(rows.filter((row) => !hasEnded(row, now)).map((row) => unsealKey([row])));
  return keys.flatMap((key) => (key ? [keyPairOf(key)] : []));
}

const hasEnded = ({ validUntil }: Pick<KeyRow, 'validUntil'>, now: Date) => validUntil !== null && validUntil <= now;

/** One MID with decrypted settings; null if it does not exist. */
export async function findMid(id: string): Promise<Mid | null> {
  if (!isUuid(id)) return null;
  return cached(`mid:${id}`, async () => {
    const row = await stored.readMid(id);
    return row && decryptMid(row);
  });
}

/**
 * The MID with the settings of a transaction: if the MID's address has changed since, the earlier settings are used. At
 * the same address its current credentials apply, which may have been rotated; `exact` forces the earlier ones.
 */
export async function findMidOf(
  { midId, settingsVersion }: { midId: string; settingsVersion: number },
  exact = false,
): Promise<Mid | null> {
  let mid = await findMid(midId);
  // Another process has used newer settings than those that this one has read.
  if (mid && mid.settingsVersion < settingsVersion) {
    cache.delete(`mid:${midId}`);
    mid = await findMid(midId);
  }
  if (!mid || mid.settingsVersion === settingsVersion) return mid;
  const earlier = (await earlierSettings(mid)).find(({ version }) => version === settingsVersion);
  const isSame = earlier?.connector === mid.connector && earlier.settings.url === mid.settings.url;
  if (!earlier || (isSame && !exact)) return mid;
  return { ...mid, connector: earlier.connector, settings: earlier.settings, settingsVersion };
}

type EarlierSettings = { version: number; connector: string; settings: HttpSettings };

/** The earlier settings of a MID, newest first. */
export function earlierSettings(mid: Pick<Mid, 'id' | 'settingsVersion'>): Promise<EarlierSettings[]> {
  const { id, settingsVersion } = mid;
  if (settingsVersion === 1) return Promise.resolve([]);
  return cached(`mid-earlier:${id}:${settingsVersion}`, async () => {
    const rows = await stored.readEarlierSettings({ midId: id });
    return Promise.all(
      rows.map(async ({ id: rowId, version, connector, settings }) => ({
        version,
        connector,
        settings: JSON.parse(await unseal(settings, 'earlier-mid-settings', { id: rowId, owner: id })) as HttpSettings,
      })),
    );
  });
}

type FoundKey = Omit<stored.StoredKey, 'password'> & MerchantKey;

async function unsealKey([row]: stored.StoredKey[]): Promise<FoundKey | null> {
  if (!row) return null;
  const place = { id: row.id, owner: row.merchantId };
  return { ...row, password: await unseal(row.password, 'merchant-password', place) };
}

async function keyOf({ keyId }: PaymentOfKey): Promise<FoundKey> {
  const keyRow = await cached(`id:${keyId}`, () => stored.findKeyById({ id: keyId }).then(unsealKey));
  if (!keyRow) throw new Error(`key ${keyId} no longer exists`);
  return keyRow;
}

async function joinKnownCaller(keyRow: FoundKey, protocol: Protocol): Promise<KnownCaller> {
  const caller = await joinCaller(keyRow, protocol);
  if (!caller.mapping) throw new Error(`no ${protocol} mapping for merchant ${caller.merchant.id}`);
  return { ...caller, mapping: caller.mapping };
}

async function joinCaller(keyRow: FoundKey, protocol: Protocol): Promise<Caller> {
  const config = await settingsOf(keyRow.merchantId);
  const mapping = config.mappings.find((each) => each.protocol === protocol) ?? null;
  const mids = keyRow.merchantEnabled ? config.mids : [];
  return { merchant: config.merchant, key: keyPairOf(keyRow), mapping, mids };
}

const keyPairOf = ({ id, environment, key, password }: FoundKey): MerchantKey => ({ id, environment, key, password });

/** The configuration of a merchant for any key; throws for an unknown id. */
export function settingsOf(merchantId: string): Promise<{ merchant: Merchant; mappings: Mapping[]; mids: Mid[] }> {
  return cached(`merchant:${merchantId}`, () => readMerchant(merchantId));
}

async function readMerchant(id: string): Promise<{ merchant: Merchant; mappings: Mapping[]; mids: Mid[] }> {
  const merchant = await stored.readMerchant(id);
  if (!merchant) throw new Error(`merchant ${id} does not exist`);
  const mappings = await stored.readMappings(id);
  const mids = await stored.readMids(id);
  return {
    merchant: { ...merchant, pageTexts: merchant.pageTexts as PageTexts },
    mappings: mappings.map((mapping) => ({ ...mapping, rules: mapping.rules as unknown as Rule[] })),
    mids: await Promise.all(mids.map(decryptMid)),
  };
}

/** The row with decrypted settings. */
export async function decryptMid<Row extends stored.StoredMid>(
  row: Row,
): Promise<Omit<Row, DecodedColumn> & Pick<Mid, DecodedColumn>> {
  const place = { id: row.id, owner: row.merchantId };
  return {
    ...row,
    settings: JSON.parse(await unseal(row.settings, 'mid-settings', place)) as HttpSettings,
    overrideLinkTarget: row.overrideLinkTarget && `_${row.overrideLinkTarget}`,
  };
}

/** Makes a change of settings effective at once in this process; call it after the commit. */
export function clearSettingsCache(): void {
  cache.clear();
}

/** The result of `read`, cached for two seconds under `name`. Failures are not cached. */
export function cached<T>(name: string, read: () => Promise<T>): Promise<T> {
  const nowMs = performance.now();
  const entry = cache.get(name);
  if (entry && entry.until > nowMs) return entry.value as Promise<T>;
  // Bounded, because keys come from requests.
  if (cache.size > 10_000) cache.clear();
  const value = read().catch((err) => {
    cache.delete(name);
    throw err;
  });
  cache.set(name, { until: nowMs + cacheSeconds * 1000, value });
  return value;
}

/** Whether a MID's provider accepts the card of a wallet token: its own setting, otherwise its connector's. */
export function acceptsDecryptedCards(mid: Mid): boolean {
  return walletCapability(mid) === 'decrypted';
}

/** What a MID accepts of a wallet: the decrypted card, the token itself, or nothing. */
export function walletCapability({ connector, capabilities }: Pick<Mid, 'connector' | 'capabilities'>): unknown {
  const own = (capabilities as { wallet?: unknown } | null)?.wallet;
  return own ?? findConnector(connector)?.capabilities.wallet;
}

/** The maximum length of a payer's text for a MID; undefined if the connector's applies. */
export function maxPayerTextLength({ capabilities }: Pick<Mid, 'capabilities'>): number | undefined {
  const own = (capabilities as { payerTextMax?: unknown } | null)?.payerTextMax;
  return typeof own === 'number' ? own : undefined;
}

/** The address to which a MID's provider sends its notifications. */
export function notificationUrl({ connector, id }: Pick<Mid, 'connector' | 'id'>): string {
  return `${checkoutBaseUrl()}/notify/${connector}/${id}`;
}
