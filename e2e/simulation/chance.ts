// What happens by chance in a history. Every kind of fault has a stream of numbers of its own, so that a fault that is
// switched off or left out changes nothing about the others.
import { type Draw, random } from '../chaos/seeded-random.ts';

/** The faults, with their chance at each point where they can happen in an ordinary history. */
export const faultRates = {
  // Calls of a provider.
  'request lost': 0.03,
  'answer lost': 0.04,
  'connection refused': 0.02,
  'reset before the provider has it': 0.02,
  'reset after the provider has it': 0.04,
  'request late': 0.03,
  'request twice': 0.03,
  'answer slow': 0.05,
  'server error before': 0.02,
  'server error after': 0.03,
  'answer garbled': 0.02,
  'look-up finds nothing': 0.15,
  'look-up lags': 0.15,
  // What providers, banks and payers do.
  'portal action': 0.3,
  'settles after a decline': 0.1,
  'payer leaves': 0.3,
  'payer returns early': 0.1,
  'account moved': 0.04,
  'settings changed': 0.1,
  'account slow': 0.2,
  'declined softly': 0.3,
  'takes less': 0.02,
  'takes another currency': 0.02,
  'moves less': 0.03,
  'outcome reversed': 0.1,
  'bank relents': 0.6,
  'void refused': 0.3,
  'void takes time': 0.1,
  'notification lost': 0.2,
  'notification twice': 0.1,
  // Merchants' servers.
  'client gives up': 0.03,
  'receiver fails': 0.08,
  'receiver silent': 0.03,
  // Statements.
  'connection lost before': 0.004,
  'connection lost after': 0.004,
  'statement slow': 0.01,
  // Processes, once for every slot of ten seconds.
  'process killed': 0.05,
  'process paused': 0.06,
  'process cut off': 0.04,
  'clock off': 0.08,
  'database fails over': 0.03,
  'outage of days': 0.01,
  // The last, so that seeds keep their other faults: a callback that the merchant's server cannot process for hours, a
  // payment of which the provider takes the rest, and a turn of the event loop in which much waits for the database.
  'receiver refuses one': 0.05,
  'rest taken': 0.6,
  'turn long': 0.03,
} as const;

/** The parties that take part in some histories only, with their part of the histories. */
const partyRates = {
  'merchant 2': 0.12,
  staff: 0.12,
  limits: 0.12,
  debits: 0.12,
  rotation: 0.08,
  fields: 0.25,
} as const;

export type Party = keyof typeof partyRates;
export const parties = Object.keys(partyRates) as Party[];

export type Fault = keyof typeof faultRates;
export const faults = Object.keys(faultRates) as Fault[];

/** The chance of a fault at each point where it can happen, and of a party in each history. */
export type Rates = Partial<Record<Fault | Party, number>>;

/**
 * A history: its seed, and what is left out of it: kinds of faults, single faults (`kind#3`) and parties (`client 2`).
 * `rates` replace those that the seed gives to the faults.
 */
export type Recipe = { seed: number; without?: string[]; rates?: Rates };

export type Chance = ReturnType<typeof newChance>;

/** The chance of one history after the other. */
export function newChance() {
  let seed = 0;
  let left = new Set<string>();
  let wildness = 0;
  let rates: Rates = {};
  let isHappening = true;
  let on = new Map<Fault, boolean>();
  let joined = new Set<Party>();
  const streams = new Map<string, Draw>();
  const counts = new Map<Fault, number>();

  /** The numbers of one purpose. */
  function draws(purpose: string): Draw {
    let stream = streams.get(purpose);
    if (!stream) {
      stream = random(seed ^ hash(purpose));
      stream();
      streams.set(purpose, stream);
    }
    return stream;
  }

  const chance = {
    draws,
    /** A number from `least` up to `most`. */
    between: (purpose: string, least: number, most: number) => least + draws(purpose)() * (most - least),
    /** A long wait of up to ten minutes: half of them are under ten seconds, a third are over a minute. */
    longWait: (purpose: string) => draws(purpose)() ** 6 * 600_000,
    /** The faults that have happened in this history. */
    met: [] as string[],
    /** Whether the history has no faults. */
    isCalm: () => wildness === 0 && !faults.some((fault) => rates[fault]),
    /** Begins a history. */
    begin(recipe: Recipe) {
      seed = recipe.seed;
      left = new Set(recipe.without);
      streams.clear();
      counts.clear();
      chance.met = [];
      isHappening = true;
      const style = draws('style');
      // A fifth of the histories are calm; a wild one has up to three times the rates.
      wildness = style() < 0.2 ? 0 : 0.3 + style() * 2.7;
      on = new Map(faults.map((fault) => [fault, style() < 0.6 && !left.has(fault)]));
      rates = recipe.rates ?? {};
      for (const fault of faults) if (fault in rates) on.set(fault, !left.has(fault));
      const joins = (party: Party) => draws(`joins ${party}`)() < (rates[party] ?? partyRates[party]);
      joined = new Set(parties.filter((party) => joins(party) && !left.has(party)));
    },
    /** Ends the faults, so that everything can come to rest. */
    calm() {
      isHappening = false;
    },
    /** Begins them again. */
    stir() {
      isHappening = true;
    },
    /** Whether the fault happens at this point. */
    happens(fault: Fault): boolean {
      const drawn = draws(fault)();
      if (!isHappening || !on.get(fault) || drawn >= (rates[fault] ?? faultRates[fault] * wildness)) return false;
      const count = (counts.get(fault) ?? 0) + 1;
      counts.set(fault, count);
      const name = `${fault}#${count}`;
      if (left.has(name)) return false;
      chance.met.push(name);
      return true;
    },
    /** Whether a client is not left out. */
    has: (client: string) => !left.has(client),
    /** Whether a party takes part. */
    joins: (party: Party) => joined.has(party),
  };
  return chance;
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16_777_619);
  return value >>> 0;
}
