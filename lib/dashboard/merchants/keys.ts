/**
 * A merchant's keys: list, generate, rotate, revoke and reveal. Every action that shows a password requires a recent
 * proof of identity; the audit log stores the key and never the password.
 */

import { audit, type Json } from '../../auth';
import { env } from '../../config';
import {
  addKey,
  findMerchant,
  generateKeyPair,
  type ListedKey,
  listKeys,
  passwordOf,
  revokeKey,
} from '../../merchants';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import type { CreatedKey, KeyList, KeyRow } from './contract';
import { overlapSeconds, rotateInput } from './schema';

type ActionRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'params' | 'body' | 'now'>;

/** A limit on valid keys, because forgotten keys are a risk. */
const validMax = 10;

/** The keys of a merchant, the newest first; null if the user cannot see the merchant. */
export async function keyList({
  scope,
  params,
  now,
}: Pick<ActionRequest, 'scope' | 'params' | 'now'>): Promise<KeyList | null> {
  const merchant = await findMerchant(params.id ?? '', scope);
  return merchant && listOf(merchant.id, now);
}

async function listOf(merchantId: string, now: Date): Promise<KeyList> {
  return { rows: (await listKeys(merchantId)).map((key) => rowOf(key, now)) };
}

function rowOf({ id, key, environment, createdAt, validUntil }: ListedKey, now: Date): KeyRow {
  const state = validUntil === null ? 'valid' : validUntil > now ? 'ending' : 'ended';
  return {
    ...{ id, key, environment, state },
    createdAt: createdAt.toISOString(),
    validUntil: validUntil?.toISOString() ?? null,
    served: environment === env.appEnv,
  };
}

/** Generates a further key and shows it. */
export async function createKeyAction(request: ActionRequest): Promise<CreatedKey | null> {
  const merchant = await findMerchant(request.params.id ?? '', request.scope);
  if (!merchant) return null;
  await requireKeyCapacity(merchant.id, request.now);
  const pair = generateKeyPair();
  const { id, key, environment } = pair;
  await log(request, 'key.create', id, { key, environment });
  await addKey(merchant.id, pair, request.now);
  return { pair, ...(await listOf(merchant.id, request.now)) };
}

/** Generates a key that replaces another, which stays valid for the chosen time, and shows it. */
export async function rotateKeyAction(request: ActionRequest): Promise<CreatedKey | null> {
  const { overlap } = parseBody(rotateInput, request.body);
  const old = await ownKey(request);
  if (!old) return null;
  if (rowOf(old.key, request.now).state === 'ended')
    throw new DashboardError(409, 'This key is revoked. Generate a new one instead.');
  if (old.key.environment !== env.appEnv)
    throw new DashboardError(409, `This deployment does not accept ${old.key.environment} keys.`);
  await requireKeyCapacity(old.merchantId, request.now);
  const until = new Date(request.now.getTime() + overlapSeconds[overlap] * 1000);
  const pair = generateKeyPair();
  const { key, environment } = pair;
  await log(request, 'key.rotate', old.key.id, { newKey: key, environment, validUntil: until.toISOString() });
  // The new key is created first, so that a failure never leaves the merchant without a key.
  await addKey(old.merchantId, pair, request.now);
  await revokeKey(old.merchantId, old.key.id, until, request.now);
  return { pair, ...(await listOf(old.merchantId, request.now)) };
}

/** Revokes a key immediately: every later request with it is refused. */
export async function endKeyAction(request: ActionRequest): Promise<KeyList | null> {
  const owned = await ownKey(request);
  if (!owned) return null;
  if (rowOf(owned.key, request.now).state === 'ended') throw new DashboardError(409, 'This key is revoked already.');
  await log(request, 'key.end', owned.key.id, { validUntil: request.now.toISOString() });
  await revokeKey(owned.merchantId, owned.key.id, request.now, request.now);
  return listOf(owned.merchantId, request.now);
}

/** Shows the password of a key again. */
export async function revealAction(request: ActionRequest): Promise<{ password: string } | null> {
  const found = await ownKey(request);
  if (!found) return null;
  await log(request, 'key.reveal', found.key.id);
  const password = await passwordOf(found.merchantId, found.key.id);
  return password === null ? null : { password };
}

async function ownKey({ params, scope }: ActionRequest): Promise<{ merchantId: string; key: ListedKey } | null> {
  const merchant = await findMerchant(params.id ?? '', scope);
  const key = merchant && (await listKeys(merchant.id)).find(({ id }) => id === params.key);
  return key ? { merchantId: merchant.id, key } : null;
}

async function requireKeyCapacity(merchantId: string, now: Date): Promise<void> {
  const { rows } = await listOf(merchantId, now);
  if (rows.filter(({ state }) => state !== 'ended').length < validMax) return;
  throw new DashboardError(409, `A merchant has at most ${validMax} valid keys. Revoke one first.`);
}

// The merchant is passed because a new key has no row yet.
function log({ viewer, params, now }: ActionRequest, action: string, keyId: string, after?: Record<string, Json>) {
  const subject = `key:${keyId}`;
  return audit({ actor: `user:${viewer.id}`, action, subject, after, merchantId: params.id }, now);
}
