// Next calls this file for the errors of its pages. Its own output of them is off (lib/server/server.ts), because it is
// neither scrubbed nor JSON.
import type { Instrumentation } from 'next';

/** Logs an error of a page. The line has the id of the request, and no path: paths contain tokens. */
export const onRequestError: Instrumentation.onRequestError = async (err, _request, { routePath, renderSource }) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { log } = await import('./lib/telemetry/index.ts');
  log.error({ err, page: routePath, source: renderSource }, 'a page failed');
};
