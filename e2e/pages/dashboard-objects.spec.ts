// Tests schedules, tokens and the other lists in the browser: a schedule is created, paused and changed, a token is
// removed.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { expectAccessible, expectFits, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

/** Opens a page and waits until its script is loaded. */
async function open(page: Page, address: string) {
  await page.goto(`/dashboard${address}`);
  await page.waitForLoadState('networkidle');
}

const phone = { width: 390, height: 844 };

test('a schedule is created after a missing field is reported', async ({ page, context, florin }) => {
  const { faults } = await watch(page, florin);
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/schedules');
  await page.getByRole('button', { name: 'Create schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await expect(dialog.getByText('Enter a name of up to 100 characters.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  const name = `Box ${randomUUID()}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Day of month').fill('31');
  await expect(dialog.getByText(/A payment made today is followed by charges on/)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await expect(page.getByText('Every month on day 31')).toBeVisible();
  expect(faults).toEqual([]);
});

test('a schedule shows its next twelve charges, and is paused and run', async ({ page, context, florin, cardAs }) => {
  const { faults } = await watch(page, florin);
  const owner = await visitorAs(florin, 'merchant');
  const plan = { name: `Club ${randomUUID()}`, interval_length: '1', interval_unit: 'month', payments_count: '24' };
  const schedule_id = (await owner.post('/schedules', plan)).body.id;
  const sold = await cardAs('demo').sell({ recurring_init: 'Y', schedule_id, payment_schedule_amount: '39.00' });
  await signInBrowser(context, florin, 'merchant');
  await open(page, `/schedules/${schedule_id}`);
  const rows = page.getByRole('table', { name: 'Upcoming charges' }).locator('tbody tr');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(11)).toContainText('39.00 EUR');
  await expect(rows.nth(11)).toContainText('468.00');
  await expectAccessible(page);
  await page.getByLabel('Subscription').selectOption('New subscription on a day');
  await page.locator('input[type="date"]').fill('2027-01-31');
  await expect(rows.first()).toContainText('28 Feb 2027');
  await expect(rows.first()).toContainText('31 is not in February, charged on the last day');
  await expect(rows.nth(1)).toContainText('31 Mar 2027');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause schedule' }).click();
  await expect(page.getByText('Paused: nothing is charged')).toBeVisible();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Paused: nothing is charged')).toBeHidden();
  await page.getByRole('tab', { name: 'Subscribers' }).click();
  await expect(page.getByRole('table', { name: 'Subscriptions' })).toContainText(sold.orderId);
  await page.getByRole('tab', { name: 'In the dashboard' }).click();
  await expect(page.getByText('Schedule paused', { exact: true })).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole('tab', { name: 'Upcoming charges' }).click();
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('tab', { name: 'Subscribers' }).click();
  await page.getByRole('link', { name: sold.orderId }).click();
  await expect(page.getByRole('heading', { name: 'Subsequent charges' })).toBeVisible();
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('a long name keeps the actions of an object beside its title', async ({ page, context, florin }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const name = `קופסה ${randomUUID()} `.padEnd(100, 'קרמיקה ').trim();
  const plan = { name, interval_length: '1', interval_unit: 'month', payments_count: '24' };
  const { body } = await (await visitorAs(florin, 'merchant')).post('/schedules', plan);
  await signInBrowser(context, florin, 'merchant');
  await open(page, `/schedules/${body.id}`);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toContainText(name);
  const [head, action] = await Promise.all([
    title.boundingBox(),
    page.getByRole('button', { name: 'Pause' }).boundingBox(),
  ]);
  expect(action?.y).toBeLessThan((head?.y ?? 0) + (head?.height ?? 0));
  expect(action?.x).toBeGreaterThanOrEqual((head?.x ?? 0) + (head?.width ?? 0));
});

test('a changed schedule shows its charges before it is saved', async ({ page, context, florin, cardAs }) => {
  const { faults } = await watch(page, florin);
  const owner = await visitorAs(florin, 'merchant');
  const plan = { name: `Club ${randomUUID()}`, interval_length: '3', interval_unit: 'month', payments_count: '24' };
  const schedule_id = (await owner.post('/schedules', plan)).body.id;
  const sold = await cardAs('demo').sell({ recurring_init: 'Y', schedule_id, payment_schedule_amount: '39.00' });
  await signInBrowser(context, florin, 'merchant');
  await open(page, `/schedules/${schedule_id}`);
  await page.getByRole('button', { name: 'Change plan' }).click();
  const dialog = page.getByRole('dialog');
  const effect = dialog.getByRole('table', { name: 'Charges after the change' });
  await expect(dialog.getByText('The change affects 1 active subscription.')).toBeVisible();
  await expect(dialog.getByText('Nothing is charged for the past.')).toBeVisible();
  await expect(effect.locator('tbody tr')).toHaveCount(1);
  await expect(effect).toContainText(sold.orderId);
  await expect(effect).toContainText('39.00');
  await dialog.getByLabel('Every').fill('1');
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectFits(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Plan changed.', { exact: true })).toBeVisible();
  await expect(page.getByText('Every month', { exact: true })).toBeVisible();
  expect(faults).toEqual([]);
});

test('a token is found and removed', async ({ page, context, florin, cardAs }) => {
  const { faults } = await watch(page, florin);
  const sold = await cardAs('demo').sell({ card_number: '5019555544445555', req_token: 'Y' });
  const token: string = sold.answer.body.card_token;
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/tokens');
  const rows = page.getByRole('table', { name: 'Tokens' }).locator('tbody tr');
  await page.getByRole('searchbox').fill(token);
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(/q=/);
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Dankort •••• 5555');
  await expect(page.getByRole('table', { name: 'Payments with this card' })).toContainText(sold.orderId);
  await expect(page.getByText(token)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove token' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove token' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Removed');
  await expect(page.getByRole('button', { name: 'Remove token' })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('the tokens are filtered by the brand of their card', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/tokens');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const filters = page.getByRole('dialog').getByRole('button');
  await expect(filters).toHaveText(['State', 'Brand', 'Created', 'Order']);
  await filters.filter({ hasText: 'Brand' }).click();
  await page.getByRole('checkbox', { name: 'Visa', exact: true }).check();
  await expect(page).toHaveURL(/brand=visa/);
});

for (const noun of ['sessions', 'payouts', 'chargebacks', 'unresolved', 'tokens', 'chains', 'schedules']) {
  test(`the list of ${noun}, wide, narrow and dark`, async ({ page, context, florin }) => {
    const { faults } = await watch(page, florin);
    await signInBrowser(context, florin, 'merchant');
    await open(page, `/${noun}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      new RegExp(noun === 'chains' ? 'recurring' : noun, 'i'),
    );
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.setViewportSize(phone);
    await expectFits(page);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
}
