// The messages of a payment to addresses that its payer chooses: three of a payment, and a limited number to a recipient
// in an hour.

import { apmMerchant } from '../support/apm-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { textOf } from '../support/html.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { type Changes, type Merchant, merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { methodFormOf } from '../support/method-flows.ts';
import { cards, formTo, type Payer, type Screen, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const canada = { order: { amount: '120.00', currency: 'CAD', description: 'Two bowls' }, customer: undefined };
let next = 1_000_000 + Math.floor(Math.random() * 8_000_000);
function newPhone(): string {
  next += 1;
  return `+1416${next}`;
}

/** The recipients of a payment's messages, oldest first. */
const recipientsOf = async (order: string) =>
  (
    await sql(
      `select recipient from messages where payment_id = (select id from payments where order_number = $1)
        order by created_at`,
      [order],
    )
  ).map(({ recipient }) => recipient as string);

/** Attempts by text message, each to another number, until the page shows no link; then the page. */
async function sendLinks(payer: Payer, form: Screen, phones: string[]): Promise<Screen> {
  let screen = form;
  for (const [place, phone] of phones.entries()) {
    screen = await payer.submit(methodFormOf(screen, 'ptn-sms'), { phone });
    if (place < phones.length - 1) screen = await payer.submit(formTo(screen, '/abandon'));
  }
  return screen;
}

test('links of a payment are sent three times, and then only other methods remain', async ({ as }) => {
  const shop = as('methods');
  const opened = await shop.open({ ...canada, methods: ['ptn-sms', 'card'] });
  const payer = startPayer(shop.baseUrl);
  const phones = [newPhone(), newPhone(), newPhone()];
  const sent = await sendLinks(payer, await payer.visit(opened.url), phones);
  expect(textOf(sent.html)).toContain('We sent a link to');
  const form = await payer.submit(formTo(sent, '/abandon'));
  const refused = await payer.submit(methodFormOf(form, 'ptn-sms'), { phone: newPhone() });
  expect(textOf(refused.html)).toContain('Pay by SMS declined this payment');
  expect(textOf(refused.html)).toContain('You have not been charged. Try again or pay another way.');
  expect(await recipientsOf(opened.order.number)).toEqual(phones);
  // Nothing was sent to the provider, and the payment can be paid otherwise.
  const [{ attempts }] = await sql('select attempts from payments where order_number = $1', [opened.order.number]);
  expect(attempts).toBe(3);
  expect((await payer.payOn(refused, cards.settled)).html).toContain('data-state="receipt"');
});

test('payment data is sent three times for a payment, and then the page no longer offers it', async ({ as }) => {
  const shop = as('methods');
  const opened = await shop.open({ methods: ['winnerpay'], customer: undefined });
  const payer = startPayer(shop.baseUrl);
  const emails = [1, 2, 3].map((place) => `mia${place}-${opened.order.number}@example.com`);
  let screen = await payer.submit(methodFormOf(await payer.visit(opened.url), 'winnerpay'));
  for (const email of emails) {
    const sent = await payer.submit(formTo(screen, '/remind'), { email });
    expect(textOf(sent.html)).toContain('We sent these details to');
    screen = await payer.submit(formTo(sent, '/abandon'));
    screen = await payer.submit(methodFormOf(screen, 'winnerpay'));
  }
  expect(screen.html).toContain('data-state="present"');
  expect(screen.forms.some(({ action }) => action.endsWith('/remind'))).toBe(false);
  // Nor is it sent by the form of an earlier page.
  const late = await payer.submit(
    { ...formTo(screen, '/abandon'), action: formTo(screen, '/abandon').action.replace(/abandon$/, 'remind') },
    { email: 'eve@example.com' },
  );
  expect(textOf(late.html)).not.toContain('We sent these details to');
  expect(await recipientsOf(opened.order.number)).toEqual(emails);
});

test.describe('a recipient', () => {
  let server: KillableServer;
  test.beforeAll(async () => {
    server = await startKillableServer({ RATE_LIMITS: 'all=100000000 message.recipient=2' });
  });
  test.afterAll(() => server.kill());

  const open = async (shop: Merchant, changes: Changes) => {
    const opened = await shop.open(changes);
    const payer = startPayer(server.url);
    return { opened, payer, form: await payer.visit(opened.url) };
  };

  test('gets a limited number of messages in an hour, whatever payments they are of', async ({ shopServer }) => {
    const shop = merchantClient(server.url, merchants.methods, shopServer);
    const phone = newPhone();
    const payments = [];
    for (let place = 0; place < 3; place += 1) {
      const one = await open(shop, { ...canada, methods: ['ptn-sms', 'card'] });
      payments.push({ ...one, screen: await one.payer.submit(methodFormOf(one.form, 'ptn-sms'), { phone }) });
    }
    const texts = payments.map(({ screen }) => textOf(screen.html));
    expect(texts.map((text) => text.includes('We sent a link to'))).toEqual([true, true, false]);
    expect(texts[2]).toContain('You have not been charged. Try again or pay another way.');
    expect(await recipientsOf(payments[2]?.opened.order.number as string)).toEqual([]);
    // Written in another way, it is the same number.
    const apm = apmMerchant(server.url, merchants.methods, shopServer);
    const { status, body, headers } = await apm.charge('SALE', {
      brand: 'ptn-sms',
      identifier: 'ana',
      payer_phone: phone.replace(/^\+1(...)/, '001 ($1) '),
    });
    expect([status, body.error_code, body.error_message]).toEqual([429, 429, 'Too many requests.']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
  });

  test('gets a limited number of reminders, and the page says to wait', async ({ shopServer }) => {
    const shop = merchantClient(server.url, merchants.methods, shopServer);
    const email = `mia${newPhone()}@example.com`;
    const answers = [];
    for (let place = 0; place < 3; place += 1) {
      const { payer, form, opened } = await open(shop, { methods: ['winnerpay'], customer: undefined });
      const screen = await payer.submit(methodFormOf(form, 'winnerpay'));
      const first = await payer.submit(formTo(screen, '/remind'), { email });
      // Repeats are not sent, and so they do not count.
      const again = await payer.submit(formTo(screen, '/remind'), { email });
      answers.push([first.status, again.status, (await recipientsOf(opened.order.number)).length]);
    }
    expect(answers).toEqual([
      [200, 200, 1],
      [200, 200, 1],
      [429, 429, 0],
    ]);
  });
});
