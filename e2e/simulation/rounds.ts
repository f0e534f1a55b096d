// The jobs of the processes. In a running process a loop looks for due rows all the time, which would be most of a history;
// here a round of a job is planned for the moment at which a process can find its first due row, and a little later.
import type { Node } from './cluster.ts';
import type { World } from './world.ts';

/**
 * The due rows of each job, and the tables that they depend on. A paused schedule's rows are due when it is resumed; a
 * process looks at them once while it is paused, and must not charge them.
 */
const dueRows = {
  transactions: { from: 'transactions', tables: ['transactions'] },
  notifications: { from: 'provider_notifications', tables: ['provider_notifications'] },
  unresolved: { from: 'unresolved', tables: ['unresolved'] },
  schedules: {
    from: 'subscriptions u join schedules s on s.id = u.schedule_id where not s.paused or due_at > to_timestamp($1)',
    tables: ['subscriptions', 'schedules'],
  },
  callbacks: { from: 'callbacks', tables: ['callbacks'] },
};
type Job = keyof typeof dueRows;
const jobs = Object.keys(dueRows) as Job[];
/** A loop looks for due rows every 0.3 seconds. */
const looksWithin = 300;
/** Fruitless looks for the same row double the time until the next one, up to 38 seconds. */
const doublingsMax = 7;

/** A look of a process for the row that was due first: its number, and when the next one may begin. */
type Look = { due: number; turns: number; next: number };

/** Runs the jobs of the processes when rows are due. */
export function newRounds(world: World) {
  const { scheduler, chance } = world;
  const planned = new Map<Job, { at: number; cancel: () => void }>();
  /** The jobs whose rows, processes or clocks have changed since their round was planned. */
  const stale = new Set<Job>();
  const { findsAt, look } = newLooks(world, stale);
  const due = newDueTimes(world, stale);
  let checkOverdue: (job: Job, due: number) => void = () => {};
  const forget = () => {
    for (const job of jobs) stale.add(job);
  };
  world.changed.push(forget);

  function round(job: Job) {
    planned.delete(job);
    stale.add(job);
    const first = due.known(job);
    const ready = world.up().filter((node) => first !== null && findsAt(node, job, first) <= scheduler.now());
    const draw = chance.draws('rounds');
    // Usually one process finds the rows first; at times all look at the same moment.
    if (job === 'schedules' && ready.length > 0) due.seeSchedules(scheduler.now());
    const looking = draw() < 0.3 ? ready : ready.slice(Math.floor(draw() * ready.length)).slice(0, 1);
    for (const node of looking)
      scheduler.after(draw() * 20, node.owner, `${job} round`, () => void look(node, job, first ?? 0));
  }

  function planRound(job: Job, first: number | null) {
    const known = planned.get(job);
    const found = first === null ? [] : world.up().map((node) => findsAt(node, job, first));
    const from = Math.max(scheduler.now(), Math.min(Number.POSITIVE_INFINITY, ...found));
    // An earlier round stays: a later one is planned by it.
    if (known && known.at <= from + looksWithin) return;
    known?.cancel();
    planned.delete(job);
    if (from === Number.POSITIVE_INFINITY) return;
    const at = from + chance.draws('rounds')() * looksWithin;
    const cancel = scheduler.after(at - scheduler.now(), null, `${job} due`, () => round(job));
    planned.set(job, { at, cancel });
  }

  return {
    /** Begins a history; `check` is called with the first due time of each job. */
    begin(check: (job: Job, due: number) => void) {
      for (const { cancel } of planned.values()) cancel();
      planned.clear();
      due.forget();
      forget();
      checkOverdue = check;
    },
    /** Plans the next round of each job whose rows, processes or clocks have changed. */
    async plan() {
      await due.read();
      for (const job of jobs) {
        const first = due.known(job);
        if (first !== null) checkOverdue(job, first);
        if (stale.delete(job)) planRound(job, first);
      }
    },
  };
}

/** The first due time of each job's rows, read again when its tables were written to. */
function newDueTimes({ base }: World, stale: Set<Job>) {
  const first = new Map<Job, { writes: number; seen: number; due: number | null }>();
  let lookedAt = 0;
  return {
    /** Subscriptions of paused schedules that were due until now are not due again. */
    seeSchedules(at: number) {
      lookedAt = at;
    },
    known: (job: Job) => first.get(job)?.due ?? null,
    forget: () => first.clear(),
    /** Reads all that may have changed in one statement. */
    async read(): Promise<void> {
      const states = jobs.map((job) => {
        const writes = dueRows[job].tables.reduce((sum, table) => sum + (base.writes.get(table) ?? 0), 0);
        return { job, writes, seen: job === 'schedules' ? lookedAt : 0 };
      });
      const changed = states.filter(({ job, writes, seen }) => {
        const known = first.get(job);
        return known?.writes !== writes || known.seen !== seen;
      });
      if (changed.length === 0) return;
      const columns = changed.map(
        ({ job }) => `(select (extract(epoch from min(due_at)) * 1000)::bigint from ${dueRows[job].from}) as ${job}`,
      );
      const values = changed.some(({ job }) => job === 'schedules') ? [lookedAt / 1000] : [];
      const [row] = await base.rows<Record<Job, string | null>>(`select ${columns.join(', ')}`, values);
      for (const { job, ...state } of changed) {
        const due = row?.[job];
        first.set(job, { ...state, due: due ? Number(due) : null });
        stale.add(job);
      }
    },
  };
}

/** The looks of each process: one that finds nothing (its clock is wrong) does not delay the others. */
function newLooks({ scheduler }: World, stale: Set<Job>) {
  const looks = new WeakMap<Node['owner'], Partial<Record<Job, Look>>>();

  /** When a process can find the row: when it is due by its clock, and its last look for the row is over. */
  function findsAt({ owner }: Node, job: Job, due: number): number {
    const last = looks.get(owner)?.[job];
    // A process whose clock is ahead finds rows early.
    const at = due - Math.max(0, owner.skew);
    return last && (last.due === due || last.next === Number.POSITIVE_INFINITY) ? Math.max(at, last.next) : at;
  }

  async function look({ owner, service }: Node, job: Job, due: number) {
    const known = looks.get(owner)?.[job];
    const turns = known?.due === due ? Math.min(doublingsMax, known.turns + 1) : 1;
    // The next look of a process begins after this one.
    const mine: Look = { due, turns, next: Number.POSITIVE_INFINITY };
    looks.set(owner, { ...looks.get(owner), [job]: mine });
    const count = await service?.jobs[job](service.now());
    Object.assign(mine, count ? { turns: 0, next: 0 } : { next: scheduler.now() + looksWithin * 2 ** turns });
    stale.add(job);
  }

  return { findsAt, look };
}
