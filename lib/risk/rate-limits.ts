/**
 * Whether one more request of somebody is taken. Asked at the door of each room by the client's address, and once it is
 * known and proved whose request it is, by merchant: an address that cannot sign uses up no merchant's share. What is
 * refused is not counted, so that whoever sends too much gets as much as the limit allows and not nothing.
 */

import { env } from '../config';
import { networkOf, type RateLimitName, waitSeconds } from '../core/rate-limits';
import { metrics } from '../telemetry';
import { addCounts, getSlidingCounter, readCounts } from './sliding-counter';

const windowSeconds = 60;
/** Other processes hear of what has reached this part of its limit. */
const sharedFraction = 0.05;

type RateLimitScope = RateLimitName extends infer Name ? (Name extends `${infer R}.${string}` ? R : never) : never;

/** The seconds that `address` has to wait before it asks this room again; 0 when the request is taken. */
export function retryAfterForAddress(room: RateLimitScope, address: string): number {
  return retryAfter(`${room}.address`, networkOf(address));
}

/** The same by merchant. */
export function retryAfterForMerchant(room: Exclude<RateLimitScope, 'sign_in'>, merchantId: string): number {
  return retryAfter(`${room}.merchant`, merchantId);
}

function retryAfter(name: RateLimitName, who: string): number {
  const limit = env.rateLimits?.[name];
  if (limit === undefined) return 0;
  const nowMs = Date.now();
  const tally = getSlidingCounter('rate', windowSeconds);
  const key = `${name} ${who}`;
  const seconds = waitSeconds(readCounts(tally, key, nowMs).hits, limit, windowSeconds);
  if (seconds > 0) metrics.rateLimited.inc({ limit: name });
  else addCounts(tally, key, { hits: 1, bad: 0 }, { hits: Math.max(1, limit * sharedFraction) }, nowMs);
  return seconds;
}
