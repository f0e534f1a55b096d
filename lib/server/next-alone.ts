// Does the work of the production server for `next start` and `next dev`: determines the client IP of each request
// before other code reads its headers, and runs the jobs.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { env } from '../config';
import { resolveClientIp } from '../http';
import { watchClock } from '../operations';
import { log } from '../telemetry';
import { startJobs } from './job-loop';

/** Prepares a process without the production server. */
export function startAlone(): void {
  // Node publishes this event before the server's listeners get the request.
  subscribe('http.server.request.start', (message) => {
    resolveClientIp((message as { request: IncomingMessage }).request, env.trustedProxyHops);
  });
  watchClock().catch((err: unknown) => log.error({ err }, 'the clock check could not start'));
  if (env.jobs) startJobs();
}
