// Processes whose clocks differ (findings B1 S30 and M6): no age and no order of attempts goes by the clock of one process.
import { type Adversary, startAdversary } from '../support/adversary';
import { expectCardCallbacks, untilCardStatus } from '../support/card-flows';
import { cardMerchant } from '../support/card-merchant';
import { newOrderNumber } from '../support/merchant';
import { merchants, worldPorts } from '../support/merchants';
import { skewed } from '../support/skewed-clock';
import { expect, test } from '../support/test';
import { startVictim } from '../support/victim';
import { booksOf, expectConsistent, expectTrueBooks } from '../support/world';

// One worker for all of them, because there is one port.
test.describe.configure({ mode: 'default' });

let bank: Adversary;
test.beforeAll(async () => {
  bank = await startAdversary(worldPorts.clock);
});
test.afterAll(() => bank.close());

test('B1 S30: a process whose clock is two minutes ahead gives nothing up early', async ({ cardAs }) => {
  const shop = cardAs('clockWorldPatient');
  const ahead = await startVictim({ ...skewed(120), JOBS: 'on' });
  try {
    const orders = Array.from({ length: 8 }, newOrderNumber);
    const sold = await Promise.all(
      orders.map((order_id) => {
        // What is under way for seconds is looked at by the process that thinks it two minutes old.
        bank.on(order_id, 'a payment', { held: 4000 });
        return shop.sell({ order_id });
      }),
    );
    for (const each of sold) expectConsistent(each.answer.body);
    for (const order of orders) expect(bank.moved(order), order).toEqual(['a sale 8450']);
    for (const each of sold) await untilCardStatus(shop, each, 'SETTLED');
    for (const order of orders) expect(await booksOf(order)).toBe(8450);
    await expectCardCallbacks(shop, sold[0] as (typeof sold)[0], ['SALE SUCCESS SETTLED']);
  } finally {
    await ahead.kill();
  }
});

for (const [seconds, where] of [
  [2, 'ahead'],
  [-2, 'behind'],
  [20, 'ahead'],
] as const) {
  test(`M6 S58b: declined at a process ${Math.abs(seconds)} s ${where}, retried at another, refunded`, async ({
    catcher,
    cardAs,
  }) => {
    const shop = cardAs('clockWorldAlone');
    const other = await startVictim(skewed(seconds));
    try {
      const [declining, retrying] = [cardMerchant(other.url, merchants.clockWorldAlone, catcher), shop];
      const [first, second] = seconds > 0 ? [declining, retrying] : [retrying, declining];
      const order_id = newOrderNumber();
      bank.on(order_id, 'payment', { says: 'declined' });
      const sold = await first.sell({ order_id });
      expect(sold.answer.body.result).toBe('DECLINED');
      expect((await second.follow('RETRY', sold)).body.result).toBe('ACCEPTED');
      await untilCardStatus(shop, sold, 'SETTLED');
      const [, approved] = bank.arrived(order_id, 'payment').map(({ key }) => key);
      expect((await shop.follow('CREDITVOID', sold, { amount: '20.00' })).body.result).toBe('ACCEPTED');
      await expect.poll(() => bank.moved(order_id)).toEqual(['a sale 8450', 'a refund -2000']);
      const [refund] = bank.arrived(order_id, 'refund');
      expect(refund?.path.split('/')[3], 'the attempt that was given back').toBe(approved);
      await expectCardCallbacks(shop, sold, [
        'SALE DECLINED DECLINED',
        'SALE SUCCESS SETTLED',
        'CREDITVOID SUCCESS SETTLED',
      ]);
      await expectTrueBooks(bank, order_id);
    } finally {
      await other.kill();
    }
  });
}
