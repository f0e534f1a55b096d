// Tests merchants, keys and MIDs in the browser: a merchant is created and paid, its key is rotated, its MID is
// changed.
import { randomUUID } from 'node:crypto';
import { makeMerchant, makeMid, reauthenticate } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { merchantPages } from '../support/dashboard-pages/merchants.ts';
import { merchantClient } from '../support/merchant.ts';
import { expectAccessible, watch } from '../support/page-objects.ts';
import { pay, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

test('an account manager creates a merchant and a MID, and the merchant is paid', async ({
  page,
  context,
  florin,
  shopServer,
}) => {
  await signInBrowser(context, florin, 'manager');
  // The browser has the same session; creating a key requires a recent reauthentication.
  await reauthenticate(await visitorAs(florin, 'manager'));
  const { faults } = await watch(page, florin);
  const merchants = merchantPages(page);
  const name = `Nordkiosk ${randomUUID().slice(0, 8)}`;
  await page.goto('/dashboard/merchants/new');
  await page.waitForLoadState('networkidle');
  await page.getByRole('textbox', { name: 'Origins' }).fill('nordkiosk.example');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create merchant' }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await expect(page.getByText('Choose the integration type.')).toBeVisible();
  await expect(page.getByText('Enter an origin without a path')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectAccessible(page);
  // The browser asks before it leaves the unsaved form.
  page.once('dialog', (leaving) => void leaving.accept());

  const { id, credentials } = await merchants.create(name, 'nordkiosk.example');
  await expectAccessible(page);
  await merchants.createMid(id, { name: 'Nordkiosk cards', currencies: 'EUR PLN', mode: 'SMS' });
  await expectAccessible(page);
  const shop = merchantClient(florin, credentials, shopServer);
  const paid = await pay(shop);
  await untilStatus(shop, paid.id, 'settled');
  expect(faults).toEqual([]);
});

test('a key is rotated, shown again, and revoked', async ({ page, context, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  await signInBrowser(context, florin, 'manager');
  const merchants = merchantPages(page);
  await merchants.open(own.name);
  await expectAccessible(page);
  await merchants.openKeys();
  await page.waitForLoadState('networkidle');
  const old = own.credentials.key;
  await merchants.keyMenu(old, 'Rotate');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: /24 more hours/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /1 more hour/ }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Generate key' }).click();
  const fresh = await merchants.shownPair(/New sandbox key/);
  expect(fresh.password).toMatch(/^[0-9a-f]{32}$/);
  await expect(merchants.keyRow(old)).toContainText('Expiring');
  await expect(merchants.keyRow(fresh.key)).toContainText('Valid');
  await expectAccessible(page);

  await merchants.keyMenu(old, 'Show password');
  expect(await merchants.shownPair(/Key and password/)).toEqual({ key: old, password: own.credentials.password });

  await merchants.keyMenu(old, 'Revoke');
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect(dialog.getByText(`Does not match “${own.name}”.`)).toBeVisible();
  await dialog.getByRole('textbox').fill(own.name);
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await expect(merchants.keyRow(old)).toContainText('Revoked');
  // A new password is shown only once.
  await page.reload();
  await expect(page.getByText(fresh.password)).toHaveCount(0);
});

test('a MID is changed after a review of the changes, and errors are shown at their fields', async ({
  page,
  context,
  florin,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const mid = await makeMid(manager, own.id);
  await signInBrowser(context, florin, 'manager');
  const merchants = merchantPages(page);
  await page.goto(`/dashboard/mids/${mid.id}`);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'accepted the API key' })).toBeVisible();

  await page.getByText('Authorise now, capture later', { exact: true }).click();
  await merchants.pickMethod('trans');
  await page.getByRole('textbox', { name: 'X-API-Key' }).fill('first key');
  await page.getByRole('textbox', { name: 'Daily limit' }).fill('5,000.00');
  await expect(page.getByText('500,000 JPY, 5,000.000 KWD')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('It is sent in a header: use visible ASCII characters without spaces.')).toBeVisible();
  await expect(page.getByText('trans requires this value.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'X-API-Key' }).fill('first-key');
  await page.getByRole('textbox', { name: 'X-API-Secret' }).fill('second-key');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('SMS/DMS');
  await expect(dialog).not.toContainText('first-key');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await merchants.save(['SMS/DMS', 'DMS', 'trans X-API-Key', '5,000.00']);
  await expect(page.getByText(/Stored$/)).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'Daily limit' })).toHaveValue('5000.00');
  const { body } = await manager.get(`/mids/${mid.id}`);
  expect(body).toMatchObject({ version: 1, values: { paymentMode: 'dms', methods: ['card', 'trans'] } });

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog.getByRole('textbox').fill(mid.values.name);
  await dialog.getByRole('button', { name: 'Disable MID' }).click();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
});

test('an owner has read-only access and manages keys, wide and narrow', async ({ browser, florin }) => {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({ baseURL: florin, viewport: { width, height: 800 } });
    await signInBrowser(context, florin, 'merchant');
    const page = await context.newPage();
    const merchants = merchantPages(page);
    await merchants.open('Florin Demo Shop');
    await expect(page.getByText('You have read-only access')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
    await expectAccessible(page);
    await merchants.openKeys();
    await expect(page.getByRole('button', { name: 'New key' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/dashboard/mids');
    await expect(page.getByRole('link', { name: 'Sandbox cards', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'New MID' })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sandbox cards', exact: true }).click();
    await expect(page.getByText('You have read-only access')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Test connection' })).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await context.close();
  }
});

test('other merchants and pages without permission get 404', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'merchant');
  const other = await makeMerchant(await visitorAs(florin, 'manager'));
  for (const path of [`/merchants/${other.id}`, `/merchants/${other.id}/keys`, '/merchants/new', '/mids/new']) {
    const answer = await page.goto(`/dashboard${path}`);
    expect(answer?.status(), path).toBe(404);
  }
});
