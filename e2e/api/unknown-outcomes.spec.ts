// A provider that fails while money may have moved: no decline is reported before it is certain, polling determines the
// outcome, and the money moves once. (Without an open page the first poll comes five seconds after the failure.)

import { textOf } from '../support/html.ts';
import { type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cardFormOf, cards, startPayer } from '../support/payer.ts';
import { authorise, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import type { Fault, Provider } from '../support/provider.ts';
import { expect } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const atOnce = testsAtOnce();

const faults: Fault['fault'][] = ['error', 'garbage', 'reset', 'hang'];
const settled = 'success sale settled';
const authorised = 'success sale pending';

type Input = { shop: Merchant; provider: Provider; fault: Fault['fault'] };

async function sale({ shop, provider, fault }: Input) {
  const number = newOrderNumber();
  await provider.fault({ fault, call: 'payment', carriedOut: true }, number);
  // The page polls at once; this poll fails, too, and prolongs the unknown state.
  await provider.fault({ fault: 'error', call: 'status' }, number);
  const { id, order, screen } = await pay(shop, cards.settled, { order: { number } });
  expect((await statusOf(shop, id)).status).toBe('prepare');
  expect(cardFormOf(screen)).toBeUndefined();
  expect(textOf(screen.html)).toContain('waiting for your bank');
  await untilStatus(shop, id, 'settled', 40);
  await expectCallbacks(shop, order, ['undefined sale prepare', settled]);
  const [payment, ...others] = await provider.journal(number);
  expect([payment?.status, payment?.calls, others]).toEqual(['approved', 1, []]);
}

async function capture({ shop, provider, fault }: Input) {
  const { id, order } = await authorise(shop);
  await provider.fault({ fault, call: 'capture', carriedOut: true }, order.number);
  const answer = await shop.capture(id);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ payment_id: id, status: 'pending', trans_status: 'UNDEFINED' });
  await untilStatus(shop, id, 'settled', 40);
  await expectCallbacks(shop, order, [authorised, 'undefined capture pending', 'success capture settled']);
  expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'capture 84.50']);
}

async function refund({ shop, provider, fault }: Input) {
  const { id, order } = await pay(shop);
  await provider.fault({ fault, call: 'refund', carriedOut: true }, order.number);
  expect((await shop.refund(id, '20.00')).status).toBe(200);
  // An amount that may have moved stays reserved until the outcome is known.
  expect((await shop.refund(id, '64.51')).body.error_code).toBe(208006);
  await expectCallbacks(shop, order, [settled, 'undefined refund settled', 'success refund settled'], 40);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 20.00']);
}

async function voidPayment({ shop, provider, fault }: Input) {
  const { id, order } = await pay(shop);
  await provider.fault({ fault, call: 'void', carriedOut: true }, order.number);
  const answer = await shop.void(id);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ payment_id: id, status: 'settled', trans_status: 'UNDEFINED' });
  await untilStatus(shop, id, 'void', 40);
  await expectCallbacks(shop, order, [settled, 'undefined void settled', 'success void void']);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'void 84.50']);
}

// In parallel, because each waits for the same five seconds.
for (const fault of faults) {
  atOnce(`${fault} after the operation was done: a sale, a capture, a refund, a void`, async ({ as, provider }) => {
    const input = { shop: as('impatient'), provider, fault };
    await Promise.all([sale, capture, refund, voidPayment].map((run) => run(input)));
  });
}

atOnce('a status call that fails changes nothing, and the next one gets the outcome', async ({ as, provider }) => {
  const shop = as('impatient');
  const number = newOrderNumber();
  await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, number);
  await provider.fault({ fault: 'garbage', call: 'status' }, number);
  const { id, order } = await pay(shop, cards.settled, { order: { number } });
  await untilStatus(shop, id, 'settled', 45);
  await expectCallbacks(shop, order, ['undefined sale prepare', settled]);
  expect(await provider.moved(number)).toEqual(['sale 84.50']);
});

atOnce('while the outcome is unknown a payment cannot be paid a second time', async ({ as, provider }) => {
  const shop = as('impatient');
  const number = newOrderNumber();
  const opened = await shop.open({ order: { number } });
  const payer = startPayer(shop.baseUrl);
  const form = await payer.visit(opened.url);
  await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, number);
  await payer.payOn(form, cards.settled);
  await payer.payOn(form, cards.settled);
  await startPayer(shop.baseUrl).payOn(form, cards.settled);
  await expectCallbacks(shop, opened.order, ['undefined sale prepare', settled], 30);
  expect(await provider.moved(number)).toEqual(['sale 84.50']);
});
