// The main flow as the payer and the shop see it: a signed session, the page, the bank's challenge, the return to the
// shop, a signed callback. With script, without it, and by keyboard alone.

import type { Page } from '@playwright/test';
import { PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expectCallbacks, idOf, statusOf } from '../support/payment-flows.ts';
import { signNotice } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

test('session, page, 4111 1111 1111 1111 05/38, challenge in the frame, back at the shop, callback', async ({
  page,
  shop,
  florin,
  shopServer,
  provider,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url, order } = await shop.open();
  await page.goto(url);
  await expect(page).toHaveTitle(/^Pay/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('€84.50');
  const pay = new PayPage(page);
  await pay.type(cards.challenge);
  await expect(pay.number).toHaveValue('4111 1111 1111 1111');
  await expect(pay.expiry).toHaveValue(/^05 ?\/ ?38$/);
  await expect(pay.payButton).toContainText('Pay €84.50');
  await pay.payButton.click();

  await expect(pay.bank.getByText('Do you want to make this payment?')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('€84.50');
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).status).toBe('3ds');
  await pay.bank.getByRole('button', { name: 'Confirm' }).click();

  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL(`${shopServer.url}/success?**`);
  const query = Object.fromEntries(new URL(page.url()).searchParams);
  expect(query).toEqual({
    payment_id: id,
    trans_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    order_id: order.number,
    hash: signNotice(id, order, shop.credentials),
  });
  const messages = await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
  expect(messages[1]?.fields.trans_id).toBe(query.trans_id);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect(faults).toEqual([]);
});

test('the receipt leads back by itself, and stays if the payer wants to', async ({
  page,
  context,
  shop,
  shopServer,
}) => {
  const paid = async (window: Page) => {
    await window.goto((await shop.open()).url);
    await new PayPage(window).payWith(cards.settled);
  };
  await paid(page);
  const staying = await context.newPage();
  await Promise.all([
    page.waitForURL(`${shopServer.url}/success?**`),
    paid(staying).then(() => staying.getByRole('button', { name: 'Stay on this page' }).click()),
  ]);
  await staying.waitForTimeout(9_000);
  await expect(staying.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
});

test('a receipt that was left and is visited again does not lead away', async ({ page, shop, shopServer }) => {
  await page.goto((await shop.open()).url);
  await new PayPage(page).payWith(cards.settled);
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL(`${shopServer.url}/success?**`);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await page.waitForTimeout(9_000);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stay on this page' })).toBeHidden();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the same flow', async ({ page, shop, shopServer, provider }) => {
    const { url, order } = await shop.open();
    await page.goto(url);
    const pay = new PayPage(page);
    await pay.number.fill('4111 1111 1111 1112');
    await pay.expiry.fill('05/38');
    await pay.code.fill('123');
    await pay.holder.fill('Ana Petrovic');
    await pay.payButton.click();
    await expect(pay.messageOf('card_number')).toBeVisible();
    await expect(pay.expiry).toHaveValue('05/38');
    await expect(pay.number).toHaveValue('');
    await pay.number.fill('4111 1111 1111 1111');
    await pay.code.fill('123');
    await pay.payButton.click();
    await pay.bank.getByRole('button', { name: 'Continue' }).click();
    await pay.bank.getByRole('button', { name: 'Confirm' }).click();
    await pay.bank.getByRole('link', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
    await page.getByRole('link', { name: /^Return to/ }).click();
    await page.waitForURL(`${shopServer.url}/success?**`);
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  });

  test('redirect to the bank and back', async ({ page, shop, shopServer }) => {
    const { url, order } = await shop.open();
    await page.goto(url);
    await new PayPage(page).number.fill(cards.redirect.number);
    const pay = new PayPage(page);
    await pay.expiry.fill(cards.redirect.expiry);
    await pay.code.fill('123');
    await pay.holder.fill('Ana Petrovic');
    await pay.payButton.click();
    await page.locator('main form button').first().click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('link', { name: /^Return to/ }).click();
    await page.waitForURL(`${shopServer.url}/success?**`);
    await expectCallbacks(shop, order, ['success redirect redirect', 'success sale settled']);
  });
});

test('by keyboard alone, in visual order', async ({ page, shop, shopServer }) => {
  const { url, order } = await shop.open();
  await page.goto(url);
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName);
  for (let presses = 0; presses < 20 && (await focused()) !== 'card_number'; presses += 1)
    await page.keyboard.press('Tab');
  for (const [name, text] of [
    ['card_number', '4111111111111111'],
    ['card_expiry', '0538'],
    ['card_cvv', '123'],
    ['card_holder', 'Ana Petrovic'],
  ] as const) {
    expect(await focused()).toBe(name);
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline).not.toBe('none');
  await page.keyboard.press('Enter');
  const confirm = page.frameLocator('iframe[name=challenge]').getByRole('button', { name: 'Confirm' });
  await expect(confirm).toBeVisible();
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    if (await confirm.evaluate((button) => button === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  const back = page.getByRole('link', { name: /^Return to/ });
  await expect(back).toBeVisible();
  for (let presses = 0; presses < 20; presses += 1) {
    if (await back.evaluate((link) => link === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shopServer.url}/success?**`);
  await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
});

test('redirect to the bank and back, with script', async ({ page, shop, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url, order } = await shop.open();
  await page.goto(url);
  await new PayPage(page).payWith(cards.redirect);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await expectCallbacks(shop, order, ['success redirect redirect', 'success sale settled']);
  expect(faults).toEqual([]);
});

test('back to the shop', async ({ page, shop, shopServer }) => {
  const { url, order } = await shop.open();
  await page.goto(url);
  await page
    .getByRole('button', { name: /^Back to/ })
    .first()
    .click();
  await page.waitForURL(`${shopServer.url}/cancel?**`);
  expect(new URL(page.url()).searchParams.get('order_id')).toBe(order.number);
});
