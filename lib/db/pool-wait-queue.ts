// Who waits for a connection to the database, in the order in which they came.

// Next bundles this module several times in one process; all share one line.
const place = Symbol.for('florin.database-line');
const holder = globalThis as { [place]?: Set<{ at: number }> };
holder[place] ??= new Set();
const line = holder[place];

/** Joins the line; the function that comes back leaves it. */
export function joinLine(): () => void {
  const mark = { at: performance.now() };
  line.add(mark);
  return () => {
    line.delete(mark);
  };
}

/** The line as it is now: how many wait, and how long whoever gets the next free connection has waited for it (0 for nobody). */
export function lookAtLine(): { length: number; seconds: number } {
  const [next] = line;
  return { length: line.size, seconds: next ? (performance.now() - next.at) / 1000 : 0 };
}
