// The charges of a subscription that the contract expects: the slots of its plan, moved by the merchant's edits, by
// outages and by declines. A reference for the service, written without its code. It follows the subscription from slot
// to slot, and stops where the order of two things is not known: an edit in the moment of a charge, an open outcome.
import { afterInterval, type Edit, type First, firstOf, type Plan, timeOf } from '../plan.ts';

const hour = 3_600_000;

/** An attempt of a slot that was made. `paid`: the slot is over; `soft`: it is repeated; `open`: not known. */
export type Attempt = { order: string; at: number; finished: number; outcome: 'paid' | 'soft' | 'hard' | 'open' };

/** What happened to a subscription. Times are milliseconds since 1970. */
export type Course = {
  plan: Plan;
  /** When the initial payment settled. */
  start: number;
  edits: Edit[];
  /** The attempts of each slot, by its number. */
  attempts: Map<number, Attempt[]>;
  missedSlots: string;
  retries: number;
  retryHours: number;
  downtimes: { from: number; to: number }[];
  /** The end of the history. */
  end: number;
  /** How late a charge may be. Two things within this time may have happened in any order. */
  tolerance: number;
};

/** The differences from what is expected; when the subscription ended, null if it goes on, undefined if it is not known. */
export type Comparison = { differences: string[]; ended: number | null | undefined };

/** A subscription on its way. */
type State = {
  plan: Plan;
  first: First;
  /** The slots that are over. */
  done: number;
  /** The position of the next slot in the plan's calendar. */
  position: number;
  /** The planned time of the slot that began last, and the time of its last attempt. */
  before: { planned: number; at: number } | null;
  /** Whether that slot waits for a retry. */
  isBegun: boolean;
  /** Since when the service has known that the next slot follows; an edit shortly after it may have been before. */
  ready: number;
  /** All missed slots up to this time are charged. */
  catchUpAt: number | null;
  isPaused: boolean;
  ended: number | null;
};

/** The order of two events is not known. */
class Unsure extends Error {}

/** Compares the attempts of a subscription with the expected ones. */
export function compareSlots(course: Course): Comparison {
  const differences: string[] = [];
  try {
    const ended = follow(course, differences);
    return { differences, ended };
  } catch (thrown) {
    if (!(thrown instanceof Unsure)) throw thrown;
    return { differences, ended: undefined };
  }
}

/** Follows the subscription to its end, or to the end of the history; returns when it ended. */
function follow(course: Course, differences: string[]): number | null {
  const { attempts, end, tolerance } = course;
  const state = begin(course);
  const edits = [...course.edits];
  const expected = new Set<Attempt>();
  const compare = (what: string, at: number, attempt: Attempt | undefined) => {
    if (attempt) expected.add(attempt);
    if (!attempt && at < end - tolerance) differences.push(`${what} was not charged at ${time(at)}`);
    else if (attempt && (attempt.at < at - Math.min(tolerance, 5 * 60_000) || attempt.at > at + tolerance))
      differences.push(`${what} was charged at ${time(attempt.at)}, expected ${time(at)}`);
    return attempt;
  };
  for (;;) {
    const at = nextSlot(state, edits, course);
    if (at === null) break;
    const number = state.done + 1;
    const tried = attempts.get(number) ?? [];
    let attempt = compare(`slot ${number}`, at, tried[0]);
    if (!attempt) return null;
    Object.assign(state, { before: { planned: timeOf(state.plan, state.first, state.position), at }, isBegun: true });
    state.position += 1;
    for (let retry = 1; attempt; retry += 1) {
      take(state, attempt, retry > course.retries);
      if (!state.isBegun || state.ended !== null) break;
      const retryAt = nextRetry(state, edits, course, attempt);
      if (retryAt === null) break;
      attempt = compare(`slot ${number}-${retry + 1}`, retryAt, tried[retry]);
      if (!attempt) return null;
    }
  }
  for (const attempt of [...attempts.values()].flat())
    if (!expected.has(attempt)) differences.push(`${attempt.order} was charged at ${time(attempt.at)}, not expected`);
  return state.ended;
}

const time = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString() : 'never');

/** The state at the initial payment: earlier edits have changed the plan only. */
function begin({ plan, start, edits, tolerance }: Course): State {
  const state: State = {
    ...{ plan, first: firstOf(plan, start), done: 0, position: 0, before: null, isBegun: false, ready: start },
    ...{ catchUpAt: null, isPaused: false, ended: null },
  };
  if (edits.some(({ at }) => at < start + tolerance)) throw new Unsure();
  return state;
}

/** Takes the outcome of an attempt. */
function take(state: State, { at, finished, outcome }: Attempt, isLast: boolean) {
  if (outcome === 'open') throw new Unsure();
  if (state.before) state.before.at = at;
  state.ready = finished;
  if (outcome === 'hard') state.ended = finished;
  else if (outcome === 'paid' || isLast) Object.assign(state, { done: state.done + 1, isBegun: false });
}

/** When the next slot is charged; null if there is none. */
function nextSlot(state: State, edits: Edit[], course: Course): number | null {
  let from = state.ready;
  for (;;) {
    const due = () => whenUp(course, Math.max(from, timeOf(state.plan, state.first, state.position)));
    const at = waitFor(state, edits, course, due);
    if (at === null || !Number.isFinite(at)) return at;
    const later = decide(state, course, at);
    if (later === null) return at;
    from = later;
  }
}

/** When a slot is repeated; null if it is not. */
function nextRetry(state: State, edits: Edit[], course: Course, { finished }: Attempt): number | null {
  const at = waitFor(state, edits, course, () => whenUp(course, finished + course.retryHours * hour));
  return state.isBegun ? at : null;
}

/** Waits for a due time; edits before it may change it. Null if the subscription ends, or the retry is passed over. */
function waitFor(state: State, edits: Edit[], course: Course, due: () => number): number | null {
  const { isBegun } = state;
  for (;;) {
    if (state.ended !== null) return null;
    if (state.done >= state.plan.payments_count) {
      state.ended = state.ready;
      return null;
    }
    if (state.isBegun !== isBegun) return null;
    const at = state.isPaused ? Number.POSITIVE_INFINITY : due();
    const [edit] = edits;
    if (!edit || edit.at > at + course.tolerance) return at;
    if (!edit.isSure || edit.at > at - course.tolerance || edit.at < state.ready + course.tolerance) throw new Unsure();
    edits.shift();
    if (edit.isAccepted) apply(state, edit, due, course);
  }
}

function apply(state: State, edit: Edit, due: () => number, course: Course) {
  const { at } = edit;
  if (edit.action === 'PAUSE_SCHEDULE') state.isPaused = true;
  else if (edit.action === 'DESCHEDULE') state.ended = at;
  else if (edit.action === 'UPDATE_SCHEDULE') {
    const before = state.plan;
    state.plan = { ...before, ...edit.changes };
    const { interval_length, interval_unit } = state.plan;
    if (state.done >= state.plan.payments_count) state.ended = at;
    else if (interval_length !== before.interval_length || interval_unit !== before.interval_unit)
      replan(state, at, course);
  } else if (edit.action === 'RUN_SCHEDULE' && state.isPaused) {
    state.isPaused = false;
    if (state.isBegun && Math.abs(due() - at) <= course.tolerance) throw new Unsure();
    if (state.isBegun && due() > at) replan(state, at, course);
    else passOver(state, at, course);
  }
}

/** The next slot is after `at`, and a whole interval of the plan after the slot that began last. */
function replan(state: State, at: number, { tolerance }: Course) {
  const { plan, first, before } = state;
  const least = before ? afterInterval(plan, before.planned) : 0;
  state.catchUpAt = null;
  for (let position = 0; ; position += 1) {
    const planned = timeOf(plan, first, position);
    if (Math.abs(planned - at) <= tolerance) throw new Unsure();
    if (planned < at || planned < least) continue;
    state.position = position;
    return;
  }
}

/** The slots that were due during a pause are over. */
function passOver(state: State, at: number, { tolerance }: Course) {
  if (state.isBegun) Object.assign(state, { done: state.done + 1, isBegun: false });
  for (; state.done < state.plan.payments_count; state.done += 1, state.position += 1) {
    const planned = timeOf(state.plan, state.first, state.position);
    if (Math.abs(planned - at) <= tolerance) throw new Unsure();
    if (planned > at) break;
    state.catchUpAt = null;
  }
  if (state.done >= state.plan.payments_count) state.ended = at;
}

/** The end of the outage in which `at` is, or `at`. */
function whenUp({ downtimes, tolerance }: Course, at: number): number {
  const outage = downtimes.find(({ from, to }) => at > from - tolerance && at < to + tolerance);
  if (!outage) return at;
  if (at < outage.from + tolerance || at > outage.to - tolerance) throw new Unsure();
  return outage.to;
}

/** Decides about the slots that are due at `at`: null if the next one is charged, otherwise a later time to look at it. */
function decide(state: State, course: Course, at: number): number | null {
  const timeAt = (position: number) => timeOf(state.plan, state.first, position);
  let count = 0;
  while (timeAt(state.position + count) <= at) count += 1;
  if (timeAt(state.position + count) < at + course.tolerance) throw new Unsure();
  if (course.missedSlots === 'all') return catchUp(state, count, at);
  const lateness = at - timeAt(state.position + count - 1);
  if (course.missedSlots === 'none' && Math.abs(lateness - hour) <= course.tolerance) throw new Unsure();
  state.position += course.missedSlots === 'none' && lateness > hour ? count : count - 1;
  while (isTooSoon(state, course, Math.max(at, timeAt(state.position)))) state.position += 1;
  return timeAt(state.position) <= at ? null : at;
}

/** A slot that follows within half an interval after the last attempt is skipped. */
function isTooSoon({ plan, before }: State, { tolerance }: Course, at: number): boolean {
  if (!before) return false;
  const earliest = before.at + (afterInterval(plan, before.planned) - before.planned) / 2;
  // The time of an attempt is known to a few seconds, with faults to the tolerance.
  if (Math.abs(at - earliest) <= (tolerance > 10 * 60_000 ? tolerance : 5_000)) throw new Unsure();
  return at < earliest;
}

/** All slots are charged, the oldest first; several that are due at once an hour after they were found. */
function catchUp(state: State, count: number, at: number): number | null {
  const oldest = timeOf(state.plan, state.first, state.position);
  const isAnnounced = state.catchUpAt !== null && oldest <= state.catchUpAt;
  if (isAnnounced) return at < (state.catchUpAt ?? 0) ? state.catchUpAt : null;
  if (count < 2) return null;
  state.catchUpAt = at + hour;
  return state.catchUpAt;
}
