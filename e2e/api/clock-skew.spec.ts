// Processes whose clocks differ: the order of attempts depends on no process's clock.

import { cardMerchant } from '../support/card-merchant.ts';
import { callbackSummaries, expectLedgerMatches } from '../support/consistency.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { merchants, scriptedProviderPorts } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { idOf, statusOf, untilStatus } from '../support/payment-flows.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { skewed } from '../support/skewed-clock.ts';
import { expect, test } from '../support/test.ts';

// All tests share one port, so one worker runs them.
test.describe.configure({ mode: 'default' });

let bank: ScriptedProvider;
test.beforeAll(async () => {
  bank = await startScriptedProvider(scriptedProviderPorts.clock);
});
test.afterAll(() => bank.close());

for (const [seconds, where] of [
  [2, 'ahead'],
  [-2, 'behind'],
  [20, 'ahead'],
] as const) {
  test(`declined at a process ${Math.abs(seconds)} s ${where}, retried at another, refunded`, async ({
    shopServer,
    cardAs,
  }) => {
    const shop = cardAs('clockProviderAlone');
    const other = await startKillableServer(skewed(seconds));
    try {
      const [declining, retrying] = [cardMerchant(other.url, merchants.clockProviderAlone, shopServer), shop];
      const [first, second] = seconds > 0 ? [declining, retrying] : [retrying, declining];
      const order_id = newOrderNumber();
      bank.on(order_id, 'payment', { says: 'declined' });
      const sold = await first.sell({ order_id });
      expect(sold.answer.body.result).toBe('DECLINED');
      expect((await second.follow('RETRY', sold)).body.result).toBe('ACCEPTED');
      await untilS2sStatus(shop, sold, 'SETTLED');
      const [, approved] = bank.arrived(order_id, 'payment').map(({ key }) => key);
      expect((await shop.follow('CREDITVOID', sold, { amount: '20.00' })).body.result).toBe('ACCEPTED');
      await expect.poll(() => bank.moved(order_id)).toEqual(['a sale 8450', 'a refund -2000']);
      const [refund] = bank.arrived(order_id, 'refund');
      expect(refund?.path.split('/')[3], 'the refunded attempt').toBe(approved);
      await expectS2sCallbacks(
        shop,
        sold,
        ['SALE DECLINED DECLINED', 'SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED'],
        40,
      );
      await expectLedgerMatches(bank, order_id);
    } finally {
      await other.kill();
    }
  });
}

test('notifications that wait for a hanging provider do not delay other accounts', async ({ cardAs, florin }) => {
  const [stuck, shop] = [cardAs('clockProviderPatient'), cardAs('clockProviderAlone')];
  const chargedBack = async (merchant: typeof shop) => {
    const { orderId } = await merchant.sell();
    bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
    return orderId;
  };
  const orders = await Promise.all(Array.from({ length: 55 }, () => chargedBack(stuck)));
  for (const order of orders) bank.on(order, 'look-up', { lost: 'hang', stays: true });
  await Promise.all(orders.map((order) => bank.notify(order, florin)));
  const statusRequests = () => orders.reduce((sum, order) => sum + bank.arrived(order, 'look-up').length, 0);
  // A job makes the second status request of each.
  await expect.poll(statusRequests).toBeGreaterThanOrEqual(105);
  const order = await chargedBack(shop);
  bank.on(order, 'look-up', { never: 503 });
  const began = performance.now();
  await bank.notify(order, florin);
  await expect.poll(() => callbackSummaries(shop, order)).toContain('CHARGEBACK SUCCESS CHARGEBACK');
  // The job's own pause is four seconds.
  expect(performance.now() - began).toBeLessThan(9000);
});

test('the payment page of a process whose clock is wrong makes no attempt, and another process takes the same form', async ({
  as,
}) => {
  const shop = as('plain');
  const wrong = await startKillableServer(skewed(40));
  try {
    const { url, order } = await shop.open();
    const path = new URL(url).pathname;
    const payer = startPayer(wrong.url);
    const form = await payer.visit(`${wrong.url}${path}`);
    const refused = await payer.payOn(form, cards.settled);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('There is nothing wrong with your card');
    expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('prepare');
    const other = startPayer(shop.baseUrl);
    await other.payOn(await other.visit(url), cards.settled);
    await untilStatus(shop, await idOf(shop, order.number), 'settled');
  } finally {
    await wrong.kill();
  }
});
