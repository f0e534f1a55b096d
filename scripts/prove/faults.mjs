// npm run prove:faults: a provider and a network on their worst day. A third of all calls meets a fault that is drawn from
// the seed: no answer, a connection that breaks before or after the order was carried out, half an answer, garbage, errors,
// an order that is carried out after everybody has given up. What nobody knows has to stay unknown until the provider is
// asked; a success that comes after the books were closed raises an alert.
//   --seconds 120   --tills 8   --seed N
import { compareBooks, settleDown } from './books.mjs';
import { random } from './chance.mjs';
import { command } from './main.mjs';
import { notify } from './notify.mjs';
import { newCard, openShop } from './shop.mjs';
import { openWorld } from './world.mjs';

const rates = {
  hangBefore: 0.03,
  hangAfter: 0.05,
  resetBefore: 0.04,
  resetAfter: 0.05,
  errorBefore: 0.03,
  errorAfter: 0.05,
  garbageAfter: 0.03,
  cutAfter: 0.03,
  late: 0.02,
  slow: 0.1,
};

/**
 * Runs the proof.
 * @returns {Promise<{ violations: string[], facts: object }>}
 */
export async function proveFaults({ seconds, tills = 8, seed }) {
  const world = await openWorld({ name: 'faults', merchant: { timeoutSeconds: 2 }, faults: { seed, rates } });
  try {
    const tilling = await openShop(world, { tills, seed });
    await new Promise((wake) => setTimeout(wake, seconds * 1000));
    await tilling.stop();
    const { faults } = await world.provider.control('faults', { rates: {} });
    const calmSeconds = await settleDown(world);
    const { violations, facts } = await compareBooks(world, tilling.acknowledged);
    violations.push(...tellGuesses(world, tilling.acknowledged), ...(await proveAlert(world, seed)));
    for (const name of Object.keys(rates)) {
      if (seconds >= 30 && !faults[name]) violations.push(`the fault ${name} was never met`);
    }
    const refusals = Object.fromEntries(tilling.refusals);
    return { violations, facts: { ...facts, customers: tilling.served(), calmSeconds, faults, refusals } };
  } finally {
    await world.stop();
  }
}

// Whoever was told of a decline must not have paid: that is what an unknown outcome must never be called.
function tellGuesses({ provider }, acknowledged) {
  const taken = new Set(
    provider
      .journal()
      .filter(({ kind, status }) => kind === 'payment' && (status === 'approved' || status === 'authorized'))
      .map(({ key }) => key),
  );
  return acknowledged
    .filter(({ action, result, transId }) => /SALE/.test(action) && result === 'DECLINED' && taken.has(transId))
    .map(({ order }) => `order ${order} was told that it is declined, and has paid`);
}

// The payer leaves a challenge, the provider calls the payment off, and settles it all the same.
async function proveAlert(world, seed) {
  const { importTypeScript } = await import('../bundle.mjs');
  const { cardMerchant } = await importTypeScript('e2e/support/card-merchant.ts');
  const [app] = world.apps;
  const merchant = cardMerchant(app.url, world.credentials, world.catcher);
  const card = newCard(random(seed));
  const sold = await merchant.sell({ order_id: `alert-${seed}`, order_amount: '50.03', card_number: card });
  const [{ mid_id: mid }] = await world.query('select mid_id from transactions where id = $1', [sold.transId]);
  const stateNow = async () =>
    (await world.query('select state::text from payments where order_number = $1', [sold.orderId]))[0].state;
  const tell = async (word, until) => {
    await world.provider.control('finish', { key: sold.transId, ...word });
    await notify(`${app.url}/notify/http/${mid}`, sold.transId);
    for (let tries = 0; tries < 50 && !(await until()); tries += 1) await new Promise((wake) => setTimeout(wake, 100));
  };
  await tell({ ok: false }, async () => (await stateNow()) === 'declined');
  await tell({ ok: true, anyway: true }, async () => hasAlert(world));
  const found = [];
  const state = await stateNow();
  if (state !== 'declined') found.push(`a late success has turned a declined payment into ${state}`);
  if (!hasAlert(world)) found.push('a late success raised no alert');
  return found;
}

const hasAlert = (world) => /ALERT: the provider settled a declined attempt/.test(world.logs());

await command(import.meta.url, (options, seed) =>
  proveFaults({ seconds: Number(options.seconds ?? 120), tills: Number(options.tills ?? 8), seed }),
);
