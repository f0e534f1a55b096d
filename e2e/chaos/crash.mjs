// npm run test:chaos:crash: kills application processes and PostgreSQL without warning, at moments that nobody has chosen, while
// a shop is selling; then compares what the provider did with what the books say and what the shop was told. A process is also
// stopped when it has written an attempt down and does not know it yet, for a minute, and goes on as if nothing had been: what
// another has taken over by then is not its own any more. All the while the provider's people and payers' banks act by
// themselves, and their notifications meet processes that are being killed.
//   --app-kills 100   --database-kills 20   --freezes 5   --frozen 60   --clients 8   --seed N
// Ends with 1 when there is a violation.

import { startCheckoutClients } from './checkout-clients.mjs';
import { command } from './command.mjs';
import { checkConsistency, waitUntilIdle } from './consistency.mjs';
import { startEnvironment } from './environment.mjs';
import { actAtPortal } from './portal.mjs';
import { random } from './random.mjs';

/** From the moment on that the database takes connections. */
const backSecondsMax = 5;

/** Slow answers spread what a kill meets; the rest is what providers do on a bad day. */
const faults = { slow: 0.3, hangAfter: 0.01, resetAfter: 0.02, resetBefore: 0.02, errorAfter: 0.01 };

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], summary: object }>}
 */
export async function runCrashTest({
  appKills,
  databaseKills,
  freezes = 0,
  frozen = 60,
  clients = 8,
  seed,
  timed = true,
}) {
  const draw = random(seed);
  const merchant = { timeoutSeconds: 3, accounts: 2 };
  const environment = await startEnvironment({
    name: 'crash',
    merchant,
    faults: { seed, rates: faults },
    withSlowDatabase: freezes > 0,
  });
  try {
    const traffic = await startCheckoutClients(environment, { clients, seed });
    const actions = [
      ...Array(appKills).fill('app'),
      ...Array(databaseKills).fill('database'),
      ...Array(freezes).fill('freeze'),
    ];
    const backSeconds = [];
    const portal = actAtPortal({ environment, draw: random(seed + 1), isOver: () => actions.length === 0 });
    await pause(1.5);
    while (actions.length > 0) {
      const [action] = actions.splice(Math.floor(draw() * actions.length), 1);
      if (action === 'app') await killApp(environment, draw);
      else if (action === 'freeze') await freezeApp(environment, frozen);
      else backSeconds.push(await killDatabase(environment, draw));
      await pause(0.2 + draw() * 1.5);
    }
    await traffic.stop();
    const portalActions = await portal;
    const idleAfterSeconds = await waitUntilIdle(environment, 180);
    // What a process that was stopped had begun may be open for that much longer.
    const { violations, summary } = await checkConsistency(environment, traffic.acknowledged, freezes > 0 ? frozen : 0);
    const slowest = Math.max(0, ...backSeconds);
    if (timed && slowest > backSecondsMax)
      violations.push(`the application was back ${slowest.toFixed(1)} s after the database`);
    const told = { ...summary, customers: traffic.served(), idleAfterSeconds, slowestBackSeconds: slowest };
    return {
      violations,
      summary: {
        appKills,
        databaseKills,
        freezes,
        portalActions,
        ...told,
        refusals: Object.fromEntries(traffic.refusals),
      },
    };
  } finally {
    await environment.stop();
  }
}

async function killApp({ apps }, draw) {
  const app = apps[Math.floor(draw() * apps.length)];
  await app.kill();
  await pause(draw() * 0.5);
  await app.start();
}

/** Stops the first process between the row of an attempt and its call, and lets it go on later. */
async function freezeApp({ apps: [app], slow }, frozen) {
  await Promise.race([slow.hold('payment-open-tried'), pause(20)]);
  app.signal('SIGSTOP');
  slow.release();
  await pause(frozen);
  app.signal('SIGCONT');
}

async function killDatabase({ apps, database }, draw) {
  await database.kill();
  await pause(draw());
  await database.start();
  return Math.max(...(await Promise.all(apps.map((app) => app.answers(60)))));
}

await command(import.meta.url, (options, seed) =>
  runCrashTest({
    appKills: Number(options['app-kills'] ?? 100),
    databaseKills: Number(options['database-kills'] ?? 20),
    freezes: Number(options.freezes ?? 5),
    frozen: Number(options.frozen ?? 60),
    clients: Number(options.clients ?? 8),
    seed,
  }),
);
