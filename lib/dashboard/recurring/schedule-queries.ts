/** Statements of schedules and their subscriptions for lists and pages. */

import { isUuid } from '../../core/ids';
import type { MissedSlots } from '../../core/mapping-options';
import type { Payment } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, query } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';
import { type Schedule, type ScheduleRow, scheduleColumns, toSchedule } from '../../schedules';

export const scheduleStates = ['running', 'paused', 'deleted'] as const;
export type ScheduleState = (typeof scheduleStates)[number];

export type ScheduleFilter = {
  merchantId: string | null;
  /** An id, or a part of the name; '' for none. */
  search: string;
  /** Empty means all except deleted ones. */
  states: ScheduleState[];
  from: Date | null;
  until: Date | null;
};

export type ListedSchedule = {
  schedule: Schedule;
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

type ListedRow = ScheduleRow & {
  merchant_id: string;
  merchant_name: string;
  state: ScheduleState;
  created_at: Date;
  deleted_at: Date | null;
  live: number;
  failing: number;
  braked: number;
  subscriptions: number;
  next_due_at: Date | null;
};

const stateSql = `case when s.deleted_at is not null then 'deleted' when s.paused then 'paused' else 'running' end`;

const scheduleList = {
  columns: `s.*, m.name as merchant_name, ${stateSql} as state, n.*`,
  from: `(select ${scheduleColumns}, merchant_id, created_at, deleted_at from schedules) s
    join merchants m on m.id = s.merchant_id
    cross join lateral (
      select count(*) filter (where u.stopped_at is null)::int as live,
             count(*) filter (where u.stopped_at is null and u.retries > 0)::int as failing,
             count(*) filter (where u.stopped_at is null and u.brake_reason is not null)::int as braked,
             count(*)::int as subscriptions, min(u.due_at) as next_due_at
        from subscriptions u where u.schedule_id = s.id) n`,
  at: 's.created_at',
  id: 's.id',
};

/** A page of the schedules, newest first. */
export async function listSchedules(filter: ScheduleFilter, page: PageRequest): Promise<Paged<ListedSchedule>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  if (filter.merchantId !== null) where(`s.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) where(`${stateSql} = any(${add(filter.states)}::text[])`);
  else where('s.deleted_at is null');
  if (filter.from) where(`s.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`s.created_at < ${add(filter.until)}::timestamptz`);
  const search = filter.search.trim();
  if (isUuid(search)) where(`s.id = ${add(search)}::uuid`);
  else if (search !== '') where(`position(lower(${add(search)}::text) in lower(s.name)) > 0`);
  const { rows, more } = await fetchPage<ListedRow>(scheduleList, builder, page);
  return { rows: rows.map(toListed), more };
}

/** One schedule, including deleted ones; with `merchantId` only that merchant's. */
export async function findListedSchedule(id: string, merchantId: string | null): Promise<ListedSchedule | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<ListedRow>(
    'schedule-listed',
    `select ${scheduleList.columns} from ${scheduleList.from}
      where s.id = $1 and ($2::uuid is null or s.merchant_id = $2::uuid)`,
    [id, merchantId],
  );
  return row ? toListed(row) : null;
}

function toListed(row: ListedRow): ListedSchedule {
  return {
    schedule: toSchedule(row),
    state: row.state,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    live: row.live,
    failing: row.failing,
    braked: row.braked,
    subscriptions: row.subscriptions,
    nextDueAt: row.next_due_at,
  };
}

/** A page of the payments that a schedule charged, newest first. */
export async function chargesOfSchedule(scheduleId: string, page: PageRequest): Promise<Paged<Payment>> {
  const builder = newSqlBuilder();
  builder.where(`u.schedule_id = ${builder.add(scheduleId)}::uuid`);
  const list = {
    columns: paymentColumns,
    from: `subscriptions u join payments p on p.recurring_token = u.chain_token and p.subscription_id = u.id
      left join cards k on k.id = p.card_id`,
    at: 'p.created_at',
    id: 'p.id',
  };
  const { rows, more } = await fetchPage<PaymentRow>(list, builder, page);
  return { rows: rows.map(toPayment), more };
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
