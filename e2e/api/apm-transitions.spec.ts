// S2S APM: the transitions of a payment by a method other than a card, outcome by outcome, with the answer, the status
// and the signed callbacks of each (protocol.md 6 and 7).

import { apiError } from '../support/api-error';
import { apmStatusOf, expectApmCallbacks, untilApmStatus } from '../support/apm-flows';
import { finish } from '../support/method-flows';
import { expect, test } from '../support/test';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const date = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const redirected = { brand: 'astropay', identifier: 'ana@example.com' };

// Every transition with either digest. The second merchant's mapping also adds fields to its callbacks and statuses.
for (const [mode, name] of [
  ['MD5', 'methods'],
  ['SHA-256', 'methodAdditions'],
] as const) {
  test.describe(`signed by ${mode}`, () => {
    test('a sale that settles', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const sold = await shop.sell({ custom_data: { basket: '7', tags: ['a', 'b', '10'], 'ä 1': 'Ünïcode z' } });
      expect(sold.answer.body).toEqual({
        action: 'SALE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: expect.stringMatching(uuid),
        trans_date: expect.stringMatching(date),
        ...(sold.answer.body.descriptor && { descriptor: expect.any(String) }),
        amount: '84.50',
        currency: 'EUR',
      });
      expect(await apmStatusOf(shop, sold)).toMatchObject({
        action: 'GET_TRANS_STATUS',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: sold.transId,
      });
      const [message] = await expectApmCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
      expect(message?.fields).toMatchObject({
        order_id: sold.orderId,
        trans_id: sold.transId,
        amount: '84.50',
        currency: 'EUR',
        'custom_data[basket]': '7',
        'custom_data[tags][2]': '10',
      });
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
    });

    test('a sale that is declined, by identifier or by e-mail', async ({ apmAs }) => {
      const shop = apmAs(name);
      for (const payer of [
        { identifier: 'fail@gmail.com' },
        { identifier: 'someone', payer_email: 'fail@gmail.com' },
      ]) {
        const sold = await shop.sell(payer);
        const expected = { status: 'DECLINED', decline_reason: 'Declined by processing' };
        expect(sold.answer.body).toMatchObject({ result: 'DECLINED', ...expected });
        expect(await apmStatusOf(shop, sold)).toMatchObject(expected);
        const [message] = await expectApmCallbacks(shop, sold, ['SALE DECLINED DECLINED']);
        expect(message?.fields.decline_reason).toBe('Declined by processing');
      }
    });

    test('an authorisation captured in part', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const sold = await shop.sell({ auth: 'Y' });
      expect(sold.answer.body).toMatchObject({ action: 'SALE', result: 'SUCCESS', status: 'PENDING' });
      const captured = await shop.follow('CAPTURE', sold, { amount: '50.00' });
      expect(captured.body).toMatchObject({
        action: 'CAPTURE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: sold.transId,
        amount: '50.00',
        currency: 'EUR',
      });
      const [, capture] = await expectApmCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CAPTURE SUCCESS SETTLED']);
      expect(capture?.fields.amount).toBe('50.00');
      expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 50.00']);
      const repeated = await shop.follow('CAPTURE', sold);
      expect([repeated.status, repeated.body.error_code]).toEqual([400, 208003]);
    });

    test('a released authorisation', async ({ apmAs }) => {
      const shop = apmAs(name);
      const sold = await shop.sell({ auth: 'Y' });
      const rejected = await shop.follow('VOID', sold);
      expect([rejected.status, rejected.body]).toEqual([400, apiError(100000, 'Void is not allowed.')]);
      const released = await shop.follow('CREDITVOID', sold);
      expect(released.body).toEqual({
        action: 'CREDITVOID',
        result: 'ACCEPTED',
        order_id: sold.orderId,
        trans_id: sold.transId,
      });
      await untilApmStatus(shop, sold, 'REVERSAL');
      const [, message] = await expectApmCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CREDITVOID SUCCESS REVERSAL']);
      expect(message?.fields).toMatchObject({ amount: '84.50', creditvoid_date: expect.stringMatching(date) });
    });

    test('partial refunds, then the whole remainder', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const sold = await shop.sell();
      expect((await shop.follow('CREDITVOID', sold, { amount: '30.00' })).body.result).toBe('ACCEPTED');
      await expectApmCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED']);
      expect((await shop.follow('CREDITVOID', sold, { amount: '54.51' })).body.error_code).toBe(208006);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      const messages = await expectApmCallbacks(shop, sold, [
        'SALE SUCCESS SETTLED',
        'CREDITVOID SUCCESS SETTLED',
        'CREDITVOID SUCCESS REFUND',
      ]);
      expect(messages.map(({ fields }) => fields.amount)).toEqual(['84.50', '30.00', '54.50']);
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 30.00', 'refund 54.50']);
    });

    test('a void on the day of the sale', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const sold = await shop.sell();
      const voided = await shop.follow('VOID', sold);
      expect(voided.body).toMatchObject({ action: 'VOID', result: 'SUCCESS', status: 'VOID', trans_id: sold.transId });
      await expectApmCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'VOID SUCCESS VOID']);
      expect((await provider.journal(sold.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
    });

    test('a payer is redirected and returns', async ({ apmAs, shopServer }) => {
      const shop = apmAs(name);
      const sold = await shop.sell(redirected);
      expect(sold.answer.body).toMatchObject({
        result: 'REDIRECT',
        status: 'REDIRECT',
        redirect_url: expect.stringMatching(/^http/),
        redirect_method: 'GET',
        redirect_params: {},
      });
      expect((await apmStatusOf(shop, sold)).status).toBe('REDIRECT');
      await finish(shop, sold.transId);
      const returned = await fetch(`${shop.baseUrl}/return/${sold.transId}`, { redirect: 'manual' });
      expect([returned.status, returned.headers.get('location')]).toEqual([303, `${shopServer.url}/back`]);
      await untilApmStatus(shop, sold, 'SETTLED');
      const [redirectCallback] = await expectApmCallbacks(shop, sold, [
        'SALE REDIRECT REDIRECT',
        'SALE SUCCESS SETTLED',
      ]);
      expect(redirectCallback?.fields.redirect_url).toBe(sold.answer.body.redirect_url);
    });

    test('a payer rejects the payment on the page', async ({ apmAs }) => {
      const shop = apmAs(name);
      const sold = await shop.sell(redirected);
      await finish(shop, sold.transId, 'decline');
      await untilApmStatus(shop, sold, 'DECLINED', 40);
      await expectApmCallbacks(shop, sold, ['SALE REDIRECT REDIRECT', 'SALE DECLINED DECLINED']);
    });

    test('an authorisation after a redirect', async ({ apmAs }) => {
      const shop = apmAs(name);
      const sold = await shop.sell({ ...redirected, brand: 'paypal', auth: 'Y' });
      expect(sold.answer.body).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT' });
      await finish(shop, sold.transId);
      await untilApmStatus(shop, sold, 'PENDING', 40);
      expect((await shop.follow('CAPTURE', sold)).body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    });

    test('a sale with an unknown outcome is reported as such, and settles by polling', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const body = shop.signed(shop.chargeBody('SALE'));
      const orderId = String(body.order_id);
      await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, orderId);
      const { body: answer } = await shop.post(body);
      expect(answer).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
      await untilApmStatus(shop, { transId: answer.trans_id }, 'SETTLED', 30);
      await expectApmCallbacks(shop, { orderId }, ['SALE UNDEFINED PREPARE', 'SALE SUCCESS SETTLED']);
      expect(await provider.moved(orderId)).toEqual(['sale 84.50']);
    });

    test('an authorisation with an unknown outcome is PENDING in the answer', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const body = shop.signed(shop.chargeBody('SALE', { auth: 'Y' }));
      await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, String(body.order_id));
      const { body: answer } = await shop.post(body);
      expect(answer).toMatchObject({ result: 'UNDEFINED', status: 'PENDING' });
      await untilApmStatus(shop, { transId: answer.trans_id }, 'PENDING', 30);
    });

    test('a chargeback', async ({ apmAs, provider }) => {
      const shop = apmAs(name);
      const sold = await shop.sell();
      await provider.chargeback(sold.orderId);
      await untilApmStatus(shop, sold, 'CHARGEBACK');
      const [, message] = await expectApmCallbacks(shop, sold, [
        'SALE SUCCESS SETTLED',
        'CHARGEBACK SUCCESS CHARGEBACK',
      ]);
      expect(message?.fields).toMatchObject({ trans_id: sold.transId, amount: '84.50' });
    });
  });
}

test('auth: only Y authorises, any other value is an immediate sale', async ({ apmShop }) => {
  for (const auth of ['N', 'y', 'YES', '1', 'true', ' Y', '']) {
    const { body } = await apmShop.charge('SALE', { auth });
    expect(body, JSON.stringify(auth)).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  }
  const listed = await apmShop.charge('SALE', { auth: { 0: 'Y' } });
  expect(listed.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('status and callbacks contain the fields that the mapping adds', async ({ apmAs }) => {
  const shop = apmAs('methodAdditions');
  const sold = await shop.sell({ payer_email: 'success@gmail.com', payer_first_name: 'Ana', payer_country: 'RS' });
  const expected = {
    payer_email: 'success@gmail.com',
    payer_first_name: 'Ana',
    payer_ip: '203.0.113.7',
    brand: 'vcard',
  };
  expect(await apmStatusOf(shop, sold)).toMatchObject(expected);
  const [message] = await expectApmCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
  expect(message?.fields).toMatchObject({ ...expected, payer_country: 'RS', ARN: '' });
});
