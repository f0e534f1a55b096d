// Every row of the sandbox's card table, paid on the payment page: the outcome, the callbacks, the status and the
// provider's journal must agree.

import { cardFormOf, returnLinkOf, startPayer } from '../support/payer.ts';
import { callbacksOf, expectCallbacks, idOf, statusOf, untilStatus } from '../support/payment-flows.ts';
import { type Delivery, describeDelivery } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';
import { rowsOf } from '../support/text-table.ts';

type Row = { id: string; number: string; expiry: string | null; brand: string; outcome: string };

// The row, and the callbacks in order. A provider that is polled soon after a timeout reports that the payment is
// pending.
const scenarios = rowsOf(`
  settled            | settled
  declined           | decline
  capture-declined   | settled
  3ds-settled        | 3ds settled
  3ds-declined       | 3ds decline
  redirect-settled   | redirect settled
  redirect-declined  | redirect decline
  payout             | decline
  visa               | settled
  mastercard         | settled
  mastercard-2       | settled
  amex               | settled
  discover           | settled
  diners             | settled
  jcb                | settled
  unionpay           | settled
  maestro            | settled
  mir                | settled
  troy               | settled
  elo                | settled
  hipercard          | settled
  hiper              | settled
  naranja            | settled
  verve              | settled
  rupay              | settled
  dinacard           | settled
  dankort            | settled
  uzcard             | settled
  humo               | settled
  belkart            | settled
  uatp               | settled
  no-funds           | decline
  over-limit         | decline
  wrong-cvv          | decline
  wrong-expiry       | decline
  wrong-number       | decline
  do-not-honour      | decline
  stolen             | decline
  technical          | decline
  first-fails        | decline
  3ds-first-fails    | 3ds decline
  3ds-frictionless   | settled
  3ds-code           | 3ds settled
  3ds-failed         | decline
  timeout-settled    | undefined waiting? settled
  timeout-declined   | undefined waiting? decline
  dropped            | undefined settled
  slow               | settled
  waiting-settled    | waiting settled
  waiting-declined   | waiting decline
  refund-declined    | settled
  void-declined      | settled
  next-no-funds      | settled
  next-stolen        | settled
`);

const callbackOf: Record<string, string> = {
  settled: 'success sale settled',
  decline: 'fail sale decline',
  '3ds': 'success 3ds 3ds',
  redirect: 'success redirect redirect',
  undefined: 'undefined sale prepare',
  waiting: 'waiting sale prepare',
};

async function cardRows(florin: string): Promise<Row[]> {
  const response = await fetch(`${florin}/sandbox/cards.json`);
  expect(response.status).toBe(200);
  return (await response.json()).cards;
}

test('every row of the table is tested', async ({ florin }) => {
  expect((await cardRows(florin)).map(({ id }) => id).sort()).toEqual(scenarios.map(([id]) => id).sort());
});

const atOnce = testsAtOnce();

for (const [name = '', scenario = ''] of scenarios) {
  atOnce(`${name}: ${scenario}`, async ({ as, florin, provider }) => {
    const row = (await cardRows(florin)).find(({ id }) => id === name);
    if (!row) throw new Error(`no card ${name}`);
    const shop = as(name.startsWith('timeout') ? 'impatient' : 'plain');
    const { order, url } = await shop.open();
    const [month = '12', year = '2038'] = row.expiry?.split('/') ?? [];
    const payer = startPayer(florin);
    const screen = await payer.pay(url, {
      number: row.number,
      expiry: `${month}/${year.slice(2)}`,
      cvv: row.brand === 'amex' ? '1234' : '123',
    });
    const outcomes = scenario.split(' ');
    const last = outcomes.at(-1) ?? '';
    const id = await idOf(shop, order.number);
    const status = await untilStatus(shop, id, last);
    const wanted = outcomes
      .filter((outcome) => !outcome.endsWith('?'))
      .map((outcome) => callbackOf[outcome] ?? outcome);
    const isLast = (delivery: Delivery) => describeDelivery(delivery) === wanted.at(-1);
    await shop.shopServer.waitFor(order.number, (all) => all.some(isLast));
    const messages = await callbacksOf(shop, order, wanted.length);
    const optional = callbackOf.waiting;
    const reported = messages
      .map(describeDelivery)
      .filter((text) => !scenario.includes('waiting?') || text !== optional);
    expect(reported).toEqual(wanted);

    const mask = messages.at(-1)?.fields.card ?? '';
    expect(mask).toMatch(/^\d{6}\*+\d{4}$/);
    expect(mask.slice(0, 6) + mask.slice(-4)).toBe(row.number.slice(0, 6) + row.number.slice(-4));
    if (last === 'decline') {
      expect(messages.at(-1)?.fields.reason).toBeTruthy();
      expect(status.reason).toBe(messages.at(-1)?.fields.reason);
    } else {
      expect(status).not.toHaveProperty('reason');
      if (outcomes.length === 1) expect(returnLinkOf(screen)?.searchParams.get('payment_id')).toBe(id);
    }
    const journal = await provider.journal(order.number);
    expect(journal).toHaveLength(1);
    expect(journal[0]).toMatchObject({ kind: 'payment', operation: 'sale', amount: '84.50', calls: 1 });
    expect(await provider.moved(order.number)).toEqual(last === 'settled' ? ['sale 84.50'] : []);
  });
}

test('3ds-code: a wrong code can be retried, three wrong codes end the challenge', async ({
  shop,
  florin,
  provider,
}) => {
  const row = (await cardRows(florin)).find(({ id }) => id === '3ds-code');
  const { order, url } = await shop.open();
  const card = { number: row?.number ?? '', expiry: '12/30' };
  await startPayer(florin).pay(url, card, { code: '0000' });
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).status).toBe('decline');
  expect(await provider.moved(order.number)).toEqual([]);
});

test('first-fails: the next attempt of the order settles', async ({ shop, florin }) => {
  const row = (await cardRows(florin)).find(({ id }) => id === 'first-fails');
  const { order, url } = await shop.open();
  const card = { number: row?.number ?? '', expiry: '12/30' };
  const payer = startPayer(florin);
  expect(cardFormOf(await payer.pay(url, card))).toBeTruthy();
  await payer.pay(url, card);
  await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
});

test('a known number with another expiry date is declined', async ({ shop, florin }) => {
  const { order, url } = await shop.open();
  await startPayer(florin).pay(url, { number: '4111111111111111', expiry: '04/38' });
  await expectCallbacks(shop, order, ['fail sale decline']);
});

test('a live card always fails, and the provider never receives it', async ({ shop, florin, provider }) => {
  const { order, url } = await shop.open({ req_token: true });
  await startPayer(florin).pay(url, { number: '4012888888881881', expiry: '12/30' });
  const [message] = await callbacksOf(shop, order, 1);
  expect(message?.fields).toMatchObject({ status: 'fail', order_status: 'decline' });
  expect(message?.fields).not.toHaveProperty('card_token');
  expect(await provider.journal(order.number)).toEqual([]);
});
