// Passkeys in the browser, with Chromium's virtual authenticator: added, used in every place that asks for the user's
// identity, and removed.
import type { Locator, Page } from '@playwright/test';
import { makeMerchant } from '../support/created-merchants.ts';
import { addCookies, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';
import {
  cookiesOf,
  createUser,
  enrol,
  merchantIds,
  type Own,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';

/** Adds a passkey on the account page of a user who has just signed in. */
async function addOnAccount(page: Page, florin: string, own: Own) {
  const device = await addVirtualAuthenticator(page);
  await addCookies(page.context(), florin, own.visitor);
  await open(page, `${florin}/dashboard/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1);
  return device;
}

const lock = (userId: string) =>
  sql(`update user_sessions set used_at = now() - interval '8 hours' where user_id = $1`, [userId]);

const looks = [
  [1440, 900],
  [390, 844],
] as const;

/** Checks a state of a page in both sizes, and keeps its pictures among the results of the tests. */
async function expectWell(page: Page, name: string, part?: Locator): Promise<void> {
  await expectAccessible(page);
  for (const [width, height] of looks) {
    await page.setViewportSize({ width, height });
    await expectFits(page);
    await part?.scrollIntoViewIfNeeded();
    await page.screenshot({ path: test.info().outputPath(`${name}-${width}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: looks[0][0], height: looks[0][1] });
}

test('a passkey is added with recovery codes, renamed and removed', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const device = await addVirtualAuthenticator(page);
  await addCookies(page.context(), florin, own.visitor);
  await open(page, `${florin}/dashboard/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue('Unknown browser');
  await expectWell(page, 'new');
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  expect(await device.count()).toBe(1);
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list).toContainText(/Work laptop\s*added .*, not used yet/);
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  // The same device cannot have a second one.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expectWell(page, 'confirm-second-factor');
  await page.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  await expect(dialog.getByText('This passkey is registered already.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Rename Work laptop' }).click();
  await dialog.getByLabel('Name').fill('Laptop of the office');
  await dialog.getByRole('button', { name: 'Rename passkey' }).click();
  await expect(list).toContainText(/Laptop of the office\s*added .*, used /);
  await expectWell(page, 'account', page.getByRole('button', { name: 'Add a passkey' }));

  // It is the only second factor: it goes with two-factor authentication.
  await page.getByRole('button', { name: 'Remove Laptop of the office' }).click();
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(dialog.getByText(/This is your only second factor/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Password').fill(userPassword);
  await expectWell(page, 'turn-off');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: 'Set up two-factor authentication' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('a passkey next to an authenticator is removed after a code', async ({ page, florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const { codes } = await enrol(own.visitor);
  await addVirtualAuthenticator(page);
  await addCookies(page.context(), florin, own.visitor);
  await open(page, `${florin}/dashboard/account`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByLabel('Code').fill(codes[0] ?? '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByLabel('Name').fill('Key');
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await expect(list).toContainText('Key');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Remove Key' }).click();
  await dialog.getByRole('radio', { name: 'A code' }).check();
  await dialog.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(list).toBeHidden();
  await expect(page.getByText('8 of 10 left')).toBeVisible();
});

test('a passkey signs in alone', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const device = await addOnAccount(page, florin, own);
  await page.context().clearCookies();
  await open(page, `${florin}/dashboard/sign-in?next=/dashboard/account`);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expectWell(page, 'sign-in');
  await device.verifies(false);
  await button.click();
  await expect(page.getByText('No passkey was used. It was cancelled, or it took too long.')).toBeVisible();
  await expectWell(page, 'sign-in-cancelled');
  await device.verifies(true);
  await button.click();
  await expect(page).toHaveURL(`${florin}/dashboard/account`);
  await expect(page.getByText(own.email).first()).toBeVisible();
  expect(faults).toEqual([]);
});

test('a passkey is the second step after the password, or a recovery code is, also without script', async ({
  page,
  browser,
  florin,
}) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  await addVirtualAuthenticator(page);
  await addCookies(page.context(), florin, own.visitor);
  await open(page, `${florin}/dashboard/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create passkey' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [code = ''] = await codes.allTextContents();
  await page.context().clearCookies();
  await open(page, `${florin}/dashboard/sign-in?next=/dashboard/account`);
  await page.getByLabel('Email').fill(own.email);
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Use your passkey');
  await page.waitForLoadState('networkidle');
  await expectWell(page, 'second-step');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(`${florin}/dashboard/account`);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${florin}/dashboard/sign-in?next=/dashboard/account`);
  await expect(plain.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
  await plain.getByLabel('Email').fill(own.email);
  await plain.getByLabel('Password', { exact: true }).fill(userPassword);
  await plain.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(plain.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
  await plain.getByRole('link', { name: 'Use a recovery code' }).click();
  await plain.getByLabel('Recovery code').fill(code);
  await plain.getByRole('button', { name: 'Continue' }).click();
  await expect(plain).toHaveURL(`${florin}/dashboard/account`);
  await context.close();
});

test('a passkey unlocks a session in place and on its page, and confirms the identity', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  const own = await createUser(florin, 'merchant_owner', merchantIds.demo, 'manager');
  await addOnAccount(page, florin, own);
  await open(page, `${florin}/dashboard/payments`);
  await lock(own.id);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Your session is locked' });
  await expect(dialog).toBeVisible();
  await expectWell(page, 'locked-dialog');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('.dashboard-shell')).toBeVisible();

  await lock(own.id);
  await open(page, `${florin}/dashboard/people`);
  await expect(page).toHaveURL(/\/dashboard\/sign-in\/locked\?next=/);
  await expect(page.getByText(`Use a passkey to continue as ${own.email}.`)).toBeVisible();
  await expectWell(page, 'locked-page');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(`${florin}/dashboard/people`);

  await sql('update user_sessions set confirmed_at = null where user_id = $1', [own.id]);
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByLabel('Name').fill('Nora New');
  const email = `nora-${own.id.slice(-8)}@people.test`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const identity = page.getByRole('dialog', { name: 'Confirm your identity' });
  await expect(identity).toBeVisible();
  await expectWell(page, 'confirm');
  await identity.getByRole('button', { name: 'Use the password instead' }).click();
  await expect(identity.getByLabel('Password')).toBeVisible();
  await identity.getByRole('button', { name: 'Use a passkey instead' }).click();
  await identity.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(email)).toBeVisible();
  // The browser logs the 401 and 403 responses.
  expect(faults).toEqual([]);
});

test('an expired session is renewed over a form with password and passkey', async ({ page, florin }) => {
  const own = await createUser(florin, 'administrator');
  const shop = await makeMerchant(await visitorAs(florin, 'manager'));
  await addOnAccount(page, florin, own);
  await open(page, `${florin}/dashboard/merchants/${shop.id}`);
  await page.getByRole('textbox', { name: 'Website' }).fill('shop.example');
  await sql('delete from user_sessions where user_id = $1', [own.id]);
  await sql('delete from sign_in_rates');
  await page.getByRole('button', { name: /^Review and save/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
  await dialog.getByLabel('Password').fill(userPassword);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: /^Save 1 change/ }).click();
  await expect(page.getByText('Merchant saved.', { exact: true })).toBeVisible();
});

test('a role that requires a second factor is satisfied by a passkey', async ({ page, florin }) => {
  // Starts a separate server.
  test.slow();
  const own = await createUser(florin, 'account_manager');
  const strict = await startKillableServer({ REQUIRE_SECOND_FACTOR: 'on' });
  try {
    await addVirtualAuthenticator(page);
    const { headers } = await signInWithRetry(strict.url, own.email);
    await addCookies(page.context(), strict.url, { cookie: cookiesOf(headers) });
    await open(page, `${strict.url}/dashboard/account`);
    await expect(page).toHaveURL(/\/dashboard\/sign-in\/second-factor/);
    await expectWell(page, 'required');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await page.getByRole('button', { name: /continue/ }).click();
    await expect(page).toHaveURL(`${strict.url}/dashboard/account`);
    await expect(page.getByText('Required by your role.')).toBeVisible();
  } finally {
    await strict.kill();
  }
});
