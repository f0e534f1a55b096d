// npm run chaos -- faults: provider, network and clock faults. A third of all calls meets a fault drawn from the
// seed: no response, a connection reset before or after execution, a truncated response, garbage, errors, a request
// that arrives up to 90 seconds late, a look-up that does not find a received request. Meanwhile payments are voided,
// captured and charged back at the provider, and a process is restarted with a wrong clock. Unknown outcomes must stay
// unknown until the provider reports them; differences from the provider must be listed.
//   --seconds 120   --clients 8   --late 90   --skew 120,-120,20,-20,0   --seed N
import { newCard, startCheckoutClients } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { type Acknowledged, checkConsistency, type JournalLine, waitUntilIdle } from './consistency.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { notify } from './notify.ts';
import { actAtPortal } from './portal.ts';
import { random } from './seeded-random.ts';

const rates: Record<string, number> = {
  hangBefore: 0.03,
  hangAfter: 0.05,
  resetBefore: 0.04,
  resetAfter: 0.05,
  errorBefore: 0.03,
  errorAfter: 0.05,
  garbageAfter: 0.03,
  cutAfter: 0.03,
  late: 0.02,
  arrivesLate: 0.02,
  stray: 0.1,
  slow: 0.1,
};

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/**
 * Runs the test. `lateSeconds` is the maximum delay of a request; `skews` are the clock errors of the second process,
 * one per restart, `restartEverySeconds` apart.
 */
export async function runFaultTest({
  seconds,
  clients = 8,
  seed,
  lateSeconds = 90,
  skews = [20],
  restartEverySeconds = 40,
}: {
  seconds: number;
  clients?: number;
  seed: number;
  lateSeconds?: number;
  skews?: number[];
  restartEverySeconds?: number;
}): Promise<Result> {
  const faults = { seed, rates, lateSeconds: [lateSeconds / 2, lateSeconds] };
  const environment = await startEnvironment({ name: 'faults', merchant: { timeoutSeconds: 2, accounts: 2 }, faults });
  try {
    const traffic = await startCheckoutClients(environment, { clients, seed });
    const run = { environment, draw: random(seed + 1), ends: performance.now() + seconds * 1000 };
    const [actions, restarts] = await Promise.all([
      actAtPortal({ ...run, isOver: () => performance.now() > run.ends }),
      restartWithSkewedClocks(run, skews, restartEverySeconds),
    ]);
    await traffic.stop();
    const { faults: met, refusedLate } = await environment.provider.control('faults', { rates: {} });
    await everythingArrived(environment, lateSeconds);
    const idleAfterSeconds = await waitUntilIdle(environment, 180 + lateSeconds + Math.max(0, ...skews));
    // A process whose clock is ahead postpones its polls by that much.
    const patience = lateSeconds + Math.max(0, ...skews);
    const { violations, summary } = await checkConsistency(environment, traffic.acknowledged, patience);
    violations.push(
      ...(await findFalseDeclines(environment, traffic.acknowledged)),
      ...(await checkLateSuccess(environment, seed)),
    );
    for (const name of Object.keys(rates)) {
      if (seconds >= 30 && !met[name]) violations.push(`the fault ${name} was never met`);
    }
    const refusals = Object.fromEntries(traffic.refusals);
    const details = {
      customers: traffic.served(),
      idleAfterSeconds,
      faults: met,
      refusedLate,
      actions,
      restarts,
      refusals,
    };
    return { violations, summary: { ...summary, ...details } };
  } finally {
    await environment.stop();
  }
}

/** Restarts the second process repeatedly, each time with another clock. */
async function restartWithSkewedClocks(
  { environment, ends }: { environment: Environment; ends: number },
  skews: number[],
  restartEverySeconds: number,
) {
  const { skewed } = await import('../support/skewed-clock.ts');
  const app = environment.apps[1] as Environment['apps'][number];
  let restarts = 0;
  while (performance.now() < ends) {
    await app.kill();
    await app.start(skewed(skews[restarts % skews.length] ?? 0));
    restarts += 1;
    await pause(Math.max(0, Math.min(restartEverySeconds, (ends - performance.now()) / 1000)));
  }
  await app.kill();
  await app.start();
  return restarts;
}

async function everythingArrived({ provider }: Environment, lateSeconds: number) {
  const until = performance.now() + lateSeconds * 1000;
  while (performance.now() < until && (await provider.control('faults')).inTransit > 0) await pause(0.5);
}

// A payment with the response DECLINED must not hold money: an unknown outcome is never a decline. Late successes are
// refunded or listed as unresolved.
async function findFalseDeclines({ provider, query }: Environment, acknowledged: Acknowledged[]) {
  const rows = await query('select transaction_id from unresolved');
  const listed = new Set(rows.map(({ transaction_id }) => transaction_id));
  const last = new Map(provider.journal().map((line) => [line.key, line]));
  const hasPaid = ({ kind, status }: JournalLine) =>
    kind === 'payment' && (status === 'approved' || status === 'authorized');
  const taken = new Set([...last.values()].filter(hasPaid).map(({ key }) => key));
  return acknowledged
    .filter(({ action, result, transId }) => /SALE/.test(action) && result === 'DECLINED' && taken.has(transId))
    .filter(({ transId }) => !listed.has(transId))
    .map(({ order }) => `order ${order} got DECLINED and has paid`);
}

// The payer abandons a challenge, the provider cancels the payment and settles it nevertheless: it must be refunded.
async function checkLateSuccess(environment: Environment, seed: number): Promise<string[]> {
  const { cardMerchant } = await import('../support/card-merchant.ts');
  const { url } = environment.apps[0] as Environment['apps'][number];
  const merchant = cardMerchant(url, environment.credentials, environment.shopServer);
  const card = newCard(random(seed));
  const sold = await merchant.sell({ order_id: `late-success-${seed}`, order_amount: '50.03', card_number: card });
  const [{ mid_id: mid }] = await environment.query('select mid_id from transactions where id = $1', [sold.transId]);
  const stateNow = async () =>
    (await environment.query('select state::text from payments where order_number = $1', [sold.orderId]))[0].state;
  const finish = async (word: object, until: () => Promise<boolean>) => {
    await environment.provider.control('finish', { key: sold.transId, ...word });
    await notify(`${url}/notify/http/${mid}`, sold.transId);
    for (let attempts = 0; attempts < 100 && !(await until()); attempts += 1)
      await new Promise((wake) => setTimeout(wake, 100));
  };
  await finish({ ok: false }, async () => (await stateNow()) === 'declined');
  await finish({ ok: true, anyway: true }, async () => isRefunded(environment, sold.transId));
  const found: string[] = [];
  const state = await stateNow();
  if (state !== 'declined') found.push(`a late success has turned a declined payment into ${state}`);
  if (!isRefunded(environment, sold.transId)) found.push('a late success was not given back');
  return found;
}

const isRefunded = ({ provider }: Environment, key: string) =>
  provider
    .journal()
    .some(({ kind, original, status }) => original === key && status === 'approved' && /void|refund/.test(kind));

await command(import.meta.url, ['seconds', 'clients', 'late', 'skew'], (options, seed) =>
  runFaultTest({
    seconds: Number(options.seconds ?? 120),
    clients: Number(options.clients ?? 8),
    lateSeconds: Number(options.late ?? 90),
    skews: String(options.skew ?? '120,-120,20,-20,0')
      .split(',')
      .map(Number),
    seed,
  }),
);
