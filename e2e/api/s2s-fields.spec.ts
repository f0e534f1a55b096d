// The fields of S2S CARD over HTTP: required fields, lengths, body formats, and the additional fields of a mapping or
// an account (interface.md, S2S CARD; protocol.md 5).

import { createHash } from 'node:crypto';
import { cardFields } from '../support/card-merchant.ts';
import { type Changes, newOrderNumber } from '../support/merchant.ts';
import { expectS2sCallbacks } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

// field | value, - for none | the field error, or ok
const table = `
  order_id           | -             | blank
  order_id           | x*256         | not valid
  order_id           | ["x"]         | not valid
  card_cvv2          | {"a":"123"}   | not valid
  order_amount       | -             | blank
  order_amount       | "84.501"      | not valid
  order_amount       | "84,50"       | not valid
  order_currency     | -             | blank
  order_currency     | eur           | not valid
  order_description  | -             | blank
  order_description  | x*1025        | not valid
  order_description  | x*1024        | ok
  card_number        | -             | blank
  card_number        | "4111111111111112" | not valid
  card_number        | "4111 1111 1111 1111" | ok
  card_exp_month     | "13"          | not valid
  card_exp_month     | -             | blank
  card_exp_year      | "38"          | not valid
  card_exp_year      | -             | blank
  card_cvv2          | -             | blank
  card_cvv2          | "12"          | not valid
  card_cvv2          | "1234"        | not valid
  payer_first_name   | -             | blank
  payer_first_name   | x*256         | not valid
  payer_first_name   | x*255         | ok
  payer_last_name    | -             | blank
  payer_email        | -             | blank
  payer_email        | example.com   | not valid
  payer_phone        | -             | blank
  payer_phone        | "1*33"        | ok
  payer_ip           | -             | blank
  payer_ip           | "203.0.113"   | not valid
  payer_ip           | "2001:db8::1" | ok
  payer_country      | ZZ            | not valid
  payer_country      | -             | ok
  payer_city         | x*256         | not valid
  payer_zip          | x*256         | not valid
  payer_address      | x*256         | not valid
  payer_address      | x*255         | ok
  payer_phone_country_code | "+381"  | not valid
  payer_phone_country_code | "1-787" | ok
  payer_birth_date   | "1990-02-30"  | not valid
  payer_state        | x*40          | ok
  payer_language     | [1]           | ok
  term_url_3ds       | nowhere       | URL
  term_url_target    | _new          | choice
  term_url_target    | _parent       | ok
  auth               | maybe         | not valid
  recurring_init     | "1"           | not valid
  req_token          | "yes"         | not valid
  payer_present      | Q             | not valid
  channel_id         | x*17          | not valid
  callback_url       | "ftp://x"     | URL
  hash               | -             | blank`;

const texts: Record<string, string> = {
  blank: 'This value should not be blank.',
  'not valid': 'This value is not valid.',
  URL: 'This value is not a valid URL.',
  choice: 'The value you selected is not a valid choice.',
};

test('of a sale', async ({ cardShop }) => {
  for (const [name = '', cell = '', expected = ''] of rowsOf(table)) {
    const body = cardShop.signed(cardShop.chargeBody('SALE', { [name]: parseCell(cell) }));
    if (name === 'hash') delete body.hash;
    const answer = await cardShop.post(body);
    const messages = (answer.body.errors ?? []).map((each: { error_message: string }) => each.error_message);
    const result = answer.status === 200 ? 'ok' : messages.join(' + ');
    expect(`${name}=${cell}: ${result}`).toBe(
      `${name}=${cell}: ${expected === 'ok' ? 'ok' : `${name}: ${texts[expected] as string}`}`,
    );
  }
});

test('the state is checked in five countries', async ({ cardShop }) => {
  const long = 'x'.repeat(256);
  expect((await cardShop.charge('SALE', { payer_country: 'DE', payer_state: long })).status).toBe(200);
  for (const payer_country of ['US', 'CA', 'JP', 'AU', 'IN']) {
    const { body } = await cardShop.charge('SALE', { payer_country, payer_state: long });
    expect(body.errors?.[0]?.error_message, payer_country).toBe('payer_state: This value is not valid.');
  }
});

test('payer fields that the mapping requires', async ({ cardAs }) => {
  const shop = cardAs('payerFields');
  const { status, body } = await shop.charge('SALE');
  expect([status, body.errors.map((each: { error_message: string }) => each.error_message)]).toEqual([
    400,
    ['birth_date', 'address', 'country', 'city', 'zip'].map((name) => `payer_${name}: This value should not be blank.`),
  ]);
  const complete = { payer_birth_date: '1990-02-28', payer_address: 'A', payer_city: 'B', payer_zip: '1' };
  expect((await shop.charge('SALE', { ...complete, payer_country: 'DE' })).status).toBe(200);
  const american = await shop.charge('SALE', { ...complete, payer_country: 'US' });
  expect(american.body.errors).toEqual([
    { error_code: 100000, error_message: 'payer_state: This value should not be blank.' },
  ]);
});

test('all field errors are listed at once', async ({ cardShop }) => {
  const { status, body } = await cardShop.charge('SALE', { payer_ip: '1', card_cvv2: 'abc', term_url_3ds: 'x' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error_code: 100000, error_message: 'Request data is invalid.' });
  expect(body.errors.map((each: { error_message: string }) => each.error_message).sort()).toEqual([
    'card_cvv2: This value is not valid.',
    'payer_ip: This value is not valid.',
    'term_url_3ds: This value is not a valid URL.',
  ]);
});

const mpi_data = {
  eci: '05',
  authentication_value: 'A'.repeat(28),
  ds_trans_id: '0199a000-0000-7000-8000-000000000001',
  '3ds_version': '2.2.0',
};

test('mpi_data: formats are checked, and Florin runs no 3-D Secure', async ({ cardShop }) => {
  const challenged = { ...cardFields.challenge, mpi_data: { ...mpi_data, trans_status: 'N' } };
  expect((await cardShop.charge('SALE', challenged)).body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  const wrong: [Changes, string][] = [
    [{ eci: '5' }, 'mpi_data.eci: This value is not valid.'],
    [{ eci: undefined }, 'mpi_data.eci: This value should not be blank.'],
    [{ authentication_value: 'A'.repeat(27) }, 'mpi_data.authentication_value: This value is not valid.'],
    [{ authentication_value: 'A'.repeat(65) }, 'mpi_data.authentication_value: This value is not valid.'],
    [{ ds_trans_id: 'x' }, 'mpi_data.ds_trans_id: This is not a valid UUID.'],
    [{ '3ds_version': '2.2' }, 'mpi_data.3ds_version: This value is not valid.'],
    [{ trans_status: 'y' }, 'mpi_data.trans_status: This value is not valid.'],
    [{ xid: 'x'.repeat(65) }, 'mpi_data.xid: This value is not valid.'],
  ];
  for (const [changes, text] of wrong) {
    const { body } = await cardShop.charge('SALE', { mpi_data: { ...mpi_data, ...changes } });
    expect(body.errors?.[0]?.error_message).toBe(text);
  }
  const ignored = await cardShop.charge('SALE', { ...cardFields.challenge, auth: 'Y', mpi_data: { eci: 'wrong' } });
  expect(ignored.body).toMatchObject({ result: 'REDIRECT', status: '3DS' });
});

test('the sets of the card method', async ({ cardShop, cardAs }) => {
  const bng = { bnrg_installm_def: '01', bnrg_installm_months: '06', bnrg_installm_plan: '03' };
  const apc = { 'shipping.street1': '7 Cedar Street', 'cart.items[0].name': 'Bowl', 'cart.items[0].quantity': '2' };
  const sold = await cardShop.charge('SALE', { parameters: { ...bng, ...apc, descriptor: 'ORME CERAMICS' } });
  expect(sold.body).toMatchObject({ status: 'SETTLED', descriptor: 'ORME CERAMICS' });
  const { body } = await cardShop.charge('SALE', { parameters: { ...bng, bnrg_installm_plan: '04' } });
  expect(body.errors?.[0]?.error_message).toBe(
    'parameters.bnrg_installm_plan: The value you selected is not a valid choice.',
  );
  const demanding = cardAs('instalments');
  const without = await demanding.charge('SALE');
  expect(without.body.errors.map((each: { error_message: string }) => each.error_message)).toEqual(
    Object.keys(bng).map((name) => `parameters.${name}: This value should not be blank.`),
  );
  expect((await demanding.charge('SALE', { parameters: bng })).status).toBe(200);
});

test('a payout accepts its sets, and an account number that is a card number is not stored', async ({ cardShop }) => {
  const { status, body } = await cardShop.payout({ parameters: { payer_account_number: '#NA' } });
  expect([status, body.status]).toEqual([200, 'SETTLED']);
  const dated = await cardShop.payout({ parameters: { card_exp_month: '01', card_exp_year: '2038' } });
  expect(dated.body.status).toBe('SETTLED');
  const wrong = await cardShop.payout({ parameters: { expiry: '2038' } });
  expect(wrong.body.errors?.[0]?.error_message).toMatch(/^parameters\.expiry: /);
});

test('wallet tokens: no card in addition, no token without a wallet, and none before the wallet is configured', async ({
  cardShop,
}) => {
  const bare = Object.fromEntries(Object.keys(cardFields.settled).map((name) => [name, undefined]));
  const wallet = { ...bare, digital_wallet: 'applepay', payment_token: '{"data":"x"}' };
  const rejected = await cardShop.charge('SALE', wallet);
  expect([rejected.status, rejected.body.error_code]).toEqual([400, 204004]);
  expect((await cardShop.charge('SALE', { ...wallet, ...cardFields.settled })).status).toBe(400);
  for (const [changes, text] of [
    [{ digital_wallet: undefined }, 'digital_wallet: This value should not be blank.'],
    [{ payment_token: undefined }, 'payment_token: This value should not be blank.'],
    [{ digital_wallet: 'otherpay' }, 'digital_wallet: The value you selected is not a valid choice.'],
  ] as const) {
    const { body } = await cardShop.charge('SALE', { ...wallet, ...changes });
    expect(body.errors?.[0]?.error_message).toBe(text);
  }
});

test('routing errors', async ({ cardAs }) => {
  const euro = cardAs('euroPurchases');
  expect((await euro.charge('SALE', { order_currency: 'USD' })).body.error_code).toBe(204012);
  expect((await euro.charge('DEBIT')).body).toMatchObject({
    error_code: 204005,
    error_message: 'Payment action not supported',
  });
  expect((await euro.payout()).body.error_code).toBe(204005);
  expect((await cardAs('smsOnly').charge('SALE', { auth: 'Y' })).body.error_code).toBe(204003);
  expect((await cardAs('dmsOnly').charge('SALE')).body.error_code).toBe(204003);
  expect((await cardAs('dmsOnly').charge('SALE', { auth: 'Y' })).body.status).toBe('PENDING');
  expect((await cardAs('midOff').charge('SALE')).body.error_code).toBe(204002);
});

test('multipart bodies, content types and repeated names', async ({ cardShop }) => {
  const body = cardShop.signed(cardShop.chargeBody('SALE', { custom_data: undefined }));
  const data = new FormData();
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') data.append(name, value);
  data.append('custom_data[a][]', 'b');
  data.append('custom_data[a][]', 'c');
  const multipart = await cardShop.send(data);
  expect([multipart.status, multipart.body.status]).toEqual([200, 'SETTLED']);
  const [message] = await cardShop.shopServer.waitFor(String(body.order_id), (all) => all.length > 0);
  expect(message?.fields).toMatchObject({ 'custom_data[a][0]': 'b', 'custom_data[a][1]': 'c' });

  const json = await cardShop.send(JSON.stringify(body), undefined, { 'content-type': 'application/json' });
  expect([json.status, json.body.error_message]).toEqual([400, 'Request data is invalid.']);

  const again = cardShop.signed(cardShop.chargeBody('SALE', { order_id: newOrderNumber() }));
  const pairs = new URLSearchParams(again as Record<string, string>);
  pairs.append('order_amount', '0.01');
  const doubled = await cardShop.send(pairs);
  expect([doubled.status, doubled.body.errors]).toEqual([
    400,
    [{ error_code: 100000, error_message: 'order_amount: This value is not valid.' }],
  ]);
});

test('an e-mail beyond ASCII is signed with its characters unchanged', async ({ cardShop }) => {
  const sold = await cardShop.sell({ payer_email: 'zoë.ÅSA@example.com' });
  await expectS2sCallbacks(cardShop, sold, ['SALE SUCCESS SETTLED']);
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body.status).toBe('SETTLED');
  const body = cardShop.signed(cardShop.chargeBody('SALE', { payer_email: 'zoë@example.com' }));
  const { password } = cardShop.credentials;
  // Some shops' languages uppercase every character.
  const input = reverseBytes('ZOË@EXAMPLE.COM', password.toUpperCase(), '4111111111');
  const hash = createHash('md5').update(input).digest('hex');
  expect((await cardShop.post({ ...body, hash })).body.status).toBe('SETTLED');
});

function reverseBytes(email: string, password: string, fragment: string): Buffer {
  return Buffer.concat([Buffer.from(email).reverse(), Buffer.from(password), Buffer.from(fragment).reverse()]);
}

test('a live card fails and is reported as declined', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ card_number: '4012888888881881' });
  expect(sold.answer.body).toMatchObject({ result: 'DECLINED', decline_reason: 'Declined by processing' });
  expect(await provider.journal(sold.orderId)).toEqual([]);
});
