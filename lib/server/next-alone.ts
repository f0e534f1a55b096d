// What the production server does and `next start` or `next dev` does not: settle each request's peer before anything
// reads its headers, and run the due rows.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { env } from '../config';
import { resolveClientIp } from '../http';
import { watchClock } from '../operations';
import { log } from '../telemetry';
import { startJobs } from './job-loop';

/** Prepares a process that Next serves alone. */
export function startAlone(): void {
  // Node publishes this before any listener of the server sees the request.
  subscribe('http.server.request.start', (message) => {
    resolveClientIp((message as { request: IncomingMessage }).request, env.trustedProxyHops);
  });
  watchClock().catch((err: unknown) => log.error({ err }, 'the clock is not compared'));
  if (env.jobs) startJobs();
}
