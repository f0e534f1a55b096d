// npm run prove:crash: kills application processes and PostgreSQL without warning, at moments that nobody has chosen, while
// a shop is selling; then compares what the provider did with what the books say and what the shop was told.
//   --app-kills 100   --database-kills 20   --tills 8   --seed N
// Ends with 1 when there is a violation.
import { compareBooks, settleDown } from './books.mjs';
import { random } from './chance.mjs';
import { command } from './main.mjs';
import { openShop } from './shop.mjs';
import { openWorld } from './world.mjs';

/** From the moment on that the database takes connections. */
const backSecondsMax = 5;

/** Slow answers spread what a kill meets; the rest is what providers do on a bad day. */
const faults = { slow: 0.3, hangAfter: 0.01, resetAfter: 0.02, resetBefore: 0.02, errorAfter: 0.01 };

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], facts: object }>}
 */
export async function proveCrash({ appKills, databaseKills, tills = 8, seed, timed = true }) {
  const draw = random(seed);
  const world = await openWorld({ name: 'crash', merchant: { timeoutSeconds: 3 }, faults: { seed, rates: faults } });
  try {
    const tilling = await openShop(world, { tills, seed });
    const deeds = [...Array(appKills).fill('app'), ...Array(databaseKills).fill('database')];
    const backSeconds = [];
    await pause(1.5);
    while (deeds.length > 0) {
      const [deed] = deeds.splice(Math.floor(draw() * deeds.length), 1);
      if (deed === 'app') await killApp(world, draw);
      else backSeconds.push(await killDatabase(world, draw));
      await pause(0.2 + draw() * 1.5);
    }
    await tilling.stop();
    const calmSeconds = await settleDown(world);
    const { violations, facts } = await compareBooks(world, tilling.acknowledged);
    const slowest = Math.max(0, ...backSeconds);
    if (timed && slowest > backSecondsMax)
      violations.push(`the application was back ${slowest.toFixed(1)} s after the database`);
    const told = { ...facts, customers: tilling.served(), calmSeconds, slowestBackSeconds: slowest };
    return { violations, facts: { appKills, databaseKills, ...told, refusals: Object.fromEntries(tilling.refusals) } };
  } finally {
    await world.stop();
  }
}

async function killApp({ apps }, draw) {
  const app = apps[Math.floor(draw() * apps.length)];
  await app.kill();
  await pause(draw() * 0.5);
  await app.start();
}

async function killDatabase({ apps, database }, draw) {
  await database.kill();
  await pause(draw());
  await database.start();
  return Math.max(...(await Promise.all(apps.map((app) => app.answers(60)))));
}

await command(import.meta.url, (options, seed) =>
  proveCrash({
    appKills: Number(options['app-kills'] ?? 100),
    databaseKills: Number(options['database-kills'] ?? 20),
    tills: Number(options.tills ?? 8),
    seed,
  }),
);
