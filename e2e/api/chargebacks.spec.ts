// Partial chargebacks: the rest can be refunded, and a won dispute returns its amount.

import type { Merchant } from '../support/merchant.ts';
import { callbacksOf, type Paid, pay, untilStatus } from '../support/payment-flows.ts';
import type { Provider } from '../support/provider.ts';
import { describeDelivery, messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

/** The callbacks of an order once there are `count`, and the operation and reason of the last one. */
async function callbackTexts(shop: Merchant, { order }: Paid, count: number) {
  const messages = await callbacksOf(shop, order, count);
  const { operation_id: operation, reason } = messages.at(-1)?.fields ?? {};
  return { words: messagesOf(messages).map(describeDelivery), operation, reason };
}

/** A payment of 84.50 with a chargeback of 30.00. */
async function disputed(shop: Merchant, provider: Provider) {
  const paid = await pay(shop);
  const { id } = await provider.chargeback(paid.order.number, '30.00');
  await untilStatus(shop, paid.id, 'chargeback');
  const { operation } = await callbackTexts(shop, paid, 2);
  expect(operation).toBeTruthy();
  return { paid, id, operation };
}

test('the undisputed amount can be refunded, and a won dispute is subtracted', async ({ shop, provider }) => {
  const { paid, id, operation } = await disputed(shop, provider);
  expect((await shop.refund(paid.id, '54.51')).status).toBe(400);
  expect((await shop.refund(paid.id, '14.50')).status).toBe(200);
  const wanted = ['success sale settled', 'success chargeback chargeback', 'success refund chargeback'];
  expect((await callbackTexts(shop, paid, 3)).words).toEqual(wanted);
  await provider.won(paid.order.number, id);
  await untilStatus(shop, paid.id, 'settled');
  expect(await callbackTexts(shop, paid, 4)).toEqual({
    words: [...wanted, 'fail chargeback settled'],
    operation,
    reason: 'The dispute was won',
  });
  // The formerly disputed amount can be refunded again, and no more than that.
  expect((await shop.refund(paid.id, '70.01')).status).toBe(400);
  expect((await shop.refund(paid.id, '70.00')).status).toBe(200);
  await untilStatus(shop, paid.id, 'refund');
});

test('a payment stays disputed until its last dispute is won', async ({ shop, provider }) => {
  const { paid, id } = await disputed(shop, provider);
  const second = await provider.chargeback(paid.order.number, '20.00');
  await callbackTexts(shop, paid, 3);
  await provider.won(paid.order.number, id);
  expect((await callbackTexts(shop, paid, 4)).words.at(-1)).toBe('fail chargeback chargeback');
  await provider.won(paid.order.number, second.id);
  expect((await callbackTexts(shop, paid, 5)).words.at(-1)).toBe('fail chargeback settled');
});
