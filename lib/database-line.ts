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

/** How long whoever gets the next free connection has waited for it; 0 when nobody waits. */
export function secondsInLine(): number {
  const [next] = line;
  return next ? (performance.now() - next.at) / 1000 : 0;
}
