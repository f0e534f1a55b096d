// npm run test:chaos:fair: a party that hangs delays its own work only. Two merchants, each with an account at a provider of its own:
// how long the one waits for the outcome of a lost answer, for the charge of a schedule and for a callback is measured, and
// measured again while the other has hundreds of the same at a provider, or behind a receiver, that takes everything and answers
// nothing. Both receivers deployment at one address, as those of a shop platform do.
//   --open 500   how many of the other's hang   --seed N
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bundle, importTypeScript } from '../../scripts/bundle.mjs';
import { run } from '../../scripts/install.mjs';
import { dataFolder } from '../../scripts/project.mjs';
import { newCard } from './checkout-clients.mjs';
import { command } from './command.mjs';
import { startEnvironment } from './environment.mjs';
import { random } from './random.mjs';

/** How much longer the one may wait when the other hangs. */
const slowerMax = 1.5;
/** Below it a difference says nothing: two looks of a job's loop, and the disk. */
const noticedMilliseconds = 700;
const patienceSeconds = 180;
/** Of the one, each time. */
const measured = 10;
/** Requests of the other at a time. */
const atOnce = 20;

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));
const medianOf = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** The two merchants, beside the shop of the environment. */
async function createMerchants(environment, draw) {
  const { cardMerchant } = await importTypeScript('e2e/support/card-merchant.ts');
  const { startStuckProvider } = await importTypeScript('e2e/support/stuck-provider.ts');
  const shops = await Promise.all(
    ['one', 'other'].map(async (name) => {
      const provider = await startStuckProvider('approved', 'approved');
      const credentials = { key: randomUUID(), password: randomUUID(), digest: 'md5' };
      const card = () => ({ card_number: newCard(draw), order_currency: 'USD' });
      const merchant = cardMerchant(environment.apps[0].url, credentials, environment.catcher);
      const sell = (more = {}) => merchant.sell({ ...card(), ...more });
      return { name, provider, credentials, merchant, sell };
    }),
  );
  const seed = join(dataFolder, 'chaos', 'fair', 'merchants.mjs');
  await bundle('e2e/bench/seed.ts', seed);
  const merchants = shops.map(({ credentials, provider }) => ({
    ...credentials,
    callbackUrl: null,
    providerUrl: provider.url,
    protocols: ['s2s_card'],
    operations: ['purchase', 'recurring'],
  }));
  const settings = { ...environment.settings, PORT: '1', BASE_URL: environment.apps[0].url };
  await run(process.execPath, [seed], { ...settings, BENCH_MERCHANTS: JSON.stringify(merchants) });
  return Object.fromEntries(shops.map((shop) => [shop.name, shop]));
}

/** Does something so many times, some at once. */
async function times(count, work) {
  const done = [];
  while (done.length < count) {
    const next = Math.min(atOnce, count - done.length);
    done.push(...(await Promise.all(Array.from({ length: next }, (_, place) => work(done.length + place)))));
  }
  return done;
}

/** Asks until there is an answer; gives undefined after the patience is over. */
async function until(ask) {
  const end = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const found = await ask();
    if (found !== undefined || performance.now() > end) return found;
    await pause(0.02);
  }
}

const beganSql = 'select id, extract(epoch from created_at) * 1000 as at from payments where order_number = $1';

/** Milliseconds since `began` until each of these payments of the database fits. */
async function untilPayments(environment, began, ids, column, condition) {
  const sql = `select extract(epoch from max(t.finished_at)) * 1000 as at, count(distinct p.id)::int as count
    from payments p join transactions t on t.payment_id = p.id where p.${column} = any($1::uuid[]) and ${condition}`;
  const all = await until(async () => {
    const [row] = await environment.query(sql, [ids]);
    return row.count >= ids.length ? Number(row.at) : undefined;
  });
  return all === undefined ? patienceSeconds * 1000 : all - began;
}

/** The outcome of a lost answer: the order is carried out, and its answer is none. */
async function lostAnswers(environment, { one, other }, open) {
  const measure = async () => {
    one.provider.behaves('error', 'approved');
    const waits = [];
    // Each by itself, so that its wait begins when its answer was lost.
    await times(measured, async () => {
      const { orderId } = await one.sell();
      const [{ id, at }] = await environment.query(beganSql, [orderId]);
      waits.push(await untilPayments(environment, Number(at), [id], 'id', "p.state = 'settled'"));
    });
    return medianOf(waits);
  };
  const calm = await measure();
  other.provider.behaves('error', 'hang');
  await times(open, () => other.sell());
  await until(() => (other.provider.hung() > 0 ? true : undefined));
  const beside = await measure();
  other.provider.behaves('approved', 'approved');
  return { calm, beside, hung: other.provider.hung() };
}

/** The charge of a slot that falls due. */
async function schedules(environment, { one, other }, open) {
  for (const { provider } of [one, other]) provider.behaves('approved', 'approved');
  const subscribe = async ({ merchant, sell }, count) => {
    const plan = { name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 3 };
    const { body } = await merchant.schedule('CREATE_SCHEDULE', plan);
    await times(count, () => sell({ recurring_init: 'Y', schedule_id: body.schedule_id }));
    const rows = await environment.query('select id from subscriptions where schedule_id = $1', [body.schedule_id]);
    return rows.map(({ id }) => id);
  };
  // Their first slot is tomorrow; it was meant for a moment ago.
  const fallDue = async (ids) => {
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
  const charged = (began, ids) => untilPayments(environment, began, ids, 'subscription_id', "p.state = 'settled'");
  const calm = await charged(await fallDue(first), first);
  other.provider.behaves('hang', 'hang');
  await fallDue(stuck);
  await until(() => (other.provider.hung() > before ? true : undefined));
  const beside = await charged(await fallDue(second), second);
  other.provider.behaves('approved', 'approved');
  return { calm, beside, hung: other.provider.hung() - before };
}

const writtenSql = 'select extract(epoch from created_at) * 1000 as at from callbacks where transaction_id = $1';

/** A callback to one receiver of an address, where another's hang. */
async function receivers(environment, { one, other }, open) {
  for (const { provider } of [one, other]) provider.behaves('approved', 'approved');
  const { catcher } = environment;
  const measure = async () => {
    const waits = await times(measured, async () => {
      const { orderId, transId } = await one.sell();
      const arrived = await until(() => catcher.arrived(orderId)[0]?.receivedAt);
      const [{ at }] = await environment.query(writtenSql, [transId]);
      return arrived === undefined ? patienceSeconds * 1000 : arrived - Number(at);
    });
    return medianOf(waits);
  };
  const calm = await measure();
  const orders = Array.from({ length: open }, () => `stuck-${randomUUID()}`);
  for (const order of orders) catcher.answer(order, { hang: true });
  await times(open, (place) => other.sell({ order_id: orders[place] }));
  const hung = () => orders.filter((order) => catcher.arrived(order).length > 0).length;
  await until(() => (hung() > 0 ? true : undefined));
  return { calm, beside: await measure(), hung: hung() };
}

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], summary: object }>}
 */
async function runFairnessTest({ open, seed }) {
  const environment = await startEnvironment({ name: 'fair' });
  const shops = await createMerchants(environment, random(seed));
  const violations = [];
  const summary = { open };
  try {
    const works = { 'a lost answer': lostAnswers, 'the charge of a schedule': schedules, 'a callback': receivers };
    for (const [name, prove] of Object.entries(works)) {
      const { calm, beside, hung } = await prove(environment, shops, open);
      const [calmMilliseconds, besideMilliseconds] = [Math.round(calm), Math.round(beside)];
      summary[name] = { calmMilliseconds, besideMilliseconds, hung };
      console.log(`${name}: ${calmMilliseconds} ms, ${besideMilliseconds} ms beside ${hung} that hang`);
      if (hung === 0) violations.push(`${name}: nothing hung`);
      if (beside > Math.max(calm * slowerMax, noticedMilliseconds)) {
        violations.push(`${name}: ${besideMilliseconds} ms beside what hangs instead of ${calmMilliseconds} ms`);
      }
    }
    return { violations, summary };
  } finally {
    await Promise.all(Object.values(shops).map(({ provider }) => provider.close()));
    await environment.stop();
  }
}

await command(import.meta.url, (options, seed) => runFairnessTest({ open: Number(options.open ?? 500), seed }));
