/**
 * Secrets at rest. AES-256-GCM under a data key that VAULT_KEY wraps; the version of the data key stands in front of
 * what it sealed, so that keys rotate without touching old rows. Cards are found again by a keyed fingerprint.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { CardData } from '../connectors/connector';
import { brandOf } from '../core/cards';
import { isSandboxCard } from '../core/sandbox-cards';
import { query } from '../db';
import { env } from '../env';
import { newId } from './ids';
import type { CardView } from './payment';

type Purpose = 'seal' | 'fingerprint' | 'link';
type DataKeys = { newest: number; byVersion: Map<number, Buffer> };

// Next bundles this module several times in one process; all copies share the unwrapped keys.
const holder = globalThis as { [key: symbol]: Map<Purpose, Promise<DataKeys>> | undefined };
const heldKey = Symbol.for('florin.data-keys');
holder[heldKey] ??= new Map();
const held: Map<Purpose, Promise<DataKeys>> = holder[heldKey];

/** Encrypts; the text is bound to `label`, so that a sealed value cannot be moved to another column. */
export async function seal(text: string, label: string): Promise<Buffer> {
  const { newest, byVersion } = await dataKeys('seal');
  const head = Buffer.alloc(2);
  head.writeUInt16BE(newest);
  return Buffer.concat([head, encrypt(byVersion.get(newest) as Buffer, Buffer.from(text, 'utf8'), label)]);
}

/** Decrypts what {@link seal} made under the same label; throws when it was altered. */
export async function unseal(sealed: Uint8Array, label: string): Promise<string> {
  const bytes = Buffer.from(sealed);
  const version = bytes.readUInt16BE(0);
  let keys = await dataKeys('seal');
  if (!keys.byVersion.has(version)) {
    held.delete('seal');
    keys = await dataKeys('seal');
  }
  const key = keys.byVersion.get(version);
  if (!key) throw new Error(`data key version ${version} is missing`);
  return decrypt(key, bytes.subarray(2), label).toString('utf8');
}

/** A keyed hash for links: whoever does not hold the key cannot make one. */
export async function linkMac(text: string): Promise<Buffer> {
  const { newest, byVersion } = await dataKeys('link');
  return createHmac('sha256', byVersion.get(newest) as Buffer)
    .update(text)
    .digest();
}

/** What is stored of a card. */
export type StoredCard = {
  id: string;
  fingerprint: Buffer;
  sealed: Buffer | null;
  first6: string;
  last4: string;
  brand: string | null;
  expMonth: number;
  expYear: number;
  holder: string | null;
};

/**
 * Prepares a card for storage. In the sandbox the number of anything but a sandbox card is left out, and its
 * fingerprint is random, so that nothing of a live card but the fragment needed for signatures ever reaches storage.
 */
export async function storable(card: CardData): Promise<StoredCard> {
  const keep = env.appEnv === 'production' || isSandboxCard(card.number);
  const { newest, byVersion } = await dataKeys('fingerprint');
  const fingerprint = createHmac('sha256', byVersion.get(newest) as Buffer)
    .update(`${card.number}|${card.expYear}-${card.expMonth}`)
    .digest();
  return {
    id: newId(),
    fingerprint: keep ? fingerprint : randomBytes(32),
    sealed: keep ? await seal(card.number, 'card') : null,
    first6: card.number.slice(0, 6),
    last4: card.number.slice(-4),
    brand: brandOf(card.number)?.id ?? null,
    expMonth: card.expMonth,
    expYear: card.expYear,
    holder: card.holder ?? null,
  };
}

/** A token's card, with the number in clear for the connector; null where it cannot be charged again. */
export async function openCard(cardId: string): Promise<CardData | null> {
  type Row = { sealed: Uint8Array | null; exp_month: number; exp_year: number; holder: string | null };
  const [row] = await query<Row>('card-open', 'select sealed, exp_month, exp_year, holder from cards where id = $1', [
    cardId,
  ]);
  if (!row?.sealed) return null;
  return {
    number: await unseal(row.sealed, 'card'),
    expMonth: row.exp_month,
    expYear: row.exp_year,
    holder: row.holder ?? undefined,
  };
}

/** A card by the token that stands for it. Tokens of other merchants and removed ones are not found. */
export async function findToken(
  merchantId: string,
  token: string,
  now: Date,
): Promise<{ card: CardView; expired: boolean } | null> {
  type Row = {
    id: string;
    first6: string;
    last4: string;
    brand: string | null;
    exp_month: number;
    exp_year: number;
    holder: string | null;
  };
  const [row] = await query<Row>(
    'token-find',
    `select c.id, c.first6, c.last4, c.brand, c.exp_month, c.exp_year, c.holder
       from card_tokens t join cards c on c.id = t.card_id
      where t.token = $1 and t.merchant_id = $2 and t.removed_at is null`,
    [token, merchantId],
  );
  if (!row) return null;
  const card: CardView = {
    id: row.id,
    first6: row.first6,
    last4: row.last4,
    brand: row.brand,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    holder: row.holder,
  };
  // A card is good through the last day of its month.
  const expired = now.getTime() >= Date.UTC(card.expYear, card.expMonth, 1);
  return { card, expired };
}

function dataKeys(purpose: Purpose): Promise<DataKeys> {
  const known = held.get(purpose);
  if (known) return known;
  const loading = loadKeys(purpose).catch((err) => {
    held.delete(purpose);
    throw err;
  });
  held.set(purpose, loading);
  return loading;
}

async function loadKeys(purpose: Purpose): Promise<DataKeys> {
  // The first process to come makes version 1; the others read the one that won.
  const fresh = encrypt(wrappingKey(), randomBytes(32), `data-key-${purpose}`);
  await query(
    'data-key-make',
    `insert into data_keys (purpose, version, wrapped)
     select $1::"KeyPurpose", 1, $2 where not exists (select 1 from data_keys where purpose = $1::"KeyPurpose")
     on conflict do nothing`,
    [purpose, fresh],
  );
  const rows = await query<{ version: number; wrapped: Uint8Array }>(
    'data-key-load',
    'select version, wrapped from data_keys where purpose = $1::"KeyPurpose" order by version',
    [purpose],
  );
  const byVersion = new Map<number, Buffer>();
  for (const row of rows) {
    byVersion.set(row.version, decrypt(wrappingKey(), Buffer.from(row.wrapped), `data-key-${purpose}`));
  }
  return { newest: Math.max(...byVersion.keys()), byVersion };
}

function wrappingKey(): Buffer {
  return Buffer.from(env.vaultKey);
}

function encrypt(key: Buffer, clear: Buffer, label: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(label));
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, bytes: Buffer, label: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(label));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
