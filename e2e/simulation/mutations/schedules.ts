// Faults planted into schedules.
import type { Mutation } from './mutation.ts';

const moves = 'lib/schedules/slot-moves.ts';
const slots = 'lib/schedules/slots.ts';
const schedules = 'lib/schedules/schedules.ts';
const charge = 'lib/recurring/charge.ts';

export const scheduleMutations: Mutation[] = [
  {
    name: 'a slot is not repeated after a decline',
    file: charge,
    from: 'if (subscription.retries >= plan.scheduleRetries) return',
    to: 'if (subscription.retries >= 0) return',
  },
  {
    name: 'a subscription goes on after a hard decline',
    file: charge,
    from: 'if (transaction.declineSoft === false)',
    to: 'if (transaction.declineSoft === null)',
  },
  {
    name: 'a paid slot stays the current one',
    file: moves,
    from: 'const done = slots.done + 1;',
    to: 'const done = slots.done;',
  },
  {
    name: 'no slot is charged',
    file: charge,
    from: 'if (isClockWrong()) return 0;',
    to: 'if (Date.now() > 0) return 0;',
  },
  {
    name: 'a subscription ends after one slot',
    file: moves,
    from: 'return { done, shift, dueAt: plannedAt(schedule, { ...slots, shift }, done) };',
    to: 'return { done, shift, dueAt: null };',
  },
  {
    name: 'each slot is charged days late',
    file: slots,
    from: 'return atHourOf(calendarDate(plan, first, position), slots.createdAt);',
    to: 'return new Date(atHourOf(calendarDate(plan, first, position), slots.createdAt).getTime() + 3 * day);',
  },
  {
    name: 'each slot is charged some minutes late',
    file: slots,
    from: 'return atHourOf(calendarDate(plan, first, position), slots.createdAt);',
    to: 'return new Date(atHourOf(calendarDate(plan, first, position), slots.createdAt).getTime() + 10 * minute);',
  },
  {
    name: 'a slot is charged a cent too much',
    file: charge,
    from: 'const amountMinor = chargeAmountMinor(subscription, begun);',
    to: 'const amountMinor = chargeAmountMinor(subscription, begun) + 1n;',
  },
  {
    name: 'a slot has the amount of the initial payment',
    file: charge,
    from: 'parseAmount(amount ?? begun.orderAmount, begun.currency)',
    to: 'parseAmount(begun.orderAmount, begun.currency)',
  },
  {
    name: 'a retry comes after seconds',
    file: moves,
    from: "+ :hours::float8 * interval '1 hour'",
    to: "+ :hours::float8 * interval '1 second'",
  },
  {
    name: 'a retry comes an hour late',
    file: moves,
    from: "+ :hours::float8 * interval '1 hour'",
    to: "+ (:hours::float8 + 1) * interval '1 hour'",
  },
  {
    name: 'a paused schedule is charged',
    file: charge,
    from: 'and u.stopped_at is null and not s.paused',
    to: 'and u.stopped_at is null',
    also: [
      { file: charge, from: 'if (schedule.paused) return;', to: '' },
      { file: moves, from: 'and s.deleted_at is null and not s.paused', to: 'and s.deleted_at is null' },
    ],
  },
  {
    name: 'the slots of a pause are charged later',
    file: schedules,
    from: 'const done = skipPausedSlots(schedule, subscription, at);',
    to: 'const done = subscription.done;',
  },
  {
    name: 'one slot too many is charged',
    file: charge,
    from: 'if (subscription.done >= schedule.paymentsCount)',
    to: 'if (subscription.done > schedule.paymentsCount)',
    also: [
      {
        file: slots,
        from: 'if (slot >= plan.paymentsCount) return null;',
        to: 'if (slot > plan.paymentsCount) return null;',
      },
    ],
  },
  {
    name: 'one slot too few is charged',
    file: slots,
    from: 'if (slot >= plan.paymentsCount) return null;',
    to: 'if (slot + 1 >= plan.paymentsCount) return null;',
  },
  {
    name: 'a claim has no lease',
    file: charge,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is part of a source file.
    from: "set due_at = :now::timestamptz + interval '${leaseSeconds} seconds'",
    to: 'set due_at = :now::timestamptz',
  },
  {
    name: 'a late charge does not skip a date soon after it',
    file: slots,
    from: 'while (isTooSoon(plan, slots, position, timeAt(position), now)) position += 1;',
    to: '',
  },
  {
    name: 'a subscription goes on after DESCHEDULE',
    file: schedules,
    from: "set stopped_at = :now::timestamptz, due_at = null, stop_reason = 'descheduled'",
    to: "set stop_reason = 'descheduled'",
  },
  {
    name: 'a schedule in use is deleted',
    file: schedules,
    from: 'where id = :id and deleted_at is null\n      and not exists (select 1 from subscriptions where schedule_id = :id and stopped_at is null)',
    to: 'where id = :id and deleted_at is null',
  },
  {
    name: 'a pause is not stored',
    file: schedules,
    from: 'update schedules set paused = true where id = :id',
    to: 'update schedules set paused = paused where id = :id',
  },
];
