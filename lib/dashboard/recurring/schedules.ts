/** The page of a schedule with its upcoming charges. */
import { may } from '../../auth';
import { isDate } from '../../core/dates';
import { formatAmount } from '../../core/money';
import type { Payment } from '../../core/payment';
import {
  chargeAmountMinor,
  findSubscription,
  type ListedSubscription,
  listSubscriptions,
  nextSubscriptions,
  previewChange,
} from '../../recurring';
import { decideSlot } from '../../schedules';
import type { PageContext } from '../guard';
import { readCursors, readPage } from '../lists/paging';
import { activitiesOf, cardLabel, payerName, paymentLines } from '../lists/rows';
import { firstPaymentText, planFields, readPlan } from './plan';
import { buildPreview, startedAt } from './preview';
import { chargeRulesOf, type FoundSchedule, findSchedule, scheduleRow } from './schedule-list';

/** The subject of a schedule's entries in the audit log. */
export const scheduleSubject = (id: string): string => `schedule:${id}`;

const sentences = {
  'schedule.create': 'Schedule created',
  'schedule.change': 'Plan changed',
  'schedule.pause': 'Schedule paused',
  'schedule.run': 'Schedule resumed',
  'schedule.delete': 'Schedule deleted',
  'schedule.delete.refused': 'Deletion requested (refused)',
  'schedule.deschedule': 'Subscription ended',
};

/** The page of a schedule; null if it does not exist for this user. `of` and `begins` select the preview. */
export async function schedulePage(request: PageContext) {
  const row = await findSchedule(request);
  if (!row) return null;
  const { schedule, merchantId, subscriptions, braked } = row;
  const [preview, subscribers, charges, deeds, missed] = await Promise.all([
    preparePreview(row, request),
    subscribersOf(row, request),
    chargesOf(row, request),
    activitiesOf(scheduleSubject(schedule.id), sentences),
    findMissedCharges(row, request.now),
  ]);
  return {
    ...scheduleRow(row),
    ...{ merchantId, subscriptions, braked, missed, preview, subscribers, charges, deeds },
    /** When the first payment is due, as text. */
    first: firstPaymentText(schedule),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    plan: planFields(schedule),
    mayChange: row.state !== 'deleted' && may(request.viewer.role, 'schedules.change'),
  };
}

/** A part of the page, which it reads again by itself. */
const part =
  <Part>(read: (found: FoundSchedule, request: PageContext) => Promise<Part>) =>
  async (request: PageContext) => {
    const row = await findSchedule(request);
    return row && read(row, request);
  };

/** The next dates and amounts: of the subscription `of`, or of a payment made on the day `begins`. */
export const schedulePreview = part(preparePreview);

/** A page of the subscriptions of a schedule. */
export const scheduleSubscribers = part(subscribersOf);

/** A page of a schedule's charges. */
export const scheduleCharges = part(chargesOf);

/** The charges after a change to the plan in the query. */
export const changeEffect = part(async ({ schedule }, { query, now }) => {
  const { live, ending, charges } = await previewChange(schedule, readPlan(Object.fromEntries(query)), now);
  return {
    ...{ live, ending },
    /** The next charge of each subscription without the change and with it; null if the subscription ends. */
    charges: charges.map(({ begun, amount, currency, before, at }) => ({
      ...{ id: begun.id, orderNumber: begun.orderNumber, payer: payerName(begun), amount, currency },
      before: before.toISOString(),
      at: at?.toISOString() ?? null,
    })),
  };
});

async function preparePreview(found: FoundSchedule, { query, now }: PageContext) {
  const { schedule, merchantId } = found;
  const begins = query.get('begins');
  const at = begins !== null && isDate(begins) ? new Date(`${begins}${now.toISOString().slice(10)}`) : null;
  const chosen = at ? null : await chosenSubscription(schedule.id, query.get('of'));
  const subscription = chosen?.subscription ?? null;
  const counted = subscription ?? startedAt(schedule, at ?? now);
  const protocol: Payment['protocol'] = chosen?.begun.protocol ?? 's2s_card';
  const { scheduleRetries, scheduleRetryHours } = await chargeRulesOf(merchantId, protocol);
  const money = chosen && {
    minor: chargeAmountMinor(chosen.subscription, chosen.begun),
    currency: chosen.begun.currency,
  };
  const againAt = subscription && subscription.retries > 0 ? chosen?.dueAt : null;
  return {
    ...buildPreview({ plan: schedule, counted, money, againAt: againAt ?? null, now }),
    subscription: subscription?.id ?? null,
    label: chosen && labelOf(chosen),
    begins: counted.createdAt.toISOString().slice(0, 10),
    retries: { count: scheduleRetries, hours: scheduleRetryHours },
  };
}

function labelOf({ begun }: ListedSubscription): string {
  const payer = payerName(begun);
  return payer === null ? begun.orderNumber : `${begun.orderNumber}, ${payer}`;
}

/** The active subscription with this id, otherwise the newest active one. */
async function chosenSubscription(scheduleId: string, id: string | null): Promise<ListedSubscription | null> {
  const named = id === null ? null : await findSubscription(scheduleId, id);
  if (named && named.stoppedAt === null) return named;
  const { rows } = await listSubscriptions({ scheduleId, live: true }, { size: 1 });
  return rows[0] ?? null;
}

async function subscribersOf({ schedule }: FoundSchedule, { query }: PageContext) {
  const page = await readPage(
    readCursors(query),
    (place) => listSubscriptions({ scheduleId: schedule.id }, place),
    ({ subscription }) => subscription,
  );
  return { ...page, rows: page.rows.map(subscriptionRow) };
}

function chargesOf({ schedule }: FoundSchedule, { query }: PageContext) {
  return paymentLines(
    query,
    ({ add, where }) => where(`u.schedule_id = ${add(schedule.id)}::uuid`),
    `subscriptions u join payments p on p.recurring_token = u.chain_token and p.subscription_id = u.id
     left join cards k on k.id = p.card_id`,
  );
}

/** A subscription on the pages of its schedule and of its recurring agreement. */
export function subscriptionRow({ subscription, begun, schedule, ...listed }: ListedSubscription) {
  const { id, done, retries, brakeReason, createdAt } = subscription;
  return {
    ...{ id, scheduleId: schedule.id, scheduleName: schedule.name, chainId: listed.chainPaymentId },
    ...{ orderNumber: begun.orderNumber, card: cardLabel(begun.card), payer: payerName(begun) },
    amount: formatAmount(chargeAmountMinor(subscription, begun), begun.currency),
    currency: begun.currency,
    /** Completed slots of the total, and as text. */
    ...{ done, of: schedule.paymentsCount, completed: `${done} of ${schedule.paymentsCount}`, retries },
    /** Why the spacing check skipped the last charge: early, interval or spacing. */
    braked: brakeReason,
    dueAt: listed.dueAt?.toISOString() ?? null,
    stoppedAt: listed.stoppedAt?.toISOString() ?? null,
    stopReason: listed.stopReason,
    createdAt: createdAt.toISOString(),
  };
}

/** The maximum number of subscriptions that are checked. */
const subscriptionsMax = 500;

/** Counts the missed slots of a running schedule with the function that charges them; null for none. */
async function findMissedCharges({ schedule, state, merchantId }: FoundSchedule, now: Date) {
  if (state !== 'running') return null;
  /** `charged`: how many of the slots are still charged; `from`: when, if the mapping charges all. */
  const missed = { slots: 0, charged: 0, subscriptions: 0, from: null as string | null };
  for (const { subscription, begun } of await nextSubscriptions(schedule.id, subscriptionsMax, now)) {
    if (subscription.begunSlot === subscription.done) continue;
    const { missedSlots } = await chargeRulesOf(merchantId, begun.protocol);
    const decision = decideSlot(schedule, subscription, missedSlots, now);
    if (decision.missed.length === 0) continue;
    missed.slots += decision.missed.length;
    missed.subscriptions += 1;
    const charged = { all: decision.missed.length, one: decision.what === 'charge' ? 1 : 0, none: 0 };
    missed.charged += charged[missedSlots];
    const from = decision.what === 'charge' ? now : decision.at;
    if (missedSlots === 'all' && (missed.from === null || from.toISOString() < missed.from)) {
      missed.from = from.toISOString();
    }
  }
  return missed.slots > 0 ? missed : null;
}
