// The lifecycle of hosted fields on a page: reloaded frames, two mounts, submits at the wrong time, stored cards, and
// the requests of the browser.
import type { Page } from '@playwright/test';
import {
  openFields,
  pageOrigin,
  payFromPage,
  submitFields,
  typeCard,
  withoutRandomParts,
} from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import { cards } from '../support/payer.ts';
import { expectCallbacks, pay, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

/** Evaluates an expression with `hf`, the page's HostedFields, and returns its result. */
const inPage = (page: Page, script: string) => page.evaluate(`(async () => { ${script} })()`);

test('a reloaded frame is empty, gets its state again, and works', async ({ page, florin, shop }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  // The page moves the card's container, whereupon browsers reload the frame.
  await inPage(page, "document.querySelector('main').append(document.querySelector('#card'));");
  await expect(fields.frames.card.locator('#field')).toHaveValue('');
  await expect.poll(async () => (await fields.heard()).split('"on","ready"').length - 1).toBe(2);
  expect(await fields.heard()).toContain('{"field":"card","valid":false,"empty":true,"brand":null}');
  expect(await submitFields(page, 'error')).toMatch(/card number/);
  await fields.frames.card.locator('#field').pressSequentially(cards.settled.number);
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  await expectCallbacks(shop, order, ['success sale settled']);
});

test('two sessions on one page are independent', async ({ page, florin, shop, provider }) => {
  const [one, other] = [
    await createSessionToken(shop, { return_url: `${pageOrigin}/back` }),
    await createSessionToken(shop, { return_url: `${pageOrigin}/back` }),
  ];
  const fields = await openFields(page, florin, one.token);
  await typeCard(fields, cards.settled);
  await inPage(
    page,
    `for (const name of ['card', 'expiry', 'cvv'])
       document.querySelector('main').append(Object.assign(document.createElement('div'), { id: 'other-' + name }));
     const second = new HostedFields();
     await new Promise((done) => { second.on('ready', done); second.init({ sessionToken: ${JSON.stringify(other.token)},
       fields: { card: { id: 'other-card' }, expiry: { id: 'other-expiry' }, cvv: { id: 'other-cvv' } } }); });
     window.second = second;`,
  );
  expect(await inPage(page, 'return second.submit()')).toMatchObject({ result: 'error', code: 'validation' });
  const of = (name: string) => page.frameLocator(`#other-${name} iframe`).locator('#field');
  await of('card').fill('4242 4242 4242 4242');
  await of('expiry').fill('11 / 39');
  await of('cvv').fill('321');
  expect(await inPage(page, 'return second.submit()')).toMatchObject({ result: 'success' });
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, one.token)).body.result).toBe('success');
  expect((await payFromPage(page, florin, other.token)).body.result).toBe('success');
  const card = async (order: string) => (await provider.journal(order)).map((entry) => entry.card);
  expect(await card(one.order.number)).toEqual(['411111****1111']);
  expect(await card(other.order.number)).toEqual(['424242****4242']);
});

test('a submit in progress is not sent twice, and a destroyed one ends', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  let sent = 0;
  let release = () => {};
  const pending = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/fields/collect', async (route) => {
    sent += 1;
    await pending;
    await route.continue();
  });
  const first = inPage(page, 'hf.collectIframesData(); return hf.submit()');
  expect(await first).toMatchObject({ result: 'error', code: 'busy' });
  await expect.poll(() => sent).toBe(1);
  release();
  await expect(page.locator('#outcome')).toHaveText(/^success/);
  expect(sent).toBe(1);
  const results = await inPage(
    page,
    'const ending = hf.submit(); hf.destroy(); return [await ending, await hf.submit()]',
  );
  expect(results).toMatchObject([{ code: 'setup' }, { code: 'setup' }]);
});

test('an error in a handler of the page stops nothing', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const extra = `for (const event of ['change', 'submit', 'focus']) hf.on(event, () => { throw new Error('of the page'); });
    hf.cardOn.input = () => { throw new Error('of the page'); };`;
  const fields = await openFields(page, florin, token, { extra });
  await typeCard(fields, cards.settled);
  expect(await inPage(page, 'return hf.submit()')).toMatchObject({ result: 'success' });
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
});

test('a stored card asks for its CVV alone', async ({ page, florin, shop }) => {
  const first = await pay(shop, cards.settled, { req_token: true });
  const { card_token } = await statusOf(shop, first.id);
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back`, card_token });
  const fields = await openFields(page, florin, token, { fields: ['cvv'] });
  await expect(page.locator('iframe')).toHaveCount(1);
  await fields.frames.cvv.locator('#field').fill('123');
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
  const [message] = await expectCallbacks(shop, order, ['success sale settled']);
  expect(message?.fields.card).toBe('411111****1111');
});

test('once the payment is made another submit leads to its outcome', async ({ page, florin, shop, provider }) => {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  await submitFields(page, 'success');
  const { body } = await payFromPage(page, florin, token);
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body).toEqual(body);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('invalid options are rejected at once', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  await openFields(page, florin, token);
  const init = (options: string) =>
    inPage(page, `try { new HostedFields().init(${options}); return 'made'; } catch (fault) { return fault.name; }`);
  const sessionToken = JSON.stringify(token);
  for (const options of [
    "{ fields: { card: { id: 'card' } } }",
    `{ sessionToken: ${sessionToken} }`,
    `{ sessionToken: ${sessionToken}, fields: {} }`,
    `{ sessionToken: ${sessionToken}, fields: { card: { id: 'nowhere' } } }`,
    `{ sessionToken: ${sessionToken}, fields: { card: { id: 'card' }, cvv: { id: 'card' } } }`,
  ]) {
    expect(await init(options), options).toBe('TypeError');
  }
  await expect(page.locator('iframe')).toHaveCount(3);
});

test('no address and no request but one contains the token or the card', async ({ page, florin, shop }) => {
  const { token } = await createSessionToken(shop, { return_url: `${pageOrigin}/back` });
  const urls: string[] = [];
  const bodies: string[] = [];
  page.on('request', (request) => {
    urls.push(request.url());
    if (request.postData()?.includes('4111')) bodies.push(new URL(request.url()).pathname);
  });
  const fields = await openFields(page, florin, token);
  await typeCard(fields, cards.settled);
  await submitFields(page, 'success');
  await payFromPage(page, florin, token);
  expect(urls.filter((url) => url.includes(token) || withoutRandomParts(url, florin).includes('4111'))).toEqual([]);
  expect(bodies).toEqual(['/fields/collect']);
});
