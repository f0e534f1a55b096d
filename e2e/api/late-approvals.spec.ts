// How the money of late and wrong approvals is returned: by a void or a refund, each under its own key, decided by what
// the provider reports when the request is sent.

import { apmMerchant } from '../support/apm-merchant.ts';
import { type CardMerchant, cardMerchant } from '../support/card-merchant.ts';
import { callbackSummaries, ledgerBalanceOf, unresolvedOf } from '../support/consistency.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { closeAtOnce } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
import { type ScriptedProvider, type Step, startScriptedProvider } from '../support/scripted-provider.ts';
import { expect, test } from '../support/test.ts';

// All tests share one port and therefore one worker.
test.describe.configure({ mode: 'default' });

let bank: ScriptedProvider;
test.beforeAll(async () => {
  bank = await startScriptedProvider(scriptedProviderPorts.approval);
});
test.afterAll(() => bank.close());

/** A look-up that was answered before the operation was approved. */
const stale: Step = {
  tells: { status: 'declined', decline: { code: 'not_now', message: 'not_now', class: 'bank', soft: false } },
};
const refused: Step = { says: 'declined', stays: true };

/** A sale, or an authorisation with `auth`, that is declined. */
async function declinedOrder(shop: CardMerchant, auth = 'N'): Promise<string> {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'declined' });
  const sold = await shop.sell({ order_id, auth });
  expect(sold.answer.body).toMatchObject({ result: 'DECLINED', status: 'DECLINED' });
  return order_id;
}

const sent = (order: string, call: 'void' | 'refund') => bank.arrived(order, call).map(({ key }) => key);

test('a late authorisation is voided although the MID refunds, and its void is repeated until it is decided', async ({
  cardAs,
  florin,
}) => {
  const order = await declinedOrder(cardAs('approvalProviderRefunding'), 'Y');
  bank.on(order, 'void', { says: 'processing' });
  for (const [place, status] of (['authorized', 'declined'] as const).entries()) {
    bank.becomes(order, status);
    await bank.notify(order, florin);
    await expect.poll(() => sent(order, 'void').length).toBe(place + 1);
  }
  expect(new Set(sent(order, 'void')).size).toBe(1);
  expect(await unresolvedOf(order)).toMatchObject([{ kind: 'late_success', closed_at: null }]);
  bank.decides(order, 'void', 'approved');
  await bank.notify(order, florin);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ resolution: 'Voided at the provider' }]);
  expect(sent(order, 'refund')).toEqual([]);
});

test('of two late approvals that are voided at the same time the second end is reported', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('approvalProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'soft' });
  bank.on(order_id, 'b payment', { says: 'declined' });
  bank.on(order_id, 'void', { held: true }, { held: true });
  expect((await shop.sell({ order_id })).answer.body.status).toBe('DECLINED');
  for (const { account, key } of bank.arrived(order_id, 'payment')) {
    bank.becomes(order_id, 'approved', account);
    await (await fetch(`${florin}/return/${key}`, { redirect: 'manual' })).arrayBuffer();
  }
  await expect.poll(() => sent(order_id, 'void').length).toBe(2);
  await closeAtOnce(order_id, 2, () => bank.release(order_id));
  await expect
    .poll(async () => (await unresolvedOf(order_id)).map(({ resolution }) => resolution).sort())
    .toEqual(['Voided at the provider', 'Voided at the provider, beside the payment']);
  const declined = () => callbackSummaries(shop, order_id).filter((each) => each === 'SALE DECLINED DECLINED').length;
  await expect.poll(declined).toBe(2);
});

test('refunds of different amounts have different keys', async ({ cardAs, florin }) => {
  const shop = cardAs('approvalProviderRefunding');
  const order_id = newOrderNumber();
  const part = { amount: '40.00', currency: 'EUR' };
  bank.on(order_id, 'payment', { tells: part });
  bank.on(order_id, 'look-up', { tells: part, stays: true });
  await untilS2sStatus(shop, await shop.sell({ order_id }), 'DECLINED', 40);
  expect(bank.net(order_id)).toBe(4450);
  // The provider has taken the whole amount, and reports it now.
  bank.on(order_id, 'look-up');
  await bank.notify(order_id, florin);
  await expect.poll(() => bank.arrived(order_id, 'refund').map(({ body }) => body.amount)).toEqual(['40.00', '84.50']);
  expect(new Set(sent(order_id, 'refund')).size).toBe(2);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch' }, { kind: 'late_success', amount_minor: '8450', closed_at: null }]);
});

test('a refund of another amount leaves the item to a user', async ({ cardAs, florin }) => {
  const order = await declinedOrder(cardAs('approvalProviderRefunding'));
  bank.on(order, 'refund', { tells: { amount: '1.00', currency: 'EUR' }, stays: true });
  bank.becomes(order, 'approved');
  await bank.notify(order, florin);
  await expect.poll(() => sent(order, 'refund').length).toBe(1);
  await expect
    .poll(() => unresolvedOf(order))
    .toMatchObject([{ kind: 'late_success', action: 'task', closed_at: null }]);
});

test('an attempt whose amount is right after all is settled, not refunded', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderRefunding');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { tells: { amount: '40.00', currency: 'EUR' } });
  await untilS2sStatus(shop, await shop.sell({ order_id }), 'SETTLED', 40);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ closed_at: expect.any(String) }]);
  expect([sent(order_id, 'refund').length, bank.net(order_id), await ledgerBalanceOf(order_id)]).toEqual([
    0, 8450, 8450,
  ]);
});

test('a look-up from before a rejected void does not close a late success', async ({ cardAs, florin }) => {
  const order = await declinedOrder(cardAs('approvalProviderAlone'));
  bank.on(order, 'void', refused);
  bank.on(order, 'look-up', {}, stale);
  bank.becomes(order, 'approved');
  await bank.notify(order, florin);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ resolution: 'Refunded at the provider' }]);
  expect(bank.net(order)).toBe(0);
});

test('a late authorisation that is gone is not refunded although the MID refunds', async ({ cardAs, florin }) => {
  const order = await declinedOrder(cardAs('approvalProviderRefunding'), 'Y');
  bank.on(order, 'look-up', { tells: { status: 'authorized', decline: undefined } });
  await bank.notify(order, florin);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ kind: 'late_success', closed_at: expect.any(String) }]);
  expect(sent(order, 'refund')).toEqual([]);
});

test('an authorisation with another amount is voided although the MID refunds', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderRefunding');
  const order_id = newOrderNumber();
  const answer = { tells: { amount: '40.00', currency: 'EUR' }, stays: true } as const;
  bank.on(order_id, 'payment', answer);
  bank.on(order_id, 'look-up', answer);
  await untilS2sStatus(shop, await shop.sell({ order_id, auth: 'Y' }), 'DECLINED', 40);
  expect([sent(order_id, 'void').length, sent(order_id, 'refund').length]).toEqual([1, 0]);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch', resolution: 'Voided at the provider' }]);
});

for (const [title, rejection] of [
  ['at a busy account', { status: 429, code: 'too_many_calls' }],
  ['with rotated credentials', { status: 422, code: 'bad_credentials' }],
] as const) {
  test(`a void ${title} is not sent to another account`, async ({ florin, shopServer }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    const url = `http://127.0.0.1:${scriptedProviderPorts.approval}/a`;
    const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const settings = { provider: 'own', url, apiKey: 'first-account', signingSecret, timeoutSeconds: 2 };
    const { id, version, values } = await makeMid(manager, own.id, settings);
    const shop = cardMerchant(florin, own.credentials, shopServer);
    const order_id = newOrderNumber();
    bank.on(order_id, 'payment', { says: 'declined' });
    const sold = await shop.sell({ order_id });
    const { status } = await manager.post(`/mids/${id}`, { version, ...values, ...settings, apiKey: 'other-account' });
    expect(status).toBe(200);
    bank.becomes(order_id, 'approved');
    // The look-ups of the return and of the item; then the other account does not know the payment.
    bank.on(order_id, 'look-up', {}, {}, { stray: true });
    bank.on(order_id, 'void', { refused: rejection });
    await (await fetch(`${florin}/return/${sold.transId}`, { redirect: 'manual' })).arrayBuffer();
    await expect.poll(() => bank.net(order_id)).toBe(0);
    const accounts = bank.arrived(order_id, 'void').map(({ headers }) => headers.authorization);
    expect(new Set(accounts)).toEqual(new Set(['Bearer first-account']));
  });
}

for (const merchant of ['approvalProviderAlone', 'approvalProviderRefunding'] as const) {
  test(`an authorisation that cannot be voided is not refunded: ${merchant}`, async ({ cardAs, florin }) => {
    const shop = cardAs(merchant);
    const late = await declinedOrder(shop, 'Y');
    bank.on(late, 'void', refused);
    bank.becomes(late, 'authorized');
    await bank.notify(late, florin);
    const order_id = newOrderNumber();
    const answer = { tells: { amount: '40.00', currency: 'EUR' }, stays: true } as const;
    for (const call of ['payment', 'look-up'] as const) bank.on(order_id, call, answer);
    bank.on(order_id, 'void', refused);
    await shop.sell({ order_id, auth: 'Y' });
    for (const order of [late, order_id]) {
      await expect.poll(() => sent(order, 'void').length).toBeGreaterThan(0);
      await expect
        .poll(async () => (await unresolvedOf(order)).filter(({ kind }) => kind !== 'not_cancelled'))
        .toMatchObject([{ action: 'task', closed_at: null }]);
      expect(sent(order, 'refund')).toEqual([]);
    }
  });
}

test('a payment that has been settled meanwhile is not voided', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderAlone');
  const order_id = newOrderNumber();
  const part: Step = { tells: { amount: '40.00', currency: 'EUR' } };
  bank.on(order_id, 'payment', part);
  bank.on(order_id, 'void', { says: 'declined' });
  // The whole amount once, and then a part again.
  bank.on(order_id, 'look-up', {}, { ...part, stays: true });
  await untilS2sStatus(shop, await shop.sell({ order_id }), 'SETTLED', 40);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch', action: 'task', closed_at: null }]);
  expect([bank.net(order_id), await ledgerBalanceOf(order_id)]).toEqual([8450, 8450]);
});

/** A sale of which the provider reports less, and has it refunded. */
async function sellPart(shop: CardMerchant, part: Step, refund: Step) {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', part);
  bank.on(order_id, 'look-up', { ...part, stays: true });
  bank.on(order_id, 'refund', refund);
  const sold = await shop.sell({ order_id });
  await expect.poll(() => sent(order_id, 'refund').length).toBe(1);
  return { order_id, sold };
}

const part: Step = { tells: { amount: '40.00', currency: 'EUR' } };

test('an amount that is refunded while the payment is settled stays listed', async ({ cardAs, florin }) => {
  const shop = cardAs('approvalProviderRefunding');
  const { order_id, sold } = await sellPart(shop, part, { after: 9_000 });
  bank.on(order_id, 'look-up');
  await untilS2sStatus(shop, sold, 'SETTLED', 40);
  const listed = [{ kind: 'amount_mismatch', amount_minor: '4000', action: 'task', closed_at: null }];
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject(listed);
  expect([bank.net(order_id), await ledgerBalanceOf(order_id)]).toEqual([4450, 8450]);
  // What the provider reports of the payment itself does not close it.
  await bank.notify(order_id, florin);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await unresolvedOf(order_id)).toMatchObject(listed);
});

test('a refund of another amount stays listed when the payment is settled', async ({ cardAs, florin }) => {
  const shop = cardAs('approvalProviderRefunding');
  const { order_id, sold } = await sellPart(shop, part, { tells: { amount: '39.00', currency: 'EUR' } });
  bank.on(order_id, 'look-up');
  await untilS2sStatus(shop, sold, 'SETTLED', 40);
  const lookedUp = bank.arrived(order_id, 'look-up').length;
  expect(await bank.notify(order_id, florin)).toBe(200);
  await expect.poll(() => bank.arrived(order_id, 'look-up').length).toBeGreaterThan(lookedUp);
  expect(await unresolvedOf(order_id)).toMatchObject([{ kind: 'amount_mismatch', action: 'task', closed_at: null }]);
  const { body } = await (await visitorAs(florin, 'manager')).get(`/unresolved?q=${order_id}`);
  expect(JSON.stringify(body)).toContain('Florin has sent a refund');
});

test('what the provider took of a declined attempt beside the refund is listed', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderRefunding');
  const dollars = (amount: string): Step => ({ tells: { amount, currency: 'USD' } });
  const { order_id, sold } = await sellPart(shop, dollars('40.00'), { never: 503 });
  bank.on(order_id, 'look-up', { ...dollars('84.50'), stays: true });
  await untilS2sStatus(shop, sold, 'DECLINED', 40);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch' }, { kind: 'late_success', amount_minor: '8450', closed_at: null }]);
});

test('what the provider takes while it refunds is listed', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderRefunding');
  const dollars = (amount: string): Step => ({ tells: { amount, currency: 'USD' } });
  const { order_id, sold } = await sellPart(shop, dollars('40.00'), { after: 1_500 });
  await expect.poll(() => sent(order_id, 'refund').length).toBe(1);
  bank.on(order_id, 'look-up', { ...dollars('84.50'), stays: true });
  await untilS2sStatus(shop, sold, 'DECLINED', 40);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch' }, { kind: 'late_success', amount_minor: '8450', closed_at: null }]);
});

test('an item has the amount that the provider reports now', async ({ cardAs, florin }) => {
  const shop = cardAs('approvalProviderAlone');
  const dollars = (amount: string): Step => ({ tells: { amount, currency: 'USD' }, stays: true });
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', dollars('40.00'));
  bank.on(order_id, 'look-up', dollars('40.00'));
  for (const call of ['void', 'refund'] as const) bank.on(order_id, call, refused);
  await shop.sell({ order_id });
  const amounts = async () =>
    (await unresolvedOf(order_id))
      .filter(({ kind, action }) => kind === 'amount_mismatch' && action === 'task')
      .map(({ amount_minor, currency }) => `${amount_minor} ${currency}`);
  await expect.poll(amounts).toEqual(['4000 USD']);
  bank.on(order_id, 'look-up', dollars('84.50'));
  await bank.notify(order_id, florin);
  await expect.poll(amounts).toEqual(['8450 USD']);
});

test('another amount of an attempt that is declined meanwhile is listed as a late success', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('approvalProviderRefunding');
  const { order_id, sold } = await sellPart(shop, part, refused);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch', action: 'task', closed_at: null }]);
  // The provider declines the attempt, and then takes the whole amount after all.
  bank.on(order_id, 'look-up', stale);
  await bank.notify(order_id, florin);
  await untilS2sStatus(shop, sold, 'DECLINED', 40);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([
      { kind: 'amount_mismatch', resolution: 'Listed as another difference' },
      { kind: 'late_success', amount_minor: '8450', action: 'task', closed_at: null },
    ]);
});

test('a refund has the amount that the provider reports when it is sent', async ({ cardAs, florin }) => {
  const order = await declinedOrder(cardAs('approvalProviderRefunding'));
  bank.on(order, 'look-up', part);
  bank.becomes(order, 'approved');
  await bank.notify(order, florin);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ resolution: 'Refunded at the provider' }]);
  expect(bank.moved(order).at(-1)).toBe('a refund -8450');
});

test('a refund whose repetition is refused may have been carried out, and stays listed', async ({ cardAs }) => {
  const shop = cardAs('approvalProviderRefunding');
  const { order_id, sold } = await sellPart(shop, part, { lost: 'reset' });
  bank.on(order_id, 'refund', { refused: { status: 422, code: 'not_allowed' }, stays: true });
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch', action: 'task', closed_at: null }]);
  bank.on(order_id, 'look-up');
  await untilS2sStatus(shop, sold, 'SETTLED', 40);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await unresolvedOf(order_id)).toMatchObject([{ kind: 'amount_mismatch', action: 'task', closed_at: null }]);
  expect([bank.net(order_id), await ledgerBalanceOf(order_id)]).toEqual([4450, 8450]);
});

test('coins without a fixed amount that are approved in another currency are not booked', async ({
  florin,
  shopServer,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const url = `http://127.0.0.1:${scriptedProviderPorts.approval}/a`;
  const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const methods = ['crypto-btg'];
  const settings = { provider: 'own', url, apiKey: 'coins', signingSecret, methods, lateSuccess: 'task' };
  await makeMid(manager, own.id, settings);
  const shop = apmMerchant(florin, own.credentials, shopServer);
  const order_id = newOrderNumber();
  const present = { kind: 'crypto', address: 'G'.repeat(34), network: 'Bitcoin Gold', currency: 'BTG' };
  const approval = (currency: string): Step => ({
    tells: { status: 'approved', amount: '90.00', currency },
    stays: true,
  });
  bank.on(order_id, 'payment', { says: 'processing', tells: { present } });
  bank.on(order_id, 'look-up', approval('USD'));
  const sold = await shop.sell({ brand: 'crypto-btg', identifier: undefined, order_id });
  expect(sold.answer.body).toMatchObject({ status: 'PENDING', crypto_address: present.address });
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'amount_mismatch', amount_minor: '9000', currency: 'USD', closed_at: null }]);
  expect((await shop.follow('GET_TRANS_STATUS', sold)).body.status).toBe('PENDING');
  // In the payment's currency the payer chose the amount.
  bank.on(order_id, 'look-up', approval('EUR'));
  await untilS2sStatus(shop, sold, 'SETTLED', 60);
  expect(await ledgerBalanceOf(order_id)).toBe(9000);
});
