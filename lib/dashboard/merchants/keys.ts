/** A merchant's keys. Showing a password requires a recent proof of identity; the audit log never stores it. */
import type { AuditAction } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import {
  addKey,
  findMerchant,
  generateKeyPair,
  type ListedKey,
  listKeys,
  passwordOf,
  revokeKey,
} from '../../merchants/index.ts';
import { logAction } from '../changes.ts';
import { existing, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { overlapSeconds, rotateInput } from './schema.ts';

/** A limit on valid keys, because forgotten keys are a risk. */
const validMax = 10;

/** The keys of a merchant, the newest first. */
export async function keyList({ scope, params, now }: PageContext) {
  return listOf(existing(await findMerchant(params.id ?? '', scope)).id, now);
}

async function listOf(merchantId: string, now: Date) {
  return { rows: (await listKeys(merchantId)).map((key) => rowOf(key, now)) };
}

const rowOf = (listed: ListedKey, now: Date) => ({
  ...listed,
  state: stateOf(listed.validUntil, now),
  /** Whether this deployment accepts keys of that environment. */
  served: listed.environment === env.appEnv,
});

function stateOf(validUntil: Date | null, now: Date): 'valid' | 'ending' | 'ended' {
  if (validUntil === null) return 'valid';
  return validUntil > now ? 'ending' : 'ended';
}

/** Generates a further key and shows it. */
export async function createKeyAction(request: DashboardRequest) {
  const merchant = existing(await findMerchant(request.params.id ?? '', request.scope));
  await requireKeyCapacity(merchant.id, request.now);
  const pair = generateKeyPair();
  const { id, key, environment } = pair;
  await log(request, 'key.create', id, { key, environment });
  await addKey(merchant.id, pair, request.now);
  return { pair, ...(await listOf(merchant.id, request.now)) };
}

/** Generates a key that replaces another, which stays valid for the chosen time, and shows it. */
export async function rotateKeyAction(request: DashboardRequest) {
  const { overlap } = parseBody(rotateInput, request.body);
  const { merchantId, key: replaced } = await ownKey(request);
  if (stateOf(replaced.validUntil, request.now) === 'ended') {
    throw refusal('This key is revoked. Generate a new one instead.');
  }
  if (replaced.environment !== env.appEnv) {
    throw refusal(`This deployment does not accept ${replaced.environment} keys.`);
  }
  await requireKeyCapacity(merchantId, request.now);
  const until = new Date(request.now.getTime() + overlapSeconds[overlap] * 1000);
  const pair = generateKeyPair();
  const { key, environment } = pair;
  await log(request, 'key.rotate', replaced.id, { newKey: key, environment, validUntil: until.toISOString() });
  // The new key is created first, so that a failure never leaves the merchant without a key.
  await addKey(merchantId, pair, request.now, replaced.id);
  await revokeKey(merchantId, replaced.id, until, request.now);
  return { pair, ...(await listOf(merchantId, request.now)) };
}

/** Revokes a key immediately: every later request with it is refused. */
export async function endKeyAction(request: DashboardRequest) {
  const { merchantId, key } = await ownKey(request);
  if (stateOf(key.validUntil, request.now) === 'ended') throw refusal('This key is revoked already.');
  await log(request, 'key.end', key.id, { validUntil: request.now.toISOString() });
  await revokeKey(merchantId, key.id, request.now, request.now);
  return listOf(merchantId, request.now);
}

/** Shows the password of a key again. */
export async function revealAction(request: DashboardRequest) {
  const found = await ownKey(request);
  await log(request, 'key.reveal', found.key.id);
  return { password: existing(await passwordOf(found.merchantId, found.key.id)) };
}

async function ownKey({ params, scope }: DashboardRequest) {
  const { id: merchantId } = existing(await findMerchant(params.id ?? '', scope));
  return { merchantId, key: existing((await listKeys(merchantId)).find(({ id }) => id === params.key)) };
}

async function requireKeyCapacity(merchantId: string, now: Date): Promise<void> {
  const valid = (await listKeys(merchantId)).filter(({ validUntil }) => stateOf(validUntil, now) !== 'ended');
  if (valid.length >= validMax) throw refusal(`A merchant has at most ${validMax} valid keys. Revoke one first.`);
}

// The merchant is passed because a new key has no row yet.
const log = (request: DashboardRequest, action: AuditAction, keyId: string, after?: Record<string, string>) =>
  logAction(request, action, `key:${keyId}`, { after, merchantId: request.params.id });
