// Tests the developer pages in the browser: request log and hash debugger, failed callbacks, callback verifier, request
// builder.
import { createHash } from 'node:crypto';
import { signInBrowser } from '../support/dashboard.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { demo } from '../support/merchants.ts';
import { expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { startShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

test('a rejected request is in the log, and the hash debugger explains it', async ({ page, context, florin, as }) => {
  test.slow();
  await signInBrowser(context, florin, 'merchant');
  await page.setViewportSize(wide);
  const { faults } = await watch(page, florin);
  const order = { number: newOrderNumber(), amount: '10.00', currency: 'EUR', description: 'Gift card' };
  const text = `${order.number}10${order.currency}${order.description}${demo.password}`.toUpperCase();
  const md5 = createHash('md5').update(text).digest('hex');
  const hash = createHash('sha1').update(md5).digest('hex');
  await as('demo').post('/api/v1/session', { ...as('demo').sessionBody({ order }), hash });
  await expect(async () => {
    await open(page, `/dashboard/requests?q=${order.number}`);
    await expect(page.getByRole('button', { name: new RegExp(`400, /api/v1/session, ${order.number}`) })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expectAccessible(page);
  await page.getByRole('button', { name: new RegExp(order.number) }).click();
  const panel = page.getByRole('region', { name: 'Request', exact: true });
  await expect(panel).toContainText('Refused by the hash check.');
  await expect(panel).toContainText('"error_code": 100000');
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'Explain hash' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hash debugger');
  await expect(page.getByRole('heading', { name: 'The amount was signed as 10 but sent as 10.00' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Causes checked' })).toContainText('Amount formatted differently');
  expect(await page.content()).not.toContain(demo.password);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectFits(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('a pasted request is explained, and an empty one gets an error', async ({ page, context, florin, as }) => {
  test.slow();
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/dashboard/hash-debugger');
  await page.getByRole('button', { name: 'Paste a request' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Explain hash' }).click();
  await expect(dialog).toContainText('Paste the body of a request.');
  await expectAccessible(page);
  await dialog.getByLabel('Body').fill(JSON.stringify(as('demo').signed(as('demo').sessionBody())));
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'The hash is right' })).toBeVisible();
});

test('a failed callback is inspected, resent, paused and resumed', async ({ page, context, florin, cardAs }) => {
  test.slow();
  await signInBrowser(context, florin, 'merchant');
  await page.setViewportSize(wide);
  const shopServer = await startShopServer();
  const host = new URL(shopServer.url).host;
  try {
    const orderId = newOrderNumber();
    shopServer.answer(orderId, { status: 502, body: '<h1>Bad gateway</h1>' });
    await cardAs('demo').charge('SALE', { order_id: orderId, callback_url: shopServer.addressFor(orderId) });
    await shopServer.waitFor(orderId, (all) => all.length >= 1);
    await open(page, `/dashboard/callbacks?q=${orderId}`);
    await expectAccessible(page);
    const panel = page.getByRole('region', { name: 'Callback', exact: true });
    // A click before the page's script is loaded has no effect.
    await expect(async () => {
      await page.getByRole('button', { name: new RegExp(orderId) }).click();
      await expect(panel).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(panel).toContainText('502 Bad Gateway');
    await expect(panel).toContainText(`order_id=${orderId}`);
    await expect(panel).toContainText('webhook-signature:');
    await panel.getByText('502 Bad Gateway').nth(1).click();
    await expect(panel).toContainText('<h1>Bad gateway</h1>');
    await expectAccessible(page);
    // The second attempt is after five seconds; a resend during an attempt would have no effect.
    await expect(panel).toContainText('2 of 13');
    const before = shopServer.arrived(orderId).length;
    shopServer.answer(orderId, {});
    await panel.getByRole('button', { name: 'Resend now' }).click();
    await shopServer.waitFor(orderId, (all) => all.length > before);

    await panel.getByRole('button', { name: `Pause ${host}` }).click();
    await expect(page.getByText(`Deliveries to ${shopServer.url}`)).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).first().click();
    await expect(page.getByText(`Deliveries to ${shopServer.url}`)).toHaveCount(0);

    await panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Resend all found' }).click();
    await expect(page.getByRole('dialog')).toContainText('1 callback with a URL is sent now');
    await page.keyboard.press('Escape');
    await page.setViewportSize(phone);
    await expectFits(page);
  } finally {
    await shopServer.close();
  }
});

test('a pasted callback is verified', async ({ page, context, florin, cardAs }) => {
  test.slow();
  await signInBrowser(context, florin, 'merchant');
  const shopServer = await startShopServer();
  try {
    const orderId = newOrderNumber();
    await cardAs('demo').charge('SALE', { order_id: orderId, callback_url: shopServer.addressFor(orderId) });
    const [sent] = await shopServer.waitFor(orderId, (all) => all.length >= 1);
    await open(page, '/dashboard/callback-verifier');
    await page.getByRole('button', { name: 'Verify callback' }).click();
    await expect(page.getByText('Paste the body of a callback.')).toBeVisible();
    await page.getByLabel('Body').fill(sent?.body ?? '');
    await page.getByRole('button', { name: 'Verify callback' }).click();
    await expect(page.getByRole('heading', { name: 'The hash is right' })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Body').fill((sent?.body ?? '').replace(/hash=./, 'hash=x'));
    await page.getByRole('button', { name: 'Verify callback' }).click();
    await expect(page.getByRole('heading', { name: 'None of the common mistakes gives this hash' })).toBeVisible();
  } finally {
    await shopServer.close();
  }
});

test('a request is built, shown as code, and sent to the sandbox', async ({ page, context, florin }) => {
  test.slow();
  await signInBrowser(context, florin, 'merchant');
  await page.setViewportSize(wide);
  await open(page, '/dashboard/request-builder');
  await expect(page.getByRole('region', { name: 'Signature' })).toContainText('84.50');
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'S2S CARD' }).click();
  await page.getByLabel('order_amount').fill('ten');
  await expect(page.getByText('This value is not valid.').first()).toBeVisible();
  await page.getByLabel('order_amount').fill('12.30');
  await page.getByRole('tab', { name: 'Python' }).click();
  await expect(page.getByRole('region', { name: 'The same request as code' })).toContainText('"order_amount": "12.30"');
  await page.getByRole('button', { name: 'Send to sandbox' }).click();
  await expect(page.getByRole('region', { name: 'Response' })).toContainText('"status": "SETTLED"');
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectFits(page);
});
