// Keys that were rotated: one is accepted until it ends, and no longer, and later charges of schedules use the next one.
import { firstMerchant, orderSql } from '../merchants.ts';
import { isFrom } from '../receiver.ts';
import { type Asked, orderedBy } from '../requests.ts';
import type { World } from '../world.ts';

/** A process keeps what it has read of a key for two seconds. */
const kept = 3_000;

/** Whether a request was refused because of its key. */
export const isUnsigned = ({ answer }: Asked) => answer?.body?.error_message === 'Hash is not valid';

/** Compares the answers with the time at which the first key ended. */
export async function checkKeys(world: World) {
  const { asked, rotation, report } = world;
  const tolerance = toleranceOf(world);
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
  await checkCharges(world);
}

const toleranceOf = ({ chance }: World) =>
  chance.met.some((fault) => /^(clock off|process paused|statement slow|outage of days)#/.test(fault)) ? 900_000 : kept;

type Charge = { order: string; key: string; first: string; at: string };
const chargesSql = `select ${orderSql} as order, p.key_id as key, f.key_id as first,
    (extract(epoch from p.created_at) * 1000)::bigint as at
   from payments p join recurring_chains r on r.token = p.recurring_token join payments f on f.id = r.payment_id
  where p.subscription_id is not null`;

/** A charge has the key of its first payment until that ends, then the one that replaced it, and so its callbacks. */
async function checkCharges(world: World) {
  const { base, rotation, tries, asked, report } = world;
  const { keyId, rotated } = firstMerchant;
  for (const { order, key, first, at } of await base.rows<Charge>(chargesSql)) {
    const isLate = first === keyId && Number(at) >= rotation.ended;
    if (key !== (isLate ? rotated.keyId : first)) {
      // A process may not have read the end yet.
      const isKept = key === first && Number(at) < rotation.ended + toleranceOf(world);
      if (!isKept)
        report(`order ${order} was charged with the key ${key}, ${isLate ? 'which had ended' : 'not its own'}`);
    }
    const ordered = orderedBy(asked, order);
    if (!ordered || key !== rotated.keyId) continue;
    for (const sent of tries.filter((each) => each.order === order))
      if (!isFrom(rotated, sent, ordered.protocol))
        report(`callback ${sent.id} of order ${order} is not signed with the key of its charge`);
  }
}
