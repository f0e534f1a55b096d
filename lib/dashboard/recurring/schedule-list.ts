/** The list of schedules with their plans and subscribers, and one schedule of it. */

import { isUuid } from '../../core/ids';
import type { MissedSlots } from '../../core/mapping-options';
import type { Payment } from '../../core/payment';
import { query } from '../../db';
import { type ScheduleRow as PlanRow, type Schedule, scheduleColumns, toSchedule } from '../../schedules';
import { created, merchant, state } from '../lists/columns';
import type { ScheduleRow, ScheduleState } from '../lists/contract';
import { choices, days, optionsOf } from '../lists/filters';
import { resource } from '../lists/resource';
import { samples } from '../lists/samples';
import { intervalText, paymentsText } from './plan-labels';

export type ListedSchedule = {
  state: ScheduleState;
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
    {
      id: 'runsAt',
      head: 'Next charge',
      kind: 'time',
      none: 'none',
      align: 'end',
      width: 150,
      hideOnPhone: true,
    },
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
  toRow: (row: PlanRow & ListedSchedule) => scheduleRow(toListed(row)),
});

/** The list has no deleted schedules, unless the filter names them. */
function stateFilter() {
  const filter = choices(
    'state',
    'State',
    optionsOf({ running: 'Running', paused: 'Paused', deleted: 'Deleted' }),
    (values, add) => `${stateSql} = any(${add(values)}::text[])`,
  );
  const read = (named: URLSearchParams) => {
    const values = filter.read(named);
    return values.length > 0 ? values : ['running', 'paused'];
  };
  return { ...filter, read };
}

export type FoundSchedule = ListedSchedule & { schedule: Schedule };

const toListed = (row: PlanRow & ListedSchedule): FoundSchedule => ({ ...row, schedule: toSchedule(row) });

/** A schedule in the list. */
export function scheduleRow({ schedule, ...listed }: FoundSchedule): ScheduleRow {
  const { state: at, live, failing, merchantName } = listed;
  const nextDueAt = listed.nextDueAt?.toISOString() ?? null;
  return {
    id: schedule.id,
    name: schedule.name,
    every: intervalText(schedule),
    length: paymentsText(schedule),
    ...{ state: at, live, failing, merchantName, nextDueAt },
    runsAt: at === 'running' ? nextDueAt : null,
    createdAt: listed.createdAt.toISOString(),
  };
}

/** One schedule, including deleted ones; with `merchantId` only that merchant's. */
export async function findListedSchedule(id: string, merchantId: string | null): Promise<FoundSchedule | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<PlanRow & ListedSchedule>(
    'schedule-listed',
    `select ${source.columns} from ${source.from} where s.id = $1 and ($2::uuid is null or s."merchantId" = $2::uuid)`,
    [id, merchantId],
  );
  return row ? toListed(row) : null;
}

/** A protocol mapping's settings for declined and missed charges. */
export async function chargeRulesOf(
  merchantId: string,
  protocol: Payment['protocol'],
): Promise<{ scheduleRetries: number; scheduleRetryHours: number; missedSlots: MissedSlots }> {
  const [row] = await query<{ retries: number; hours: number; missed: MissedSlots }>(
    'schedule-retries',
    `select schedule_retries as retries, schedule_retry_hours as hours, missed_slots::text as missed from protocol_mappings
      where merchant_id = $1 and protocol = $2::"Protocol"`,
    [merchantId, protocol],
  );
  return {
    scheduleRetries: row?.retries ?? 0,
    scheduleRetryHours: row?.hours ?? 0,
    missedSlots: row?.missed ?? 'one',
  };
}
