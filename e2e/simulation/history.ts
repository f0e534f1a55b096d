// One history: clients are served while faults happen, then everything comes to rest and the records are compared.
import type { Sealed } from './accounts.ts';
import type { Recipe } from './chance.ts';
import { checkHistory, checkOpen, checkStates, newOverdueCheck, settledWithin, watch } from './checks/index.ts';
import { startClients } from './clients.ts';
import type { Base } from './database.ts';
import { letThingsHappen } from './faults.ts';
import type { Code } from './process.ts';
import { newRounds } from './rounds.ts';
import { startStaff } from './staff.ts';
import { newWorld, type World } from './world.ts';

const day = 86_400_000;
const realTimeout = globalThis.setTimeout;
const noTimer = (() => undefined) as unknown as typeof setTimeout;
/** When open rows are looked for in the rest of a history: soon after the payers' time limits, and later. */
const checkedAfter = [1.5, 8, 30, 80, 160].map((hours) => hours * 3_600_000);
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
  /** The end of the faults. */
  let calmAt = Number.POSITIVE_INFINITY;
  const names = Array.from({ length: 2 + (seed % 2) }, (_, place) => `process ${place + 1}`);

  async function run(recipe: Recipe): Promise<Outcome> {
    calmAt = Number.POSITIVE_INFINITY;
    // The database reads the time of this process, and its own timers are of no use.
    Date.now = () => Math.floor(world.scheduler.now());
    globalThis.setTimeout = noTimer;
    try {
      await setting.clean(world.nodes.length === 0);
      await base.run('select setseed($1)', [(recipe.seed % 1000) / 1000]);
      await world.beginHistory(recipe);
      rounds.begin(newOverdueCheck(world, () => calmAt));
      watch(world);
      const events = await play(live);
      await checkOpen(world, calmAt);
      const { payments } = await checkHistory(world);
      const { trace, violations, chance } = world;
      return { violations, trace, met: chance.met, events, payments };
    } finally {
      globalThis.setTimeout = realTimeout;
      Date.now = setting.realNow;
    }
  }

  async function live() {
    for (const name of names) if (!world.nodes.some((node) => node.name === name)) await world.start(name);
    if (world.chance.joins('staff')) startStaff(world);
    await Promise.all([startClients(world), letThingsHappen(world)]);
    world.chance.calm();
    calmAt = world.scheduler.now();
    await world.sleep(settledWithin);
    const check = () => void checkOpen(world, calmAt);
    for (const delay of checkedAfter) world.scheduler.after(delay, null, 'open rows', check);
    await checkOpen(world, calmAt);
    await checkStates(world);
  }

  /** Lets events happen until `work` is done and everything has come to rest; returns their number. */
  async function play(work: () => Promise<void>): Promise<number> {
    const { scheduler, chance } = world;
    const rest = day * (chance.draws('rest')() < 0.25 ? restDays.long : restDays.short);
    let restUntil = Number.POSITIVE_INFINITY;
    let failure: unknown;
    const fail = (thrown: unknown) => {
      failure = thrown;
    };
    void work().then(() => {
      restUntil = scheduler.now() + rest;
    }, fail);
    await settle(base);
    for (let events = 0; ; events += 1) {
      const next = scheduler.next();
      if (next === null || next > scheduler.now() + 50) await rounds.plan();
      const at = scheduler.next();
      if (failure) throw failure;
      if (at === null && restUntil === Number.POSITIVE_INFINITY) {
        world.report('the history hangs: nothing waits, and its clients or faults have not ended');
        return events;
      }
      if (at === null || at > restUntil) {
        scheduler.jump(restUntil);
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
