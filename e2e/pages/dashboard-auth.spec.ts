// Tests sign-in in the browser: invitation, second factor, recovery code without script, password reset, and the pages
// of the account and of the users.
import { addCookies, signInBrowser } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expectAccessible, expectFits, open, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';
import { authenticator } from '../support/totp.ts';
import { createUser, enrol, inviteUser, merchantIds, tokenFor, userPassword } from '../support/users.ts';

test('an invitation creates an account and opens its first page', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  const { token, name, email } = await inviteUser(florin, 'operator', merchantIds.demo, 'manager');
  await open(page, `${florin}/dashboard/invitation/${token}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome');
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByLabel('Your name')).toHaveValue(name);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter at least 12 characters.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard(\/payments)?$/);
  await expect(page.getByText(name).first()).toBeVisible();
  await page.goto(`${florin}/dashboard/invitation/${token}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This invitation was accepted');
  // The browser logs the 400 response to the short password.
  expect(faults.filter((error) => !/status of 400/.test(error))).toEqual([]);
});

test('a second factor is set up and required, and a complete code is submitted automatically', async ({
  page,
  florin,
}) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  await addCookies(page.context(), florin, own.visitor);
  await open(page, `${florin}/dashboard/account`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expectAccessible(page);
  const key = (await dialog.locator('code').first().textContent()) ?? '';
  const app = authenticator(key);
  await dialog.getByLabel(/six digits/).fill(await app.code());
  await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  await page.context().clearCookies();
  await open(page, `${florin}/dashboard/sign-in?next=/dashboard/account`);
  await page.getByLabel('Email').fill(own.email);
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter the code');
  await page.waitForLoadState('networkidle');
  await expectAccessible(page);
  const field = page.getByLabel('Code');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await field.fill('000000');
  await expect(page.getByText(/Wrong code/)).toBeVisible();
  await expect(field).toHaveValue('');
  // Authenticator apps copy the code with a space.
  const code = await app.code();
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page).toHaveURL(`${florin}/dashboard/account`);
  await expect(page.getByText('This session')).toBeVisible();
});

test('a recovery code works without script', async ({ browser, florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const { codes } = await enrol(own.visitor);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${florin}/dashboard/sign-in?next=/dashboard/account`);
  await page.getByLabel('Email').fill(own.email);
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/Wrong code/)).toBeVisible();
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[3] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${florin}/dashboard/account`);
  await expect(page.getByText('9 of 10 left')).toBeVisible();
  await context.close();
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`a locked session hides the page until it is unlocked in place, at ${width} pixels`, async ({
    page,
    florin,
  }) => {
    await page.setViewportSize({ width, height });
    const own = await createUser(florin, 'merchant_owner', merchantIds.demo, 'manager');
    await addCookies(page.context(), florin, own.visitor);
    await open(page, `${florin}/dashboard/payments`);
    await sql(`update user_sessions set used_at = now() - interval '8 hours' where user_id = $1`, [own.id]);
    await page.keyboard.press('Control+k');
    const menu = page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
    await expect(menu).toBeVisible();
    // The page finds it out by its next request: the list is read again when the window gets the focus.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const dialog = page.getByRole('dialog', { name: 'Your session is locked' });
    await expect(dialog).toBeVisible();
    await expect(page.locator('.dashboard-shell')).toBeHidden();
    await expect(menu).toBeHidden();
    await expectAccessible(page);
    await expectFits(page);
    await dialog.getByLabel('Password').fill('not this one');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(/The password is incorrect\. 9 attempts/)).toBeVisible();
    await dialog.getByLabel('Password').fill(userPassword);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(menu).toBeVisible();
    await expect(page.locator('.dashboard-shell')).toBeVisible();
    await expect(page).toHaveURL(`${florin}/dashboard/payments`);
  });

test('the overview refreshes its figures, and does not keep the session of an absent user open', async ({
  page,
  florin,
}) => {
  const own = await createUser(florin, 'merchant_owner', merchantIds.demo, 'manager');
  await addCookies(page.context(), florin, own.visitor);
  await page.clock.install();
  await open(page, `${florin}/dashboard`);
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.headers().rsc) refreshes.push(request.url());
  });
  await page.mouse.click(1, 1);
  await page.clock.runFor(60_500);
  await expect.poll(() => refreshes.length).toBeGreaterThan(0);
  const used = async () =>
    (
      await sql(`select used_at < now() - interval '9 minutes' as old from user_sessions where user_id = $1`, [own.id])
    )[0];
  await page.waitForLoadState('networkidle');
  await sql(`update user_sessions set used_at = now() - interval '10 minutes' where user_id = $1`, [own.id]);
  refreshes.length = 0;
  await page.clock.runFor(300_000);
  await page.waitForLoadState('networkidle');
  expect([refreshes, await used()]).toEqual([[], { old: true }]);
});

test('a locked session is unlocked by its own page, with and without script', async ({ page, browser, florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const { app } = await enrol(own.visitor);
  const lock = () => sql(`update user_sessions set used_at = now() - interval '8 hours' where user_id = $1`, [own.id]);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  for (const each of [page, plain]) {
    // The first browser's unlocking has given the session another token.
    if (each === page) await addCookies(each.context(), florin, own.visitor);
    else await each.context().addCookies(await page.context().cookies());
    await lock();
    await each.goto(`${florin}/dashboard/account`);
    await expect(each).toHaveURL(/\/dashboard\/sign-in\/locked\?next=/);
    await expect(each.getByRole('heading', { level: 1 })).toHaveText('Your session is locked');
    await expect(each.getByText(`to continue as ${own.email}.`)).toBeVisible();
    if (each === page) await expectAccessible(each);
    await each.getByLabel('Code').fill(await app.code());
    if (each === plain) await each.getByRole('button', { name: 'Continue' }).click();
    await expect(each).toHaveURL(`${florin}/dashboard/account`);
  }
  await context.close();
});

test('a forgotten password is replaced by a link', async ({ page, florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  const before = await tokenFor(florin, own.name);
  await open(page, `${florin}/dashboard/sign-in`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset password');
  await page.waitForLoadState('networkidle');
  await expectAccessible(page);
  await page.getByLabel('Email').fill(own.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/we have sent a link/)).toBeVisible();
  await expect.poll(() => tokenFor(florin, own.name)).not.toBe(before);
  await open(page, `${florin}/dashboard/sign-in/new-password/${await tokenFor(florin, own.name)}`);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'New password' }).fill('a sentence that is new, 1930');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Your password is changed/)).toBeVisible();
});

test('users are invited and changed, and the audit log shows it', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  const owner = await createUser(florin, 'merchant_owner', merchantIds.demo, 'manager');
  const other = await createUser(florin, 'viewer', merchantIds.demo, 'manager');
  await addCookies(page.context(), florin, owner.visitor);
  await open(page, `${florin}/dashboard/people`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByLabel('Name').fill('Nora New');
  const email = `nora-${other.id.slice(-8)}@people.test`;
  await page.getByLabel('Email').fill(email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(email)).toBeVisible();

  await page.getByLabel('Search users').fill(other.email);
  const row = page.getByRole('row').filter({ hasText: other.email });
  await row.hover();
  await row.getByRole('button', { name: `Actions for ${other.name}` }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Operator' }).check();
  await page.getByRole('button', { name: 'Change role' }).click();
  await expect(row).toContainText('Operator');

  await open(page, `${florin}/dashboard/audit-log?q=${encodeURIComponent(other.name)}`);
  await page.getByRole('button', { name: `Details of Changed the role of ${other.name} to operator` }).click();
  await expect(page.getByRole('row', { name: 'Role viewer operator' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Verify chain' })).toHaveCount(0);
  await expectAccessible(page);

  await signInBrowser(page.context(), florin, 'administrator');
  await open(page, `${florin}/dashboard/audit-log?q=${encodeURIComponent(other.name)}`);
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText('The chain is intact')).toBeVisible();
  await expectAccessible(page);
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFits(page);
  }
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('a user who proves their identity too often reads at the field how long to wait', async ({ page, florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const server = await startKillableServer({ RATE_LIMITS: 'all=1000000 proof.user=1' });
  try {
    await addCookies(page.context(), server.url, own.visitor);
    await open(page, `${server.url}/dashboard/account`);
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(userPassword);
    await dialog.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Enter at least 12 characters.')).toBeVisible();
    await dialog.getByLabel('New password').fill('another sentence, 1930');
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Current password')).toHaveAccessibleDescription(
      /Too many requests\. Wait \d+ seconds and try again\./,
    );
  } finally {
    await server.kill();
  }
});
