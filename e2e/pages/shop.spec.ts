// The demo shop as a new user of the sandbox sees it: choose, pay with each method, return, read the callbacks of the
// shop's server, refund a part. The shop accepts no unsigned callback.
import type { Page } from '@playwright/test';
import { checkOut, fillBasket, returnToShop, step, watchShop } from '../support/demo-shop.ts';
import { demo } from '../support/merchants.ts';
import { expectAccessible, PayPage } from '../support/page-objects.ts';
import { type Card, cards } from '../support/payer.ts';
import { signNotice } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

watchShop();

/** Places the order of the form and pays it. */
async function pay(page: Page, card: Card): Promise<void> {
  await page.getByRole('button', { name: /^(Pay|Authorise) / }).click();
  await page.waitForURL('**/pay/**');
  await new PayPage(page).payWith(card);
}

test('buy, pass 3-D Secure, return, see the callbacks, refund a part', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Florin is a payment service that you run yourself');
  await expectAccessible(page);
  await pay(page, cards.challenge);
  const bank = new PayPage(page).bank;
  await bank.getByRole('button', { name: 'Confirm' }).click();
  await returnToShop(page);

  await expect(page.getByText('The signature of the address is valid.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('€84.50');
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: 3ds, success, 3ds')).toContainText('Signature valid');
  const sale = step(page, 'Callback: sale, success, settled');
  await expect(sale).toContainText('Signature valid');
  await expect(sale).toContainText('hash is valid');
  await expect(sale).toContainText('webhook-signature is valid');
  await expect(sale).toContainText('card=411111****1111');
  await expect(sale).toContainText(/sequence \d+ · within \d s/);
  await expectAccessible(page);

  await page.getByLabel('Amount to refund').fill('20.00');
  await page.getByRole('button', { name: 'Refund €20.00' }).click();
  const refund = step(page, 'Callback: refund, success, settled');
  await expect(refund).toContainText('Signature valid');
  await expect(refund).toContainText('order_amount=20.00');
  await expect(page.getByLabel('Amount to refund')).toHaveValue('64.50');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('€64.50');
  await expect(page.getByRole('button', { name: 'Void' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Refund €64.50' }).click();
  await expect(page.getByRole('status')).toHaveText('Refunded');
  await expect(page.getByText('The full amount was refunded.')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

test('authorise, capture a part', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Authorise only').check();
  await pay(page, cards.settled);
  await returnToShop(page);
  await expect(page.getByRole('status')).toHaveText('Pending');
  await page.getByLabel('Amount to capture').fill('99.00');
  await page.getByRole('button', { name: 'Capture €99.00' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '208004' })).toBeVisible();
  await expect(step(page, 'Capture request')).toContainText('HTTP 400');
  await page.getByLabel('Amount to capture').fill('50.00');
  await page.getByRole('button', { name: 'Capture €50.00' }).click();
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: capture, success, settled')).toContainText('Signature valid');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('€50.00');
});

test('authorise and reverse', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Authorise only').check();
  await pay(page, cards.settled);
  await returnToShop(page);
  await page.getByRole('button', { name: 'Void' }).click();
  await expect(page.getByRole('status')).toHaveText('Reversed');
  await expect(page.getByText('The authorisation was reversed.')).toBeVisible();
  await page.getByRole('button', { name: 'Request the status' }).click();
  await step(page, 'Status request').locator('summary').click();
  await expect(step(page, 'Status request')).toContainText('"status": "reversal"');
});

test('go back without paying, then pay after all', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: /Trail shoes/ }).check();
  await page.getByRole('button', { name: 'Pay US$129.00' }).click();
  await page.waitForURL('**/pay/**');
  await page
    .getByRole('button', { name: /^Back to/ })
    .first()
    .click();
  await page.waitForURL('**/shop/**');
  await expect(
    page.getByText('The payer returned to cancel_url. The signature of the address is valid.'),
  ).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Trail shoes, size 42' })).toBeVisible();
});

test('goes back also if the page gets the event before the answer to its request', async ({ page }) => {
  await page.route('**/pay/*/cancel*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await route.fulfill({ response });
  });
  await page.goto('/');
  const listening = page.waitForRequest('**/pay/*/events*');
  await page.getByRole('button', { name: /^Pay / }).click();
  await listening;
  await page
    .getByRole('button', { name: /^Back to/ })
    .first()
    .click();
  await page.waitForURL('**/shop/**');
});

test('a declined card is shown as declined in the shop', async ({ page, context }) => {
  await page.goto('/');
  await pay(page, cards.declined);
  await expect(new PayPage(page).alert).toBeVisible();
  const shop = await context.newPage();
  await shop.goto('/');
  await shop.getByRole('link', { name: 'Two stoneware bowls' }).click();
  await expect(shop.getByRole('status')).toHaveText('Declined');
  await expect(step(shop, 'Callback: sale, fail, decline')).toContainText('reason=Declined by processing');
  await expect(shop.getByRole('link', { name: 'Go to the payment page' })).toBeVisible();
  await new PayPage(page).payWith(cards.settled);
  // The open page of the shop updates itself.
  await expect(shop.getByRole('status')).toHaveText('Settled');
  await shop.close();
});

test('if events are blocked the shop polls instead', async ({ page }) => {
  await page.route('**/sandbox/shop/orders/*/events', (route) => route.abort());
  await page.goto('/');
  await pay(page, cards.settled);
  await returnToShop(page);
  await expect(page.getByText('Updated every few seconds.')).toBeVisible();
  await page.getByRole('button', { name: 'Refund €84.50' }).click();
  await expect(step(page, 'Callback: refund, success, refund')).toContainText('Signature valid');
});

test('the payment page uses the chosen language', async ({ page }) => {
  await page.goto('/');
  await page.getByText('More options').click();
  await page.getByLabel('Language of the payment page').selectOption('de');
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.waitForURL('**/pay/**');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('field errors of the form are shown beside the field, before anything is sent', async ({ page }) => {
  await page.goto('/');
  let placed = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') placed += 1;
  });
  const amount = page.getByLabel('Amount');
  for (const [typed, fieldError] of [
    ['', 'Enter an amount.'],
    ['1e3', 'Write the amount as 84.50.'],
    ['10.001', 'EUR has 2 decimals.'],
    ['10000.01', 'The shop sells nothing above 10,000.'],
    ['0', 'Only an authorisation or a first recurring payment may be zero.'],
  ] as const) {
    await amount.fill(typed);
    await page.getByRole('button', { name: /^Pay / }).click();
    await expect(amount).toHaveAccessibleDescription(fieldError);
    await expect(amount).toBeFocused();
  }
  await expectAccessible(page);
  await page.getByLabel('Currency').selectOption('JPY');
  await amount.fill('10.5');
  await expect(amount).toHaveAccessibleDescription('JPY has no decimals.');
  await amount.fill('10');
  await expect(amount).not.toHaveAttribute('aria-invalid');
  expect(placed).toBe(0);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the form leads to the payment page and the order can be read', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL('**/pay/**');
    const form = new PayPage(page);
    await form.number.fill(cards.settled.number);
    await form.expiry.fill(cards.settled.expiry);
    await form.code.fill('123');
    await form.holder.fill('Ana Petrovic');
    await form.payButton.click();
    await page.getByRole('link', { name: /^Return to/ }).click();
    await page.waitForURL('**/shop/**');
    await expect(page.getByText('The signature of the address is valid.')).toBeVisible();
    await expect(step(page, 'Session created')).toBeVisible();
  });

  test('the basket is a form, and so is the shop’s own card form', async ({ page }) => {
    await page.goto('/shop');
    await page.getByLabel('Quantity: Reading lamp').fill('2');
    await page.getByRole('radio', { name: /^The shop’s own form/ }).check();
    await page.getByRole('button', { name: /^Check out/ }).click();
    await page.waitForURL('**/shop/**');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('€116.00');
    await page.getByLabel('Expiry date').fill('05/38');
    await page.getByRole('button', { name: 'Pay €116.00' }).click();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/shop/**');
    await expect(step(page, 'Payer returned to the shop')).toContainText('Not signed');
  });
});

test('unsigned returns and callbacks are rejected', async ({ page }) => {
  const { request } = page;
  const placed = await request.post('/sandbox/shop/orders', {
    data: { item: 'bowls', amount: '84.50', currency: 'EUR' },
  });
  expect(placed.status()).toBe(201);
  const { id } = await placed.json();
  const { number } = await (await request.get(`/sandbox/shop/orders/${id}`)).json();
  const order = { number, amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' };
  const paymentId = '01a1f954-d557-72d6-a511-f3708e5bc642';
  const fields = {
    payment_id: paymentId,
    order_number: number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    order_status: 'settled',
    type: 'sale',
    status: 'success',
  };
  const callback = (changes: Record<string, string>) =>
    request.post(`/sandbox/shop/callbacks/${id}`, { form: { ...fields, ...changes } });
  const right = signNotice(paymentId, order, demo);
  const foreign = signNotice(paymentId, { ...order, number: 'ANOTHER' }, demo);
  const forgeries: Record<string, string>[] = [
    { hash: right.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    { hash: right, order_amount: '0.01' },
    { hash: foreign, order_number: 'ANOTHER' },
    // The hash is valid, but without the header nothing proves the status.
    { hash: right },
    { order_number: 'a\0b' },
    {},
  ];
  for (const changes of forgeries) {
    const answer = await callback(changes);
    expect(answer.status()).toBe(400);
    expect(await answer.text()).toBe('ERROR');
  }
  await page.goto(`/shop/${id}?back=success&payment_id=${paymentId}&order_id=${number}&hash=${'0'.repeat(40)}`);
  await expect(page.getByText('The signature of the address is invalid')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Created');
  await expect(page.getByText('Signature invalid')).toHaveCount(7);
  await expect(page.getByRole('button', { name: /^Refund/ })).toHaveCount(0);
  await expectAccessible(page);
  // A reload of the address is the same return.
  await page.reload();
  await expect(step(page, 'Payer returned to the shop')).toHaveCount(1);
});

test('the shop rejects invalid requests', async ({ request }) => {
  const orders = '/sandbox/shop/orders';
  const order = { item: 'bowls', amount: '84.50', currency: 'EUR' };
  const json = (data: object) => request.post(orders, { data });
  for (const [change, field] of [
    [{ item: 'car' }, 'item'],
    [{ amount: 84.5 }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ currency: 'XXX' }, 'currency'],
    [{ auth: 'yes' }, 'auth'],
    [{ language: 'tlh' }, 'language'],
  ] as const) {
    const answer = await json({ ...order, ...change });
    expect(answer.status()).toBe(400);
    expect(Object.keys((await answer.json()).errors)).toContain(field);
  }
  const text = (data: string, type = 'application/json') =>
    request.post(orders, { data, headers: { 'content-type': type } });
  expect((await text('{')).status()).toBe(400);
  expect((await text('[]')).status()).toBe(400);
  expect((await text(JSON.stringify(order), 'text/plain')).status()).toBe(415);
  expect((await text(JSON.stringify({ ...order, pad: 'x'.repeat(5_000) }))).status()).toBe(413);
  const unknown = await request.get(`${orders}/AAAAAAAAAAAAAAAAAAAAAA`);
  expect(unknown.status()).toBe(404);
  expect((await request.get(`${orders}/%00`)).status()).toBe(404);

  const { id } = await (await json(order)).json();
  const refund = (amount: unknown) => request.post(`${orders}/${id}/refund`, { data: { amount } });
  expect((await refund('1,50')).status()).toBe(400);
  expect((await refund(1)).status()).toBe(400);
  expect((await refund('1.50')).status()).toBe(409);
});

test('an order that does not exist', async ({ page }) => {
  const answer = await page.goto('/shop/AAAAAAAAAAAAAAAAAAAAAA');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expectAccessible(page);
});

test('on a phone nothing scrolls sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await pay(page, cards.settled);
  await returnToShop(page);
  await expect(page.getByRole('status')).toHaveText('Settled');
  expect(await overflow()).toBeLessThanOrEqual(0);
  await fillBasket(page, ['Sourdough loaf'], /^The shop’s own form/);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await checkOut(page);
  await page.waitForURL('**/shop/**');
  await expect(page.getByLabel('Card number')).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
});
