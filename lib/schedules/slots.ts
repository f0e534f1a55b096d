/**
 * Which slot of a subscription is charged next, and when. Nothing here reads a clock or a row: the jobs that charge, the
 * updates of a plan and the pages that show what is to come all ask these functions (protocol.md 7a).
 *
 * A slot is one charge that the payer agreed to, a position is one date of the plan's calendar. Slot `n` lies at position
 * `n + shift`: whatever passes over dates moves the shift, and the number of charges stays what was agreed.
 */
import { isoDay } from '../core/dates';
import type { MissedSlots } from '../core/mapping-options';
import { calendarDate, intervalAfter, positionBefore, type SchedulePlan } from '../core/recurrence';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A slot that could not be charged within this time was missed. */
const missedAfterMilliseconds = hour;
/** Missed slots that are all to be charged are shown for this long before. */
export const noticeMilliseconds = hour;

/** What the slots of a subscription depend on. */
export type SlotState = {
  /** `YYYY-MM-DD`, and the day of the month that it was meant for. */
  firstDate: string;
  firstDay: number;
  /** Charges are made at its time of the day, in UTC. */
  createdAt: Date;
  /** Slots charged or given up; the next slot has this number, counted from 0. */
  done: number;
  shift: number;
  /** The slot whose charge was begun last, the time that it was planned for, and the time of its last attempt. */
  begunSlot: number | null;
  begunFor: Date | null;
  begunAt: Date | null;
  /** Missed slots up to this time are all charged from it on. */
  catchUpAt: Date | null;
};

/** When slot `slot` (0 is the first) is charged. Null past the last. */
export function plannedAt(plan: SchedulePlan, slots: SlotState, slot: number): Date | null {
  if (slot >= plan.paymentsCount) return null;
  // A slot under way or waiting for its next try keeps its time, whatever the plan says meanwhile.
  if (slot === slots.begunSlot && slots.begunFor) return slots.begunFor;
  return timeOf(plan, slots, slot + slots.shift);
}

function timeOf(plan: SchedulePlan, slots: SlotState, position: number): Date {
  const first = { date: slots.firstDate, dayOfMonth: slots.firstDay };
  return atHourOf(calendarDate(plan, first, position), slots.createdAt);
}

/** A day at another time's hour. */
export function atHourOf(date: string, time: Date): Date {
  return new Date(`${date}T${time.toISOString().slice(11)}`);
}

/** One interval of the plan after a charge. */
function afterInterval(plan: SchedulePlan, at: Date): Date {
  return atHourOf(intervalAfter(plan, isoDay(at)), at);
}

/**
 * How far apart, in milliseconds, the plan puts the slot at `position` and the one before it, which was planned for
 * `before`: one interval. Only the first two may lie closer, where a first date of its own precedes a day of the month.
 */
function intervalBefore(plan: SchedulePlan, slots: SlotState, position: number, before: Date): number {
  const interval = afterInterval(plan, before).getTime() - before.getTime();
  if (position !== 1) return interval;
  return Math.min(interval, timeOf(plan, slots, 1).getTime() - timeOf(plan, slots, 0).getTime());
}

/** What the brake demands between the slot that is next and the one begun before it, in milliseconds. */
export type ChargeSpacing = { interval: number; tolerance: number };

/**
 * The distance that the brake holds a charge to (slot-moves.ts). The tolerance is a day for months and an hour for days: as
 * much as an edited row may come closer without a charge too many.
 */
export function chargeSpacing(plan: SchedulePlan, slots: SlotState): ChargeSpacing {
  const position = slots.done + slots.shift;
  const before = slots.begunFor ?? timeOf(plan, slots, position);
  return {
    interval: intervalBefore(plan, slots, position, before),
    tolerance: plan.intervalUnit === 'month' ? day : hour,
  };
}

/** The first position, from `from` on, whose time lies after `moment` and not before `least`. */
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

/** Where the next slot lies: due at `dueAt`, null to leave as it is. */
export type SlotPlacement = { shift: number; dueAt: Date | null };

/**
 * Where a subscription goes on after its plan has changed: the next slot lies after `now`, and a whole interval of the new
 * plan after the slot begun last. A slot that is under way, or waits for its next try, keeps its time; the one after it is
 * placed.
 */
export function replan(plan: SchedulePlan, slots: SlotState, now: Date): SlotPlacement {
  const isBegun = slots.begunSlot === slots.done;
  const slot = isBegun ? slots.done + 1 : slots.done;
  const least = slots.begunFor && afterInterval(plan, slots.begunFor);
  const position = positionAfter(plan, slots, 0, now, least);
  return { shift: position - slot, dueAt: isBegun ? null : timeOf(plan, slots, position) };
}

/** The slot that is next once all that fell due in a pause has counted as done. */
export function skipPausedSlots(plan: SchedulePlan, slots: SlotState, now: Date): number {
  let { done } = slots;
  for (; done < plan.paymentsCount; done += 1) {
    const at = plannedAt(plan, slots, done);
    if (at && at > now) return done;
  }
  return done;
}

/** What becomes of a slot whose time may have come. */
export type SlotDecision = {
  /** `charge` it now; `wait` for `at`; `announce` that all missed slots are charged from `at` on. */
  what: 'charge' | 'wait' | 'announce';
  at: Date;
  shift: number;
  /** The times of the slots that were missed, those that are charged all the same among them. */
  missed: Date[];
};

/**
 * Decides about the next slot of a subscription whose time has come, no try of it having been made. Where later ones have
 * fallen due as well, the service was away or retries have taken longer than the interval: `one` charges the latest of them,
 * `none` only what is not an hour late, `all` each, an hour after they were found. Except with `all`, a charge keeps half an
 * interval from the attempt before it: a slot charged late passes over the one that comes soon after. What is passed over
 * does not count as done.
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
  return { what: at <= now ? 'charge' : 'wait', at, shift: position - slots.done, missed };
}

function isTooSoon(plan: SchedulePlan, slots: SlotState, position: number, at: Date, now: Date): boolean {
  const { begunFor, begunAt } = slots;
  if (!begunFor || !begunAt) return false;
  const half = intervalBefore(plan, slots, position, begunFor) / 2;
  return Math.max(at.getTime(), now.getTime()) < begunAt.getTime() + half;
}

/** All that is due is charged, the oldest first; where that is more than one, only after notice. */
function catchUp(slots: SlotState, due: Date[], missed: Date[], now: Date): SlotDecision {
  const { catchUpAt, shift } = slots;
  const [first = now] = due;
  const isAnnounced = catchUpAt !== null && first <= catchUpAt;
  if (due.length > 1 && !isAnnounced) {
    return { what: 'announce', at: new Date(now.getTime() + noticeMilliseconds), shift, missed };
  }
  if (isAnnounced && now < catchUpAt) return { what: 'wait', at: catchUpAt, shift, missed };
  return { what: 'charge', at: first, shift, missed };
}
