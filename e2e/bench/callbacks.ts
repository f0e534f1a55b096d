// npm run bench -- callbacks: the delay from a payment's outcome to the first delivery of its callback at 200 sales a
// second, and the callbacks a second of a backlog, to many addresses and to one. Real sales, the production server,
// receivers at separate addresses. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   shorter and fewer
import type { ChildProcess } from 'node:child_process';
import type { ClientBase } from 'pg';
import { step } from '../../scripts/project.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import { copyCallbacks } from './copied-rows.ts';
import { median, percentile, printColumns, spread } from './report.ts';
import { type Merchant, saleRequest } from './requests.ts';
import { requestChild, type Stack, type Started, withStack } from './stack.ts';
import { openLoad, sell, startWorkload, times, type Workload } from './workload.ts';

const eventsPerSecond = 200;
const addressesMany = 50;
const patienceSeconds = 120;

type Steady = Awaited<ReturnType<typeof steadyRound>>;
type Drained = Awaited<ReturnType<typeof drainRound>>;

const pause = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds));

const receiverOf = ({ receiver }: Workload) => receiver as Started;
const shopOf = (merchants: Workload['merchants']) => merchants.shop0 as Merchant;

/** Waits for `count` callbacks, or until none arrives for a while; returns their number. */
async function arrival(receiver: ChildProcess, wanted: number): Promise<number> {
  const until = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const { arrived } = await requestChild(receiver, 'count');
    if (arrived >= wanted || performance.now() > until) return arrived;
    await pause(50);
  }
}

/**
 * Sales at a steady rate; milliseconds from each outcome, taken before its commit, to the first arrival of its
 * callback.
 */
async function steadyRound(workload: Workload, database: ClientBase, seconds: number) {
  const { merchants, ports } = workload;
  const receiver = receiverOf(workload);
  const addresses: string[] = receiver.said.addresses;
  await requestChild(receiver, 'forget');
  const requests = times(eventsPerSecond * seconds, (_, at) =>
    saleRequest(ports.app, shopOf(merchants), { callbackUrl: `${addresses[at % addresses.length]}/callbacks` }),
  );
  const sold = await openLoad(workload, { port: ports.app, rate: eventsPerSecond, seconds, requests });
  const arrived = await arrival(receiver, sold.done);
  const list: [id: string, at: number][] = await requestChild(receiver, 'list');
  const { rows } = await database.query(
    `select c.id, extract(epoch from t.finished_at) * 1000 as at from callbacks c
       join transactions t on t.id = c.transaction_id where c.id = any($1::uuid[])`,
    [list.map(([id]) => id)],
  );
  const outcomes = new Map(rows.map(({ id, at }) => [id, Number(at)]));
  const durations = list.map(([id, at]) => at - (outcomes.get(id) ?? Number.NaN)).sort((one, other) => one - other);
  const { repeated } = await requestChild(receiver, 'count');
  return {
    sold: sold.done,
    kinds: sold.kinds,
    salesP99: sold.p99,
    missing: sold.done - arrived,
    repeated,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    most: durations.at(-1),
  };
}

/** Makes a backlog of callbacks due at once; returns callbacks a second until the last has arrived. */
async function drainRound(
  workload: Workload,
  database: ClientBase,
  { count, addresses }: { count: number; addresses: string[] },
) {
  const { merchants, ports } = workload;
  const receiver = receiverOf(workload);
  const shops = Object.values(merchants);
  for (const shop of shops) {
    const callbackUrl = `${addresses[0]}/callbacks`;
    const request = saleRequest(ports.app, shop, { callbackUrl });
    const answer = await fetch(`http://127.0.0.1:${ports.app}/s2s/card/post`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: request.slice(request.indexOf('\r\n\r\n') + 4),
    });
    const { trans_id: transId } = await answer.json();
    await copyCallbacks(database, { transId, addresses, count: count / shops.length });
  }
  await pause(1_500);
  await requestChild(receiver, 'forget');
  const started = Date.now();
  await database.query(`update callbacks set due_at = now() where state = 'waiting'`);
  const arrived = await arrival(receiver, count);
  const list: [id: string, at: number][] = await requestChild(receiver, 'list');
  const { repeated } = await requestChild(receiver, 'count');
  const last = list.reduce((latest, [, at]) => Math.max(latest, at), started);
  const seconds = (last - started) / 1000;
  return { count, addresses: addresses.length, arrived, repeated, seconds, perSecond: arrived / seconds };
}

function print(steady: Steady[], many: Drained[], one: Drained[]) {
  const column = <Name extends string>(list: { [name in Name]?: number | null }[], of: Name, decimals = 0) =>
    spread(
      list.map((each) => each[of] ?? Number.NaN),
      decimals,
    );
  console.log(`\nCallbacks at ${eventsPerSecond} sales a second to ${addressesMany} addresses:\n`);
  printColumns([
    ['First try after the outcome, p50', `${column(steady, 'p50')} ms`],
    ['p99', `${column(steady, 'p99')} ms`],
    ['Latest', `${column(steady, 'most')} ms`],
    ['Sales, p99', `${column(steady, 'salesP99')} ms`],
    ['Answers', JSON.stringify(steady.at(-1)?.kinds)],
    ['Missing, come again', steady.map(({ missing, repeated }) => `${missing}, ${repeated}`).join('; ')],
  ]);
  console.log('\nCallbacks that have waited, a second:\n');
  printColumns([
    [`${many[0]?.count} to ${addressesMany} addresses`, column(many, 'perSecond')],
    [`${one[0]?.count} to one address`, column(one, 'perSecond')],
    [
      'Missing, come again',
      [...many, ...one].map((each) => `${each.count - each.arrived}, ${each.repeated}`).join('; '),
    ],
  ]);
}

async function measure(stack: Stack, { short }: Options) {
  const merchants = Object.fromEntries(times(4, (_, at) => [`shop${at}`, {}]));
  const workload = await step('Starting the servers', () =>
    startWorkload(stack, { merchants, addresses: addressesMany }),
  );
  const { database } = stack;
  await step('Warming up', () => sell(workload, workload.ports.app, shopOf(workload.merchants)));
  const rounds = async <T>(name: string, count: number, round: () => Promise<T>) => {
    const results: T[] = [];
    for (let each = 1; each <= count; each += 1) results.push(await step(`${name}, round ${each} of ${count}`, round));
    return results;
  };
  const count = short ? 1 : 3;
  const addresses: string[] = receiverOf(workload).said.addresses;
  const steady = await rounds('At a steady rate', count, () => steadyRound(workload, database, short ? 5 : 20));
  const many = await rounds('Many addresses', count, () =>
    drainRound(workload, database, { count: short ? 4_000 : 20_000, addresses }),
  );
  const one = await rounds('One address', short ? 1 : 2, () =>
    drainRound(workload, database, { count: short ? 400 : 2_000, addresses: addresses.slice(0, 1) }),
  );
  print(steady, many, one);
  const of = <Name extends string>(list: { [name in Name]?: number | null }[], name: Name) =>
    median(list.map((each) => each[name] ?? Number.NaN));
  const lost = [...many, ...one].reduce((sum, each) => sum + each.count - each.arrived, 0);
  const figures = [
    { name: 'First try after the outcome, p50', value: of(steady, 'p50'), unit: 'ms', most: 30 },
    { name: 'First try after the outcome, p99', value: of(steady, 'p99'), unit: 'ms', most: 250 },
    { name: 'Deliveries to many addresses', value: of(many, 'perSecond'), unit: 'a second', least: 1500 },
    { name: 'Deliveries to one address', value: of(one, 'perSecond'), unit: 'a second' },
    { name: 'Callbacks lost', value: lost + steady.reduce((sum, each) => sum + each.missing, 0), unit: '', most: 0 },
  ];
  return { figures, raw: { eventsPerSecond, steady, many, one } };
}

export const part: Part = {
  name: 'callbacks',
  title: 'Callbacks',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
