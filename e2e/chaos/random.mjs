// Chance that can be repeated: what a proof has drawn is drawn again from the same seed.

/**
 * A source of numbers from 0 to 1 (mulberry32: small, and good enough to choose between cases).
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

/** One of some. */
export const oneOf = (draw, list) => list[Math.floor(draw() * list.length)];

/** The seed that was asked for by `--seed`, or one of this moment; it is printed either way. */
export function seedOf(options) {
  return Number(options.seed ?? Date.now() % 1_000_000_000);
}

/** `--name value` and `--name` of the command line. */
export function readOptions(argv = process.argv.slice(2)) {
  const options = {};
  for (const [place, word] of argv.entries()) {
    if (!word.startsWith('--')) continue;
    const next = argv[place + 1];
    options[word.slice(2)] = next === undefined || next.startsWith('--') ? true : next;
  }
  return options;
}
