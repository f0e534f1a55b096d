// A sandbox on the last build, with the merchants of the end-to-end tests: the server that fuzzed requests and the
// security tests talk to.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/project.ts';
import { startServers } from '../runner/servers.ts';

/** The built server: by `npm run build` or by the test run. */
const built = () => process.env.FLORIN_BUILT ?? join(root, 'dist', 'server.js');

/** Starts the sandbox. `variables` are those that its tests expect in their environment. */
export async function startSandbox(name: string) {
  if (!existsSync(built())) throw new Error(`${built()} is missing: run npm run build first.`);
  const folder = relative(root, dirname(dirname(built())));
  const pages = folder === '' ? '.next' : join(folder, 'next');
  const servers = await startServers(folder, { home: join('.data', 'chaos', name), pages });
  const { FLORIN_URL: url, METRICS_TOKEN } = servers.variables;
  return {
    ...servers,
    url,
    log: servers.production.log,
    isUp: () => servers.production.code === undefined,
    /** The maximum event-loop delay since the previous call in milliseconds, measured by the server itself. */
    async eventLoopDelay(): Promise<number> {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      const seconds = /^florin_nodejs_eventloop_lag_max_seconds ([\d.e-]+)/m.exec(await answer.text())?.[1];
      return Math.round(Number(seconds ?? 0) * 1000);
    },
    stop: servers.stopAll,
  };
}
