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
async function openElement(
  page: Page,
  florin: string,
  shop: Merchant,
  element: string,
  { shadow = false, changes = {} } = {},
) {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back`, ...changes });
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

for (const mode of ['line', 'separate']) {
  test(`the Tab key goes through the fields and on, in both directions (${mode})`, async ({ page, florin, shop }) => {
    const element = `<input id="before"><florin-card token="TOKEN" mode="${mode}" locale="en"></florin-card>`;
    const { heard } = await openElement(page, florin, shop, element);
    await expect.poll(heard).toContain('"ready"');
    const isLine = mode === 'line';
    const fields = ['card', 'expiry', 'cvv'].map((name) =>
      isLine ? frameOf(page).locator(`#${name}`) : frameOf(page, name).locator('#field'),
    );
    const order = [page.locator('#before'), ...fields, page.getByRole('button', { name: 'Pay' })];
    await page.locator('#before').focus();
    for (const next of order.slice(1)) {
      await page.keyboard.press('Tab');
      await expect(next).toBeFocused();
    }
    for (const previous of order.slice(0, -1).reverse()) {
      await page.keyboard.press('Shift+Tab');
      await expect(previous).toBeFocused();
    }
  });
}

test('changes only what another attribute or property needs', async ({ page, florin, shop }) => {
  const { heard, token } = await openElement(page, florin, shop, '<florin-card token="TOKEN"></florin-card>');
  await expect.poll(heard).toContain('"ready"');
  const group = frameOf(page).getByRole('group');
  const ownName = (await group.getAttribute('aria-label')) ?? '';
  await frameOf(page).locator('#card').pressSequentially('4111');
  await inPage(page, `card.setAttribute('token', ${JSON.stringify(token)}); card.label = 'Your card';`);
  await expect(page.locator('florin-card .label')).toHaveText('Your card');
  await expect(group).toHaveAttribute('aria-label', 'Your card');
  await expect(page.locator('florin-card iframe')).toHaveAttribute('title', 'Your card');
  await inPage(page, "card.removeAttribute('label')");
  await expect(page.locator('florin-card .label')).toBeHidden();
  await expect(group).toHaveAttribute('aria-label', ownName);
  expect(await inPage(page, 'return card.label')).toBe('');
  await expect(frameOf(page).locator('#card')).toHaveValue('4111');
});

test('the Enter key in an incomplete card goes to the field that is wrong', async ({ page, florin, shop }) => {
  const { heard } = await openElement(page, florin, shop, '<florin-card token="TOKEN" locale="en"></florin-card>');
  await expect.poll(heard).toContain('"ready"');
  await frameOf(page).locator('#cvv').press('Enter');
  await expect(frameOf(page).locator('#card')).toBeFocused();
  await expect(page.locator('florin-card .fault')).toHaveText('Enter your card number.');
});

test('takes the properties that were set before its script', async ({ page, florin, shop }) => {
  const { heard, token } = await openElement(page, florin, shop, '<florin-card></florin-card>');
  // An element of another document is not yet defined, as before the script.
  await inPage(
    page,
    `const early = document.implementation.createHTMLDocument().createElement('florin-card');
    Object.assign(early, { token: ${JSON.stringify(token)}, label: 'Your card' });
    card.replaceWith(early);`,
  );
  await expect(frameOf(page).getByRole('group')).toHaveAttribute('aria-label', 'Your card');
  expect(await inPage(page, "return document.querySelector('florin-card').getAttribute('token')")).toBe(token);
  expect(await heard()).not.toContain('"error"');
});

test('a disabled card has no focus and is not submitted', async ({ page, florin, shop }) => {
  const { heard } = await openElement(page, florin, shop, '<florin-card token="TOKEN"></florin-card>');
  await expect.poll(heard).toContain('"ready"');
  await frameOf(page).locator('#card').click();
  await page.keyboard.type(whole, { delay: 5 });
  await expect.poll(heard).toContain('["complete",null]');
  await inPage(page, 'card.disabled = true');
  await expect.poll(() => inPage(page, 'return document.activeElement.localName')).toBe('body');
  await expect(page.locator('florin-card .box')).not.toHaveAttribute('data-focused');
  expect(await inPage(page, 'return (await card.submit()).code')).toBe('setup');
  await inPage(page, 'card.disabled = false');
  expect(await inPage(page, 'return (await card.submit()).result')).toBe('success');
});

test('a consent that is missing is a fault of the agreement, and has the focus; a reset unticks it', async ({
  page,
  florin,
  shop,
}) => {
  const element = '<florin-card token="TOKEN" locale="en" agreement></florin-card>';
  const changes = { recurring_init: true, recurring_consent_required: true };
  const { heard } = await openElement(page, florin, shop, element, { changes });
  const box = frameOf(page, 'agreement').getByRole('checkbox');
  await expect(box).toBeVisible();
  await frameOf(page).locator('#card').click();
  await page.keyboard.type(whole, { delay: 5 });
  await expect.poll(heard).toContain('["complete",null]');
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('output')).toHaveText('error: Check this box to continue.');
  await expect(box).toBeFocused();
  expect(await heard()).toContain('"faults":[{"field":"agreement","code":"consent.empty"');
  await box.check();
  await inPage(page, 'form.reset()');
  await expect(box).not.toBeChecked();
  await expect(frameOf(page).locator('#card')).toHaveValue('');
});

test('works in a shadow tree in one line; separate fields say that they do not', async ({ page, florin, shop }) => {
  const { token, heard } = await openElement(page, florin, shop, '<florin-card token="TOKEN"></florin-card>', {
    shadow: true,
  });
  await expect.poll(heard).toContain('"ready"');
  await inPage(page, 'card.focusField()');
  await page.keyboard.type(whole, { delay: 5 });
  await expect.poll(heard).toContain('["complete",null]');
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
