// One history: clients are served while faults happen, then everything comes to rest and the records are compared.
import type { Sealed } from './accounts.ts';
import type { Recipe } from './chance.ts';
import { checkHistory, checkOpen, watch } from './checks/index.ts';
import { clientsMax, type Reply, startClients } from './clients.ts';
import type { Base } from './database.ts';
import { letThingsHappen } from './faults.ts';
import type { Code } from './process.ts';
import { newWorld, type World } from './world.ts';

const day = 86_400_000;
const realTimeout = globalThis.setTimeout;
const noTimer = (() => undefined) as unknown as typeof setTimeout;
/** After this time without faults no request to a provider has an unknown outcome. A provider gets requests up to ten
 * minutes late, and an outcome that is unknown is asked for every ten minutes at least. */
const settledWithin = 25 * 60_000;
/** A subscription whose charge has no outcome is looked at every 150 seconds. */
const eventsMax = 1_000_000;
/** How long a history goes on after its last fault and its last client: until authorisations and callbacks have expired,
 * and one in four until monthly schedules are due. */
const restDays = { short: 9, long: 40 };

export type Outcome = {
  violations: string[];
  trace: World['trace'];
  /** The faults that happened. */
  met: string[];
  events: number;
  payments: number;
};

export type Setting = {
  code: Code;
  base: Base;
  sealed: Sealed;
  clean: (isFirst: boolean) => Promise<void>;
  realNow: () => number;
};

/** Starts a world; its processes are kept for all of its histories, as in a service that runs for weeks. */
export async function startSeries(setting: Setting, seed: number) {
  const { base } = setting;
  const world = newWorld(setting, seed);
  const rounds = newRounds(world);
  const names = Array.from({ length: 2 + (seed % 2) }, (_, place) => `process ${place + 1}`);

  async function run(recipe: Recipe): Promise<Outcome> {
    // The database reads the time of this process, and its own timers are of no use.
    Date.now = () => Math.floor(world.scheduler.now());
    globalThis.setTimeout = noTimer;
    try {
      await setting.clean(world.nodes.length === 0);
      await base.run('select setseed($1)', [(recipe.seed % 1000) / 1000]);
      await world.beginHistory(recipe);
      rounds.begin();
      const replies: Reply[] = [];
      watch(world, replies);
      const events = await play(() => live(replies));
      const { payments } = await checkHistory(world, replies);
      const { trace, violations, chance } = world;
      return { violations, trace, met: chance.met, events, payments };
    } finally {
      globalThis.setTimeout = realTimeout;
      Date.now = setting.realNow;
    }
  }

  async function live(replies: Reply[]) {
    for (const name of names) if (!world.nodes.some((node) => node.name === name)) await world.start(name);
    // Most histories have one client: a fault is found in the shortest histories first.
    const count = 1 + Math.floor(world.chance.draws('clients')() ** 4 * clientsMax);
    await Promise.all([startClients(world, replies, count), letThingsHappen(world)]);
    world.chance.calm();
    await world.sleep(settledWithin);
    await checkOpen(world);
  }

  /** Lets events happen until `work` is done and everything has come to rest; returns their number. */
  async function play(work: () => Promise<void>): Promise<number> {
    const { scheduler, chance } = world;
    const rest = day * (chance.draws('rest')() < 0.25 ? restDays.long : restDays.short);
    let restUntil = Number.POSITIVE_INFINITY;
    let failure: unknown;
    work()
      .catch((thrown) => {
        failure = thrown;
      })
      .finally(() => {
        restUntil = scheduler.now() + rest;
      });
    await settle(base);
    for (let events = 0; ; events += 1) {
      const next = scheduler.next();
      if (next === null || next > scheduler.now() + 50) await rounds.plan();
      const at = scheduler.next();
      if (failure) throw failure;
      if (at === null || at > restUntil) {
        scheduler.jump(restUntil === Number.POSITIVE_INFINITY ? 0 : restUntil);
        return events;
      }
      if (events > eventsMax) {
        world.report('the history does not end');
        return events;
      }
      if (!scheduler.step()) continue;
      await settle(base);
      for (const check of world.afterStep) check();
    }
  }

  return { run };
}

/** Waits until everything that runs waits for the scheduler. */
async function settle(base: Base) {
  do await new Promise((go) => setImmediate(go));
  while (base.busy > 0);
}

/** The tables whose due rows the jobs process. */
const dueTables = {
  transactions: 'transactions',
  notifications: 'provider_notifications',
  unresolved: 'unresolved',
  schedules: 'subscriptions',
  callbacks: 'callbacks',
};
type Job = keyof typeof dueTables;
/** A loop looks for due rows every 0.3 seconds. */
const looksWithin = 300;
const jobs = Object.keys(dueTables) as Job[];

/**
 * Runs the jobs of the processes when rows are due. In a running process a loop looks for due rows all the time, which
 * would be most of a history; here a round is planned for the moment at which the first row is due, and a little later.
 */
function newRounds(world: World) {
  const { base, scheduler, chance } = world;
  const planned = new Map<Job, { at: number; cancel: () => void }>();
  const idle = new Map<Job, number>();
  /** The first due time of each job's table, and the number of writes to it before it was read. */
  const first = new Map<Job, { writes: number | undefined; due: number | null }>();
  const stale = new Set<Job>();
  const forget = () => {
    for (const job of jobs) stale.add(job);
    idle.clear();
  };
  world.changed.push(forget);

  async function readFirst(job: Job): Promise<number | null> {
    const writes = base.writes.get(dueTables[job]);
    const known = first.get(job);
    if (known && known.writes === writes) return known.due;
    const [row] = await base.rows<{ due: string | null }>(
      `select (extract(epoch from min(due_at)) * 1000)::bigint as due from ${dueTables[job]}`,
    );
    const due = row?.due ? Number(row.due) : null;
    first.set(job, { writes, due });
    stale.add(job);
    return due;
  }

  async function round(job: Job) {
    planned.delete(job);
    const up = world.nodes.filter(({ service }) => service !== null);
    const draw = chance.draws('rounds');
    // Usually one process finds the rows first; at times all look at the same moment.
    const looking = draw() < 0.3 ? up : up.slice(Math.floor(draw() * up.length)).slice(0, 1);
    for (const { owner, service } of looking) {
      scheduler.after(draw() * 20, owner, `${job} round`, async () => {
        const count = await service?.jobs[job](service.now());
        idle.set(job, count ? 0 : Math.min(job === 'schedules' ? 12 : 7, (idle.get(job) ?? 0) + 1));
        stale.add(job);
      });
    }
  }

  return {
    begin() {
      for (const { cancel } of planned.values()) cancel();
      planned.clear();
      first.clear();
      forget();
    },
    async plan() {
      // A process whose clock is ahead looks for due rows early.
      const ahead = Math.max(0, ...world.up().map(({ owner }) => owner.skew));
      for (const job of jobs) {
        const due = await readFirst(job);
        if (!stale.delete(job)) continue;
        const known = planned.get(job);
        // A round that found nothing (a process was down, or its clock is wrong) is repeated later and later.
        const wait = idle.get(job) ? 300 * 2 ** (idle.get(job) ?? 0) : 0;
        const from = due === null ? Number.POSITIVE_INFINITY : Math.max(due - ahead, scheduler.now() + wait);
        if (known && known.at >= from && known.at <= from + looksWithin) continue;
        known?.cancel();
        planned.delete(job);
        if (due === null) continue;
        const at = from + chance.draws('rounds')() * looksWithin;
        const cancel = scheduler.after(at - scheduler.now(), null, `${job} due`, () => void round(job));
        planned.set(job, { at, cancel });
      }
    },
  };
}
