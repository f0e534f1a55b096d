// npm run test:chaos:scale: two processes and a worker behind a balancer, over PgBouncer and two nodes of PostgreSQL from
// Debian's packages, while a shop is selling. The primary is killed and the standby takes over, again and again; then the
// processes are restarted one after the other. Nothing acknowledged may be lost, and the restart may fail no request.
//   --failovers 3   --clients 8   --seed N
// Ends with 1 when there is a violation.

import { startCheckoutClients } from './checkout-clients.mjs';
import { command } from './command.mjs';
import { checkConsistency, waitUntilIdle } from './consistency.mjs';
import { startEnvironment } from './environment.mjs';
import { random } from './random.mjs';
import { servingProcesses, startDeployment } from './scale/deployment.mjs';

/** From the kill to the first sale that is acknowledged, with noticing and promoting in between. */
const backSecondsMax = 30;
/** The failover manager looks so often, and so many looks in vain are a death. */
const lookSeconds = 0.5;
const looksInVain = 3;

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));
const secondsSince = (milliseconds) => Math.round((Date.now() - milliseconds) / 100) / 10;

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], summary: object }>}
 */
export async function runScaleTest({ failovers, clients = 8, seed }) {
  const deployment = await startDeployment();
  let environment;
  let closing;
  const close = () => {
    closing ??= (async () => {
      await environment?.stop();
      await deployment.close();
    })();
    return closing;
  };
  let isGivenUp = false;
  const giveUp = () => {
    isGivenUp = true;
    close().finally(() => process.exit(130));
  };
  process.once('SIGINT', giveUp).once('SIGTERM', giveUp);
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
    return await play(environment, deployment, { failovers, clients, seed });
  } finally {
    // Without its processes the play fails; the end of this one is on its way.
    if (isGivenUp) await new Promise(() => {});
    process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
    await close();
  }
}

async function play(environment, deployment, { failovers, clients, seed }) {
  const draw = random(seed);
  const requests = [];
  const front = { ...environment, apps: [{ url: deployment.balancer.url }] };
  const shop = await startCheckoutClients(front, {
    clients,
    seed,
    onRequest: (request) => requests.push(told(request)),
  });
  await pause(3);
  const [{ limit }] = await environment.query("select current_setting('statement_timeout') as limit");
  const connections = await connectionsOf(deployment.cluster);
  const rounds = [];
  for (let round = 0; round < failovers; round += 1) {
    rounds.push(await failOver(deployment, requests));
    await pause(1 + draw());
    await deployment.cluster.rebuild();
    await pause(1 + draw() * 2);
  }
  const restart = await restartInTurn(environment, requests);
  await shop.stop();
  const idleAfterSeconds = await waitUntilIdle(environment);
  const { violations, summary } = await checkConsistency(environment, shop.acknowledged);
  if (limit !== '10s') violations.push(`through PgBouncer a statement may take ${limit}`);
  for (const { backSeconds } of rounds) {
    if (backSeconds > backSecondsMax) violations.push(`selling went on ${backSeconds} s after the kill`);
  }
  for (const failed of restart.failed) violations.push(`during the restart a ${failed}`);
  violations.push(...falseDeclines(requests));
  const { failed, ...restarted } = restart;
  const refusals = Object.fromEntries(shop.refusals);
  const said = { refusals, failovers: rounds, rollingRestart: { ...restarted, failed: failed.length } };
  return {
    violations,
    summary: { ...deployment.versions, ...summary, idleAfterSeconds, databaseConnections: connections, ...said },
  };
}

/** What is kept of a request. */
function told({ order, fields, askedAt, status, body }) {
  const { action, order_amount: amount } = fields;
  return { order, action, amount, askedAt, answeredAt: Date.now(), status, result: body?.result };
}

/** Kills the primary and does what a failover manager does. */
async function failOver({ cluster, pooler }, requests) {
  const killedAt = Date.now();
  await cluster.kill();
  let vain = 0;
  while (vain < looksInVain) {
    await pause(lookSeconds);
    const answered = await cluster
      .primary()
      .ask('select 1')
      .catch(() => null);
    vain = answered ? 0 : vain + 1;
  }
  const noticedSeconds = secondsSince(killedAt);
  await cluster.failOver();
  pooler.lead(cluster.primary().port);
  const promotedSeconds = secondsSince(killedAt);
  const isSale = ({ action, result, askedAt }) => action === 'SALE' && result === 'SUCCESS' && askedAt > killedAt;
  let first;
  while (!first && secondsSince(killedAt) < 4 * backSecondsMax) {
    await pause(0.1);
    first = requests.find(isSale);
  }
  const backSeconds = first ? Math.round((first.answeredAt - killedAt) / 100) / 10 : Number.POSITIVE_INFINITY;
  const until = first?.answeredAt ?? Date.now();
  const meanwhile = requests.filter(({ answeredAt }) => answeredAt > killedAt && answeredAt <= until);
  return { noticedSeconds, promotedSeconds, backSeconds, clientResults: countBy(meanwhile, answerOf) };
}

/** What a client got, in a word. */
function answerOf({ status, result }) {
  if (status === null) return 'no answer';
  return status >= 500 ? `status ${status}` : (result ?? `status ${status}`);
}

function countBy(list, nameOf) {
  const counts = {};
  for (const each of list) counts[nameOf(each)] = (counts[nameOf(each)] ?? 0) + 1;
  return counts;
}

/** Every process once, the worker too, each asked to end and started anew while the others go on. */
async function restartInTurn({ apps }, requests) {
  const startedAt = Date.now();
  for (const app of apps) {
    await app.end();
    await app.start();
    // The balancer takes it back after two good checks.
    await pause(2);
  }
  const endedAt = Date.now();
  const met = requests.filter(({ askedAt, answeredAt }) => answeredAt >= startedAt && askedAt <= endedAt);
  const failed = met
    .filter(({ status }) => status === null || status >= 500)
    .map((request) => `${request.action} of order ${request.order} got ${answerOf(request)}`);
  return { processes: apps.length, seconds: secondsSince(startedAt), requests: met.length, failed };
}

/** The provider declines amounts that end in 5 and no others. */
function falseDeclines(requests) {
  return requests
    .filter(({ action, result, amount }) => action === 'SALE' && result === 'DECLINED' && !amount?.endsWith('5'))
    .map(({ order }) => `order ${order} was told DECLINED, and nobody had declined it`);
}

async function connectionsOf({ primary }) {
  const [{ count }] = await primary().ask("select count(*)::int from pg_stat_activity where usename = 'florin'");
  return count;
}

await command(import.meta.url, (options, seed) =>
  runScaleTest({ failovers: Number(options.failovers ?? 3), clients: Number(options.clients ?? 8), seed }),
);
