// npm run prove:callbacks: as many callbacks as asked for, to shops that are good, forgetful, slow or dead, while the
// processes that deliver them are killed. None may be lost, those of a payment keep their order, and a shop that does not
// answer does not make the others wait. Then an address is held back and let go on, and what had failed is sent again.
//   --callbacks 100000   --app-kills 10   --seed N
import { compareBooks, settleDown } from './books.mjs';
import { random } from './chance.mjs';
import { command } from './main.mjs';
import { startReceivers } from './receivers.mjs';
import { openShop } from './shop.mjs';
import { openWorld } from './world.mjs';

/** How much longer callbacks of good shops may take when others hang. */
const slowerMax = 1.5;
/** Below it a difference says nothing: a tick of the loop and the disk. */
const noticedMilliseconds = 400;
const patienceSeconds = 900;

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/** The number of callbacks so far, and of those that are still to be delivered to shops of some kinds. */
async function count(world, addresses) {
  const [row] = await world.query(
    `select count(*)::int as all,
            count(*) filter (where state = 'waiting' and not (address = any($1)))::int as open from callbacks`,
    [addresses],
  );
  return row;
}

/** Sells until there are so many callbacks; gives the milliseconds that those of good shops took, sorted. */
async function phase(world, receivers, { wanted, seed, kills, draw }) {
  const since = new Date();
  const { all: before } = await count(world, []);
  const tilling = await openShop({ ...world, catcher: receivers }, { tills: 16, seed });
  let left = kills;
  for (;;) {
    const { all } = await count(world, []);
    if (all - before >= wanted) break;
    if (left > 0 && draw() < 0.5) {
      left -= 1;
      const app = world.apps[Math.floor(draw() * world.apps.length)];
      await app.kill();
      await app.start();
    }
    await pause(0.3);
  }
  await tilling.stop();
  const rows = await world.query(
    `select p.order_number as order, c.sequence, c.created_at as at from callbacks c join payments p on p.id = c.payment_id
      where c.created_at >= $1`,
    [since],
  );
  // Whoever has forgotten one takes it now: the plan of tries would make the proof wait for minutes.
  receivers.heal('flaky');
  await hurry(world, receivers.addresses('flaky'));
  const until = performance.now() + patienceSeconds * 1000;
  const dead = receivers.addresses('hanging');
  while ((await count(world, dead)).open > 0 && performance.now() < until) await pause(0.5);
  return { acknowledged: tilling.acknowledged, took: tookOf(rows, receivers) };
}

async function hurry(world, addresses) {
  const sql = `update callbacks set due_at = now() where state = 'waiting' and attempts > 0 and address = any($1)`;
  await world.query(sql, [addresses]);
}

function tookOf(rows, receivers) {
  const took = [];
  for (const { order, sequence, at } of rows) {
    const first = receivers.arrived(order).find((each) => each.sequence === sequence);
    if (first?.kind === 'good') took.push(first.at - at.getTime());
  }
  return took.sort((one, other) => one - other);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], facts: object }>}
 */
export async function proveCallbacks({ callbacks, appKills, seed, timed = true }) {
  const draw = random(seed);
  const world = await openWorld({ name: 'callbacks', merchant: { timeoutSeconds: 5 } });
  const receivers = await startReceivers({ good: 12, flaky: 3, slow: 2, hanging: 1 }, seed);
  try {
    receivers.heal('hanging');
    const share = Math.ceil(callbacks / 3);
    const calm = await phase(world, receivers, { wanted: share, seed, kills: 0, draw });
    const killed = await phase(world, receivers, { wanted: share, seed: seed + 1, kills: appKills, draw });
    const stuck = await startReceivers({ good: 12, flaky: 3, slow: 2, hanging: 1 }, seed);
    const hung = await phase(world, stuck, { wanted: share, seed: seed + 2, kills: 0, draw });
    stuck.heal('hanging');
    const violations = await letGo(world, stuck);
    const calmSeconds = await settleDown(world);
    const both = {
      ...world,
      catcher: { arrived: (order) => [...receivers.arrived(order), ...stuck.arrived(order)] },
    };
    const told = [calm, killed, hung].flatMap(({ acknowledged }) => acknowledged);
    const { violations: found, facts } = await compareBooks(both, told);
    violations.push(...found);
    const p99 = { calm: at(calm.took, 0.99), hung: at(hung.took, 0.99) };
    if (timed && p99.hung > Math.max(p99.calm * slowerMax, noticedMilliseconds)) {
      violations.push(`beside a shop that hangs the others waited ${p99.hung} ms instead of ${p99.calm} ms (p99)`);
    }
    await stuck.close();
    return { violations, facts: { ...facts, appKills, calmSeconds, p50: at(calm.took, 0.5), p99 } };
  } finally {
    await receivers.close();
    await world.stop();
  }
}

// The address that hung rests for a quarter of an hour. It is let go on at once, and again while posts that had been under
// way are still running into their time-out.
async function letGo(world, { addresses }) {
  const [dead] = addresses('hanging');
  const openNow = async () =>
    (
      await world.query(`select count(*)::int as open from callbacks where address = $1 and state = 'waiting'`, [dead])
    )[0].open;
  const waiting = await openNow();
  const until = performance.now() + 120_000;
  while ((await openNow()) > 0 && performance.now() < until) {
    await world.query('update callback_pauses set paused_until = null, timeouts = 0 where address = $1', [dead]);
    await hurry(world, [dead]);
    await pause(2);
  }
  return waiting === 0 ? ['no callback waited for the shop that hung'] : [];
}

await command(import.meta.url, (options, seed) =>
  proveCallbacks({
    callbacks: Number(options.callbacks ?? 100_000),
    appKills: Number(options['app-kills'] ?? 10),
    seed,
  }),
);
