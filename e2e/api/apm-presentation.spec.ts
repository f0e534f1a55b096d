// The data that a merchant shows the payer in S2S APM, which has no payment page: QR codes, app links, coin addresses,
// payment data, and instructions for requests sent to a phone (interface.md, Payment method catalog; protocol.md 6).
import decodeQr from 'qr/decode.js';
import { readPng } from '../support/apm-png.ts';
import type { Form } from '../support/html.ts';
import { finish } from '../support/method-flows.ts';
import { type Screen, startPayer } from '../support/payer.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const payerFields = { identifier: 'ana@example.com' };

for (const [currency, amount] of [
  ['RSD', '1250.00'],
  ['EUR', '84.50'],
  ['BAM', '10.00'],
  ['MKD', '600.00'],
] as const) {
  test(`ips in ${currency}: the answer contains a QR code with the payment data`, async ({ apmShop }) => {
    const order = { ...payerFields, brand: 'ips', order_currency: currency, order_amount: amount };
    const sold = await apmShop.sell(order);
    const { body } = sold.answer;
    expect(body).toMatchObject({ action: 'SALE', result: 'REDIRECT', status: 'REDIRECT', amount, currency });
    expect(body).not.toHaveProperty('redirect_url');
    const { qr_code, qr_payload } = body.redirect_params;
    const picture = readPng(Buffer.from(qr_code, 'base64'));
    expect(decodeQr(picture)).toBe(qr_payload);
    expect(qr_payload).toContain(`I:${currency}${amount.replace('.', ',')}`);
    const life = Date.parse(body.expires_at) - Date.now();
    expect(life).toBeGreaterThan(30_000);
    expect(life).toBeLessThanOrEqual(60_000);
    await finish(apmShop, sold.transId);
    await untilS2sStatus(apmShop, sold, 'SETTLED');
    const [first] = await expectS2sCallbacks(apmShop, sold, ['SALE REDIRECT REDIRECT', 'SALE SUCCESS SETTLED']);
    expect(first?.fields).not.toHaveProperty('redirect_params[qr_code]');
  });
}

test('ips: pending at the bank, then executed or rejected', async ({ apmShop }) => {
  for (const [outcome, end] of [
    ['pending', 'SETTLED'],
    ['rejected', 'DECLINED'],
  ] as const) {
    const sold = await apmShop.sell({ ...payerFields, brand: 'ips' });
    await finish(apmShop, sold.transId, outcome);
    await untilS2sStatus(apmShop, sold, end);
  }
});

test('an app payment returns a link', async ({ apmShop }) => {
  const sold = await apmShop.sell({ ...payerFields, brand: 'upi-2', order_currency: 'INR' });
  expect(sold.answer.body).toMatchObject({
    result: 'REDIRECT',
    status: 'REDIRECT',
    redirect_url: expect.stringMatching(/^upi:\/\/pay\?/),
    redirect_method: 'GET',
    redirect_params: {},
  });
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
  await expectS2sCallbacks(apmShop, sold, ['SALE REDIRECT REDIRECT', 'SALE SUCCESS SETTLED']);
});

test('coins: pending with an address and its network, without an identifier, signed in a separate form', async ({
  apmAs,
}) => {
  for (const name of ['methods', 'methodAdditions'] as const) {
    const shop = apmAs(name);
    const email = 'ana@example.com';
    const sold = await shop.sell({
      brand: 'awcc',
      identifier: undefined,
      payer_email: email,
      parameters: { crypto_type: 'USDT', network_type: 'tron' },
    });
    const { body } = sold.answer;
    expect(body).toMatchObject({
      result: 'SUCCESS',
      status: 'PENDING',
      amount: '84.50',
      currency: 'EUR',
      crypto_address: expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
      crypto_network: expect.stringMatching(/tron/i),
      crypto_currency: 'USDT',
      crypto_amount: expect.stringMatching(/^\d+(\.\d+)?$/),
    });
    expect((await s2sStatusOf(shop, sold)).status).toBe('PENDING');
    await finish(shop, sold.transId);
    await untilS2sStatus(shop, sold, 'SETTLED');
    const coins = { orderId: sold.orderId, email, crypto: true };
    const [first] = await expectS2sCallbacks(shop, coins, ['SALE SUCCESS PENDING', 'SALE SUCCESS SETTLED']);
    expect(first?.fields).toMatchObject({ crypto_address: body.crypto_address, crypto_network: body.crypto_network });
    expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
    await expectS2sCallbacks(shop, coins, [
      'SALE SUCCESS PENDING',
      'SALE SUCCESS SETTLED',
      'CREDITVOID SUCCESS REFUND',
    ]);
  }
});

test('an order in coins requires a method that pays in coins', async ({ apmShop }) => {
  const order = { order_currency: 'USDT', order_amount: '25.000001' };
  const sold = await apmShop.sell({
    ...order,
    brand: 'awcc',
    identifier: undefined,
    parameters: { crypto_type: 'USDT' },
  });
  expect(sold.answer.body).toMatchObject({
    result: 'SUCCESS',
    status: 'PENDING',
    amount: '25.000001',
    currency: 'USDT',
    crypto_amount: '25.000001',
  });
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
  expect((await apmShop.charge('SALE', order)).body.error_code).toBe(204012);
  const unknown = await apmShop.charge('SALE', { ...order, order_currency: 'USDTRC', order_amount: '25' });
  expect(unknown.body.error_code).toBe(204012);
});

test('coins without a fixed amount', async ({ apmShop }) => {
  const { answer } = await apmShop.sell({ brand: 'crypto-btg', identifier: undefined });
  expect(answer.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING', crypto_address: expect.any(String) });
  expect(answer.body).not.toHaveProperty('crypto_amount');
});

test('payment data, a request on a phone, a link by e-mail', async ({ apmShop }) => {
  const details = await apmShop.sell({ ...payerFields, brand: 'webpaygate' });
  expect(details.answer.body).toMatchObject({
    result: 'SUCCESS',
    status: 'PENDING',
    payment_data: { amount: '84.50 EUR', reference: expect.any(String) },
    expires_at: expect.any(String),
  });
  const phone = await apmShop.sell({ brand: 'fawry', order_currency: 'EGP', identifier: '201001234567' });
  expect(phone.answer.body).toMatchObject({
    result: 'SUCCESS',
    status: 'PENDING',
    sent_to: expect.stringMatching(/^201.*67$/),
  });
  const link = await apmShop.sell({ ...payerFields, brand: 'ptn-email' });
  expect(link.answer.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING', sent_to: 'ana@example.com' });
  for (const sold of [details, phone, link]) {
    await finish(apmShop, sold.transId);
    await untilS2sStatus(apmShop, sold, 'SETTLED');
    await expectS2sCallbacks(apmShop, sold, ['SALE SUCCESS PENDING', 'SALE SUCCESS SETTLED']);
  }
});

test('a boleto has the symbology of its barcode', async ({ apmShop }) => {
  const document = { document_number: '529.982.247-25' };
  const sold = await apmShop.sell({ ...payerFields, brand: 'axxi-cash', order_currency: 'BRL', parameters: document });
  expect(sold.answer.body).toMatchObject({
    status: 'PENDING',
    payment_data: { barcode: expect.stringMatching(/^\d{44}$/), barcode_symbology: 'itf' },
  });
});

test('a one-time code is typed on a Florin page, which leads back to the shop', async ({ apmAs, shopServer }) => {
  for (const name of ['methods', 'methodAdditions'] as const) {
    const shop = apmAs(name);
    const sold = await shop.sell({ brand: 'beeline', identifier: '77011234567', payer_language: 'de' });
    const { body } = sold.answer;
    expect(body).toMatchObject({ result: 'SUCCESS', status: 'PENDING', sent_to: expect.any(String) });
    const payer = startPayer(shop.baseUrl);
    const form = await payer.visit(body.redirect_url);
    expect([form.status, /<html[^>]* lang="de"/.test(form.html)]).toEqual([200, true]);
    const formOf = (screen: Screen) => screen.forms.find(({ action }) => action.endsWith('/code'));
    const wrong = await payer.submit(formOf(form) as Form, { code: '999999' });
    expect(wrong.status).toBe(200);
    expect((await s2sStatusOf(shop, sold)).status).toBe('PENDING');
    const right = await payer.submit(formOf(wrong) as Form, { code: '123456' });
    expect(right.status).toBe(200);
    expect(right.html).toContain(`${shopServer.url}/back`);
    await untilS2sStatus(shop, sold, 'SETTLED');
    await expectS2sCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'SALE SUCCESS SETTLED']);
    const returned = await fetch(body.redirect_url, { redirect: 'manual' });
    expect([returned.status, returned.headers.get('location')]).toEqual([303, `${shopServer.url}/back`]);
  }
});

test('a code without a valid form guard is rejected', async ({ apmShop }) => {
  const sold = await apmShop.sell({ brand: 'beeline', identifier: '77011234567' });
  const address = `${apmShop.baseUrl}/return/${sold.transId}/code`;
  const post = (fields: Record<string, string>) =>
    fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect((await post({ code: '123456', attempt: '1', guard: 'none' })).status).toBe(403);
  expect((await s2sStatusOf(apmShop, sold)).status).toBe('PENDING');
  const unknown = await fetch(`${apmShop.baseUrl}/return/0199a000-0000-7000-8000-000000000001/code`, {
    method: 'POST',
  });
  expect(unknown.status).toBe(404);
});

test('a payment that waits for the payer cannot be captured, refunded or voided', async ({ apmShop }) => {
  const sold = await apmShop.sell({ ...payerFields, brand: 'webpaygate' });
  expect((await apmShop.follow('CAPTURE', sold)).body.error_code).toBe(208003);
  expect((await apmShop.follow('CREDITVOID', sold)).body.error_code).toBe(208005);
  expect((await apmShop.follow('VOID', sold)).body.error_message).toBe('Void is not allowed.');
});

test('kora returns how the payer confirms', async ({ apmShop }) => {
  const sold = await apmShop.sell({
    brand: 'kora',
    order_currency: 'GHS',
    payer_email: 'ama@example.com',
    payer_phone: '233241234567',
    identifier: 'ama',
  });
  expect(sold.answer.body).toMatchObject({
    result: 'SUCCESS',
    status: 'PENDING',
    auth_method: expect.any(String),
    message: expect.any(String),
  });
});
