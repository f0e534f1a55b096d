/**
 * The list of schedules with their plans and subscribers, the page of one with its upcoming charges, and its actions,
 * with the functions of the S2S CARD schedule actions.
 */

import { type AuditActionName, type Json, may } from '../../auth/index.ts';
import { isDate } from '../../core/dates.ts';
import { ApiError } from '../../core/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { Payment } from '../../core/payment.ts';
import { pick } from '../../core/pick.ts';
import { prisma } from '../../db/index.ts';
import {
  chargeAmountMinor,
  findSubscription,
  type ListedSubscription,
  listSubscriptions,
  nextSubscriptions,
  previewChange,
} from '../../recurring/index.ts';
import {
  createSchedule,
  decideSlot,
  deleteSchedule,
  deschedule,
  type ScheduleRow as PlanRow,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
  scheduleColumns,
  toSchedule,
  updateSchedule,
} from '../../schedules/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { created, merchant, state, time } from '../lists/columns.ts';
import { days, states } from '../lists/filters.ts';
import { encodeCursor, readCursors, readPage } from '../lists/query.ts';
import { findListed, resource } from '../lists/resource.ts';
import { activitiesOf, cardLabel, payerName, paymentLines } from '../lists/rows.ts';
import { samples } from '../lists/samples.ts';
import { buildPreview, firstPaymentText, intervalText, paymentsText, planFields, readPlan, startedAt } from './plan.ts';

type ListedSchedule = {
  state: 'running' | 'paused' | 'deleted';
  merchantId: string;
  merchantName: string;
  createdAt: Date;
  deletedAt: Date | null;
  /** Active subscriptions, those with a declined last attempt, and all subscriptions. */
  live: number;
  failing: number;
  /** Of the active ones, those whose last charge the spacing check skipped. */
  braked: number;
  subscriptions: number;
  /** The time of the next charge, paused or not; null without an active subscription. */
  nextDueAt: Date | null;
};

const stateSql = `case when s."deletedAt" is not null then 'deleted' when s.paused then 'paused' else 'running' end`;

const source = {
  columns: `s.*, m.name as "merchantName", ${stateSql} as state, n.*`,
  from: `(select ${scheduleColumns}, merchant_id as "merchantId", created_at as "createdAt", deleted_at as "deletedAt"
            from schedules) s
    join merchants m on m.id = s."merchantId"
    cross join lateral (
      select count(*) filter (where u.stopped_at is null)::int as live,
             count(*) filter (where u.stopped_at is null and u.retries > 0)::int as failing,
             count(*) filter (where u.stopped_at is null and u.brake_reason is not null)::int as braked,
             count(*)::int as subscriptions, min(u.due_at) as "nextDueAt"
        from subscriptions u where u.schedule_id = s.id) n`,
  at: 's."createdAt"',
  id: 's.id',
  merchant: 's."merchantId"',
};

/** The list of schedules with the number of their subscribers. */
export const schedules = resource({
  name: 'schedules',
  title: 'Schedules',
  nouns: ['schedule', 'schedules'],
  search: 'Part of a name, or schedule_id',
  find: (search, add) =>
    isUuid(search) ? `s.id = ${add(search)}::uuid` : `position(lower(${add(search)}::text) in lower(s.name)) > 0`,
  filters: [stateFilter(), days('Created')],
  views: [
    ['Paused', 'state=paused'],
    ['Deleted', 'state=deleted'],
  ],
  columns: [
    { id: 'name', head: 'Schedule', width: '24%' },
    state(),
    { id: 'every', head: 'Charges' },
    { id: 'length', head: 'Length', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'live', head: 'Subscribers', kind: 'subscribers', align: 'end', width: 120 },
    { ...time, id: 'runsAt', head: 'Next charge', none: 'none', hideOnPhone: true },
    ...[merchant, created()],
  ],
  href: '/dashboard/schedules/{id}',
  empty: {
    title: 'No schedules yet',
    texts: [
      "A schedule defines when cards are charged again. Each subscriber's dates start from their own initial payment.",
    ],
    steps: [
      'Create a schedule',
      'A payment contains its schedule_id with recurring_init',
      'Florin charges the card on every date',
    ],
    sample: ['Create a schedule', samples.schedule],
  },
  source,
  toRow: (row: PlanRow & ListedSchedule) => scheduleRow(toFound(row)),
});

/** The list has no deleted schedules, unless the filter names them. */
function stateFilter() {
  const filter = states({ running: 'Running', paused: 'Paused', deleted: 'Deleted' }, () => stateSql);
  const read = (named: URLSearchParams) => {
    const values = filter.read(named);
    return values.length > 0 ? values : ['running', 'paused'];
  };
  return { ...filter, read };
}

type FoundSchedule = ListedSchedule & { schedule: Schedule };

const toFound = (row: PlanRow & ListedSchedule): FoundSchedule => ({ ...row, schedule: toSchedule(row) });

/** A schedule in the list. */
export function scheduleRow({ schedule, ...listed }: FoundSchedule) {
  return {
    ...pick(schedule, 'id', 'name'),
    ...pick(listed, 'state', 'live', 'failing', 'merchantName', 'nextDueAt', 'createdAt'),
    every: intervalText(schedule),
    length: paymentsText(schedule),
    runsAt: listed.state === 'running' ? listed.nextDueAt : null,
  };
}

/** The schedule in the address, also a deleted one. */
const findSchedule = async (request: PageContext) =>
  toFound(await findListed<PlanRow & ListedSchedule>('schedule', source, request));

/** A protocol mapping's settings for declined and missed charges. */
async function chargeRulesOf(merchantId: string, protocol: Payment['protocol']) {
  const row = await prisma().protocolMapping.findUnique({
    where: { merchantId_protocol: { merchantId, protocol } },
    select: { scheduleRetries: true, scheduleRetryHours: true, missedSlots: true },
  });
  return row ?? { scheduleRetries: 0, scheduleRetryHours: 0, missedSlots: 'one' as const };
}

const scheduleSubject = (id: string) => `schedule:${id}`;

const sentences = {
  'schedule.create': 'Schedule created',
  'schedule.change': 'Plan changed',
  'schedule.pause': 'Schedule paused',
  'schedule.run': 'Schedule resumed',
  'schedule.delete': 'Schedule deleted',
  'schedule.delete.refused': 'Deletion requested (refused)',
  'schedule.deschedule': 'Subscription ended',
};

/** The page of a schedule. `of` and `begins` select the preview. */
export async function schedulePage(request: PageContext) {
  const row = await findSchedule(request);
  const { schedule } = row;
  const [preview, subscribers, charges, deeds, missed] = await Promise.all([
    preparePreview(row, request),
    subscribersOf(row, request),
    chargesOf(row, request),
    activitiesOf(scheduleSubject(schedule.id), sentences),
    findMissedCharges(row, request.now),
  ]);
  return {
    ...scheduleRow(row),
    ...pick(row, 'merchantId', 'subscriptions', 'braked', 'deletedAt'),
    missed,
    preview,
    subscribers,
    charges,
    deeds,
    first: firstPaymentText(schedule),
    plan: planFields(schedule),
    mayChange: row.state !== 'deleted' && may(request.viewer.role, 'schedules.change'),
  };
}

/** A part of the page, which it reads again by itself. */
const part =
  <Part>(read: (found: FoundSchedule, request: PageContext) => Promise<Part>) =>
  async (request: PageContext) =>
    read(await findSchedule(request), request);

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
    live,
    ending,
    /** The next charge of each subscription without the change and with it; null if the subscription ends. */
    charges: charges.map(({ begun, ...charge }) => ({
      ...charge,
      ...pick(begun, 'id', 'orderNumber'),
      payer: payerName(begun),
    })),
  };
});

const yearMilliseconds = 366 * 86_400_000;

async function preparePreview(found: FoundSchedule, { query, now }: PageContext) {
  const { schedule, merchantId } = found;
  const begins = query.get('begins');
  const given =
    begins !== null && isDate(begins) && begins < '3000' ? new Date(`${begins}${now.toISOString().slice(10)}`) : null;
  // Each charge since then is computed.
  const at = given && now.getTime() - given.getTime() < yearMilliseconds ? given : null;
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
    label: chosen && [chosen.begun.orderNumber, payerName(chosen.begun)].filter(Boolean).join(', '),
    begins: counted.createdAt.toISOString().slice(0, 10),
    retries: { count: scheduleRetries, hours: scheduleRetryHours },
  };
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
    ({ subscription }) => encodeCursor(subscription),
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
  return {
    /** `done`: completed slots of the total. */
    ...pick(subscription, 'id', 'done', 'retries', 'createdAt'),
    ...pick(begun, 'orderNumber', 'currency'),
    ...pick(listed, 'dueAt', 'stoppedAt', 'stopReason'),
    scheduleId: schedule.id,
    scheduleName: schedule.name,
    chainId: listed.chainPaymentId,
    card: cardLabel(begun.card),
    payer: payerName(begun),
    amount: formatAmount(chargeAmountMinor(subscription, begun), begun.currency),
    of: schedule.paymentsCount,
    completed: `${subscription.done} of ${schedule.paymentsCount}`,
    /** Why the spacing check skipped the last charge: early, interval or spacing. */
    braked: subscription.brakeReason,
  };
}

const subscriptionsMax = 500;

/** Counts the missed slots of a running schedule with the function that charges them; null for none. */
async function findMissedCharges({ schedule, state, merchantId }: FoundSchedule, now: Date) {
  if (state !== 'running') return null;
  /** `charged`: how many of the slots are still charged; `from`: when, if the mapping charges all. */
  const missed = { slots: 0, charged: 0, subscriptions: 0, from: null as Date | null };
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
    if (missedSlots === 'all' && (missed.from === null || from < missed.from)) missed.from = from;
  }
  return missed.slots > 0 ? missed : null;
}

const pausing = (paused: boolean, run: (schedule: Schedule) => Promise<unknown>) => {
  const [action, state] = paused ? (['schedule.pause', 'paused'] as const) : (['schedule.run', 'running'] as const);
  return (request: DashboardRequest) =>
    changeSchedule(request, async ({ schedule }, log) => {
      if (schedule.paused === paused) throw refusal(`This schedule is ${state} already.`);
      await log(action, { paused: !paused }, { paused });
      await run(schedule);
    });
};

/** Pauses a schedule: no charges and no new subscriptions until it is resumed. */
export const pauseAction = pausing(true, ({ id }) => pauseSchedule(id));

/** Resumes a paused schedule; charges due in the meantime are skipped. */
export const runAction = pausing(false, resumeSchedule);

/** Deletes a schedule without active subscriptions. */
export function deleteAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule, live }, log) => {
    await log('schedule.delete', { name: schedule.name }, null);
    try {
      await deleteSchedule(schedule.id, request.now);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      await log('schedule.delete.refused', null, { detail: thrown.message });
      const many = live === 1 ? '1 active subscription' : `${live} active subscriptions`;
      throw refusal(`This schedule has ${many}. End them first, or pause the schedule.`);
    }
  });
}

/** Ends one subscription; the schedule stays. `subscription` is its id. */
export function descheduleAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule, merchantId }, log) => {
    const id = (request.body as { subscription?: unknown } | null)?.subscription;
    const row = typeof id === 'string' ? await findSubscription(schedule.id, id) : null;
    if (!row) throw new DashboardError(400, 'This schedule does not have this subscription.');
    if (row.stoppedAt) throw refusal('This subscription has ended already.');
    const { begun, subscription } = row;
    await log('schedule.deschedule', null, { detail: begun.orderNumber, subscription: subscription.id });
    await deschedule(merchantId, subscription.chainToken, schedule.id, request.now);
  });
}

/** Replaces the plan: subscriptions use the new one from their next charge, and past charges do not change. */
export function changeAction(request: DashboardRequest) {
  return changeSchedule(request, async ({ schedule }, log) => {
    const plan = readPlan(request.body);
    await log('schedule.change', planFields(schedule), planFields({ ...schedule, ...plan }));
    await updateSchedule(schedule.id, () => plan);
  });
}

/** Creates a schedule for the user's own or selected merchant. */
export async function createAction(request: DashboardRequest) {
  const { scope, body, now } = request;
  if (scope === null) throw refusal('A schedule belongs to one merchant. Choose the merchant first.');
  const plan = readPlan(body);
  const id = newId();
  const after = planFields({ ...plan, id, paused: false });
  await logAction(request, 'schedule.create', scheduleSubject(id), { after, merchantId: scope });
  await createSchedule(scope, { ...plan, id }, now);
  return schedulePage({ ...request, params: { id } });
}

type Log = (action: AuditActionName, before: Json, after: Json) => Promise<void>;

async function changeSchedule(request: DashboardRequest, act: (found: FoundSchedule, log: Log) => Promise<void>) {
  const row = await findSchedule(request);
  if (row.state === 'deleted') throw refusal('This schedule was deleted.');
  const { schedule, merchantId } = row;
  await act(row, (action, before, after) =>
    logAction(request, action, scheduleSubject(schedule.id), { before, after, merchantId }),
  );
  return schedulePage(request);
}
