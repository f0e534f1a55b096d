// A process that runs series of histories for simulate.ts and mutate.ts, one per core.
import type { Rates } from './chance.ts';
import { type Setting, startSeries } from './history.ts';
import { mutations } from './mutations/index.ts';
import { prepare } from './prepare.ts';
import { type Code, compileService } from './process.ts';
import { findUnrepeatable } from './repeat.ts';
import { describeFailure } from './report.ts';
import { type Place, shrink } from './shrink.ts';

/** Series of this many histories share their processes. */
export const seriesLength = 25;

/** What the parent asks for: histories from a seed on, the shortest form of one, or the same series twice. */
export type Task =
  | { from: number; count: number; rates?: Rates | undefined; mutation?: string; untilFound?: boolean }
  | { shrink: Place }
  | { repeat: number };
/** The end of a task. */
export type Done = {
  histories: number;
  payments: number;
  events: number;
  met: Record<string, number>;
  failures: { place: Place; violation: string }[];
  text?: string;
};

type Histories = Extract<Task, { from: number }>;

async function runSeries({ from, count, rates, mutation, untilFound = false }: Histories): Promise<Done> {
  const done: Done = { histories: 0, payments: 0, events: 0, met: {}, failures: [] };
  const series = await startSeries(await settingFor(mutation), from);
  for (let before = 0; before < count; before += 1) {
    const place = { seed: from + before, before, rates };
    const outcome = await series.run(place).catch((thrown: Error) => failed(thrown));
    done.histories += 1;
    done.payments += outcome.payments;
    done.events += outcome.events;
    for (const name of outcome.met) {
      const [fault = ''] = name.split('#');
      done.met[fault] = (done.met[fault] ?? 0) + 1;
    }
    const [violation] = outcome.violations;
    if (violation === undefined) continue;
    done.failures.push({ place, violation });
    if (untilFound) return done;
  }
  return done;
}

const failed = (thrown: Error) => ({ payments: 0, events: 0, met: [], violations: [thrown.stack ?? thrown.message] });

let prepared: Promise<Setting> | undefined;
let planted: { mutation: string; code: Promise<Code> } | undefined;

/** The setting of a mutation, or without one; the code of the mutation before it is forgotten. */
async function settingFor(name?: string): Promise<Setting> {
  prepared ??= prepare();
  if (name === undefined) return prepared;
  if (planted?.mutation !== name)
    planted = { mutation: name, code: compileService(mutations.find((each) => each.name === name)) };
  return { ...(await prepared), code: await planted.code };
}

async function perform(task: Task): Promise<Done> {
  if ('shrink' in task) {
    const shrunk = await shrink(task.shrink, await settingFor());
    const text = shrunk ? describeFailure(shrunk) : `seed ${task.shrink.seed} could not be repeated`;
    return { histories: 0, payments: 0, events: 0, met: {}, failures: [], text };
  }
  if ('repeat' in task) {
    const { seeds, digests } = await findUnrepeatable(await settingFor(), task.repeat);
    const failures = seeds.map((seed) => ({ place: { seed, before: seed - 1 }, violation: 'differs when repeated' }));
    return { histories: 2 * task.repeat + 1, payments: 0, events: 0, met: {}, failures, text: digests.join('\n') };
  }
  return runSeries(task);
}

if (process.send)
  process.on('message', async (task: Task) => {
    process.send?.(await perform(task));
  });
process.on('disconnect', () => process.exit(0));
