// Tests in the browser that unsaved changes of the dashboard are not lost: every way out of a page and of a dialog.

import type { Page } from '@playwright/test';
import { makeMerchant } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { chooseCommand, expectAccessible, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`/dashboard${address}`);
  await page.waitForLoadState('networkidle');
}

const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

test.describe('unsaved changes', () => {
  test('ask on every way out', async ({ page, context, florin }) => {
    const { faults } = await watch(page, florin);
    const own = await makeMerchant(await visitorAs(florin, 'manager'));
    await signInBrowser(context, florin, 'manager');
    await open(page, '/merchants');
    await open(page, `/merchants/${own.id}`);
    const field = page.getByRole('textbox', { name: 'Website' });
    await field.fill('shop.example');
    const stay = async () => {
      await expect(leaving(page)).toBeVisible();
      await leaving(page).getByRole('button', { name: 'Cancel' }).click();
      await expect(leaving(page)).toHaveCount(0);
      await expect(field).toHaveValue('shop.example');
      expect(page.url()).toContain(`/merchants/${own.id}`);
      await page.getByRole('heading', { level: 1 }).click();
    };
    await page.goBack();
    await stay();
    await page.goBack();
    await stay();
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await expect(leaving(page)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await stay();
    await chooseCommand(page, 'audit', /^Audit/);
    await stay();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await stay();
    await page.getByRole('button', { name: /choose a(nother)? merchant/ }).click();
    await page.getByRole('searchbox', { name: 'Search merchants' }).fill(own.name);
    await page.getByRole('button', { name: own.name, exact: true }).click();
    await stay();
    await chooseCommand(page, '>sign out', /^Sign out/);
    await stay();
    await page.goBack();
    await expectAccessible(page);
    await leaving(page).getByRole('button', { name: 'Leave, discard changes' }).click();
    await expect(page).toHaveURL(/\/dashboard\/merchants$/);
    expect(faults).toEqual([]);
  });

  test('are left by Back in a tab that began with them', async ({ page, context, florin }) => {
    const own = await makeMerchant(await visitorAs(florin, 'manager'));
    await signInBrowser(context, florin, 'manager');
    await open(page, '/merchants');
    const opened = context.waitForEvent('page');
    await page.evaluate((address) => void window.open(address, '_blank', 'noopener'), `/dashboard/merchants/${own.id}`);
    const tab = await opened;
    await tab.waitForLoadState('networkidle');
    expect(await tab.evaluate(() => history.length)).toBe(1);
    await tab.getByRole('textbox', { name: 'Website' }).fill('shop.example');
    await tab.evaluate(() => history.back());
    await leaving(tab).getByRole('button', { name: 'Leave, discard changes' }).click();
    await expect(tab).toHaveURL(/\/dashboard$/);
  });

  test('ask before several steps back at once', async ({ page, context, florin }) => {
    const { faults } = await watch(page, florin);
    const own = await makeMerchant(await visitorAs(florin, 'manager'));
    await signInBrowser(context, florin, 'manager');
    await open(page, `/merchants?q=${encodeURIComponent(own.name)}`);
    await page
      .getByRole('link', { name: new RegExp(own.name) })
      .first()
      .click();
    await page.waitForURL(/\/merchants\/[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.waitForURL(/\/keys$/);
    await page.getByRole('link', { name: 'General', exact: true }).click();
    await page.waitForURL(/\/merchants\/[0-9a-f-]{36}$/);
    const field = page.getByRole('textbox', { name: 'Website' });
    await field.fill('shop.example');
    // To an earlier visit of the same page.
    await page.evaluate(() => history.go(-3));
    await leaving(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(leaving(page)).toHaveCount(0);
    await expect(field).toHaveValue('shop.example');
    // A section of the page is not another page.
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click();
    await expect(page).toHaveURL(/#/);
    await page.evaluate(() => history.go(-3));
    await leaving(page).getByRole('button', { name: 'Leave, discard changes' }).click();
    await expect(page).toHaveURL(/\/keys$/);
    await expect(page.getByRole('table', { name: 'Keys' })).toBeVisible();
    expect(faults).toEqual([]);
  });

  test('ask before another mapping is set up or copied, whose failure is shown', async ({ page, context, florin }) => {
    const own = await makeMerchant(await visitorAs(florin, 'manager'));
    await sql("delete from protocol_mappings where merchant_id = $1 and protocol = 's2s_apm'", [own.id]);
    const [mapping] = await sql("select id from protocol_mappings where merchant_id = $1 and protocol = 'checkout'", [
      own.id,
    ]);
    await signInBrowser(context, florin, 'manager');
    await open(page, `/mappings/${mapping.id}`);
    const sha256 = page.getByRole('radio', { name: /SHA-256/ });
    await page.getByText('SHA-256', { exact: true }).click();
    await page.route('**/dashboard/api/mappings**', (route) => route.abort());
    await page.route('**/dashboard/api/mappings/**', (route) => route.abort());
    const agree = async () => {
      await leaving(page).getByRole('button', { name: 'Leave, discard changes' }).click();
      await expect(leaving(page)).toHaveCount(0);
    };
    // After a failure the changes are still there, and the page asks again.
    const asksAgain = async () => {
      await expect(sha256).toBeChecked();
      await page.getByRole('link', { name: 'History' }).click();
      await leaving(page).getByRole('button', { name: 'Cancel' }).click();
    };
    const setUp = page.getByRole('button', { name: /^Set up/ });
    await setUp.click();
    await agree();
    await expect(page.getByRole('navigation', { name: 'Protocols' }).getByRole('alert')).toBeVisible();
    await asksAgain();
    const copy = async () => {
      await page.getByRole('button', { name: 'Copy from another mapping' }).click();
      await page.getByRole('menuitem', { name: 'S2S CARD' }).click();
      await agree();
    };
    await copy();
    await expect(page.getByRole('alert').filter({ hasText: 'Florin cannot be reached' })).toBeVisible();
    await asksAgain();
    await page.unrouteAll();
    await copy();
    await expect(page.getByText('Copied from S2S CARD, not saved yet.', { exact: true })).toBeVisible();
    await expect(sha256).not.toBeChecked();
    await page.getByText('SHA-256', { exact: true }).click();
    await setUp.click();
    await agree();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`${own.name}, S2S APM`);
  });

  test('in a dialog are not lost by Esc or a press outside', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'merchant');
    await open(page, '/schedules');
    const dialog = page.getByRole('dialog');
    const create = page.getByRole('button', { name: 'Create schedule' }).first();
    await create.click();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await create.click();
    await dialog.getByLabel('Name').fill('Weekly box');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(dialog.getByLabel('Name')).toHaveValue('Weekly box');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  });

  test('ask before another merchant is selected, and not once they are saved', async ({ page, context, florin }) => {
    await makeMerchant(await visitorAs(florin, 'manager'));
    await signInBrowser(context, florin, 'manager');
    await open(page, '/wallets');
    await open(page, '/payment-page');
    await page.getByRole('textbox', { name: 'Support email' }).fill('help@shop.example');
    const merchants = page.getByRole('combobox', { name: 'Merchant' });
    const before = await merchants.inputValue();
    await merchants.selectOption({ index: 1 });
    await expect(leaving(page)).toBeVisible();
    await leaving(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(merchants).toHaveValue(before);
    await page.getByRole('button', { name: 'Discard' }).click();
    // One press of Back leaves a page without changes.
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard\/wallets$/);
  });
});
