// Routing and failover: the account of a payment, the declines that cause a failover, and one consistent outcome for
// all callers (protocol.md 7 and 8). extended_data contains the account; the provider's journal contains the movements.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { routingOf, visitorAs } from '../support/dashboard.ts';
import { startKillableServer } from '../support/killable-server.ts';
import type { Merchant, Opened } from '../support/merchant.ts';
import { type Card, cardFormOf, cards } from '../support/payer.ts';
import { callbacksOf, expectCallbacks, pay, statusOf } from '../support/payment-flows.ts';
import { expectS2sCallbacks } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const firstFails: Card = { number: '4000 0000 0000 1026', expiry: '01/38' };
const challengeFirstFails: Card = { number: '4000 0000 0000 1109', expiry: '01/38' };
const technical: Card = { number: '4000 0000 0000 0119', expiry: '01/38' };
const funds: Card = { number: '4000 0000 0000 9995', expiry: '01/38' };
const stolen: Card = { number: '4000 0000 0000 9979', expiry: '01/38' };
const wrongCvv: Card = { number: '4000 0000 0000 0127', expiry: '01/38' };
const notConfirmed: Card = { number: '4000 0084 0000 1280', expiry: '01/38' };

/** The account name in the last callback of an order. */
async function midOf(shop: Merchant, order: Opened['order'], count: number): Promise<string | undefined> {
  return (await callbacksOf(shop, order, count)).at(-1)?.fields['extended_data[mid_name]'];
}

test.describe('a soft decline', () => {
  test('fails over to the next account, settles, and sends one callback', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { id, order, screen } = await pay(shop, firstFails);
    expect(cardFormOf(screen)).toBeUndefined();
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success sale settled']);
    expect(await midOf(shop, order, 1)).toBe('Three MIDs B');
    const journal = await provider.journal(order.number);
    expect(journal.map(({ status }) => status)).toEqual(['declined', 'approved']);
    expect(new Set(journal.map(({ reference }) => reference)).size).toBe(2);
  });

  test('leaves a routing log of the accounts, which the dashboard shows', async ({ as, florin }) => {
    const { id } = await pay(as('threeMids'), firstFails);
    const manager = await visitorAs(florin, 'manager');
    const { body } = await manager.get(`/payments/${id}`);
    expect(routingOf(body)).toEqual([
      'Three MIDs A: taken: priority',
      expect.stringMatching(/^Three MIDs B: taken: after a soft decline/),
    ]);
  });

  test('keeps the first trans_id for later requests', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { id, order } = await pay(shop, firstFails);
    const [callback] = await callbacksOf(shop, order, 1);
    await shop.refund(id, '4.50');
    const messages = await expectCallbacks(shop, order, ['success sale settled', 'success refund settled']);
    expect(messages[1]?.fields.trans_id).toBe(callback?.fields.trans_id);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 4.50']);
  });

  test('authorises at the next account and is captured there', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { id, order } = await pay(shop, firstFails, { auth: true });
    expect((await shop.capture(id)).body.status).toBe('settled');
    expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'capture 84.50']);
  });

  test('uses the completed challenge at the next account', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { id, order, screen } = await pay(shop, challengeFirstFails);
    expect(screen.html).not.toContain('<iframe');
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
    expect((await provider.journal(order.number)).map(({ status }) => status)).toEqual(['declined', 'approved']);
  });

  for (const [name, card] of [
    ['of a bank that cannot be reached', technical],
    ['for insufficient funds', funds],
  ] as const) {
    test(`${name} ends with the last account, with one callback`, async ({ as, provider }) => {
      const shop = as('threeMids');
      const { order, screen } = await pay(shop, card);
      expect(cardFormOf(screen)).toBeTruthy();
      await expectCallbacks(shop, order, ['fail sale decline']);
      expect(await midOf(shop, order, 1)).toBe('Three MIDs C');
      expect(await provider.journal(order.number)).toHaveLength(3);
    });
  }

  test('makes no more attempts than the mapping allows', async ({ as, provider }) => {
    const shop = as('twoOfThree');
    const { order } = await pay(shop, technical);
    await expectCallbacks(shop, order, ['fail sale decline']);
    expect(await provider.journal(order.number)).toHaveLength(2);
  });

  test('does not fail over if cascading is off', async ({ as, provider }) => {
    const shop = as('noCascade');
    const { order } = await pay(shop, firstFails);
    await expectCallbacks(shop, order, ['fail sale decline']);
    expect(await provider.journal(order.number)).toHaveLength(1);
  });

  test('lets the payer try again with all accounts', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { order, payer, screen } = await pay(shop, technical);
    await payer.payOn(screen, cards.settled);
    await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
    expect(await midOf(shop, order, 2)).toBe('Three MIDs A');
    expect(await provider.journal(order.number)).toHaveLength(4);
  });

  test('over S2S CARD is answered with the outcome of the last account', async ({ cardAs, provider }) => {
    const shop = cardAs('threeMids');
    const sold = await shop.sell({ ...cardFields.settled, card_number: '4000000000001026' });
    expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
    expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
    const details = await shop.follow('GET_TRANS_DETAILS', sold);
    expect(details.body.status).toBe('SETTLED');
  });

  test('of a hundred identical SALEs fails over once', async ({ cardAs, provider }) => {
    const shop = cardAs('threeMids');
    const body = shop.signed(shop.chargeBody('SALE', { card_number: '4000000000001026' }));
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.post(body)));
    expect([...new Set(answers.map((answer) => JSON.stringify(answer.body)))]).toHaveLength(1);
    expect(answers[0]?.body.status).toBe('SETTLED');
    expect(await provider.journal(String(body.order_id))).toHaveLength(2);
  });
});

test.describe('no failover', () => {
  for (const [name, card] of [
    ['a hard decline', cards.declined],
    ['a stolen card', stolen],
    ['a wrong security code, which the payer can correct', wrongCvv],
    ['a failed authentication at the bank', notConfirmed],
  ] as const) {
    test(`after ${name}`, async ({ as, provider }) => {
      const shop = as('threeMids');
      const { order } = await pay(shop, card);
      await expectCallbacks(shop, order, ['fail sale decline']);
      expect(await provider.journal(order.number)).toHaveLength(1);
    });
  }

  test('while the outcome is unknown', async ({ as, provider }) => {
    const shop = as('threeMids');
    const { order, opened, payer } = await pay(shop, { number: '4000 0000 0000 1059', expiry: '01/38' });
    await payer.visit(opened.url);
    await callbacksOf(shop, order, 2);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
    expect(await provider.journal(order.number)).toHaveLength(1);
  });
});

test.describe('rules', () => {
  const routes: [name: string, card: Card, order: object, mid: string][] = [
    ['without a rule the first account', cards.settled, {}, 'Rules A'],
    ['by currency', cards.settled, { currency: 'USD' }, 'Rules C'],
    ['by brand', { number: '5555 5555 5555 4444', expiry: '01/38' }, {}, 'Rules B'],
    ['by the country of the card', { number: '4000 0000 0000 3055', expiry: '01/38' }, {}, 'Rules C'],
    ['by amount', cards.settled, { amount: '1000.00' }, 'Rules B'],
    ['by amount, just below', cards.settled, { amount: '999.99' }, 'Rules A'],
  ];
  for (const [name, card, changes, mid] of routes) {
    test(name, async ({ as }) => {
      const shop = as('rules');
      const { order } = await pay(shop, card, { order: changes });
      expect(await midOf(shop, order, 1)).toBe(mid);
    });
  }

  test("get the countries of cards from the deployment's list", async ({ cardAs, shopServer }) => {
    const folder = mkdtempSync(join(tmpdir(), 'florin-bins-'));
    const list = join(folder, 'bin-countries.csv');
    writeFileSync(list, 'bin,country\n411111,NL\n4000,FR\n');
    const server = await startKillableServer({ BIN_COUNTRIES_FILE: list });
    const shop = cardMerchant(server.url, cardAs('rules').credentials, shopServer);
    const accounts = [];
    for (const card_number of ['4111111111111111', '4000000000003055', '5555555555554444']) {
      const sold = await shop.sell({ ...cardFields.settled, card_number });
      const [callback] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
      accounts.push(callback?.fields['extended_data[mid_name]']);
    }
    await server.kill();
    rmSync(folder, { recursive: true });
    // A longer prefix in the sandbox's list precedes a shorter one in the deployment's list.
    expect(accounts).toEqual(['Rules C', 'Rules C', 'Rules B']);
  });

  test('skip an account that has reached its limit', async ({ as }, { project }) => {
    const shop = as('limitedFirst');
    // Each currency has a limit of its own, and each project a currency.
    const currency = project.name === 'api' ? 'EUR' : 'USD';
    const accounts = [];
    for (const amount of ['60.00', '60.00', '40.00']) {
      const { order } = await pay(shop, cards.settled, { order: { amount, currency } });
      accounts.push(await midOf(shop, order, 1));
    }
    expect(accounts).toEqual(['Limited first A', 'Limited first B', 'Limited first A']);
  });

  test('keep subsequent payments at their account, whatever the rules say', async ({ cardAs }) => {
    const shop = cardAs('rules');
    const sold = await shop.sell({ recurring_init: 'Y', order_amount: '1000.00' });
    const answer = await shop.again(sold, { order_amount: '12.00' });
    expect(answer.body.status).toBe('SETTLED');
    const repeated = { ...sold, orderId: answer.body.order_id, transId: answer.body.trans_id };
    const [callback] = await expectS2sCallbacks(shop, repeated, ['RECURRING_SALE SUCCESS SETTLED']);
    expect(callback?.fields['extended_data[mid_name]']).toBe('Rules B');
  });
});

test('a subsequent payment reports the limit that it exceeds', async ({ cardAs }, { project }) => {
  const shop = cardAs('dailyMidLimit');
  // Each project has a currency, and so a limit of its own.
  const order_currency = project.name === 'api' ? 'GBP' : 'CHF';
  const sold = await shop.sell({ recurring_init: 'Y', order_amount: '60.00', order_currency });
  const { status, body } = await shop.again(sold, { order_amount: '40.01' });
  expect([status, body.error_code]).toEqual([400, 204007]);
  expect((await shop.again(sold, { order_amount: '40.00' })).body.status).toBe('SETTLED');
});
