// Tests what all lists have in common, in the browser: they fit every window, a filter is chosen by keyboard, and a
// page leads back to its list with the filters.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { authorise, pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

async function open(page: Page, address: string) {
  await page.goto(`/dashboard${address}`);
  await page.waitForLoadState('networkidle');
}

const lists = [
  ...['payments', 'sessions', 'payouts', 'chargebacks', 'unresolved', 'tokens', 'chains', 'schedules', 'callbacks'],
  ...['requests', 'merchants', 'mids', 'mappings', 'routing', 'people', 'audit-log'],
];
const widths = [320, 390, 640, 700, 800, 900, 1024, 1100, 1150, 1280, 1440];

test('no list is wider than the window', async ({ page, context, florin, shop }) => {
  test.slow();
  await pay(shop);
  await signInBrowser(context, florin, 'manager');
  for (const list of lists) {
    await open(page, `/${list}`);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, `${list} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('the keys of a merchant are not wider than the window', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/merchants');
  await page.getByRole('table', { name: 'Merchants' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('table').waitFor();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `keys at ${width}`).toBeLessThanOrEqual(0);
  }
});

test('the page of an authorisation ends in what can be captured', async ({ page, context, florin, shop }) => {
  const { id } = await authorise(shop);
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments/${id}`);
  await expect(page.getByText('Can be captured').locator('..')).toContainText(/[\d.]+ EUR/);
  await expect(page.getByText('Can be refunded')).toHaveCount(0);
});

test('Esc leads from a payment back to the search that found it', async ({ page, context, florin, shop }) => {
  const { faults } = await watch(page, florin);
  const paid = await pay(shop);
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments?q=${paid.order.number}&state=settled`);
  await page.getByRole('table', { name: 'Payments' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-up]')).toHaveAttribute('href', new RegExp(paid.order.number));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`payments\\?q=${paid.order.number}&state=settled`));
  expect(faults).toEqual([]);
});

test('Enter chooses the only option that a search finds', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'operator');
  await open(page, '/sessions');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: 'Methods' }).click();
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('kora');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/method=[\w-]*kora/);
});

test('the decimal points of all currencies are in one line', async ({ page, context, florin, shop }) => {
  const customer = { name: 'Lena Hoffmann', email: `points-${Date.now()}@example.com` };
  await pay(shop, cards.settled, { customer });
  await pay(shop, cards.settled, { customer, order: { amount: '12.345', currency: 'KWD' } });
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments?q=${customer.email}`);
  const decimals = page.locator('td:first-of-type .figures > span, td .figures > span.inline-block');
  await expect(page.getByRole('table', { name: 'Payments' }).locator('tbody tr')).toHaveCount(2);
  const starts = await decimals.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().left)));
  expect(new Set(starts).size).toBe(1);
});

test('a list is turned by the heading of its time, and says so', async ({ page, context, florin, shop }) => {
  await pay(shop);
  await signInBrowser(context, florin, 'operator');
  await open(page, '/requests');
  const time = page.getByRole('columnheader', { name: 'Time' });
  await expect(time).toHaveAttribute('aria-sort', 'descending');
  await time.getByRole('button').click();
  await expect(page).toHaveURL(/sort=oldest/);
  await expect(time).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByText('Order: Oldest first').or(page.getByText('Oldest first')).first()).toBeVisible();
  await time.getByRole('button').click();
  await expect(page).not.toHaveURL(/sort=/);
});

test('selected payments are exported', async ({ page, context, florin, shop }) => {
  const customer = { name: 'Lena Hoffmann', email: `selected-${Date.now()}@example.com` };
  const [first] = [await pay(shop, cards.settled, { customer }), await pay(shop, cards.settled, { customer })];
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments?q=${customer.email}`);
  await page.getByRole('checkbox', { name: new RegExp(`^Select .*${first.order.number}`) }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export 1' }).click();
  const file = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(file).toHaveLength(2);
  expect(file[1]).toContain(first.order.number);
});

test('the audit log is exported as it is filtered', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'manager');
  await open(page, '/audit-log?what=audit_log.');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export all as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  expect(file.url()).toContain('what=audit_log.');
});

test('the audit log is filtered by kind, result and address', async ({ page, context, florin }) => {
  const { faults } = await watch(page, florin);
  const viewer = await visitorAs(florin, 'viewer');
  expect((await viewer.get('/people')).status).toBe(403);
  await signInBrowser(context, florin, 'administrator');
  await open(page, '/audit-log');
  const add = page.getByRole('button', { name: 'Filter', exact: true });
  await add.click();
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText([
    ...['When', 'Who', 'Kind', 'Action', 'Object', 'Result', 'Address'],
  ]);
  await page.getByRole('button', { name: 'Result' }).click();
  await page.getByRole('checkbox', { name: 'Refused' }).check();
  await expect(page).toHaveURL(/result=refused/);
  await open(page, '/audit-log?kind=access&result=refused&address=127.0.0.1&what=access.');
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  await expect(rows.first()).toContainText('Requested GET /dashboard/api/people (refused)');
  await expect(rows.first()).toContainText('127.0.0.1');
  await page.getByRole('button', { name: 'Details of Requested GET /dashboard/api/people' }).first().click();
  await expect(rows.nth(1)).toContainText('Address127.0.0.1');
  await open(page, '/audit-log?kind=access&address=192.0.2.1');
  await expect(page.getByRole('button', { name: 'Details of' })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('selected callbacks are resent', async ({ page, context, florin, shop, shopServer }) => {
  const paid = await pay(shop);
  await shopServer.waitFor(paid.order.number, (all) => all.length > 0);
  await signInBrowser(context, florin, 'operator');
  await open(page, `/callbacks?q=${paid.order.number}&state=delivered`);
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Resend 1' }).click();
  await expect(page.getByText('1 callback queued.', { exact: true })).toBeVisible();
});
