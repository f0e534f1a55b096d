// The hosted page inside a shop's frame: only if the merchant allows it, with the bank's frame in it, and with a press
// by the payer if the flow has to leave the frame.
import type { Page } from '@playwright/test';
import { framingOrigin } from '../support/merchants.ts';
import { PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

/** A page of the shop that contains the link in a frame; the test serves it, so that its origin can be any. */
async function frameAt(page: Page, origin: string, link: string) {
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Shop</title><iframe name="pay" src="${link}" style="width:520px;height:900px"></iframe>`,
    }),
  );
  await page.goto(`${origin}/checkout`);
  return page.frameLocator('iframe[name=pay]');
}

test('a configured origin frames the page, and the bank in it', async ({ page, as, florin, shopServer, provider }) => {
  const { faults } = await watch(page, florin, [framingOrigin, shopServer.url]);
  const shop = as('framed');
  const { url, order } = await shop.open();
  const frame = await frameAt(page, framingOrigin, url);
  const pay = new PayPage(page, frame);
  await pay.payWith(cards.challenge);
  await pay.bank.getByRole('button', { name: 'Confirm' }).click();
  await expect(frame.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(page.url()).toBe(`${framingOrigin}/checkout`);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect(faults).toEqual([]);
});

test('no other origin does', async ({ page, as }) => {
  const { url } = await as('framed').open();
  for (const origin of ['http://evil.florin.test', 'http://sub.shop.florin.test']) {
    const frame = await frameAt(page, origin, url);
    await expect(frame.locator('input[name=card_number]')).toHaveCount(0);
  }
  const plain = await as('plain').open();
  const frame = await frameAt(page, framingOrigin, plain.url);
  await expect(frame.locator('input[name=card_number]')).toHaveCount(0);
});

test('frames: the origin of success_url frames the page, and the bank in it', async ({
  page,
  as,
  florin,
  shopServer,
}) => {
  const origin = 'http://other-shop.florin.test';
  const { faults } = await watch(page, florin, [origin, shopServer.url]);
  const { url } = await as('plain').open({ success_url: `${origin}/paid`, url_target: '_self' });
  const frame = await frameAt(page, origin, url);
  const pay = new PayPage(page, frame);
  await pay.payWith(cards.challenge);
  await pay.bank.getByRole('button', { name: 'Confirm' }).click();
  await expect(frame.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('a redirect leaves the frame by a press on Continue', async ({ page, as, shopServer }) => {
  const shop = as('framed');
  const { url } = await shop.open({ url_target: '_top' });
  const frame = await frameAt(page, framingOrigin, url);
  await new PayPage(page, frame).payWith(cards.redirect);
  await frame.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL(`${shopServer.url}/success?**`);
});

test('url_target _self keeps the return in the frame', async ({ page, as, shopServer }) => {
  const shop = as('framed');
  const { url } = await shop.open({ url_target: '_self' });
  const frame = await frameAt(page, framingOrigin, url);
  await new PayPage(page, frame).payWith(cards.settled);
  await frame.getByRole('link', { name: /^Return to/ }).click();
  await expect(frame.getByRole('heading', { name: 'Shop' })).toBeVisible();
  expect(page.url()).toBe(`${framingOrigin}/checkout`);
  expect(shopServer.visits('/success')).toBeGreaterThan(0);
});

test("url_target _parent returns in the shop's whole window", async ({ page, as, shopServer }) => {
  const shop = as('framed');
  const { url } = await shop.open({ url_target: '_parent' });
  const frame = await frameAt(page, framingOrigin, url);
  await new PayPage(page, frame).payWith(cards.settled);
  await frame.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL(`${shopServer.url}/success?**`);
});
