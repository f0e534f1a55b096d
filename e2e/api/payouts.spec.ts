// Payouts: payout pages, transfers from card to card, and payouts by the merchant's server (interface.md, Card credit
// request; protocol.md 3).

import { textOf } from '../support/html.ts';
import { type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cardFormOf, cards, startPayer } from '../support/payer.ts';
import { callbacksOf, expectCallbacks, idOf, pay, statusOf } from '../support/payment-flows.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const payee = { number: '4601 5418 3377 6519', expiry: '08/31' };

const typed = (form: { controls: { name: string }[] } | undefined) =>
  form?.controls.map(({ name }) => name).filter((name) => /card_|^saved_card$/.test(name));

/** A token of the payee's card from a payout page. */
async function payeeToken(shop: Merchant): Promise<string> {
  const { order } = await pay(shop, payee, { operation: 'credit', req_token: true });
  const [callback] = await callbacksOf(shop, order, 1);
  return callback?.fields.card_token ?? '';
}

test.describe('a payout page', () => {
  const payout = {
    operation: 'credit',
    payee_first_name: 'Ana',
    payee_last_name: 'Petrović',
    payee: { email: 'ana@example.com' },
  };

  test('asks for number and expiry, pays out, and reports it by callback', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open({ ...payout, custom_data: { round: 7 } });
    const payer = startPayer(florin);
    const form = await payer.visit(url);
    expect(typed(cardFormOf(form))).toEqual(['card_number', 'card_expiry']);
    expect(textOf(form.html)).toContain('Receive €84.50');
    const end = await payer.payOn(form, payee);
    expect(textOf(end.html)).toContain('Payout complete');
    const [callback] = await expectCallbacks(shop, order, ['success credit settled']);
    expect(callback?.fields).toMatchObject({
      payee_card: '460154****6519',
      payee_first_name: 'Ana',
      payee_last_name: 'Petrović',
      payee_email: 'ana@example.com',
      'custom_data[round]': '7',
    });
    expect(callback?.fields.card).toBeUndefined();
    const [entry, ...others] = await provider.journal(order.number);
    expect(entry).toMatchObject({ kind: 'payout', status: 'approved', amount: '84.50' });
    expect(others).toEqual([]);
  });

  test('reports a declined payout, and accepts another card', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open(payout);
    const payer = startPayer(florin);
    const declined = await payer.payOn(await payer.visit(url), cards.settled);
    expect(textOf(declined.html)).toContain('This payout was declined');
    await payer.payOn(declined, payee);
    await expectCallbacks(shop, order, ['fail credit decline', 'success credit settled']);
    expect(await provider.moved(order.number)).toEqual(['payout 84.50']);
  });

  test('names field errors without script, and never shows the number again', async ({ shop, florin }) => {
    const { url } = await shop.open(payout);
    const payer = startPayer(florin);
    const back = await payer.payOn(await payer.visit(url), { number: payee.number, expiry: '13/31' });
    expect(back.status).toBe(422);
    expect(textOf(back.html)).toContain('Enter your card number.');
    expect(textOf(back.html)).not.toContain('3-digit');
    expect(back.html).not.toContain('4601541833776519');
  });

  test('asks only for the expiry of a stored card, and names its payee', async ({ shop, florin, provider }) => {
    const token = await payeeToken(shop);
    const { url, order } = await shop.open({ operation: 'credit', card_token: token });
    const payer = startPayer(florin);
    const screen = await payer.visit(url);
    const form = screen.forms.find((each) => each.controls.some(({ name }) => name === 'saved_card'));
    expect(typed(form)).toEqual(['saved_card', 'card_expiry']);
    expect(cardFormOf(screen)).toBeUndefined();
    if (!form) throw new Error('no form');
    const empty = await payer.submit(form, { card_expiry: '' });
    expect(textOf(empty.html)).toContain('Enter the expiry date');
    await payer.submit(form, { card_expiry: '09/32' });
    await expectCallbacks(shop, order, ['success credit settled']);
    expect(await provider.moved(order.number)).toEqual(['payout 84.50']);
  });

  test('pays out once, however often the form is sent', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open(payout);
    const payer = startPayer(florin);
    const form = await payer.visit(url);
    await Promise.all(Array.from({ length: 20 }, () => payer.payOn(form, payee)));
    expect(await provider.moved(order.number)).toEqual(['payout 84.50']);
    await expectCallbacks(shop, order, ['success credit settled']);
  });

  test('cannot be refunded or voided', async ({ shop }) => {
    const { id } = await pay(shop, payee, payout);
    expect((await shop.refund(id)).body.error_message).toBe('Refund is not allowed');
    expect((await shop.void(id)).body.error_message).toBe('Void is not allowed.');
    expect((await statusOf(shop, id)).status).toBe('settled');
  });

  test('rejects auth and recurring_init', async ({ shop }) => {
    for (const field of ['auth', 'recurring_init']) {
      const { status, body } = await shop.session({ ...payout, [field]: true });
      expect([status, body.errors?.[0].error_message]).toEqual([400, `${field}: This value is not valid.`]);
    }
  });
});

test.describe('a transfer', () => {
  test('asks for both cards and moves the money once', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open({ operation: 'transfer' });
    const payer = startPayer(florin);
    const form = await payer.visit(url);
    expect(typed(cardFormOf(form))).toEqual([
      'card_number',
      'card_expiry',
      'card_cvv',
      'card_holder',
      'payee_card_number',
    ]);
    const end = await payer.payOn(form, cards.settled, { payee_card_number: payee.number });
    expect(textOf(end.html)).toContain('Transfer complete');
    expect(textOf(end.html)).toContain('•••• 6519');
    const [callback] = await expectCallbacks(shop, order, ['success transfer settled']);
    expect(callback?.fields).toMatchObject({ card: '411111****1111', payee_card: '460154****6519' });
    expect(await provider.moved(order.number)).toEqual(['transfer 84.50']);
  });

  test('confirms with the bank first if it asks', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open({ operation: 'transfer' });
    const payer = startPayer(florin);
    await payer.pay(url, cards.challenge, 'confirm', { payee_card_number: payee.number });
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success transfer settled']);
    expect(await provider.moved(order.number)).toEqual(['transfer 84.50']);
  });

  test('reports a wrong payee card, and never sends a live one to a provider', async ({ shop, florin, provider }) => {
    const { url, order } = await shop.open({ operation: 'transfer' });
    const payer = startPayer(florin);
    const screen = await payer.visit(url);
    const wrong = await payer.payOn(screen, cards.settled, { payee_card_number: '4601 5418 3377 6518' });
    expect(wrong.status).toBe(422);
    expect(textOf(wrong.html)).toContain('Check the digits of this card number.');
    await payer.payOn(screen, cards.settled, { payee_card_number: '4012 8888 8888 1881' });
    await expectCallbacks(shop, order, ['fail transfer decline']);
    expect(await provider.journal(order.number)).toEqual([]);
  });

  test('that was declined cannot be retried, because the other card is not stored', async ({ shop }) => {
    const { url, order } = await shop.open({ operation: 'transfer' });
    await startPayer(shop.baseUrl).pay(url, cards.declined, 'confirm', { payee_card_number: payee.number });
    const { body } = await shop.retry(await idOf(shop, order.number));
    expect(body.error_code).toBe(204005);
  });
});

test.describe('payment/card/credit', () => {
  test('accepts a payout to a stored card and reports its outcome by callback', async ({ shop, provider }) => {
    const token = await payeeToken(shop);
    const order = { number: newOrderNumber(), amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' };
    const names = { payee_first_name: 'Mia', payee_last_name: 'Lindqvist' };
    const { status, body } = await shop.credit({
      order_id: order.number,
      card_token: token,
      custom_data: { a: 'b' },
      ...names,
    });
    const id = await idOf(shop, order.number);
    expect([status, body]).toEqual([200, { payment_id: id, result: 'accepted' }]);
    const [callback] = await expectCallbacks(shop, order, ['success credit settled']);
    expect(callback?.fields).toMatchObject({
      payment_id: id,
      payee_card: '460154****6519',
      payee_first_name: 'Mia',
      payee_last_name: 'Lindqvist',
      card_token: token,
      'custom_data[a]': 'b',
    });
    expect(await provider.moved(order.number)).toEqual(['payout 40.00']);
  });

  test('reports a decline by callback too', async ({ shop }) => {
    const { order: paid } = await pay(shop, cards.settled, { req_token: true });
    const [first] = await callbacksOf(shop, paid, 1);
    const order = { number: newOrderNumber(), amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' };
    const { body } = await shop.credit({ order_id: order.number, card_token: first?.fields.card_token });
    expect(body.result).toBe('accepted');
    await expectCallbacks(shop, order, ['fail credit decline']);
  });

  test('pays out once, however often it is sent', async ({ shop, provider }) => {
    const body = shop.creditBody({ card_token: await payeeToken(shop) });
    const send = () => shop.post('/api/v1/payment/card/credit', body);
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(answers[0]?.body.result).toBe('accepted');
    await expect.poll(() => provider.moved(String(body.order_id))).toEqual(['payout 40.00']);
    const other = shop.creditBody({ order_id: body.order_id, order_amount: '41.00', card_token: body.card_token });
    const rejected = await shop.post('/api/v1/payment/card/credit', other);
    expect(rejected.body.error_message).toBe('order_id: Duplicate payment.');
  });

  // changes | status code message | field errors
  const rejections = rowsOf(`
    {"order":{"number":"1","amount":"40.00"}}   | 400 100000 Request data is invalid. | order: This value is not valid.
    {"card_token":["TOKEN"]}                    | 400 100000 Request data is invalid. | card_token: This value is not valid.
    {"card_token":null}                         | 400 100000 Request data is invalid. | card_token: This value should not be blank.
    {"order_id":null}                           | 400 100000 Request data is invalid. | order_id: This value should not be blank.
    {"order_description":"x"}                   | 400 100000 Request data is invalid. | order_description: This value is not valid.
    {"order_amount":"0.00"}                     | 400 100000 amount: This value should be greater than 0. | order_amount: This value should be greater than 0.
    {"order_amount":"1.234"}                    | 400 100000 Request data is invalid. | order_amount: This value is not valid.
    {"order_currency":"XXQ"}                    | 400 204012 Payment currency not found. | Payment currency not found.
    {"card_token":"0123456789abcdef"}           | 400 205005 Card token is invalid or not found. | Card token is invalid or not found.
    {"notification_url":"nowhere"}              | 400 100000 Request data is invalid. | notification_url: This value is not a valid URL.
    {"parameters":{"card":{"expiry":"soon"}}}   | 400 100000 Request data is invalid. | parameters.card.expiry: This value is not valid.
  `);
  for (const [changes = '', expected, fieldError] of rejections) {
    test(`rejects ${changes}`, async ({ shop }) => {
      const token = await payeeToken(shop);
      const { status, body } = await shop.credit({ card_token: token, ...JSON.parse(changes.replace('TOKEN', token)) });
      expect(`${status} ${body.error_code} ${body.error_message}`).toBe(expected);
      expect(body.errors.map((each: { error_message: string }) => each.error_message).join()).toBe(fieldError);
    });
  }

  test('rejects a wrong hash and objects of another merchant', async ({ shop, as }) => {
    const token = await payeeToken(shop);
    const wrong = await shop.post('/api/v1/payment/card/credit', {
      ...shop.creditBody({ card_token: token }),
      hash: 'x',
    });
    expect(wrong.body.error_message).toBe('Hash is not valid');
    expect((await as('other').credit({ card_token: token })).body.error_code).toBe(205007);
    expect((await as('euroPurchases').credit({ card_token: token })).body.error_code).toBe(204005);
  });

  test('answers in SHA-256 mode as well', async ({ as }) => {
    const shop = as('additions');
    const order = { number: newOrderNumber(), amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' };
    const { body } = await shop.credit({ order_id: order.number, card_token: await payeeToken(shop) });
    expect(body.result).toBe('accepted');
    await expectCallbacks(shop, order, ['success credit settled']);
    const values = [order.number, order.amount, order.currency, order.description];
    expect(shop.creditBody({ order_id: order.number }).hash).toBe(signCheckout(values, shop.credentials));
  });

  test('sends the number of the paying account to the provider alone', async ({ shop, florin }) => {
    const parameters = { card: { payer_account_number: '4111111111111111', payer_nationality: 'RS' } };
    const { url, order } = await shop.open({ operation: 'credit', parameters });
    const payer = startPayer(florin);
    const form = await payer.visit(url);
    expect(form.html).not.toContain('4111111111111111');
    await payer.payOn(form, payee);
    const [callback] = await expectCallbacks(shop, order, ['success credit settled']);
    expect(callback?.body).not.toContain('4111111111111111');
  });
});
