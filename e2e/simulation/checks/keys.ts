// Keys that were rotated: one is accepted until it ends, and no longer.
import { firstMerchant } from '../merchants.ts';
import type { Asked } from '../requests.ts';
import type { World } from '../world.ts';

/** A process keeps what it has read of a key for two seconds. */
const kept = 3_000;

/** Whether a request was refused because of its key. */
export const isUnsigned = ({ answer }: Asked) => answer?.body?.error_message === 'Hash is not valid';

/** Compares the answers with the time at which the first key ended. */
export function checkKeys({ asked, rotation, chance, report }: World) {
  const isSlow = chance.met.some((fault) => /^(clock off|process paused|statement slow|outage of days)#/.test(fault));
  const tolerance = isSlow ? 900_000 : kept;
  for (const each of asked) {
    const { action, order, answer, at, merchant, protocol } = each;
    if (!answer || protocol === 'dashboard') continue;
    const hasKey = merchant.keyId === firstMerchant.keyId;
    if (isUnsigned(each) && !(hasKey && answer.at > rotation.ended - tolerance))
      report(`${action} of order ${order} was refused with a valid key`);
    // A request that was sent before the end may be answered later.
    if (!isUnsigned(each) && hasKey && at > rotation.ended + tolerance)
      report(`${action} of order ${order} was accepted with a key that had ended`);
  }
}
