// The demo shop as a new user of the sandbox sees it: choose, pay with each method, return, read the callbacks of the
// shop's server, refund a part. The shop accepts no unsigned callback.
import type { Page } from '@playwright/test';
import { demo } from '../support/merchants';
import { expectAccessible, PayPage, watch } from '../support/pages';
import { type Card, cards } from '../support/payer';
import { signNotice } from '../support/signer';
import { expect, test } from '../support/test';

// Orders of the shop are pages of Florin, so that nothing is loaded from other origins.
test.beforeEach(async ({ page, florin }, info) => {
  const { faults } = await watch(page, florin);
  Object.assign(info, { faults });
});

test.afterEach(async ({ page: _ }, info) => {
  expect((info as unknown as { faults: string[] }).faults).toEqual([]);
});

/** Places the order of the form and pays it. */
async function pay(page: Page, card: Card): Promise<void> {
  await page.getByRole('button', { name: /^(Pay|Authorise) / }).click();
  await page.waitForURL('**/pay/**');
  await new PayPage(page).payWith(card);
}

/** Returns from the receipt to the order's page. */
async function returnToShop(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL('**/shop/**');
}

/** Puts things into the basket, and chooses the payment method. */
async function fillBasket(page: Page, products: readonly string[], method: string | RegExp): Promise<void> {
  await page.goto('/shop');
  for (const product of products) {
    const more = page.getByRole('button', { name: `More: ${product}` });
    const quantity = page.getByLabel(`Quantity: ${product}`);
    // A press has no effect before the script is loaded.
    await expect(async () => {
      if ((await quantity.inputValue()) === '0') await more.click();
      await expect(quantity).toHaveValue('1', { timeout: 500 });
    }).toPass();
  }
  await page.getByRole('radio', { name: method }).check();
}

const checkOut = (page: Page) => page.getByRole('button', { name: /^Check out/ }).click();

/** The card frame with this name. */
const field = (page: Page, name: string) => page.frameLocator(`#${name} iframe`).locator('#field');

async function typeInFields(page: Page, expiry: string): Promise<void> {
  await field(page, 'card').pressSequentially('4111111111111111');
  await field(page, 'expiry').pressSequentially(expiry);
  await field(page, 'cvv').pressSequentially('123');
  await page.getByLabel('Name on card').fill('Ana Petrović');
  await page.getByRole('button', { name: /^Pay / }).click();
}

const inBothSchemes = async (page: Page) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
};

/** The step of the log with this title. */
function step(page: Page, title: string | RegExp) {
  return page.getByRole('listitem').filter({ has: page.locator('summary', { hasText: title }) });
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('84.50 EUR');
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
  await page.getByRole('button', { name: 'Refund 20.00 EUR' }).click();
  const refund = step(page, 'Callback: refund, success, settled');
  await expect(refund).toContainText('Signature valid');
  await expect(refund).toContainText('order_amount=20.00');
  await expect(page.getByLabel('Amount to refund')).toHaveValue('64.50');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('64.50 EUR');
  await expect(page.getByRole('button', { name: 'Void' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Refund 64.50 EUR' }).click();
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
  await page.getByRole('button', { name: 'Capture 99.00 EUR' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '208004' })).toBeVisible();
  await expect(step(page, 'Capture request')).toContainText('HTTP 400');
  await page.getByLabel('Amount to capture').fill('50.00');
  await page.getByRole('button', { name: 'Capture 50.00 EUR' }).click();
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: capture, success, settled')).toContainText('Signature valid');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('50.00 EUR');
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
  await page.getByRole('button', { name: 'Pay 129.00 USD' }).click();
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
  await page.waitForURL('**/shop/**', { timeout: 20_000 });
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
  await page.getByRole('button', { name: 'Refund 84.50 EUR' }).click();
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
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('116.00 EUR');
    await page.getByLabel('Expiry').fill('05/38');
    await page.getByRole('button', { name: 'Pay 116.00 EUR' }).click();
    await page.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/shop/**');
    await expect(step(page, 'Payer returned to the shop')).toContainText('Not signed');
  });
});

test('a basket with a subscription at the payment page; its card is saved and pays the next basket', async ({
  page,
  browser,
  florin,
}) => {
  await fillBasket(page, ['Two stoneware bowls', 'Sourdough loaf'], /^Payment page/);
  await expect(page.getByText('Then 6.50 EUR every day, 7 times')).toBeVisible();
  await page.getByLabel('Save the card for next time').check();
  await inBothSchemes(page);
  await checkOut(page);
  await page.waitForURL('**/pay/**');
  await new PayPage(page).payWith(cards.settled);
  await returnToShop(page);
  await expect(page.getByRole('status').first()).toHaveText('Settled');
  await expect(step(page, 'Schedule created')).toContainText('POST /s2s/card/post, 200');
  const sale = step(page, 'Callback: sale, success, settled');
  await expect(sale).toContainText('Signature valid');
  await expect(sale).toContainText('payment_schedule_amount=6.50');
  await expect(page.getByRole('heading', { name: 'Card saved' })).toBeVisible();

  const subscription = page.getByRole('region', { name: 'Subscription' });
  await expect(subscription).toContainText('Active');
  await subscription.getByRole('button', { name: 'Charge now' }).click();
  await subscription.getByRole('status').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('6.50 EUR');
  await expect(step(page, 'Callback: recurring, success, settled')).toContainText('Signature valid');
  await page.getByRole('link', { name: /^DEMO-/ }).click();
  await subscription.getByRole('button', { name: 'Pause' }).click();
  await expect(subscription).toContainText('Paused: nothing is charged');
  await subscription.getByRole('button', { name: 'Resume' }).click();
  await expect(step(page, 'Schedule resumed')).toBeVisible();
  await subscription.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(subscription).toContainText('Cancelled');
  await expect(subscription.getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
  const address = page.url();

  await fillBasket(page, ['Reading lamp'], /^Saved card 411111/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pay 58.00 EUR with the saved card' }).click();
  await page.waitForURL('**/shop/**');
  await expect(page.getByRole('status').first()).toHaveText('Settled');
  await step(page, /^Sale/).locator('summary').first().click();
  await expect(step(page, /^Sale/)).toContainText(/card_token=[0-9a-f]{6}…[0-9a-f]{4}/);
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Remove the card 411111****1111' }).click();
  await expect(page.getByRole('radio', { name: /^Saved card/ })).toHaveCount(0);

  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  expect((await other.goto(address))?.status()).toBe(404);
  await other.goto(`${florin}/shop`);
  await expect(other.getByRole('heading', { name: 'Demo shop' })).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Your orders in this browser' })).toHaveCount(0);
  await stranger.close();
});

test('card fields in the shop: a decline, then a challenge, and the shop never gets a digit', async ({ page }) => {
  await fillBasket(page, ['Gooseneck kettle'], /^Card fields/);
  await checkOut(page);
  await page.waitForURL('**/shop/**');
  await expect(field(page, 'cvv')).toBeVisible();
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByText('Enter your card number.')).toBeVisible();
  await expect(page.getByText('Enter the name on the card.')).toBeVisible();
  await expect(field(page, 'card')).toBeFocused();
  await typeInFields(page, '0238');
  await expect(page.getByRole('alert').filter({ hasText: 'You have not been charged.' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Declined');
  await field(page, 'expiry').fill('05 / 38');
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/shop/**');
  await expect(page.getByText('The signature of the address is valid.')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: sale, success, settled')).toContainText('Signature valid');
  for (const title of ['Token for hosted fields', 'Payment by hosted fields']) {
    await step(page, title).locator('summary').first().click();
  }
  await expect(step(page, 'Payment by hosted fields').first()).toContainText('with_hosted_fields');
  expect(await page.locator('body').textContent()).not.toMatch(/4111\s?1111/);
});

test('the shop’s own form over S2S CARD: a decline, the bank, a refund of a part, and no card in the logged requests', async ({
  page,
}) => {
  await fillBasket(page, ['Trail shoes, size 42'], /^The shop’s own form/);
  await page.getByLabel('Currency').selectOption('JPY');
  await page.getByRole('button', { name: 'Check out, 19,800 JPY' }).click();
  await page.waitForURL('**/shop/**');
  await page.getByLabel('Card number').fill('4539 5787 6362 1486');
  await page.getByRole('button', { name: 'Pay 19,800 JPY' }).click();
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(
    'This is no test card. Never type a real one here.',
  );
  await inBothSchemes(page);
  const testCard = page.getByLabel('Test card');
  await testCard.selectOption('declined');
  await page.getByRole('button', { name: 'Pay 19,800 JPY' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Declined by processing' })).toBeVisible();
  await expect(step(page, 'Callback: SALE, DECLINED, DECLINED')).toContainText('Signature valid');
  await testCard.selectOption('3ds-settled');
  await page.getByRole('button', { name: 'Pay 19,800 JPY' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/shop/**');
  await expect(page.getByText('The address is not signed, so the shop ignores its content.')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: SALE, SUCCESS, SETTLED')).toContainText('Signature valid');
  await page.getByLabel('Amount to refund').fill('9800');
  await page.getByRole('button', { name: 'Refund 9,800 JPY' }).click();
  await expect(step(page, 'Callback: CREDITVOID, SUCCESS, SETTLED')).toContainText('Signature valid');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('10,000 JPY');
  // The first sale and the second.
  for (const at of [0, 1]) {
    const sale = step(page, /^Sale/).nth(at);
    await sale.locator('summary').click();
    await expect(sale).toContainText('card_number=411111****1111');
    await expect(sale).toContainText('card_cvv2=***');
  }
  expect(await page.content()).not.toMatch(/4111\s?1111\s?1111\s?1111/);
  await expectAccessible(page);
});

test('the test wallet over S2S APM: declined, then paid', async ({ page }) => {
  await fillBasket(page, ['Reading lamp'], /^Test wallet/);
  await checkOut(page);
  await page.waitForURL('**/shop/**');
  await page.getByLabel('Payer').selectOption('fail@gmail.com');
  await page.getByRole('button', { name: 'Pay 58.00 EUR' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You have not been charged.' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Payer').selectOption('success@gmail.com');
  await page.getByRole('button', { name: 'Pay 58.00 EUR' }).click();
  const sale = step(page, 'Callback: SALE, SUCCESS, SETTLED');
  await expect(sale).toContainText('Signature valid');
  await expect(sale).toContainText('covers every field');
  await expect(page.getByRole('status')).toHaveText('Settled');
});

test('the basket survives a reload, and an empty one is not sent', async ({ page }) => {
  await fillBasket(page, ['Notebook, dotted paper'], /^Payment page/);
  await page.getByLabel('Currency').selectOption('KWD');
  await page.reload();
  await expect(page.getByLabel('Quantity: Notebook, dotted paper')).toHaveValue('1');
  await expect(page.getByRole('button', { name: 'Check out, 2.450 KWD' })).toBeVisible();
  const quantity = page.getByLabel('Quantity: Notebook, dotted paper');
  await quantity.fill('99');
  await expect(quantity).toHaveValue('20');
  await page.getByRole('button', { name: 'Fewer: Notebook, dotted paper' }).click();
  await expect(page.getByRole('button', { name: 'Check out, 46.550 KWD' })).toBeVisible();
  await quantity.fill('0');
  await page.getByRole('button', { name: 'Check out' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The basket is empty.' })).toBeVisible();
  await expectAccessible(page);
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
