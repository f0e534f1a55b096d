// Schedules: which slots were charged, when, and how often.
import type { Reply } from '../clients.ts';
import { scheduleRetries } from '../settings.ts';
import type { World } from '../world.ts';

const hour = 3_600_000;

/** A slot of a schedule is paid once, and no two charges of a subscription are closer than its interval. */
export async function checkSlots({ base, report }: World) {
  const paid = await base.rows<{ subscription: string; at: string; order: string }>(
    `select p.subscription_id as subscription, (extract(epoch from p.created_at) * 1000)::bigint as at, p.order_number as order
       from payments p where p.subscription_id is not null and p.settled_at is not null order by 1, 2`,
  );
  for (const [place, one] of paid.entries()) {
    const before = paid[place - 1];
    if (before?.subscription !== one.subscription) continue;
    if (Number(one.at) - Number(before.at) < 12 * hour)
      report(
        `a subscription was charged twice in ${Math.round((Number(one.at) - Number(before.at)) / 1000)} s: ${before.order}, ${one.order}`,
      );
  }
}

/** No slot begins early by the database's clock, and a slot ends only after its retries; a hard decline ends them all. */
export async function checkRetries({ base, report, chance }: World, replies: Reply[]) {
  const early = await base.rows<{ id: string }>(
    "select id from subscriptions where begun_at < begun_for - interval '61 seconds'",
  );
  for (const { id } of early) report(`a slot of subscription ${id} was charged before its time`);
  type Charge = { subscription: string; order: string; state: string; soft: string; listed: string };
  const charges = await base.rows<Charge>(
    `select p.subscription_id as subscription, p.order_number as order, p.state::text,
            bool_and(coalesce(t.decline_soft, true)) as soft,
            exists (select 1 from unresolved u where u.payment_id = p.id) as listed
       from payments p join transactions t on t.payment_id = p.id where p.subscription_id is not null group by p.id`,
  );
  // Slots that are due during a pause or an outage are passed over, with their retries.
  const isMoved = (order = '') =>
    chance.met.some((fault) => fault.startsWith('outage of days')) ||
    replies.some((each) => order.startsWith(`${each.order}/`) && /^(UPDATE|PAUSE)_/.test(each.action));
  const slots = new Map<string, Map<number, Charge[]>>();
  for (const charge of charges) {
    const [, slot] = /\/(\d+)(-\d+)?$/.exec(charge.order) ?? [];
    if (!slot) continue;
    const ofSubscription = slots.get(charge.subscription) ?? new Map<number, Charge[]>();
    slots.set(charge.subscription, ofSubscription);
    ofSubscription.set(Number(slot), [...(ofSubscription.get(Number(slot)) ?? []), charge]);
  }
  for (const ofSubscription of slots.values()) {
    const last = Math.max(...ofSubscription.keys());
    for (const [slot, attempts] of ofSubscription) {
      if (slot === last || attempts.some(({ state, listed }) => state !== 'declined' || listed === 't')) continue;
      const [first] = attempts;
      if (attempts.some(({ soft }) => soft === 'f'))
        report(`order ${first?.order}: charges went on after a hard decline`);
      else if (attempts.length <= scheduleRetries && !isMoved(first?.order))
        report(`order ${first?.order}: a slot ended before its retries`);
    }
  }
}
