// Hosted fields in one line: a payment without a key for moving on, the way back, errors by field, and narrow pages.
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessible.ts';
import { openFields, pageOrigin, payFromPage, submitFields } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import type { Merchant } from '../support/merchant.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

async function openLine(page: Page, florin: string, shop: Merchant, language = 'en') {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token, { fields: ['line'], language });
  const line = page.frameLocator('#line iframe');
  const [card, expiry, cvv] = ['#card', '#expiry', '#cvv'].map((id) => line.locator(id)) as [
    ReturnType<typeof line.locator>,
    ReturnType<typeof line.locator>,
    ReturnType<typeof line.locator>,
  ];
  return { ...fields, token, order, line, card, expiry, cvv };
}

test('pays from one line, typed without another key, and the page never gets a digit', async ({
  page,
  florin,
  shop,
}) => {
  const { token, order, card, expiry, cvv, line, heard } = await openLine(page, florin, shop);
  await expect(page.locator('iframe')).toHaveCount(1);
  await card.click();
  await page.keyboard.type('41111111111111110138737', { delay: 5 });
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await expect(expiry).toHaveValue('01 / 38');
  await expect(cvv).toHaveValue('737');
  await expect(line.getByRole('img', { name: 'Visa' })).toBeVisible();
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
  const messages = await heard();
  for (const field of ['card', 'expiry', 'cvv'])
    expect(messages).toMatch(new RegExp(`"on","change",\\{"field":"${field}","valid":true,"empty":false`));
  expect(messages).toContain('["cardOn","input"');
  expect(messages).toContain('["cvvOn","focus"');
  for (const digits of ['4111', '1111', '737', '01 / 38', '0138']) expect(messages, digits).not.toContain(digits);
});

test('Backspace at the beginning of a field goes back without deleting', async ({ page, florin, shop }) => {
  const { card, expiry, cvv } = await openLine(page, florin, shop);
  await card.click();
  await page.keyboard.type('41111111111111110138', { delay: 5 });
  await expect(cvv).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(expiry).toBeFocused();
  await expect(expiry).toHaveValue('01 / 38');
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await expect(card).toBeFocused();
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await page.keyboard.press('Backspace');
  await expect(card).toHaveValue('4111 1111 1111 111');
});

test('a pasted number moves on; an invalid one stays and is reported when it is left', async ({
  page,
  florin,
  shop,
}) => {
  const { card, expiry, heard } = await openLine(page, florin, shop);
  const paste = (text: string) => page.keyboard.insertText(text);
  await card.click();
  await paste('4111-1111-1111-1112');
  await expect(card).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(expiry).toBeFocused();
  await expect(card).toHaveAttribute('aria-invalid', 'true');
  await expect.poll(heard).toContain('"type":"validation"');
  await card.fill('');
  await card.focus();
  await paste('4111 1111 1111 1111');
  await expect(expiry).toBeFocused();
  await expect(card).not.toHaveAttribute('aria-invalid');
});

test('a submit names the fault of each field', async ({ page, florin, shop }) => {
  const { card, expiry, cvv, heard } = await openLine(page, florin, shop, 'de');
  await card.fill('4111 1111 1111 1111');
  await expiry.fill('01 / 20');
  expect(await submitFields(page, 'error')).toMatch(/abgelaufen/);
  await expect(card).not.toHaveAttribute('aria-invalid');
  for (const field of [expiry, cvv]) await expect(field).toHaveAttribute('aria-invalid', 'true');
  const codes = [...(await heard()).matchAll(/"code":"(card_\w+\.\w+)"/g)].map(([, code]) => code);
  expect(new Set(codes)).toEqual(new Set(['card_expiry.past', 'card_cvv.empty']));
});

test('focus, clear and setStyle reach the fields of the line', async ({ page, florin, shop }) => {
  const { card, expiry, cvv } = await openLine(page, florin, shop);
  await expect(card).toHaveCSS('color', 'rgb(18, 52, 86)');
  const call = (code: string) => page.evaluate(code);
  await call("hf.focus('cvv')");
  await expect(cvv).toBeFocused();
  await call('hf.focus()');
  await expect(card).toBeFocused();
  await page.keyboard.type('41111111111111110138123', { delay: 5 });
  await call("hf.clear('expiry')");
  await expect(expiry).toHaveValue('');
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await call('hf.clear()');
  for (const field of [card, expiry, cvv]) await expect(field).toHaveValue('');
  await call("hf.setStyle({ input: { color: 'rgb(1, 2, 3)', padding: '0 20px' } })");
  await expect(expiry).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(expiry).toHaveCSS('padding-left', '0px');
});

test('a line is mounted alone', async ({ page, florin, shop }) => {
  await openLine(page, florin, shop);
  const message = await page.evaluate(
    `try { new HostedFields().init({ sessionToken: 'x', fields: { line: { id: 'line' }, cvv: { id: 'pay' } } }) } catch (error) { String(error) }`,
  );
  expect(message).toBe('TypeError: fields.line contains the other fields');
});

for (const language of ['en', 'de', 'ar']) {
  test(`at 320 pixels the number is shown by its last four digits (${language})`, async ({ page, florin, shop }) => {
    await page.setViewportSize({ width: 320, height: 600 });
    const { line, card, expiry, cvv } = await openLine(page, florin, shop, language);
    await expect(line.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
    expect(await violationsOf(page)).toEqual([]);
    await card.click();
    await page.keyboard.type('41111111111111110138123', { delay: 5 });
    await expect(line.locator('.last')).toHaveText('1111');
    await expect(line.locator('.last')).toBeVisible();
    // Number, date and code are in this order from left to right, all of them inside the frame.
    const [last, date, code] = await Promise.all(
      [line.locator('.last'), expiry, cvv].map((part) => part.boundingBox()),
    );
    expect(last && date && code && last.x + last.width <= date.x && date.x + date.width <= code.x).toBe(true);
    expect((code?.x ?? 0) + (code?.width ?? 0)).toBeLessThanOrEqual(320);
    expect(await violationsOf(page)).toEqual([]);
    await card.focus();
    await expect(line.locator('.last')).toBeHidden();
    await expect(card).toHaveValue('4111 1111 1111 1111');
  });
}

test('its fields have the labels of the language and the names that browsers fill in', async ({ florin }) => {
  const html = await (await fetch(`${florin}/fields/line?lang=ar`)).text();
  for (const label of ['رقم البطاقة', 'تاريخ الانتهاء', 'رمز الأمان']) expect(html).toContain(`aria-label="${label}"`);
  for (const name of ['cc-number', 'cc-exp', 'cc-csc']) expect(html).toContain(`autocomplete="${name}"`);
});

test('a press beside the inputs is one on the number', async ({ page, florin, shop }) => {
  const { card, line } = await openLine(page, florin, shop);
  await line.locator('.mark').click();
  await expect(card).toBeFocused();
});

test('a value that a browser sets without the event input is heard', async ({ page, florin, shop }) => {
  const { card, line, heard } = await openLine(page, florin, shop);
  await card.evaluate((input: HTMLInputElement) => {
    input.value = '4111111111111111';
    input.dispatchEvent(new Event('change'));
  });
  await expect(line.getByRole('img', { name: 'Visa' })).toBeVisible();
  await expect(card).toHaveValue('4111 1111 1111 1111');
  await expect.poll(heard).toContain('"field":"card","valid":true');
});
