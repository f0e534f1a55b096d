// A server that stops between its answer to a payment and the next page: the payer learns not to pay again, and never
// sees the browser's own error page.
import { startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expectAccessible, PayPage } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

test('the page of a payment that was taken stays, and says not to pay again', async ({ page, shop, shopServer }) => {
  const server = await startKillableServer();
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
  const pay = new PayPage(page);
  await pay.payWith(cards.settled);
  await expect(pay.alert).toContainText('Do not pay again');
  await expect(page.locator('form[data-pay]')).toBeHidden();
  expect(page.url()).toBe(url);
  await expectAccessible(page);
  expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
});
