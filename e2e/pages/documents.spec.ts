// Fields that are formatted while they are typed: national documents with their names, masks and errors, and undo in
// them and in the card's fields. Then the code of Pix, whose first way depends on the width.
import type { Page } from '@playwright/test';
import { openFields, pageOrigin } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import type { Changes } from '../support/merchant.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

const sessionOf = (method: string, language: string, changes: Changes = {}): Changes => ({
  methods: [method],
  customer: { name: 'Mia Lindqvist', email: 'mia@example.com' },
  ...changes,
  billing_address: { language, ...(changes.billing_address as object | undefined) },
});

const inReais = { order: { amount: '120.00', currency: 'BRL' } };

const narrow = { width: 390, height: 800 };
const wide = { width: 1280, height: 800 };

const documentField = (page: Page) => page.locator('input[data-document]');
const documentError = (page: Page) => page.locator('.field:has([data-document]) .below').first();
const submitOf = (page: Page) => page.locator('form[data-pay] button[type=submit]:visible');

for (const [name, viewport] of [
  ['wide', wide],
  ['narrow', narrow],
] as const) {
  test.describe(`at ${viewport.width} pixels`, () => {
    test.use({ viewport });

    test('a document is named, masked and corrected, and the code of Pix follows', async ({
      page,
      context,
      as,
      florin,
      shopServer,
    }) => {
      const { faults } = await watch(page, florin, [shopServer.url]);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const { url } = await as('methods').open(sessionOf('pix', 'en', inReais));
      await page.goto(url);
      const field = page.getByLabel('CPF or CNPJ');
      await expect(field).toHaveAttribute('autocapitalize', 'characters');
      await expect(documentError(page)).toHaveText('000.000.000-00 or 00.000.000/0000-00');

      await field.pressSequentially('52998224726');
      await expect(field).toHaveValue('529.982.247-26');
      await field.press('Tab');
      await expect(documentError(page)).toHaveText('Check the CPF: the check digits don’t match.');
      await expectAccessible(page);
      await field.press('End');
      await field.press('Backspace');
      await field.press('Tab');
      await expect(documentError(page)).toHaveText('Check the CPF or CNPJ: it must have 11 or 14 characters.');
      await field.fill('11222333000182');
      await expect(field).toHaveValue('11.222.333/0001-82');
      await field.press('Tab');
      await expect(documentError(page)).toHaveText('Check the CNPJ: the check digits don’t match.');
      await field.fill('');
      await submitOf(page).click();
      await expect(documentError(page)).toHaveText('Enter your CPF or CNPJ.');

      // A character is inserted where the caret is, which stays behind it.
      await field.pressSequentially('5299822472');
      for (let left = 0; left < 4; left += 1) await field.press('ArrowLeft');
      await field.press('Backspace');
      await field.press('2');
      await field.press('End');
      await field.press('5');
      await expect(field).toHaveValue('529.982.247-25');
      await expect(field).not.toHaveAttribute('aria-invalid');
      await submitOf(page).click();

      const code = page.locator('.plate svg');
      const copy = page.getByRole('button', { name: 'Copy code Pix Copia e Cola' });
      const save = page.getByRole('link', { name: 'Save code to this phone' });
      await expect(code).toBeVisible();
      const [codeAt, copyAt] = [await code.boundingBox(), await copy.boundingBox()];
      const background = await copy.evaluate((button) => getComputedStyle(button).backgroundColor);
      if (name === 'wide') {
        expect(codeAt?.y).toBeLessThan(copyAt?.y ?? 0);
        expect(background).toBe('rgba(0, 0, 0, 0)');
        await expect(save).toBeHidden();
      } else {
        expect(copyAt?.y).toBeLessThan(codeAt?.y ?? 0);
        expect(copyAt?.width).toBeGreaterThan(300);
        expect(background).not.toBe('rgba(0, 0, 0, 0)');
        await expect(save).toHaveClass('outlined');
      }
      await expectAccessible(page);
      await copy.click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^000201.*br\.gov\.bcb\.pix/i);
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(faults).toEqual([]);
    });
  });
}

test('documents of other countries have their own keyboards and errors', async ({ page, as }) => {
  const cases = [
    ['fairpay', 'CL', 'RUT', '123456785', '12.345.678-5', '12345678k', 'RUT: the check digits don’t match', 'text'],
    ['fairpay', 'BR', 'CPF', '52998224725', '529.982.247-25', '529982', 'CPF: it must have 11 digits', 'numeric'],
    ['bts-mxn', 'MX', 'CURP', 'hegg560427mvzrrl04', 'HEGG560427MVZRRL04', 'hegg', 'CURP: it must have 18', 'text'],
    ['bts-ars', 'AR', 'CUIL/CUIT', '20055361682', '20-05536168-2', '99055361682', 'look like 20-12345678-6', 'numeric'],
  ] as const;
  for (const [method, country, name, typed, masked, wrong, error, keyboard] of cases) {
    const { url } = await as('methods').open(sessionOf(method, 'en', { billing_address: { country } }));
    await page.goto(url);
    const field = page.getByLabel(name, { exact: true });
    expect(await field.evaluate((input: HTMLInputElement) => input.inputMode || 'text')).toBe(keyboard);
    await field.pressSequentially(wrong);
    await field.press('Tab');
    await expect(documentError(page)).toContainText(error);
    await field.fill('');
    await field.pressSequentially(typed);
    await expect(field).toHaveValue(masked);
  }
});

test('usual documents have their keyboards and masks, and a mistake in them is pointed out once', async ({
  page,
  as,
}) => {
  const cases = [
    ['dlocal', 'AR', 'DNI or CUIT', '20055361683', '20-05536168-3', 'CUIT: the check digits don’t match', 'numeric'],
    ['axxi-cash', 'PE', 'DNI or RUC', '20131312954', '20131312954', 'RUC: the check digits don’t match', 'numeric'],
    ['axxi-cash', 'CO', 'CC or NIT', '8909039389', '8909039389', 'NIT: the check digits don’t match', 'numeric'],
    ['payok-upi', 'IN', 'PAN', 'abcpe12345', 'ABCPE12345', 'PAN: it should look like ABCPE1234F', 'text'],
  ] as const;
  for (const [method, country, name, typed, masked, error, keyboard] of cases) {
    const { url } = await as('methods').open(sessionOf(method, 'en', { billing_address: { country } }));
    await page.goto(url);
    const field = page.getByLabel(name, { exact: true });
    expect(await field.evaluate((input: HTMLInputElement) => input.inputMode || 'text')).toBe(keyboard);
    await field.pressSequentially(typed);
    await expect(field).toHaveValue(masked);
    await field.press('Tab');
    await expect(field).not.toHaveAttribute('aria-invalid');
    await submitOf(page).click();
    await expect(documentError(page)).toContainText(error);
    await expect(field).toBeFocused();
    await expectAccessible(page);
    await submitOf(page).click();
    await expect(field).toBeHidden();
  }
});

test.describe('undo', () => {
  test('takes back and repeats what was typed into a formatted field', async ({ page, shop }) => {
    const { url } = await shop.open();
    await page.goto(url);
    const { number, expiry } = new PayPage(page);
    await number.pressSequentially('4111111111');
    await number.press('ArrowLeft');
    await number.press('5');
    await expect(number).toHaveValue('4111 1111 151');
    await number.press('Control+z');
    await expect(number).toHaveValue('4111 1111 11');
    await number.press('Control+z');
    await expect(number).toHaveValue('');
    await number.press('Control+z');
    await expect(number).toHaveValue('');
    await number.press('Control+y');
    await number.press('Control+Shift+z');
    await expect(number).toHaveValue('4111 1111 151');
    await number.press('ControlOrMeta+a');
    await number.press('Delete');
    await number.press('Control+z');
    await expect(number).toHaveValue('4111 1111 151');
    // What is typed after an undo replaces what could have been repeated.
    await number.press('End');
    await number.press('7');
    await number.press('Control+y');
    await expect(number).toHaveValue('4111 1111 1517');

    await expiry.pressSequentially('538');
    await expect(expiry).toHaveValue('05 / 38');
    await expiry.press('Backspace');
    await expect(expiry).toHaveValue('05 / 3');
    await expiry.press('Control+z');
    await expect(expiry).toHaveValue('05 / 38');
  });

  test('follows the browser’s own command, and an error disappears with it', async ({ page, as }) => {
    const { url } = await as('methods').open(sessionOf('pix', 'en', inReais));
    await page.goto(url);
    const field = documentField(page);
    await field.pressSequentially('52998224725');
    await field.press('Backspace');
    await field.press('Tab');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.evaluate((input) =>
      input.dispatchEvent(new InputEvent('beforeinput', { bubbles: true, cancelable: true, inputType: 'historyUndo' })),
    );
    await expect(field).toHaveValue('529.982.247-25');
    await expect(field).not.toHaveAttribute('aria-invalid');
  });

  test('does not bring back a code that the page has cleared', async ({ page, shop }) => {
    const { url } = await shop.open();
    await page.goto(url);
    const pay = new PayPage(page);
    await pay.payWith({ number: '4111 1111 1111 1111', expiry: '02/38', cvv: '123' });
    await expect(pay.alert).toBeVisible();
    await expect(pay.code).toHaveValue('');
    await pay.code.press('Control+z');
    await expect(pay.code).toHaveValue('');
  });

  test('works in a hosted field', async ({ page, florin, shop }) => {
    const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
    const { frames } = await openFields(page, florin, token);
    const number = frames.card.locator('#field');
    await number.pressSequentially('411111111');
    await number.press('Backspace');
    await number.press('Control+z');
    await expect(number).toHaveValue('4111 1111 1');
    await number.press('Control+z');
    await expect(number).toHaveValue('');
    await number.press('Control+y');
    await expect(number).toHaveValue('4111 1111 1');
  });
});
