// A process that is killed during a payment: it has inserted a row that becomes due, another process asks the provider,
// and the money has moved once.
import { expectCallbacks, hold, idOf, pay, statusOf, untilStatus } from '../support/flows';
import { merchantClient, newOrderNumber } from '../support/merchant';
import { cards, startPayer } from '../support/payer';
import type { Entry } from '../support/provider';
import { expect, test } from '../support/test';
import { startVictim } from '../support/victim';

test('killed during the provider request: a sale, a capture, a refund', async ({ as, catcher, provider }) => {
  const shop = as('impatient');
  const victim = await startVictim();
  const doomed = merchantClient(victim.url, shop.credentials, catcher);
  const number = newOrderNumber();
  const held = await hold(shop);
  const paid = await pay(shop);
  await provider.fault({ fault: 'hang', call: 'payment', carriedOut: true }, number);
  await provider.fault({ fault: 'hang', call: 'capture', carriedOut: true }, held.order.number);
  await provider.fault({ fault: 'hang', call: 'refund', carriedOut: true }, paid.order.number);

  const opened = await doomed.open({ order: { number } });
  const payer = startPayer(victim.url);
  const form = await payer.visit(opened.url);
  const broken = [payer.payOn(form, cards.settled), doomed.capture(held.id), doomed.refund(paid.id, '20.00')];
  const ends = Promise.allSettled(broken);
  const books = async (kind: Entry['kind'], order: string) =>
    (await provider.journal(order)).some((entry) => entry.kind === kind);
  await expect.poll(() => books('payment', number)).toBe(true);
  await expect.poll(() => books('capture', held.order.number)).toBe(true);
  await expect.poll(() => books('refund', paid.order.number)).toBe(true);
  await victim.kill();
  await ends;

  const id = await idOf(shop, number);
  expect((await statusOf(shop, id)).status).toBe('prepare');
  expect((await statusOf(shop, held.id)).status).toBe('pending');
  await untilStatus(shop, id, 'settled', 40);
  await untilStatus(shop, held.id, 'settled', 40);
  await expectCallbacks(shop, opened.order, ['success sale settled']);
  await expectCallbacks(shop, held.order, ['success sale pending', 'success capture settled']);
  await expectCallbacks(shop, paid.order, ['success sale settled', 'success refund settled'], 40);
  expect(await provider.moved(number)).toEqual(['sale 84.50']);
  expect(await provider.moved(held.order.number)).toEqual(['authorize 84.50', 'capture 84.50']);
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 20.00']);
});
