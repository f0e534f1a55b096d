// A process that runs series of histories for simulate.ts and mutate.ts, one per core.
import { type Setting, startSeries } from './history.ts';
import { mutations } from './mutations/index.ts';
import { prepare } from './prepare.ts';
import { findUnrepeatable } from './repeat.ts';
import { describeFailure } from './report.ts';
import { type Place, shrink } from './shrink.ts';

/** Series of this many histories share their processes. */
export const seriesLength = 25;

/** What the parent asks for: histories from a seed on, the shortest form of one, or the same series twice. */
export type Task =
  | { from: number; count: number; mutation?: string; untilFound?: boolean }
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

async function runSeries(setting: Setting, from: number, count: number, untilFound: boolean): Promise<Done> {
  const done: Done = { histories: 0, payments: 0, events: 0, met: {}, failures: [] };
  const series = await startSeries(setting, from);
  for (let before = 0; before < count; before += 1) {
    const place = { seed: from + before, before };
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

let prepared: { mutation: string | undefined; setting: Promise<Setting> } | undefined;

/** The setting of a mutation; the one before it is forgotten. */
function settingFor(name: string | undefined): Promise<Setting> {
  if (!prepared || prepared.mutation !== name)
    prepared = { mutation: name, setting: prepare(mutations.find((each) => each.name === name)) };
  return prepared.setting;
}

async function perform(task: Task): Promise<Done> {
  if ('shrink' in task) {
    const shrunk = await shrink(task.shrink, await settingFor(undefined));
    const text = shrunk ? describeFailure(shrunk) : `seed ${task.shrink.seed} could not be repeated`;
    return { histories: 0, payments: 0, events: 0, met: {}, failures: [], text };
  }
  if ('repeat' in task) {
    const seeds = await findUnrepeatable(await settingFor(undefined), task.repeat);
    const failures = seeds.map((seed) => ({ place: { seed, before: seed - 1 }, violation: 'differs when repeated' }));
    return { histories: 2 * task.repeat + 1, payments: 0, events: 0, met: {}, failures };
  }
  const { from, count, mutation, untilFound = false } = task;
  return runSeries(await settingFor(mutation), from, count, untilFound);
}

if (process.send)
  process.on('message', async (task: Task) => {
    process.send?.(await perform(task));
  });
process.on('disconnect', () => process.exit(0));
