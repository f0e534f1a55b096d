/**
 * Whether one more request of somebody is taken. Asked at the door of each room by the client's address, and once it is
 * known and proved whose request it is, by merchant: an address that cannot sign uses up no merchant's share. What is
 * refused is not counted, so that whoever sends too much gets as much as the limit allows and not nothing.
 */

import { env } from '../config/config';
import { networkOf, type RateName, waitSeconds } from '../core/rates';
import { metrics } from '../telemetry/metrics';
import { count, look, openTally } from './sliding-counter';

const stretchSeconds = 60;
/** Other processes hear of what has reached this part of its limit. */
const toldPart = 0.05;

type Room = RateName extends infer Name ? (Name extends `${infer R}.${string}` ? R : never) : never;

/** The seconds that `address` has to wait before it asks this room again; 0 when the request is taken. */
export function secondsForAddress(room: Room, address: string): number {
  return secondsFor(`${room}.address`, networkOf(address));
}

/** The same by merchant. */
export function secondsForMerchant(room: Exclude<Room, 'sign_in'>, merchantId: string): number {
  return secondsFor(`${room}.merchant`, merchantId);
}

function secondsFor(name: RateName, who: string): number {
  const limit = env.rateLimits?.[name];
  if (limit === undefined) return 0;
  const nowMs = Date.now();
  const tally = openTally('rate', stretchSeconds);
  const key = `${name} ${who}`;
  const seconds = waitSeconds(look(tally, key, nowMs).hits, limit, stretchSeconds);
  if (seconds > 0) metrics.limited.inc({ limit: name });
  else count(tally, key, { hits: 1, bad: 0 }, { hits: Math.max(1, limit * toldPart) }, nowMs);
  return seconds;
}
