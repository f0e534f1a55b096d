// Leaving a method before its outcome: the payer who comes back from a provider, and the way back from a page on which
// money may be on its way. Nothing is cancelled without a question.
import type { Page } from '@playwright/test';
import type { Changes } from '../support/merchant.ts';
import { finish, referenceOf } from '../support/method-flows.ts';
import { expectAccessible, expectState, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

const sessionOf = (methods: string[], changes: Changes = {}): Changes => ({
  methods,
  customer: { name: 'Mia Lindqvist', email: 'mia@example.com' },
  ...changes,
});

const dinars = { order: { currency: 'RSD', amount: '1200.00' } };

const submitOf = (page: Page) => page.locator('form[data-pay] button[type=submit]:visible');

test('redirect: a payer who comes back with Back is not sent on, and chooses another method', async ({
  page,
  as,
  florin,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url } = await as('methods').open(sessionOf(['paypal', 'card']));
  await page.goto(url);
  await page.getByRole('radio', { name: /PayPal/ }).check();
  await submitOf(page).click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  await page.goBack();
  await expectState(page, 'redirecting');
  await expectAccessible(page);
  // The link itself does not lead on either, in any browser.
  await page.goto(url);
  await expectState(page, 'redirecting');
  await page.locator('form:has(button.filled) button.filled').click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  await page.goto(url);
  await page.getByText('Pay another way').click();
  await page.getByRole('button', { name: 'No, choose another method' }).click();
  await expectState(page, 'form');
  await expect(page.locator('#alert')).toBeHidden();
  expect(faults).toEqual([]);
});

for (const width of [1280, 320])
  test(`qr: the way back asks whether the money is on its way, at ${width} pixels`, async ({
    page,
    as,
    provider,
    florin,
    shopServer,
  }) => {
    const { faults } = await watch(page, florin, [shopServer.url]);
    await page.setViewportSize({ width, height: 800 });
    const shop = as('methods');
    const { url, order } = await shop.open(sessionOf(['ips'], dinars));
    await page.goto(url);
    await submitOf(page).click();
    await expectState(page, 'present');
    const back = page.locator('.back a:visible');
    await expect(page.getByText('Have you already paid?')).toBeHidden();
    await back.click();
    await expect(page.getByText('Have you already paid?')).toBeInViewport();
    await expectAccessible(page);
    // The payer has paid meanwhile: nothing was cancelled, and the page follows.
    await finish(shop, await referenceOf(provider, order.number));
    await expect(page.locator('a[data-return]')).toBeVisible({ timeout: 20_000 });
    expect(await provider.moved(order.number)).toEqual(['sale 1200.00']);
    expect(faults).toEqual([]);
  });

test('qr: without script the way back opens the question too, and its button cancels', async ({
  browser,
  as,
  shopServer,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { url } = await as('methods').open(sessionOf(['ips'], dinars));
  await page.goto(url);
  await submitOf(page).click();
  await page.locator('.back a:visible').click();
  await expect(page.getByText('Have you already paid?')).toBeVisible();
  await page.locator('.asked form[action$="/cancel"] button').click();
  await page.waitForURL(`${shopServer.url}/**`);
  await context.close();
});
