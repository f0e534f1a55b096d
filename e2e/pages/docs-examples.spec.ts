// The examples of the documentation: the commands work, the language is chosen once, and a signed-in reader gets their
// own key.
import type { Page } from '@playwright/test';
import { signApm } from '../support/apm-signatures.ts';
import { signInBrowser } from '../support/dashboard.ts';
import { demo, merchants } from '../support/merchants.ts';
import { expectAccessible } from '../support/page-objects.ts';
import { fragmentOf, signCard, signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

test('the command of the first payment opens a session, and its hash matches the contract', async ({
  page,
  request,
}) => {
  for (const address of ['/docs/guide/quickstart', '/']) {
    await page.goto(address);
    const command = (await page.locator('pre', { hasText: 'curl' }).first().textContent()) ?? '';
    const [, url = ''] = /curl -s (\S+)/.exec(command) ?? [];
    const body = JSON.parse(command.slice(command.indexOf("'{") + 1, command.lastIndexOf("'")));
    expect(body.hash).toBe(signOrder(body.order, demo));
    const answer = await request.post(url, { data: body });
    expect(answer.status()).toBe(200);
    const { redirect_url } = await answer.json();
    expect((await request.get(redirect_url)).status()).toBe(200);
  }
});

/** The command of a page as the form that it posts. */
async function commandOf(page: Page, address: string): Promise<{ url: string; form: { [name: string]: string } }> {
  await page.goto(address);
  const command = (await page.locator('pre', { hasText: 'curl' }).first().textContent()) ?? '';
  const [, url = ''] = /curl -s (\S+)/.exec(command) ?? [];
  return {
    url,
    form: Object.fromEntries([...command.matchAll(/-d (\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  };
}

test('the S2S CARD command makes a sale, and its hash matches the contract', async ({ page, request }) => {
  const { url, form } = await commandOf(page, '/docs/guide/s2s-card');
  expect(form.hash).toBe(signCard(1, { email: form.payer_email, card: fragmentOf(form.card_number ?? '') }, demo));
  const answer = await request.post(url, { form });
  expect(await answer.json()).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('the S2S APM command makes a sale, and its hash matches the contract', async ({ page, request }) => {
  const { url, form } = await commandOf(page, '/docs/guide/s2s-apm');
  const { identifier, order_id: orderId, order_amount: amount, order_currency: currency } = form;
  expect(form.hash).toBe(signApm('sale', { identifier, orderId, amount, currency }, demo));
  const answer = await request.post(url, { form });
  expect(await answer.json()).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('the language of an example is chosen once for all pages', async ({ page }) => {
  await page.goto('/docs/guide/hosted-checkout');
  const first = page.getByRole('group', { name: /Language of the example/ }).first();
  await expect(first.locator('pre:visible')).toContainText('curl');
  await first.getByRole('radio', { name: 'PHP' }).check();
  await expect(first.locator('pre:visible')).toContainText('<?php');
  await page.goto('/docs/guide/s2s-apm');
  const other = page.getByRole('group', { name: /Language of the example/ }).last();
  await expect(other.getByRole('radio', { name: 'PHP' })).toBeChecked();
  await expect(other.locator('pre:visible')).toContainText('<?php');
});

test('a signed-in user reads their own sandbox key, without its password', async ({ browser, florin, page }) => {
  const context = await browser.newContext();
  await signInBrowser(context, florin, 'operator');
  const own = await context.newPage();
  const answer = await own.goto(`${florin}/dashboard/docs/guide/quickstart`);
  expect(answer?.headers()['cache-control']).toContain('no-store');
  const text = (await own.getByRole('article').textContent()) ?? '';
  expect(text).toContain(merchants.plain.key);
  expect(text).not.toContain(demo.key);
  expect(text).not.toContain(merchants.plain.password);
  expect(text).toContain('YOUR-PASSWORD');
  await expectAccessible(own);
  // The next page also contains the user's key.
  await own.getByRole('navigation', { name: 'Previous and next' }).getByRole('link', { name: 'Next' }).click();
  await own.waitForURL('**/dashboard/docs/guide/hosted-checkout');
  await expect(own.getByRole('article')).toContainText(merchants.plain.key);
  await own.getByRole('combobox', { name: 'Search the documentation' }).fill('webhook-signature');
  await expect(own.getByRole('option').first()).toContainText('Callbacks');
  await own.getByRole('combobox', { name: 'Search the documentation' }).press('Enter');
  await own.waitForURL('**/dashboard/docs/guide/callbacks#webhook-signature');
  // Examples are signed for an owner; the demo merchant's password is public.
  await context.clearCookies();
  await signInBrowser(context, florin, 'merchant');
  await own.goto(`${florin}/dashboard/docs/guide/quickstart`);
  await expect(own.getByText('Florin Demo Shop')).toBeVisible();
  await expect(own.getByRole('article')).toContainText(demo.password);
  await context.close();
  // Without sign-in the page redirects to the public one.
  await page.goto('/dashboard/docs/guide/quickstart');
  await page.waitForURL('**/docs/guide/quickstart');
  await expect(page.getByRole('article')).toContainText(demo.key);
  await expect(page.getByText('The examples contain the sandbox key')).toHaveCount(0);
});
