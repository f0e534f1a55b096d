// Rare outcomes, forced at the provider by the parameter `sandbox`: every payment ends once, in the provider's final
// state, and its merchant gets one report of the end, however often, late or out of order the provider reports.
import type { ApmMerchant } from '../support/apm-merchant.ts';
import { finish } from '../support/method-flows.ts';
import { s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const atOnce = testsAtOnce();

const ends = ['SETTLED', 'DECLINED', 'PENDING'];

const sell = (shop: ApmMerchant, brand: string, sandbox: string, changes: object = {}) =>
  shop.sell({ brand, identifier: 'ana@example.com', order_currency: 'BRL', parameters: { sandbox }, ...changes });

/** The final states that the merchant received, each message once. */
const finalStatesOf = (shop: ApmMerchant, { orderId }: { orderId: string }) =>
  messagesOf(shop.shopServer.arrived(orderId))
    .map(({ fields }) => fields.status ?? '')
    .filter((status) => ends.includes(status));

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// outcome | the answer's status for a redirect and for a code | the final state | the class of the decline
for (const [sandbox, ofRedirect, ofCode, end] of [
  ['approve', 'SETTLED', 'SETTLED', 'SETTLED'],
  ['decline', 'DECLINED', 'DECLINED', 'DECLINED'],
  ['pending', 'PREPARE', 'REDIRECT', 'SETTLED'],
  ['rejected', 'PREPARE', 'REDIRECT', 'DECLINED'],
  ['expired', 'REDIRECT', 'REDIRECT', 'DECLINED'],
  ['duplicated', 'PREPARE', 'REDIRECT', 'SETTLED'],
  ['out_of_order', 'PREPARE', 'REDIRECT', 'SETTLED'],
] as const) {
  atOnce(`${sandbox}: ends ${end}, reported once`, async ({ apmShop }) => {
    const parameters = { sandbox, document_number: '52998224725' };
    const redirected = await sell(apmShop, 'paypal', sandbox);
    const scanned = await sell(apmShop, 'pix', sandbox, { parameters });
    expect(redirected.answer.body.status).toBe(ofRedirect);
    expect(scanned.answer.body.status).toBe(ofCode);
    for (const sold of [redirected, scanned]) {
      await untilS2sStatus(apmShop, sold, end);
      await apmShop.shopServer.waitFor(sold.orderId, () => finalStatesOf(apmShop, sold).length > 0);
    }
    // Waits longer than the provider's repeated and late notifications take.
    await wait(4);
    for (const sold of [redirected, scanned]) {
      expect(finalStatesOf(apmShop, sold)).toEqual([end]);
      expect(await s2sStatusOf(apmShop, sold)).toMatchObject({ status: end });
    }
  });
}

atOnce('never: stays open, and settles when the payer acts after all', async ({ apmShop }) => {
  const sold = await sell(apmShop, 'paypal', 'never');
  expect(sold.answer.body.status).toBe('REDIRECT');
  await wait(5);
  expect(await s2sStatusOf(apmShop, sold)).toMatchObject({ status: 'REDIRECT' });
  expect(finalStatesOf(apmShop, sold)).toEqual([]);
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
});

atOnce('late: settles without the payer', async ({ apmShop }) => {
  const sold = await sell(apmShop, 'paypal', 'late');
  expect(sold.answer.body.status).toBe('REDIRECT');
  await wait(38);
  expect(await s2sStatusOf(apmShop, sold)).toMatchObject({ status: 'REDIRECT' });
  await untilS2sStatus(apmShop, sold, 'SETTLED');
  await apmShop.shopServer.waitFor(sold.orderId, () => finalStatesOf(apmShop, sold).length > 0);
  expect(finalStatesOf(apmShop, sold)).toEqual(['SETTLED']);
});

test('the same outcomes apply to an authorisation', async ({ apmShop }) => {
  const sold = await sell(apmShop, 'paypal', 'pending', { auth: 'Y' });
  await untilS2sStatus(apmShop, sold, 'PENDING');
  const { body } = await apmShop.follow('CAPTURE', sold);
  expect(body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('the bank reverses a payment that the payer approved in the app', async ({ apmShop }) => {
  const sold = await apmShop.sell({ brand: 'upi-2', identifier: 'ana@example.com', order_currency: 'INR' });
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
  await finish(apmShop, sold.transId, 'chargeback');
  await untilS2sStatus(apmShop, sold, 'CHARGEBACK');
});

test('credentials and references of the account reach the provider', async ({ apmShop }) => {
  const prepared = await sell(apmShop, 'paycash-peru', 'never', { order_currency: 'PEN' });
  expect(JSON.stringify(prepared.answer.body)).toMatch(/"reference"/);
  const keyed = await sell(apmShop, 'trans', 'never');
  expect(keyed.answer.body).toMatchObject({ status: 'REDIRECT' });
});
