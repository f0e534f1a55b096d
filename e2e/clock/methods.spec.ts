// Time and the pages of payment methods: a code expires and is renewed, and an unconfirmed request returns the payer to
// the choice of methods.

import { finish, methodFormOf, referenceOf } from '../support/method-flows.ts';
import { formTo, startPayer } from '../support/payer.ts';
import { idOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const ips = { methods: ['ips'], order: { currency: 'RSD', amount: '1200.00' } };

test('a code is valid for a minute, then a new one is requested', async ({ as, florin, clock, provider }) => {
  const shop = as('methods');
  const { url, order } = await shop.open(ips);
  const payer = startPayer(florin);
  const fresh = await payer.submit(methodFormOf(await payer.visit(url), 'ips'));
  expect(fresh.html).toContain('/code.png');
  await clock.advance(61);
  const old = await payer.visit(url);
  expect(old.html).toContain('class="plaque"');
  expect(old.html).not.toContain('/code.png');
  const renewed = await payer.submit(formTo(old, '/renew'));
  expect(renewed.html).not.toContain('class="plaque"');
  expect(renewed.html).toContain('/code.png');
  await finish(shop, await referenceOf(provider, order.number));
  await untilStatus(shop, await idOf(shop, order.number), 'settled');
});

test('a request that the payer does not confirm expires, and the form is back', async ({ as, florin, clock }) => {
  const shop = as('methods');
  const { url, order } = await shop.open({ methods: ['jvz', 'card'], session_expiry: 60 });
  const payer = startPayer(florin);
  await payer.submit(methodFormOf(await payer.visit(url), 'jvz'));
  await clock.advance(6 * 60);
  await untilStatus(shop, await idOf(shop, order.number), 'decline');
  const page = await payer.visit(url);
  expect(methodFormOf(page, 'jvz').method).toBe('POST');
  expect(methodFormOf(page, 'card').method).toBe('POST');
});
