// The two files of docs/guide/card-page.md, copied as they are written: the server starts, and its page pays, shows a
// decline and comes back from the bank.
import type { Page } from '@playwright/test';
import { blocksOf, filesIn } from '../support/docs-blocks.ts';
import { type Receiver, startReceiver } from '../support/example-programs.ts';
import { demo } from '../support/merchants.ts';
import { expectAccessible } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

let server: Receiver;

test.beforeAll(async ({ florin }) => {
  const blocks = await blocksOf(florin, 'guide/card-page');
  const program = blocks.find(({ rules }) => rules.serves === 'card-page');
  server = await startReceiver('js', program?.text ?? '', demo.password, filesIn(blocks));
});

test.afterAll(() => server.close());

async function payWith(page: Page, expiry: string): Promise<void> {
  const line = page.frameLocator('florin-card iframe');
  await line.getByRole('textbox', { name: 'Card number' }).click();
  await page.keyboard.type(`4111111111111111${expiry}123`, { delay: 5 });
  await page.getByLabel('Name on card').fill('Ana Petrovic');
  await page.getByRole('button', { name: 'Pay EUR 84.50' }).click();
}

test('the page pays, at once and after a decline', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(server.url ?? '');
  await expectAccessible(page);
  await payWith(page, '0238');
  await expect(page.locator('#error')).toHaveText('Your bank declined this payment');
  await page.frameLocator('florin-card iframe').getByRole('textbox', { name: 'Expiry date' }).fill('01 / 38');
  await page.getByRole('button', { name: 'Pay EUR 84.50' }).click();
  await expect(page.locator('body')).toHaveText('Thank you. The order is paid.');
  expect(errors).toEqual([]);
});

test('the page sends the payer to the bank, and they return to a paid order', async ({ page }) => {
  await page.goto(server.url ?? '');
  await payWith(page, '0538');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.locator('body')).toHaveText('Thank you. The order is paid.');
});

test('the page does not submit an incomplete card', async ({ page }) => {
  await page.goto(server.url ?? '');
  await page.getByLabel('Name on card').fill('Ana Petrovic');
  await page.getByRole('button', { name: 'Pay EUR 84.50' }).click();
  await expect(page.locator('florin-card .fault')).toHaveText('Enter your card number.');
  await expect(page.frameLocator('florin-card iframe').getByRole('textbox', { name: 'Card number' })).toBeFocused();
});

test('the page says why a session that is over takes no card', async ({ page }) => {
  await page.goto(server.url ?? '');
  await page.locator('florin-card').evaluate((card) => card.setAttribute('token', 'a'.repeat(64)));
  await payWith(page, '0138');
  await expect(page.locator('#error')).toHaveText('This payment page has expired');
});
