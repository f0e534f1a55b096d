// A card saved without a payment, by hosted fields: verified by the provider with the amount zero, agreed to in words of
// its own, and charged later by the payer and by the merchant.
import { visitorAs } from '../support/dashboard.ts';
import { collect, createSessionToken, payFields, processCard, typed } from '../support/hosted-fields-requests.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const zero = { amount: '0.00', description: 'Save a card' };
const saving = { order: zero, recurring_init: true, req_token: true };

test('a card is verified and saved, no money moves, and it is charged later', async ({ as, florin, provider }) => {
  const shop = as('zeroAmounts');
  const { token, order } = await createSessionToken(shop, saving);
  const { body: words } = await shop.post(
    '/fields/words',
    { language: 'en' },
    { 'sec-fetch-site': 'same-origin', token },
  );
  expect(words.text).toMatch(/^By saving your card, you allow .* You pay nothing now\./);
  await collect(shop, token, { ...typed.settled, agreed: { mark: words.mark, language: 'en' } });
  expect((await processCard(shop, token)).body.result).toBe('success');
  expect((await provider.moved(order.number)).filter((move) => !move.endsWith(' 0.00'))).toEqual([]);

  const [callback] = messagesOf(await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 1)).map(
    ({ fields }) => fields,
  );
  expect(callback).toMatchObject({
    order_status: 'settled',
    order_amount: '0.00',
    card_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    recurring_token: expect.any(String),
    recurring_init_trans_id: expect.any(String),
  });
  const id = await idOf(shop, order.number);
  expect(await statusOf(shop, id)).toMatchObject({ status: 'settled', card_token: callback?.card_token });
  const { body } = await (await visitorAs(florin, 'manager')).get(`/payments/${id}`);
  const agreed = body.events.find(({ title }: { title: string }) => title.startsWith('Payer agreed'));
  expect(agreed.detail).toBe(words.text);

  // The payer pays by the saved card, with its code only.
  const byPayer = await payFields(shop, { card_cvv: '123' }, { session: { card_token: callback?.card_token } });
  expect(byPayer.answer.body.result).toBe('success');
  // The merchant charges it without the payer.
  const { recurring_init_trans_id: firstTransId = '', recurring_token: chainToken = '' } = callback ?? {};
  const again = await shop.recurring({ firstTransId, token: chainToken });
  expect(again.body.status).toBe('settled');
});

test('only the payer uses a card that was saved with an authorisation of zero', async ({ as }) => {
  const shop = as('zeroAmounts');
  const { order, answer } = await payFields(shop, typed.settled, {
    session: { order: zero, auth: true, req_token: true },
  });
  expect(answer.body.result).toBe('success');
  const id = await idOf(shop, order.number);
  const { status, card_token, recurring_token } = await statusOf(shop, id);
  expect([status, recurring_token]).toEqual(['pending', undefined]);
  const byPayer = await payFields(shop, { card_cvv: '123' }, { session: { card_token } });
  expect(byPayer.answer.body.result).toBe('success');
});

test('the bank may authenticate the payer, or refuse the card: then nothing is saved', async ({ as }) => {
  const shop = as('zeroAmounts');
  expect((await payFields(shop, typed.challenge, { session: saving })).answer.body.result).toBe('redirect');
  const { order, answer } = await payFields(shop, typed.declined, { session: saving });
  expect(answer.body.result).toBe('decline');
  expect((await statusOf(shop, await idOf(shop, order.number))).card_token).toBeUndefined();
});

test('is refused where no account verifies cards, and without a reason to keep the card', async ({ as, shop }) => {
  const refusalOf = async (merchant: typeof shop, changes: object) => {
    const body = merchant.signed(merchant.sessionBody({ return_url: `${shop.shopServer.url}/back`, ...changes }));
    return (await merchant.post('/api/v1/session/token', body)).body.error_message;
  };
  const refused = 'amount: This value should be greater than 0.';
  expect(await refusalOf(shop, saving)).toBe(refused);
  expect(await refusalOf(as('zeroAmounts'), { order: zero, req_token: true })).toBe(refused);
});
