// Tests protocol mappings in the browser: the matrix by keyboard, the changes before saving, an error at its field.

import { randomUUID } from 'node:crypto';
import { makeMerchant } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { mappingPages } from '../support/dashboard-pages/mappings.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import { expectAccessible } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

test.beforeEach(async ({ context, florin }) => signInBrowser(context, florin, 'manager'));

test('the matrix is edited by keyboard, and saved after a review of the changes', async ({ page, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const mappings = mappingPages(page);
  await mappings.open(merchant.name, 's2s_card');
  await expectAccessible(page);
  await expect(page.getByRole('checkbox', { name: 'payer_email, Required' })).toHaveCount(0);

  await mappings.box('payer_birth_date', 'Required').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(mappings.box('payer_birth_date', 'In callbacks')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  // The arrow skips two fields that are always required.
  await page.keyboard.press('ArrowDown');
  await expect(mappings.box('payer_phone_country_code', 'Required')).toBeFocused();
  await page.keyboard.press('End');
  await expect(mappings.box('payer_phone_country_code', 'In status')).toBeFocused();
  await mappings.box('initiator, source, sequence', 'In callbacks').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('3 changes, not saved')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('Control+s');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await mappings.save(['payer_birth_date required', 'payer_birth_date in callbacks', 'off on']);
  const { values } = await mappingOf(manager, merchant, 's2s_card');
  expect(values.requiredPayerFields).toEqual(['payer_birth_date']);
  expect(values.callbackFields).toEqual(['payer_birth_date', 'initiator', 'source', 'sequence']);
});

test('an invalid line of the allowlist is reported at its field, and nothing is saved', async ({ page, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const mappings = mappingPages(page);
  await mappings.open(merchant.name, 'checkout');
  await mappings.allowlist().fill('203.0.113.24\n203.0.113.0/28\n203.0.113.256');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  await expect(page.getByText('Line 3: 256 is too large. Each part of an IPv4 address goes up to 255.')).toBeVisible();
  await expect(mappings.allowlist()).toBeFocused();
  await expectAccessible(page);
  expect((await mappingOf(manager, merchant, 'checkout')).version).toBe(0);
  await mappings.allowlist().fill('203.0.113.24\n203.0.113.0/28');
  await mappings.useSha256();
  expect((await mappingOf(manager, merchant, 'checkout')).values).toMatchObject({
    digest: 'sha256',
    ipAllowlist: ['203.0.113.24', '203.0.113.0/28'],
  });
});

test('a long name from right to left keeps the actions beside the title, and shows its beginning', async ({
  page,
  florin,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const name = `חנות ${randomUUID()} `.padEnd(90, 'קרמיקה ').trim();
  const merchant = await makeMerchant(await visitorAs(florin, 'manager'), { name });
  await mappingPages(page).open(merchant.name, 'checkout');
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toContainText(', Checkout');
  const [head, action] = await Promise.all([
    title.boundingBox(),
    page.getByRole('link', { name: 'History' }).boundingBox(),
  ]);
  expect(action?.y).toBeLessThan((head?.y ?? 0) + (head?.height ?? 0));
  expect(action?.x).toBeGreaterThan((head?.x ?? 0) + (head?.width ?? 0));
  // The ellipsis is at the end of the reading direction.
  await expect(page.locator('header [aria-current=page]')).toHaveCSS('direction', 'rtl');
});

test('a concurrent change is reported, and is not overwritten', async ({ page, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const mappings = mappingPages(page);
  await mappings.open(merchant.name, 'checkout');
  const { id } = await mappingOf(manager, merchant, 'checkout');
  await manager.post(`/mappings/${id}`, { version: 0, values: { digest: 'sha256' } });
  await page.getByRole('textbox', { name: 'Cascade depth' }).fill('1');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  const note = page.getByRole('alert').filter({ hasText: 'while this form was open' });
  await expect(note).toContainText('Hash algorithm');
  await expect(note.locator('ins')).toHaveText('sha256');
  await expectAccessible(page);
  expect((await mappingOf(manager, merchant, 'checkout')).version).toBe(1);
  await note.getByRole('button', { name: 'Reload, keep my changes' }).click();
  await expect(note).toHaveCount(0);
  await expect(page.getByRole('radio', { name: /SHA-256/ })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Cascade depth' })).toHaveValue('1');
  await mappings.save(['Cascade depth', '1']);
  expect((await mappingOf(manager, merchant, 'checkout')).values).toMatchObject({ digest: 'sha256', cascadeLimit: 1 });
});

test('an owner has read-only access, wide and narrow', async ({ browser, florin }) => {
  for (const width of [1440, 390]) {
    const context = await browser.newContext({ baseURL: florin, viewport: { width, height: 800 } });
    await signInBrowser(context, florin, 'merchant');
    const page = await context.newPage();
    await page.goto('/dashboard/mappings');
    await page.getByRole('link', { name: 'Florin Demo Shop, S2S CARD' }).click();
    await expect(page.getByText('You have read-only access')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'payer_zip, Required' })).toBeDisabled();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await context.close();
  }
});

test('a mapping with open payouts shows a warning until an allowlist is set', async ({ page, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const { id } = await mappingOf(manager, merchant, 's2s_card');
  const mappings = mappingPages(page);
  const warning = page.getByText('Payouts are open:');
  await mappings.open(merchant.name, 's2s_card');
  await expect(warning).toHaveCount(0);
  await page.getByText('Accept payouts with hash alone').click();
  await mappings.save(['Open payouts', 'accepted with the hash alone']);
  await expect(warning).toBeVisible();
  await expectAccessible(page);
  await changeMapping(manager, id, { ipAllowlist: ['203.0.113.24'] });
  await page.reload();
  await expect(warning).toHaveCount(0);
});
