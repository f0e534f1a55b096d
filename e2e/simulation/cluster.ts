// The processes of the service in a history: started, killed, cut off from the network and the database, and asked by the
// merchant's server and the payers.
import type { Draw } from '../chaos/seeded-random.ts';
import type { Chance } from './chance.ts';
import { type Base, type Lock, pgOf, type Raw, releaseOf, type Wire } from './database.ts';
import { type Answered, type Network, type Sent, undiciOf } from './network.ts';
import { type Code, startProcess } from './process.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import { environment } from './settings.ts';

export type Service = typeof import('./service.ts');

/** A simulated process. `service` is null while it is down. */
export type Node = {
  name: string;
  owner: Owner & { skew: number };
  service: Service | null;
  cutOffUntil: number;
  /** Resolved when it is killed. */
  killed: PromiseWithResolvers<void>;
};

/** The processes of a world. */
export type Cluster = {
  nodes: Node[];
  /** Those that run. */
  up: () => Node[];
  /** Called when a process has started or was killed, wakes, or has another clock. */
  changed: (() => void)[];
  /** Starts a process, or starts it again. */
  start: (name: string) => Promise<void>;
  kill: (node: Node) => Promise<void>;
  /** Sets how wrong a process's clock is, in milliseconds. */
  setSkew: (node: Node, milliseconds: number) => void;
  /** Nothing of the process happens for that time. */
  pause: (node: Node, milliseconds: number) => Promise<void>;
  /** Compares the process's clock with the database's, as a process does every five seconds. */
  compareClock: (node: Node) => Promise<void>;
  /** Every connection to the database breaks; what was committed is kept. */
  failOver: (milliseconds: number) => void;
  /** Runs a statement of the dashboard's between those of the processes. */
  edit: (text: string, values?: unknown[]) => Promise<Raw>;
  /** Sends a request to any process that is up; null if no answer came in time. */
  send: (who: string, sent: Sent, patienceMilliseconds?: number) => Promise<Answered | null>;
};

type Setting = {
  code: Code;
  base: Base;
  chance: Chance;
  scheduler: Scheduler;
  network: Omit<Network, 'isCutOff'>;
  note: (who: string, what: string) => void;
  /** Called with the name and the values of every statement; what it returns is called with the result. */
  onStatement: (name: string, values: unknown[]) => ((result: Raw) => void) | undefined;
  onLog: (line: string) => void;
  /** The randomness of the processes. */
  draw: Draw;
};

const clientAddress = '203.0.113.9';

/** The processes over a database; none is started. */
export function newCluster(setting: Setting): Cluster {
  const { code, base, chance, scheduler, note, onLog, draw } = setting;
  const nodes: Node[] = [];
  const changed: (() => void)[] = [];
  const isCutOff = (owner: Owner) => nodes.some((node) => node.owner === owner && node.cutOffUntil > scheduler.now());
  const change = () => {
    for (const listener of changed) listener();
  };
  const { wire, failOver } = newWire(setting, isCutOff);
  const network = { ...setting.network, isCutOff };

  // A process that is killed meanwhile never answers.
  const compareClock = ({ service, killed }: Node) =>
    Promise.race([service?.watchClock().then((stop) => stop()), killed.promise]);

  async function start(name: string) {
    const owner = { name, alive: true, pausedUntil: 0, skew: 0 };
    const killed = Promise.withResolvers<void>();
    const node: Node = nodes.find((each) => each.name === name) ?? {
      name,
      owner,
      service: null,
      cutOffUntil: 0,
      killed,
    };
    if (!nodes.includes(node)) nodes.push(node);
    const modules = { pg: pgOf(owner, wire), undici: undiciOf(owner, network) };
    const turn = () => (chance.happens('turn long') ? chance.between('turn', 0, 20_000) : 0);
    const service = startProcess<Service>(code, owner, { scheduler, draw, environment, turn, modules, onLog });
    Object.assign(node, { owner, cutOffUntil: 0, service, killed });
    await compareClock(node);
    note(name, 'is up');
    change();
  }

  async function kill(node: Node) {
    node.owner.alive = false;
    node.service = null;
    node.killed.resolve();
    await releaseOf(wire, node.owner);
    change();
  }

  function setSkew({ owner }: Node, milliseconds: number) {
    owner.skew = milliseconds;
    change();
  }

  function pause({ owner }: Node, milliseconds: number): Promise<void> {
    owner.pausedUntil = scheduler.now() + milliseconds;
    return new Promise((wake) => {
      scheduler.after(milliseconds, null, 'wakes', () => {
        change();
        wake();
      });
    });
  }

  async function edit(text: string, values?: unknown[]) {
    while (wire.lock.holder !== null) await new Promise<void>((go) => wire.lock.waiting.push(go));
    return base.run(text, values);
  }

  function send(who: string, sent: Sent, patience = 20_000): Promise<Answered | null> {
    const running = nodes.filter(({ service }) => service !== null);
    const node = running[Math.floor(chance.draws(`route ${who}`)() * running.length)];
    if (!node) return Promise.resolve(null);
    return new Promise((done) => {
      const { owner, service } = node;
      scheduler.after(patience, null, 'gives up', () => done(null));
      scheduler.after(chance.between('client', 1, 50), owner, `${who} asks`, async () => {
        const result = await service?.serve(requestOf(sent), clientAddress);
        if (!result) return done(null);
        const { status, headers, body } = result as { status: number; headers: Record<string, string>; body: unknown };
        scheduler.after(chance.between('client', 1, 50), owner, `${who} gets`, () =>
          done({ status, headers, body: String(body ?? '') }),
        );
      });
    });
  }

  const up = () => nodes.filter(({ service, owner }) => service !== null && owner.pausedUntil <= scheduler.now());
  return { nodes, up, changed, start, kill, setSkew, pause, compareClock, failOver, edit, send };
}

/** What the connections to the database meet. */
function newWire({ base, chance, scheduler, note, onStatement }: Setting, isCutOff: (owner: Owner) => boolean) {
  let failsOverUntil = 0;
  let epoch = 0;
  const lock: Lock = { holder: null, owner: null, waiting: [], stopIdle: () => {} };
  const breakAfter = () => (chance.happens('connection lost after') ? 'after' : null);
  const wire: Wire = {
    scheduler,
    run: base.run,
    names: base.names,
    lock,
    fate(owner) {
      const isLost = scheduler.now() < failsOverUntil || isCutOff(owner);
      const slow = chance.happens('statement slow');
      const breaks = isLost || chance.happens('connection lost before') ? 'before' : breakAfter();
      const there = slow ? chance.longWait('statement') : chance.between('statement', 0, 2);
      return { there, back: chance.between('statement', 0, 2), breaks, epoch };
    },
    isLost: (since) => since !== epoch,
    onStatement(owner, text, values) {
      note(owner.name, `sql ${base.nameOf(text)}`);
      return onStatement(base.nameOf(text), values);
    },
  };
  function failOver(milliseconds: number) {
    epoch += 1;
    failsOverUntil = scheduler.now() + milliseconds;
  }
  return { wire, failOver };
}

/** What a handler reads of a request. */
function requestOf({ method, url, headers, body }: Sent): Request {
  const bytes = Buffer.from(body);
  const all = new Headers({ ...headers, ...(body === '' ? {} : { 'content-length': String(bytes.length) }) });
  const read = { bytes: async () => bytes, text: async () => body };
  return { method, url, headers: all, ...read } as unknown as Request;
}
