import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDay } from '../core/dates.ts';
import { firstCharge, intervalAfter, type SchedulePlan } from '../core/recurrence.ts';
import { atHourOf, chargeSpacing, decideSlot, plannedAt, replan, type SlotState, skipPausedSlots } from './slots.ts';

const day = 86_400_000;
const hour = 3_600_000;

const monthly: SchedulePlan = { intervalLength: 1, intervalUnit: 'month', paymentsCount: 12 };
const daily: SchedulePlan = { intervalLength: 1, intervalUnit: 'day', paymentsCount: 12 };

const none = { done: 0, shift: 0, begunSlot: null, begunFor: null, begunAt: null, catchUpAt: null };

function started(plan: SchedulePlan, begins: string): SlotState {
  const first = firstCharge(plan, { initDate: begins.slice(0, 10) });
  return { firstDate: first.date, firstDay: first.dayOfMonth, createdAt: new Date(begins), ...none };
}

/** A subscription with `done` slots charged on their days. */
function charged(plan: SchedulePlan, slots: SlotState, done: number): SlotState {
  const at = plannedAt({ ...plan, paymentsCount: 9999 }, { ...slots, begunSlot: null }, done - 1);
  return { ...slots, done, begunSlot: done - 1, begunFor: at, begunAt: at };
}

const dayOf = (plan: SchedulePlan, slots: SlotState, at: string) => {
  const { shift, dueAt } = replan(plan, slots, new Date(at));
  expect(dueAt).toEqual(plannedAt(plan, { ...slots, shift }, slots.done));
  return dueAt?.toISOString();
};

describe('a change of the plan continues', () => {
  const sixMonths = charged(monthly, started(monthly, '2026-01-10T09:00:00.000Z'), 6);

  it('after now, from months to days', () => {
    expect(sixMonths.begunFor?.toISOString()).toBe('2026-07-10T09:00:00.000Z');
    expect(dayOf(daily, sixMonths, '2026-07-25T08:00:00Z')).toBe('2026-07-25T09:00:00.000Z');
    expect(dayOf(daily, sixMonths, '2026-07-25T09:00:00Z')).toBe('2026-07-26T09:00:00.000Z');
    // On the day of a charge, with a whole day in between.
    expect(dayOf(daily, sixMonths, '2026-07-10T09:00:01Z')).toBe('2026-07-11T09:00:00.000Z');
  });

  it('a whole interval after the last charge, from days to months', () => {
    const days = charged(daily, started(daily, '2026-01-10T09:00:00.000Z'), 10);
    expect(days.begunFor?.toISOString()).toBe('2026-01-20T09:00:00.000Z');
    expect(dayOf(monthly, days, '2026-01-21T00:00:00Z')).toBe('2026-03-11T09:00:00.000Z');
  });

  it('a whole interval after the last charge, on another day of the month', () => {
    expect(dayOf({ ...monthly, dayOfMonth: 12 }, sixMonths, '2026-07-11T00:00:00Z')).toBe('2026-08-12T09:00:00.000Z');
    expect(dayOf({ ...monthly, dayOfMonth: 5 }, sixMonths, '2026-07-11T00:00:00Z')).toBe('2026-09-05T09:00:00.000Z');
  });

  it('on the reported day, if nothing was charged', () => {
    const slots = started(monthly, '2026-01-10T09:00:00.000Z');
    expect(dayOf(daily, slots, '2026-01-11T00:00:00Z')).toBe('2026-02-10T09:00:00.000Z');
  });

  it('with the slot after the one in progress', () => {
    const under = { ...sixMonths, begunSlot: 6, begunFor: new Date('2026-08-10T09:00:00Z'), done: 6 };
    const { shift, dueAt } = replan(daily, under, new Date('2026-08-11T00:00:00Z'));
    expect(dueAt).toBeNull();
    expect(plannedAt(daily, { ...under, shift }, 6)?.toISOString()).toBe('2026-08-10T09:00:00.000Z');
    expect(plannedAt(daily, { ...under, shift }, 7)?.toISOString()).toBe('2026-08-11T09:00:00.000Z');
  });
});

describe('after five days without a service', () => {
  const slots = started(daily, '2026-01-01T09:00:00.000Z');
  const at = (text: string) => new Date(text);
  const days = ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06'];

  it('one charges the latest, and names all', () => {
    const decision = decideSlot(daily, slots, 'one', at('2026-01-06T12:00:00Z'));
    expect(decision).toMatchObject({ what: 'charge', at: at('2026-01-06T09:00:00Z'), shift: 4 });
    expect(decision.missed.map(isoDay)).toEqual(days);
  });

  it('none charges the next', () => {
    const decision = decideSlot(daily, slots, 'none', at('2026-01-06T12:00:00Z'));
    expect(decision).toMatchObject({ what: 'wait', at: at('2026-01-07T09:00:00Z'), shift: 5 });
    expect(decideSlot(daily, slots, 'none', at('2026-01-06T09:30:00Z'))).toMatchObject({ what: 'charge', shift: 4 });
  });

  it('all charges each, an hour later', () => {
    const now = at('2026-01-06T12:00:00Z');
    const announced = decideSlot(daily, slots, 'all', now);
    expect(announced).toMatchObject({ what: 'announce', at: at('2026-01-06T13:00:00Z'), shift: 0 });
    expect(announced.missed.map(isoDay)).toEqual(days);
    const noted = { ...slots, catchUpAt: announced.at };
    expect(decideSlot(daily, noted, 'all', at('2026-01-06T12:59:00Z'))).toMatchObject({
      what: 'wait',
      at: announced.at,
      planned: at('2026-01-02T09:00:00Z'),
    });
    expect(decideSlot(daily, noted, 'all', announced.at)).toMatchObject({
      what: 'charge',
      at: at('2026-01-02T09:00:00Z'),
    });
  });

  it('a slot soon after a late charge is skipped', () => {
    const late = {
      ...slots,
      done: 1,
      begunSlot: 0,
      begunFor: at('2026-01-02T09:00:00Z'),
      begunAt: at('2026-01-03T07:00:00Z'),
    };
    expect(decideSlot(daily, late, 'one', at('2026-01-03T09:00:00Z'))).toMatchObject({
      what: 'wait',
      at: at('2026-01-04T09:00:00Z'),
    });
  });
});

describe('a subscription through updates, pauses, declines and outages', () => {
  const plans = fc.record({
    intervalLength: fc.integer({ min: 1, max: 5 }),
    intervalUnit: fc.constantFrom('day' as const, 'month' as const),
    dayOfMonth: fc.option(fc.integer({ min: 1, max: 31 })),
    paymentsCount: fc.integer({ min: 1, max: 40 }),
  });
  const events = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('update' as const), plan: plans }),
      fc.record({ kind: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ kind: fc.constant('outage' as const), hours: fc.integer({ min: 1, max: 9000 }) }),
      fc.record({ kind: fc.constant('pause' as const), hours: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ kind: fc.constant('retries' as const), count: fc.integer({ min: 1, max: 3 }) }),
    ),
    { minLength: 1, maxLength: 12 },
  );

  type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;
  type Charge = { at: number; planned: number; plan: SchedulePlan; updated: boolean };

  /** A service that processes due rows once an hour, as lib/recurring/charge.ts does. */
  function service(plan: SchedulePlan, begins: string, option: 'one' | 'all' | 'none') {
    let slots = started(plan, begins);
    let now = new Date(begins);
    let dueAt: Date | null = plannedAt(plan, slots, 0);
    let retries = 0;
    let updated = false;
    let begun = { plan, updated };
    const charges: Charge[] = [];
    const advance = () => {
      slots = { ...slots, done: slots.done + 1 };
      dueAt = plannedAt(plan, slots, slots.done);
    };
    const work = () => {
      while (dueAt && dueAt <= now) {
        const isBegun = slots.begunSlot === slots.done;
        const decision = decideSlot(plan, slots, option, now);
        if (!isBegun && decision.what !== 'charge') {
          if (decision.what === 'announce') slots = { ...slots, catchUpAt: decision.at };
          slots = { ...slots, shift: decision.shift };
          dueAt = decision.at;
          continue;
        }
        const planned = isBegun ? (slots.begunFor as Date) : decision.at;
        if (!isBegun) {
          const placed = { ...slots, shift: decision.shift };
          const { interval, tolerance } = chargeSpacing(plan, placed);
          // The database's brake would stop this.
          const before = slots.begunFor ? slots.begunFor.getTime() + interval - tolerance : 0;
          if (planned.getTime() < before) throw new Error(`the brake stops ${planned.toISOString()}`);
          slots = { ...placed, begunSlot: slots.done, begunFor: planned };
          // A slot follows the plan under which it was begun; an update does not move its retries.
          begun = { plan, updated };
          updated = false;
        }
        slots = { ...slots, begunAt: now };
        if (retries > 0) {
          retries -= 1;
          dueAt = new Date(now.getTime() + day);
          continue;
        }
        charges.push({ at: now.getTime(), planned: planned.getTime(), ...begun });
        advance();
      }
    };
    return {
      charges,
      count: () => slots.done,
      left: () => dueAt !== null,
      wait(hours: number, isWorking: boolean) {
        for (let passed = 0; passed < hours; passed += 1) {
          now = new Date(now.getTime() + hour);
          if (isWorking) work();
        }
        work();
      },
      update(changed: SchedulePlan) {
        plan = changed;
        updated = true;
        if (slots.done >= plan.paymentsCount) dueAt = null;
        if (!dueAt) return;
        const placed = replan(plan, slots, now);
        slots = { ...slots, shift: placed.shift, catchUpAt: null };
        dueAt = placed.dueAt ?? dueAt;
      },
      pause(hours: number) {
        now = new Date(now.getTime() + hours * hour);
        if (!dueAt) return;
        if (slots.begunSlot === slots.done && dueAt > now) {
          slots = { ...slots, shift: replan(plan, slots, now).shift };
          return;
        }
        slots = { ...slots, done: skipPausedSlots(plan, slots, now) };
        dueAt = plannedAt(plan, slots, slots.done);
      },
      decline(count: number) {
        retries = count;
      },
    };
  }

  function run(plan: SchedulePlan, option: 'one' | 'all' | 'none', list: Event[]) {
    const running = service(plan, '2026-01-31T09:30:00.000Z', option);
    for (const event of list) {
      if (event.kind === 'update') running.update(event.plan);
      if (event.kind === 'time') running.wait(event.hours, true);
      if (event.kind === 'outage') running.wait(event.hours, false);
      if (event.kind === 'pause') running.pause(event.hours);
      if (event.kind === 'retries') running.decline(event.count);
    }
    return running;
  }

  const spanOf = (plan: SchedulePlan, from: number) => {
    const at = new Date(from);
    return atHourOf(intervalAfter(plan, isoDay(at)), at).getTime() - from;
  };

  it('no two charges are closer than the current interval, none is made before its time', () => {
    fc.assert(
      fc.property(
        plans,
        fc.constantFrom('one' as const, 'none' as const, 'all' as const),
        events,
        (plan, option, list) => {
          const { charges } = run(plan, option, list);
          for (const [n, charge] of charges.entries()) {
            expect(charge.at).toBeGreaterThanOrEqual(charge.planned);
            const before = charges[n - 1];
            if (!before) continue;
            const span = spanOf(charge.plan, before.planned);
            expect(charge.planned - before.planned).toBeGreaterThanOrEqual(
              // The first date of a plan with a day of the month may be closer to the second than the later ones.
              n === 1 && !charge.updated ? 1 : span,
            );
            if (option === 'all') continue;
            expect(charge.at - before.at).toBeGreaterThanOrEqual(n === 1 && !charge.updated ? 1 : span / 2);
          }
        },
      ),
      { numRuns: 3000 },
    );
  }, 120_000);

  it('never a past date, except the latest with one and each with all', () => {
    fc.assert(
      fc.property(
        plans,
        fc.constantFrom('one' as const, 'none' as const, 'all' as const),
        events,
        (plan, option, list) => {
          // Except after declines: a retried slot is charged later than its date.
          const { charges } = run(
            plan,
            option,
            list.filter(({ kind }) => kind !== 'retries'),
          );
          for (const charge of charges) {
            const late = charge.at - charge.planned;
            if (option === 'none') expect(late).toBeLessThanOrEqual(hour);
            // The first two dates of a plan with a day of the month may be up to two intervals apart.
            if (option === 'one') expect(late).toBeLessThanOrEqual(2 * spanOf(charge.plan, charge.planned));
          }
        },
      ),
      { numRuns: 1000 },
    );
  }, 120_000);
});
