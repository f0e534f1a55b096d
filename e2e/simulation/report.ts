// How a history is shown: who did what, when, in which process.
import { type Fault, faults, type Party, parties, type Rates } from './chance.ts';
import type { Outcome } from './history.ts';
import type { Place, Shrunk } from './shrink.ts';

/** The command that repeats a history. */
export function commandOf({ seed, before, without = [], rates = {} }: Place): string {
  const left = without.length > 0 ? ` --without '${without.join(', ')}'` : '';
  const raised = Object.keys(rates).length > 0 ? ` --rates '${textOfRates(rates)}'` : '';
  return `npm run chaos -- simulate --seed ${seed}${before > 0 ? ` --before ${before}` : ''} --trace on${left}${raised}`;
}

/** Rates as in the option `--rates`: `answer slow=0.4, void refused=1`. */
const textOfRates = (rates: Rates) =>
  Object.entries(rates)
    .map(([fault, rate]) => `${fault}=${rate}`)
    .join(', ');

/** The rates of an option `--rates`; throws for the name of no fault and no party. */
export function ratesOf(text: string | undefined): Rates {
  if (text === undefined) return {};
  const entries = text.split(',').map((each) => each.split('=').map((part) => part.trim()));
  for (const [name] of entries)
    if (!faults.includes(name as Fault) && !parties.includes(name as Party))
      throw new Error(`There is no fault "${name}".`);
  return Object.fromEntries(entries.map(([name, rate]) => [name, Number(rate)]));
}

/** The lines of a trace. Reads of settings and clocks are left out. */
export function linesOf({ trace }: Outcome): string[] {
  return trace
    .filter(([, , what]) => !/^sql (SELECT|clock|data-key|requests-insert)/.test(what))
    .map(([at, who, what]) => `${timeOf(at)}  ${who.padEnd(24)} ${what}`);
}

function timeOf(milliseconds: number): string {
  const days = Math.floor(milliseconds / 86_400_000);
  const time = new Date(milliseconds % 86_400_000).toISOString().slice(11, 23);
  return `${days > 0 ? `${days} d ` : ''}${time}`.padStart(18);
}

/** A failing history in its shortest form. */
export function describeFailure({ place, outcome }: Shrunk): string {
  const { violations } = outcome;
  return [
    `seed ${place.seed}: ${violations[0]}`,
    ...violations.slice(1),
    `  ${commandOf(place)}`,
    ...linesOf(outcome),
  ].join('\n');
}
