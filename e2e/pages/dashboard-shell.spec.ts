// Tests the shell of the dashboard in the browser: command menu, keyboard shortcuts, theme, phone layout, choice of the
// merchant, and the charts of the overview.
import type { Page } from '@playwright/test';
import { signInBrowser } from '../support/dashboard.ts';
import { chooseCommand, expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const white = 'rgb(255, 255, 255)';
const black = 'rgb(14, 16, 18)';

test.describe('the command menu', () => {
  test('opens pages, payments and actions', async ({ page, context, florin, shop }) => {
    const { faults } = await watch(page, florin);
    const { id, order } = await pay(shop);
    await signInBrowser(context, florin, 'operator');
    await open(page, '/dashboard');
    await page.keyboard.press('Control+k');
    const menu = page.getByRole('dialog', { name: 'Search or jump to' });
    await expect(menu.getByRole('combobox')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('payme');
    await expect(menu.getByRole('option', { name: /^Payments/ })).toBeVisible();
    await menu.getByRole('combobox').fill(order.number);
    await expect(menu.getByRole('option', { name: new RegExp(`^${order.number}`) })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/dashboard/payments/${id}$`));
    await chooseCommand(page, '>dark', /dark/i);
    await expect(menu).toHaveCount(0);
    expect(await background(page)).toBe(black);
    expect(faults).toEqual([]);
  });

  test('lists all payments that a search finds', async ({ page, context, florin, shop }) => {
    const email = `found-${Date.now()}@example.com`;
    await pay(shop, cards.settled, { customer: { name: 'Ana Petrovic', email } });
    await signInBrowser(context, florin, 'operator');
    await open(page, '/dashboard');
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused();
    await page.keyboard.type(email);
    await page.getByRole('option', { name: /^All payments matching/ }).click();
    await expect(page).toHaveURL(new RegExp(`/dashboard/payments\\?q=${encodeURIComponent(email)}$`));
  });

  test('says that a search finds nothing', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'viewer');
    await open(page, '/dashboard');
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused();
    await page.keyboard.type('unknown@example.com');
    await expect(page.getByText('No results for “unknown@example.com”.')).toBeVisible();
  });

  test('locks scrolling with a style that the content security policy allows', async ({ page, context, florin }) => {
    const { faults } = await watch(page, florin);
    await signInBrowser(context, florin, 'viewer');
    await open(page, '/dashboard');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    const locked = await page.evaluate(() => ({
      style: [...document.querySelectorAll('style')].find((each) =>
        each.textContent?.includes('with-scroll-bars-hidden'),
      )?.nonce,
      script: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce,
    }));
    expect(locked.style).toBe(locked.script);
    expect(locked.script).toBeTruthy();
    expect(faults).toEqual([]);
  });
});

test.describe('keyboard shortcuts', () => {
  test('open pages, are listed and can be disabled', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'operator');
    await open(page, '/dashboard');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(page).toHaveURL(/\/dashboard\/payments$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(dialog.getByText('Command menu')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('switch').uncheck();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.keyboard.press('?');
    await expect(page).toHaveURL(/\/dashboard\/payments$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible();
  });

  test('do not apply within a field', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'viewer');
    await open(page, '/dashboard/payments');
    await page.keyboard.press('/');
    await page.keyboard.type('gp?');
    await expect(page.getByRole('searchbox')).toHaveValue('gp?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('the theme follows the system, and a fixed one applies from the first paint', async ({
  page,
  context,
  florin,
}) => {
  await signInBrowser(context, florin, 'viewer');
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/dashboard');
  expect(await background(page)).toBe(black);
  await page.getByRole('button', { name: 'account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Light', exact: true }).click();
  await expect.poll(() => background(page)).toBe(white);
  const answer = await page.reload();
  expect(await answer?.text()).toMatch(/<html[^>]* data-theme="light"/);
  expect(await background(page)).toBe(white);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'account and settings' }).click();
  await page.getByRole('menuitem', { name: 'System' }).click();
  await expect.poll(() => background(page)).toBe(black);
});

test('a user with access to every merchant chooses one, and sees only its rows', async ({
  page,
  context,
  florin,
  shop,
}) => {
  const { faults } = await watch(page, florin);
  const { order } = await pay(shop);
  await signInBrowser(context, florin, 'manager');
  await open(page, '/dashboard/payments');
  const pick = async (name: string) => {
    await page.getByRole('button', { name: /choose a(nother)? merchant/ }).click();
    await page.getByRole('searchbox', { name: 'Search merchants' }).fill(name);
    await page.getByRole('button', { name: `Test ${name}`, exact: true }).click();
    await expect(page.getByRole('complementary')).toContainText(`Test ${name}`);
  };
  await pick('Closed');
  await open(page, `/dashboard/payments?q=${order.number}`);
  await expect(page.getByRole('heading', { name: 'No matching payment' })).toBeVisible();
  await pick('Plain');
  await open(page, `/dashboard/payments?q=${order.number}`);
  await expect(page.getByText(order.number).first()).toBeVisible();
  expect(faults).toEqual([]);
});

test('the navigation has no link without permission', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'viewer');
  await open(page, '/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Dashboard', exact: true });
  await expect(navigation.getByRole('link', { name: 'Payments', exact: true })).toBeVisible();
  await expect(navigation.getByRole('link', { name: /MIDs|Callbacks|Audit log|Users/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /choose a merchant/ })).toHaveCount(0);
});

test.describe('the overview', () => {
  test('has five charts, each with a table', async ({ page, context, florin, shop }) => {
    const { faults } = await watch(page, florin);
    await pay(shop);
    await signInBrowser(context, florin, 'operator');
    await open(page, '/dashboard?period=today');
    const questions = ['Settled volume', 'Approval rate', 'Decline reasons'];
    for (const name of [...questions, 'Payment methods', 'Callback delivery']) {
      await expect(page.getByRole('heading', { name })).toBeVisible();
    }
    const volume = page.getByRole('region', { name: 'Settled volume' }).first();
    const chart = volume.getByRole('slider');
    await chart.focus();
    await page.keyboard.press('Home');
    await expect(chart).toHaveAttribute('aria-valuetext', /^00:00: .*EUR/);
    await volume.getByRole('button', { name: 'View as table' }).click();
    await expect(volume.getByRole('columnheader', { name: 'Card, EUR' })).toBeVisible();
    await expect(volume.getByRole('row')).toHaveCount(25);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test('shows the chosen period', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'operator');
    await open(page, '/dashboard');
    await page.getByRole('link', { name: '30 days' }).click();
    await expect(page).toHaveURL(/period=30/);
    await expect(page.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'true');
    await page.getByRole('button', { name: 'Dates' }).click();
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/from=2026-01-01&to=2026-01-31/);
    await expect(page.getByText('1 – 31 Jan 2026')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No payments in this period' })).toBeVisible();
    await expect(page.getByText(/first payment/)).toHaveCount(0);
  });

  test('is limited to a merchant and a MID, and lists the attempts of each', async ({
    page,
    context,
    florin,
    shop,
  }) => {
    const { faults } = await watch(page, florin);
    await pay(shop);
    await signInBrowser(context, florin, 'manager');
    await open(page, '/dashboard?period=today');
    const table = page.getByRole('table', { name: 'Attempts by MID' });
    await expect(table.getByRole('row').nth(1)).toContainText(/\d \d+\.\d %|\d+\.\d %/);
    await page.getByRole('tab', { name: 'Card brand' }).click();
    await expect(page.getByRole('table', { name: 'Attempts by Card brand' })).toContainText('Visa');
    await page.getByRole('tab', { name: 'Merchant' }).click();
    const merchants = page.getByRole('table', { name: 'Attempts by Merchant' });
    // The merchant of the payment: others have MIDs without cards.
    const name = 'Test Plain';
    await merchants.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(/merchant=[0-9a-f-]{36}/);
    await expect(page.getByLabel('Merchant', { exact: true }).locator('option:checked')).toHaveText(name);
    await expect(merchants.getByRole('row')).toHaveCount(2);
    await page.getByRole('tab', { name: 'MID' }).click();
    await table.getByRole('link', { name: 'Plain MID', exact: true }).click();
    await expect(page).toHaveURL(/mid=[0-9a-f-]{36}/);
    await expect(table.getByRole('row')).toHaveCount(2);
    await page
      .getByRole('link', { name: /^Visa|^Card/ })
      .first()
      .click();
    await expect(page).toHaveURL(/payments\?method=card.*&mid=/);
    expect(faults).toEqual([]);
  });

  test('fits every width, light and dark', async ({ page, context, florin, shop }) => {
    await pay(shop);
    await signInBrowser(context, florin, 'manager');
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1000, 'dark'],
      [390, 'dark'],
      [320, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await open(page, '/dashboard?period=today');
      await expectFits(page);
      await expectAccessible(page);
    }
  });
});

test('on a phone the navigation is at the bottom, and further pages are in a sheet', async ({
  page,
  context,
  florin,
}) => {
  const { faults } = await watch(page, florin);
  await page.setViewportSize({ width: 390, height: 780 });
  await signInBrowser(context, florin, 'manager');
  await open(page, '/dashboard');
  const bar = page.getByRole('navigation', { name: 'Dashboard, on a phone' });
  await bar.getByRole('link', { name: 'Payments', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/payments$/);
  await bar.getByRole('button', { name: 'More' }).click();
  const sheet = page.getByRole('dialog', { name: 'All pages' });
  await expect(sheet.getByRole('link', { name: 'Account' })).toBeVisible();
  await expectAccessible(page);
  await sheet.getByText('Dark', { exact: true }).click();
  await expect.poll(() => background(page)).toBe(black);
  await sheet.getByRole('link', { name: 'Account' }).click();
  await expect(page).toHaveURL(/\/dashboard\/account$/);
  await expect(sheet).toHaveCount(0);
  await expectFits(page);
  expect(faults).toEqual([]);
});
