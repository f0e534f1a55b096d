// Time and payments of S2S CARD: the window of repeats ends, authorisations expire, a day ends, a payer never returns
// (protocol.md 5 and 8).
import { cardFields } from '../support/card-merchant.ts';
import type { Changes } from '../support/merchant.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 60 * 60;
const duplicate = '400 order_id: Duplicate payment.';

// The state of the first payment, the mapping, and the answer to the same request after the window.
const rules: [name: 'plain' | 'neverReuses' | 'alwaysReuses', became: string, Changes, wanted: string][] = [
  ['plain', 'settled', {}, duplicate],
  ['plain', 'declined', cardFields.declined, '200 DECLINED'],
  ['plain', 'authorised', { auth: 'Y' }, duplicate],
  ['plain', 'at the bank', cardFields.challenge, duplicate],
  ['neverReuses', 'declined', cardFields.declined, duplicate],
  ['alwaysReuses', 'settled', {}, '200 SUCCESS'],
];

for (const [name, state, changes, expected] of rules) {
  test(`${name}: a sale that is ${state}, again after 15 seconds`, async ({ cardAs, clock, provider }) => {
    const shop = cardAs(name);
    const body = shop.signed(shop.chargeBody('SALE', changes));
    const first = await shop.post(body);
    await clock.advance(13);
    expect((await shop.post(body)).body.trans_id).toBe(first.body.trans_id);
    await clock.advance(3);
    const again = await shop.post(body);
    expect(`${again.status} ${again.body.error_message ?? again.body.result}`).toBe(expected);
    const isNew = again.status === 200;
    if (isNew) expect(again.body.trans_id).not.toBe(first.body.trans_id);
    expect(await provider.journal(String(body.order_id))).toHaveLength(isNew ? 2 : 1);
    const sold = { orderId: String(body.order_id), transId: first.body.trans_id, email: 'ana@example.com' };
    const newest = await shop.byOrder({ ...sold, card: '4111111111', answer: first });
    expect(newest.body.trans_id).toBe(isNew ? again.body.trans_id : first.body.trans_id);
  });
}

for (const action of ['DEBIT', 'CARD2CARD', 'CREDIT2CARD', 'RECURRING_SALE', 'RECURRING_DEBIT']) {
  test(`${action} again after 15 seconds moves nothing`, async ({ cardShop, clock, provider }) => {
    const init = () => cardShop.sell({ recurring_init: 'Y' }, action === 'RECURRING_SALE' ? 'SALE' : 'DEBIT');
    const body =
      action === 'CREDIT2CARD'
        ? cardShop.payoutBody()
        : action.startsWith('RECURRING')
          ? cardShop.secondaryBody(await init(), {}, action)
          : cardShop.signed(cardShop.chargeBody(action));
    expect((await cardShop.post(body)).body.result).toBe('SUCCESS');
    await clock.advance(16);
    const again = await cardShop.post(body);
    expect(`${again.status} ${again.body.error_message}`).toBe(duplicate);
    expect(await provider.journal(String(body.order_id))).toHaveLength(1);
  });
}

test('an initial payment whose authorisation has expired is retried, and the series is the same', async ({
  cardShop,
  clock,
}) => {
  const sold = await cardShop.sell({ auth: 'Y', recurring_init: 'Y' });
  expect(sold.answer.body.status).toBe('PENDING');
  const { recurring_token } = sold.answer.body;
  await clock.advance(7 * day + 60);
  await untilS2sStatus(cardShop, sold, 'DECLINED');
  expect((await cardShop.follow('RETRY', sold)).body.result).toBe('ACCEPTED');
  const status = await untilS2sStatus(cardShop, sold, 'PENDING');
  expect(status.recurring_token).toBe(recurring_token);
  expect((await cardShop.again(sold)).body.status).toBe('SETTLED');
});

test('a payer who never returns from the bank is declined', async ({ cardShop, clock, provider }) => {
  const sold = await cardShop.sell(cardFields.challenge);
  await clock.advance(16 * 60);
  await untilS2sStatus(cardShop, sold, 'DECLINED');
  await expectS2sCallbacks(cardShop, sold, ['SALE REDIRECT 3DS', 'SALE DECLINED DECLINED']);
  expect(await provider.moved(sold.orderId)).toEqual([]);
});

for (const [card, expected] of [
  ['4000000000001034', 'SUCCESS SETTLED'],
  ['4000000000001042', 'DECLINED DECLINED'],
] as const) {
  test(`a provider that is silent: undefined at first, then ${expected}`, async ({ cardAs, clock, provider }) => {
    const shop = cardAs('impatient');
    const sold = await shop.sell({ card_number: card });
    expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
    expect(sold.answer.body).not.toHaveProperty('decline_reason');
    await clock.advance(60);
    await untilS2sStatus(shop, sold, expected.split(' ')[1] as string);
    await expectS2sCallbacks(shop, sold, ['SALE UNDEFINED PREPARE', `SALE ${expected}`]);
    const moved = expected.startsWith('SUCCESS') ? ['sale 84.50'] : [];
    expect(await provider.moved(sold.orderId)).toEqual(moved);
  });
}
