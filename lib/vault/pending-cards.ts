/**
 * Stores card data between the submit of hosted fields and the merchant's request that makes the payment. The data
 * contains a security code: it is encrypted under a key that needs the vault's data key and the session's token, in
 * unlogged tables, is taken once, and is gone from the tables after seven minutes, and from their files unless another
 * transaction holds them. After a crash of the database the payer submits the fields again.
 */
import { hkdfSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Expiry } from '../core/cards.ts';
import { statement, transaction } from '../db/index.ts';
import { log } from '../telemetry/index.ts';
import { encryptText } from './cipher.ts';
import { keyOfVersion, usableKeys } from './keys.ts';
import { decryptValue, logMoved, SealError, sealedVersion } from './seal.ts';

/** The submitted card data. For a stored card only the security code is submitted. */
export type PendingCard = ({ number: string; expiry: Expiry } | { keptCardId: string }) & {
  cvv?: string;
  /** The client IP of the payer's browser: the request that makes the payment often comes from a server. */
  address?: string;
  /** The payer's choice to have the card saved, where the fields offered it. */
  keepsCard?: boolean;
  /** The mark of the agreement that the fields showed; undefined where the page has no such frame. */
  mark?: string;
};

/** The payment of a session of hosted fields, in the version that the request has read, and its `Token`. */
export type FieldsPayment = { id: string; version: number; token: string };

/** `takenVersion`: the payment's version when another call took the card; null if none was submitted. */
export type TakenCard = { card: PendingCard } | { takenVersion: number | null };

const maxAgeMilliseconds = 2 * 60_000;
/** Two tables are used in turn, each for this time. */
const halfMilliseconds = 2 * maxAgeMilliseconds;
/** Far more than the clocks of processes differ. */
const clockMarginMilliseconds = 60_000;

const halfAt = (now: Date) => Math.floor(now.getTime() / halfMilliseconds) % 2;
const expiryAt = (now: Date) => new Date(now.getTime() + maxAgeMilliseconds);

type Stored = { paymentId: string; half: number; sealed: Buffer | null; takenVersion: number | null; expiresAt: Date };

const insert = statement<Stored>(
  'pending-card-store',
  `with former as (delete from pending_cards where payment_id = :paymentId::uuid and half <> :half::smallint)
   insert into pending_cards (payment_id, half, sealed, taken_version, expires_at)
   values (:paymentId::uuid, :half::smallint, :sealed::bytea, :takenVersion::int, :expiresAt::timestamptz)
   on conflict (payment_id, half) do update
     set sealed = excluded.sealed, taken_version = excluded.taken_version, expires_at = excluded.expires_at`,
);

const take = statement<
  { paymentId: string; version: number; now: Date },
  { sealed: Uint8Array | null; takenVersion: number | null }
>(
  'pending-card-take',
  `with found as (
     select half, sealed, taken_version from pending_cards
      where payment_id = :paymentId::uuid and expires_at > :now::timestamptz order by expires_at desc limit 1 for update
   ), taken as (
     update pending_cards p set sealed = null, taken_version = :version::int
       from found where p.payment_id = :paymentId::uuid and p.half = found.half and found.sealed is not null
   )
   select sealed, taken_version as "takenVersion" from found`,
);

/** Stores a session's card until the payment is made; a later submit replaces an earlier one. */
export async function storePendingCard(payment: FieldsPayment, card: PendingCard, now: Date): Promise<void> {
  const sealed = await sealCard(payment, card);
  await insert({ paymentId: payment.id, half: halfAt(now), sealed, takenVersion: null, expiresAt: expiryAt(now) });
}

const callOf = statement<{ paymentId: string; now: Date }, { takenVersion: number | null }>(
  'payment-call-find',
  `select taken_version as "takenVersion" from pending_cards
    where payment_id = :paymentId::uuid and expires_at > :now::timestamptz order by expires_at desc limit 1`,
);

const removeCall = statement<{ paymentId: string }>(
  'payment-call-remove',
  'delete from pending_cards where payment_id = :paymentId::uuid and sealed is null',
);

/** Takes a session's card: every other call gets the version of the payment that this one has read. */
export async function takePendingCard({ id, version, token }: FieldsPayment, now: Date): Promise<TakenCard> {
  const [found] = await take({ paymentId: id, version, now });
  if (!found?.sealed) return { takenVersion: found?.takenVersion ?? null };
  const card = await decryptPendingCard({ id, token }, Buffer.from(found.sealed));
  return card ? { card } : { takenVersion: null };
}

/** Records that a call pays by a wallet token, as if it had taken a card. */
export async function markPaymentCall({ id, version }: FieldsPayment, now: Date): Promise<void> {
  await insert({ paymentId: id, half: halfAt(now), sealed: null, takenVersion: version, expiresAt: expiryAt(now) });
}

/** Milliseconds between looks for a mark, together about a second. */
const markPauses = [10, 20, 40, 80, 160, 320, 400];

/**
 * The payment's version when the call that has claimed a wallet token read it. The call is marked right after the claim;
 * null if that has not happened for a second, because its process has ended in between, or if it ended two minutes ago.
 */
export async function takenVersion(paymentId: string, now: Date): Promise<number | null> {
  let [found] = await callOf({ paymentId, now });
  for (const pause of markPauses) {
    if (found) break;
    await setTimeout(pause);
    [found] = await callOf({ paymentId, now });
  }
  return found?.takenVersion ?? null;
}

/** Ends a call that has made no attempt: repeats of it do not wait for one. */
export async function endPaymentCall(paymentId: string): Promise<void> {
  await removeCall({ paymentId });
}

const halves = [0, 1].map((half) => ({
  size: statement<object, { bytes: number }>(
    `pending-cards-size-${half}`,
    `select pg_relation_size('pending_cards_${half}')::float8 as bytes`,
  ),
  truncate: statement<object>(`pending-cards-truncate-${half}`, `truncate pending_cards_${half}`),
  removeExpired: statement<{ now: Date }, object>(
    `pending-cards-expire-${half}`,
    `delete from pending_cards_${half} where expires_at <= :now::timestamptz returning 1`,
  ),
}));

// Every payment by hosted fields that comes meanwhile waits as long.
const limitWait = statement<object>('pending-cards-lock-timeout', "set local lock_timeout = '50ms'");
const lockNotAvailable = '55P03';
const retryMilliseconds = 10_000;
let nextTryAt = 0;

/**
 * Truncates the table whose cards have all expired, once it has been out of use for long enough; returns how many. Where
 * another transaction holds the table, as pg_dump does until its end, it deletes the rows, which waits for no reader and
 * leaves them in the file, and tries again later.
 */
export async function removeExpiredCards(now: Date): Promise<number> {
  if (now.getTime() % halfMilliseconds < maxAgeMilliseconds + clockMarginMilliseconds) return 0;
  const former = halves[1 - halfAt(now)];
  if (!former || now.getTime() < nextTryAt) return 0;
  const [read] = await former.size({});
  if (!read?.bytes) return 0;
  try {
    await transaction(async (query) => {
      await limitWait({}, query);
      await former.truncate({}, query);
    });
    return 1;
  } catch (err) {
    if ((err as { code?: string }).code !== lockNotAvailable) throw err;
    nextTryAt = now.getTime() + retryMilliseconds;
    log.warn(
      'a transaction holds the table of submitted cards: those that have expired are deleted, and truncated after it',
    );
    return (await former.removeExpired({ now })).length;
  }
}

async function sealCard({ id, token }: FieldsPayment, card: PendingCard): Promise<Buffer> {
  const [{ version, key }] = await usableKeys('seal');
  const head = Buffer.alloc(2);
  head.writeUInt16BE(version);
  return Buffer.concat([head, encryptText(keyFor(key, token), JSON.stringify(card), id)]);
}

/** Null if a rotation has removed the data key meanwhile; throws {@link SealError} for bytes of another row. */
async function decryptPendingCard(
  { id, token }: Pick<FieldsPayment, 'id' | 'token'>,
  sealed: Buffer,
): Promise<PendingCard | null> {
  try {
    const version = sealedVersion(sealed);
    const found = await keyOfVersion('seal', version);
    return found && (JSON.parse(decryptValue(sealed, keyFor(found.key, token), id, version)) as PendingCard);
  } catch (err) {
    if (err instanceof SealError) logMoved({ table: 'pending_cards', column: 'sealed', id }, err);
    throw err;
  }
}

const keyFor = (key: Buffer, token: string) => Buffer.from(hkdfSync('sha256', key, token, 'pending card', 32));
