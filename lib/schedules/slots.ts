/**
 * Computes the next slot of a subscription and its time. Reads neither clock nor rows: the charging job, updates of a
 * plan and previews all use these functions (protocol.md 7a).
 *
 * A slot is one charge that the payer agreed to, a position is one date of the plan's calendar. Slot `n` is at position
 * `n + shift`: skipping dates changes the shift, and the number of charges remains as agreed.
 */
import { isoDay } from '../core/dates.ts';
import type { MissedSlots } from '../core/mapping-options.ts';
import { calendarDate, intervalAfter, positionBefore, type SchedulePlan } from '../core/recurrence.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A slot that was not charged within this time was missed. */
const missedAfterMilliseconds = hour;
/** If all missed slots are to be charged, they are announced this long before. */
export const noticeMilliseconds = hour;

/** The state of a subscription that determines its slots. */
export type SlotState = {
  /** `YYYY-MM-DD`, and its intended day of the month. */
  firstDate: string;
  firstDay: number;
  /** Charges are made at its time of day, in UTC. */
  createdAt: Date;
  /** Slots charged or skipped; the next slot has this number, counted from 0. */
  done: number;
  shift: number;
  /** The slot whose charge was begun last, its planned time, and the time of its last attempt. */
  begunSlot: number | null;
  begunFor: Date | null;
  begunAt: Date | null;
  /** Missed slots up to this time are all charged from then on. */
  catchUpAt: Date | null;
};

/** When slot `slot` (from 0) is charged. Null after the last. */
export function plannedAt(plan: SchedulePlan, slots: SlotState, slot: number): Date | null {
  if (slot >= plan.paymentsCount) return null;
  // A slot in progress or waiting for a retry keeps its time, even if the plan changes.
  if (slot === slots.begunSlot && slots.begunFor) return slots.begunFor;
  return timeOf(plan, slots, slot + slots.shift);
}

function timeOf(plan: SchedulePlan, slots: SlotState, position: number): Date {
  const first = { date: slots.firstDate, dayOfMonth: slots.firstDay };
  return atHourOf(calendarDate(plan, first, position), slots.createdAt);
}

/** A day at the time of day of `time`. */
export function atHourOf(date: string, time: Date): Date {
  return new Date(`${date}T${time.toISOString().slice(11)}`);
}

/** One interval of the plan after a charge. */
function afterInterval(plan: SchedulePlan, at: Date): Date {
  return atHourOf(intervalAfter(plan, isoDay(at)), at);
}

/**
 * The milliseconds between the slot at `position` and the previous one, planned for `before`: one interval. Only the
 * first two may be closer, if a separate first date precedes a day of the month.
 */
function intervalBefore(plan: SchedulePlan, slots: SlotState, position: number, before: Date): number {
  const interval = afterInterval(plan, before).getTime() - before.getTime();
  if (position !== 1) return interval;
  return Math.min(interval, timeOf(plan, slots, 1).getTime() - timeOf(plan, slots, 0).getTime());
}

/** The distance that the brake requires between the next slot and the previously begun one, in milliseconds. */
export type ChargeSpacing = { interval: number; tolerance: number };

/** The distance that the brake requires; an edited row may be closer by a day for months, by an hour for days. */
export function chargeSpacing(plan: SchedulePlan, slots: SlotState): ChargeSpacing {
  const position = slots.done + slots.shift;
  const before = slots.begunFor ?? timeOf(plan, slots, position);
  return {
    interval: intervalBefore(plan, slots, position, before),
    tolerance: plan.intervalUnit === 'month' ? day : hour,
  };
}

/** The first position, from `from` on, whose time is after `moment` and not before `least`. */
function positionAfter(plan: SchedulePlan, slots: SlotState, from: number, moment: Date, least: Date | null): number {
  const after = least && least > moment ? least : moment;
  const first = { date: slots.firstDate, dayOfMonth: slots.firstDay };
  let position = Math.max(from, positionBefore(plan, first, isoDay(after)));
  for (;;) {
    const at = timeOf(plan, slots, position);
    if (at > moment && (!least || at >= least)) return position;
    position += 1;
  }
}

/** The position of the next slot: due at `dueAt`, null to keep the due time. */
export type SlotPlacement = { shift: number; dueAt: Date | null };

/**
 * Continues a subscription after a change of its plan: the next slot is after `now`, and a whole interval of the new
 * plan after the slot begun last. A slot in progress or waiting for a retry keeps its time; the one after it is
 * repositioned.
 */
export function replan(plan: SchedulePlan, slots: SlotState, now: Date): SlotPlacement {
  const isBegun = slots.begunSlot === slots.done;
  const slot = isBegun ? slots.done + 1 : slots.done;
  const least = slots.begunFor && afterInterval(plan, slots.begunFor);
  const position = positionAfter(plan, slots, 0, now, least);
  return { shift: position - slot, dueAt: isBegun ? null : timeOf(plan, slots, position) };
}

/** The next slot after all slots that were due during a pause count as done. */
export function skipPausedSlots(plan: SchedulePlan, slots: SlotState, now: Date): number {
  let { done } = slots;
  for (; done < plan.paymentsCount; done += 1) {
    const at = plannedAt(plan, slots, done);
    if (at && at > now) return done;
  }
  return done;
}

/** The decision about a slot that may be due. */
export type SlotDecision = {
  /** `charge` now; `wait` for `at`; `announce` that all missed slots are charged from `at` on. */
  what: 'charge' | 'wait' | 'announce';
  at: Date;
  /** The slot's own time, also where it waits for the time that was announced. */
  planned: Date;
  shift: number;
  /** The times of the missed slots, including those that are charged anyway. */
  missed: Date[];
};

/**
 * Decides about the next due slot of a subscription, which has no attempt yet. If later slots are due too, the service
 * was down or retries took longer than the interval: `one` charges the latest of them, `none` only one that is less
 * than an hour late, `all` each, an hour after they were found. Except with `all`, a charge keeps half an interval from
 * the previous attempt: a slot charged late skips the one soon after it. Skipped dates do not count as done.
 */
export function decideSlot(plan: SchedulePlan, slots: SlotState, option: MissedSlots, now: Date): SlotDecision {
  const from = slots.done + slots.shift;
  const timeAt = (position: number) => timeOf(plan, slots, position);
  const due: Date[] = [];
  for (let at = timeAt(from); at <= now; at = timeAt(from + due.length)) due.push(at);
  const missed = due.filter((at) => now.getTime() - at.getTime() > missedAfterMilliseconds);
  if (option === 'all' && due.length > 0) return catchUp(slots, due, missed, now);
  let position = Math.max(from, from + due.length - 1);
  if (option === 'none' && missed.length === due.length) position = from + due.length;
  while (isTooSoon(plan, slots, position, timeAt(position), now)) position += 1;
  const at = timeAt(position);
  return { what: at <= now ? 'charge' : 'wait', at, planned: at, shift: position - slots.done, missed };
}

function isTooSoon(plan: SchedulePlan, slots: SlotState, position: number, at: Date, now: Date): boolean {
  const { begunFor, begunAt } = slots;
  if (!begunFor || !begunAt) return false;
  const half = intervalBefore(plan, slots, position, begunFor) / 2;
  return Math.max(at.getTime(), now.getTime()) < begunAt.getTime() + half;
}

/** Charges all due slots, the oldest first; if there are several, only after the announcement. */
function catchUp({ catchUpAt, shift }: SlotState, due: Date[], missed: Date[], now: Date): SlotDecision {
  const [planned = now] = due;
  const slot = { planned, shift, missed };
  const isAnnounced = catchUpAt !== null && planned <= catchUpAt;
  if (due.length > 1 && !isAnnounced) {
    return { what: 'announce', at: new Date(now.getTime() + noticeMilliseconds), ...slot };
  }
  if (isAnnounced && now < catchUpAt) return { what: 'wait', at: catchUpAt, ...slot };
  return { what: 'charge', at: planned, ...slot };
}
