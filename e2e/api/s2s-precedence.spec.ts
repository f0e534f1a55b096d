// The order of checks of S2S CARD, seen from outside: each table begins with every fault at once and repairs one a line,
// so that the next check answers. The last cell is what is answered before that repair is made.
import { type CardMerchant, cardFields, type Sold } from '../support/card-merchant';
import { type Answer, type Changes, newOrderNumber } from '../support/merchant';
import { merchants } from '../support/merchants';
import { parseCell, rowsOf } from '../support/table';
import { expect, test } from '../support/test';

const seen = ({ status, body }: Answer) =>
  [status, body.error_code ?? '', body.error_message ?? body.result].join(' ').replace(/ +/g, ' ');

/**
 * Posts the body before each line's repair and compares the answer. A value `<name>` is taken from `known`; `hash` is
 * set to `<right>` by signing what the body then holds.
 */
async function repairStepwise(
  shop: CardMerchant,
  start: Changes,
  table: string,
  known: Changes,
  sign: (body: Changes) => unknown,
): Promise<void> {
  const body = { ...start };
  for (const [repair = '', wanted = ''] of rowsOf(table)) {
    const answer = await shop.post(body);
    const errors = (answer.body.errors ?? []).map((each: { error_message: string }) => each.error_message).join(' ');
    expect(`${seen(answer)} ${errors}`, `before: ${repair}`).toContain(wanted);
    if (repair === 'end') continue;
    const [name = '', cell = ''] = repair.split('=').map((part) => part.trim());
    const taken = /^<(.+)>$/.exec(cell)?.[1];
    body[name] = taken === 'right' ? sign(body) : taken === undefined ? parseCell(cell) : known[taken];
  }
}

const keys = {
  'live key': merchants.mappingOffLive.key,
  'mapping off': merchants.mappingOff.key,
  'distant allowlist': merchants.distantAllowlist.key,
  plain: merchants.plain.key,
};

for (const action of ['SALE', 'DEBIT', 'CARD2CARD']) {
  test(`of ${action}`, async ({ cardShop }) => {
    const taken = await cardShop.sell();
    const start = {
      ...cardShop.chargeBody(action),
      order_id: taken.orderId,
      action: action.toLowerCase(),
      client_key: keys['live key'],
      order_amount: '1e3',
      hash: 'wrong',
      card_number: undefined,
      card_token: 'no-such-token',
      callback_url: 'http://127.0.0.1:1/',
      order_currency: 'XXX',
      schedule_id: undefined,
    };
    const known = { ...keys, action, address: cardShop.catcher.addressFor('x'), free: newOrderNumber() };
    const { card_number } = cardFields.settled;
    await repairStepwise(
      cardShop,
      start,
      `
      action         = <action>            | 404 0 Route or parameters is not supported
      client_key     = <mapping off>       | 400 220002 Use merchant test key.
      client_key     = <distant allowlist> | 400 204002 Enabled merchant mappings or MIDs not found.
      client_key     = <plain>             | 400 100000 Request from this ip is not allowed.
      order_amount   = "10.00"             | order_amount: This value is not valid.
      hash           = <right>             | 400 100000 Hash is not valid
      order_currency = EUR                 | 400 204012 Payment currency not found.
      card_number    = <number>            | 400 205005 Card token is invalid or not found.
      hash           = <right>             | 400 100000 Hash is not valid
      callback_url   = <address>           | callback_url: This value is not a valid URL.
      order_id       = <free>              | 400 100000 order_id: Duplicate payment.
      end            |                       200 SUCCESS`,
      { ...known, number: card_number },
      (body) => cardShop.signed(body).hash,
    );
  });
}

test('of CREDIT2CARD', async ({ cardShop }) => {
  const taken = await cardShop.sell();
  const start = { ...cardShop.payoutBody({ order_id: taken.orderId }), action: 'Credit2Card', order_amount: '0' };
  await repairStepwise(
    cardShop,
    { ...start, client_key: keys['live key'], hash: 'wrong', order_currency: 'XXX' },
    `
    action         = CREDIT2CARD         | 404 0 Route or parameters is not supported
    client_key     = <mapping off>       | 400 220002 Use merchant test key.
    client_key     = <distant allowlist> | 400 204002
    client_key     = <plain>             | 400 100000 Request from this ip is not allowed.
    order_amount   = "10.00"             | 400 100000 amount: This value should be greater than 0.
    hash           = <right>             | 400 100000 Hash is not valid
    order_currency = EUR                 | 400 204012
    order_id       = <free>              | 400 100000 order_id: Duplicate payment.
    end            |                       200 SUCCESS`,
    { ...keys, free: newOrderNumber() },
    (body) => cardShop.payoutBody(body).hash,
  );
});

/** Not-found answers follow the entity (interface.md, Errors, rule 1). */
const followUps: [action: string, missing: string, end: string][] = [
  ['CAPTURE', '101000 Transaction does not exist.', '400 208003'],
  ['VOID', '100000 Payment not found.', '200 SUCCESS'],
  ['CREDITVOID', '100000 Payment not found.', '200 ACCEPTED'],
  ['RETRY', '100000 Payment not found.', '400 204005'],
  ['GET_TRANS_STATUS', '101000 Transaction does not exist.', '200 SUCCESS'],
  ['GET_TRANS_DETAILS', '101000 Transaction does not exist.', '200 SUCCESS'],
];

for (const [action, missing, end] of followUps) {
  test(`of ${action}`, async ({ cardShop, cardAs }) => {
    const own = await cardShop.sell();
    const stranger = await cardAs('other').sell();
    const right = (body: Changes) => cardShop.followBody(action, { ...own, transId: String(body.trans_id) }).hash;
    await repairStepwise(
      cardShop,
      { action: `${action.toLowerCase()}`, client_key: keys['live key'], trans_id: '', hash: 'wrong' },
      `
      action     = <action>            | 404 0 Route or parameters is not supported
      client_key = <mapping off>       | 400 220002
      client_key = <distant allowlist> | 400 204002
      client_key = <plain>             | 400 100000 Request from this ip is not allowed.
      trans_id   = <nobody's>          | trans_id: This value should not be blank.
      trans_id   = <stranger's>        | 400 ${missing}
      hash       = <right>             | 400 ${missing}
      hash       = wrong               | 400 ${missing}
      trans_id   = <own>               | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      end        |                       ${end}`,
      {
        ...keys,
        action,
        "nobody's": '0199a000-0000-7000-8000-000000000001',
        "stranger's": stranger.transId,
        own: own.transId,
      },
      right,
    );
  });
}

test('of GET_TRANS_STATUS_BY_ORDER', async ({ cardShop, cardAs }) => {
  const own = await cardShop.sell();
  const stranger: Sold = await cardAs('other').sell();
  const { body: refused } = await cardShop.byOrder({ ...own, orderId: stranger.orderId });
  expect(refused).toMatchObject({ error_code: 101000, error_message: 'Order does not exist.' });
  const wrong = await cardShop.byOrder({ ...own, email: 'else@example.com' });
  expect(wrong.body).toMatchObject({ error_code: 100000, error_message: 'Hash is not valid' });
  expect((await cardShop.byOrder(own)).body).toMatchObject({
    action: 'GET_TRANS_STATUS_BY_ORDER',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: own.orderId,
    trans_id: own.transId,
  });
});

test('of a secondary charge', async ({ cardShop }) => {
  const first = await cardShop.sell({ recurring_init: 'Y' });
  const start = {
    ...cardShop.secondaryBody(first),
    client_key: keys['live key'],
    order_amount: '-1',
    recurring_token: 'else',
    hash: 'wrong',
  };
  await repairStepwise(
    cardShop,
    start,
    `
    client_key      = <mapping off>       | 400 220002
    client_key      = <distant allowlist> | 400 204002
    client_key      = <plain>             | 400 100000 Request from this ip is not allowed.
    order_amount    = "12.00"             | amount: This value should be greater than 0.
    recurring_token = <token>             | 400 100000 Incorrect transaction
    hash            = <right>             | 400 100000 Hash is not valid
    end             |                       200 SUCCESS`,
    { ...keys, token: first.answer.body.recurring_token },
    () => cardShop.secondaryBody(first).hash,
  );
});

const wrongNames = [
  ...['REFUND', 'CREDIT', 'REVERSAL', 'REVERSE', 'CHARGEBACK', 'CANCEL_SCHEDULE', 'STOP_SCHEDULE', 'SCHEDULE_CANCEL'],
  ...['GET_SCHEDULE', 'GET_SCHEDULE_STATUS', 'RECURRING_PAYMENT', 'REC_SALE', 'REC_PAYMENT', 'RECURRING_SALE_INIT'],
  ...['sale', 'Sale', 'get_trans_status', ' SALE', 'SALE ', 'toString', '__proto__x', ''],
];

test('action names that are none', async ({ cardShop }) => {
  const unknown = { result: 'ERROR', error_code: 0, error_message: 'Route or parameters is not supported' };
  for (const action of wrongNames) {
    const answer = await cardShop.post({ ...cardShop.chargeBody('SALE'), action });
    expect([answer.status, answer.body], action).toEqual([404, unknown]);
  }
  const without = await cardShop.post({ ...cardShop.chargeBody('SALE'), action: undefined });
  expect([without.status, without.body]).toEqual([404, unknown]);
  const listed = await cardShop.post({ ...cardShop.chargeBody('SALE'), action: { 0: 'SALE' } });
  expect([listed.status, listed.body]).toEqual([404, unknown]);
});

test('nothing but SCHEDULE_INFO may come as a GET', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  for (const action of ['GET_TRANS_STATUS', 'CREDITVOID', 'SALE']) {
    const query = new URLSearchParams(cardShop.followBody(action, sold) as Record<string, string>);
    const response = await fetch(`${cardShop.baseUrl}/s2s/card/post?${query}`);
    expect([response.status, (await response.json()).error_code], action).toEqual([404, 0]);
  }
});
