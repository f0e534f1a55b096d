// Tests the list of payments in the browser: saved views, columns, bulk refunds, CSV export, status sync, and the links
// of a payment to related objects.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { signInBrowser } from '../support/dashboard.ts';
import { expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { authorise, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const home = '/dashboard/payments';

function newCustomer() {
  return { name: 'Lena Hoffmann', email: `lena-${randomUUID()}@example.com` };
}

/** Waits for the result of a search; until then the previous rows are greyed out. */
async function expectQuiet(page: Page): Promise<void> {
  await expect(page.getByRole('table', { name: 'Payments' })).not.toHaveAttribute('aria-busy');
}

test('an operator finds a payment, exports it, downloads its evidence, refunds a part and resends its callback', async ({
  page,
  context,
  florin,
  shop,
  shopServer,
  provider,
}) => {
  const { faults } = await watch(page, florin);
  const customer = newCustomer();
  const paid = await pay(shop, cards.settled, { customer });
  await pay(shop, cards.declined, { customer });
  await signInBrowser(context, florin, 'operator');
  await open(page, home);
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill(customer.email.slice(0, 30));
  const rows = page.getByRole('table', { name: 'Payments' }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expectQuiet(page);
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export 2 as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(3);
  expect(text).toContain(paid.order.number);

  await page.getByRole('link', { name: paid.order.number }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('84.50 EUR');
  const evidence = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Evidence (PDF)' }).click();
  expect((await evidence).suggestedFilename()).toMatch(/^evidence-[\w-]+\.pdf$/);
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('30.00');
  await dialog.getByRole('button', { name: 'Refund 30.00 EUR' }).click();
  await expect(page.getByRole('heading', { name: 'Refund approved' })).toBeVisible();
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 30.00']);
  const before = shopServer.arrived(paid.order.number).length;
  await page.getByRole('button', { name: 'Resend callback' }).click();
  await expect(page.getByRole('heading', { name: /^Callback \w+ resent$/ })).toBeVisible();
  await expect.poll(() => shopServer.arrived(paid.order.number).length).toBeGreaterThan(before);
  await page.getByRole('button', { name: /^Sync status with / }).click();
  await expect(
    page
      .getByRole('status')
      .getByText(/reports no change/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: /Status synced with/ })).toBeVisible();
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('filters and columns are saved as a view, which is renamed and deleted', async ({
  page,
  context,
  florin,
  shop,
}) => {
  const { faults } = await watch(page, florin);
  const customer = newCustomer();
  await pay(shop, cards.settled, { customer });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}?q=${encodeURIComponent(customer.email)}&state=settled`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Channel').check();
  await page.getByLabel('Payer').uncheck();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Channel' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Payer' })).toHaveCount(0);
  const name = `Lena ${randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Give the view a name.');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.keyboard.press('Control+Enter');
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  await expect(tab).toHaveAttribute('aria-current', 'true');
  await expect(tab).toContainText('1');
  await expect(page.getByRole('button', { name: 'Save view' })).toHaveCount(0);
  const all = page.getByRole('link', { name: 'All', exact: true });
  await all.click();
  await expect(all).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Default columns' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Payer' })).toBeVisible();
  await tab.click();
  await expect(page.getByRole('columnheader', { name: 'Channel' })).toBeVisible();
  await page.getByRole('button', { name: `Change the view ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`${name}, settled`);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename view' }).click();
  await expect(page.getByRole('link', { name: `${name}, settled` })).toBeVisible();
  await page.getByRole('button', { name: /^Change the view/ }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(page.getByRole('link', { name: `${name}, settled` })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('several payments are captured and refunded at once, with a result for each', async ({
  page,
  context,
  florin,
  shop,
  provider,
}) => {
  const customer = newCustomer();
  const first = await pay(shop, cards.settled, { customer });
  const second = await pay(shop, cards.settled, { customer, order: { amount: '10.00' } });
  const authorised = await authorise(shop, cards.settled, { customer });
  await pay(shop, cards.declined, { customer });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
  await page.getByLabel('All rows of this page').check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('4 selected');
  await expect(bar).toContainText('263.50 EUR');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Refund 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund 2 payments' });
  await expect(dialog.getByRole('row', { name: first.order.number })).toContainText('84.50 EUR');
  await expect(dialog.getByRole('row', { name: second.order.number })).toContainText('10.00 EUR');
  await expectAccessible(page);
  // A concurrent change of one payment rejects its refund only.
  await shop.refund(second.id, '1.00');
  await dialog.getByRole('button', { name: 'Refund 94.50 EUR' }).click();
  await expect(dialog.getByText(/1 (done|in progress at the provider), 1 refused and unchanged\./)).toBeVisible();
  await expect(dialog.getByText('The payment was changed by someone else.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await untilStatus(shop, first.id, 'refund');
  expect(await provider.moved(second.order.number)).toEqual(['sale 10.00', 'refund 1.00']);
  await page.getByLabel('All rows of this page').check();
  await bar.getByRole('button', { name: 'Capture 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Capture 84.50 EUR' }).click();
  await expect(page.getByText('1 done.')).toBeVisible();
  expect((await statusOf(shop, authorised.id)).status).toBe('settled');
});

/** Resets the connection of refund requests; `reaching` says by payment whether the request reaches the server. */
async function breakRefunds(page: Page, reaching: Record<string, boolean>): Promise<() => Promise<void>> {
  const pattern = /\/dashboard\/api\/payments\/[^/]+\/refund$/;
  await page.route(pattern, async (route) => {
    const [, id = ''] = /payments\/([^/]+)/.exec(route.request().url()) ?? [];
    if (!Object.hasOwn(reaching, id)) return route.continue();
    if (reaching[id]) await route.fetch();
    await route.abort('connectionreset');
  });
  return () => page.unroute(pattern);
}

test('bulk refunds without a response are listed, and a retry refunds once', async ({
  page,
  context,
  florin,
  shop,
  provider,
}) => {
  const customer = newCustomer();
  const reached = await pay(shop, cards.settled, { customer });
  const unreached = await pay(shop, cards.settled, { customer, order: { amount: '10.00' } });
  const answered = await pay(shop, cards.settled, { customer, order: { amount: '3.00' } });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
  await page.getByLabel('All rows of this page').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Refund 3' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund 3 payments' });
  const restore = await breakRefunds(page, { [reached.id]: true, [unreached.id]: false });
  await dialog.getByRole('button', { name: 'Refund 97.50 EUR' }).click();
  await expect(dialog.getByRole('status')).toContainText(
    // The answered refund may be done before its response is due.
    /1 (done|in progress at the provider), 2 without a response\./,
  );
  await expect(dialog.getByRole('status')).not.toContainText('unchanged');
  await expect(dialog.getByText('No response', { exact: true })).toHaveCount(2);
  await expect(dialog.getByRole('link', { name: 'View payment' })).toHaveCount(2);
  await expectAccessible(page);
  await restore();
  // The dialog keeps its rows although the list is reloaded.
  await untilStatus(shop, reached.id, 'refund');
  await dialog.getByRole('button', { name: 'Retry 94.50 EUR' }).click();
  // The retried refund may be done before its response is due.
  await expect(dialog.getByRole('status')).toContainText(
    /(1 done, 2 in progress|2 done, 1 in progress) at the provider\.|3 done\./,
  );
  await untilStatus(shop, unreached.id, 'refund');
  for (const [payment, amount] of [
    [reached, '84.50'],
    [unreached, '10.00'],
    [answered, '3.00'],
  ] as const) {
    expect(await provider.moved(payment.order.number)).toEqual([`sale ${amount}`, `refund ${amount}`]);
  }
});

test('a refund without a response can be retried, and is not made twice', async ({
  page,
  context,
  florin,
  shop,
  provider,
}) => {
  const paid = await pay(shop, cards.settled, { customer: newCustomer() });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}/${paid.id}`);
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('30.00');
  const restore = await breakRefunds(page, { [paid.id]: false });
  await dialog.getByRole('button', { name: 'Refund 30.00 EUR' }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    'No response was received. The operation may have been processed',
  );
  await expectAccessible(page);
  await restore();
  const restoreAgain = await breakRefunds(page, { [paid.id]: true });
  await dialog.getByRole('button', { name: 'Retry: Refund 30.00 EUR' }).click();
  await expect(dialog.getByRole('alert')).toContainText('No response was received, and the payment has changed since.');
  await restoreAgain();
  await expect(dialog.getByLabel('Amount')).toHaveAttribute('readonly', '');
  await dialog.getByRole('button', { name: 'Retry: Refund 30.00 EUR' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`Refund of ${paid.order.number} is in progress.`, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Refund approved' })).toBeVisible();
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 30.00']);
});

test('the list is sorted by amount within one currency only, and gives the reason', async ({
  page,
  context,
  florin,
  shop,
}) => {
  const { faults } = await watch(page, florin);
  const customer = newCustomer();
  for (const amount of ['12.00', '7.00', '100.00']) await shop.open({ customer, order: { amount } });
  await shop.open({ customer, order: { amount: '99999', currency: 'JPY' } });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
  const rows = page.getByRole('table', { name: 'Payments' }).locator('tbody tr');
  const amounts = page.getByRole('columnheader', { name: 'Amount' });
  const created = page.getByRole('columnheader', { name: 'Created' });
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText('99,999');
  await amounts.getByRole('button').click();
  await expect(page.getByText('Amounts of several currencies cannot be sorted')).toBeVisible();
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  await expectQuiet(page);
  await expectAccessible(page);
  await page.getByLabel('Sort by amount within one currency').selectOption('EUR');
  await expect(rows).toHaveCount(3);
  await expect(amounts).toHaveAttribute('aria-sort', 'descending');
  await expect(created).not.toHaveAttribute('aria-sort');
  await expect(rows).toContainText(['100.00', '12.00', '7.00']);
  await expectQuiet(page);
  await expectAccessible(page);
  await amounts.getByRole('button').click();
  await expect(amounts).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows).toContainText(['7.00', '12.00', '100.00']);
  await created.getByRole('button').click();
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  await expect(rows).toContainText(['100.00', '7.00', '12.00']);
  const other = newCustomer();
  for (let count = 0; count < 51; count += 1) await shop.open({ customer: other });
  await open(page, `${home}?q=${encodeURIComponent(other.email)}&currency=EUR&sort=largest`);
  await page.getByRole('link', { name: 'Smaller' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('link', { name: 'Larger' }).click();
  await expect(rows).toHaveCount(50);
  expect(faults).toEqual([]);
});

test('a timeline is filtered by kind, and its order is remembered', async ({ page, context, florin, shop }) => {
  const paid = await pay(shop, cards.challenge, { customer: newCustomer() });
  await signInBrowser(context, florin, 'operator');
  await open(page, `${home}/${paid.id}`);
  const events = page.getByRole('region', { name: 'Timeline' }).locator('ol > li');
  const all = await events.count();
  await page.getByRole('button', { name: /^3DS \d/ }).click();
  await expect(events.first()).toContainText('3DS challenge required');
  expect(await events.count()).toBeLessThan(all);
  await page.getByRole('button', { name: /^All \d/ }).click();
  await expect(events.first()).toContainText('Session opened');
  await page.getByRole('button', { name: 'Oldest first' }).click();
  await expect(events.last()).toContainText('Session opened');
  await open(page, `${home}/${paid.id}`);
  await expect(events.last()).toContainText('Session opened');
});

test('the list and a payment fit a phone', async ({ page, context, florin, shop }) => {
  const customer = newCustomer();
  const paid = await pay(shop, cards.settled, { customer });
  await signInBrowser(context, florin, 'operator');
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [320, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 780 });
    await page.emulateMedia({ colorScheme });
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}&state=settled`);
    await expect(page.getByRole('link', { name: paid.order.number })).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: paid.order.number }).click();
    await expect(page.getByRole('button', { name: 'Refund' })).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    await expectParts(page);
  }
});

/** On a phone a payment has tabs, and a menu for the actions that move no money. */
async function expectParts(page: Page): Promise<void> {
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const events = timeline.locator('ol > li');
  const payer = page.getByRole('region', { name: 'Payer' });
  const all = await events.count();
  await expect(payer).toBeHidden();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(payer).toBeVisible();
  await expect(timeline).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('tab', { name: /^Callbacks \d/ }).click();
  await expect(events.first()).toContainText('Callback');
  expect(await events.count()).toBeLessThan(all);
  await page.getByRole('tab', { name: `Timeline ${all}` }).click();
  await expect(events).toHaveCount(all);
  await expect(page.getByRole('button', { name: 'Resend callback' })).toBeHidden();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Resend callback' }).click();
  await expect(page.getByRole('heading', { name: /^Callback \w+ resent$/ }).first()).toBeVisible();
}
