// A scaled-out deployment: two PostgreSQL nodes behind PgBouncer, two serving processes behind HAProxy, and a worker.
// It lives in a temporary folder and is removed afterwards.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../scripts/ports.ts';
import { postgresAccount } from '../../../scripts/postgres.ts';
import { openCluster } from './cluster.ts';
import { findPrograms } from './programs.ts';
import { startBalancer, startPooler } from './proxies.ts';

/** The processes behind the balancer; one more is the worker. */
export const servingProcesses = 2;

export type Parts = {
  cluster: Awaited<ReturnType<typeof openCluster>>;
  pooler: Awaited<ReturnType<typeof startPooler>>;
  balancer: Awaited<ReturnType<typeof startBalancer>>;
};

/** Starts it; `provideDatabase` is for the test environment (environment.ts). */
export async function startDeployment() {
  const { bin, versions, ...programs } = findPrograms();
  const account = process.getuid?.() === 0 ? postgresAccount() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'florin-scale-'));
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  const opened: (() => unknown)[] = [];
  const deployment = {
    versions,
    /** Its parts, once the database was provided. */
    parts: undefined as Parts | undefined,
    async close() {
      for (const part of opened.splice(0).reverse()) await part();
      rmSync(folder, { recursive: true, force: true });
    },
    async provideDatabase(appPorts: number[]) {
      const [poolerPort = 0, balancerPort = 0, ...ports] = await freePorts(4);
      const cluster = await openCluster({ bin, folder, ports, account, opened });
      const { passwords, primary } = cluster;
      const shared = { folder, account };
      const before = { port: poolerPort, primaryPort: primary().port, passwords };
      const pooler = await startPooler({ program: programs.pgbouncer, ...before, ...shared });
      opened.push(pooler.stop);
      const behind = { port: balancerPort, appPorts: appPorts.slice(0, servingProcesses) };
      const balancer = await startBalancer({ program: programs.haproxy, ...behind, ...shared });
      opened.push(balancer.stop);
      deployment.parts = { cluster, pooler, balancer };
      return {
        url: pooler.url,
        directUrl: primary().url('florin', 'florin'),
        settings: {
          BASE_URL: balancer.url,
          TRUSTED_PROXIES: 'loopback',
          DATABASE_POOLER: 'transaction',
          DATABASE_POOL_SIZE: '16',
          DRAIN_SECONDS: '3',
        },
        settingsOf: (place: number) => ({ JOBS: place < servingProcesses ? 'off' : 'on' }),
      };
    },
  };
  return deployment;
}
