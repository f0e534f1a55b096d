// Tests the branding of the payment page in the browser: the preview shows the draft, and payers see the published
// version.
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessible.ts';
import { makeMerchant } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { plainPng } from '../support/logo-png.ts';
import { watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

/** Checks the page without the preview, which has tests of its own. */
async function expectAccessibleAround(page: Page): Promise<void> {
  const violations = await violationsOf(page, { exclude: ['iframe'] });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)).toEqual([]);
}

test('previews a draft and publishes it', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  const { faults } = await watch(page, florin);
  await page.goto(`/dashboard/payment-page?merchant=${own.id}`);
  await page.waitForLoadState('networkidle');
  const preview = page.frameLocator('iframe');
  await expect(preview.getByText(own.name).first()).toBeVisible();
  await expectAccessibleAround(page);

  await page.getByLabel('Accent', { exact: true }).fill('#14532D');
  await expect(page.getByText(/has a contrast of 9\.\d : 1/)).toBeVisible();
  const buffer = plainPng(120, 40, [20, 83, 45]);
  await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'orme.png', mimeType: 'image/png', buffer });
  await expect(preview.locator('img.logo')).toHaveAttribute('src', /^data:image\/png/);
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await page.getByLabel('Below the order').fill('Lieferung in 5 Tagen');
  await expect(preview.getByText('Lieferung in 5 Tagen')).toBeVisible();
  await page.getByRole('tab', { name: 'Phone' }).click();
  await page.getByRole('tab', { name: 'Success' }).click();
  await expect(preview.getByText('Lieferung in 5 Tagen')).toHaveCount(0);

  await page.getByRole('button', { name: /^Review and save/ }).click();
  const dialog = page.getByRole('dialog');
  for (const part of ['orme.png', '#14532', 'Below the order, Deutsch']) await expect(dialog).toContainText(part);
  await dialog.getByRole('button', { name: 'Save 3 changes' }).click();
  await expect(page.getByText('Branding published.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Review and save/ })).toHaveCount(0);
  await expect(preview.locator('img.logo')).toHaveAttribute('src', /^\/pay\/logo\/[0-9a-f]{64}$/);
  expect(faults).toEqual([]);
});

test('shows an error at its field, and fits a phone', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dashboard/payment-page?merchant=${own.id}`);
  await page.waitForLoadState('networkidle');
  const file = { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg viewBox="0 0 1 1"/>') };
  await page.getByLabel('Logo', { exact: true }).setInputFiles(file);
  await page.getByLabel('Privacy').fill('http://orme.example');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save 2 changes' }).click();
  await expect(page.getByText('Enter a full URL that begins with https://.')).toBeVisible();
  await page.getByLabel('Privacy').fill('https://orme.example');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save 2 changes' }).click();
  await expect(page.getByText(/SVG files can contain scripts/)).toBeVisible();
  await expectAccessibleAround(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
