// What the payer agrees to besides the payment (protocol.md 7a): shown beside the button, recorded in the words of the
// page, and visible in the dashboard.
import { visitorAs } from '../support/dashboard.ts';
import { textOf } from '../support/html.ts';
import type { Changes } from '../support/merchant.ts';
import { cardFormOf, cards, startPayer } from '../support/payer.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import { schedule } from '../support/schedules.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000);
const longDay = (day: Date, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day);

test('a schedule: amount, interval, first date and number of the later charges', async ({ shop, cardShop, florin }) => {
  const schedule_id = await schedule(cardShop, { interval_length: 2, interval_unit: 'month', payments_count: 12 });
  const start = inDays(40);
  const { url, order } = await shop.open({
    recurring_init: true,
    schedule_id,
    schedule_start_date: start.toISOString().slice(0, 10),
    payment_schedule_amount: '9.90',
  });
  const payer = startPayer(florin);
  const page = textOf((await payer.visit(`${url}?lang=de`)).html);
  for (const words of [
    '9,90 €',
    'Alle 2 Monate',
    longDay(start, 'de'),
    '12',
    'erlauben Sie',
    'Um dies zu beenden, wenden Sie sich an',
  ])
    expect(page).toContain(words);
  await payer.pay(url, cards.settled);
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).status).toBe('settled');
  const { body } = await (await visitorAs(florin, 'viewer')).get(`/payments/${id}`);
  const agreed = body.events.filter(({ title }: { title: string }) => title.startsWith('Payer agreed'));
  expect(agreed).toMatchObject([
    { title: 'Payer agreed by submitting the page', who: 'Payer', facts: [{ value: 'en' }] },
  ]);
  for (const words of ['€9.90', 'Every 2 months', longDay(start, 'en-GB'), 'you allow', 'To stop them, contact'])
    expect(agreed[0].detail).toContain(words);
});

test('a schedule of a card that is saved without a payment: the payer pays nothing now', async ({
  as,
  cardAs,
  florin,
}) => {
  const schedule_id = await schedule(cardAs('zeroAmounts'), { interval_unit: 'month' });
  const order = { amount: '0.00' };
  const { url } = await as('zeroAmounts').open({
    recurring_init: true,
    schedule_id,
    payment_schedule_amount: '9.90',
    order,
  });
  const page = textOf((await startPayer(florin).visit(url)).html);
  for (const words of [
    '€9.90',
    'Every month',
    'By saving your card, you allow',
    'You pay nothing now',
    'To stop them, contact',
  ])
    expect(page).toContain(words);
  expect(page).not.toContain('By paying');
});

test('a plan that changes before the payment is shown again first', async ({ shop, cardShop, florin }) => {
  const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
  const { url, order } = await shop.open({ recurring_init: true, schedule_id });
  const payer = startPayer(florin);
  const before = await payer.visit(url);
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 24 });
  const after = await payer.payOn(before, cards.settled);
  expect(textOf(after.html)).toContain('24');
  expect(cardFormOf(after)).toBeDefined();
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).status).toBe('prepare');
  await payer.payOn(after, cards.settled);
  expect((await statusOf(shop, id)).status).toBe('settled');
});

for (const [what, request, words, stop] of [
  [
    'later charges without a schedule',
    { recurring_init: true },
    'keep your card and charge it again later',
    'To stop this, contact',
  ],
  ['a card that is kept', { req_token: true }, 'keep your card for later orders', 'To have it removed, contact'],
] as const) {
  test(`${what}: shown and recorded once for repeated attempts`, async ({ shop, florin }) => {
    const { url, order } = await shop.open(request);
    const payer = startPayer(florin);
    const page = textOf((await payer.visit(url)).html);
    for (const text of [words, stop]) expect(page).toContain(text);
    await payer.pay(url, cards.declined);
    await payer.pay(url, cards.settled);
    const { body } = await (await visitorAs(florin, 'viewer')).get(`/payments/${await idOf(shop, order.number)}`);
    const agreed = body.events.filter(({ title }: { title: string }) => title.startsWith('Payer agreed'));
    expect(agreed.map(({ detail }: { detail: string }) => detail.includes(words) && detail.includes(stop))).toEqual([
      true,
    ]);
  });
}

test('a ticked box is recorded with its words; a plain payment and a payout agree to nothing', async ({
  shop,
  florin,
}) => {
  const { url, order } = await shop.open({ recurring_init: true, recurring_consent_required: true });
  await startPayer(florin).pay(url, cards.settled, 'confirm', { consent: '1' });
  const viewer = await visitorAs(florin, 'viewer');
  const events = async (number: string) => (await viewer.get(`/payments/${await idOf(shop, number)}`)).body.events;
  const ticked = (await events(order.number)).find(({ title }: { title: string }) => /ticked/.test(title));
  expect(ticked.detail).toMatch(/you allow .*; I agree that/);
  const plain = await shop.open();
  expect(textOf((await startPayer(florin).visit(plain.url)).html)).not.toContain('By paying');
  await startPayer(florin).pay(plain.url, cards.settled);
  expect(JSON.stringify(await events(plain.order.number))).not.toContain('Payer agreed');
  const payout = await shop.open({ operation: 'credit' });
  expect(textOf((await startPayer(florin).visit(payout.url)).html)).not.toContain('you allow');
});

test('a payer who has the card saved: the merchant gets a token, which pays again', async ({ as, florin }) => {
  const shop = as('savedCards');
  const { url, order } = await shop.open({ methods: ['card'] });
  const payer = startPayer(florin);
  const tokensOf = (number: string) =>
    messagesOf(shop.shopServer.arrived(number)).flatMap(({ fields }) => fields.card_token ?? []);
  // A declined attempt with the box, then one without it.
  await payer.pay(url, cards.declined, 'confirm', { save_card: '1' });
  await payer.pay(url, cards.settled);
  expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 2);
  expect(tokensOf(order.number)).toEqual([]);
  const manager = await visitorAs(florin, 'manager');
  const { body: declinedFirst } = await manager.get(`/payments/${await idOf(shop, order.number)}`);
  const titles = declinedFirst.events.map(({ title }: { title: string }) => title);
  expect(titles.filter((title: string) => /agree/.test(title))).toEqual([
    'Payer agreed by a ticked box',
    'Payer withdrew the agreement',
  ]);
  const second = await shop.open({ methods: ['card'] });
  await payer.pay(second.url, cards.settled, 'confirm', { save_card: '1' });
  await shop.shopServer.waitFor(second.order.number, (all) => messagesOf(all).length >= 1);
  const [token = ''] = tokensOf(second.order.number);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const { body } = await manager.get(`/payments/${await idOf(shop, second.order.number)}`);
  const agreed = body.events.find(({ title }: { title: string }) => title.startsWith('Payer agreed'));
  expect([agreed.title, agreed.detail]).toEqual(['Payer agreed by a ticked box', 'Save this card for my next order']);
  const third = await shop.open({ methods: ['card'], card_token: [token] });
  expect((await payer.visit(third.url)).html).toContain('name="saved_card"');
});

test('the choice to save the card holds for a retry without the payer', async ({ as, florin }) => {
  const shop = as('savedCards');
  const { url, order } = await shop.open({ methods: ['card'] });
  const card = { number: '4000 0000 0000 1026', expiry: '12/30' };
  await startPayer(florin).pay(url, card, 'confirm', { save_card: '1' });
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).status).toBe('decline');
  expect((await shop.retry(id)).status).toBe(200);
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 2);
  const tokens = messagesOf(shop.shopServer.arrived(order.number)).map(({ fields }) => fields.card_token ?? '');
  expect(tokens).toEqual(['', expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('the box is offered only where the mapping allows it, and for nothing that keeps the card anyway', async ({
  as,
  shop,
  florin,
}) => {
  const offers = async (merchant: typeof shop, request: Changes) =>
    (await startPayer(florin).visit((await merchant.open(request)).url)).html.includes('name="save_card"');
  const methods = ['card'];
  expect(await offers(as('savedCards'), { methods })).toBe(true);
  expect(await offers(as('savedCards'), { methods, req_token: true })).toBe(false);
  expect(await offers(as('savedCards'), { methods, recurring_init: true })).toBe(false);
  expect(await offers(shop, {})).toBe(false);
  // A form that sends the box all the same keeps no card.
  const { url, order } = await shop.open();
  await startPayer(florin).pay(url, cards.settled, 'confirm', { save_card: '1' });
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 1);
  expect(messagesOf(shop.shopServer.arrived(order.number)).flatMap(({ fields }) => fields.card_token ?? [])).toEqual(
    [],
  );
});
