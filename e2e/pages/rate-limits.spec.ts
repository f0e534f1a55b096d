// The rate limit as a payer sees it: the form keeps the typed values and shows when to continue, and without script a
// plain page shows it.

import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

let server: KillableServer;

test.beforeEach(async () => {
  server = await startKillableServer({ RATE_LIMITS: 'all=1000000 pay.address=1', TRUSTED_PROXIES: 'loopback' });
});

test.afterEach(() => server.kill());

/** Every test comes from its own address: all servers count together. */
const from = (address: string) => ({ 'x-forwarded-for': address });

test('the form keeps the typed values, and asks the payer to wait', async ({ page, shopServer }) => {
  const shop = merchantClient(server.url, merchants.plain, shopServer);
  const { faults } = await watch(page, server.url, [shopServer.url]);
  await page.setExtraHTTPHeaders(from('198.51.100.71'));
  await page.goto((await shop.open()).url);
  const pay = new PayPage(page);
  await pay.payWith(cards.declined);
  await expect(pay.alert).toContainText('Your bank declined this payment');
  await pay.payWith(cards.settled);
  await expect(pay.alert).toContainText('Please wait a moment');
  await expect(pay.alert).toContainText('charged nothing');
  await expect(pay.number).toHaveValue('4111 1111 1111 1111');
  await expect(pay.payButton).toBeEnabled();
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('without script a page asks the payer to wait, in their language, and leads back', async ({
  browser,
  shopServer,
}) => {
  const shop = merchantClient(server.url, merchants.plain, shopServer);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'de-DE',
    extraHTTPHeaders: from('198.51.100.72'),
  });
  const page = await context.newPage();
  const { url } = await shop.open();
  await page.goto(url);
  for (let presses = 0; presses < 2; presses += 1) {
    await page.locator('input[name=card_number]').fill(cards.declined.number);
    await page.locator('input[name=card_expiry]').fill(cards.declined.expiry);
    await page.locator('input[name=card_cvv]').fill('123');
    await page.locator('input[name=card_holder]').fill('Ana Petrovic');
    await page.locator('form[data-pay] button[type=submit]').click();
  }
  await expect(page.getByText('Bitte warten Sie einen Moment')).toBeVisible();
  await page.getByRole('link').click();
  await expect(page).toHaveURL(url);
  await expect(page.locator('form[data-pay] button[type=submit]')).toBeEnabled();
  await context.close();
});
