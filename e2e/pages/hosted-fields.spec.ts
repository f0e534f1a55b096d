// Hosted fields on a merchant's page of another origin: a payment from the first digit to the callback, and that
// neither the page nor any other script that sends messages to the frames gets a digit.
import { violationsOf } from '../support/accessible.ts';
import {
  openFields,
  pageBody,
  pageOrigin,
  payFromPage,
  submitFields,
  typeCard,
} from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import { cards } from '../support/payer.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

test('pays from a page of another origin, which never gets a digit', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled, '737');
  await expect(fields.frames.card.locator('#field')).toHaveValue('4111 1111 1111 1111');
  await expect(fields.frames.expiry.locator('#field')).toHaveValue('01 / 38');
  await expect(fields.frames.card.locator('#field')).toHaveCSS('color', 'rgb(18, 52, 86)');
  await submitFields(page, 'success');
  const { status, body } = await payFromPage(page, florin, token);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ result: 'success', return_url_query_params: { order_id: order.number } });
  const { payment_id: id, hash } = body.return_url_query_params;
  expect(body.public_id).toBe(id);
  expect(hash).toBe(
    signCheckout([id, order.number, order.amount, order.currency, order.description], shop.credentials),
  );
  await expectCallbacks(shop, order, ['success sale settled']);
  const messages = await fields.heard();
  expect(messages).toContain('"brand":"visa"');
  for (const digits of ['4111', '1111', '737', '01 / 38', '0138']) expect(messages, digits).not.toContain(digits);
});

test('3-D Secure redirects away and back to return_url', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.challenge);
  await submitFields(page, 'success');
  const { body } = await payFromPage(page, florin, token);
  expect(body).toMatchObject({ result: 'redirect', redirect_method: 'POST' });
  await page.evaluate(
    ({ url, params }) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: url });
      for (const [name, value] of Object.entries(params)) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    },
    { url: body.redirect_url as string, params: body.redirect_params as Record<string, string> },
  );
  // The shop's address is not served: the browser's request for it is the expected result.
  const returning = page.waitForRequest((request) => request.url().startsWith(`${pageOrigin}/back?`));
  await page.getByRole('button', { name: 'Confirm' }).click();
  const query = new URL((await returning).url()).searchParams;
  expect(query.get('order_id')).toBe(order.number);
  expect(query.get('hash')).toBe(
    signCheckout(
      [query.get('payment_id') ?? '', order.number, order.amount, order.currency, order.description],
      shop.credentials,
    ),
  );
  await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
});

test('a decline is reported in the chosen language, and the next submit pays', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.declined);
  await submitFields(page, 'success');
  const declined = await payFromPage(page, florin, token, { ...pageBody, selected_language: 'de' });
  expect(declined.body).toMatchObject({ result: 'decline', decline_message: 'Ihre Bank hat diese Zahlung abgelehnt' });
  // The same call again is a repeat: no charge, and the same answer.
  expect((await payFromPage(page, florin, token, { ...pageBody, selected_language: 'de' })).body).toEqual(
    declined.body,
  );
  await fields.frames.expiry.locator('#field').fill('01 / 38');
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
});

test('debit has an address of its own', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back`, operation: 'debit' });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body).toMatchObject({ result: 'ERROR', error_code: 204005 });
  expect((await payFromPage(page, florin, token, pageBody, 'debit')).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success debit settled']);
});

test('a missing value is announced, in the language of the page', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token, { language: 'de' });
  await fields.frames.card.locator('#field').pressSequentially('٤١١١ ١١١١ ١١١١ ١١١٢');
  await expect(fields.frames.card.locator('#field')).toHaveValue('4111 1111 1111 1112');
  await fields.frames.card.locator('#field').blur();
  await expect(fields.frames.card.getByRole('alert')).toHaveText(/Kartennummer/);
  await expect(fields.frames.card.getByRole('textbox', { name: 'Kartennummer' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  expect(await submitFields(page, 'error')).toMatch(/Kartennummer/);
  await expect(fields.frames.expiry.locator('#field')).toHaveAttribute('aria-invalid', 'true');
  const { body } = await payFromPage(page, florin, token);
  expect(body.errors).toEqual([
    { error_code: 100000, error_message: 'with_hosted_fields: This value should not be blank.' },
  ]);
});

test('each frame and the page are without axe violations, also from right to left', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token, { language: 'ar' });
  await expect(fields.frames.card.locator('html')).toHaveAttribute('dir', 'rtl');
  const violations = await violationsOf(page);
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.target)])).toEqual([]);
});

test('a browser that autofills the whole card at once reaches all three frames', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await fields.frames.card.locator('#fill-expiry').evaluate((input: HTMLInputElement) => {
    input.value = '01/2038';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await fields.frames.card.locator('#fill-cvv').evaluate((input: HTMLInputElement) => {
    input.value = '123';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(fields.frames.expiry.locator('#field')).toHaveValue('01 / 38');
  await expect(fields.frames.cvv.locator('#field')).toHaveValue('123');
  expect(await fields.heard()).not.toContain('38');
});

test('foreign and malformed messages have no effect', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  await page.evaluate(() => {
    const junk: unknown[] = [
      null,
      7,
      'submit',
      [],
      {},
      { type: 'submit', token: 'x' },
      { florin: 'connect' },
      { florin: 'connect', channel: 'x', field: 'card', fields: ['card'] },
      { florin: 'connect', channel: '__proto__', field: 'card', fields: 'x', style: { input: 'x' } },
      { type: '__proto__' },
      { type: 'style', style: { constructor: {} } },
    ];
    for (const frame of document.querySelectorAll('iframe')) {
      for (let round = 0; round < 20; round += 1) {
        for (const data of junk) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => (globalThis as unknown as { heard: unknown[] }).heard.push(['forged port answered']);
          frame.contentWindow?.postMessage(data, '*', [port2]);
        }
      }
    }
    window.postMessage({ type: 'submit', result: 'success', message: 'forged' }, '*');
  });
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
  expect(await fields.heard()).not.toContain('forged port answered');
});

test('a hostile page cannot read a frame, move it to its own window, or insert its own frame', async ({
  page,
  florin,
  shop,
}) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  const outcomes = await page.evaluate(() => {
    const results: string[] = [];
    for (const frame of document.querySelectorAll('iframe')) {
      const reach: (() => unknown)[] = [
        () => frame.contentDocument?.body.innerHTML,
        () => frame.contentWindow?.document.title,
        () => (frame.contentWindow as unknown as { florinField: unknown }).florinField,
        () => frame.contentWindow?.location.href,
      ];
      for (const access of reach) {
        try {
          results.push(String(access()));
        } catch (error) {
          results.push((error as Error).name);
        }
      }
    }
    return results;
  });
  expect(new Set(outcomes)).toEqual(new Set(['undefined', 'SecurityError']));
  // The card's frame does not accept a frame of the page under its sibling's name.
  await page.evaluate(() => {
    const expiry = document.querySelector<HTMLIFrameElement>('#expiry iframe');
    if (!expiry) throw new Error('no frame');
    const own = document.createElement('iframe');
    own.name = expiry.name;
    expiry.replaceWith(own);
    (own.contentWindow as unknown as { florinField: unknown }).florinField = {
      channel: own.name.split('-')[1],
      value: () => '01 / 38',
      show: () => null,
    };
  });
  expect(await submitFields(page, 'error')).toContain('not of one mount');
});

test('an invalid token is rejected', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  await openFields(page, florin, token);
  for (const wrong of ['', 'x', `${token}x`, (await shop.open()).token]) {
    const answer = await payFromPage(page, florin, wrong);
    expect([answer.status, answer.body.result]).toEqual([401, 'ERROR']);
  }
  await openFields(page, florin, 'forged');
  const fields = await openFields(page, florin, 'forged');
  await typeCard(fields, cards.settled);
  expect(await submitFields(page, 'error')).toContain('expired');
});

test('destroy removes the frames; a second init inserts new ones', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const extra =
    'hf.destroy(); hf.init({ sessionToken: ' +
    JSON.stringify(token) +
    ", fields: { card: { id: 'card', label: 'Number' }, expiry: { id: 'expiry' }, cvv: { id: 'cvv' } } });";
  const fields = await openFields(page, florin, token, { extra });
  await expect(page.locator('iframe')).toHaveCount(3);
  await expect(fields.frames.card.getByRole('textbox', { name: 'Number' })).toBeVisible();
  await typeCard(fields, cards.settled);
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
});
