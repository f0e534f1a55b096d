// What happens to the deployment while it sells. Each fault ends when the primary is another one and the former one is
// started or connected again; the test then waits until all nodes follow.
import type { Environment } from '../environment.ts';
import type { Cluster, Node } from './cluster.ts';
import { pause, until } from './polling.ts';

type Deployment = { cluster: Cluster; apps: Environment['apps']; selling: (since: number) => Promise<unknown> };

/** `acknowledged` are writes of a primary that was replaced. */
type Found = { acknowledged?: number; [figure: string]: unknown };

/** A fault; `primary` is the node that it hits first. */
type Fault = (deployment: Deployment, primary: Node) => Promise<Found>;

/** The faults by name. */
export const faults: Record<string, Fault> = {
  /** The primary's machine is lost. */
  async killed({ cluster }, primary) {
    primary.signal('SIGKILL');
    const failoverSeconds = await secondsOf(cluster.replaced(primary));
    primary.start();
    return { failoverSeconds };
  },

  /** The primary's machine does not run until another one sells. Then PostgreSQL continues, and later its Patroni. */
  async paused({ cluster, selling }, primary) {
    primary.signal('SIGSTOP');
    const failoverSeconds = await secondsOf(cluster.replaced(primary));
    await selling(Date.now());
    primary.signal('SIGCONT', 'postgres');
    const tries = [await write(primary), await write(primary), await write(primary)];
    primary.signal('SIGCONT');
    const { acknowledged, fencedSeconds } = await fenced(primary);
    return { failoverSeconds, fencedSeconds, acknowledged: tries.reduce((sum, each) => sum + each, acknowledged) };
  },

  /** The disk of the primary's WAL is full. */
  async disk({ cluster }, primary) {
    await primary.fillDisk();
    const failoverSeconds = await secondsOf(cluster.replaced(primary));
    primary.freeDisk();
    return { failoverSeconds };
  },

  /** The primary reaches no member of etcd; its clients and standbys still reach it. */
  async cut({ cluster }, primary) {
    primary.cut();
    const failoverSeconds = await secondsOf(cluster.replaced(primary));
    const writes = await fenced(primary);
    primary.reconnect();
    return { failoverSeconds, ...writes };
  },

  /** The next primary is lost as soon as it sells and the first one follows it. */
  async twice({ cluster, selling }, primary) {
    primary.signal('SIGKILL');
    const second = await cluster.replaced(primary);
    primary.start();
    await cluster.healthy();
    await selling(Date.now());
    second.signal('SIGKILL');
    const failoverSeconds = await secondsOf(cluster.replaced(second));
    second.start();
    return { failoverSeconds };
  },

  /** A minor upgrade of PostgreSQL: the standbys, a switchover, the former primary. */
  async upgrade({ cluster }, primary) {
    const upgrade = async (node: Node) => {
      await node.stop();
      node.upgrade();
      node.start();
      await cluster.healthy();
      return (await node.status())?.server_version;
    };
    const versions = [(await primary.status())?.server_version];
    for (const node of cluster.nodes) if (node !== primary) versions.push(await upgrade(node));
    cluster.switchOver(primary);
    await cluster.replaced(primary);
    // Patroni ends PostgreSQL only when it is not just starting it.
    await cluster.healthy();
    versions.push(await upgrade(primary));
    if (new Set(versions.slice(1)).size > 1) throw new Error(`After the upgrade the nodes run ${versions.slice(1)}.`);
    return { versions };
  },

  /** Each process restarts gracefully, the worker included, while the others serve. */
  async restart({ apps }) {
    for (const app of apps) {
      await app.end();
      await app.start();
      // The balancer takes the process back after two successful checks.
      await pause(2);
    }
    return { processes: apps.length };
  },
};

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const from = Date.now();
  await work;
  return (Date.now() - from) / 1000;
}

/** Tries to write to a node; returns 1 if PostgreSQL has acknowledged it, else 0. */
function write(node: Node): Promise<number> {
  return node.query('insert into written default values', 1).then(
    () => 1,
    () => 0,
  );
}

/** Tries to write until the node is a standby; returns how many writes it has acknowledged, and the seconds. */
async function fenced(node: Node) {
  const from = Date.now();
  let acknowledged = 0;
  await until(`${node.name} is no standby`, async () => {
    acknowledged += await write(node);
    const [row] = await node.query('select pg_is_in_recovery() as standby', 1).catch(() => []);
    return row?.standby;
  });
  return { acknowledged, fencedSeconds: (Date.now() - from) / 1000 };
}
