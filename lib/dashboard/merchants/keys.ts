/**
 * A merchant's keys: the list, a new pair, a new one in place of an old one, the end of one, and its password once more.
 * Whatever shows a password asks for somebody who has just proved who they are; the audit log knows the key and never the
 * password.
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

/** More valid keys than this are a mistake: nobody remembers what they are for. */
const validMax = 10;

/** The keys of a merchant, the newest first; null where the merchant does not exist for this person. */
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

/** Makes a further pair and shows it. */
export async function createKeyAction(asked: ActionRequest): Promise<CreatedKey | null> {
  const merchant = await findMerchant(asked.params.id ?? '', asked.scope);
  if (!merchant) return null;
  await requireKeyCapacity(merchant.id, asked.now);
  const pair = generateKeyPair();
  const { id, key, environment } = pair;
  await log(asked, 'key.create', id, { key, environment });
  await addKey(merchant.id, pair, asked.now);
  return { pair, ...(await listOf(merchant.id, asked.now)) };
}

/** Makes a new pair in place of a key, which stays valid for the time that was chosen, and shows it. */
export async function rotateKeyAction(asked: ActionRequest): Promise<CreatedKey | null> {
  const { overlap } = parseBody(rotateInput, asked.body);
  const old = await ownKey(asked);
  if (!old) return null;
  if (rowOf(old.key, asked.now).state === 'ended')
    throw new DashboardError(409, 'This key has ended. Make a new one instead.');
  if (old.key.environment !== env.appEnv)
    throw new DashboardError(409, `This deployment takes no ${old.key.environment} keys.`);
  await requireKeyCapacity(old.merchantId, asked.now);
  const until = new Date(asked.now.getTime() + overlapSeconds[overlap] * 1000);
  const pair = generateKeyPair();
  const { key, environment } = pair;
  await log(asked, 'key.rotate', old.key.id, { newKey: key, environment, validUntil: until.toISOString() });
  // The new one first: whatever happens in between, the merchant is left with a key.
  await addKey(old.merchantId, pair, asked.now);
  await revokeKey(old.merchantId, old.key.id, until, asked.now);
  return { pair, ...(await listOf(old.merchantId, asked.now)) };
}

/** Ends a key at once: every later request with it is refused. */
export async function endKeyAction(asked: ActionRequest): Promise<KeyList | null> {
  const found = await ownKey(asked);
  if (!found) return null;
  if (rowOf(found.key, asked.now).state === 'ended') throw new DashboardError(409, 'This key has ended already.');
  await log(asked, 'key.end', found.key.id, { validUntil: asked.now.toISOString() });
  await revokeKey(found.merchantId, found.key.id, asked.now, asked.now);
  return listOf(found.merchantId, asked.now);
}

/** Shows the password of a key once more. */
export async function revealAction(asked: ActionRequest): Promise<{ password: string } | null> {
  const found = await ownKey(asked);
  if (!found) return null;
  await log(asked, 'key.reveal', found.key.id);
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
  throw new DashboardError(409, `A merchant has at most ${validMax} valid keys. End one first.`);
}

// The merchant is named outright: a key that is being made has no row yet.
function log({ viewer, params, now }: ActionRequest, action: string, keyId: string, after?: Record<string, Json>) {
  const subject = `key:${keyId}`;
  return audit({ actor: `user:${viewer.id}`, action, subject, after, merchantId: params.id }, now);
}
