// The receipt by e-mail: to the payment's address, or to at most three that the payer types, once to each; and the final
// page in the answer to a payment.
import { sql } from '../support/database-rows.ts';
import { textOf } from '../support/html.ts';
import type { Changes, Opened } from '../support/merchant.ts';
import { messagesOf, type SentMessage } from '../support/messages.ts';
import { cardFormOf, cards, formTo, type Payer, type Screen, startPayer } from '../support/payer.ts';
import { idOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

type Shop = Parameters<typeof idOf>[0] & { open: (changes?: Changes) => Promise<Opened>; baseUrl: string };
type Paid = { opened: Opened; payer: Payer; receipt: Screen; sent: () => Promise<SentMessage[]> };

async function pay(shop: Shop, changes: Changes = {}): Promise<Paid> {
  const opened = await shop.open(changes);
  const payer = startPayer(shop.baseUrl);
  const receipt = await payer.payOn(await payer.visit(opened.url), cards.settled);
  const sent = () => messagesOf(opened.order.number);
  return { opened, payer, receipt, sent };
}

test('goes once to the known address, and to no other', async ({ shop }) => {
  const { opened, payer, receipt, sent } = await pay(shop, {
    customer: { name: 'Ana Petrović', email: 'ana@example.com' },
  });
  const form = formTo(receipt, '/remind');
  expect(form.controls.map(({ name }) => name)).not.toContain('email');
  expect(textOf(receipt.html)).toContain('a•••@example.com');
  const answers = await Promise.all([1, 2, 3].map(() => payer.submit(form, { email: 'other@example.com' })));
  for (const { status, html } of answers) {
    expect(status).toBe(200);
    expect(textOf(html)).toContain('We sent this receipt to');
    expect(html).not.toContain('data-state="form"');
  }
  const [message, ...more] = await sent();
  expect(more).toEqual([]);
  expect(message?.recipient).toBe('ana@example.com');
  expect(message?.text).toContain('Amount: €84.50');
  expect(message?.text.match(/https?:\S+/g)).toEqual([opened.url]);
});

test('is sent again to an address at which it failed, and to no other', async ({ shop }) => {
  const { opened, payer, receipt, sent } = await pay(shop, { customer: undefined });
  const form = formTo(receipt, '/remind');
  for (const email of ['mia@example.com', 'ana@example.com']) await payer.submit(form, { email });
  const ofPayment = 'payment_id = $1';
  const id = await idOf(shop, opened.order.number);
  const states = () =>
    sql(`select recipient, state, attempts from messages where ${ofPayment} order by recipient`, [id]);
  await expect.poll(async () => (await states()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  await sql(`update messages set state = 'failed', attempts = 9 where ${ofPayment} and recipient like 'mia@%'`, [id]);
  const german = formTo(await payer.visit(`${opened.url}?lang=de`), '/remind');
  for (const email of ['mia@example.com', 'ana@example.com'])
    expect((await payer.submit(german, { email })).status).toBe(200);
  const again = await sent();
  expect(again).toMatchObject([{ url: `${opened.url}?lang=de` }, { url: opened.url }]);
  expect(again[0]?.subject).not.toBe(again[1]?.subject);
  await expect.poll(states).toEqual([
    { recipient: 'ana@example.com', state: 'sent', attempts: 1 },
    { recipient: 'mia@example.com', state: 'sent', attempts: 1 },
  ]);
  expect(await sent()).toHaveLength(2);
});

test('is in the language that the payer chose, and its link too', async ({ shop }) => {
  const { opened, payer, sent } = await pay(shop, { customer: { name: 'Ana', email: 'ana@example.com' } });
  await payer.submit(formTo(await payer.visit(`${opened.url}?lang=de`), '/remind'));
  const [message] = await sent();
  expect(message?.text).toContain('Zahlung abgeschlossen');
  expect(message?.text).toContain(`${opened.url}?lang=de`);
});

test('goes to an address that the payer types, once to each of three', async ({ shop }) => {
  const { payer, receipt, sent } = await pay(shop, { customer: undefined });
  const form = formTo(receipt, '/remind');
  const first = await payer.submit(form, { email: ' mia@example.com ' });
  expect(textOf(first.html)).toContain('We sent this receipt to');
  expect(textOf(first.html)).toContain('m•••@example.com');
  const others = ['mia@example.com', 'ana@example.com', 'ana@example.com', 'kim@example.com', 'lou@example.com'];
  const answers = await Promise.all(others.map((email) => payer.submit(form, { email })));
  // Two of the three other addresses find a place; which of them depends on the order of the requests.
  const refused = others.filter((_, index) => answers[index]?.status === 422);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
  expect(new Set(refused).size).toBe(1);
  const last = await payer.submit(form, { email: 'eve@example.com' });
  expect(last.status).toBe(422);
  expect(textOf(last.html)).toContain('This receipt was already sent to three addresses.');
  const recipients = (await sent()).map(({ recipient }) => recipient);
  expect(recipients).toHaveLength(3);
  expect(new Set(recipients).size).toBe(3);
  // A known address may be sent to again, without effect; the page names it, and not the last one.
  const again = await payer.submit(form, { email: 'mia@example.com' });
  expect(again.status).toBe(200);
  expect(textOf(again.html)).toContain('m•••@example.com');
  expect(await sent()).toHaveLength(3);
});

test('names the field of an invalid address', async ({ shop }) => {
  const { payer, receipt, sent } = await pay(shop, { customer: undefined });
  for (const [email, text] of [
    ['', 'Enter your email address.'],
    ['mia@mail', 'Enter an email like name@example.com.'],
    ['a@b.example, c@d.example', 'Enter an email like name@example.com.'],
    [`${'a'.repeat(250)}@b.example`, 'Use at most 255 characters.'],
  ] as const) {
    const answer = await payer.submit(formTo(receipt, '/remind'), { email });
    expect(answer.status).toBe(422);
    expect(textOf(answer.html)).toContain(text);
    expect(answer.html).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="email"/);
    expect(answer.html).toContain('data-state="receipt"');
  }
  expect(await sent()).toEqual([]);
});

test('is protected against forms of other origins', async ({ shop, florin }) => {
  const { payer, receipt, sent } = await pay(shop, { customer: undefined });
  const form = formTo(receipt, '/remind');
  const email = 'mia@example.com';
  expect((await payer.submit(form, { email, guard: 'x' })).status).toBe(403);
  const elsewhere = startPayer(florin, { 'sec-fetch-site': 'cross-site' });
  expect((await elsewhere.submit(form, { email })).status).toBe(403);
  expect(await sent()).toEqual([]);
});

test('is not sent before the payment', async ({ shop, florin }) => {
  const opened = await shop.open();
  const payer = startPayer(florin);
  const form = cardFormOf(await payer.visit(opened.url));
  if (!form) throw new Error('no card form');
  const screen = await payer.submit({ ...form, action: `${opened.url}/remind` }, { email: 'mia@example.com' });
  expect(cardFormOf(screen)).toBeTruthy();
  expect(textOf(screen.html)).not.toContain('We sent');
  expect(await messagesOf(opened.order.number)).toEqual([]);
});

test.describe('the answer to a payment by script', () => {
  async function post(shop: Shop, headers: Record<string, string>) {
    const opened = await shop.open();
    const form = cardFormOf(await startPayer(shop.baseUrl).visit(opened.url));
    const { number, expiry } = cards.settled;
    const body = new URLSearchParams(form?.controls.map(({ name, value }): [string, string] => [name, value]));
    for (const [name, value] of Object.entries({ number, expiry, cvv: '123', holder: 'Ana Petrovic' })) {
      body.set(`card_${name}`, value);
    }
    const origin = new URL(shop.baseUrl).origin;
    const send = () =>
      fetch(opened.url, { method: 'POST', body, headers: { accept: 'application/json', origin, ...headers } });
    return { opened, send };
  }

  test('contains the receipt with the nonce of the page', async ({ shop, provider }) => {
    const nonce = 'abcdefghijklmnopqrst-_';
    const { opened, send } = await post(shop, { 'page-nonce': nonce });
    for (const response of [await send(), await send()]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('content-security-policy')).toContain(`style-src 'nonce-${nonce}'`);
      const html = await response.text();
      expect(html).toContain(`<style nonce="${nonce}">`);
      expect(textOf(html)).toContain('Payment complete');
      expect(html).toContain(`"pageUrl":"${new URL(opened.url).pathname}?attempt=1"`);
    }
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });

  test('is JSON for a session that another one has replaced', async ({ shop, provider }) => {
    const { opened, send } = await post(shop, { 'page-nonce': 'abcdefghijklmnopqrst-_' });
    const { order } = opened;
    await sql("update payments set created_at = created_at - interval '20 s' where order_number = $1", [order.number]);
    expect((await shop.session({ order: { ...order, amount: '20.00' } })).status).toBe(200);
    expect(await (await send()).json()).toMatchObject({ next: 'go' });
    expect(await provider.moved(order.number)).toEqual([]);
  });

  for (const [name, nonce] of [
    ['without a nonce', ''],
    ['with a text that is none', "x' 'unsafe-inline"],
  ] as const) {
    test(`${name} is JSON`, async ({ shop }) => {
      const { send } = await post(shop, { 'page-nonce': nonce });
      expect(await (await send()).json()).toMatchObject({ next: 'go', isTaken: true });
    });
  }
});
