// The basket of the demo shop: a subscription, a saved card, card fields, the shop's own card form, and a wallet.
import type { Page } from '@playwright/test';
import { checkOut, fillBasket, inBothSchemes, returnToShop, step, watchShop } from '../support/demo-shop.ts';
import { expectAccessible, PayPage } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

watchShop();

/** The card frame with this name. */
const field = (page: Page, name: string) => page.frameLocator(`#${name} iframe`).locator('#field');

async function typeInFields(page: Page, expiry: string): Promise<void> {
  await field(page, 'card').pressSequentially('4111111111111111');
  await field(page, 'expiry').pressSequentially(expiry);
  await field(page, 'cvv').pressSequentially('123');
  await page.getByLabel('Name on card').fill('Ana Petrović');
  await page.getByRole('button', { name: /^Pay / }).click();
}

test('a basket with a subscription at the payment page; its card is saved and pays the next basket', async ({
  page,
  browser,
  florin,
}) => {
  await fillBasket(page, ['Two stoneware bowls', 'Sourdough loaf'], /^Payment page/);
  await expect(page.getByText('Then €6.50 every day, 7 times')).toBeVisible();
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('€6.50');
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
  await page.getByRole('button', { name: 'Pay €58.00 with the saved card' }).click();
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
  await page.getByRole('button', { name: 'Check out, JP¥19,800' }).click();
  await page.waitForURL('**/shop/**');
  await page.getByLabel('Card number').fill('4539 5787 6362 1486');
  await page.getByRole('button', { name: 'Pay JP¥19,800' }).click();
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(
    'This is no test card. Never type a real one here.',
  );
  await inBothSchemes(page);
  const testCard = page.getByLabel('Test card');
  await testCard.selectOption('declined');
  await page.getByRole('button', { name: 'Pay JP¥19,800' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Declined by processing' })).toBeVisible();
  await expect(step(page, 'Callback: SALE, DECLINED, DECLINED')).toContainText('Signature valid');
  await testCard.selectOption('3ds-settled');
  await page.getByRole('button', { name: 'Pay JP¥19,800' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL('**/shop/**');
  await expect(page.getByText('The address is not signed, so the shop ignores its content.')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Settled');
  await expect(step(page, 'Callback: SALE, SUCCESS, SETTLED')).toContainText('Signature valid');
  await page.getByLabel('Amount to refund').fill('9800');
  await page.getByRole('button', { name: 'Refund JP¥9,800' }).click();
  await expect(step(page, 'Callback: CREDITVOID, SUCCESS, SETTLED')).toContainText('Signature valid');
  await expect(page.getByText('Can be refunded').locator('..')).toContainText('JP¥10,000');
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
  await page.getByRole('button', { name: 'Pay €58.00' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You have not been charged.' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Payer').selectOption('success@gmail.com');
  await page.getByRole('button', { name: 'Pay €58.00' }).click();
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
  await expect(page.getByRole('button', { name: 'Check out, KWD 2.450' })).toBeVisible();
  const quantity = page.getByLabel('Quantity: Notebook, dotted paper');
  await quantity.fill('99');
  await expect(quantity).toHaveValue('20');
  await page.getByRole('button', { name: 'Fewer: Notebook, dotted paper' }).click();
  await expect(page.getByRole('button', { name: 'Check out, KWD 46.550' })).toBeVisible();
  await quantity.fill('0');
  await page.getByRole('button', { name: 'Check out' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The basket is empty.' })).toBeVisible();
  await expectAccessible(page);
});
