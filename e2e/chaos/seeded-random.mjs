// Repeatable randomness: the same seed draws the same values.

/**
 * A source of numbers from 0 to 1 (mulberry32: small, sufficient for choosing test cases).
 * @param {number} seed
 * @returns {() => number}
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One element of a list. */
export const oneOf = (draw, list) => list[Math.floor(draw() * list.length)];

/** The seed of `--seed`, or one from the clock. */
export function seedOf(options) {
  return Number(options.seed ?? Date.now() % 1_000_000_000);
}

/** Reads `--name value` and `--name` from the command line. */
export function readOptions(argv = process.argv.slice(2)) {
  const options = {};
  for (const [place, word] of argv.entries()) {
    if (!word.startsWith('--')) continue;
    const next = argv[place + 1];
    options[word.slice(2)] = next === undefined || next.startsWith('--') ? true : next;
  }
  return options;
}
