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
  await expect(page.getByText(/with a contrast of 9\.\d : 1/)).toBeVisible();
  const buffer = plainPng(120, 40, [20, 83, 45]);
  await page.getByLabel('Logo', { exact: true }).setInputFiles({ name: 'orme.png', mimeType: 'image/png', buffer });
  await expect(preview.locator('img.logo')).toHaveAttribute('src', /^data:image\/png/);
  await page.getByLabel('Language', { exact: true }).selectOption('de');
  await page.getByLabel('Below the order').fill('Lieferung in 5 Tagen');
  await expect(preview.getByText('Lieferung in 5 Tagen')).toBeVisible();
  await page.getByRole('tab', { name: 'Phone' }).click();
  await page.getByLabel('State of the preview').selectOption({ label: 'Receipt' });
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

test('says which colours the page shows otherwise than chosen', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  await page.goto(`/dashboard/payment-page?merchant=${own.id}`);
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Accent', { exact: true }).fill('#ff6600');
  await expect(page.getByText('White text would be hard to read on the button (2.9 : 1)')).toContainText('#1b1a17');
  await expect(page.getByText('Links would be hard to read in light mode (2.6 : 1)')).toContainText('#bf4b00');
  await page.getByLabel('Background', { exact: true }).fill('#0b1f3a');
  await expect(page.getByText('Grey text and fields would be hard to see on it')).toContainText('#dfedff');
  const body = page.frameLocator('iframe').locator('body');
  await expect(body).toHaveCSS('background-color', 'rgb(223, 237, 255)');
  await expectAccessibleAround(page);
});

test('previews every state of the page, accessible with any theme', async ({ page, context, florin }) => {
  test.slow();
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  // The preview's policy forbids all scripts, also those of the check.
  await page.route('**/preview?*', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': "frame-ancestors 'self'" };
    await route.fulfill({ response, headers });
  });
  await page.goto(`/dashboard/payment-page?merchant=${own.id}`);
  await page.waitForLoadState('networkidle');
  const options = page.getByLabel('State of the preview').locator('option');
  const states = await options.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
  expect(states.length).toBeGreaterThan(20);
  const theme = { accent: '#ff6600', background: '#0b1f3a', font: 'mono', radius: '0', 'text.footer': 'Orme Ltd' };
  for (const [at, state] of states.entries()) {
    const query = new URLSearchParams({ ...theme, state, scheme: at % 2 === 0 ? 'light' : 'dark', lang: 'de' });
    await page.goto(`/dashboard/api/look/${own.id}/preview?${query}`);
    await expect(page.getByText('Orme Ltd'), state).toBeVisible();
    expect((await violationsOf(page)).map(({ id }) => `${state}: ${id}`)).toEqual([]);
  }
});

test('creates a theme for a form_id, edits and deletes it', async ({ page, context, florin }) => {
  const own = await makeMerchant(await visitorAs(florin, 'manager'));
  await signInBrowser(context, florin, 'manager');
  await page.goto(`/dashboard/payment-page?merchant=${own.id}`);
  await expect(page.getByText('All payment pages', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'New theme' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Autumn sale');
  await dialog.getByLabel('Form IDs').fill('autumn, ');
  await dialog.getByRole('button', { name: 'Create theme' }).click();
  await expect(page.getByText('Sessions with form_id autumn', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Theme', { exact: true }).locator('option:checked')).toHaveText('Autumn sale');
  await expectAccessibleAround(page);

  await page.getByRole('textbox', { name: 'Form IDs' }).fill('autumn-app,');
  await page.getByLabel('Font').selectOption({ label: 'Serif' });
  await page.getByLabel('Title', { exact: true }).fill('Your autumn order');
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Your autumn order' })).toBeVisible();
  await page.getByRole('button', { name: /^Review and save/ }).click();
  await dialog.getByRole('button', { name: 'Save 3 changes' }).click();
  await expect(page.getByText('Sessions with form_id autumn, autumn-app', { exact: true })).toBeVisible();

  await page.getByLabel('Theme', { exact: true }).selectOption({ label: 'Default' });
  await expect(page.getByText('Sessions without form_id, or with one of no theme')).toBeVisible();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('');
  await page.getByLabel('Theme', { exact: true }).selectOption({ label: 'Autumn sale' });
  await page.getByRole('button', { name: 'Delete theme' }).click();
  await dialog.getByRole('button', { name: 'Delete theme' }).click();
  await expect(page.getByText('All payment pages', { exact: true })).toBeVisible();
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
