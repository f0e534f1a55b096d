// The world of a history: processes of the service over one database, two providers, a merchant's server and its
// receiver of callbacks. Everything in it waits for the scheduler.
import type { Movement } from '../chaos/provider-model.ts';
import { random } from '../chaos/seeded-random.ts';
import { newAccounts, type Sealed } from './accounts.ts';
import { type Chance, newChance, type Recipe } from './chance.ts';
import { type Cluster, newCluster } from './cluster.ts';
import type { Base } from './database.ts';
import type { Answered, Sent } from './network.ts';
import type { MerchantSchedule } from './plan.ts';
import type { Code } from './process.ts';
import { type Provider, startProvider } from './provider.ts';
import { type Arrival, callbackOf, newReceiver } from './receiver.ts';
import { newScheduler, type Scheduler } from './scheduler.ts';
import { origins, serviceOrigin, shopOrigin } from './settings.ts';

/** The records of a history. */
type Records = {
  providers: Provider[];
  trace: [at: number, who: string, what: string][];
  /** The callbacks that were sent, and those that the merchant's server has accepted. */
  tries: Arrival[];
  arrivals: Arrival[];
  logs: string[];
  /** The captures, refunds and voids that the merchant's server has asked for. */
  asked: { order: string; action: string }[];
  /** The schedules that the merchant has made. */
  schedules: MerchantSchedule[];
  /** When no process ran. */
  downtimes: { from: number; to: number }[];
  violations: string[];
  /** Called with every movement at a provider. */
  moved: ((line: Movement) => void)[];
  /** Called after every event. */
  afterStep: (() => void)[];
};

/** A world, its processes, and the records of its current history. */
export type World = Records &
  Cluster & {
    seed: number;
    chance: Chance;
    scheduler: Scheduler;
    base: Base;
    /** Begins the history of a recipe; the processes go on. */
    beginHistory: (recipe: Recipe) => Promise<void>;
    note: (who: string, what: string) => void;
    report: (violation: string) => void;
    sleep: (milliseconds: number) => Promise<void>;
    /** Sends a request to any process that is up; null if no answer came in time. */
    send: (who: string, sent: Sent, patienceMilliseconds?: number) => Promise<Answered | null>;
    moveAccount: () => Promise<void>;
    editSettings: () => Promise<void>;
  };

const noRecords = (): Records => ({
  ...{
    providers: [],
    trace: [],
    tries: [],
    arrivals: [],
    logs: [],
    asked: [],
    schedules: [],
    downtimes: [],
    violations: [],
    moved: [],
    afterStep: [],
  },
});

const start = Date.UTC(2026, 2, 2, 10);

/** Builds a world over a database and the bundled service. Its processes are used by all of its histories. */
export function newWorld({ code, base, sealed }: { code: Code; base: Base; sealed: Sealed }, seed: number): World {
  const chance = newChance();
  chance.begin({ seed });
  const scheduler = newScheduler(start + Math.floor(chance.draws('start')() * 86_400_000 * 28));
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => scheduler.after(milliseconds, null, 'wakes', wake));
  let began = scheduler.now();

  const note = (who: string, what: string) => void world.trace.push([scheduler.now() - began, who, what]);
  const receive = newReceiver({ chance, note, onArrival: (arrival) => world.arrivals.push(arrival) });
  const network = {
    scheduler,
    chance,
    serverOf: (url: string) => {
      const provider = world.providers.find(({ origin }) => url.startsWith(origin));
      return provider?.serve ?? (url.startsWith(serviceOrigin) ? undefined : receive);
    },
    onRequest: (sent: Sent) => {
      if (sent.method === 'POST' && sent.url.startsWith(shopOrigin)) world.tries.push(callbackOf(sent));
    },
  };
  const onLog = (line: string) => world.logs.push(line);
  const cluster = newCluster({ code, base, chance, scheduler, network, note, onLog, draw: random(seed) });
  const accounts = newAccounts({ chance, note, run: cluster.edit }, sealed);
  const onMovement = (line: Movement) => {
    for (const listener of world.moved) listener(line);
  };

  const world: World = {
    ...{ seed: 0, chance, scheduler, base },
    ...noRecords(),
    ...cluster,
    async beginHistory(recipe) {
      chance.begin(recipe);
      began = scheduler.now();
      Object.assign(world, noRecords(), { seed: recipe.seed });
      const surroundings = { chance, scheduler, note, onMovement, send: cluster.send };
      world.providers = origins.map((origin) => startProvider(surroundings, origin));
      await accounts.begin();
    },
    note,
    report: (violation) => void world.violations.push(violation),
    sleep,
    moveAccount: accounts.move,
    editSettings: accounts.edit,
  };
  return world;
}
