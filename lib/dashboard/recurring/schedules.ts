/** Schedules: the list, and the page of one with its upcoming charges. */

import { may } from '../../auth';
import { isDate } from '../../core/dates';
import type { Payment } from '../../core/payment';
import { chargeAmountMinor, findSubscription, type ListedSubscription, listSubscriptions } from '../../recurring';
import type { DashboardRequest } from '../guard';
import type { ListOf, Preview, SchedulePage, ScheduleRow } from '../lists/contract';
import { readPage } from '../lists/paging';
import { type ListRequest, readChoices, readCursors, readListParams } from '../lists/params';
import { activitiesOf, payerName, paymentLine } from '../lists/rows';
import { findMissedCharges } from './missed-charges';
import { firstPaymentText, intervalText, paymentsText, planFields } from './plan-labels';
import { buildPreview, startedAt } from './preview';
import {
  chargeRulesOf,
  chargesOfSchedule,
  findListedSchedule,
  type ListedSchedule,
  listSchedules,
  scheduleStates,
} from './schedule-queries';
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

/** A page of the schedules: `q`, `state`, `from`, `to`. */
export async function scheduleList({ query, scope, zone }: ListRequest): Promise<ListOf<ScheduleRow>> {
  const params = readListParams(query, zone);
  const filter = { ...params, merchantId: scope, states: readChoices(query, 'state', scheduleStates) };
  const page = await readPage(
    params,
    (place) => listSchedules(filter, place),
    ({ schedule, createdAt }) => ({ id: schedule.id, createdAt }),
  );
  return { ...page, rows: page.rows.map(rowOf) };
}

function rowOf({ schedule, ...listed }: ListedSchedule): ScheduleRow {
  return {
    id: schedule.id,
    name: schedule.name,
    state: listed.state,
    every: intervalText(schedule),
    length: paymentsText(schedule),
    live: listed.live,
    failing: listed.failing,
    nextDueAt: listed.nextDueAt?.toISOString() ?? null,
    merchantName: listed.merchantName,
    createdAt: listed.createdAt.toISOString(),
  };
}

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
    ...rowOf(row),
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

async function preparePreview(matches: ListedSchedule, { query, now }: ReadRequest): Promise<Preview> {
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

async function chargesOf(scheduleId: string, query: URLSearchParams): Promise<SchedulePage['charges']> {
  const page = await readPage(
    readCursors(query),
    (place) => chargesOfSchedule(scheduleId, place),
    (payment) => payment,
  );
  return { ...page, rows: page.rows.map(paymentLine) };
}
