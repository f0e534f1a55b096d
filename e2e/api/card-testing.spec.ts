// The defence against card testing, on servers that the tests start with the production settings: many payers pass,
// testers are stopped before a provider is asked, and the merchant can read the reason.

import type { CardMerchant } from '../support/card-merchant.ts';
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { cardOf, numberOf, settledNumbers, storedOf } from '../support/card-testing.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard, typed } from '../support/hosted-fields-requests.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cards, type Screen, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

let server: KillableServer;

test.beforeAll(async () => {
  server = await startKillableServer({ CARD_TESTING: 'on', TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' });
});

test.afterAll(() => server.kill());

// Counters forget the earlier ten minutes little by little: exact counts need a test within the same ten minutes.
test.beforeEach(async () => {
  const left = 600_000 - (Date.now() % 600_000);
  if (left < 30_000) await new Promise((done) => setTimeout(done, left));
});

type Sale = { payer_ip: string } & typeof cardFields.settled;

/** Makes sales one after the other; returns the results. */
async function sellAll(shop: CardMerchant, sales: Sale[]): Promise<string[]> {
  const results: string[] = [];
  for (const sale of sales) results.push((await shop.charge('SALE', sale)).body.result);
  return results;
}

async function stopsBy(cause: string): Promise<number> {
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return Number(new RegExp(`^florin_card_testing_total\\{by="${cause}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** The timeline of a payment as its merchant reads it. */
async function timelineOf(florin: string, order: string) {
  const manager = await visitorAs(florin, 'manager');
  const [row] = await sql('select id from payments where order_number = $1', [order]);
  return (await manager.get(`/payments/${row?.id}`)).body;
}

test('a flash sale of 500 payers behind one address passes', async ({ shopServer }) => {
  const shop = cardMerchant(server.url, merchants.flashSale, shopServer);
  // One in eight is declined. No two payers of the same moment have the same card.
  const sale = (index: number) => {
    const number = index % 8 === 0 ? numberOf(`4539${100 + index}`, 1) : settledNumbers[index % 20];
    return shop.charge('SALE', { payer_ip: '203.0.113.50', ...cardFields.settled, card_number: number });
  };
  const counts: Record<string, number> = {};
  for (let round = 0; round < 25; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => sale(round * 20 + index)));
    for (const { body } of answers) counts[body.result] = (counts[body.result] ?? 0) + 1;
  }
  expect(counts).toEqual({ SUCCESS: 437, DECLINED: 63 });
});

test('a hundred cards of one BIN from a hundred addresses are stopped, and no provider is asked', async ({
  shopServer,
  florin,
  provider,
}) => {
  const shop = cardMerchant(server.url, merchants.plain, shopServer);
  const attempts = Array.from({ length: 100 }, (_, index) => ({
    payer_ip: `198.18.${index}.7`,
    ...cardOf(numberOf('400000', 7000 + index)),
  }));
  expect(new Set(await sellAll(shop, attempts))).toEqual(new Set(['DECLINED']));
  // A card of the same BIN that the provider would settle is stopped too.
  const orderId = `stopped-${Date.now()}`;
  const { body } = await shop.charge('SALE', {
    order_id: orderId,
    payer_ip: '198.18.200.7',
    ...cardOf('4000000000001075'),
  });
  expect(body).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: 'Declined by processing' });
  expect(await provider.journal(orderId)).toEqual([]);
  const page = JSON.stringify(await timelineOf(florin, orderId));
  expect(page).toMatch(
    /stopped as card testing: 20 of 2\d attempts of cards of these first six digits at this merchant declined within 10/,
  );
  expect(page).toContain('card_testing');
  expect(page).toMatch(/stopped before/);
  // Another BIN and another merchant are not affected.
  expect((await shop.charge('SALE', { payer_ip: '198.18.201.7' })).body.result).toBe('SUCCESS');
  // One line, and the figures.
  expect(server.output().match(/ALERT: card testing is blocked/g)?.length).toBeGreaterThan(0);
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` },
  });
  const stops = Number(/^florin_card_testing_total\{by="bin"\} (\d+)/m.exec(await metrics.text())?.[1]);
  expect(stops).toBeGreaterThanOrEqual(75);
});

test("over S2S the payer's address counts, not the address of the merchant's server", async ({ shopServer }) => {
  const shop = cardMerchant(server.url, merchants.alwaysReuses, shopServer);
  const at = (payer_ip: string, index: number) => ({ payer_ip, ...cardOf(numberOf(`4539${10 + index}`, 1)) });
  await sellAll(
    shop,
    Array.from({ length: 10 }, (_, index) => at('198.19.1.1', index)),
  );
  const good = { ...cardFields.settled };
  expect((await shop.charge('SALE', { ...good, payer_ip: '198.19.1.1' })).body.result).toBe('DECLINED');
  expect((await shop.charge('SALE', { ...good, payer_ip: '198.19.1.2' })).body.result).toBe('SUCCESS');
  // Another merchant, to whom this one cannot name declines, and the payer's own browser.
  const other = cardMerchant(server.url, merchants.impatient, shopServer);
  expect((await other.charge('SALE', { ...good, payer_ip: '198.19.1.1' })).body.result).toBe('SUCCESS');
  const { url } = await merchantClient(server.url, merchants.plain, shopServer).open();
  const browser = startPayer(server.url, { 'x-forwarded-for': '198.19.1.1' });
  expect((await browser.pay(url, cards.settled)).html).toContain('<title>Paid');
});

test('one card number with many expiry dates is stopped for every address', async ({ shopServer }) => {
  const shop = cardMerchant(server.url, merchants.threeMids, shopServer);
  const number = numberOf('455673', 1);
  const months = Array.from({ length: 6 }, (_, index) => ({
    ...cardOf(number),
    card_exp_month: String(index + 1).padStart(2, '0'),
    payer_ip: `198.19.2.${index}`,
    order_id: `dates-${Date.now()}-${index}`,
  }));
  await sellAll(shop, months);
  const stopped = /florin_card_testing_total\{by="card"\} [1-9]/;
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` },
  });
  expect(await metrics.text()).toMatch(stopped);
});

test("the payment page counts its payer's browser, and shows the block as a decline", async ({
  shopServer,
  provider,
}) => {
  const shop = merchantClient(server.url, merchants.german, shopServer);
  const browserAt = (address: string) => startPayer(server.url, { 'x-forwarded-for': address });
  for (let index = 0; index < 10; index += 1) {
    const { url } = await shop.open();
    await browserAt('198.19.3.1').pay(url, { number: numberOf(`4916${30 + index}`, 1), expiry: '01/38' });
  }
  const stopped = await shop.open();
  const screen = await browserAt('198.19.3.1').pay(stopped.url, cards.settled);
  expect(screen.html).toContain('data-pay');
  expect(await provider.journal(stopped.order.number)).toEqual([]);
  // Further attempts get the same answer, with and without the page's script, and nothing is stored for them.
  const stored = { attempts: 1, stopped: 1, callbacks: 1 };
  expect(await storedOf(stopped.order.number)).toEqual(stored);
  const again = await browserAt('198.19.3.1').payOn(screen, cards.settled);
  for (const { html } of [screen, again]) expect(html).toContain('<title>Abgelehnt: ');
  const script = startPayer(server.url, { 'x-forwarded-for': '198.19.3.1', accept: 'application/json' });
  const answer = JSON.parse((await script.payOn(again, cards.settled)).html);
  expect(answer.next).toBe('stay');
  expect(screen.html).toContain(answer.alert.heading);
  expect(await storedOf(stopped.order.number)).toEqual(stored);
  // From an address that is not stopped the same payment still succeeds.
  await browserAt('198.19.3.3').pay(stopped.url, cards.settled);
  expect(await storedOf(stopped.order.number)).toEqual({ attempts: 2, stopped: 1, callbacks: 2 });
  const free = await shop.open();
  await browserAt('198.19.3.2').pay(free.url, cards.settled);
  expect((await provider.journal(free.order.number)).length).toBeGreaterThan(0);
});

test('hosted fields count the browser that contains them, not the server that pays', async ({
  shopServer,
  provider,
}) => {
  const shop = merchantClient(server.url, merchants.framed, shopServer);
  const pay = async (address: string, card: object) => {
    const { token, order } = await createSessionToken(shop);
    await collect(shop, token, card, { 'x-forwarded-for': address });
    const { body } = await processCard(shop, token);
    return { order, result: body.result };
  };
  for (let index = 0; index < 10; index += 1) {
    const number = numberOf(`4485${40 + index}`, 1);
    expect((await pay('198.19.4.1', { ...typed.settled, card_number: number })).result).toBe('decline');
  }
  const stopped = await pay('198.19.4.1', typed.settled);
  expect([stopped.result, await provider.journal(stopped.order.number)]).toEqual(['decline', []]);
  expect((await pay('198.19.4.2', typed.settled)).result).toBe('success');
});

test('a payment that is stopped stores and reports one stopped attempt, and answers all of them alike', async ({
  shopServer,
  provider,
  florin,
}) => {
  const shop = merchantClient(server.url, merchants.framed, shopServer);
  const { token, order } = await createSessionToken(shop);
  const pay = async (index: number, card: object) => {
    await collect(shop, token, { ...typed.settled, ...card }, { 'x-forwarded-for': `198.19.6.${index}` });
    const { status, body } = await processCard(shop, token);
    return [status, body.result, body.decline_message];
  };
  let declined: unknown[] = [];
  for (let index = 0; index < 10; index += 1)
    declined = await pay(index, { card_number: numberOf(`4716${50 + index}`, 1) });
  expect(declined.slice(0, 2)).toEqual([200, 'decline']);
  expect(await storedOf(order.number)).toEqual({ attempts: 10, stopped: 0, callbacks: 10 });
  const before = await stopsBy('session');
  for (let index = 10; index < 14; index += 1) expect(await pay(index, {})).toEqual(declined);
  expect(await storedOf(order.number)).toEqual({ attempts: 11, stopped: 1, callbacks: 11 });
  expect(await stopsBy('session')).toBe(before + 4);
  expect(JSON.stringify(await timelineOf(florin, order.number))).toContain(
    'stopped as card testing: 10 declines of this payment',
  );
  expect(await provider.journal(order.number)).toEqual([]);
});

test('a stop looks like a decline on the page, and a payment has one stopped attempt whatever is tried between', async ({
  shopServer,
  provider,
}) => {
  const shop = merchantClient(server.url, merchants.demo, shopServer);
  const { url, order } = await shop.open({
    methods: ['card', 'papara'],
    parameters: { papara: { memberId: 'm1' } },
    order: { currency: 'TRY' },
  });
  let attempts = 0;
  const nextPayer = (accept?: string) => {
    attempts += 1;
    return startPayer(server.url, { 'x-forwarded-for': `198.19.7.${attempts}`, ...(accept && { accept }) });
  };
  /** What the payer can see of an answer: the title, and the number of the form. */
  const seen = ({ html }: Screen) => [/<title>([^<]*)/.exec(html)?.[1], numberIn(html)];
  const numberIn = (html: string) => Number(/name="attempt" value="(\d+)"/.exec(html)?.[1]);
  let screen = await nextPayer().visit(url);
  attempts = 0;
  for (let index = 0; index < 10; index += 1) {
    const payer = nextPayer();
    screen = await payer.payOn(screen, { number: numberOf(`4929${50 + index}`, 1), expiry: '01/38' });
  }
  const declined = seen(screen);
  const declinedHtml = screen.html;
  expect(declined).toEqual([expect.stringContaining('Declined'), 10]);
  for (let round = 0; round < 3; round += 1) {
    screen = await nextPayer().payOn(screen, cards.settled);
    expect(seen(screen)).toEqual([declined[0], attempts]);
    const again = await nextPayer().payOn(screen, cards.settled);
    expect(seen(again)).toEqual([declined[0], attempts]);
    // A form from before the stop is outdated, as it is after a decline: it pays by no method.
    const papara = (from: Screen) => {
      const form = from.forms.find(({ controls }) => controls.some(({ value }) => value === 'papara'));
      if (!form) throw new Error('the page does not offer papara');
      return startPayer(server.url).submit(form, { method: 'papara' });
    };
    const outdated = await papara(screen);
    expect(seen(outdated)).toEqual([declined[0], attempts]);
    expect(Number(new URL(outdated.url).searchParams.get('attempt'))).toBe(attempts);
    await papara(again);
    attempts += 1;
    const open = await startPayer(server.url).visit(url);
    const leave = open.forms.find(({ action }) => action.endsWith('/abandon'));
    if (!leave) throw new Error('the payment by papara cannot be left');
    screen = await startPayer(server.url).submit(leave);
  }
  // Ten declines, the stop, and three attempts by papara with two callbacks each.
  const stored = { attempts: 14, stopped: 1, callbacks: 17 };
  expect(await storedOf(order.number)).toEqual(stored);
  const script = await nextPayer('application/json').payOn(screen, cards.settled);
  expect(JSON.parse(script.html)).toMatchObject({ next: 'stay', errors: {}, hidden: { attempt: String(attempts) } });
  expect(declinedHtml).toContain(JSON.parse(script.html).alert.heading);
  expect(await storedOf(order.number)).toEqual(stored);
  const asked = await provider.journal(order.number);
  expect(asked.filter(({ card }) => card?.endsWith('1111'))).toEqual([]);
});

test('a session ends after fifty attempts, with those that were stopped', async ({ shopServer }) => {
  const shop = merchantClient(server.url, merchants.framed, shopServer);
  const { token, order } = await createSessionToken(shop);
  const pay = async (index: number, card: object) => {
    await collect(shop, token, { ...typed.settled, ...card }, { 'x-forwarded-for': `198.19.8.${index}` });
    return processCard(shop, token);
  };
  for (let index = 0; index < 50; index += 1) {
    const { status, body } = await pay(index, { card_number: numberOf(`4716${10 + index}`, 2) });
    expect([status, body.result]).toEqual([200, 'decline']);
  }
  expect(await storedOf(order.number)).toEqual({ attempts: 11, stopped: 1, callbacks: 11 });
  const { status, body } = await pay(50, {});
  expect([status, body.error_message]).toEqual([400, 'Duplicate request.']);
});

test('verifications of cards that are saved without a payment count like payments', async ({
  shopServer,
  provider,
}) => {
  const shop = merchantClient(server.url, merchants.zeroAmounts, shopServer);
  const save = async (card: object) => {
    const order = { amount: '0.00' };
    const opened = await createSessionToken(shop, { order, recurring_init: true, req_token: true });
    await collect(shop, opened.token, card, { 'x-forwarded-for': '198.19.4.9' });
    return { order: opened.order, result: (await processCard(shop, opened.token)).body.result };
  };
  for (let index = 0; index < 10; index += 1) {
    const number = numberOf(`4539${40 + index}`, 1);
    expect((await save({ ...typed.settled, card_number: number })).result).toBe('decline');
  }
  const stopped = await save(typed.settled);
  expect([stopped.result, await provider.journal(stopped.order.number)]).toEqual(['decline', []]);
});

test("while a merchant's defence is active, fewer declines are enough", async ({ shopServer }) => {
  const limits = 'merchant=10 address=30 bin=1000 card=1000 session=1000';
  const own = await startKillableServer({ CARD_TESTING: limits, LOG_LEVEL: 'error' });
  try {
    const shop = cardMerchant(own.url, merchants.noCascade, shopServer);
    const at = (payer_ip: string, index: number) => ({ payer_ip, ...cardOf(numberOf(`5454${10 + index}`, 1)) });
    await sellAll(
      shop,
      Array.from({ length: 10 }, (_, index) => at('198.19.5.1', index)),
    );
    expect(own.output()).not.toContain('ALERT');
    // Ten of thirty are a third; a payer from another address still passes.
    const good = { ...cardFields.settled };
    expect((await shop.charge('SALE', { ...good, payer_ip: '198.19.5.1' })).body.result).toBe('DECLINED');
    expect((await shop.charge('SALE', { ...good, payer_ip: '198.19.5.2' })).body.result).toBe('SUCCESS');
    expect(own.output()).toContain('ALERT: the card testing defence of a merchant is active');
    const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
    const metrics = await (await fetch(`${own.url}/metrics`, { headers })).text();
    expect(metrics).toContain('florin_card_testing_total{by="merchant"} 1');
  } finally {
    await own.kill();
  }
});
