// The element <florin-card> on a merchant's page of another origin, pinned and under a strict policy: a payment, its part
// in a form, shadow trees, and labels in the payer's language.
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessible.ts';
import { pageOrigin, payFromPage, withoutRandomParts } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import type { Merchant } from '../support/merchant.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const script = `
const card = document.querySelector('florin-card') ?? document.querySelector('x-shop').shadowRoot.querySelector('florin-card');
window.card = card;
window.heard = [];
for (const name of ['ready', 'change', 'complete', 'agreement', 'error'])
  card.addEventListener(name, ({ detail }) => heard.push([name, detail]));
document.querySelector('form')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { result, message } = await card.submit();
  document.querySelector('output').textContent = result + ': ' + message;
});`;

const inShadow = (element: string) => `
customElements.define('x-shop', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(element)}; }
});`;

/** Opens a page whose policy allows only Florin and the page's own scripts. `element` may name TOKEN. */
async function openElement(page: Page, florin: string, shop: Merchant, element: string, { shadow = false } = {}) {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const manifest = await (await fetch(`${florin}/sdk/manifest.json`)).json();
  const { file, integrity } = manifest['florin-card.js'];
  const tag = element.replace('TOKEN', token);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const content = shadow ? '<x-shop></x-shop>' : `<form id="form">${tag}<button>Pay</button></form>`;
  const body = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Checkout</h1>${content}<output></output></main>
<script src="${florin}/sdk/${file}" integrity="${integrity}" crossorigin="anonymous"></script><script src="/page.js"></script>`;
  const policy = `default-src 'none'; script-src ${florin} 'self'; frame-src ${florin}; connect-src ${florin}`;
  await page.route(`${pageOrigin}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: (shadow ? inShadow(tag) : '') + script })
      : route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': policy },
          body,
        }),
  );
  await page.goto(`${pageOrigin}/checkout`);
  const heard = async () => (await inPage(page, 'return JSON.stringify(heard)')) as string;
  return { token, order, errors, heard };
}

/** Evaluates code with `card`, the element, and returns its result. */
const inPage = (page: Page, code: string) => page.evaluate(`(async () => { ${code} })()`);

const frameOf = (page: Page, slot = 'line') => page.frameLocator(`florin-card [slot=${slot}] iframe`);

const whole = '41111111111111110138737';

test('pays in one line, and reports everything to the page but the digits', async ({ page, florin, shop }) => {
  const element = '<florin-card token="TOKEN" name="card" label="Your card" locale="en"></florin-card>';
  const { token, order, errors, heard } = await openElement(page, florin, shop, element);
  await expect.poll(heard).toContain('["ready",{"labels":{"card":"Card number"');
  await page.getByText('Your card').click();
  await expect(frameOf(page).locator('#card')).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.type(whole, { delay: 5 });
  await expect(frameOf(page).locator('#cvv')).toHaveValue('737');
  await expect.poll(heard).toContain('["complete",null]');
  await page.keyboard.press('Enter');
  await expect(page.locator('output')).toContainText('success:');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(await heard()).toContain('"field":"card","valid":true,"empty":false,"brand":"visa","complete":false}]');
  const visible = withoutRandomParts((await heard()) + (await page.content()), florin, token);
  for (const digits of ['4111', '737', '0138', '01 / 38']) expect(visible, digits).not.toContain(digits);
  expect(errors).toEqual([]);
});

test('is a part of its form: validity, focus, value, reset and disabled', async ({ page, florin, shop }) => {
  const element = '<florin-card id="it" token="TOKEN" name="card" locale="de"></florin-card>';
  const { heard } = await openElement(page, florin, shop, element);
  await expect.poll(heard).toContain('"ready"');
  const value = () => inPage(page, "return new FormData(form).get('card')");
  expect(await inPage(page, 'return [form.checkValidity(), card.form === form, card.validity.valueMissing]')).toEqual([
    false,
    true,
    true,
  ]);
  // A check alone neither shows a fault nor moves the focus; a submit does both.
  await expect(page.locator('florin-card .fault')).toBeEmpty();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('florin-card .fault')).toHaveText('Bitte Kartennummer eingeben.');
  await expect(frameOf(page).locator('#card')).toBeFocused();
  expect(await inPage(page, 'return card.validationMessage')).toBe('Bitte Kartennummer eingeben.');
  await expect(page.locator('output')).toBeEmpty();
  await page.keyboard.type(whole, { delay: 5 });
  await expect.poll(() => inPage(page, 'return [form.checkValidity(), card.complete]')).toEqual([true, true]);
  expect(await value()).toBeNull();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('output')).toContainText('success:');
  expect(await value()).toBe('collected');
  await frameOf(page).locator('#cvv').press('End');
  await page.keyboard.press('Backspace');
  await expect.poll(value).toBeNull();
  await inPage(page, 'form.reset()');
  await expect(frameOf(page).locator('#card')).toHaveValue('');
  await inPage(page, 'card.disabled = true');
  await expect(page.locator('florin-card [slot]')).toHaveAttribute('inert');
  expect(await inPage(page, 'return form.checkValidity()')).toBe(true);
});

test('works in a shadow tree in one line; separate fields say that they do not', async ({ page, florin, shop }) => {
  const { token, heard } = await openElement(page, florin, shop, '<florin-card token="TOKEN"></florin-card>', {
    shadow: true,
  });
  await expect.poll(heard).toContain('"ready"');
  await inPage(page, 'card.focusField()');
  await page.keyboard.type(whole, { delay: 5 });
  await expect.poll(heard).toContain('"complete"');
  expect(await inPage(page, 'return (await card.submit()).result')).toBe('success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await inPage(page, "card.mode = 'separate'");
  await expect.poll(heard).toContain('In a shadow tree, use the mode line without agreement');
});

test('separate fields have labels in the language of the payer', async ({ page, florin, shop }) => {
  const element = '<florin-card token="TOKEN" mode="separate" locale="ar" theme="dark"></florin-card>';
  const { token, order, heard, errors } = await openElement(page, florin, shop, element);
  await inPage(page, "Object.assign(document.body.style, { background: '#111', color: '#eee' })");
  await expect.poll(heard).toContain('"ready"');
  await expect(page.locator('florin-card .label')).toHaveText(['رقم البطاقة', 'تاريخ الانتهاء', 'رمز الأمان']);
  await expect(frameOf(page, 'card').locator('#field')).toHaveCSS('color', 'rgb(242, 239, 233)');
  // Frames are transparent; axe takes their background for white.
  expect(await violationsOf(page, { disabled: ['color-contrast'] })).toEqual([]);
  for (const [slot, text] of Object.entries({ card: '4111111111111111', expiry: '0120', cvv: '123' }))
    await frameOf(page, slot).locator('#field').pressSequentially(text);
  await expect(page.locator('florin-card .field.expiry .fault')).not.toBeEmpty();
  await frameOf(page, 'expiry').locator('#field').fill('01 / 38');
  await expect(page.locator('florin-card .field.expiry .fault')).toBeEmpty();
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('output')).toContainText('success:');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(errors).toEqual([]);
});

test('follows its attributes and properties, and leaves nothing behind', async ({ page, florin, shop }) => {
  const { heard, token } = await openElement(page, florin, shop, '<florin-card></florin-card>');
  await expect(page.locator('florin-card iframe')).toHaveCount(0);
  expect(await inPage(page, 'return (await card.submit()).code')).toBe('setup');
  await inPage(page, `card.token = ${JSON.stringify(token)}; card.locale = 'fr';`);
  await expect(frameOf(page).locator('html')).toHaveAttribute('lang', 'fr');
  await expect.poll(heard).toContain('"ready"');
  await inPage(page, "card.fieldStyle = { input: { fontSize: '21px' } }");
  await expect(frameOf(page).locator('#card')).toHaveCSS('font-size', '21px');
  await inPage(page, "card.theme = 'dark'");
  await expect(frameOf(page).locator('#card')).toHaveCSS('color', 'rgb(242, 239, 233)');
  await expect(frameOf(page).locator('#card')).toHaveCSS('font-size', '21px');
  await inPage(page, "card.mode = 'separate'");
  await expect(page.locator('florin-card iframe')).toHaveCount(3);
  await inPage(page, 'card.remove()');
  await expect(page.locator('iframe')).toHaveCount(0);
  await inPage(page, 'form.prepend(card)');
  await expect(page.locator('florin-card iframe')).toHaveCount(3);
});

test('shows what the payer agrees to, in the colour of the page, also around a box of another theme', async ({
  page,
  florin,
  as,
}) => {
  const element = '<florin-card token="TOKEN" theme="dark" locale="en" agreement></florin-card>';
  const { heard } = await openElement(page, florin, as('savedCards'), element);
  await expect.poll(heard).toContain('"ready"');
  const words = frameOf(page, 'agreement');
  await expect(words.getByRole('checkbox', { name: 'Save this card for my next order' })).toBeVisible();
  await expect(words.locator('.words')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(frameOf(page).locator('#card')).toHaveCSS('color', 'rgb(242, 239, 233)');
  await expect(page.locator('florin-card .label')).toBeHidden();
  await words.getByRole('checkbox').check();
  await expect.poll(heard).toContain('["agreement",{"shown":true,"saves":true}]');
});
