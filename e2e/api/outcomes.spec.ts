// What seldom happens, forced at the provider by the parameter `sandbox` and seen through the service: every payment ends
// once, in the state that the provider came to, and its merchant is told of that end exactly once, however often, how
// late and in which order the provider speaks.
import { apmStatusOf, untilApmStatus } from '../support/apm-flows';
import type { ApmMerchant } from '../support/apm-merchant';
import { messagesOf } from '../support/catcher';
import { finish } from '../support/method-flows';
import { expect, test } from '../support/test';

const ends = ['SETTLED', 'DECLINED', 'PENDING'];

const sell = (shop: ApmMerchant, brand: string, sandbox: string, changes: object = {}) =>
  shop.sell({ brand, identifier: 'ana@example.com', order_currency: 'BRL', parameters: { sandbox }, ...changes });

/** The ends that the merchant was told of, each message once. */
const told = (shop: ApmMerchant, { orderId }: { orderId: string }) =>
  messagesOf(shop.catcher.arrived(orderId))
    .map(({ fields }) => fields.status ?? '')
    .filter((status) => ends.includes(status));

const passed = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

// outcome | the answer's status, of a redirect and of a code | the end | the class of the decline
for (const [sandbox, left, shown, end] of [
  ['approve', 'SETTLED', 'SETTLED', 'SETTLED'],
  ['decline', 'DECLINED', 'DECLINED', 'DECLINED'],
  ['pending', 'PREPARE', 'REDIRECT', 'SETTLED'],
  ['rejected', 'PREPARE', 'REDIRECT', 'DECLINED'],
  ['expired', 'REDIRECT', 'REDIRECT', 'DECLINED'],
  ['duplicated', 'PREPARE', 'REDIRECT', 'SETTLED'],
  ['out_of_order', 'PREPARE', 'REDIRECT', 'SETTLED'],
] as const) {
  test(`${sandbox}: ends ${end}, told once`, async ({ apmShop }) => {
    const parameters = { sandbox, document_number: '52998224725' };
    const redirected = await sell(apmShop, 'paypal', sandbox);
    const scanned = await sell(apmShop, 'pix', sandbox, { parameters });
    expect(redirected.answer.body.status).toBe(left);
    expect(scanned.answer.body.status).toBe(shown);
    for (const sold of [redirected, scanned]) {
      await untilApmStatus(apmShop, sold, end, 30);
      await apmShop.catcher.waitFor(sold.orderId, () => told(apmShop, sold).length > 0);
    }
    // Long enough for what the provider says twice or too late to have been said.
    await passed(4);
    for (const sold of [redirected, scanned]) {
      expect(told(apmShop, sold)).toEqual([end]);
      expect(await apmStatusOf(apmShop, sold)).toMatchObject({ status: end });
    }
  });
}

test('never: stays open, and is settled all the same when the payer is heard of after all', async ({ apmShop }) => {
  const sold = await sell(apmShop, 'paypal', 'never');
  expect(sold.answer.body.status).toBe('REDIRECT');
  await passed(5);
  expect(await apmStatusOf(apmShop, sold)).toMatchObject({ status: 'REDIRECT' });
  expect(told(apmShop, sold)).toEqual([]);
  await finish(apmShop, sold.transId);
  await untilApmStatus(apmShop, sold, 'SETTLED');
});

test('late: settles without the payer', async ({ apmShop }) => {
  test.setTimeout(90_000);
  const sold = await sell(apmShop, 'paypal', 'late');
  expect(sold.answer.body.status).toBe('REDIRECT');
  await passed(38);
  expect(await apmStatusOf(apmShop, sold)).toMatchObject({ status: 'REDIRECT' });
  await untilApmStatus(apmShop, sold, 'SETTLED', 20);
  await apmShop.catcher.waitFor(sold.orderId, () => told(apmShop, sold).length > 0);
  expect(told(apmShop, sold)).toEqual(['SETTLED']);
});

test('a hold is held by the same words', async ({ apmShop }) => {
  const sold = await sell(apmShop, 'paypal', 'pending', { auth: 'Y' });
  await untilApmStatus(apmShop, sold, 'PENDING', 20);
  const { body } = await apmShop.follow('CAPTURE', sold);
  expect(body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('the bank takes back what a payer has approved in the app', async ({ apmShop }) => {
  const sold = await apmShop.sell({ brand: 'upi-2', identifier: 'ana@example.com', order_currency: 'INR' });
  await finish(apmShop, sold.transId);
  await untilApmStatus(apmShop, sold, 'SETTLED', 20);
  await finish(apmShop, sold.transId, 'chargeback');
  await untilApmStatus(apmShop, sold, 'CHARGEBACK', 20);
});

test('credentials and references reach the provider from the account', async ({ apmShop }) => {
  const prepared = await sell(apmShop, 'paycash-peru', 'never', { order_currency: 'PEN' });
  expect(JSON.stringify(prepared.answer.body)).toMatch(/"reference"/);
  const keyed = await sell(apmShop, 'trans', 'never');
  expect(keyed.answer.body).toMatchObject({ status: 'REDIRECT' });
});
