// The open page follows the server: paid or declined in another tab, settled by the provider, cancelled in another tab.

import { newOrderNumber } from '../support/merchant.ts';
import { PayPage, watch } from '../support/page-objects.ts';
import { cards, formTo, startPayer } from '../support/payer.ts';
import { pay as payOverHttp, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

test('paid in another tab', async ({ page, context, shop, florin, provider }) => {
  const { faults } = await watch(page, florin);
  const { url, order } = await shop.open();
  await page.goto(url);
  const other = await context.newPage();
  await other.goto(url);
  await new PayPage(other).payWith(cards.settled);
  await expect(other.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible({ timeout: 10_000 });
  await expect(page.locator('.countdown')).toHaveCount(0);
  await expect(page.locator('input[name=card_number]')).toHaveCount(0);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect(faults).toEqual([]);
});

test('a challenge that another tab began is shown in this one', async ({ page, context, shop }) => {
  const { url } = await shop.open();
  await page.goto(url);
  const other = await context.newPage();
  await other.goto(url);
  await new PayPage(other).payWith(cards.challenge);
  const confirm = new PayPage(page).bank.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toBeVisible({ timeout: 10_000 });
  await confirm.click();
  for (const each of [page, other]) await expect(each.locator('a[data-return]')).toBeVisible({ timeout: 10_000 });
});

test('a decline in another tab preserves the typed values here', async ({ page, shop, florin, provider }) => {
  const number = newOrderNumber();
  await provider.fault({ fault: 'late', call: 'payment', seconds: 2 }, number);
  const { url } = await shop.open({ order: { number } });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.type(cards.settled);
  await startPayer(florin).pay(url, cards.declined);
  await page.waitForTimeout(6_000);
  await expect(pay.number).toHaveValue('4111 1111 1111 1111');
});

test('an unknown outcome turns into the receipt when it is known', async ({ page, as, provider }) => {
  const shop = as('impatient');
  const number = newOrderNumber();
  await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, number);
  await provider.fault({ fault: 'error', call: 'status' }, number);
  const { url } = await shop.open({ order: { number } });
  await page.goto(url);
  await new PayPage(page).payWith(cards.settled);
  await expect(page.getByText('We’re waiting for your bank')).toBeVisible();
  await expect(page.getByText(/charged/)).toHaveCount(0);
  await expect(page.locator('a[data-return]')).toBeVisible({ timeout: 30_000 });
});

test('waiting, then settled by the notification', async ({ page, shop }) => {
  await page.goto((await shop.open()).url);
  await new PayPage(page).payWith({ number: '4000 0000 0000 1075', expiry: '12/30' });
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible({ timeout: 20_000 });
});

test('a lost answer hides the form until the server reports the outcome', async ({ page, shop, provider }) => {
  const { url, order } = await shop.open();
  let isDown = false;
  await page.route('**/pay/**', async (route) => {
    if (route.request().method() === 'POST') {
      isDown = true;
      await route.fetch({ maxRedirects: 0 });
    }
    return isDown ? route.abort('connectionreset') : route.continue();
  });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.settled);
  await expect(pay.alert).toContainText('Do not pay again yet.');
  await expect(pay.payButton).toBeHidden();
  await expect(page.getByRole('link', { name: 'Check now' })).toBeVisible();
  isDown = false;
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible({ timeout: 20_000 });
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('cancelled in another tab', async ({ page, shop, florin }) => {
  const { url } = await shop.open();
  await page.goto(url);
  const payer = startPayer(florin);
  await payer.submit(formTo(await payer.visit(url), '/cancel'));
  await expect(page.locator('input[name=card_number]')).toHaveCount(0);
});

test('without event streams the page polls', async ({ page, shop, florin }) => {
  const { url } = await shop.open();
  await page.route('**/events', (route) => route.fulfill({ status: 404 }));
  await page.goto(url);
  await startPayer(florin).pay(url, cards.settled);
  await expect(page.locator('a[data-return]')).toBeVisible({ timeout: 15_000 });
});

test('the payer leaves the bank for another card', async ({ page, shop, provider }) => {
  const { url, order } = await shop.open();
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.challenge);
  await expect(pay.bank.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await page.getByRole('button', { name: 'Use another card' }).click();
  await pay.payWith(cards.settled);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('a challenge in its own window returns to the page', async ({ page, context, shop }) => {
  const { url } = await shop.open();
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.challenge);
  await expect(pay.bank.getByRole('button', { name: 'Confirm' })).toBeVisible();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open in a new window' }).click();
  const window = await opened;
  await window.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.locator('a[data-return]')).toBeVisible({ timeout: 10_000 });
});

test('a challenge that the payer rejects allows another attempt', async ({ page, shop }) => {
  const { url } = await shop.open();
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.challenge);
  await pay.bank.getByRole('button', { name: 'Cancel' }).click();
  await expect(pay.alert).toContainText('verify your identity');
  await pay.payWith(cards.settled);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('a payment settles although the payer closes the page', async ({ page, shop }) => {
  const paid = await payOverHttp(shop, cards.challenge, {}, 'stay');
  await page.goto(paid.link);
  const answered = page.waitForResponse((response) => response.url().endsWith('/answer'));
  await new PayPage(page).bank.getByRole('button', { name: 'Confirm' }).click({ noWaitAfter: true });
  await answered;
  await page.close();
  await untilStatus(shop, paid.id, 'settled', 50);
});
