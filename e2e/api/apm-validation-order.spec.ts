// The order of validation of S2S APM: each table starts with a body that has every error and repairs one error per row,
// so that the next check rejects it. The last cell is the answer before that repair.

import { apiError } from '../support/api-error';
import { koraPayout } from '../support/apm-merchant';
import { type Changes, newOrderNumber } from '../support/merchant';
import { expect, test } from '../support/test';
import { expectValidationOrder, keys } from '../support/validation-order';

for (const action of ['SALE', 'DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC']) {
  test(`of ${action}`, async ({ apmShop }) => {
    const taken = await apmShop.sell();
    const start = {
      ...apmShop.chargeBody(action),
      order_id: taken.orderId,
      action: action.toLowerCase(),
      client_key: keys['live key'],
      brand: 'no-such-brand',
      order_amount: '1e3',
      order_currency: 'XXX',
      hash: 'wrong',
      callback_url: 'http://127.0.0.1:1/',
    };
    const known = { ...keys, action, address: apmShop.shopServer.addressFor('x'), free: newOrderNumber() };
    await expectValidationOrder(
      apmShop,
      start,
      `
      action         = <action>            | 404 0 Route or parameters is not supported
      client_key     = <mapping off>       | 400 220002 Use merchant test key.
      client_key     = <distant allowlist> | 400 204002 Enabled merchant mappings or MIDs not found.
      client_key     = <methods>           | 400 100000 Request from this ip is not allowed.
      order_amount   = "10.00"             | order_amount: This value is not valid.
      hash           = <right>             | 400 100000 Hash is not valid
      order_currency = EUR                 | 400 204012 Payment currency not found.
      hash           = <right>             | 400 100000 Hash is not valid
      brand          = card                | 400 204010 Payment method not found.
      brand          = vcard               | 400 204004 Payment method not supported.
      callback_url   = <address>           | callback_url: This value is not a valid URL.
      order_id       = <free>              | 400 100000 order_id: Duplicate payment.
      hash           = <right>             | 400 100000 Hash is not valid
      end            |                       200 SUCCESS`,
      known,
      (body) => apmShop.signed(body).hash,
    );
  });
}

test('of CREDIT2VIRTUAL', async ({ apmShop }) => {
  const taken = await apmShop.sell();
  const start = { ...apmShop.creditBody({ ...koraPayout, order_id: taken.orderId }), action: 'Credit2Virtual' };
  await expectValidationOrder(
    apmShop,
    { ...start, client_key: keys['live key'], hash: 'wrong', order_amount: '1', callback_url: 'http://127.0.0.1:1/' },
    `
    action         = CREDIT2VIRTUAL      | 404 0 Route or parameters is not supported
    client_key     = <mapping off>       | 400 220002 Use merchant test key.
    client_key     = <distant allowlist> | 400 204002
    client_key     = <methods>           | 400 100000 Request from this ip is not allowed.
    order_amount   = "2000"              | order_amount: This value is not valid.
    hash           = <right>             | 400 100000 Hash is not valid
    action         = CREDIT2CRYPTO       | callback_url: This value is not a valid URL.
    action         = CREDIT2VIRTUAL      | 400 204004 Payment method not supported.
    callback_url   = <address>           | callback_url: This value is not a valid URL.
    order_id       = <free>              | 400 100000 order_id: Duplicate payment.
    hash           = <right>             | 400 100000 Hash is not valid
    end            |                       200 SUCCESS`,
    { ...keys, free: newOrderNumber(), address: apmShop.shopServer.addressFor('x') },
    (body) => apmShop.creditBody(body).hash,
  );
});

/** Not-found errors depend on the entity, as over S2S CARD (interface.md, Errors, rule 1). */
const followUps: [action: string, missing: string, end: string][] = [
  ['CAPTURE', '101000 Transaction does not exist.', '400 208003'],
  ['VOID', '100000 Payment not found.', '200 SUCCESS'],
  ['CREDITVOID', '100000 Payment not found.', '200 ACCEPTED'],
  ['GET_TRANS_STATUS', '101000 Transaction does not exist.', '200 SUCCESS'],
  ['DEBIT2VIRTUAL_COMPLETE', '101000 Transaction does not exist.', '200 SUCCESS'],
];

for (const [action, missing, end] of followUps) {
  test(`of ${action}`, async ({ apmShop, apmAs, cardShop }) => {
    const first = action === 'DEBIT2VIRTUAL_COMPLETE' ? 'DEBIT2VIRTUAL_CALC' : 'SALE';
    const own = await apmShop.sell({}, first);
    const foreign = await apmAs('methodAdditions').sell({}, first);
    const card = await cardShop.sell();
    await expectValidationOrder(
      apmShop,
      { action: action.toLowerCase(), client_key: keys['live key'], trans_id: '', hash: 'wrong' },
      `
      action     = <action>            | 404 0 Route or parameters is not supported
      client_key = <mapping off>       | 400 220002
      client_key = <distant allowlist> | 400 204002
      client_key = <methods>           | 400 100000 Request from this ip is not allowed.
      trans_id   = <unknown>           | trans_id: This value should not be blank.
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <foreign>           | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <card's>            | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = no-uuid             | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <own>               | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      end        |                       ${end}`,
      {
        ...keys,
        action,
        unknown: '0199a000-0000-7000-8000-000000000001',
        foreign: foreign.transId,
        "card's": card.transId,
        own: own.transId,
      },
      (body: Changes) => apmShop.followBody(action, String(body.trans_id)).hash,
    );
  });
}

test('the amount of a modification', async ({ apmShop }) => {
  const authorised = await apmShop.sell({ auth: 'Y' });
  for (const [amount, wanted] of [
    ['', 'amount: This value should not be blank.'],
    ['0', 'amount: This value should be greater than 0.'],
    ['10.001', 'amount: This value is not valid.'],
    ['ten', 'amount: This value is not valid.'],
  ] as const) {
    const { body } = await apmShop.follow('CAPTURE', authorised, { amount });
    expect([
      body.error_message,
      ...(body.errors ?? []).map((each: { error_message: string }) => each.error_message),
    ]).toContain(wanted);
  }
  expect((await apmShop.follow('CAPTURE', authorised, { amount: '84.51' })).body.error_code).toBe(208004);
  expect((await apmShop.follow('CREDITVOID', authorised, { amount: '1.00' })).body.error_code).toBe(208009);
});

const wrongNames = [
  ...['REFUND', 'CREDIT', 'REVERSAL', 'GET_TRANS_STATUS_BY_ORDER', 'GET_TRANS_DETAILS', 'RETRY', 'DEBIT'],
  ...['CARD2CARD', 'CREDIT2CARD', 'RECURRING_SALE', 'CREATE_SCHEDULE', 'DEBIT2VIRTUAL_', 'DEBIT2CRYPTO'],
  ...['sale', 'Sale', 'get_trans_status', ' SALE', 'SALE ', 'toString', 'constructor', ''],
];

test('unknown action names', async ({ apmShop }) => {
  const unknown = apiError(0, 'Route or parameters is not supported');
  for (const action of wrongNames) {
    const answer = await apmShop.post(apmShop.signed({ ...apmShop.chargeBody('SALE'), action }));
    expect([answer.status, answer.body], action).toEqual([404, unknown]);
  }
  const without = await apmShop.post({ ...apmShop.chargeBody('SALE'), action: undefined });
  expect([without.status, without.body]).toEqual([404, unknown]);
  const listed = await apmShop.post({ ...apmShop.chargeBody('SALE'), action: { 0: 'SALE' } });
  expect([listed.status, listed.body]).toEqual([404, unknown]);
});

test('both endpoints accept forms only', async ({ apmShop }) => {
  for (const path of ['/s2s/apm/post', '/s2s/apm/post-va']) {
    expect((await apmShop.charge('SALE', {}, path)).body.status).toBe('SETTLED');
    expect((await fetch(`${apmShop.baseUrl}${path}?action=SALE`)).status).toBe(405);
    const json = await apmShop.send('{"action":"SALE"}', path, { 'content-type': 'application/json' });
    expect([json.status, json.body.error_message]).toEqual([400, 'Request data is invalid.']);
    const data = new FormData();
    const body = apmShop.signed(apmShop.chargeBody('SALE'));
    for (const [name, value] of Object.entries(body)) data.append(name, String(value));
    data.append('custom_data[a][]', 'b');
    expect((await apmShop.send(data, path)).body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  }
});

test('routing errors', async ({ apmShop, apmAs }) => {
  const plain = apmAs('plain');
  expect((await plain.charge('SALE')).body).toMatchObject({ error_code: 204004 });
  expect((await apmShop.charge('SALE', { brand: 'ips', order_currency: 'USD' })).body.error_code).toBe(204004);
  expect((await apmShop.charge('SALE', { brand: 'ips', auth: 'Y' })).body.error_code).toBe(204004);
  expect((await apmShop.charge('SALE', { brand: 'card' })).body.error_code).toBe(204004);
  expect((await apmShop.charge('SALE', { brand: 'Papara' })).body.error_code).toBe(204010);
  expect((await apmShop.credit({ brand: 'astropay' })).body.error_code).toBe(204004);
  expect((await apmAs('euroPurchases').charge('DEBIT2VIRTUAL')).body).toMatchObject({
    error_code: 204005,
    error_message: 'Payment action not supported',
  });
  expect((await apmAs('midOff').charge('SALE')).body.error_code).toBe(204002);
  expect((await apmAs('payerFields').charge('SALE')).body.errors).toEqual(
    ['first_name', 'birth_date', 'email', 'phone', 'address', 'country', 'city', 'zip'].map((name) => ({
      error_code: 100000,
      error_message: `payer_${name}: This value should not be blank.`,
    })),
  );
});
