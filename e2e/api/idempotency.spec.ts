// Modifications with an Idempotency-Key: a repeated request gets the first answer and moves money once, at any time and
// at any process. Every modification has an id that distinguishes it (protocol.md 5).
import { randomUUID } from 'node:crypto';
import { cardMerchant } from '../support/card-merchant.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type Answer, merchantClient } from '../support/merchant.ts';
import { authorise, callbacksOf, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

const keyed = (key: string) => ({ 'idempotency-key': key });
const operationOf = ({ headers }: Answer) => headers.get('florin-operation-id');
/** The members in which a repeat must be equal. */
const comparable = (answer: Answer) => ({ status: answer.status, body: answer.body, operation: operationOf(answer) });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('the same CREDITVOID repeated under its key refunds once', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell();
  const key = randomUUID();
  const first = await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed(key));
  const second = await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed(key));
  expect(first.body).toEqual({
    action: 'CREDITVOID',
    result: 'ACCEPTED',
    order_id: sold.orderId,
    trans_id: sold.transId,
  });
  expect(operationOf(first)).toMatch(uuid);
  expect(comparable(second)).toEqual(comparable(first));
  await cardShop.shopServer.waitFor(sold.orderId, (all) => all.some(({ fields }) => fields.action === 'CREDITVOID'));
  // The same amount in another notation is the same request.
  const third = await cardShop.follow('CREDITVOID', sold, { amount: '5' }, keyed(key));
  expect(comparable(third)).toEqual(comparable(first));
  expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 5.00']);
});

test('without a key, or with another key, it is another movement', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell();
  const answers = [
    await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }),
    await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }),
    await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed('a')),
    await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed('b')),
  ];
  expect(new Set(answers.map(operationOf)).size).toBe(4);
  await expect.poll(() => provider.moved(sold.orderId)).toHaveLength(5);
});

test('twenty concurrent requests to two processes move it once', async ({ cardShop, shop, shopServer, provider }) => {
  const victim = await startKillableServer();
  const otherCard = cardMerchant(victim.url, cardShop.credentials, shopServer);
  const other = merchantClient(victim.url, shop.credentials, shopServer);
  const sold = await cardShop.sell();
  const authorised = await authorise(shop);
  const paid = await pay(shop);
  const concurrently = <T>(ask: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, at) => ask(at)));

  const key = randomUUID();
  const refunds = await concurrently((at) =>
    (at % 2 ? cardShop : otherCard).follow('CREDITVOID', sold, { amount: '5.00' }, keyed(key)),
  );
  const captures = await concurrently((at) => (at % 2 ? shop : other).capture(authorised.id, '30.00', keyed(key)));
  const voids = await concurrently((at) => (at % 2 ? shop : other).void(paid.id, keyed(key)));
  for (const answers of [refunds, captures, voids]) {
    expect(answers[0]?.status, JSON.stringify(answers[0]?.body)).toBe(200);
    for (const answer of answers) expect(comparable(answer)).toEqual(comparable(answers[0] as Answer));
  }
  expect(captures[0]?.body).toMatchObject({ status: 'settled', trans_status: 'SUCCESS' });
  expect(voids[0]?.body).toMatchObject({ status: 'void', trans_status: 'SUCCESS' });
  await expect.poll(() => provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 5.00']);
  expect(await provider.moved(authorised.order.number)).toEqual(['authorize 84.50', 'capture 30.00']);
  expect(await provider.moved(paid.order.number)).toHaveLength(2);
  await victim.kill();
});

test('a repeat gets the first answer, even if the payment has changed since', async ({ shop, cardShop }) => {
  const authorised = await authorise(shop);
  const first = await shop.capture(authorised.id, '30.00', keyed('mine'));
  await shop.refund(authorised.id);
  await untilStatus(shop, authorised.id, 'refund');
  const repeated = await shop.capture(authorised.id, '30.00', keyed('mine'));
  expect(first.body).toMatchObject({ status: 'settled', operation_id: operationOf(first) });
  expect(comparable(repeated)).toEqual(comparable(first));

  const card = await cardShop.sell({ auth: 'Y' });
  const captured = await cardShop.follow('CAPTURE', card, { amount: '30.00' }, keyed('mine'));
  expect(captured.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', amount: '30.00' });
  const voidedCard = await cardShop.follow('VOID', card, {}, keyed('undo'));
  expect(voidedCard.body).toMatchObject({ result: 'SUCCESS', status: 'VOID' });
  expect(comparable(await cardShop.follow('CAPTURE', card, { amount: '30.00' }, keyed('mine')))).toEqual(
    comparable(captured),
  );
  expect(comparable(await cardShop.follow('VOID', card, {}, keyed('undo')))).toEqual(comparable(voidedCard));
});

test('a repeated full Checkout refund is accepted', async ({ shop, provider }) => {
  const { id, order } = await pay(shop);
  const first = await shop.refund(id, undefined, keyed('mine'));
  expect(first.body).toEqual({ payment_id: id, result: 'accepted', operation_id: operationOf(first) });
  await untilStatus(shop, id, 'refund');
  expect(comparable(await shop.refund(id, undefined, keyed('mine')))).toEqual(comparable(first));
  expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 84.50']);
});

test('S2S APM accepts the key too', async ({ apmShop, provider }) => {
  const sold = await apmShop.sell();
  const first = await apmShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed('mine'));
  const second = await apmShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed('mine'));
  expect(first.body).toMatchObject({ result: 'ACCEPTED' });
  expect(comparable(second)).toEqual(comparable(first));
  await expect.poll(() => provider.moved(sold.orderId)).toHaveLength(2);
  const whole = await apmShop.sell();
  const voided = await apmShop.follow('VOID', whole, {}, keyed('mine'));
  expect(voided.body).toMatchObject({ result: 'SUCCESS', status: 'VOID' });
  expect(comparable(await apmShop.follow('VOID', whole, {}, keyed('mine')))).toEqual(comparable(voided));
});

test('the key with another amount or another operation is 409 and moves nothing', async ({
  shop,
  cardShop,
  provider,
}) => {
  const sold = await cardShop.sell();
  await cardShop.follow('CREDITVOID', sold, { amount: '5.00' }, keyed('mine'));
  const { id, order } = await pay(shop);
  await shop.refund(id, '5.00', keyed('mine'));
  const others = [
    await cardShop.follow('CREDITVOID', sold, { amount: '6.00' }, keyed('mine')),
    await cardShop.follow('CREDITVOID', sold, {}, keyed('mine')),
    await cardShop.follow('VOID', sold, {}, keyed('mine')),
    await shop.refund(id, '6.00', keyed('mine')),
    await shop.refund(id, undefined, keyed('mine')),
    await shop.void(id, keyed('mine')),
  ];
  for (const { status, body } of others) {
    expect([status, body]).toEqual([
      409,
      {
        result: 'ERROR',
        error_code: 400,
        error_message: 'Duplicate request.',
        errors: [{ error_code: 100000, error_message: 'Idempotency-Key: This value was used with other values.' }],
      },
    ]);
  }
  for (const number of [sold.orderId, order.number])
    await expect.poll(() => provider.moved(number)).toEqual(['sale 84.50', 'refund 5.00']);
});

test('keys of other payments and other merchants are independent', async ({ shop, as, provider }) => {
  const own = [await pay(shop), await pay(shop)];
  const other = as('other');
  const foreign = await pay(other);
  const answers = [
    await shop.refund(own[0]?.id ?? '', '5.00', keyed('shared')),
    await shop.refund(own[1]?.id ?? '', '6.00', keyed('shared')),
    await other.refund(foreign.id, '7.00', keyed('shared')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(operationOf)).size).toBe(3);
  await expect.poll(() => provider.moved(foreign.order.number)).toEqual(['sale 84.50', 'refund 7.00']);
});

test('an API error is not stored: the key stays free', async ({ shop }) => {
  const { id } = await pay(shop);
  expect((await shop.refund(id, '84.51', keyed('mine'))).body.error_code).toBe(208006);
  expect((await shop.refund(id, '5.00', keyed('mine'))).status).toBe(200);
});

test("an empty, too long or unprintable key is rejected with its header's name", async ({ shop, cardShop }) => {
  const { id } = await pay(shop);
  const sold = await cardShop.sell();
  const bad = [
    ['', 'This value should not be blank.'],
    ['x'.repeat(256), 'This value is not valid.'],
    ['a\tb', 'This value is not valid.'],
    ['a, b', 'This value is not valid.'],
    ['\u00fc', 'This value is not valid.'],
  ];
  for (const [key = '', text] of bad) {
    const rejected = {
      result: 'ERROR',
      error_code: 100000,
      error_message: 'Request data is invalid.',
      errors: [{ error_code: 100000, error_message: `Idempotency-Key: ${text}` }],
    };
    const answers = [
      await shop.refund(id, '1.00', keyed(key)),
      await shop.void(id, keyed(key)),
      await cardShop.follow('CREDITVOID', sold, { amount: '1.00' }, keyed(key)),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([400, rejected]);
  }
  expect((await statusOf(shop, id)).status).toBe('settled');
  expect((await shop.refund(id, '1.00', keyed('~ '.repeat(127)))).status).toBe(200);
});

test('a repeat after the process was killed returns the outcome of the first request', async ({
  as,
  shopServer,
  provider,
}) => {
  const shop = as('impatient');
  const victim = await startKillableServer();
  const victimShop = merchantClient(victim.url, shop.credentials, shopServer);
  const authorised = await authorise(shop);
  const paid = await pay(shop);
  await provider.fault({ fault: 'hang', call: 'capture', carriedOut: true }, authorised.order.number);
  await provider.fault({ fault: 'hang', call: 'refund', carriedOut: true }, paid.order.number);
  const broken = [
    victimShop.capture(authorised.id, '30.00', keyed('mine')),
    victimShop.refund(paid.id, '20.00', keyed('mine')),
  ];
  const pending = Promise.allSettled(broken);
  for (const { order } of [authorised, paid]) await expect.poll(() => provider.moved(order.number)).toHaveLength(2);
  await victim.kill();
  await pending;

  const [capture, refund] = await Promise.all([
    shop.capture(authorised.id, '30.00', keyed('mine')),
    shop.refund(paid.id, '20.00', keyed('mine')),
  ]);
  expect(capture.body).toMatchObject({ status: 'settled', trans_status: 'SUCCESS' });
  expect(refund.body).toMatchObject({ result: 'accepted' });
  expect(comparable(await shop.capture(authorised.id, '30.00', keyed('mine')))).toEqual(comparable(capture));
  // A busy machine reports first that the outcome is not known yet.
  const refunds = async () => {
    const messages = await callbacksOf(shop, paid.order, 2, 40);
    return messages.slice(1).map(({ fields: { type, status, operation_id } }) => [type, status, operation_id]);
  };
  await expect.poll(refunds).toContainEqual(['refund', 'success', operationOf(refund)]);
  expect(await provider.moved(authorised.order.number)).toEqual(['authorize 84.50', 'capture 30.00']);
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50', 'refund 20.00']);
});

test('two equal refunds are distinguishable, in callbacks and status requests', async ({ shop }) => {
  const { id, order } = await pay(shop);
  const [one, two] = [await shop.refund(id, '20.00'), await shop.refund(id, '20.00')];
  const ids = [one, two].map(operationOf);
  expect([one.body.operation_id, two.body.operation_id]).toEqual(ids);
  const [paid, ...refunds] = await callbacksOf(shop, order, 3);
  expect(paid?.headers).not.toHaveProperty('florin-operation-id');
  expect(paid?.fields).not.toHaveProperty('operation_id');
  expect(refunds.map(({ headers }) => headers['florin-operation-id']).sort()).toEqual([...ids].sort());
  for (const { fields, headers } of refunds) expect(fields.operation_id).toBe(headers['florin-operation-id']);

  expect(await statusOf(shop, id)).not.toHaveProperty('operations');
  const { body } = await shop.status(id, { operations: 'Y' });
  const entry = { type: 'refund', status: 'success', amount: '20.00', date: expect.stringMatching(/^\d{4}-/) };
  expect(body.operations).toEqual(ids.map((operation_id) => ({ operation_id, ...entry })));
  expect(body.refundable_amount).toBe('44.50');
  const authorised = await authorise(shop);
  const { body: pending } = await shop.status(authorised.id, { operations: 'Y' });
  expect([pending.operations, pending.refundable_amount]).toEqual([[], '0.00']);
});

test('GET_TRANS_DETAILS lists every movement and the rest', async ({ cardShop }) => {
  const sold = await cardShop.sell({ auth: 'Y' });
  const captured = await cardShop.follow('CAPTURE', sold, { amount: '50.00' });
  const refunded = await cardShop.follow('CREDITVOID', sold, { amount: '20.00' });
  const messages = await cardShop.shopServer.waitFor(sold.orderId, (all) => all.length >= 3);
  expect(messages.map(({ headers }) => headers['florin-operation-id'])).toEqual([
    undefined,
    operationOf(captured),
    operationOf(refunded),
  ]);
  const { body } = await cardShop.follow('GET_TRANS_DETAILS', sold);
  expect(body.refundable_amount).toBe('30.00');
  expect(body.transactions).toMatchObject([
    { operation_id: sold.transId, type: 'AUTH', amount: '84.50' },
    { operation_id: operationOf(captured), type: 'CAPTURE', amount: '50.00', status: 'success' },
    { operation_id: operationOf(refunded), type: 'REFUND', amount: '20.00', status: 'success' },
  ]);
});

test('the refundable rest is never negative, even if the bank took back a refunded amount', async ({
  cardShop,
  provider,
}) => {
  const sold = await cardShop.sell();
  await cardShop.follow('CREDITVOID', sold, { amount: '50.00' });
  await cardShop.shopServer.waitFor(sold.orderId, (all) => all.some(({ fields }) => fields.action === 'CREDITVOID'));
  await provider.chargeback(sold.orderId, '84.50');
  await untilS2sStatus(cardShop, sold, 'CHARGEBACK');
  const { body } = await cardShop.follow('GET_TRANS_DETAILS', sold);
  expect(body.refundable_amount).toBe('0.00');
  expect((await cardShop.follow('CREDITVOID', sold, { amount: '1.00' })).status).toBe(400);
});

test('of 40 concurrent refunds of 1.00 of 30.00, 30 are accepted and 10 exceed the rest', async ({
  cardShop,
  provider,
}) => {
  const sold = await cardShop.sell({ order_amount: '30.00' });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => cardShop.follow('CREDITVOID', sold, { amount: '1.00' })),
  );
  // A refund that is decided after all 30.00 were refunded finds no settled payment (208005).
  const results = answers.map(({ body }) => String(body.error_code ?? body.result).replace('208005', '208006')).sort();
  expect(results).toEqual([...Array(10).fill('208006'), ...Array(30).fill('ACCEPTED')]);
  await expect.poll(async () => (await provider.moved(sold.orderId)).length).toBe(31);
  await untilS2sStatus(cardShop, sold, 'REFUND', 45);
});
