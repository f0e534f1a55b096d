// Repeatable randomness: the same seed draws the same values.
import { parseArgs } from 'node:util';

/** A source of numbers from 0 to 1. */
export type Draw = () => number;

/** The options of a chaos test, as they were given. */
export type Options = Record<string, string | undefined>;

/** A source of numbers from 0 to 1 (mulberry32: small, sufficient for choosing test cases). */
export function random(seed: number): Draw {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One element of a list that is not empty. */
export const oneOf = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;

/** The seed of `--seed`, or one from the clock. */
export function seedOf(options: Options): number {
  return Number(options.seed ?? Date.now() % 1_000_000_000);
}

/** Reads `--seed value` and `--name value` of each of the names from the command line; throws for any other. */
export function readOptions(names: readonly string[], args = process.argv.slice(2)): Options {
  const options = Object.fromEntries([...names, 'seed'].map((name) => [name, { type: 'string' as const }]));
  return parseArgs({ args, options }).values;
}
