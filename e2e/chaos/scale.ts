// npm run chaos -- scale: two processes and a worker behind a load balancer, over PgBouncer and two PostgreSQL nodes
// from Debian's packages, under load. The primary is killed and the standby promoted, repeatedly; then the processes
// are restarted one by one. Nothing acknowledged may be lost, and the restart may fail no request.
//   --failovers 3   --clients 8   --seed N
// Exits with 1 if there is a violation.

import { type Asked, startCheckoutClients } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { checkConsistency, waitUntilIdle } from './consistency.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type Parts, servingProcesses, startDeployment } from './scale/deployment.ts';
import { random } from './seeded-random.ts';

/** Maximum time from the kill to the first acknowledged sale, including detection and promotion. */
const backSecondsMax = 30;
/** Interval of the failover manager's checks; this many consecutive failures count as a dead primary. */
const checkSeconds = 0.5;
const failedChecksMax = 3;

type Recorded = ReturnType<typeof recordOf>;

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));
const secondsSince = (milliseconds: number) => Math.round((Date.now() - milliseconds) / 100) / 10;

type Choice = { failovers: number; clients?: number; seed: number };

/** Runs the test. */
export async function runScaleTest({ failovers, clients = 8, seed }: Choice): Promise<Result> {
  const deployment = await startDeployment();
  let environment: Environment | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await environment?.stop();
      await deployment.close();
    })();
    return closing;
  };
  let isAborted = false;
  const abort = () => {
    isAborted = true;
    void close().finally(() => process.exit(130));
  };
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    const faults = { seed, rates: { slow: 0.2 } };
    const { provideDatabase } = deployment;
    const merchant = { timeoutSeconds: 3 };
    environment = await startEnvironment({
      name: 'scale',
      apps: servingProcesses + 1,
      merchant,
      faults,
      provideDatabase,
    });
    if (!deployment.parts) throw new Error('the deployment has not started');
    const { violations, summary } = await run(environment, deployment.parts, { failovers, clients, seed });
    return { violations, summary: { ...deployment.versions, ...summary } };
  } finally {
    // After a signal the run fails without its processes; the exit is under way.
    if (isAborted) await new Promise(() => {});
    process.off('SIGINT', abort).off('SIGTERM', abort);
    await close();
  }
}

async function run(environment: Environment, parts: Parts, { failovers, clients, seed }: Required<Choice>) {
  const draw = random(seed);
  const requests: Recorded[] = [];
  const front = { ...environment, apps: [{ url: parts.balancer.url }] };
  const shop = await startCheckoutClients(front, {
    clients,
    seed,
    onRequest: (request) => requests.push(recordOf(request)),
  });
  await pause(3);
  const [{ limit }] = await environment.query("select current_setting('statement_timeout') as limit");
  const connections = await connectionsOf(parts.cluster);
  const rounds: Awaited<ReturnType<typeof failOver>>[] = [];
  for (let round = 0; round < failovers; round += 1) {
    rounds.push(await failOver(parts, requests));
    await pause(1 + draw());
    await parts.cluster.rebuild();
    await pause(1 + draw() * 2);
  }
  const restart = await restartInTurn(environment, requests);
  await shop.stop();
  const idleAfterSeconds = await waitUntilIdle(environment);
  const { violations, summary } = await checkConsistency(environment, shop.acknowledged);
  if (limit !== '10s') violations.push(`through PgBouncer a statement may take ${limit}`);
  for (const { backSeconds } of rounds) {
    if (backSeconds > backSecondsMax) violations.push(`sales resumed ${backSeconds} s after the kill`);
  }
  for (const failed of restart.failed) violations.push(`during the restart a ${failed}`);
  violations.push(...falseDeclines(requests));
  const { failed, ...restarted } = restart;
  const refusals = Object.fromEntries(shop.refusals);
  const details = { refusals, failovers: rounds, rollingRestart: { ...restarted, failed: failed.length } };
  return { violations, summary: { ...summary, idleAfterSeconds, databaseConnections: connections, ...details } };
}

/** The part of a request that is kept. */
function recordOf({ order, fields, askedAt, status, body }: Asked) {
  const { action, order_amount } = fields;
  const amount = order_amount === undefined ? undefined : String(order_amount);
  return { order, action, amount, askedAt, answeredAt: Date.now(), status, result: body?.result as string | undefined };
}

/** Kills the primary and acts as the failover manager. */
async function failOver({ cluster, pooler }: Parts, requests: Recorded[]) {
  const killedAt = Date.now();
  await cluster.kill();
  let failedChecks = 0;
  while (failedChecks < failedChecksMax) {
    await pause(checkSeconds);
    const answered = await cluster
      .primary()
      .ask('select 1')
      .catch(() => null);
    failedChecks = answered ? 0 : failedChecks + 1;
  }
  const noticedSeconds = secondsSince(killedAt);
  await cluster.failOver();
  pooler.setPrimary(cluster.primary().port);
  const promotedSeconds = secondsSince(killedAt);
  const isSale = ({ action, result, askedAt }: Recorded) =>
    action === 'SALE' && result === 'SUCCESS' && askedAt > killedAt;
  let first: Recorded | undefined;
  while (!first && secondsSince(killedAt) < 4 * backSecondsMax) {
    await pause(0.1);
    first = requests.find(isSale);
  }
  const backSeconds = first ? Math.round((first.answeredAt - killedAt) / 100) / 10 : Number.POSITIVE_INFINITY;
  const until = first?.answeredAt ?? Date.now();
  const meanwhile = requests.filter(({ answeredAt }) => answeredAt > killedAt && answeredAt <= until);
  return { noticedSeconds, promotedSeconds, backSeconds, clientResults: countBy(meanwhile, answerOf) };
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

/** Restarts each process gracefully, the worker included, while the others serve. */
async function restartInTurn({ apps }: Environment, requests: Recorded[]) {
  const startedAt = Date.now();
  for (const app of apps) {
    await app.end();
    await app.start();
    // The balancer takes the process back after two successful checks.
    await pause(2);
  }
  const endedAt = Date.now();
  const met = requests.filter(({ askedAt, answeredAt }) => answeredAt >= startedAt && askedAt <= endedAt);
  const failed = met
    .filter(({ status }) => status === null || status >= 500)
    .map((request) => `${request.action} of order ${request.order} got ${answerOf(request)}`);
  return { processes: apps.length, seconds: secondsSince(startedAt), requests: met.length, failed };
}

/** The provider declines only amounts that end in 5. */
function falseDeclines(requests: Recorded[]) {
  return requests
    .filter(({ action, result, amount }) => action === 'SALE' && result === 'DECLINED' && !amount?.endsWith('5'))
    .map(({ order }) => `order ${order} got DECLINED without a decline of the provider`);
}

async function connectionsOf({ primary }: Parts['cluster']): Promise<number> {
  const [{ count }] = await primary().ask("select count(*)::int from pg_stat_activity where usename = 'florin'");
  return count;
}

await command(import.meta.url, ['failovers', 'clients'], (options, seed) =>
  runScaleTest({ failovers: Number(options.failovers ?? 3), clients: Number(options.clients ?? 8), seed }),
);
