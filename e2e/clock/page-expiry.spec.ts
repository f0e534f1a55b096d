// An open page at its expiry: it reports the expiry by itself, in words that match the known state of the money.
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

test('an open form is replaced by the expired page, which redirects to expiry_url', async ({
  page,
  shop,
  clock,
  florin,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url, order } = await shop.open({ expiry_url: `${shopServer.url}/expired` });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.type(cards.settled);
  await clock.advance(61 * 60);
  await expect(pay.number).toHaveCount(0, { timeout: 10_000 });
  await expect(page).toHaveTitle(/^Expired/);
  await expect(page.getByText(/not been charged/)).toBeVisible();
  await expectAccessible(page);
  await page.locator('a[data-return]').click();
  await page.waitForURL(`${shopServer.url}/expired?**`);
  expect(new URL(page.url()).searchParams.get('order_id')).toBe(order.number);
  expect(faults).toEqual([]);
});

test('a challenge outlives the session', async ({ page, shop, clock }) => {
  const { url, order } = await shop.open({ session_expiry: 1 });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.challenge);
  const confirm = pay.bank.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toBeVisible();
  await clock.advance(2 * 60);
  await page.waitForTimeout(2_500);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect((await shop.statusByOrder(order.number)).body.status).toBe('settled');
});
