// npm run chaos -- callbacks: delivers callbacks to receivers that work, fail at times, are slow, hang or reject
// every failure, while the delivering processes are killed. Checks that none is lost, first attempts keep the order of
// their payment, a later callback overtakes a rejected one after 60 seconds and not before, repeats are byte-identical,
// and a hanging receiver does not delay the others.
//   --callbacks 100000   --app-kills 10   --seed N
import { startCheckoutClients } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { checkConsistency, waitUntilIdle } from './consistency.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { type Draw, oneOf, random } from './seeded-random.ts';

/** Maximum slowdown of working receivers' callbacks while another receiver hangs. */
const slowdownMax = 1.5;
/** Differences below this are noise: one tick of the job loop and the disk. */
const noiseMilliseconds = 400;
const patienceSeconds = 900;
/** A rejected callback blocks later ones for this long, measured at the receiver, plus or minus one second. */
const overtakeMilliseconds = 60_000;
const clockMilliseconds = 1_000;
/** Latest arrival of a success at a receiver that rejects failures: a killed process delays it by its lease of 40 s. */
const latestMilliseconds = 110_000;
const refusedPayments = 4;

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/** Counts all callbacks, and the waiting ones except those to `addresses`. */
async function count(environment: Environment, addresses: string[]): Promise<{ all: number; open: number }> {
  const [row] = await environment.query(
    `select count(*)::int as all,
            count(*) filter (where state = 'waiting' and not (address = any($1)))::int as open from callbacks`,
    [addresses],
  );
  return row;
}

/** Sells until `wanted` callbacks exist; returns the sorted delivery times of working receivers in milliseconds. */
async function phase(
  environment: Environment,
  receivers: Receivers,
  {
    wanted,
    seed,
    kills,
    draw,
    selective,
  }: { wanted: number; seed: number; kills: number; draw: Draw; selective: string[] },
) {
  const since = new Date();
  const { all: before } = await count(environment, []);
  const traffic = await startCheckoutClients(
    { ...environment, shopServer: shopServerOf(receivers) },
    { clients: 16, seed },
  );
  let left = kills;
  for (;;) {
    const { all } = await count(environment, []);
    if (all - before >= wanted) break;
    if (left > 0 && draw() < 0.5) {
      left -= 1;
      const app = oneOf(draw, environment.apps);
      await app.kill();
      await app.start();
    }
    await pause(0.3);
  }
  await traffic.stop();
  const rows = await environment.query(
    `select p.order_number as order, c.sequence, c.created_at as at from callbacks c join payments p on p.id = c.payment_id
      where c.created_at >= $1`,
    [since],
  );
  // Receivers that failed now accept: waiting for the retry schedule takes minutes.
  receivers.recover('flaky');
  await hurry(environment, receivers.addresses('flaky'));
  const until = performance.now() + patienceSeconds * 1000;
  const unresponsive = [...receivers.addresses('hanging'), ...selective];
  while ((await count(environment, unresponsive)).open > 0 && performance.now() < until) await pause(0.5);
  return { acknowledged: traffic.acknowledged, times: deliveryTimesOf(rows, receivers) };
}

async function hurry(environment: Environment, addresses: (string | undefined)[]) {
  const sql = `update callbacks set due_at = now() where state = 'waiting' and attempts > 0 and address = any($1)`;
  await environment.query(sql, [addresses]);
}

type Written = { order: string; sequence: number; at: Date };

function deliveryTimesOf(rows: Written[], receivers: Receivers): number[] {
  const times: number[] = [];
  for (const { order, sequence, at } of rows) {
    const first = receivers.arrived(order).find((each) => each.sequence === sequence);
    if (first?.kind === 'good') times.push(first.at - at.getTime());
  }
  return times.sort((one, other) => one - other);
}

// Only the addresses of a shop's server are used here.
const shopServerOf = (server: { url?: string; addressFor: (order: string) => string }) =>
  server as Environment['shopServer'];

/** Pays after a decline, at a receiver that answers 403 to every failure; returns the order numbers. */
async function payAtSelectiveReceiver(environment: Environment, receivers: Receivers): Promise<string[]> {
  const [{ merchantClient }, { startPayer }] = await Promise.all([
    import('../support/merchant.ts'),
    import('../support/payer.ts'),
  ]);
  const url = environment.apps[0]?.url ?? '';
  const shop = shopServerOf({
    url: receivers.addresses('selective')[0],
    addressFor: (order) => receivers.addressAt('selective', order),
  });
  const merchant = merchantClient(url, environment.credentials, shop);
  const orders = Array.from({ length: refusedPayments }, (_, place) => `refused-${place}`);
  const finish = async (order: string, ok: boolean) => {
    // The newest attempt waits for the payer: the bank decides and the payer returns.
    const [{ id }] = await environment.query(
      `select t.id from transactions t join payments p on p.id = t.payment_id
        where p.order_number = $1 order by t.created_at desc limit 1`,
      [order],
    );
    await environment.provider.control('finish', { key: id, ok });
    await fetch(`${url}/return/${id}`, { redirect: 'manual' });
  };
  for (const number of orders) {
    // Amounts that end in 3 get a challenge.
    const { url: page } = await merchant.open({ order: { number, amount: '50.03' } });
    const payer = startPayer(url);
    for (const ok of [false, true]) {
      await payer.pay(page, { number: '4111 1111 1111 1111', expiry: '01/38' }, 'stay');
      await finish(number, ok);
    }
  }
  return orders;
}

/** Waits for the success of an order whose failure was rejected; it is due about a minute after the rejection. */
async function checkOvertaking(receivers: Receivers, order: string): Promise<string[]> {
  const started = Date.now();
  for (;;) {
    const all = receivers.arrived(order);
    const refused = all.find(({ status }) => status === 403);
    const success = refused && all.find(({ status, sequence }) => status === 200 && sequence > refused.sequence);
    if (success && success.at - refused.at <= latestMilliseconds) return [];
    if (success)
      return [`order ${order}: the success arrived ${success.at - refused.at} ms after the rejected failure`];
    if (Date.now() - started > latestMilliseconds * 2) {
      return [`order ${order}: ${refused ? 'no success after the rejected failure' : 'its failure did not arrive'}`];
    }
    await pause(0.2);
  }
}

/** Finds repeats with another body, and callbacks delivered less than a minute after an earlier one was rejected. */
type Tried = ReturnType<Receivers['arrived']>[number];

async function checkRepeats(environment: Environment, everything: Tried[][]): Promise<string[]> {
  const rows = await environment.query('select id, payment_id as payment, sequence, created_at as at from callbacks');
  const written = new Map(rows.map((row) => [row.id, row]));
  const violations: string[] = [];
  for (const list of everything) {
    const firsts = new Map<string, Tried & { tries: Tried[] }>();
    for (const tried of list) {
      const first = firsts.get(tried.id);
      if (!first) firsts.set(tried.id, { ...tried, tries: [tried] });
      else {
        first.tries.push(tried);
        if (tried.digest !== first.digest) violations.push(`callback ${tried.id} was repeated with another body`);
      }
    }
    for (const later of firsts.values()) {
      const own = written.get(later.id);
      for (const older of firsts.values()) {
        if (written.get(older.id)?.payment !== own?.payment || older.sequence >= later.sequence) continue;
        if (older.tries.some(({ status, at }) => status === 200 && at <= later.at)) continue;
        const waited = later.at - Math.min(older.at, own.at.getTime());
        if (waited >= overtakeMilliseconds - clockMilliseconds) continue;
        violations.push(`callback ${later.id} arrived ${waited} ms after ${older.id}, which was rejected`);
      }
    }
  }
  return violations;
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

type Choice = { callbacks: number; appKills: number; seed: number; timed?: boolean };

/** Runs the test. */
export async function runCallbackTest({ callbacks, appKills, seed, timed = true }: Choice): Promise<Result> {
  const draw = random(seed);
  const environment = await startEnvironment({ name: 'callbacks', merchant: { timeoutSeconds: 5 } });
  const receivers = await startReceivers({ good: 12, flaky: 3, slow: 2, selective: 1, hanging: 1 }, seed);
  try {
    receivers.recover('hanging');
    const share = Math.ceil(callbacks / 3);
    const refused = await payAtSelectiveReceiver(environment, receivers);
    const selective = receivers.addresses('selective');
    const alone = await phase(environment, receivers, { wanted: share, seed, kills: 0, draw, selective });
    const killed = await phase(environment, receivers, {
      wanted: share,
      seed: seed + 1,
      kills: appKills,
      draw,
      selective,
    });
    const stuck = await startReceivers({ good: 12, flaky: 3, slow: 2, hanging: 1 }, seed);
    const hung = await phase(environment, stuck, { wanted: share, seed: seed + 2, kills: 0, draw, selective });
    stuck.recover('hanging');
    const violations = await releaseHungAddress(environment, stuck);
    for (const order of refused) violations.push(...(await checkOvertaking(receivers, order)));
    receivers.recover('selective');
    await hurry(environment, selective);
    const idleAfterSeconds = await waitUntilIdle(environment);
    const both = {
      ...environment,
      shopServer: { arrived: (order: string) => [...receivers.arrived(order), ...stuck.arrived(order)] },
    };
    const acknowledged = [alone, killed, hung].flatMap((part) => part.acknowledged);
    const { violations: found, summary } = await checkConsistency(both, acknowledged);
    violations.push(...found, ...(await checkRepeats(environment, [...receivers.all(), ...stuck.all()])));
    const p99 = { alone: at(alone.times, 0.99), hung: at(hung.times, 0.99) };
    if (timed && p99.hung > Math.max(p99.alone * slowdownMax, noiseMilliseconds)) {
      violations.push(`with a hanging receiver the p99 of the others is ${p99.hung} ms instead of ${p99.alone} ms`);
    }
    await stuck.close();
    return { violations, summary: { ...summary, appKills, idleAfterSeconds, p50: at(alone.times, 0.5), p99 } };
  } finally {
    await receivers.close();
    await environment.stop();
  }
}

// The address that hung is paused for 15 minutes. The pause is lifted repeatedly, because deliveries under way still
// time out.
async function releaseHungAddress(environment: Environment, { addresses }: Receivers): Promise<string[]> {
  const [hanging] = addresses('hanging');
  const openNow = async () =>
    (
      await environment.query(`select count(*)::int as open from callbacks where address = $1 and state = 'waiting'`, [
        hanging,
      ])
    )[0].open;
  const waiting = await openNow();
  const until = performance.now() + 120_000;
  while ((await openNow()) > 0 && performance.now() < until) {
    await environment.query('update callback_pauses set paused_until = null, timeouts = 0 where address = $1', [
      hanging,
    ]);
    await hurry(environment, [hanging]);
    await pause(2);
  }
  return waiting === 0 ? ['no callback waited for the hanging receiver'] : [];
}

await command(import.meta.url, ['callbacks', 'app-kills'], (options, seed) =>
  runCallbackTest({
    callbacks: Number(options.callbacks ?? 100_000),
    appKills: Number(options['app-kills'] ?? 10),
    seed,
  }),
);
