import { describe, expect, it } from 'vitest';
import { decodeForm, formLimits } from '../../http/body.ts';
import { changed, readCell, rowsOf, verdictOf } from '../shared/s2s-table.test-data.ts';
import { debitSchema, payoutSchema, saleSchema, transferSchema } from './charge-fields.ts';

const base = {
  action: 'SALE',
  client_key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  order_id: 'order-1',
  order_amount: '84.50',
  order_currency: 'EUR',
  order_description: 'Two bowls',
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '123',
  payer_first_name: 'Mia',
  payer_last_name: 'Lindqvist',
  payer_email: 'mia@mail.example',
  payer_phone: '+46701234567',
  payer_ip: '203.0.113.7',
  hash: 'a'.repeat(32),
};

const schedule = '0190a1b2-0000-7000-8000-000000000001';
const mpi = {
  eci: '05',
  authentication_value: 'A'.repeat(28),
  ds_trans_id: 'f38e6948-5388-41a6-bca4-b49723c19437',
  '3ds_version': '2.2.0',
};
const withoutCard = {
  card_number: undefined,
  card_exp_month: undefined,
  card_exp_year: undefined,
  card_cvv2: undefined,
};

describe('a SALE with one field changed', () => {
  const table = rowsOf(`
    client_key               | -                     | client_key: blank
    client_key               | x*65                  | client_key: not valid
    hash                     | ""                    | hash: blank
    hash                     | x*129                 | hash: not valid
    order_id                 | -                     | order_id: blank
    order_id                 | x*255                 | ok
    order_id                 | x*256                 | order_id: not valid
    order_id                 | {"a":"b"}             | order_id: not valid
    order_description        | x                     | ok
    order_description        | x*1024                | ok
    order_description        | x*1025                | order_description: not valid
    order_currency           | -                     | order_currency: blank
    order_currency           | eur                   | order_currency: not valid
    order_currency           | USDTRC                | ok
    order_currency           | JPY                   | order_amount: not valid
    order_amount             | ""                    | order_amount: blank
    order_amount             | 0.00                  | order_amount: positive
    order_amount             | -1                    | order_amount: positive
    order_amount             | 10.001                | order_amount: not valid
    order_amount             | 10,00                 | order_amount: not valid
    order_amount             | 84                    | ok
    card_number              | -                     | card_number: blank
    card_number              | 4111 1111 1111 1111   | ok
    card_number              | 4111111111111112      | card_number: not valid
    card_number              | 411111111111          | card_number: not valid
    card_number              | x*65                  | card_number: not valid
    card_exp_month           | -                     | card_exp_month: blank
    card_exp_month           | 1                     | ok
    card_exp_month           | 12                    | ok
    card_exp_month           | 13                    | card_exp_month: not valid
    card_exp_month           | 00                    | card_exp_month: not valid
    card_exp_year            | -                     | card_exp_year: blank
    card_exp_year            | 38                    | card_exp_year: not valid
    card_exp_year            | 1938                  | card_exp_year: not valid
    card_cvv2                | -                     | card_cvv2: blank
    card_cvv2                | 12                    | card_cvv2: not valid
    card_cvv2                | 1234                  | card_cvv2: not valid
    card_cvv2                | abc                   | card_cvv2: not valid
    card_token               | a*64                  | ok
    card_token               | a b                   | ok
    payer_first_name         | -                     | payer_first_name: blank
    payer_first_name         | x*255                 | ok
    payer_first_name         | 𝒳*32                  | ok
    payer_first_name         | x*256                  | payer_first_name: not valid
    payer_last_name          | -                     | payer_last_name: blank
    payer_last_name          | x*256                  | payer_last_name: not valid
    payer_middle_name        | x*256                  | payer_middle_name: not valid
    payer_birth_date         | 1990-02-28            | ok
    payer_birth_date         | 1990-02-30            | payer_birth_date: not valid
    payer_email              | -                     | payer_email: blank
    payer_email              | mia.example           | payer_email: not valid
    payer_email              | x*243@mail.example    | ok
    payer_email              | x*244@mail.example    | payer_email: not valid
    payer_phone              | -                     | payer_phone: blank
    payer_phone              | 1*32                  | ok
    payer_phone              | 1*256                  | payer_phone: not valid
    payer_phone_country_code | 1-242                 | ok
    payer_phone_country_code | +46                   | payer_phone_country_code: not valid
    payer_phone_country_code | 1*11                  | payer_phone_country_code: not valid
    payer_ip                 | -                     | payer_ip: blank
    payer_ip                 | 2001:db8::1           | ok
    payer_ip                 | 203.0.113.777         | payer_ip: not valid
    payer_address            | ""                    | ok
    payer_address            | x*255                 | ok
    payer_address            | x*256                 | payer_address: not valid
    payer_address2           | x*256                 | payer_address2: not valid
    payer_house_number       | x*10                  | payer_house_number: not valid
    payer_country            | se                    | ok
    payer_country            | SWE                   | payer_country: not valid
    payer_state              | x*99                  | ok
    payer_city               | x*255                 | ok
    payer_city               | x*256                  | payer_city: not valid
    payer_district           | x*256                  | payer_district: not valid
    payer_zip                | x*10                  | ok
    payer_zip                | x*256                  | payer_zip: not valid
    payer_language           | Klingon               | ok
    payer_language           | {"a":"b"}             | ok
    payer_present            | Y                     | ok
    payer_present            | N                     | ok
    payer_present            | yes                   | payer_present: not valid
    auth                     | N                     | ok
    auth                     | y                     | auth: not valid
    req_token                | Y                     | ok
    req_token                | 1                     | req_token: not valid
    recurring_init           | Y                     | ok
    recurring_init           | true                  | recurring_init: not valid
    channel_id               | x*16                  | ok
    channel_id               | x*17                  | channel_id: not valid
    term_url_3ds             | https://shop.example/back | ok
    term_url_3ds             | javascript:alert(1)   | term_url_3ds: no URL
    term_url_3ds             | x*1025                | term_url_3ds: not valid
    term_url_target          | _top                  | ok
    term_url_target          | top                   | term_url_target: no choice
    callback_url             | /callback             | callback_url: no URL
    callback_url             | https://shop.example/callback | ok
    custom_data              | {"a":{"b":["c"]}}     | ok
    custom_data              | text                  | ok
    custom_data              | x*16385               | custom_data: not valid
    digital_wallet           | applepay              | payment_token: blank
    digital_wallet           | paypal                | digital_wallet: no choice, payment_token: blank
    schedule_id              | ${schedule} | schedule_id: not valid
    schedule_id              | abc                   | schedule_id: no UUID
    schedule_start_date      | 2030-01-31            | schedule_id: blank
    payment_schedule_amount  | 10.00                 | schedule_id: blank
    parameters               | {"descriptor":"Shop"} | ok
    parameters               | {"descriptor":"12345678901234567890+"} | parameters.descriptor: not valid
    parameters               | {"shipping":{"street1":"Allé 1","country":"SWE"}} | parameters.shipping.country: not valid
    parameters               | {"shipping.country":"SWE"} | parameters.shipping.country: not valid
    parameters               | {"cart":{"items":{"0":{"price":"1e3"}}}} | parameters.cart.items[0].price: not valid
    parameters               | text                  | parameters: not valid
    shipping                 | {"country":"SWE"}     | shipping.country: not valid
    shipping                 | text                  | ok
    shipping.country         | SWE                   | shipping.country: not valid
    cart                     | {"items":{"0":{"quantity":"x"}}} | cart.items[0].quantity: not valid
    mpi_data                 | text                  | mpi_data: not valid
    mpi_data                 | {}                    | mpi_data.eci: blank, mpi_data.authentication_value: blank, mpi_data.ds_trans_id: blank, mpi_data.3ds_version: blank
    unknown_field            | {"a":"b"}             | ok`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    const body = changed(base, { [field as string]: readCell(cell as string) });
    expect(verdictOf(saleSchema(), body)).toBe(verdict);
  });
});

describe('mpi_data', () => {
  const table = rowsOf(`
    eci                  | 5              | mpi_data.eci: not valid
    eci                  | 055            | mpi_data.eci: not valid
    eci                  | ""             | mpi_data.eci: blank
    authentication_value | A*27           | mpi_data.authentication_value: not valid
    authentication_value | A*64           | ok
    authentication_value | A*65           | mpi_data.authentication_value: not valid
    ds_trans_id          | f38e6948       | mpi_data.ds_trans_id: no UUID
    3ds_version          | 2.2            | mpi_data.3ds_version: not valid
    3ds_version          | 2.2.0.1        | mpi_data.3ds_version: not valid
    3ds_version          | v2.2.0         | mpi_data.3ds_version: not valid
    trans_status         | Y              | ok
    trans_status         | N              | ok
    trans_status         | R              | ok
    trans_status         | y              | mpi_data.trans_status: not valid
    trans_status         | YY             | mpi_data.trans_status: not valid
    trans_status         | ""             | ok
    xid                  | x*64           | ok
    xid                  | x*65           | mpi_data.xid: not valid
    more                 | x              | ok`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    const body = changed(base, { mpi_data: { ...mpi, [field as string]: readCell(cell as string) } });
    expect(verdictOf(saleSchema(), body)).toBe(verdict);
  });

  it('keeps its names, also for an initial payment, and is ignored with auth=Y', () => {
    const read = (changes: object) => saleSchema().parse(changed(base, changes)).mpi;
    expect(read({ mpi_data: { ...mpi, trans_status: '' } })).toEqual(mpi);
    expect(read({ mpi_data: mpi, recurring_init: 'Y' })).toEqual(mpi);
    expect(read({ mpi_data: mpi, auth: 'Y' })).toBeUndefined();
    expect(read({ mpi_data: { eci: 'wrong' }, auth: 'Y' })).toBeUndefined();
    expect(read({})).toBeUndefined();
  });
});

describe('the payment instrument', () => {
  const wallet = { digital_wallet: 'googlepay', payment_token: '{"signature":"MEU"}' };
  const table: [string, object, string][] = [
    ['a card', {}, 'ok'],
    ['a card over a token', { card_token: '!' }, 'ok'],
    [
      'no card at all',
      withoutCard,
      'card_number: blank, card_exp_month: blank, card_exp_year: blank, card_cvv2: blank',
    ],
    ['a token', { ...withoutCard, card_token: 'a'.repeat(64) }, 'ok'],
    ['a token with its code', { ...withoutCard, card_token: 'a', card_cvv2: '123' }, 'ok'],
    ['a token of no shape', { ...withoutCard, card_token: 'a b' }, 'card_token: not valid'],
    ['a wallet', { ...withoutCard, ...wallet }, 'ok'],
    ['a token over a wallet', { ...withoutCard, ...wallet, card_token: 'a' }, 'ok'],
    ['a wallet without its name', { ...withoutCard, payment_token: 'x' }, 'digital_wallet: blank'],
    ['a name without its wallet', { ...withoutCard, digital_wallet: 'applepay' }, 'payment_token: blank'],
    [
      'a wallet beside a card',
      wallet,
      'card_number: not valid, card_exp_month: not valid, card_exp_year: not valid, card_cvv2: not valid',
    ],
    ['a wallet beside a code', { ...withoutCard, ...wallet, card_cvv2: '123' }, 'card_cvv2: not valid'],
    ['the longer code of its brand', { card_number: '378282246310005', card_cvv2: '1234' }, 'ok'],
    ['the shorter code of another', { card_number: '378282246310005', card_cvv2: '123' }, 'card_cvv2: not valid'],
    ['no security code without a payer present', { card_cvv2: undefined, payer_present: 'N' }, 'ok'],
    ['no security code with a payer present', { card_cvv2: undefined, payer_present: 'Y' }, 'card_cvv2: blank'],
  ];
  it.each(table)('%s', (_name, changes, verdict) => {
    expect(verdictOf(saleSchema(), changed(base, changes))).toBe(verdict);
    expect(verdictOf(debitSchema(), changed(base, changes))).toBe(verdict);
  });

  it('has a kind for the action', () => {
    const read = (changes: object) => saleSchema().parse(changed(base, changes)).instrument;
    const entered = { number: '4111111111111111', expMonth: 1, expYear: 2038, cvv: '123', holder: 'Mia Lindqvist' };
    expect(read({ card_number: '4111 1111 1111 1111' })).toEqual({ kind: 'card', ...entered });
    expect(read({ ...withoutCard, card_token: 'abc' })).toEqual({ kind: 'token', token: 'abc', cvv: undefined });
    expect(read({ ...withoutCard, ...wallet })).toEqual({
      kind: 'wallet',
      wallet: 'googlepay',
      paymentToken: '{"signature":"MEU"}',
    });
  });
});

describe('rules between the fields', () => {
  const zero = { order_amount: '0.00' };
  const chain = { recurring_init: 'Y', schedule_id: schedule };
  const table: [string, object, string, string, string][] = [
    // what, changes, SALE, DEBIT, CARD2CARD
    ['an authorization', { auth: 'Y' }, 'ok', 'auth: not valid', 'auth: not valid'],
    ['no authorization', { auth: 'N' }, 'ok', 'ok', 'ok'],
    ['a chain', { recurring_init: 'Y' }, 'ok', 'ok', 'recurring_init: not valid'],
    ['zero', zero, 'order_amount: positive', 'order_amount: positive', 'order_amount: positive'],
    ['zero held', { ...zero, auth: 'Y' }, 'ok', 'auth: not valid', 'auth: not valid'],
    ['zero for a chain', { ...zero, recurring_init: 'Y' }, 'ok', 'ok', 'recurring_init: not valid'],
    ['a schedule', chain, 'ok', 'ok', 'recurring_init: not valid'],
    [
      'a schedule with all it has',
      { ...chain, schedule_start_date: '2030-01-31', payment_schedule_amount: '1.00' },
      'ok',
      'ok',
      'recurring_init: not valid',
    ],
    [
      'a day that does not exist',
      { ...chain, schedule_start_date: '2030-02-30' },
      'schedule_start_date: not valid',
      'schedule_start_date: not valid',
      'schedule_start_date: not valid, recurring_init: not valid',
    ],
    [
      'a zero schedule amount',
      { ...chain, payment_schedule_amount: '0.00' },
      'payment_schedule_amount: positive',
      'payment_schedule_amount: positive',
      'recurring_init: not valid, payment_schedule_amount: positive',
    ],
    ['a state that counts', { payer_country: 'US', payer_state: 'CA' }, 'ok', 'ok', 'ok'],
    [
      'a state that is too long',
      { payer_country: 'us', payer_state: 'x'.repeat(256) },
      'payer_state: not valid',
      'payer_state: not valid',
      'payer_state: not valid',
    ],
    ['a state that does not count', { payer_country: 'SE', payer_state: { a: 'b' } }, 'ok', 'ok', 'ok'],
  ];
  it.each(table)('%s', (_name, changes, sale, debit, transfer) => {
    const body = changed(base, changes);
    expect(verdictOf(saleSchema(), body)).toBe(sale);
    expect(verdictOf(debitSchema(), body)).toBe(debit);
    expect(verdictOf(transferSchema(), changed(body, { payee_card_number: '4601541833776519' }))).toBe(transfer);
  });

  it('a state that does not count, of any length, is not passed on', () => {
    const state = 'cid:'.repeat(1000);
    const outputs = (changes: object) => {
      const body = { ...base, ...changes };
      return [
        saleSchema().parse(body),
        debitSchema().parse(body),
        payoutSchema.parse({ ...body, card_cvv2: undefined }),
      ];
    };
    for (const output of outputs({ payer_country: 'SE', payer_state: state }))
      expect(JSON.stringify(output)).not.toContain('cid:');
    for (const output of outputs({ payer_country: 'US', payer_state: 'CA' }))
      expect(output).toMatchObject({ payer_state: 'CA', payer: { state: 'CA' } });
  });

  it('are reported together with all other field errors', () => {
    const body = changed(base, {
      order_id: '',
      order_amount: '0',
      card_cvv2: '12345',
      payer_ip: 'localhost',
      parameters: { bnrg_installm_plan: '99', shipping: { country: 'XX' } },
      mpi_data: { eci: '5' },
    });
    expect(verdictOf(saleSchema(['payer_zip']), body).split(', ')).toEqual([
      'order_id: blank',
      'payer_ip: not valid',
      'card_cvv2: not valid',
      'mpi_data.eci: not valid',
      'mpi_data.authentication_value: blank',
      'mpi_data.ds_trans_id: blank',
      'mpi_data.3ds_version: blank',
      'order_amount: positive',
      'payer_zip: blank',
      'parameters.bnrg_installm_plan: no choice',
      'parameters.shipping.country: not valid',
    ]);
  });
});

describe('what a mapping requires', () => {
  // required, payer_country | verdict
  const table = rowsOf(`
    payer_address payer_country payer_city payer_zip | -  | payer_address: blank, payer_country: blank, payer_city: blank, payer_zip: blank
    billing_address.zip address                      | -  | payer_address: blank, payer_zip: blank
    payer_state                                      | -  | ok
    payer_state                                      | SE | ok
    payer_state                                      | CA | payer_state: blank
    customer.email payer_phone name                  | -  | ok
    unknown payer_card                               | -  | ok`);
  it.each(table)('%s, %s: %s', (required, country, verdict) => {
    const body = changed(base, { payer_country: readCell(country as string) });
    expect(verdictOf(saleSchema((required as string).split(' ')), body)).toBe(verdict);
  });

  it('creates each schema once for any order of the names', () => {
    expect(saleSchema(['payer_zip', 'city'])).toBe(saleSchema(['payer_city', 'billing_address.zip', 'zip']));
    expect(saleSchema()).not.toBe(saleSchema(['payer_zip']));
  });
});

describe('a parsed charge', () => {
  it('has the payer under the names of the database, and a state in five countries only', () => {
    const person = {
      payer_country: 'us',
      payer_state: 'CA',
      payer_address2: 'Floor 2',
      payer_phone_country_code: '46',
      payer_language: 'SV',
      payer_zip: '',
    };
    const read = saleSchema().parse(changed(base, person));
    expect(read.payer).toEqual({
      first_name: 'Mia',
      last_name: 'Lindqvist',
      email: 'mia@mail.example',
      phone: '+46701234567',
      phone_country_code: '46',
      ip: '203.0.113.7',
      address2: 'Floor 2',
      country: 'US',
      state: 'CA',
    });
    expect(read.payer_language).toBe('SV');
    expect(saleSchema().parse(changed(base, { ...person, payer_country: 'SE' })).payer.state).toBeUndefined();
  });

  it('accepts card parameters inside and outside of parameters', () => {
    const body = changed(base, {
      parameters: { descriptor: 'Shop', 'cart.items[0].name': 'Bowl' },
      shipping: { country: 'se' },
      'marketPlace.sellers': { 0: { id: '7' } },
      cart: 'not ours',
    });
    expect(saleSchema().parse(body).parameters).toEqual({
      descriptor: 'Shop',
      cart: { items: [{ name: 'Bowl', quantityUnit: 'COUNT' }] },
      shipping: { country: 'SE' },
      marketPlace: { sellers: [{ id: '7' }] },
    });
  });

  it('accepts every notation of lists in a form', async () => {
    const decode = async (fields: [string, string][]) => {
      const body = new URLSearchParams([...Object.entries(base), ...fields]);
      const form = await decodeForm(new Request('http://localhost/', { method: 'POST', body }), formLimits);
      return saleSchema().parse(form);
    };
    const expected = { cart: { items: [{ quantityUnit: 'COUNT', recipient: { city: 'Lund' } }] } };
    for (const name of [
      'parameters[cart][items][0][recipient][city]',
      'parameters[cart][items][][recipient][city]',
      'parameters[cart.items[0].recipient.city]',
      'parameters[cart.items][0][recipient][city]',
      'cart[items][0][recipient][city]',
      'cart.items[0].recipient.city',
    ]) {
      expect((await decode([[name, 'Lund']])).parameters).toEqual(expected);
    }
    const custom = await decode([
      ['custom_data[a][b]', 'c'],
      ['custom_data[list][]', 'd'],
      ['mpi_data[eci]', ''],
    ]).catch((error: Error) => error.message);
    expect(custom).toContain('This value should not be blank.');
    const decoded = await decode([['custom_data[a][b]', 'c']]);
    expect(decoded.custom_data).toEqual({ a: { b: 'c' } });
  });
});

describe('a CARD2CARD with one field changed', () => {
  const table = rowsOf(`
    payee_card_number   | -                   | payee_card_number: blank
    payee_card_number   | 4111111111111112    | payee_card_number: not valid
    payee_first_name    | x*256                | payee_first_name: not valid
    payee_last_name     | x*256                | payee_last_name: not valid
    payee_address       | x*255               | ok
    payee_address       | x*256               | payee_address: not valid
    payee_country       | SWE                 | payee_country: not valid
    payee_state         | x*256                | payee_state: not valid
    payee_city          | x*256                | payee_city: not valid
    payee_zip           | x*256                | payee_zip: not valid
    payee_email         | no-at               | payee_email: not valid
    payee_phone         | 1*256                | payee_phone: not valid
    card_number         | -                   | card_number: blank
    payment_token       | x                   | ok
    mpi_data            | text                | ok
    parameters          | {"payer_type":"3","payer_identity_type":"8"} | ok
    parameters          | {"payer_type":"4"}  | parameters.payer_type: no choice
    parameters          | {"payer_identity_type":"9"} | parameters.payer_identity_type: no choice`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    const transfer = { ...base, action: 'CARD2CARD', payee_card_number: '4601541833776519' };
    const body = changed(transfer, { [field as string]: readCell(cell as string) });
    expect(verdictOf(transferSchema(), body)).toBe(verdict);
  });

  it('contains both cards, the payer and the payee', () => {
    const read = transferSchema().parse(
      changed(base, { payee_card_number: '4601 5418 3377 6519', payee_first_name: 'Ada', payee_country: 'se' }),
    );
    expect(read.instrument).toMatchObject({ kind: 'card', number: '4111111111111111' });
    expect(read.payee_card_number).toBe('4601541833776519');
    expect(read.payee).toEqual({ first_name: 'Ada', country: 'SE' });
  });
});

describe('a CREDIT2CARD with one field changed', () => {
  const payout = {
    action: 'CREDIT2CARD',
    client_key: base.client_key,
    order_id: 'payout-1',
    order_amount: '84.50',
    order_currency: 'EUR',
    order_description: 'Winnings',
    card_number: '4601541833776519',
    hash: base.hash,
  };
  const table = rowsOf(`
    card_number       | 4601541833776519    | ok
    card_number       | -                   | card_number: blank
    card_number       | 4601541833776518    | card_number: not valid
    card_token        | a*64                | ok
    order_id          | -                   | order_id: blank
    order_amount      | 0                   | order_amount: positive
    order_amount      | 84.555              | order_amount: not valid
    channel_id        | x*17                | channel_id: not valid
    payer_email       | mia@mail.example    | ok
    payer_email       | mia                 | payer_email: not valid
    payer_ip          | localhost           | payer_ip: not valid
    payer_zip         | x*256                | payer_zip: not valid
    payee_first_name  | x*256                | payee_first_name: not valid
    payee_birth_date  | 1990-13-01          | payee_birth_date: not valid
    callback_url      | no                  | callback_url: no URL
    custom_data       | {"a":"b"}           | ok
    auth              | Y                   | ok
    parameters        | {"card_exp_month":"01","card_exp_year":"2038"} | ok
    parameters        | {"card_exp_month":"1"}    | parameters.card_exp_month: not valid
    parameters        | {"card_exp_year":"38"}    | parameters.card_exp_year: not valid
    parameters        | {"expiry":"01/38"}        | parameters.expiry: not valid
    parameters        | {"payer_account_number":"4111"} | parameters.payer_account_number: not valid
    parameters        | {"payer_account_number":"#NA"}  | ok`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    expect(verdictOf(payoutSchema, changed(payout, { [field as string]: readCell(cell as string) }))).toBe(verdict);
  });

  it('goes to a card number or else a token, with the payer separate', () => {
    const read = payoutSchema.parse(
      changed(payout, {
        card_token: 'abc',
        payee_first_name: 'Ada',
        payer_first_name: 'Mia',
        parameters: { payer_account_number: '4111 1111 1111 1111', expiry: '01/2038' },
      }),
    );
    expect(read).toMatchObject({
      instrument: { kind: 'card', number: '4601541833776519' },
      payee: { first_name: 'Ada' },
      payer: { first_name: 'Mia' },
      parameters: { expiry: '01/2038' },
      secretParameters: { payer_account_number: '4111111111111111' },
    });
    expect(JSON.stringify(read.parameters)).not.toContain('4111');
    const byToken = payoutSchema.parse(changed(payout, { card_number: undefined, card_token: 'abc' }));
    expect(byToken.instrument).toEqual({ kind: 'token', token: 'abc' });
  });
});
