// S2S APM: the transitions of a payment whose payer acts outside of the shop, with the answer, the status and the signed
// callbacks of each (protocol.md 6 and 7). Those of both form protocols are in s2s-transitions.spec.ts.
import { finish } from '../support/method-flows.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const redirected = { brand: 'astropay', identifier: 'ana@example.com' };

// Every transition with either digest. The second merchant's mapping also adds fields to its callbacks and statuses.
for (const [mode, name] of [
  ['MD5', 'methods'],
  ['SHA-256', 'methodAdditions'],
] as const) {
  test.describe(`signed by ${mode}`, () => {
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
      expect((await s2sStatusOf(shop, sold)).status).toBe('REDIRECT');
      await finish(shop, sold.transId);
      const returned = await fetch(`${shop.baseUrl}/return/${sold.transId}`, { redirect: 'manual' });
      expect([returned.status, returned.headers.get('location')]).toEqual([303, `${shopServer.url}/back`]);
      await untilS2sStatus(shop, sold, 'SETTLED');
      const [redirectCallback] = await expectS2sCallbacks(shop, sold, [
        'SALE REDIRECT REDIRECT',
        'SALE SUCCESS SETTLED',
      ]);
      expect(redirectCallback?.fields.redirect_url).toBe(sold.answer.body.redirect_url);
    });

    test('a payer rejects the payment on the page', async ({ apmAs }) => {
      const shop = apmAs(name);
      const sold = await shop.sell(redirected);
      await finish(shop, sold.transId, 'decline');
      await untilS2sStatus(shop, sold, 'DECLINED');
      await expectS2sCallbacks(shop, sold, ['SALE REDIRECT REDIRECT', 'SALE DECLINED DECLINED']);
    });

    test('an authorisation after a redirect', async ({ apmAs }) => {
      const shop = apmAs(name);
      const sold = await shop.sell({ ...redirected, brand: 'paypal', auth: 'Y' });
      expect(sold.answer.body).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT' });
      await finish(shop, sold.transId);
      await untilS2sStatus(shop, sold, 'PENDING');
      expect((await shop.follow('CAPTURE', sold)).body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
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
  expect(await s2sStatusOf(shop, sold)).toMatchObject(expected);
  const [message] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
  expect(message?.fields).toMatchObject({ ...expected, payer_country: 'RS', ARN: '' });
});
