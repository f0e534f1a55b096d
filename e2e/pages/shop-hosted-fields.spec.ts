// The demo shop's page with hosted fields, at the machine's other name: a payment by keyboard, a decline, 3-D Secure
// and the return, and the page's report of the outcome.
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessible.ts';
import { withoutRandomParts } from '../support/hosted-fields-page.ts';
import { expect, test } from '../support/test.ts';

/** The page's address at the machine's other name. */
function shopUrl(florin: string): string {
  const url = new URL('/sandbox/shop/fields', florin);
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return url.href;
}

const field = (page: Page, name: string) => page.frameLocator(`#${name} iframe`).locator('#field');

async function open(page: Page, florin: string): Promise<void> {
  await page.goto(shopUrl(florin));
  await expect(page.locator('#digits')).toContainText('3 messages');
}

/**
 * Waits until typed text goes to a field. Its frame is in another process: the field has the focus before the browser
 * process knows it, and until then the keys go to the previous focus. The containing page is notified last, and on a busy
 * machine not at all; the values that the test then expects show where the keys went.
 */
async function takesKeys(page: Page, name: string): Promise<void> {
  await expect(field(page, name)).toBeFocused();
  const isNotified = () => page.locator(`#${name} iframe`).evaluate((frame) => document.activeElement === frame);
  for (let round = 0; round < 20 && !(await isNotified()); round += 1) await page.waitForTimeout(100);
}

async function type(page: Page, expiry: string): Promise<void> {
  await field(page, 'card').pressSequentially('4111111111111111');
  await field(page, 'expiry').pressSequentially(expiry);
  await field(page, 'cvv').pressSequentially('123');
}

test('accepts a payment by keyboard, and its page never gets a digit of the card', async ({ page, florin }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await open(page, florin);
  expect(new URL(page.url()).origin).not.toBe(new URL(florin).origin);
  for (const label of ['Expiry date', 'Security code', 'Name on card'])
    await expect(page.locator('label').getByText(label, { exact: true })).toBeVisible();
  await page.getByText('Card number', { exact: true }).click();
  await takesKeys(page, 'card');
  // The frame handles keys in its own process: the next key waits until it has handled the earlier ones.
  await page.keyboard.type('4111111111111111');
  await expect(field(page, 'card')).toHaveValue('4111 1111 1111 1111');
  await page.keyboard.press('Tab');
  await takesKeys(page, 'expiry');
  await page.keyboard.type('0138');
  await expect(field(page, 'expiry')).toHaveValue('01 / 38');
  await page.keyboard.press('Tab');
  await takesKeys(page, 'cvv');
  await page.keyboard.type('123');
  await expect(field(page, 'cvv')).toHaveValue('123');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Name on card')).toBeFocused();
  await page.keyboard.type('Ana Petrović');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Paid', exact: true })).toBeFocused();
  await expect(page.locator('#digits')).toHaveText(/^\d+ messages, none with a number of two or more digits\.$/);
  await expect(page.locator('#requests')).toContainText('/api/v1/session/token');
  await expect(page.locator('#requests')).toContainText('/api/v1/processing/purchase/card');
  expect(await page.locator('#messages').textContent()).not.toMatch(/\d{2}/);
  expect(withoutRandomParts((await page.locator('#requests').textContent()) ?? '', florin)).not.toContain('4111');
  expect(errors).toEqual([]);
  await page.getByRole('link', { name: 'What the shop received' }).click();
  await expect(page.getByRole('main')).toContainText('settled');
});

test('a decline is reported, and another card pays', async ({ page, florin }) => {
  await open(page, florin);
  await type(page, '0238');
  await page.getByLabel('Name on card').fill('Ana Petrović');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('heading', { name: 'Your bank declined this payment' })).toBeFocused();
  await field(page, 'expiry').fill('01 / 38');
  await field(page, 'expiry').press('Enter');
  await expect(page.getByRole('heading', { name: 'Paid', exact: true })).toBeVisible();
});

test('the bank challenges, and the payer returns to the page', async ({ page, florin }) => {
  await open(page, florin);
  await type(page, '0538');
  await page.getByLabel('Name on card').fill('Ana Petrović');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(shopUrl(florin));
  await expect(page.getByRole('heading', { name: 'Paid', exact: true })).toBeVisible();
  await expect(page.locator('#requests')).toContainText('Signature of the address: valid');
});

test('a return address with a wrong signature has no effect', async ({ page, florin }) => {
  await open(page, florin);
  const answer = await page.request.post(`${shopUrl(florin)}/orders`, {
    headers: { 'content-type': 'application/json' },
    data: '{}',
  });
  const { id, number } = await answer.json();
  await page.goto(`${shopUrl(florin)}?order=${id}&payment_id=x&order_id=${number}&hash=${'0'.repeat(40)}`);
  await expect(page.getByRole('heading', { name: 'Payment not confirmed' })).toBeVisible();
});

test('a missing value is reported below its field', async ({ page, florin }) => {
  await open(page, florin);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.locator('#card-error')).toHaveText(/card number/i);
  await expect(page.locator('#name-error')).toHaveText(/name/);
  await expect(field(page, 'card')).toBeFocused();
  await field(page, 'card').pressSequentially('4111111111111111');
  await expect(page.locator('#card-error')).toHaveText('');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`is without axe violations and sideways scrolling, ${colorScheme}, ${width} px`, async ({ page, florin }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await open(page, florin);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await expect(page.locator('#card-error')).not.toHaveText('');
      const violations = await violationsOf(page);
      // The frames are transparent over the page's dark boxes; axe considers them white.
      const isInFrame = (target: unknown[]) => colorScheme === 'dark' && target.length > 1;
      const results = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target })));
      expect(results.filter(({ id, target }) => id !== 'color-contrast' || !isInFrame(target))).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  }
}
