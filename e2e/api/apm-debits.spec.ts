// DEBIT2VIRTUAL of S2S APM: a debit with a commission, charged at once or calculated first and completed later
// (protocol.md 6).

import { finish } from '../support/method-flows.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

// merchant | commission | total: 1.5 % and 0.30 of 84.50 is 1.5675
const merchants = [
  ['methods', '0.00', '84.50'],
  ['payerBears', '1.57', '86.07'],
  ['merchantBears', '1.57', '84.50'],
] as const;

for (const [name, commission, total] of merchants) {
  const expected = { amount: '84.50', currency: 'EUR', commission, total_amount: total };

  test(`${name}: an immediate debit`, async ({ apmAs, provider }) => {
    const shop = apmAs(name);
    const sold = await shop.sell({}, 'DEBIT2VIRTUAL');
    expect(sold.answer.body).toMatchObject({
      action: 'DEBIT2VIRTUAL',
      result: 'SUCCESS',
      status: 'SETTLED',
      ...expected,
    });
    const [message] = await expectS2sCallbacks(shop, sold, ['DEBIT2VIRTUAL SUCCESS SETTLED']);
    expect(message?.fields).toMatchObject(expected);
    expect(await provider.moved(sold.orderId)).toEqual([`debit ${total}`]);
    expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
    await untilS2sStatus(shop, sold, 'REVERSAL');
    const [, reversal] = await expectS2sCallbacks(shop, sold, [
      'DEBIT2VIRTUAL SUCCESS SETTLED',
      'CREDITVOID SUCCESS REVERSAL',
    ]);
    expect(reversal?.fields.amount).toBe(total);
  });

  test(`${name}: calculated, then completed once`, async ({ apmAs, provider }) => {
    const shop = apmAs(name);
    const calculated = await shop.sell({}, 'DEBIT2VIRTUAL_CALC');
    const { body } = calculated.answer;
    expect(body).toMatchObject({ action: 'DEBIT2VIRTUAL_CALC', result: 'SUCCESS', status: 'PREPARE', ...expected });
    expect(await provider.journal(calculated.orderId)).toEqual([]);
    expect(await s2sStatusOf(shop, calculated)).toMatchObject({ status: 'PREPARE', trans_id: calculated.transId });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.follow('DEBIT2VIRTUAL_COMPLETE', calculated)),
    );
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
    expect(answers[0]?.body).toMatchObject({
      action: 'DEBIT2VIRTUAL_COMPLETE',
      result: 'SUCCESS',
      status: 'SETTLED',
      trans_id: calculated.transId,
      ...expected,
    });
    expect((await provider.journal(calculated.orderId)).map(({ calls }) => calls)).toEqual([1]);
    expect(await provider.moved(calculated.orderId)).toEqual([`debit ${total}`]);
    const [message] = await expectS2sCallbacks(shop, calculated, ['DEBIT2VIRTUAL SUCCESS SETTLED']);
    expect(message?.fields).toMatchObject({ trans_id: calculated.transId, ...expected });
    expect(await s2sStatusOf(shop, calculated)).toMatchObject({ status: 'SETTLED', trans_id: calculated.transId });
  });
}

test('a calculation can be repeated and is not a debit', async ({ apmAs }) => {
  const shop = apmAs('payerBears');
  const body = shop.signed(shop.chargeBody('DEBIT2VIRTUAL_CALC'));
  const first = await shop.post(body);
  expect((await shop.post(body)).body).toEqual(first.body);
  const debit = await shop.post({ ...body, action: 'DEBIT2VIRTUAL' });
  expect(debit.body.error_message).toBe('order_id: Duplicate payment.');
  const calculated = { transId: first.body.trans_id };
  expect((await shop.follow('CAPTURE', calculated)).body.error_code).toBe(208003);
  expect((await shop.follow('CREDITVOID', calculated)).body.error_code).toBe(208005);
  expect((await shop.follow('VOID', calculated)).body.error_message).toBe('Void is not allowed.');
});

test('a debit without a calculation cannot be completed', async ({ apmShop }) => {
  for (const action of ['SALE', 'DEBIT2VIRTUAL']) {
    const sold = await apmShop.sell({}, action);
    expect((await apmShop.follow('DEBIT2VIRTUAL_COMPLETE', sold)).body).toMatchObject({
      error_code: 101000,
      error_message: 'Transaction does not exist.',
    });
  }
});

test('a completed debit is declined and stays declined', async ({ apmShop }) => {
  const calculated = await apmShop.sell({ identifier: 'fail@gmail.com' }, 'DEBIT2VIRTUAL_CALC');
  expect(calculated.answer.body).toMatchObject({ result: 'SUCCESS', status: 'PREPARE' });
  for (const _again of [1, 2]) {
    const { body } = await apmShop.follow('DEBIT2VIRTUAL_COMPLETE', calculated);
    expect(body).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: 'Declined by processing' });
  }
});

test('a debit by redirect returns to payer_return_url', async ({ apmAs, shopServer }) => {
  const shop = apmAs('payerBears');
  const calculated = await shop.sell({ brand: 'astropay', identifier: 'ana' }, 'DEBIT2VIRTUAL_CALC');
  const { body } = await shop.follow('DEBIT2VIRTUAL_COMPLETE', calculated);
  expect(body).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT', redirect_url: expect.any(String) });
  await finish(shop, calculated.transId);
  const returned = await fetch(`${shop.baseUrl}/return/${calculated.transId}`, { redirect: 'manual' });
  expect(returned.headers.get('location')).toBe(`${shopServer.url}/back`);
  await untilS2sStatus(shop, calculated, 'SETTLED');
  await expectS2sCallbacks(shop, calculated, ['DEBIT2VIRTUAL REDIRECT REDIRECT', 'DEBIT2VIRTUAL SUCCESS SETTLED']);
});

test('a debit is never only authorised', async ({ apmShop }) => {
  const { body } = await apmShop.charge('DEBIT2VIRTUAL', { auth: 'Y' });
  expect(body.errors?.[0]?.error_message).toBe('auth: This value is not valid.');
});
