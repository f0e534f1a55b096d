// Time and payments of S2S APM: the window of repeats, and the expiry of codes and quotes.

import { finish } from '../support/method-flows.ts';
import { s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

test('after fifteen seconds a repeat is a duplicate, and a declined order may be retried', async ({
  apmShop,
  clock,
  provider,
}) => {
  const settled = apmShop.signed(apmShop.chargeBody('SALE'));
  const first = await apmShop.post(settled);
  const declined = apmShop.signed(apmShop.chargeBody('SALE', { identifier: 'fail@gmail.com' }));
  expect((await apmShop.post(declined)).body.status).toBe('DECLINED');
  // On a busy machine a part of the fifteen seconds passes in real time.
  await clock.advance(5);
  expect((await apmShop.post(settled)).body).toEqual(first.body);
  await clock.advance(11);
  const late = await apmShop.post(settled);
  expect([late.status, late.body.error_message]).toEqual([400, 'order_id: Duplicate payment.']);
  expect(await provider.journal(String(settled.order_id))).toHaveLength(1);
  const again = await apmShop.charge('SALE', { order_id: declined.order_id });
  expect(again.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('a calculated debit can be run later, unless another payment uses its order number', async ({ apmAs, clock }) => {
  const shop = apmAs('payerBears');
  const [calculated, reused] = [await shop.sell({}, 'DEBIT2VIRTUAL_CALC'), await shop.sell({}, 'DEBIT2VIRTUAL_CALC')];
  await clock.advance(3600);
  expect((await shop.follow('DEBIT2VIRTUAL_COMPLETE', calculated)).body).toMatchObject({
    status: 'SETTLED',
    total_amount: calculated.answer.body.total_amount,
  });
  expect((await shop.charge('DEBIT2VIRTUAL', { order_id: reused.orderId })).body.status).toBe('SETTLED');
  const { status, body } = await shop.follow('DEBIT2VIRTUAL_COMPLETE', reused);
  expect([status, body.error_message]).toEqual([400, 'order_id: Duplicate payment.']);
});

test('a code that is not scanned expires, and one that was scanned in time does not', async ({ apmShop, clock }) => {
  const ips = { brand: 'ips', identifier: 'ana' };
  const [unscanned, paid] = [await apmShop.sell(ips), await apmShop.sell(ips)];
  await finish(apmShop, paid.transId);
  await clock.advance(3 * 3600);
  await untilS2sStatus(apmShop, unscanned, 'DECLINED');
  expect((await s2sStatusOf(apmShop, paid)).status).toBe('SETTLED');
});
