// What a payer meets, in each engine: the main states of the payment page, a payment with 3-D Secure on the page and by
// hosted fields, and a page that follows the outcome. None may report an error, also when it is loaded again.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import { finish, referenceOf } from '../support/method-flows.ts';
import { type Card, cards } from '../support/payer.ts';
import { expectCallbacks, idOf, statusOf } from '../support/payment-flows.ts';
import { expect, test } from './engine-test.ts';
import { patience, type Tab } from './tab.ts';

const challenge = 'iframe[name=challenge]';
const payButton = 'form[data-pay] button[type=submit]';
const receipt = 'a[data-return]';

/** Waits until the visible text of the elements contains `text`. */
async function expectText(tab: Tab, text: string | RegExp, selector = 'main', frame?: string): Promise<void> {
  const shown = `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.innerText).join('\\n')`;
  const read = async () => String((await tab.evaluate(shown, frame)) ?? '').replace(/\s+/g, ' ');
  const wait = expect.poll(read, { timeout: patience, message: selector });
  await (typeof text === 'string' ? wait.toContain(text.replace(/\s+/g, ' ')) : wait.toMatch(text));
}

const inputValue = (tab: Tab, selector: string, frame?: string) =>
  tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).value`, frame);

async function expectFits(tab: Tab): Promise<void> {
  expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

async function typeCard(tab: Tab, card: Card): Promise<void> {
  await tab.type(card.number.replaceAll(' ', ''), 'input[name=card_number]');
  await tab.type(card.expiry.replace('/', ''), 'input[name=card_expiry]');
  await tab.type('123', 'input[name=card_cvv]');
}

for (const [language, direction] of [
  ['en', 'ltr'],
  ['ar', 'rtl'],
] as const) {
  test(`form, field error, decline, challenge, receipt: ${language}`, async ({ tab, shop, picture }) => {
    const words: Record<string, string> = JSON.parse(readFileSync(`messages/${language}.json`, 'utf8'));
    const { url, order } = await shop.open({ billing_address: { language } });
    const inspect = async (name: string) => {
      await expectFits(tab);
      await picture(name);
    };
    await tab.goto(url);
    await inspect('form');
    expect(await tab.evaluate('document.documentElement.dir')).toBe(direction);
    await expectText(tab, '84.50', 'h1');
    await tab.press(payButton);
    await expectText(tab, words['error.card_number.empty'] ?? '-', '[data-field=card_number]');
    expect(await tab.evaluate('document.activeElement.name')).toBe('card_number');
    await inspect('field-error');

    await typeCard(tab, cards.declined);
    expect(await inputValue(tab, 'input[name=card_number]')).toBe('4111 1111 1111 1111');
    expect(await inputValue(tab, 'input[name=card_expiry]')).toMatch(/^02 ?\/ ?38$/);
    await tab.type('Ana Petrovic', 'input[name=card_holder]');
    await tab.press(payButton);
    await expectText(tab, words['decline.bank.heading'] ?? '-', '#alert');
    await inspect('decline');

    await typeCard(tab, cards.challenge);
    await tab.type('Ana Petrovic', 'input[name=card_holder]');
    await tab.press(payButton);
    await expectText(tab, 'Do you want to make this payment?', 'body', challenge);
    const id = await idOf(shop, order.number);
    expect((await statusOf(shop, id)).status).toBe('3ds');
    await tab.goto(url);
    await expectText(tab, 'Do you want to make this payment?', 'body', challenge);
    await inspect('challenge');
    await tab.press('button[value=submit]', challenge);

    await expectText(tab, words['receipt.heading'] ?? '-');
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['fail sale decline', 'success 3ds 3ds', 'success sale settled']);
    await tab.goto(url);
    await inspect('receipt');
    await tab.press(receipt);
    await expectText(tab, 'Shop', 'h1');
  });
}

test('the receipt in the answer to the payment', async ({ tab, shop, picture }) => {
  const { url } = await shop.open();
  await tab.goto(url);
  await tab.evaluate('window.isSameDocument = true');
  await typeCard(tab, cards.settled);
  await tab.type('Ana Petrovic', 'input[name=card_holder]');
  await tab.press(payButton);
  await expectText(tab, 'Payment complete');
  expect(await tab.evaluate('window.isSameDocument')).toBe(true);
  expect(await tab.evaluate('document.activeElement.innerText')).toBe('Payment complete');
  expect(await tab.evaluate('location.search + document.title')).toMatch(/^\?attempt=1Paid: /);
  // The receipt's style sheet has replaced that of the form.
  expect(await tab.evaluate("getComputedStyle(document.querySelector('.sign')).display")).toBe('grid');
  await picture('receipt-in-place');
  await tab.press('.countdown button');
  await tab.goto(url);
  await expectText(tab, 'Payment complete');
});

test('hosted fields: a payment with 3-D Secure', async ({ tab, florin, as, picture }) => {
  // The shop has the machine's other name, and with it another origin than the fields.
  const shop = new URL('/sandbox/shop/fields', florin);
  shop.hostname = shop.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  await tab.goto(shop.href);
  await expectText(tab, '3 messages', '#digits');
  const { number, expiry } = cards.challenge;
  for (const [name, text] of Object.entries({ card: number, expiry, cvv: '123' }))
    await tab.type(text.replace(/\D/g, ''), '#field', `#${name} iframe`);
  expect(await inputValue(tab, '#field', '#card iframe')).toBe(number);
  await tab.type('Ana Petrovic', '#name');
  const log = String(await tab.evaluate("document.querySelector('#requests').textContent"));
  const [, orderNumber = ''] = /"number": ?"([^"]+)"/.exec(log) ?? [];
  await picture('fields');
  await tab.press('#button');
  await tab.press('button[value=submit]');
  await expectText(tab, 'Paid', '#outcome-title');
  await expectText(tab, 'Signature of the address: valid', '#requests');
  await picture('paid');
  const demo = as('demo');
  expect((await statusOf(demo, await idOf(demo, orderNumber))).status).toBe('settled');
});

test('the element with hosted fields: the Tab key goes in and out, in both directions', async ({
  tab,
  florin,
  shop,
}) => {
  const { token } = await createSessionToken(shop, { return_url: 'http://localhost/back' });
  const page = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><form>
<input id="before"><florin-card token="${token}" locale="en"></florin-card><button id="after">Pay</button></form>
<script src="${florin}/sdk/florin-card.js"></script>`;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
  await once(server.listen(0), 'listening');
  try {
    await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
    const line = 'florin-card iframe';
    await expect.poll(() => tab.evaluate('document.readyState', line)).toBe('complete');
    const focused = async () =>
      (await tab.evaluate('document.activeElement.id')) || tab.evaluate('document.activeElement.id', line);
    const order = ['before', 'card', 'expiry', 'cvv', 'after'];
    await tab.press('#before');
    for (const next of order.slice(1)) {
      await tab.tab();
      await expect.poll(focused).toBe(next);
    }
    for (const previous of order.slice(0, -1).reverse()) {
      await tab.tab('back');
      await expect.poll(focused).toBe(previous);
    }
    // A form that is submitted too early moves the focus to the field that is wrong.
    await tab.press('#after');
    await expect.poll(focused).toBe('card');
    const fault = "document.querySelector('florin-card').shadowRoot.querySelector('.fault').textContent";
    await expect.poll(() => tab.evaluate(fault)).toBe('Enter your card number.');
  } finally {
    server.close();
  }
});

test('a QR code, and the page follows the outcome', async ({ tab, as, provider, picture }) => {
  const shop = as('methods');
  const changes = { methods: ['ips'], order: { currency: 'RSD', amount: '1200.00' } };
  const { url, order } = await shop.open(changes);
  await tab.goto(url);
  await tab.press(payButton);
  await expectText(tab, 'Scan this code');
  await tab.goto(url);
  expect(await tab.evaluate("document.querySelector('.scanned svg').getBoundingClientRect().width")).toBeGreaterThan(
    99,
  );
  await expectFits(tab);
  await picture('waiting');
  await finish(shop, await referenceOf(provider, order.number));
  await expectText(tab, 'Payment complete');
  expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
});

test('a voucher: how to pay it, its barcode, and another method only after a question', async ({
  tab,
  as,
  picture,
}) => {
  const order = { currency: 'MXN', amount: '120.00' };
  const { url } = await as('methods').open({ methods: ['pr-cash'], order, billing_address: { country: 'MX' } });
  await tab.goto(url);
  await tab.press(payButton);
  await expectText(tab, 'Waiting for your payment');
  const bars = "document.querySelector('.barcode svg').getBoundingClientRect().width";
  expect(await tab.evaluate(bars)).toBeGreaterThan(99);
  await expectFits(tab);
  await picture('voucher');
  await tab.press('details.asked summary');
  await expectText(tab, 'Have you already paid?');
});

test('a cancelled payment', async ({ tab, shop, picture }) => {
  const { url } = await shop.open();
  await tab.goto(url);
  await tab.press('form[action$="/cancel"] button');
  await expectText(tab, 'Shop', 'h1');
  await tab.goto(url);
  await expectText(tab, /You cancell?ed this payment/);
  await picture('cancelled');
});
