// npm run bench -- schedules: ten thousand scheduled charges due at the same moment: the time until the last is paid, and
// whether each was charged once. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   a thousand
import type { ClientBase } from 'pg';
import { step } from '../../scripts/project.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import { copySubscriptions } from './copied-rows.ts';
import { printColumns } from './report.ts';
import { saleRequest, scheduleRequest } from './requests.ts';
import { type Stack, withStack } from './stack.ts';
import { closed, startWorkload, type Workload } from './workload.ts';

const patienceSeconds = 600;

/** Subscribes a payer to a schedule; returns the id of the initial sale. */
async function begin(workload: Workload<'shop'>): Promise<string> {
  const { app: port } = workload.ports;
  const { shop } = workload.merchants;
  const one = async (request: string, pick: RegExp) =>
    (await closed(workload, { port, connections: 1, requests: [request], pick })).picked[0]?.[0]?.[0] ?? '';
  const scheduleId = await one(scheduleRequest(port, shop), /"schedule_id":"([^"]+)"/g);
  const more = { recurring_init: 'Y', schedule_id: scheduleId };
  return one(saleRequest(port, shop, { more }), /"trans_id":"([^"]+)"/g);
}

/** Makes all due and waits for the last; returns the results in the database and at the provider. */
async function charge(
  workload: Workload<'shop'>,
  database: ClientBase,
  { count, token }: { count: number; token: string },
) {
  const before = await workload.counts();
  const copies = `chain_token like '${token}-%'`;
  const { rows: began } = await database.query(
    `update subscriptions set due_at = now() where ${copies} returning extract(epoch from now()) * 1000 as at`,
  );
  const until = performance.now() + patienceSeconds * 1000;
  const doneSql = `select count(*)::int as done from subscriptions where ${copies} and done > 0`;
  while ((await database.query(doneSql)).rows[0].done < count && performance.now() < until) {
    await new Promise((wake) => setTimeout(wake, 500));
  }
  const { rows } = await database.query(
    `select count(*)::int as payments, count(distinct p.subscription_id)::int as subscriptions,
            count(*) filter (where p.state = 'settled')::int as settled,
            extract(epoch from min(t.finished_at)) * 1000 as first, extract(epoch from max(t.finished_at)) * 1000 as last
       from payments p join transactions t on t.payment_id = p.id where p.subscription_id is not null`,
  );
  const { payments, subscriptions, settled, first, last } = rows[0];
  const asked = await workload.counts();
  const seconds = (last - began[0].at) / 1000;
  return {
    count,
    payments,
    subscriptions,
    settled,
    firstSeconds: (first - began[0].at) / 1000,
    seconds,
    perSecond: settled / seconds,
    chargedAtProvider: asked.payments - before.payments,
    duplicates: asked.repeated - before.repeated,
  };
}

async function measure(stack: Stack, { short }: Options) {
  const count = short ? 1_000 : 10_000;
  const workload = await step('Starting the server', () => startWorkload(stack, { merchants: { shop: {} } }));
  const token = await step(`Writing ${count.toLocaleString('en')} subscriptions`, async () =>
    copySubscriptions(stack.database, { transId: await begin(workload), count }),
  );
  const found = await step('Charging all of them', () => charge(workload, stack.database, { count, token }));
  console.log('');
  printColumns([
    ['Due at once', String(count)],
    ['Until the first was paid', `${found.firstSeconds.toFixed(1)} s`],
    ['Until the last was paid', `${found.seconds.toFixed(1)} s`],
    ['A second', found.perSecond.toFixed(0)],
    ['Paid, of so many subscriptions', `${found.settled}, ${found.subscriptions}`],
    ['Charges at the provider, duplicates', `${found.chargedAtProvider}, ${found.duplicates}`],
  ]);
  const wrong = Math.abs(found.payments - count) + (count - found.subscriptions) + (count - found.settled);
  const figures = [
    {
      name: `${count.toLocaleString('en')} charges due at once, until the last`,
      value: found.seconds,
      unit: 's',
      decimals: 1,
    },
    { name: 'Charges', value: found.perSecond, unit: 'a second' },
    {
      name: 'Charges missing or made twice',
      value: wrong + Math.abs(found.chargedAtProvider - count),
      unit: '',
      most: 0,
    },
  ];
  return { figures, raw: found };
}

export const part: Part = {
  name: 'schedules',
  title: 'Schedules that are all due at once',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
