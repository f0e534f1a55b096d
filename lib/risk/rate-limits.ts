/**
 * Request rate limits. Checked per scope by the client's address, and after authentication by merchant, so that an
 * address without a valid signature cannot use up a merchant's limit. Rejected requests are not counted: a client over
 * the limit still gets the limit's rate.
 */

import { env } from '../config';
import { networkOf, type RateLimitName, waitSeconds } from '../core/rate-limits';
import { metrics } from '../telemetry';
import { addCounts, getSlidingCounter, readCounts } from './sliding-counter';

const windowSeconds = 60;
/** Other processes receive counts from this fraction of the limit on. */
const sharedFraction = 0.05;

type RateLimitScope = RateLimitName extends infer Name ? (Name extends `${infer R}.${string}` ? R : never) : never;

/** The seconds until the next request of `address` in this scope; 0 if the request is accepted. */
export function retryAfterForAddress(scope: RateLimitScope, address: string): number {
  return retryAfter(`${scope}.address`, networkOf(address));
}

/** The same by merchant. */
export function retryAfterForMerchant(scope: Exclude<RateLimitScope, 'sign_in'>, merchantId: string): number {
  return retryAfter(`${scope}.merchant`, merchantId);
}

function retryAfter(name: RateLimitName, subject: string): number {
  const limit = env.rateLimits?.[name];
  if (limit === undefined) return 0;
  const nowMs = Date.now();
  const counter = getSlidingCounter('rate', windowSeconds);
  const key = `${name} ${subject}`;
  const seconds = waitSeconds(readCounts(counter, key, nowMs).hits, limit, windowSeconds);
  if (seconds > 0) metrics.rateLimited.inc({ limit: name });
  else addCounts(counter, key, { hits: 1, bad: 0 }, { hits: Math.max(1, limit * sharedFraction) }, nowMs);
  return seconds;
}
