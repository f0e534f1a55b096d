/**
 * Ensures that a wallet token and a request signature are used once. A token is claimed before its payment is created,
 * under the payment's future id, so that repeats and crashes do not create a second payment.
 */
import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../core/ids.ts';
import { repeatSeconds } from '../core/payment.ts';
import type { WalletKind } from '../core/provider-data.ts';
import { statement } from '../db/index.ts';
import { log } from '../telemetry/index.ts';

/** Far more than the clocks of processes differ. */
const clockMarginHours = 24;

type ClaimedToken = { wallet: { kind: WalletKind }; id: string; goodUntil: Date };

type ClaimParams = { digest: Uint8Array; requestDigest: Uint8Array; paymentId: string; expiresAt: Date; now: Date };
const insertClaim = statement<ClaimParams, { paymentId: string }>(
  'wallet-claim',
  `insert into used_wallet_tokens (digest, request_digest, payment_id, expires_at, created_at)
   values (:digest, :requestDigest, :paymentId, :expiresAt, :now)
   on conflict (digest) do update set digest = excluded.digest
    where used_wallet_tokens.request_digest = excluded.request_digest
      and used_wallet_tokens.created_at > excluded.created_at - interval '${repeatSeconds} seconds'
   returning payment_id as "paymentId"`,
);

/**
 * Claims a token; returns the id of the payment that it pays. A repeat of the request within the time of repeats gets
 * the same id; null for a token that another request, of any merchant, has claimed.
 */
export async function claimWalletToken(
  token: ClaimedToken,
  requestDigest: Buffer,
  now: Date,
  paymentId = newId(),
): Promise<string | null> {
  const expiresAt = new Date(token.goodUntil.getTime() + clockMarginHours * 3_600_000);
  const [row] = await insertClaim({ digest: digestOf(token), requestDigest, paymentId, expiresAt, now });
  if (!row) log.warn({ wallet: token.wallet.kind, unopened: 'token', why: 'used' }, 'a wallet payment was refused');
  return row?.paymentId ?? null;
}

function digestOf({ wallet, id }: ClaimedToken): Buffer {
  return createHash('sha256').update(`${wallet.kind} ${id}`).digest();
}

/** Longer than any wallet token is valid. */
const undecryptedDays = 30;

const findClaim = statement<{ digest: Uint8Array }, { paymentId: string }>(
  'wallet-claimed-by',
  'select payment_id as "paymentId" from used_wallet_tokens where digest = :digest',
);

/**
 * Claims a token for an attempt of an existing payment. `repeated`: this payment claimed it before; `refused`: another
 * payment claimed it. A token that is not decrypted is identified by its text.
 */
export async function claimWalletTokenForAttempt(
  token: ClaimedToken | { kind: WalletKind; text: string },
  paymentId: string,
  now: Date,
): Promise<'claimed' | 'repeated' | 'refused'> {
  const claimed = 'text' in token ? undecryptedToken(token, now) : token;
  // A random digest matches no earlier request, so that the claim's payment decides below.
  if ((await claimWalletToken(claimed, randomBytes(32), now, paymentId)) !== null) return 'claimed';
  const [row] = await findClaim({ digest: digestOf(claimed) });
  return row?.paymentId === paymentId ? 'repeated' : 'refused';
}

function undecryptedToken({ kind, text }: { kind: WalletKind; text: string }, now: Date): ClaimedToken {
  const goodUntil = new Date(now.getTime() + undecryptedDays * 86_400_000);
  return { wallet: { kind }, id: `text:${createHash('sha256').update(text).digest('hex')}`, goodUntil };
}

const deleteExpired = statement<{ now: Date }, { digest: Uint8Array }>(
  'wallet-claims-forget',
  `delete from used_wallet_tokens where digest in (
     select digest from used_wallet_tokens where expires_at < :now limit 1000 for update skip locked
   ) returning digest`,
);

/** Deletes claims of tokens that have expired; returns how many. */
export async function deleteExpiredClaims(now: Date): Promise<number> {
  return (await deleteExpired({ now })).length;
}

/** An upper bound of the clock differences between processes. */
const clockMarginSeconds = 60;

const insertUsed = statement<{ digest: Uint8Array; expiresAt: Date }, { digest: Uint8Array }>(
  'signature-take',
  `insert into used_signatures (digest, expires_at) values (:digest, :expiresAt::timestamptz)
   on conflict (digest) do nothing returning digest`,
);

/** Marks a signature as used; false if it was used before. `goodUntil` is when its timestamp expires. */
export async function claimSignature(keyId: string, mac: Uint8Array, goodUntil: Date): Promise<boolean> {
  const digest = createHash('sha256').update(keyId).update(mac).digest();
  const expiresAt = new Date(goodUntil.getTime() + clockMarginSeconds * 1000);
  return (await insertUsed({ digest, expiresAt })).length === 1;
}

const deleteExpiredDigests = statement<{ at: Date }, { digest: Uint8Array }>(
  'signatures-forget',
  `delete from used_signatures where digest in (
     select digest from used_signatures where expires_at < :at::timestamptz limit 1000 for update skip locked
   ) returning digest`,
);

/** Deletes expired signatures and returns their number. Uses the system clock, as claims do. */
export async function deleteExpiredSignatures(): Promise<number> {
  return (await deleteExpiredDigests({ at: new Date() })).length;
}
