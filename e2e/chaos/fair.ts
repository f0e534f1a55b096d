// npm run chaos -- fair: a hanging provider or receiver delays its own merchant only. Of two merchants with a
// provider each, the first one's wait for the outcome of a lost response, for a scheduled charge and for a callback is
// measured, alone and while the second has hundreds of the same pending at a provider or receiver that hangs. Both
// receivers share one address, like those of a shop platform.
//   --open 500   pending operations of the second merchant   --seed N
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { dataFolder } from '../../scripts/project.ts';
import type { Changes } from '../support/merchant.ts';
import { newCard } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type Draw, random } from './seeded-random.ts';

/** Maximum slowdown of the first merchant while the second's provider hangs. */
const slowdownMax = 1.5;
/** Differences below this are noise: two ticks of a job loop and the disk. */
const noiseMilliseconds = 700;
const patienceSeconds = 180;
/** Measurements of the first merchant per case. */
const measured = 10;
/** Concurrent requests of the second merchant. */
const atOnce = 20;

type Shops = Awaited<ReturnType<typeof createMerchants>>;
type Shop = Shops['one'];

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));
const medianOf = (values: number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Creates the two merchants. */
async function createMerchants(environment: Environment, draw: Draw) {
  const [{ cardMerchant }, { startStuckProvider }] = await Promise.all([
    import('../support/card-merchant.ts'),
    import('../support/stuck-provider.ts'),
  ]);
  const url = environment.apps[0]?.url ?? '';
  const createShop = async () => {
    const provider = await startStuckProvider('approved', 'approved');
    const credentials = { key: randomUUID(), password: randomUUID(), digest: 'md5' as const };
    const card = () => ({ card_number: newCard(draw), order_currency: 'USD' });
    const merchant = cardMerchant(url, credentials, environment.shopServer);
    const sell = (more: Changes = {}) => merchant.sell({ ...card(), ...more });
    return { provider, credentials, merchant, sell };
  };
  const [one, other] = await Promise.all([createShop(), createShop()]);
  const seed = join(dataFolder, 'chaos', 'fair', 'merchants.mjs');
  await bundle('e2e/bench/seed.ts', seed);
  const merchants = [one, other].map(({ credentials, provider }) => ({
    ...credentials,
    callbackUrl: null,
    providerUrl: provider.url,
    protocols: ['s2s_card'],
    operations: ['purchase', 'recurring'],
  }));
  const settings = { ...environment.settings, PORT: '1', BASE_URL: url };
  await run(process.execPath, [seed], { ...settings, BENCH_MERCHANTS: JSON.stringify(merchants) });
  return { one, other };
}

/** Runs `work` `count` times with limited concurrency. */
async function times<T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const next = Math.min(atOnce, count - done.length);
    done.push(...(await Promise.all(Array.from({ length: next }, (_, place) => work(done.length + place)))));
  }
  return done;
}

/** Polls until there is a result; returns undefined after the timeout. */
async function until<T>(find: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() > end) return found;
    await pause(0.02);
  }
}

const beganSql = 'select id, extract(epoch from created_at) * 1000 as at from payments where order_number = $1';

/** Milliseconds from `began` until each of these payments matches the condition. */
async function untilPayments(
  environment: Environment,
  began: number,
  ids: string[],
  column: 'id' | 'subscription_id',
  condition: string,
): Promise<number> {
  const sql = `select extract(epoch from max(t.finished_at)) * 1000 as at, count(distinct p.id)::int as count
    from payments p join transactions t on t.payment_id = p.id where p.${column} = any($1::uuid[]) and ${condition}`;
  const all = await until(async () => {
    const [row] = await environment.query(sql, [ids]);
    return row.count >= ids.length ? Number(row.at) : undefined;
  });
  return all === undefined ? patienceSeconds * 1000 : all - began;
}

/** Milliseconds that the first merchant waits, and the number of hanging operations of the second. */
type Compared = { alone: number; withHanging: number; hung: number };

/** A lost response: the provider executes the request and does not answer. */
async function lostAnswers(environment: Environment, { one, other }: Shops, open: number): Promise<Compared> {
  const measure = async () => {
    one.provider.behaves('error', 'approved');
    const waits: number[] = [];
    // One by one, so that each wait begins when its response is lost.
    await times(measured, async () => {
      const { orderId } = await one.sell();
      const [{ id, at }] = await environment.query(beganSql, [orderId]);
      waits.push(await untilPayments(environment, Number(at), [id], 'id', "p.state = 'settled'"));
    });
    return medianOf(waits);
  };
  const alone = await measure();
  other.provider.behaves('error', 'hang');
  await times(open, () => other.sell());
  await until(() => (other.provider.hung() > 0 ? true : undefined));
  const withHanging = await measure();
  other.provider.behaves('approved', 'approved');
  return { alone, withHanging, hung: other.provider.hung() };
}

/** A scheduled charge. */
async function schedules(environment: Environment, { one, other }: Shops, open: number): Promise<Compared> {
  for (const { provider } of [one, other]) provider.behaves('approved', 'approved');
  const subscribe = async ({ merchant, sell }: Shop, count: number): Promise<string[]> => {
    const plan = { name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 3 };
    const { body } = await merchant.schedule('CREATE_SCHEDULE', plan);
    await times(count, () => sell({ recurring_init: 'Y', schedule_id: body.schedule_id }));
    const rows = await environment.query('select id from subscriptions where schedule_id = $1', [body.schedule_id]);
    return rows.map(({ id }) => id);
  };
  // Moves the first charge from tomorrow to now.
  const makeDue = async (ids: string[]) => {
    await environment.query('update subscriptions set first_date = current_date, due_at = now() where id = any($1)', [
      ids,
    ]);
    return Date.now();
  };
  const [first, second, stuck] = [
    await subscribe(one, measured),
    await subscribe(one, measured),
    await subscribe(other, open),
  ];
  const before = other.provider.hung();
  const charged = (began: number, ids: string[]) =>
    untilPayments(environment, began, ids, 'subscription_id', "p.state = 'settled'");
  const alone = await charged(await makeDue(first), first);
  other.provider.behaves('hang', 'hang');
  await makeDue(stuck);
  await until(() => (other.provider.hung() > before ? true : undefined));
  const withHanging = await charged(await makeDue(second), second);
  other.provider.behaves('approved', 'approved');
  return { alone, withHanging, hung: other.provider.hung() - before };
}

const writtenSql = 'select extract(epoch from created_at) * 1000 as at from callbacks where transaction_id = $1';

/** A callback to a working receiver at an address where another receiver hangs. */
async function receivers(environment: Environment, { one, other }: Shops, open: number): Promise<Compared> {
  for (const { provider } of [one, other]) provider.behaves('approved', 'approved');
  const { shopServer } = environment;
  const measure = async () => {
    const waits = await times(measured, async () => {
      const { orderId, transId } = await one.sell();
      const arrived = await until(() => shopServer.arrived(orderId)[0]?.receivedAt);
      const [{ at }] = await environment.query(writtenSql, [transId]);
      return arrived === undefined ? patienceSeconds * 1000 : arrived - Number(at);
    });
    return medianOf(waits);
  };
  const alone = await measure();
  const orders = Array.from({ length: open }, () => `stuck-${randomUUID()}`);
  for (const order of orders) shopServer.answer(order, { hang: true });
  await times(open, (place) => other.sell({ order_id: orders[place] }));
  const hung = () => orders.filter((order) => shopServer.arrived(order).length > 0).length;
  await until(() => (hung() > 0 ? true : undefined));
  return { alone, withHanging: await measure(), hung: hung() };
}

/** Runs the test. */
async function runFairnessTest({ open, seed }: { open: number; seed: number }): Promise<Result> {
  const environment = await startEnvironment({ name: 'fair' });
  const shops = await createMerchants(environment, random(seed));
  const violations: string[] = [];
  const summary: Record<string, unknown> = { open };
  try {
    const cases = { 'a lost response': lostAnswers, 'a scheduled charge': schedules, 'a callback': receivers };
    for (const [name, measureCase] of Object.entries(cases)) {
      const { alone, withHanging, hung } = await measureCase(environment, shops, open);
      const [aloneMilliseconds, withHangingMilliseconds] = [Math.round(alone), Math.round(withHanging)];
      summary[name] = { aloneMilliseconds, withHangingMilliseconds, hung };
      console.log(`${name}: ${aloneMilliseconds} ms, ${withHangingMilliseconds} ms with ${hung} hanging`);
      if (hung === 0) violations.push(`${name}: nothing hung`);
      if (withHanging > Math.max(alone * slowdownMax, noiseMilliseconds)) {
        violations.push(
          `${name}: ${withHangingMilliseconds} ms with hanging operations instead of ${aloneMilliseconds} ms`,
        );
      }
    }
    return { violations, summary };
  } finally {
    await Promise.all(Object.values(shops).map(({ provider }) => provider.close()));
    await environment.stop();
  }
}

await command(import.meta.url, ['open'], (options, seed) =>
  runFairnessTest({ open: Number(options.open ?? 500), seed }),
);
