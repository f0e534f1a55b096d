// npm run chaos -- crash: kills application processes and PostgreSQL at random moments under load, then compares the
// provider's journal with the database and the clients' responses. A process is also stopped for a minute between
// writing an attempt and learning that it is written; on resuming it must not continue what another process has taken
// over. Meanwhile portal actions and chargebacks happen at the provider, and their notifications meet killed processes.
//   --app-kills 100   --database-kills 20   --freezes 5   --frozen 60   --clients 8   --seed N
// Exits with 1 if there is a violation.

import { startCheckoutClients } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { checkConsistency, waitUntilIdle } from './consistency.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { actAtPortal } from './portal.ts';
import { type Draw, oneOf, random } from './seeded-random.ts';

/** Maximum recovery time, counted from when the database accepts connections. */
const backSecondsMax = 5;

/** Slow responses widen the window that a kill hits; the other faults are those of a real provider. */
const faults = { slow: 0.3, hangAfter: 0.01, resetAfter: 0.02, resetBefore: 0.02, errorAfter: 0.01 };

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

type Choice = {
  appKills: number;
  databaseKills: number;
  freezes?: number;
  frozen?: number;
  clients?: number;
  seed: number;
  timed?: boolean;
};

/** Runs the test. */
export async function runCrashTest({
  appKills,
  databaseKills,
  freezes = 0,
  frozen = 60,
  clients = 8,
  seed,
  timed = true,
}: Choice): Promise<Result> {
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
    const backSeconds: number[] = [];
    let frozenAtWrite = 0;
    const portal = actAtPortal({ environment, draw: random(seed + 1), isOver: () => actions.length === 0 });
    await pause(1.5);
    while (actions.length > 0) {
      const [action] = actions.splice(Math.floor(draw() * actions.length), 1);
      if (action === 'app') await killApp(environment, draw);
      else if (action === 'freeze') frozenAtWrite += Number(await freezeApp(environment, frozen));
      else backSeconds.push(await killDatabase(environment, draw));
      await pause(0.2 + draw() * 1.5);
    }
    await traffic.stop();
    const portalActions = await portal;
    const idleAfterSeconds = await waitUntilIdle(environment, 180);
    // What a stopped process had begun may stay open that much longer.
    const { violations, summary } = await checkConsistency(environment, traffic.acknowledged, freezes > 0 ? frozen : 0);
    const slowest = Math.max(0, ...backSeconds);
    if (timed && slowest > backSecondsMax)
      violations.push(`the application was back ${slowest.toFixed(1)} s after the database`);
    if (freezes > 0 && frozenAtWrite === 0) violations.push('no process was stopped after the write of an attempt');
    const details = { ...summary, customers: traffic.served(), idleAfterSeconds, slowestBackSeconds: slowest };
    return {
      violations,
      summary: {
        appKills,
        databaseKills,
        freezes,
        frozenAtWrite,
        portalActions,
        ...details,
        refusals: Object.fromEntries(traffic.refusals),
      },
    };
  } finally {
    await environment.stop();
  }
}

async function killApp({ apps }: Environment, draw: Draw) {
  const app = oneOf(draw, apps);
  await app.kill();
  await pause(draw() * 0.5);
  await app.start();
}

/**
 * Stops the first process between the write of an attempt and the provider call, and resumes it later. False: it wrote
 * no attempt within 20 seconds and was stopped elsewhere.
 */
async function freezeApp({ apps: [app], slow }: Environment, frozen: number): Promise<boolean> {
  if (!app || !slow) throw new Error('freezes need a slow database');
  const written = slow.hold('payments-create-direct').then(() => true);
  const caught = await Promise.race([written, pause(20).then(() => false)]);
  app.signal('SIGSTOP');
  slow.release();
  await pause(frozen);
  app.signal('SIGCONT');
  return caught;
}

async function killDatabase({ apps, database }: Environment, draw: Draw): Promise<number> {
  await database.kill();
  await pause(draw());
  await database.start();
  return Math.max(...(await Promise.all(apps.map((app) => app.answers(60)))));
}

await command(import.meta.url, ['app-kills', 'database-kills', 'freezes', 'frozen', 'clients'], (options, seed) =>
  runCrashTest({
    appKills: Number(options['app-kills'] ?? 100),
    databaseKills: Number(options['database-kills'] ?? 20),
    freezes: Number(options.freezes ?? 5),
    frozen: Number(options.frozen ?? 60),
    clients: Number(options.clients ?? 8),
    seed,
  }),
);
