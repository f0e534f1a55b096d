/** The page of a schedule with its upcoming charges. */

import { may } from '../../auth';
import { isDate } from '../../core/dates';
import type { Payment } from '../../core/payment';
import { chargeAmountMinor, findSubscription, type ListedSubscription, listSubscriptions } from '../../recurring';
import type { DashboardRequest } from '../guard';
import type { Preview, SchedulePage } from '../lists/contract';
import { readCursors, readPage } from '../lists/paging';
import { paymentLines } from '../lists/payment-lines';
import { activitiesOf, payerName } from '../lists/rows';
import { findMissedCharges } from './missed-charges';
import { firstPaymentText, planFields } from './plan-labels';
import { buildPreview, startedAt } from './preview';
import { chargeRulesOf, type FoundSchedule, findListedSchedule, scheduleRow } from './schedule-list';
import { subscriptionRow } from './subscriptions';

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

type ReadRequest = Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'now'>;

/** The page of a schedule; null if it does not exist for this user. `of` and `begins` select the preview. */
export async function schedulePage(id: string, request: ReadRequest): Promise<SchedulePage | null> {
  const row = await findListedSchedule(id, request.scope);
  if (!row) return null;
  const { schedule } = row;
  const [preview, subscribers, charges, deeds, missed] = await Promise.all([
    preparePreview(row, request),
    subscribersOf(schedule.id, request.query),
    chargesOf(schedule.id, request.query),
    activitiesOf(scheduleSubject(schedule.id), sentences),
    findMissedCharges(row, request.now),
  ]);
  return {
    ...scheduleRow(row),
    merchantId: row.merchantId,
    first: firstPaymentText(schedule),
    subscriptions: row.subscriptions,
    braked: row.braked,
    missed,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    plan: planFields(schedule),
    mayChange: row.state !== 'deleted' && may(request.viewer.role, 'schedules.change'),
    preview,
    subscribers,
    charges,
    deeds,
  };
}

/** The next dates and amounts: of the subscription `of`, or of a payment made on the day `begins`. */
export async function schedulePreview(id: string, request: ReadRequest): Promise<Preview | null> {
  const row = await findListedSchedule(id, request.scope);
  return row && preparePreview(row, request);
}

async function preparePreview(matches: FoundSchedule, { query, now }: ReadRequest): Promise<Preview> {
  const { schedule, merchantId } = matches;
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

/** A page of the subscriptions of a schedule. */
export async function scheduleSubscribers(
  id: string,
  { scope, query }: ReadRequest,
): Promise<SchedulePage['subscribers'] | null> {
  const row = await findListedSchedule(id, scope);
  return row && subscribersOf(row.schedule.id, query);
}

async function subscribersOf(scheduleId: string, query: URLSearchParams): Promise<SchedulePage['subscribers']> {
  const page = await readPage(
    readCursors(query),
    (place) => listSubscriptions({ scheduleId }, place),
    ({ subscription }) => subscription,
  );
  return { ...page, rows: page.rows.map(subscriptionRow) };
}

/** A page of a schedule's charges. */
export async function scheduleCharges(
  id: string,
  { scope, query }: ReadRequest,
): Promise<SchedulePage['charges'] | null> {
  const found = await findListedSchedule(id, scope);
  return found && chargesOf(found.schedule.id, query);
}

function chargesOf(scheduleId: string, query: URLSearchParams): Promise<SchedulePage['charges']> {
  return paymentLines(
    query,
    ({ add, where }) => where(`u.schedule_id = ${add(scheduleId)}::uuid`),
    `subscriptions u join payments p on p.recurring_token = u.chain_token and p.subscription_id = u.id
     left join cards k on k.id = p.card_id`,
  );
}
