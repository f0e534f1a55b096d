// Tests the dashboard in the browser: sign-in, the list of payments, and a payment with its operations and callbacks.
import { randomUUID } from 'node:crypto';
import { demoPassword, people, signInBrowser, signInOverHttp, visitorAs } from '../support/dashboard.ts';
import { expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const home = '/dashboard/payments';

/** A new payer, so that a search for the e-mail finds only the payments of the test. */
function newCustomer() {
  return { name: 'Lena Hoffmann', email: `lena-${randomUUID()}@example.com` };
}

/** `trans_id` of a payment's latest attempt. */
async function attemptOf(florin: string, id: string): Promise<string> {
  const { body } = await (await visitorAs(florin, 'manager')).get(`/payments/${id}`);
  const references = body.groups.find(({ title }: { title: string }) => title === 'References');
  return references.facts.find(({ name }: { name: string }) => name === 'trans_id').value;
}

test.describe('sign-in', () => {
  test('redirects to the requested page', async ({ page, florin, shop }) => {
    const { faults } = await watch(page, florin);
    const { id, order } = await pay(shop);
    await open(page, `${home}/${id}`);
    await expect(page).toHaveURL(/\/dashboard\/sign-in\?next=/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Enter your email address.')).toBeVisible();
    await page.getByLabel('Email').fill(people.manager);
    await page.getByLabel('Password', { exact: true }).fill('certainly not this');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('form').getByRole('alert')).toContainText('Wrong email or password.');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await page.getByLabel('Password', { exact: true }).fill(demoPassword());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${florin}${home}/${id}`);
    await expect(page.getByText(order.number).first()).toBeVisible();
    expect(faults).toEqual([]);
  });

  test('works without script', async ({ browser, florin }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${florin}/dashboard`);
    await page.getByLabel('Email').fill(people.merchant);
    await page.getByLabel('Password', { exact: true }).fill('certainly not this');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Wrong email or password.')).toBeVisible();
    expect(page.url()).not.toContain('certainly');
    await page.getByLabel('Email').fill(people.merchant);
    await page.getByLabel('Password', { exact: true }).fill(demoPassword());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
    await page.goto(`${florin}/dashboard/account`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goto(`${florin}${home}`);
    await expect(page).toHaveURL(/sign-in/);
    await context.close();
  });

  test('redirects to no other site', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'viewer');
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/dashboard/../../docs',
      '/docs',
    ]) {
      await open(page, `/dashboard/sign-in?next=${encodeURIComponent(next)}`);
      await expect(page).toHaveURL(`${florin}${home}`);
    }
  });
});

test.describe('the list', () => {
  test('finds a payment by each of its identifiers', async ({ page, context, florin, shop }) => {
    const { faults } = await watch(page, florin);
    const customer = newCustomer();
    const paid = await pay(shop, undefined, { customer });
    const declined = await pay(shop, cards.declined, { customer });
    await signInBrowser(context, florin, 'viewer');
    await open(page, home);
    const search = page.getByRole('searchbox');
    const rows = page.getByRole('table').locator('tbody tr');
    for (const [text, count] of [
      [paid.id, 1],
      [paid.order.number, 1],
      [customer.email.toUpperCase(), 2],
      [await attemptOf(florin, paid.id), 1],
    ] as const) {
      await page.keyboard.press('/');
      await search.fill(text);
      await expect(rows).toHaveCount(count);
      await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(text)}`));
      await expect(rows.last()).toContainText(paid.order.number);
      await search.blur();
    }
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
    await expect(rows.first()).toContainText(declined.order.number);
    await expect(rows.first()).toContainText('Declined');
    await expect(rows.first()).toContainText('Declined by processing');
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test('finds the payments of a card by its last four digits', async ({ page, context, florin, shop }) => {
    const { order } = await pay(shop, { number: '5555 5555 5555 4444', expiry: '01/38' }, { customer: newCustomer() });
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}?q=4444`);
    await expect(page.getByRole('link', { name: order.number })).toBeVisible();
    await open(page, `${home}?q=4445`);
    await expect(page.getByRole('heading', { name: 'No matching payment' })).toBeVisible();
  });

  test('filters by status and day, with the filters in the URL', async ({ page, context, florin, shop }) => {
    const customer = newCustomer();
    const paid = await pay(shop, undefined, { customer });
    const { order: unpaid } = await shop.open({ customer });
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
    const rows = page.getByRole('table').locator('tbody tr');
    await expect(rows).toHaveCount(2);
    const add = page.getByRole('button', { name: 'Filter', exact: true });
    await add.click();
    await page.getByRole('button', { name: 'Status' }).click();
    await expectAccessible(page);
    await page.getByLabel('Created').check();
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(unpaid.number);
    await expect(page).toHaveURL(/state=prepare/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Status Created' }).click();
    await page.getByLabel('Settled').check();
    await expect(rows).toHaveCount(2);
    await page.keyboard.press('Escape');
    await page.goBack();
    await expect(rows).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await expect(rows).toHaveCount(2);
    await add.click();
    await page.getByRole('dialog', { name: 'Add a filter' }).getByRole('button', { name: 'Created' }).click();
    await page.getByLabel('Last day').fill('2020-02-29');
    await expect(page.getByRole('heading', { name: 'No matching payment' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await expect(page).toHaveURL(new RegExp(`${home}\\??$`));
    await open(page, `${home}?q=${paid.order.number}&from=2020-01-01&state=settled,nonsense&to=soon&after=x`);
    await expect(rows).toHaveCount(1);
  });

  test('is paged by keyboard, forward and back', async ({ page, context, florin, shop }) => {
    const customer = newCustomer();
    const numbers: string[] = [];
    for (let made = 0; made < 53; made += 1) numbers.unshift((await shop.open({ customer })).order.number);
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
    const cells = page.getByRole('table').locator('tbody td:nth-child(4)');
    const shown = () => cells.allTextContents();
    expect(await shown()).toEqual(numbers.slice(0, 50));
    await expect(page.getByRole('link', { name: 'Newer' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Older' }).click();
    await expect.poll(shown).toEqual(numbers.slice(50));
    await expect(page.getByRole('link', { name: 'Older' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Newer' }).click();
    await expect.poll(shown).toEqual(numbers.slice(0, 50));
  });

  test('is navigated by keyboard', async ({ page, context, florin, shop }) => {
    const customer = newCustomer();
    const older = await shop.open({ customer });
    await shop.open({ customer });
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(2);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: older.order.number })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveTitle(new RegExp(older.order.number));
  });

  test('shows a new payment without a reload', async ({ page, context, florin, shop }) => {
    const customer = newCustomer();
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}?q=${encodeURIComponent(customer.email)}`);
    await expect(page.getByRole('heading', { name: 'No matching payment' })).toBeVisible();
    const { order } = await shop.open({ customer });
    await expect(page.getByRole('link', { name: order.number })).toBeVisible({ timeout: 20_000 });
  });

  test('fits a phone and 320 pixels, light and dark', async ({ page, context, florin, shop }) => {
    const { order } = await pay(shop, undefined, { customer: newCustomer() });
    await signInBrowser(context, florin, 'manager');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 780 });
      await open(page, `${home}?q=${order.number}`);
      await expect(page.getByRole('link', { name: order.number })).toBeVisible();
      await expectFits(page);
      await page.emulateMedia({ colorScheme: width === 320 ? 'dark' : 'light' });
      await expectAccessible(page);
    }
  });
});

test.describe('a payment', () => {
  test('is refunded in part and then in full', async ({ page, context, florin, shop, provider }) => {
    const { faults } = await watch(page, florin);
    const paid = await pay(shop, cards.challenge, { customer: newCustomer(), custom_data: { basket: 'b-77120' } });
    await signInBrowser(context, florin, 'operator');
    await open(page, `${home}/${paid.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('84.50 EUR');
    await expect(page.getByText('411111 •••• 1111')).toBeVisible();
    await expect(page.getByText('3DS → Settled')).toBeVisible();
    await expect(page.getByText(/transStatus Y/)).toBeVisible();
    await expect(page.getByText('"basket"')).toBeVisible();
    await expectAccessible(page);

    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: `Refund ${paid.order.number}` });
    const amount = dialog.getByLabel('Amount');
    await expect(amount).toBeFocused();
    await expect(amount).toHaveValue('84.50');
    await amount.fill('84.51');
    await amount.blur();
    await expect(dialog.getByText('At most 84.50 EUR is possible.')).toBeVisible();
    await expectAccessible(page);
    await amount.fill('30.00');
    await dialog.getByLabel('Reason').fill('Came back broken');
    await expect(dialog.getByRole('row', { name: 'Can be refunded' })).toContainText('54.50');
    await dialog.getByRole('button', { name: 'Refund 30.00 EUR' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Refund of 30.00 EUR requested')).toBeVisible();
    await expect(page.getByText('“Came back broken”')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Refund approved' })).toBeVisible();
    await expect(page.getByText('Void is not available: part of the payment is refunded.')).toBeVisible();

    await page.getByRole('button', { name: 'Refund' }).click();
    await expect(amount).toHaveValue('54.50');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'Settled → Refunded' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0);
    expect((await statusOf(shop, paid.id)).status).toBe('refund');
    expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 30.00', 'refund 54.50']);
    expect(faults).toEqual([]);
  });

  test('that is authorised is captured in part', async ({ page, context, florin, shop, provider }) => {
    const authorised = await authorise(shop);
    await signInBrowser(context, florin, 'operator');
    await open(page, `${home}/${authorised.id}`);
    await page.getByRole('button', { name: 'Capture' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('80.00');
    await dialog.getByRole('button', { name: 'Capture 80.00 EUR' }).click();
    await expect(page.getByRole('heading', { name: 'Pending → Settled' })).toBeVisible();
    expect(await provider.moved(authorised.order.number)).toContain('capture 80.00');
  });

  test('that is authorised is voided', async ({ page, context, florin, shop }) => {
    const authorised = await authorise(shop);
    await signInBrowser(context, florin, 'operator');
    await open(page, `${home}/${authorised.id}`);
    await page.keyboard.press('v');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Void authorisation' }).click();
    await page.getByRole('button', { name: 'Void authorisation 84.50 EUR' }).click();
    await expect(page.getByRole('heading', { name: 'Pending → Reversed' })).toBeVisible();
    await untilStatus(shop, authorised.id, 'reversal');
  });

  test('with a concurrent change is not refunded before a review', async ({ page, context, florin, shop }) => {
    const paid = await pay(shop);
    await signInBrowser(context, florin, 'operator');
    await open(page, `${home}/${paid.id}`);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    // The page polls for changes; without the polls it does not know about the other refund.
    await page.route('**/dashboard/api/payments/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await shop.refund(paid.id, '1.00');
    await dialog.getByRole('button', { name: 'Refund 84.50 EUR' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The payment was changed by someone else.');
  });

  test('shows why a callback did not arrive, and resends it', async ({ page, context, florin, shop, shopServer }) => {
    const { faults } = await watch(page, florin);
    const { order, url } = await shop.open({ customer: newCustomer() });
    shopServer.answer(order.number, { status: 503, body: 'Shop is closed' }, { status: 200, body: 'ERROR' });
    await startPayer(florin).pay(url, cards.settled);
    const id = (await shop.statusByOrder(order.number)).body.payment_id;
    await signInBrowser(context, florin, 'operator');
    await open(page, `${home}/${id}`);
    const attempts = page.getByRole('list', { name: 'Attempts' });
    await expect(attempts).toContainText('503');
    await expect(attempts).toContainText('“Shop is closed”');
    await expect(page.getByRole('heading', { name: 'Callback delivered on attempt 2' })).toBeVisible({
      timeout: 20_000,
    });
    await expect(attempts).toContainText('received, answered ERROR');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Callback sale resent' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Callback delivered on attempt 3' })).toBeVisible();
    const arrived = shopServer.arrived(order.number);
    expect(arrived).toHaveLength(3);
    expect(messagesOf(arrived)).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test('of another merchant does not exist', async ({ page, context, florin, shop }) => {
    const { id, order } = await pay(shop);
    await signInBrowser(context, florin, 'merchant');
    const answer = await open(page, `${home}/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Payment not found' })).toBeVisible();
    await expect(page.getByText(order.number)).toHaveCount(0);
    await expectAccessible(page);
  });

  test('has no actions for a viewer', async ({ page, context, florin, shop }) => {
    const { id } = await pay(shop);
    await signInBrowser(context, florin, 'viewer');
    await open(page, `${home}/${id}`);
    await expect(page.getByText('You have read-only access (role Viewer).')).toBeVisible();
    await expect(page.getByRole('button', { name: /Refund|Void|Capture|Resend/ })).toHaveCount(0);
    await page.keyboard.press('r');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('fits a phone and 320 pixels, light and dark', async ({ page, context, florin, shop }) => {
    const { id } = await pay(shop, cards.challenge);
    await signInBrowser(context, florin, 'operator');
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 780 });
      await open(page, `${home}/${id}`);
      await expectFits(page);
      await page.emulateMedia({ colorScheme: width === 320 ? 'dark' : 'light' });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Refund' }).click();
      await expectFits(page);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
    }
  });
});

test('the account page shows the user, and signs out', async ({ page, context, florin }) => {
  const { faults } = await watch(page, florin);
  const { cookie } = await signInOverHttp(florin, people.merchant, demoPassword());
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, domain: new URL(florin).hostname, path: '/' }]);
  await open(page, '/dashboard/payments?q=jo@example.com');
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain('jo');
  await open(page, '/dashboard/account');
  await expect(page.getByText('Florin Demo Shop').last()).toBeVisible();
  await expect(page.getByText('Merchant owner').last()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out' }).last().click();
  await expect(page).toHaveURL(/sign-in/);
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
  await open(page, home);
  await expect(page).toHaveURL(/sign-in/);
  expect(faults).toEqual([]);
});
