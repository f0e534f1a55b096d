// Schedules: which slots were charged, when, how often and how much.

import { skewMost } from '../faults.ts';
import { orderSql, scheduleRetries, scheduleRetryHours } from '../merchants.ts';
import type { MerchantSchedule } from '../plan.ts';
import type { World } from '../world.ts';
import { type Attempt, type Comparison, compareSlots } from './expected-slots.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Notes when no process runs. */
export function watchDowntimes({ nodes, scheduler, afterStep, downtimes }: World) {
  let isDown = false;
  afterStep.push(() => {
    const wasDown = isDown;
    isDown = nodes.length > 0 && nodes.every(({ service }) => service === null);
    if (isDown && !wasDown) downtimes.push({ from: scheduler.now(), to: Number.POSITIVE_INFINITY });
    const last = downtimes.at(-1);
    if (!isDown && wasDown && last) last.to = scheduler.now();
  });
}

type Charge = {
  subscription: string;
  order: string;
  minor: string;
  state: string;
  at: string;
  finished: string | null;
  soft: string | null;
  open: string;
};
const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const attemptKinds = "t.kind not in ('capture', 'refund', 'reversal', 'void', 'chargeback')";
const chargesSql = `select p.subscription_id as subscription, ${orderSql} as order, p.amount_minor as minor, p.state::text,
  ${milliseconds('p.created_at')} as at, ${milliseconds('max(t.finished_at)')} as finished,
  (array_agg(t.decline_soft order by t.number desc))[1] as soft,
  p.in_flight_id is not null or exists (select 1 from unresolved u where u.payment_id = p.id) as open
   from payments p left join transactions t on t.payment_id = p.id and ${attemptKinds}
  where p.subscription_id is not null group by p.id order by p.created_at`;

type Subscription = { id: string; schedule: string; start: string; stopped: string | null; listed: string };

/** Compares the charges of all schedules with what the merchant has asked for. */
export async function checkSchedules(world: World) {
  const { base, report, schedules } = world;
  if (schedules.length === 0) return;
  const charges = await base.rows<Charge>(chargesSql);
  const rows = await base.rows<Subscription>(
    `select u.id, u.schedule_id as schedule, ${milliseconds('p.settled_at')} as start,
            ${milliseconds('u.stopped_at')} as stopped,
            exists (select 1 from unresolved n where n.payment_id = p.id) as listed
       from subscriptions u join payments p on p.id = u.payment_id`,
  );
  const [mapping] = await base.rows<{ missed: string }>(
    "select missed_slots::text as missed from protocol_mappings where protocol = 's2s_card'",
  );
  for (const made of schedules) {
    const [subscription] = rows.filter(({ schedule }) => schedule === made.id);
    if (!subscription) {
      await checkAbsent(world, made);
      continue;
    }
    const own = charges.filter((charge) => charge.subscription === subscription.id);
    const attempts = attemptsOf(own, world);
    checkCharges(world, made, own);
    checkDistances(world, attempts, mapping?.missed === 'all');
    const comparison = compareSlots({
      ...{ plan: made.plan, start: Number(subscription.start), attempts, missedSlots: mapping?.missed ?? '' },
      edits: made.edits.filter(({ action }) => action !== 'DELETE_SCHEDULE'),
      ...{ retries: scheduleRetries, retryHours: scheduleRetryHours, end: world.scheduler.now() },
      downtimes: world.downtimes.filter(({ from, to }) => to - from > toleranceOf(world)),
      tolerance: toleranceOf(world),
    });
    for (const difference of comparison.differences) report(`schedule of ${made.order}: ${difference}`);
    checkEnd(world, made, subscription, comparison);
  }
  checkBegins(world, charges.length);
}

/** An initial payment that settled before any edit has a subscription. */
async function checkAbsent({ base, chance, report }: World, { id, order, edits: [first] }: MerchantSchedule) {
  const [settled] = await base.rows<{ at: string }>(
    `select ${milliseconds('p.settled_at')} as at from payments p where p.schedule_id = $1 and p.settled_at is not null
        and not exists (select 1 from unresolved u where u.payment_id = p.id)`,
    [id],
  );
  // The time is that of a process, whose clock may be off.
  const tolerance = chance.met.some((name) => name.startsWith('clock off')) ? skewMost : 0;
  if (settled && (!first || Number(settled.at) < first.at - tolerance))
    report(`order ${order} settled without a subscription`);
}

/** Jobs find a row within seconds; with faults, or while paused rows are due too, later. */
const toleranceOf = ({ chance, schedules }: World) =>
  chance.isCalm() && !schedules.some(({ edits }) => edits.some(({ action }) => action === 'PAUSE_SCHEDULE'))
    ? 3 * minute
    : 40 * minute;

/** The attempts by the number of their slot. */
function attemptsOf(charges: Charge[], { report }: World): Map<number, Attempt[]> {
  const attempts = new Map<number, Attempt[]>();
  for (const { order, at, finished, state, soft, open } of charges) {
    const number = Number(/\/(\d+)(-\d+)?$/.exec(order)?.[1]);
    if (!number) report(`order ${order} has no number of a slot`);
    const declined = soft === 'f' ? 'hard' : 'soft';
    // A charge that no account could take has no attempt.
    const isPaid = state !== 'declined' && state !== 'prepare';
    const outcome = open === 't' ? 'open' : isPaid ? 'paid' : declined;
    const attempt: Attempt = { order, at: Number(at), finished: Number(finished ?? at), outcome };
    attempts.set(number, [...(attempts.get(number) ?? []), attempt]);
  }
  return attempts;
}

/** Each charge has the amount that the payer agreed to, and belongs to a slot of the plan. */
function checkCharges({ report }: World, { plan, amount, edits }: MerchantSchedule, charges: Charge[]) {
  const most = Math.max(plan.payments_count, ...edits.map(({ changes }) => changes.payments_count ?? 0));
  for (const { order, minor } of charges) {
    if (minor !== amount.replace('.', '')) report(`order ${order} was charged ${minor}, expected ${amount}`);
    if (Number(/\/(\d+)(-\d+)?$/.exec(order)?.[1]) > most)
      report(`order ${order} is beyond the last of ${most} payments`);
  }
}

/** Whatever happens: a retry is not early, slots keep order and distance, and nothing follows a hard decline. */
function checkDistances({ report }: World, attempts: Map<number, Attempt[]>, isCrowded: boolean) {
  const all = [...attempts].flatMap(([number, ofSlot]) => ofSlot.map((attempt) => ({ ...attempt, number })));
  all.sort((one, other) => one.number - other.number || one.at - other.at);
  for (const [place, { number, order, at }] of all.entries()) {
    const before = all[place - 1];
    if (!before) continue;
    const least = before.number === number ? scheduleRetryHours : isCrowded ? 0 : leastHours;
    if (at - before.at < least * hour - clockMilliseconds)
      report(`a subscription was charged twice in ${Math.round((at - before.at) / 1000)} s: ${before.order}, ${order}`);
    if (before.outcome === 'hard') report(`order ${order}: charges went on after a hard decline`);
    if (before.outcome === 'paid' && before.number === number) report(`order ${order}: a paid slot was charged again`);
  }
}

/** Half the shortest interval. */
const leastHours = 12;
/** How far a clock is wrong at most. */
const clockMilliseconds = 5 * minute;

/** A subscription has stopped if it ended; its schedule is deleted, and the subscription ended by request, accordingly. */
function checkEnd(world: World, { order, edits }: MerchantSchedule, { stopped }: Subscription, { ended }: Comparison) {
  if (ended === undefined) return;
  const tolerance = toleranceOf(world);
  if (ended === null && stopped) world.report(`schedule of ${order}: the subscription has stopped`);
  if (ended !== null && !stopped && ended < world.scheduler.now() - tolerance)
    world.report(`schedule of ${order}: the subscription has not stopped`);
  const deleted = edits.find(({ action, isAccepted }) => action === 'DELETE_SCHEDULE' && isAccepted);
  for (const { action, at, isSure, isAccepted } of edits) {
    if (deleted && at > deleted.at) break;
    if (!isSure || !/^(DELETE_|DES)/.test(action) || (ended !== null && Math.abs(at - ended) < tolerance)) continue;
    const isOver = ended !== null && ended < at;
    const isWanted = action === 'DELETE_SCHEDULE' ? isOver : !isOver || at === ended;
    if (isAccepted !== isWanted)
      world.report(`schedule of ${order}: ${action} was ${isAccepted ? 'accepted' : 'refused'}`);
  }
}

/** Without faults each charge is begun by one process, once. */
function checkBegins({ chance, trace, report }: World, charges: number) {
  if (!chance.isCalm()) return;
  const begins = trace.filter(([, , what]) => what === 'sql subscription-begin').length;
  if (begins !== charges) report(`${charges} scheduled charges were begun ${begins} times`);
}
