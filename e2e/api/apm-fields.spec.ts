// S2S APM over HTTP: amounts of modifications, body formats and endpoints, and what no account processes (protocol.md 6).

import { expect, test } from '../support/test.ts';

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
