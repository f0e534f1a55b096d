// What a process of Next does before its first request: with no production server around it, it runs the due rows
// itself and settles who its clients are.

/** Called by Next once per process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  if ((globalThis as Record<symbol, unknown>)[Symbol.for('florin.server')]) return;
  const { startAlone } = await import('./lib/server/next-alone');
  startAlone();
}
