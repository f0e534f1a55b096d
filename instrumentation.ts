// Runs in a Next process before its first request: without the production server, it starts the jobs and the client IP
// check.

/** Next calls this once per process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  if ((globalThis as Record<symbol, unknown>)[Symbol.for('florin.server')]) return;
  const { startAlone } = await import('./lib/server/next-alone');
  startAlone();
}
