// The world of a history: processes of the service over one database, two providers, the merchants' servers and their
// receivers of callbacks. Everything in it waits for the scheduler.
import type { Movement } from '../chaos/provider-model.ts';
import { random } from '../chaos/seeded-random.ts';
import { newAccounts, type Sealed } from './accounts.ts';
import { type Chance, newChance, type Recipe } from './chance.ts';
import { type Cluster, newCluster } from './cluster.ts';
import type { Base, Raw } from './database.ts';
import { firstMerchant, type Merchant, merchants, secondMerchant } from './merchants.ts';
import type { Answered, Sent } from './network.ts';
import type { MerchantSchedule } from './plan.ts';
import type { Code } from './process.ts';
import { type Provider, startProvider } from './provider.ts';
import { type Arrival, callbackOf, newReceiver } from './receiver.ts';
import type { Asked, Belonging, Body, Fields, Question, Resent, UserDecision } from './requests.ts';
import { newScheduler, type Scheduler } from './scheduler.ts';
import { origins, serviceOrigin } from './settings.ts';

/** The records of a history. */
type Records = {
  /** Those that take part. */
  merchants: Merchant[];
  providers: Provider[];
  trace: [at: number, who: string, what: string][];
  /** The callbacks that were sent, and those that the merchant's server has accepted. */
  tries: Arrival[];
  arrivals: Arrival[];
  /** When the result of a try was recorded. */
  recordedTries: { callback: string; at: number }[];
  /** When the last fault of a process ended; infinite until then. */
  calmSince: number;
  logs: string[];
  /** The numbers of the cards that were used. */
  cards: Set<string>;
  /** The responses to merchants' servers, to payers and to providers, by client. */
  answers: { who: string; text: string }[];
  /** What the merchant's server has asked for. */
  asked: Asked[];
  /** Questions about the payments, asked at the end. */
  questions: Question[];
  /** What the merchants have, for requests of the other one. */
  belongings: Belonging[];
  /** What users of the dashboard have decided, and the callbacks that they have sent again. */
  decisions: UserDecision[];
  resent: Resent[];
  /** The schedules that the merchant has made. */
  schedules: MerchantSchedule[];
  /** When the first merchant began to use its second key, and when the first one ended. */
  rotation: { from: number; ended: number };
  /** When accounts were disabled. */
  disabled: { account: string; from: number; to: number }[];
  /** When no process ran. */
  downtimes: { from: number; to: number }[];
  violations: string[];
  /** Called with every movement at a provider. */
  moved: ((line: Movement) => void)[];
  /** Called with every statement of a process, by name; what they return is called with the result. */
  statements: ((name: string, values: unknown[]) => ((result: Raw) => void) | undefined)[];
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
    /** A merchant with the key that it uses now. */
    withKey: (merchant: Merchant) => Merchant;
    note: (who: string, what: string) => void;
    report: (violation: string) => void;
    sleep: (milliseconds: number) => Promise<void>;
    /** Sends a request to any process that is up; null if no answer came in time. */
    send: (who: string, sent: Sent, patienceMilliseconds?: number) => Promise<Answered | null>;
    /** Asks for the status of a payment over a protocol; null if there was no answer. */
    query: (merchant: Merchant, protocol: Asked['protocol'], fields: Fields) => Promise<Body>;
    moveAccount: () => Promise<void>;
    editSettings: () => Promise<void>;
  };

const noRecords = (): Records => ({
  ...{
    merchants: [],
    providers: [],
    trace: [],
    tries: [],
    arrivals: [],
    recordedTries: [],
    calmSince: Number.POSITIVE_INFINITY,
    logs: [],
    cards: new Set(),
    answers: [],
    asked: [],
    questions: [],
    belongings: [],
    decisions: [],
    resent: [],
    schedules: [],
    rotation: { from: Number.POSITIVE_INFINITY, ended: Number.POSITIVE_INFINITY },
    disabled: [],
    downtimes: [],
    violations: [],
    moved: [],
    statements: [],
    afterStep: [],
  },
});

const start = Date.UTC(2026, 2, 2, 10);

/** A request for the status of a payment. */
function queryOf(protocol: Asked['protocol'], fields: Fields): Sent {
  const isCheckout = protocol === 'checkout';
  const url = serviceOrigin + (isCheckout ? '/api/v1/payment/status' : `/s2s/${protocol}/post`);
  const type = isCheckout ? 'application/json' : 'application/x-www-form-urlencoded';
  const body = isCheckout ? JSON.stringify(fields) : new URLSearchParams(fields as Record<string, string>).toString();
  return { method: 'POST', url, headers: { 'content-type': type }, body };
}

/** Builds a world over a database and the bundled service. Its processes are used by all of its histories. */
export function newWorld({ code, base, sealed }: { code: Code; base: Base; sealed: Sealed }, seed: number): World {
  const chance = newChance();
  chance.begin({ seed });
  const scheduler = newScheduler(start + Math.floor(chance.draws('start')() * 86_400_000 * 28));
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => scheduler.after(milliseconds, null, 'wakes', wake));
  let began = scheduler.now();

  const report = (violation: string) => void world.violations.push(violation);
  const note = (who: string, what: string) => void world.trace.push([scheduler.now() - began, who, what]);
  const receive = newReceiver({
    chance,
    now: scheduler.now,
    note,
    report,
    records: () => world,
    onArrival: (arrival) => world.arrivals.push(arrival),
  });
  const network = {
    scheduler,
    chance,
    serverOf: (url: string) => {
      const provider = world.providers.find(({ origin }) => url.startsWith(origin));
      return provider?.serve ?? (url.startsWith(serviceOrigin) ? undefined : receive);
    },
    onRequest: (sent: Sent) => {
      if (sent.method === 'POST' && merchants.some(({ shopOrigin }) => sent.url.startsWith(shopOrigin)))
        world.tries.push(callbackOf(sent, scheduler.now()));
    },
  };
  const onLog = (line: string) => world.logs.push(line);
  const onStatement = (name: string, values: unknown[]) => {
    const listeners = world.statements.flatMap((listen) => listen(name, values) ?? []);
    return (result: Raw) => {
      for (const listen of listeners) listen(result);
    };
  };
  const parts = { code, base, chance, scheduler, network, note, onStatement, onLog, draw: random(seed) };
  const cluster = newCluster(parts);
  function onEdit(account: string, isEnabled: boolean) {
    const open = world.disabled.find((each) => each.account === account && each.to === Number.POSITIVE_INFINITY);
    if (isEnabled && open) open.to = scheduler.now();
    if (!isEnabled && !open) world.disabled.push({ account, from: scheduler.now(), to: Number.POSITIVE_INFINITY });
  }
  const accounts = newAccounts({ chance, note, run: cluster.edit, onEdit }, sealed);
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
      const present = merchants.filter((each) => each !== secondMerchant || chance.joins('merchant 2'));
      Object.assign(world, noRecords(), { seed: recipe.seed, merchants: present });
      const surroundings = { chance, scheduler, note, report, onMovement, send: cluster.send };
      world.providers = origins.map((origin) => startProvider(surroundings, origin));
      await accounts.begin(present);
    },
    async send(who, sent, patience) {
      for (const [number] of sent.body.matchAll(/\b4\d{15}\b/g)) world.cards.add(number);
      const answer = await cluster.send(who, sent, patience);
      if (answer) world.answers.push({ who, text: `${JSON.stringify(answer.headers)} ${answer.body}` });
      return answer;
    },
    withKey: (merchant) =>
      merchant === firstMerchant && scheduler.now() >= world.rotation.from ? firstMerchant.rotated : merchant,
    note,
    report,
    sleep,
    async query(merchant, protocol, fields) {
      const answer = await world.send(merchant.name, queryOf(protocol, fields));
      return answer && JSON.parse(answer.body);
    },
    moveAccount: accounts.move,
    editSettings: accounts.edit,
  };
  return world;
}
