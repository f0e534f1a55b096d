// The shortest form of a history that breaks a rule: parties, kinds of faults and single faults are left out as long as
// the same rule is still broken.
import { faults, type Recipe } from './chance.ts';
import { clientsMax } from './clients.ts';
import { type Outcome, type Setting, startSeries } from './history.ts';

/** A history, and how many histories its processes have served before it. */
export type Place = Recipe & { before: number };

/** The shortest form that was found, with its outcome. */
export type Shrunk = { place: Place; outcome: Outcome };

/** Runs a history after those that precede it in its series. */
export async function replay({ before, ...recipe }: Place, setting: Setting): Promise<Outcome> {
  const series = await startSeries(setting, recipe.seed - before);
  for (let seed = recipe.seed - before; seed < recipe.seed; seed += 1) await series.run({ seed });
  return series.run(recipe);
}

/** What is broken, without ids, amounts and numbers. */
export const ruleOf = (violation: string): string => violation.replace(/[0-9a-f-]{36}|o-[\d-]+(\/[\d-]+)?|\d+/g, '#');

/** Shrinks a history that breaks a rule. Null if it cannot be repeated. */
export async function shrink(first: Place, setting: Setting): Promise<Shrunk | null> {
  const begun = await replay(first, setting);
  const [violation] = begun.violations;
  if (violation === undefined) return null;
  const rule = ruleOf(violation);
  let best: Shrunk = { place: first, outcome: begun };

  async function attempt(place: Place): Promise<void> {
    const outcome = await replay(place, setting);
    if (outcome.violations.some((text) => ruleOf(text) === rule)) best = { place, outcome };
  }

  const leaveOut = (name: string) => attempt({ ...best.place, without: [...(best.place.without ?? []), name] });
  if (first.before > 0) await attempt({ ...first, before: 0 });
  for (let client = 1; client <= clientsMax; client += 1) await leaveOut(`client ${client}`);
  const isMet = (fault: string) => best.outcome.met.some((name) => name.startsWith(`${fault}#`));
  for (const fault of faults) if (isMet(fault)) await leaveOut(fault);
  for (const name of [...best.outcome.met].reverse()) await leaveOut(name);
  return best;
}
