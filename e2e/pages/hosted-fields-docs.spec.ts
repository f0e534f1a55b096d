// The page of docs/templates/guide/hosted-fields.md, copied as it is written: it pays, is sent to the bank, and says what is wrong; also
// under the policy that the same page names.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { pageOrigin } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const text = readFileSync('docs/templates/guide/hosted-fields.md', 'utf8');

function block(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (!block) throw new Error(`no block of ${language}`);
  return block;
}

async function open(page: Page, florin: string, token: string): Promise<string[]> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const [, policy = ''] = /^Content-Security-Policy: (.*)$/m.exec(block('http')) ?? [];
  // The example inlines the script and style that a merchant would serve as files.
  const own = policy.replace('script-src', "style-src 'unsafe-inline'; script-src 'unsafe-inline'");
  await page.route(`${pageOrigin}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': `default-src 'none'; ${own}`.replaceAll('{{checkout}}', florin) },
      body: block('html').replaceAll('{{checkout}}', florin).replace('TOKEN', token),
    }),
  );
  await page.goto(`${pageOrigin}/checkout`);
  return errors;
}

const field = (page: Page, name: string) => page.frameLocator(`#${name} iframe`).getByRole('textbox');

async function type(page: Page, expiry: string): Promise<void> {
  await field(page, 'card').pressSequentially('4111111111111111');
  await field(page, 'expiry').pressSequentially(expiry);
  await field(page, 'cvv').pressSequentially('123');
  await page.getByLabel('Name on card').fill('Ana Petrovic');
}

test('the example pays and returns with the signed query', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const errors = await open(page, florin, token);
  await type(page, '0138');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(`${pageOrigin}/back?*`);
  expect(new URL(page.url()).searchParams.get('order_id')).toBe(order.number);
  expect(errors).toEqual([]);
  await expectCallbacks(shop, order, ['success sale settled']);
});

test('the example reports a field error, then redirects the payer to the bank', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  await open(page, florin, token);
  await field(page, 'card').pressSequentially('4111111111111112');
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.getByRole('alert').first()).toHaveText(/card number/);
  await field(page, 'card').fill('');
  await type(page, '0538');
  await field(page, 'cvv').press('Enter');
  // The shop's address is not served: the browser's request for it is the expected result.
  const returning = page.waitForRequest((request) => request.url().startsWith(`${pageOrigin}/back?`));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await returning;
  await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
});
