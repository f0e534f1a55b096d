/** The list of schedules with their plans and subscribers, and one schedule of it. */

import { isUuid } from '../../core/ids';
import type { MissedSlots } from '../../core/mapping-options';
import type { Payment } from '../../core/payment';
import { prisma } from '../../db';
import { type ScheduleRow as PlanRow, type Schedule, scheduleColumns, toSchedule } from '../../schedules';
import type { PageContext } from '../guard';
import { created, merchant, state, time } from '../lists/columns';
import { days, states } from '../lists/filters';
import { findListed, resource } from '../lists/resource';
import { samples } from '../lists/samples';
import { intervalText, paymentsText } from './plan';

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

export const schedules = resource({
  name: 'schedules',
  title: 'Schedules',
  nouns: ['schedule', 'schedules'],
  search: 'Part of a name, or schedule_id',
  async find(search, { add, where }) {
    if (isUuid(search)) where(`s.id = ${add(search)}::uuid`);
    else where(`position(lower(${add(search)}::text) in lower(s.name)) > 0`);
    return true;
  },
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

export type FoundSchedule = ListedSchedule & { schedule: Schedule };

const toFound = (row: PlanRow & ListedSchedule): FoundSchedule => ({ ...row, schedule: toSchedule(row) });

/** A schedule in the list. */
export function scheduleRow({ schedule, state: at, live, failing, merchantName, ...listed }: FoundSchedule) {
  const nextDueAt = listed.nextDueAt?.toISOString() ?? null;
  return {
    ...{ id: schedule.id, name: schedule.name, state: at, live, failing, merchantName, nextDueAt },
    every: intervalText(schedule),
    length: paymentsText(schedule),
    /** The next charge of a running schedule. */
    runsAt: at === 'running' ? nextDueAt : null,
    createdAt: listed.createdAt.toISOString(),
  };
}

/** The schedule in the address, also a deleted one; null if it does not exist for this user. */
export async function findSchedule(request: Pick<PageContext, 'params' | 'scope' | 'now'>) {
  const row = await findListed<PlanRow & ListedSchedule>('schedule', source, request);
  return row && toFound(row);
}

type ChargeRules = { scheduleRetries: number; scheduleRetryHours: number; missedSlots: MissedSlots };

/** A protocol mapping's settings for declined and missed charges. */
export async function chargeRulesOf(merchantId: string, protocol: Payment['protocol']): Promise<ChargeRules> {
  const row = await prisma().protocolMapping.findUnique({
    where: { merchantId_protocol: { merchantId, protocol } },
    select: { scheduleRetries: true, scheduleRetryHours: true, missedSlots: true },
  });
  return row ?? { scheduleRetries: 0, scheduleRetryHours: 0, missedSlots: 'one' };
}
