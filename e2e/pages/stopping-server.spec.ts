// A server that stops right after its answer to a payment: the answer contains the receipt. Where the payer has to go on
// elsewhere, the page says not to pay again. The browser's own error page is never shown.
import type { Page } from '@playwright/test';
import { startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { type Card, cards } from '../support/payer.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

/** Pays at a second server that has ended before the browser gets its answer. */
async function payAtStoppingServer(page: Page, shopServer: ShopServer, card: Card) {
  const server = await startKillableServer();
  const watched = await watch(page, server.url);
  const { url, order } = await merchantClient(server.url, merchants.plain, shopServer).open();
  await page.goto(url);
  await page.route(
    ({ href }) => href.startsWith(url),
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await server.end();
      return route.fulfill({ response });
    },
  );
  await new PayPage(page).payWith(card);
  return { url, order, watched };
}

test('the receipt is in the answer to the payment', async ({ page, shop, shopServer }) => {
  const { url, order, watched } = await payAtStoppingServer(page, shopServer, cards.settled);
  const heading = page.getByRole('heading', { name: 'Payment complete' });
  await expect(heading).toBeFocused();
  await expect(page).toHaveURL(`${url}?attempt=1`);
  await expect(page).toHaveTitle(/^Paid: /);
  await expect(page.locator('form[data-pay]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
  // In the payer's time zone, Newfoundland's.
  await expect(page.locator('time')).toContainText(/GMT-[23]:30|N[SD]T/);
  expect(await heading.evaluate((element) => getComputedStyle(element).fontSize)).toBe('22px');
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await expectAccessible(page);
  expect(watched.faults).toEqual([]);
  expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
});

test('the receipt leads on to the shop, like one that was loaded', async ({ page, shopServer }) => {
  await payAtStoppingServer(page, shopServer, cards.settled);
  await page.waitForURL(`${shopServer.url}/success?**`);
});

test('the page of a payment that goes on at the bank stays, and says not to pay again', async ({
  page,
  shopServer,
}) => {
  const { url } = await payAtStoppingServer(page, shopServer, cards.challenge);
  await expect(new PayPage(page).alert).toContainText('Do not pay again');
  await expect(page.locator('form[data-pay]')).toBeHidden();
  expect(page.url()).toBe(url);
  await expectAccessible(page);
});
