// The scale test within the namespaces that ../scale.ts has opened.
import { chownSync } from 'node:fs';
import { postgresAccount } from '../../../scripts/postgres.ts';
import { type Asked, startCheckoutClients } from '../checkout-clients.ts';
import { command, type Result } from '../command-line.ts';
import { checkConsistency, waitUntilIdle } from '../consistency.ts';
import { type Environment, startEnvironment } from '../environment.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { pause, until } from './polling.ts';
import { type Programs, versionsOf } from './programs.ts';
import { startProxies } from './proxies.ts';

/** Names of the options besides `--seed`. */
export const options = ['faults', 'clients'];
/** Maximum time between two acknowledged sales during a fault. */
const backSecondsMax = 15;
/** The processes behind the balancer; one more is the worker. */
const servingProcesses = 2;

type Recorded = ReturnType<typeof recordOf>;
type Choice = { names: string[]; clients: number; seed: number };

async function runScaleTest(choice: Choice): Promise<Result> {
  const { folder, programs }: { folder: string; programs: Programs } = JSON.parse(process.env.SCALE ?? '{}');
  const account = postgresAccount();
  chownSync(folder, account.uid, account.gid);
  const place = { folder, programs, account };
  const cluster = await openCluster(place);
  let front = '';
  const environment = await startEnvironment({
    name: 'scale',
    apps: servingProcesses + 1,
    merchant: { timeoutSeconds: 3 },
    faults: { seed: choice.seed, rates: { slow: 0.2 } },
    async provideDatabase(ports) {
      const wanted = {
        nodes: cluster.nodes,
        password: cluster.passwords.florin,
        apps: ports.slice(0, servingProcesses),
      };
      const { balancer, pooler, primary } = await startProxies(place, wanted);
      front = balancer;
      return {
        url: pooler,
        directUrl: primary,
        settings: {
          BASE_URL: balancer,
          TRUSTED_PROXIES: 'loopback',
          DATABASE_POOLER: 'transaction',
          DATABASE_POOL_SIZE: '16',
          DRAIN_SECONDS: '3',
        },
        settingsOf: (index) => ({ JOBS: index < servingProcesses ? 'off' : 'on' }),
      };
    },
  });
  const { violations, summary } = await sellThroughFaults(environment, cluster, front, choice);
  return { violations, summary: { ...versionsOf(programs), ...summary } };
}

async function sellThroughFaults(environment: Environment, cluster: Cluster, front: string, choice: Choice) {
  const requests: Recorded[] = [];
  const shop = await startCheckoutClients(
    { ...environment, apps: [{ url: front }] },
    { ...choice, onRequest: (request) => requests.push(recordOf(request)) },
  );
  const violations: string[] = [];
  const [{ limit }] = await environment.query("select current_setting('statement_timeout') as limit");
  if (limit !== '10s') violations.push(`through PgBouncer a statement may take ${limit}`);
  const selling = (since: number) =>
    until('no sale succeeds', async () => requests.some((each) => isSold(each) && each.askedAt > since));
  const deployment = { cluster, apps: environment.apps, selling };
  for (const name of choice.names) {
    const fault = faults[name];
    if (!fault) throw new Error(`There is no fault ${name}: ${Object.keys(faults).join(', ')}.`);
    const primary = await cluster.healthy();
    await selling(Date.now());
    const from = Date.now();
    const found = await fault(deployment, primary);
    await selling(Date.now());
    await cluster.healthy();
    const met = requests.filter(({ answeredAt }) => answeredAt >= from);
    const results = countBy(met, answerOf);
    const withoutSales = longestGap(requests, from);
    console.log(`${name}: ${withoutSales} s without a sale at most`, JSON.stringify({ ...found, results }));
    if (withoutSales > backSecondsMax) violations.push(`${name}: ${withoutSales} s without a sale`);
    if (found.acknowledged) violations.push(`${name}: the former primary acknowledged ${found.acknowledged} writes`);
    if (name === 'restart')
      violations.push(
        ...met.filter(isFailed).map((each) => `restart: ${each.action} of order ${each.order} got ${answerOf(each)}`),
      );
    await pause(1);
  }
  await shop.stop();
  const idleAfterSeconds = await waitUntilIdle(environment);
  const checked = await checkConsistency(environment, shop.acknowledged);
  violations.push(...checked.violations, ...falseDeclines(requests));
  const refusals = Object.fromEntries(shop.refusals);
  return { violations, summary: { ...checked.summary, idleAfterSeconds, refusals } };
}

/** The part of a request that is kept. */
function recordOf({ order, fields, askedAt, status, body }: Asked) {
  const { action, order_amount } = fields;
  const amount = order_amount === undefined ? undefined : String(order_amount);
  return { order, action, amount, askedAt, answeredAt: Date.now(), status, result: body?.result as string | undefined };
}

const isSold = ({ action, result }: Recorded) => action === 'SALE' && result === 'SUCCESS';
const isFailed = ({ status }: Recorded) => status === null || status >= 500;

/** The longest time between two sales that were acknowledged in succession, the second of them after `from`. */
function longestGap(requests: Recorded[], from: number) {
  const times = requests.filter(isSold).map(({ answeredAt }) => answeredAt);
  const gaps = times.slice(1).map((time, place) => (time < from ? 0 : time - (times[place] ?? time)));
  return Math.round(Math.max(...gaps) / 100) / 10;
}

/** The result of a request as one word. */
function answerOf({ status, result }: Recorded): string {
  if (status === null) return 'no answer';
  return status >= 500 ? `status ${status}` : (result ?? `status ${status}`);
}

function countBy<T>(list: T[], nameOf: (each: T) => string) {
  const counts: Record<string, number> = {};
  for (const each of list) counts[nameOf(each)] = (counts[nameOf(each)] ?? 0) + 1;
  return counts;
}

/** The provider declines only amounts that end in 5. */
function falseDeclines(requests: Recorded[]) {
  return requests
    .filter(({ action, result, amount }) => action === 'SALE' && result === 'DECLINED' && !amount?.endsWith('5'))
    .map(({ order }) => `order ${order} got DECLINED without a decline of the provider`);
}

await command(import.meta.url, options, (given, seed) =>
  runScaleTest({ names: given.faults?.split(',') ?? Object.keys(faults), clients: Number(given.clients ?? 8), seed }),
);
