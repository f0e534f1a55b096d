// A process that is killed during a payment: it has inserted a row that becomes due, another process asks the provider,
// and the money has moved once.

import { startKillableServer } from '../support/killable-server.ts';
import { merchantClient, newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, expectCallbacks, idOf, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import type { Entry } from '../support/provider.ts';
import { expect, test } from '../support/test.ts';

test('killed during the provider request: a sale, a capture, a refund', async ({ as, shopServer, provider }) => {
  const shop = as('impatient');
  const victim = await startKillableServer();
  const victimShop = merchantClient(victim.url, shop.credentials, shopServer);
  const number = newOrderNumber();
  const authorised = await authorise(shop);
  const paid = await pay(shop);
  await provider.fault({ fault: 'hang', call: 'payment', carriedOut: true }, number);
  await provider.fault({ fault: 'hang', call: 'capture', carriedOut: true }, authorised.order.number);
  await provider.fault({ fault: 'hang', call: 'refund', carriedOut: true }, paid.order.number);

  const opened = await victimShop.open({ order: { number } });
  const payer = startPayer(victim.url);
  const form = await payer.visit(opened.url);
  const broken = [
    payer.payOn(form, cards.settled),
    victimShop.capture(authorised.id),
    victimShop.refund(paid.id, '20.00'),
  ];
  const pending = Promise.allSettled(broken);
  const references = async (kind: Entry['kind'], order: string) =>
    (await provider.journal(order)).some((entry) => entry.kind === kind);
  await expect.poll(() => references('payment', number)).toBe(true);
  await expect.poll(() => references('capture', authorised.order.number)).toBe(true);
  await expect.poll(() => references('refund', paid.order.number)).toBe(true);
  await victim.kill();
  await pending;

  const id = await idOf(shop, number);
  expect((await statusOf(shop, id)).status).toBe('prepare');
  expect((await statusOf(shop, authorised.id)).status).toBe('pending');
  await untilStatus(shop, id, 'settled', 40);
  await untilStatus(shop, authorised.id, 'settled', 40);
  await expectCallbacks(shop, opened.order, ['success sale settled']);
  await expectCallbacks(shop, authorised.order, ['success sale pending', 'success capture settled']);
  await expectCallbacks(shop, paid.order, ['success sale settled', 'success refund settled'], 40);
  expect(await provider.moved(number)).toEqual(['sale 84.50']);
  expect(await provider.moved(authorised.order.number)).toEqual(['authorize 84.50', 'capture 84.50']);
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 20.00']);
});
