// The shortest form of a history that breaks a rule: parties, kinds of faults and single faults are left out as long as
// the same rule is still broken.
import { faults, parties, type Recipe } from './chance.ts';
import { clientsMax } from './clients.ts';
import { type Outcome, type Setting, startSeries } from './history.ts';

/** A history, and how many histories its processes have served before it. */
export type Place = Recipe & { before: number };

/** The shortest form that was found, with its outcome. */
export type Shrunk = { place: Place; outcome: Outcome };

/** Runs a history after those that precede it in its series. */
export async function replay({ before, ...recipe }: Place, setting: Setting): Promise<Outcome> {
  const { seed: last, rates } = recipe;
  const series = await startSeries(setting, last - before);
  for (let seed = last - before; seed < last; seed += 1) await series.run({ seed, ...(rates && { rates }) });
  return series.run(recipe);
}

/** What is broken, without ids, amounts and numbers. */
export const ruleOf = (violation: string): string =>
  violation.replace(/[0-9a-f-]{36}|(2:)?o-[\d-]+(\/[\d-]+)?|\d+/g, '#');

/** Shrinks a history that breaks a rule. Null if it cannot be repeated. */
export async function shrink(first: Place, setting: Setting): Promise<Shrunk | null> {
  const begun = await replay(first, setting);
  const [violation] = begun.violations;
  if (violation === undefined) return null;
  const rule = ruleOf(violation);
  let best: Shrunk = { place: first, outcome: begun };

  async function attempt(place: Place): Promise<boolean> {
    const outcome = await replay(place, setting);
    const isBroken = outcome.violations.some((text) => ruleOf(text) === rule);
    if (isBroken) best = { place, outcome };
    return isBroken;
  }

  /** Leaves out as many as possible: halves first, then smaller parts. */
  async function leaveOut(names: string[]) {
    let left = names;
    for (let size = Math.ceil(left.length / 2); left.length > 0; size = Math.ceil(size / 2)) {
      for (let at = 0; at < left.length; ) {
        const part = left.slice(at, at + size);
        if (await attempt({ ...best.place, without: [...(best.place.without ?? []), ...part] }))
          left = left.filter((name) => !part.includes(name));
        else at += size;
      }
      if (size <= 1) return;
    }
  }

  if (first.before > 0) await attempt({ ...first, before: 0 });
  const clients = Array.from({ length: clientsMax }, (_, place) => `client ${place + 1}`);
  await leaveOut([...parties, ...clients]);
  await leaveOut(faults.filter((fault) => best.outcome.met.some((name) => name.startsWith(`${fault}#`))));
  await leaveOut([...best.outcome.met].reverse());
  return best;
}
