/**
 * Encryption at rest: AES-256-GCM under a data key, which a key outside of the database encrypts. Every sealed value starts
 * with the version of its data key, so that keys rotate during operation, and is bound to its row, so that it cannot be
 * moved. Cards are looked up by a keyed fingerprint.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { env } from '../config/index.ts';
import type { CardData } from '../connectors/index.ts';
import { brandOf } from '../core/cards.ts';
import { newId } from '../core/ids.ts';
import type { CardView, Payment } from '../core/payment.ts';
import { isSandboxCard } from '../core/sandbox-cards.ts';
import { statement } from '../db/index.ts';
import { methods } from '../methods/catalog.ts';
import { log, metrics } from '../telemetry/index.ts';
import { decryptText, encryptText, keyObject } from './cipher.ts';
import { allKeys, type DataKey, keyOfVersion, usableKeys } from './keys.ts';

/**
 * A column of sealed bytes, or a JSON column in which texts under these names are sealed values in Base64. `owner` is the
 * column with the merchant of the row, with the MID of earlier settings or of a transaction, or with the recipient of a message.
 */
export type SealedColumn = {
  table: string;
  column: string;
  owner: 'merchant_id' | 'mid_id' | 'recipient';
  members?: readonly string[];
};

const parameterKey = (method: string) => `${method}:sealed`;

/** The locations of sealed values by label. A rotation re-encrypts these only and then deletes the old key. */
export const sealedColumns = {
  card: { table: 'cards', column: 'sealed', owner: 'merchant_id' },
  'merchant-password': { table: 'merchant_keys', column: 'password', owner: 'merchant_id' },
  'mid-settings': { table: 'mids', column: 'settings', owner: 'merchant_id' },
  'earlier-mid-settings': { table: 'earlier_mid_settings', column: 'settings', owner: 'mid_id' },
  'wallet-settings': { table: 'wallets', column: 'settings', owner: 'merchant_id' },
  message: { table: 'messages', column: 'sealed', owner: 'recipient' },
  presentation: { table: 'transactions', column: 'sealed_present', owner: 'mid_id' },
  'wallet-pending': { table: 'wallets', column: 'pending', owner: 'merchant_id' },
  'card-parameters': {
    table: 'payments',
    column: 'parameters',
    owner: 'merchant_id',
    // Earlier releases stored other members with such names as shops sent them.
    members: methods.map(({ id }) => parameterKey(id)),
  },
} as const satisfies { [label: string]: SealedColumn };

export type SealedLabel = keyof typeof sealedColumns;

/** The row of a sealed value: its id and its owner, and the member of a JSON column. UUIDs in lower case. */
export type SealedRow = { id: string; owner: string; member?: string };

/** What a value is bound to: its column, and its row if the data key binds rows. */
function contextOf(label: SealedLabel, { id, owner, member = '' }: SealedRow, bindsRows: boolean): string {
  return bindsRows ? [label, owner, id, member].join('\n') : label;
}

/** Encrypts a text for a column and a row: elsewhere it does not decrypt. */
export async function seal(text: string, label: SealedLabel, row: SealedRow): Promise<Buffer> {
  const [key] = await usableKeys('seal');
  return sealUnder(key, text, label, row);
}

/** {@link seal} under a data key. */
export function sealUnder(
  { version, key, bindsRows }: Pick<DataKey, 'version' | 'key' | 'bindsRows'>,
  text: string,
  label: SealedLabel,
  row: SealedRow,
): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(version);
  const sealed = Buffer.concat([head, encryptText(key, text, contextOf(label, row, bindsRows))]);
  metrics.sealedValues.inc({ call: 'seal', label, result: 'done' });
  return sealed;
}

/** The version of the data key that sealed these bytes; throws {@link SealError} if they contain none. */
export function sealedVersion(sealed: Uint8Array): number {
  if (sealed.length < 2) throw new SealError('it is too short');
  return Buffer.from(sealed).readUInt16BE(0);
}

/** A sealed value that cannot be decrypted: it was altered or moved from another row, or its data key is missing. */
export class SealError extends Error {}

/** Decrypts the output of {@link seal} for the same column and row; throws {@link SealError}. */
export async function unseal(sealed: Uint8Array, label: SealedLabel, row: SealedRow): Promise<string> {
  try {
    const version = sealedVersion(sealed);
    const found = await keyOfVersion('seal', version);
    if (!found) throw new SealError(`data key version ${version} is missing`);
    const text = decryptValue(sealed, found.key, contextOf(label, row, found.bindsRows), version);
    metrics.sealedValues.inc({ call: 'unseal', label, result: 'done' });
    return text;
  } catch (err) {
    metrics.sealedValues.inc({ call: 'unseal', label, result: 'failed' });
    if (err instanceof SealError) {
      const { table, column } = sealedColumns[label];
      logMoved({ table, column, ...row }, err);
    }
    throw err;
  }
}

/** Reports a sealed value that does not decrypt in its row. */
export function logMoved(place: { table: string; column: string; id: string }, err: SealError): void {
  log.error({ ...place, why: err.message }, 'ALERT: a sealed value was altered or moved');
}

/** Decrypts the bytes after the version of the data key; throws {@link SealError}. */
export function decryptValue(sealed: Uint8Array, key: Buffer, context: string, version: number): string {
  try {
    return decryptText(key, Buffer.from(sealed).subarray(2), context);
  } catch {
    throw new SealError(`it does not decrypt in its row with data key version ${version}`);
  }
}

/** A keyed hash for links, which cannot be forged without the key. A replaced key makes and verifies no link. */
export async function linkHmac(text: string): Promise<Buffer> {
  const [{ key }] = await usableKeys('link');
  return linkHmacUnder(key, text);
}

/** {@link linkHmac} under a key that is not stored yet. */
export const linkHmacUnder = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', keyObject(key)).update(text).digest();

/** {@link linkHmac} under every key, the replaced ones too, newest first. */
export async function linkHmacs(text: string): Promise<Buffer[]> {
  return (await allKeys('link')).map((key) => linkHmacUnder(key, text));
}

/**
 * A keyed hash of an identifier that can be guessed, such as a card or phone number, to count it. Its key can be replaced, unlike
 * that of links.
 */
export async function fingerprintHmac(text: string): Promise<Buffer> {
  const [{ key }] = await usableKeys('fingerprint');
  return createHmac('sha256', keyObject(key)).update(text).digest();
}

/** The secret of the dashboard's sessions, and of what else is derived for its users. */
export async function sessionSecret(): Promise<Buffer> {
  const [{ key }] = await usableKeys('sessions');
  return key;
}

type CardNumberAndExpiry = Pick<CardData, 'number' | 'expMonth' | 'expYear'>;

/** A keyed hash of number and expiry, by which a card is found. `twin`: the id of a second row of the same card. */
export function fingerprintOf({ number, expMonth, expYear }: CardNumberAndExpiry, key: Buffer, twin = ''): Buffer {
  const text = `${number}|${expYear}-${expMonth}${twin && `|${twin}`}`;
  return createHmac('sha256', keyObject(key)).update(text).digest();
}

export type StoredCard = CardView & { fingerprint: Buffer; sealed: Buffer | null };

/** Prepares a card for storage. In the sandbox only the fragment of a live card, for signatures, is stored. */
export async function toStoredCard(card: CardData, merchantId: string): Promise<StoredCard> {
  const keep = env.appEnv === 'production' || isSandboxCard(card.number);
  const id = newId();
  return {
    id,
    fingerprint: keep ? await currentFingerprint(card, merchantId) : randomBytes(32),
    sealed: keep ? await seal(card.number, 'card', { id, owner: merchantId }) : null,
    first6: card.number.slice(0, 6),
    last4: card.number.slice(-4),
    brand: brandOf(card.number)?.id ?? null,
    expMonth: card.expMonth,
    expYear: card.expYear,
    holder: card.holder ?? null,
  };
}

const refingerprint = statement<{ merchantId: string; fingerprint: Uint8Array; before: Uint8Array[] }>(
  'card-refingerprint',
  `update cards set fingerprint = :fingerprint where merchant_id = :merchantId and fingerprint = any(:before::bytea[])
      and not exists (select 1 from cards where merchant_id = :merchantId and fingerprint = :fingerprint)`,
);

// During a rotation of the fingerprint key a card may still have a fingerprint of an older key: its row is updated
// first, so that no second row is created.
async function currentFingerprint(card: CardData, merchantId: string): Promise<Buffer> {
  const [{ key }, ...older] = await usableKeys('fingerprint');
  const fingerprint = fingerprintOf(card, key);
  if (older.length > 0) {
    const before = older.map((each) => fingerprintOf(card, each.key));
    await refingerprint({ merchantId, fingerprint, before }).catch((err: { code?: string }) => {
      // Another process has stored the card under the new fingerprint concurrently.
      if (err.code !== '23505') throw err;
    });
  }
  return fingerprint;
}

type SealedCard = Omit<CardData, 'number' | 'holder'> & { sealed: Uint8Array | null; holder: string | null };

const sealedCard = statement<{ cardId: string }, SealedCard>(
  'card-decrypt',
  'select sealed, exp_month as "expMonth", exp_year as "expYear", holder from cards where id = :cardId',
);

/** A merchant's stored card with its number in clear for the connector; null if it cannot be charged again. */
export async function decryptCard(cardId: string, merchantId: string): Promise<CardData | null> {
  const [row] = await sealedCard({ cardId });
  if (!row?.sealed) return null;
  const { sealed, holder, ...dated } = row;
  const number = await unseal(sealed, 'card', { id: cardId, owner: merchantId });
  return { ...dated, number, holder: holder ?? undefined };
}

const cardByToken = statement<{ token: string }, CardView & { merchantId: string }>(
  'token-find',
  `select t.merchant_id as "merchantId", c.id, c.first6, c.last4, c.brand, c.exp_month as "expMonth",
          c.exp_year as "expYear", c.holder
     from card_tokens t join cards c on c.id = t.card_id
    where t.token = :token and t.removed_at is null`,
);

/** A card by its token; `foreign` for another merchant's token. Removed tokens are not found. */
export async function findToken(
  merchantId: string,
  token: string,
  now: Date,
): Promise<{ card: CardView; expired: boolean } | 'foreign' | null> {
  const [row] = await cardByToken({ token });
  if (!row) return null;
  const { merchantId: owner, ...card } = row;
  if (owner !== merchantId) return 'foreign';
  // A card is valid through the last day of its month.
  const expired = now.getTime() >= Date.UTC(card.expYear, card.expMonth, 1);
  return { card, expired };
}

const setRemoved = statement<{ token: string; merchantId: string; now: Date }>(
  'token-remove',
  `update card_tokens set removed_at = coalesce(removed_at, :now::timestamptz)
    where token = :token and merchant_id = :merchantId returning token`,
);

/** Removes a merchant's token; also true if it was removed before, false if the merchant never had it. */
export async function removeToken(merchantId: string, token: string, now: Date): Promise<boolean> {
  const rows = await setRemoved({ token, merchantId, now });
  return rows.length > 0;
}

const label = 'card-parameters';

type PaymentRow = Pick<Payment, 'id' | 'merchantId'>;

const rowOf = ({ id, merchantId }: PaymentRow, method: string) => ({
  id,
  owner: merchantId,
  member: parameterKey(method),
});

/** The member of a payment's parameters for a method's secrets; without any it removes the earlier ones. */
export async function sealParameters(
  payment: PaymentRow,
  method: string,
  secret: Record<string, string>,
): Promise<Record<string, string | null>> {
  if (Object.keys(secret).length === 0) return { [parameterKey(method)]: null };
  const sealed = await seal(JSON.stringify(secret), label, rowOf(payment, method));
  return { [parameterKey(method)]: sealed.toString('base64') };
}

/** The decrypted secret parameters of a payment for a method. */
export async function decryptParameters(
  { parameters, ...payment }: PaymentRow & Pick<Payment, 'parameters'>,
  method: string,
): Promise<Record<string, string>> {
  const sealed = parameters[parameterKey(method)];
  if (typeof sealed !== 'string') return {};
  return JSON.parse(await unseal(Buffer.from(sealed, 'base64'), label, rowOf(payment, method)));
}

/** Whether a payment has sealed parameters for a method. */
export function hasSealedParameters({ parameters }: Pick<Payment, 'parameters'>, method: string): boolean {
  return typeof parameters[parameterKey(method)] === 'string';
}

/** A stored row of the card, with the numbers of its payments and of its valid tokens. */
export type FoundCard = {
  id: string;
  merchantId: string;
  merchant: string;
  first6: string;
  last4: string;
  expMonth: number;
  expYear: number;
  payments: number;
  tokens: number;
};

const cardsLike = statement<{ last4: string; first6: string }, FoundCard & { fingerprint: Uint8Array }>(
  'vault-find',
  `select c.id, c.merchant_id as "merchantId", m.name as merchant, c.fingerprint, c.first6, c.last4,
          c.exp_month as "expMonth", c.exp_year as "expYear",
          (select count(*)::int from payments p where p.card_id = c.id and p.merchant_id = c.merchant_id) as payments,
          (select count(*)::int from card_tokens t where t.card_id = c.id and t.removed_at is null) as tokens
     from cards c join merchants m on m.id = c.merchant_id
    where c.last4 = :last4 and c.first6 = :first6 order by m.name, c.id`,
);

/** The rows of all merchants with this number (digits only) and any expiry, which a fingerprint covers too. */
export async function findCards(number: string): Promise<FoundCard[]> {
  const keys = await usableKeys('fingerprint');
  const rows = await cardsLike({ last4: number.slice(-4), first6: number.slice(0, 6) });
  return rows.flatMap(({ fingerprint, ...card }) => {
    const matches = keys.some(({ key }) =>
      ['', card.id].some((twin) => fingerprintOf({ ...card, number }, key, twin).equals(fingerprint)),
    );
    return matches ? [card] : [];
  });
}
