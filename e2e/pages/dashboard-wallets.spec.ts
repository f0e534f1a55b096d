// Tests wallets in the browser: an account manager sets up both, and an owner sees their status.

import { randomUUID } from 'node:crypto';
import { makeMerchant } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { walletPages } from '../support/dashboard-pages/wallets.ts';
import { expectAccessible, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';
import { ellipticKeys, issueMerchant } from '../support/wallet-sealers/certificates.ts';

const identifier = 'merchant.test.florin';

test('sets up Apple Pay step by step, and reports an invalid file', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  const { faults } = await watch(page, florin);
  const wallets = walletPages(page);
  await wallets.open(own.id);
  await expect(page.getByText('Not set up.').first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Set up Apple Pay' }).click();
  await wallets.dialog.getByLabel('Merchant identifier').fill('com.example.shop');
  await wallets.dialog.getByRole('button', { name: 'Set up Apple Pay' }).click();
  await expect(wallets.dialog.getByText(/A merchant identifier begins with "merchant\."/)).toBeVisible();
  await expectAccessible(page);
  await wallets.dialog.getByRole('button', { name: 'Cancel' }).click();
  await wallets.create('applepay', { 'Merchant identifier': identifier, 'Shop name': 'Orme Ceramics' });
  await expectAccessible(page);

  await wallets.request('processing');
  await wallets.upload('processing', 'other.cer', issueMerchant(identifier, ellipticKeys()).certificate);
  await expect(wallets.dialog.getByText(/does not match the CSR of/)).toBeVisible();
  await expectAccessible(page);
  await wallets.dialog.getByRole('button', { name: 'Cancel' }).click();
  await wallets.certify('processing', identifier);
  await wallets.certify('identity', identifier);
  await wallets.switchOn('applepay');

  const networks = page.getByRole('group', { name: 'Networks' });
  await networks.getByText('Visa', { exact: true }).click();
  await page.getByRole('button', { name: /^Review and save/ }).click();
  await expect(wallets.dialog).toContainText('Networks');
  await wallets.dialog.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(page.getByText('Apple Pay saved.', { exact: true })).toBeVisible();

  const host = 'pay.orme.example';
  await page.getByRole('button', { name: 'Add domain' }).click();
  await wallets.dialog.getByLabel('Host').fill(host);
  const buffer = Buffer.from('7B227073704964223A22');
  await wallets.dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'file', mimeType: 'text/plain', buffer });
  await wallets.dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText(`Domain file uploaded on ${host}`)).toBeVisible();
  await page.reload();
  await expect(networks.getByRole('checkbox', { name: 'Visa' })).toBeChecked();
  expect(faults).toEqual([]);
});

test('a long name of a merchant is shortened to a valid shop name', async ({ page, context, florin }) => {
  const name = `Shop ${randomUUID()} `.padEnd(100, 'of ceramics ').trim();
  const own = await makeMerchant(await visitorAs(florin, 'manager'), { name });
  await signInBrowser(context, florin, 'manager');
  const wallets = walletPages(page);
  await wallets.open(own.id);
  await page.getByRole('button', { name: 'Set up Apple Pay' }).click();
  await expect(wallets.dialog.getByLabel('Shop name')).toHaveValue(name.slice(0, 64).trim());
  await page.keyboard.press('Escape');
  await wallets.create('applepay', { 'Merchant identifier': identifier });
});

test('sets up Google Pay on a phone, and removes it after confirmation by name', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  await page.setViewportSize({ width: 390, height: 844 });
  const { faults } = await watch(page, florin);
  const wallets = walletPages(page);
  await wallets.open(own.id);
  await wallets.create('googlepay', { Gateway: 'florin', 'Gateway merchant ID': 'orme' });
  expect(await wallets.makeKey()).toMatch(/^B[A-Za-z0-9+/]{86}=$/);
  await wallets.switchOn('googlepay');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Remove Google Pay' }).click();
  await wallets.dialog.getByLabel(/^Type/).fill(own.name);
  await wallets.dialog.getByRole('button', { name: 'Remove Google Pay' }).click();
  await page.waitForURL(/\/wallets\?merchant=/);
  await expect(page.getByRole('button', { name: 'Set up Google Pay' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('an owner has read-only access', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'merchant');
  await page.goto('/dashboard/wallets');
  await expect(page.getByRole('heading', { level: 2, name: 'Apple Pay' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Set up/ })).toHaveCount(0);
});
