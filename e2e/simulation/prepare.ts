// What the histories of one process share: the bundled service and a database with the merchants.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/project.ts';
import { random } from '../chaos/seeded-random.ts';
import { sealAccounts } from './accounts.ts';
import type { Service } from './cluster.ts';
import { openBase, pgOf, type Wire } from './database.ts';
import type { Setting } from './history.ts';
import { seedMerchants } from './merchants.ts';
import { compileService, startProcess } from './process.ts';
import { newScheduler } from './scheduler.ts';
import { cleaner, environment } from './settings.ts';

/** Opens the database and bundles the service. */
export async function prepare(): Promise<Setting> {
  // Without the scripts of the payment page no payer could pay on it, and nothing would report that.
  if (!existsSync(join(root, 'public', 'sdk', 'manifest.json')))
    throw new Error('The page is not built: npm run build');
  const code = await compileService();
  const base = await openBase();
  const scheduler = newScheduler(Date.now());
  const wire: Wire = {
    scheduler,
    fate: () => ({ there: 0, back: 0, breaks: null, epoch: 0 }),
    isLost: () => false,
    run: base.run,
    names: base.names,
    lock: { holder: null, owner: null, waiting: [], stopIdle: () => {} },
    onStatement: () => undefined,
  };
  const owner = { name: 'seed', alive: true, pausedUntil: 0, skew: 0 };
  const outside = {
    scheduler,
    draw: random(1),
    environment,
    turn: () => 0,
    modules: { pg: pgOf(owner, wire) },
    onLog: () => {},
  };
  const { loadDataKeys, seal } = startProcess<Service>(code, owner, outside);
  let isDone = false;
  // All keys exist before the first history, so that no history differs because it creates one.
  const seeded = Promise.all([seedMerchants(base, seal), sealAccounts(seal), loadDataKeys()]).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    scheduler.step();
    await new Promise((go) => setImmediate(go));
  }
  const [, sealed] = await seeded;
  return { code, base, sealed, clean: cleaner(base), realNow: Date.now };
}
