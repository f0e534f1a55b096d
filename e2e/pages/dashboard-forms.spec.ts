// Tests the dashboard's forms in the browser: errors of hidden fields, conflicts, an expired session, amounts, and the
// command menu.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { addCookies, signInBrowser, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expectAccessible } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { createUser, reauthenticatedAs, userPassword } from '../support/users.ts';

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`/dashboard${address}`);
  await page.waitForLoadState('networkidle');
}

test.describe('a form with hidden fields', () => {
  test('is sent without them, and never goes dead', async ({ page, context, florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    await signInBrowser(context, florin, 'manager');
    await open(page, `/mids/new?merchant=${own.id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Hidden');
    await page.getByText('External provider', { exact: true }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://foo bar');
    await page.getByLabel('API key').fill('sch lüssel');
    await page
      .getByRole('button', { name: /^Create MID/ })
      .last()
      .click();
    await expect(page.getByText('Enter a full URL without a query')).toBeVisible();
    await page.getByText('Sandbox simulator', { exact: true }).click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText(/accepted the API key/)).toBeVisible();
    await page
      .getByRole('button', { name: /^Create MID/ })
      .last()
      .click();
    await expect(page).toHaveURL(/\/mids\/[0-9a-f-]{36}$/);
  });

  test('shows an error of a field that is not on the page', async ({ page, context, florin }) => {
    const manager = await visitorAs(florin, 'manager');
    const own = await makeMerchant(manager);
    const mid = await makeMid(manager, own.id);
    await signInBrowser(context, florin, 'manager');
    await open(page, `/mids/${mid.id}`);
    await page.getByRole('textbox', { name: 'Priority' }).fill('7');
    await page.route(`**/mids/${mid.id}?check=1`, (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'No.', fields: { url: 'The URL is wrong.' } } } }),
    );
    await page.getByRole('button', { name: /^Review and save/ }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'URL: The URL is wrong.' })).toBeVisible();
    await page.unroute(`**/mids/${mid.id}?check=1`);
    await page.getByRole('button', { name: /^Review and save/ }).click();
    await page.getByRole('button', { name: /^Save 1 change/ }).click();
    await expect(page.getByText('MID saved.', { exact: true })).toBeVisible();
  });

  test('shows an error in its dialog, if only the page has its field', async ({ page, context, florin }) => {
    const own = await makeMerchant(await visitorAs(florin, 'manager'));
    await signInBrowser(context, florin, 'manager');
    await open(page, `/merchants/${own.id}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.route('**/switch', (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'No.', fields: { site: 'The website is wrong.' } } } }),
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(own.name);
    await dialog.getByRole('button', { name: /^Disable merchant/ }).click();
    await expect(dialog.getByRole('alert')).toHaveText('site: The website is wrong.');
  });
});

test('two presses at once run an action once', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'manager');
  await open(page, '/mids/new');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Test connection' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.endsWith('/mids/check'))).toHaveLength(1);
});

test('an expired session is renewed over the form', async ({ page, context, florin }) => {
  const own = await createUser(florin, 'administrator');
  const shop = await makeMerchant(await visitorAs(florin, 'manager'));
  await addCookies(context, florin, own.visitor);
  await open(page, `/merchants/${shop.id}`);
  await page.getByRole('textbox', { name: 'Website' }).fill('shop.example');
  await sql('delete from user_sessions where user_id = $1', [own.id]);
  await sql('delete from sign_in_rates');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
  await expect(dialog).toContainText(own.email);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Sign in/ }).click();
  await expect(dialog.getByText('Enter your password.')).toBeVisible();
  await dialog.getByLabel('Password').fill(userPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Save 1 change/ }).click();
  await expect(page.getByText('Merchant saved.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Website' })).toHaveValue('shop.example');
});

test.describe('the proof of identity', () => {
  test('comes after the form, and reports an empty password', async ({ page, context, florin }) => {
    await reauthenticatedAs(florin, 'administrator');
    const own = await createUser(florin, 'administrator');
    await sql(`update user_sessions set confirmed_at = now() - interval '5 minutes' where user_id = $1`, [own.id]);
    await addCookies(context, florin, own.visitor);
    await open(page, '/people');
    await page.getByRole('button', { name: 'Invite user' }).click();
    const invite = page.getByRole('dialog', { name: 'Invite user' });
    await invite.getByLabel('Name').fill('Ada');
    await invite.getByRole('button', { name: /^Send invitation/ }).click();
    await expect(invite.getByText('Enter an email address such as name@example.com.')).toBeVisible();
    const email = `${randomUUID()}@people.test`;
    await invite.getByLabel('Email').fill(email);
    await invite.getByRole('radio', { name: /Administrator/ }).check();
    await invite.getByRole('button', { name: /^Send invitation/ }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
    await proof.getByRole('button', { name: /^Confirm/ }).click();
    await expect(proof.getByText('Enter your password.')).toBeVisible();
    await proof.getByLabel('Password').fill(userPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByText(`${email} is invited.`, { exact: true })).toBeVisible();
  });
});

test('a MID’s provider is changed after a proof, which comes before the review', async ({ page, context, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const mid = await makeMid(manager, merchant.id);
  const own = await createUser(florin, 'account_manager');
  const forget = () => sql('update user_sessions set confirmed_at = null where user_id = $1', [own.id]);
  await forget();
  await addCookies(context, florin, own.visitor);
  await open(page, `/mids/${mid.id}`);
  await page.getByText('External provider', { exact: true }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/v1');
  for (let left = 2; left > 0; left -= 1) await page.getByRole('button', { name: 'Replace' }).first().click();
  await page.getByLabel('API key').fill('k'.repeat(20));
  await page.getByLabel('Signing secret').fill(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  const review = page.getByRole('button', { name: /^Review and save/ });
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await review.click();
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Confirm your identity.' })).toBeVisible();
  await review.click();
  await proof.getByLabel('Password').fill(userPassword);
  await page.keyboard.press('Enter');
  await expect(proof).toHaveCount(0);
  const save = page.getByRole('button', { name: /^Save \d changes/ });
  await expect(save).toBeVisible();
  // The proof has expired meanwhile: it is asked for over the review.
  await forget();
  await save.click();
  await expectAccessible(page);
  await proof.getByLabel('Password').fill(userPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByText('MID saved.', { exact: true })).toBeVisible();
  expect((await manager.get(`/mids/${mid.id}`)).body.values.url).toBe('http://127.0.0.1:9/v1');
});

test.describe('the command menu', () => {
  test('finds pages first, by other words too, and lists no empty search', async ({ page, context, florin }) => {
    await signInBrowser(context, florin, 'manager');
    for (const [word, path] of [
      ['Callbacks', '/callbacks'],
      ['webhook', '/callbacks'],
      ['subscription', '/chains'],
      ['API key', '/merchants'],
      ['disputes', '/chargebacks'],
    ] as const) {
      await open(page, '/account');
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused();
      await page.keyboard.type(word);
      await page.waitForLoadState('networkidle');
      await expect(page.getByRole('option', { name: /^All payments matching/ })).toHaveCount(0);
      await page.keyboard.press('Enter');
      await expect(page, word).toHaveURL(new RegExp(`/dashboard${path}$`));
    }
  });
});

test('Esc on a payment returns to the search that led there', async ({ page, context, florin, shop }) => {
  const { id, order } = await pay(shop);
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments?q=${order.number}`);
  await page.getByRole('link', { name: order.number }).first().click();
  await expect(page).toHaveURL(new RegExp(`/payments/${id}`));
  await page.waitForLoadState('networkidle');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`/payments\\?q=${order.number}`));
});

test('a refund accepts a decimal comma, and names missing decimals', async ({ page, context, florin, shop }) => {
  const { id } = await pay(shop);
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments/${id}?action=refund`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('10,50');
  await expect(dialog.getByRole('button', { name: /^Refund 10\.50 EUR/ })).toBeVisible();
  await dialog.getByLabel('Amount').fill('10.505');
  await dialog.getByLabel('Amount').blur();
  await expect(dialog.getByText('EUR has 2 decimals.')).toBeVisible();
});

test('amounts of a payment are grouped, and what is refused names the currency', async ({
  page,
  context,
  florin,
  shop,
}) => {
  const { id } = await pay(shop, cards.settled, { order: { amount: '9800', currency: 'JPY' } });
  await signInBrowser(context, florin, 'operator');
  await open(page, `/payments/${id}?action=refund`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'All 9,800' })).toBeVisible();
  await expect(dialog.getByText(/^Up to 9,800 JPY\./)).toBeVisible();
  await expect(dialog.getByRole('row', { name: /Can be refunded/ })).toContainText('9,800');
  await expect(dialog.getByRole('button', { name: /^Refund 9,800 JPY/ })).toBeVisible();
  const amount = dialog.getByLabel('Amount');
  for (const [typed, message] of [
    ['10.5', 'JPY has no decimals.'],
    ['9801', 'At most 9,800 JPY is possible.'],
  ] as const) {
    await amount.fill(typed);
    await amount.blur();
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('9,800').first()).toBeVisible();
  // An order number may have these digits, too.
  await expect(page.getByText(/(?<![\w-])9800(?![\w-])/)).toHaveCount(0);
});

test('one match of a search in a list of choices is taken by Enter', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'manager');
  await open(page, '/mids/new');
  await page.getByRole('button', { name: 'Methods' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('papara');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: /^papara/ })).toBeChecked();
});

test('a pasted request that cannot be read stays in its dialog', async ({ page, context, florin }) => {
  await signInBrowser(context, florin, 'merchant');
  await open(page, '/hash-debugger');
  await page.getByRole('button', { name: 'Paste a request' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Body').fill('{"a": 1,\n "b" 2}');
  await dialog.getByRole('button', { name: 'Explain hash' }).click();
  await expect(dialog.getByText('Invalid JSON in line 2, column 6.')).toBeVisible();
  await expect(dialog.getByLabel('Body')).toHaveValue('{"a": 1,\n "b" 2}');
});

test('a rule is entered in EUR, with both amounts in one line', async ({ page, context, florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  await makeMid(manager, own.id);
  await signInBrowser(context, florin, 'manager');
  await open(page, `/routing?q=${encodeURIComponent(own.name)}`);
  await page
    .getByRole('link', { name: new RegExp(own.name) })
    .first()
    .click();
  await page.waitForURL(/\/routing\/[0-9a-f-]{36}$/);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${own.name}, Checkout`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  const tops = await Promise.all(
    ['Amount from', 'Amount up to'].map(async (name) => (await dialog.getByLabel(name).boundingBox())?.y),
  );
  expect(tops[0]).toBe(tops[1]);
  await expect(dialog.getByText('In EUR. Other currencies use the same number of minor units.')).toBeVisible();
});
