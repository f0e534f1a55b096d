// Tests a complete story: an account manager signs in with a second factor and sets up a merchant in the browser, the
// merchant's server takes a payment, and an operator of the merchant refunds it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { cardMerchant } from '../support/card-merchant.ts';
import { visitorAs } from '../support/dashboard.ts';
import { mappingPages } from '../support/dashboard-pages/mappings.ts';
import { merchantPages } from '../support/dashboard-pages/merchants.ts';
import { routingPages } from '../support/dashboard-pages/routing.ts';
import { walletPages } from '../support/dashboard-pages/wallets.ts';
import { watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';
import type { authenticator } from '../support/totp.ts';
import { createUser, enrol, userPassword } from '../support/users.ts';
import { appleToken } from '../support/wallets.ts';

const identifier = 'merchant.test.florin';

/** Signs in with e-mail, password and, if there is an app, its code. */
async function signIn(page: Page, email: string, app?: ReturnType<typeof authenticator>): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/dashboard/sign-in');
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.keyboard.press('Enter');
  if (app) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter the code');
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Code').fill(await app.code());
  }
  await page.waitForURL(/\/dashboard(\/payments)?$/);
}

test('a merchant is set up and paid, and its payment is refunded', async ({ page, florin, shopServer, provider }) => {
  test.slow();
  const { faults } = await watch(page, florin);
  const manager = await createUser(florin, 'account_manager');
  const { app } = await enrol(manager.visitor);
  await signIn(page, manager.email, app);

  const name = `Story ${randomBytes(4).toString('hex')}`;
  const merchants = merchantPages(page);
  const { id, credentials } = await merchants.create(name);
  const usual = await merchants.createMid(id, { name: 'Acquira', methods: ['applepay'] });
  await merchants.createMid(id, { name: 'Baltpay' });
  expect(usual).toMatch(/^[0-9a-f-]{36}$/);

  const mappings = mappingPages(page);
  await mappings.open(name, 's2s_card');
  await mappings.useSha256();

  const wallets = walletPages(page);
  await wallets.open(id);
  await wallets.create('applepay', { 'Merchant identifier': identifier, 'Shop name': 'Orme Ceramics' });
  await wallets.certify('identity', identifier);
  await wallets.switchOn('applepay');

  const routing = routingPages(page);
  await routing.open(name, 's2s_card');
  await routing.add({ name: 'Large', currencies: ['EUR'], amountFrom: '1000.00', targets: [['Baltpay', '1']] });
  await routing.runDry();
  await routing.publish();

  // The merchant's server signs with SHA-256 only, and the rule routes large amounts.
  const byMd5 = cardMerchant(florin, credentials, shopServer);
  expect((await byMd5.charge('SALE')).body.error_message).toBe('Hash is not valid');
  const shop = cardMerchant(florin, { ...credentials, digest: 'sha256' }, shopServer);
  const sold = await shop.sell({ order_amount: '1200.00' });
  expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  const administrator = await visitorAs(florin, 'administrator');
  const { rows } = (await administrator.get(`/payments?q=${sold.orderId}`)).body;
  const seen = JSON.stringify((await administrator.get(`/payments/${rows[0].id}`)).body);
  expect(seen).toContain('rule: Large');
  expect(seen).toContain('Baltpay');
  // Without the wallet's private key the token is passed to the provider encrypted, which this protocol does not
  // support.
  const wallet = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined, card_cvv2: undefined };
  const byWallet = await shop.charge('SALE', { ...wallet, digital_wallet: 'applepay', payment_token: appleToken() });
  expect(byWallet.body).toMatchObject({ error_code: 204004 });

  // An operator of the merchant works with payments.
  const operator = await createUser(florin, 'operator', id);
  await signIn(page, operator.email);
  await page.goto('/dashboard/payments');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill(sold.orderId);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=/);
  await expect(page.getByRole('table', { name: 'Payments' }).locator('tbody tr')).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export 1 as CSV' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain(sold.orderId);
  await page.getByRole('link', { name: sold.orderId }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1,200.00 EUR');
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('200.00');
  await dialog.getByRole('button', { name: 'Refund 200.00 EUR' }).click();
  await expect(page.getByRole('heading', { name: 'Refund approved' })).toBeVisible();
  expect(await provider.moved(sold.orderId)).toEqual(['sale 1200.00', 'refund 200.00']);
  const before = shopServer.arrived(sold.orderId).length;
  await page.getByRole('button', { name: 'Resend callback' }).first().click();
  await expect.poll(() => shopServer.arrived(sold.orderId).length).toBeGreaterThan(before);
  // Pages without permission get 404.
  await page.goto(`/dashboard/merchants/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(name);
  expect(faults.filter((error) => !/status of 404/.test(error))).toEqual([]);
});
