// A simulated process: the bundled service, evaluated once more with its own memory, whose time, randomness, database,
// network and log are the simulation's. Killing it drops its memory: nothing that it waits for ever happens.
import realCrypto from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import type { Plugin } from 'esbuild';
import { root } from '../../scripts/project.ts';
import { filesOf, type Mutation, mutated } from './mutations/index.ts';
import type { Draw, Owner, Scheduler } from './scheduler.ts';

const requireHere = createRequire(join(root, 'package.json'));
const uuid = requireHere('uuid') as typeof import('uuid');

/** The code of a service, ready to be evaluated. */
export type Code = ReturnType<typeof vm.compileFunction>;

const parameters = [
  ...['require', 'module', 'exports', 'globalThis', 'process', 'Date', 'Math', 'performance', 'AbortSignal'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'crypto'],
];

/** Bundles the service, with a planted fault if one is given. */
export async function compileService(mutation?: Mutation): Promise<Code> {
  const { outputFiles } = await bundleService(mutation ? [plant(mutation)] : []);
  return vm.compileFunction(outputFiles[0]?.text ?? '', parameters, {
    filename: 'service.js',
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** The rooms that decide what moves and what is said about it, without pages, documentation, sign-in and operations. */
const moneyPath =
  /^lib\/(callbacks|connectors|db|http|jobs|merchants|payments|protocols|recurring|request-log|risk|routing|schedules|vault|dashboard\/(payments\/actions|unresolved))\b/;

/** A digest of the money path's modules, of those of lib/core that they use, and of the migrations, whose triggers post
 * the ledger: runs over equal ones add up. */
export async function digestOfService(): Promise<string> {
  const { metafile } = await bundleService([]);
  const modules = Object.keys(metafile.inputs).filter((path) => moneyPath.test(path));
  for (const path of modules) {
    for (const { path: used } of metafile.inputs[path]?.imports ?? [])
      if (used.startsWith('lib/core/') && !modules.includes(used)) modules.push(used);
  }
  const migrations = globSync('prisma/migrations/*/migration.sql', { cwd: root });
  const hash = realCrypto.createHash('sha256');
  for (const path of [...modules, ...migrations].sort())
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 12);
}

async function bundleService(plugins: Plugin[]) {
  const { build } = await import('esbuild');
  return build({
    absWorkingDir: root,
    entryPoints: [join(import.meta.dirname, 'service.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    packages: 'external',
    jsx: 'automatic',
    plugins,
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.url': JSON.stringify(`file://${root}/lib/server/server.ts`),
      'import.meta.dirname': JSON.stringify(`${root}/lib/server`),
    },
    logLevel: 'error',
  });
}

const packages = new Map<string, unknown>();

/** A package as this process has it: it keeps nothing of the simulated ones. */
function loaded(name: string): unknown {
  if (!packages.has(name)) packages.set(name, requireHere(name));
  return packages.get(name);
}

/** Puts a mutation into the bundle. */
const plant = (mutation: Mutation): Plugin => ({
  name: 'mutation',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = filesOf(mutation).find((each) => path === join(root, each));
      if (!file) return undefined;
      return { contents: mutated(file, readFileSync(path, 'utf8'), mutation), loader: 'ts' };
    });
  },
});

/** What the process reaches. */
export type Outside = {
  scheduler: Scheduler;
  draw: Draw;
  environment: Record<string, string>;
  /** The milliseconds until the current turn of the event loop ends. */
  turn: () => number;
  /** The replacements of packages: `pg` and `undici`. */
  modules: Record<string, unknown>;
  /** A line of the log. */
  onLog: (line: string) => void;
};

/** Evaluates the service; `owner` says when it is dead or paused, and `skew` how wrong its clock is, in milliseconds. */
export function startProcess<Service>(code: Code, owner: Owner & { skew: number }, outside: Outside): Service {
  const { scheduler, draw, modules, environment } = outside;
  const wall = () => Math.floor(scheduler.now() + owner.skew);
  const born = scheduler.now();
  const timers = timersOf(scheduler, owner);
  const bytes = (size: number) => {
    const filled = Buffer.alloc(size);
    for (let at = 0; at < size; at += 1) filled[at] = Math.floor(draw() * 256);
    return filled;
  };
  const newUuid = () => uuid.v4({ random: bytes(16) });
  const own: Record<string, unknown> = {
    'node:crypto': { ...realCrypto, randomBytes: bytes, randomUUID: newUuid, randomInt: intOf(draw) },
    'node:timers/promises': { setTimeout: timers.pause, setImmediate: (value: unknown) => timers.pause(0, value) },
    'node:cluster': { default: { isWorker: false, isPrimary: true }, isWorker: false, isPrimary: true },
    // Its default metrics would watch this whole process, and keep the simulated one for ever.
    'prom-client': { ...requireHere('prom-client'), collectDefaultMetrics: () => {} },
    uuid: { ...uuid, v4: newUuid, v7: () => uuid.v7({ msecs: wall(), random: bytes(16) }) },
    ...modules,
  };
  const load = (name: string) => own[name] ?? loaded(name);
  const fakeProcess = Object.create(process, {
    env: { value: environment },
    stdout: { value: { write: (line: string) => outside.onLog(line) } },
  });
  const module = { exports: {} as Service };
  code(
    ...[load, module, module.exports, {}, fakeProcess, dateOf(wall)],
    Object.create(Math, { random: { value: draw } }),
    { now: () => scheduler.now() - born, timeOrigin: born },
    abortSignalOf(timers.set),
    ...[timers.set, timers.clear, timers.every, timers.clear, (run: () => void) => timers.set(run, outside.turn())],
    { ...webCrypto(), randomUUID: newUuid },
  );
  return module.exports;
}

const webCrypto = () => ({ subtle: realCrypto.webcrypto.subtle });

const intOf = (draw: Draw) => (least: number, most?: number) =>
  most === undefined ? Math.floor(draw() * least) : least + Math.floor(draw() * (most - least));

/** The class Date with another current time; its objects are the platform's. */
function dateOf(now: () => number): DateConstructor {
  const Simulated = function (this: unknown, ...args: []) {
    if (!new.target) return new Date(now()).toString();
    return args.length === 0 ? new Date(now()) : new Date(...args);
  };
  Simulated.prototype = Date.prototype;
  return Object.assign(Simulated, { now, UTC: Date.UTC, parse: Date.parse }) as unknown as DateConstructor;
}

function timersOf(scheduler: Scheduler, owner: Owner) {
  type Timer = { cancel: () => void; unref: () => Timer; ref: () => Timer; hasRef: () => boolean };
  const set = (run: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): Timer => {
    const timer: Timer = {
      cancel: scheduler.after(Math.max(1, milliseconds), owner, 'timer', () => run(...args)),
      unref: () => timer,
      ref: () => timer,
      hasRef: () => true,
    };
    return timer;
  };
  const every = (run: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): Timer => {
    const again = () => {
      timer.cancel = scheduler.after(Math.max(1, milliseconds), owner, 'timer', () => {
        again();
        run(...args);
      });
    };
    const timer: Timer = { cancel: () => {}, unref: () => timer, ref: () => timer, hasRef: () => true };
    again();
    return timer;
  };
  const clear = (timer?: Timer | null) => timer?.cancel();
  const pause = (milliseconds = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((done, fail) => {
      if (signal?.aborted) return fail(signal.reason);
      const timer = set(() => done(value), milliseconds);
      signal?.addEventListener('abort', () => {
        timer.cancel();
        fail(signal.reason);
      });
    });
  return { set, every, clear, pause };
}

function abortSignalOf(set: (run: () => void, milliseconds: number) => unknown) {
  return {
    timeout(milliseconds: number): AbortSignal {
      const aborting = new AbortController();
      set(() => aborting.abort(new DOMException('The operation timed out.', 'TimeoutError')), milliseconds);
      return aborting.signal;
    },
    any: (signals: AbortSignal[]) => AbortSignal.any(signals),
    abort: (reason?: unknown) => AbortSignal.abort(reason),
  };
}
