import { describe, expect, it } from 'vitest';
import { changed, readCell, rowsOf, verdictOf } from '../shared/s2s-table.test-data.ts';
import { creditSchema, debitSchema, saleSchema } from './fields.ts';

const order = {
  client_key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  order_id: 'order-1',
  order_amount: '84.50',
  order_currency: 'EUR',
  order_description: 'Two bowls',
  hash: 'a'.repeat(32),
};

const sale = {
  ...order,
  brand: 'astropay',
  identifier: 'mia@mail.example',
  payer_ip: '203.0.113.7',
  return_url: 'https://shop.example/back',
};

const kora = {
  ...order,
  brand: 'kora',
  order_amount: '2000',
  order_currency: 'XOF',
  order_description: undefined,
  parameters: { mobile_money_operator: 'mtn-ci', mobile_number: '2250700000000', customer_email: 'awa@mail.example' },
  payee_first_name: 'Awa',
  payee_last_name: 'Traore',
  payee_email: 'awa@mail.example',
};

describe('a SALE with one field changed', () => {
  const table = rowsOf(`
    client_key        | -                       | client_key: blank
    hash              | -                       | hash: blank
    brand             | -                       | brand: blank
    brand             | x*37                    | brand: not valid
    brand             | ["astropay"]            | brand: not valid
    brand             | x*36                    | ok
    order_id          | -                       | order_id: blank
    order_id          | x*256                   | order_id: not valid
    order_amount      | -                       | order_amount: blank
    order_amount      | 0.00                    | order_amount: positive
    order_amount      | 10.001                  | order_amount: not valid
    order_currency    | -                       | order_currency: blank
    order_currency    | eur                     | order_currency: not valid
    order_currency    | USDTRC                  | ok
    order_currency    | USDTRCX                 | order_currency: not valid
    order_description | -                       | order_description: blank
    order_description | x*1025                  | order_description: not valid
    identifier        | -                       | identifier: blank
    identifier        | x*256                   | identifier: not valid
    identifier        | x*255                   | ok
    payer_ip          | -                       | payer_ip: blank
    payer_ip          | 203.0.113               | payer_ip: not valid
    return_url        | -                       | return_url: blank
    return_url        | nowhere                 | return_url: no URL
    return_url_target | _new                    | return_url_target: no choice
    return_url_target | _parent                 | ok
    channel_id        | x*17                    | channel_id: not valid
    crypto_network    | x*33                    | crypto_network: not valid
    callback_url      | ftp://x                 | callback_url: no URL
    auth              | N                       | ok
    auth              | y                       | ok
    auth              | {"a":"Y"}               | ok
    payer_email       | no-at                   | payer_email: not valid
    payer_first_name  | x*256                    | payer_first_name: not valid
    payer_country     | ZZ                      | payer_country: not valid
    payer_language    | [1]                     | ok
    parameters        | text                    | parameters: not valid
    parameters        | {"anything":"else"}     | ok
    card_number       | 4111111111111111        | card_number: not valid
    card_token        | abc                     | card_token: not valid
    payment_token     | abc                     | payment_token: not valid
    recurring_init    | Y                       | recurring_init: not valid
    recurring_init    | N                       | ok
    req_token         | Y                       | req_token: not valid
    mpi_data          | {"eci":"05"}            | mpi_data: not valid
    schedule_id       | x                       | schedule_id: not valid`);

  it.each(table)('%s=%s is %s', (field, cell, verdict) => {
    expect(verdictOf(saleSchema(), changed(sale, { [field ?? '']: readCell(cell ?? '') }))).toBe(verdict);
  });

  it('takes a return_url of 1024 characters and no longer one', () => {
    const long = (length: number) => ({ return_url: 'https://shop.example/'.padEnd(length, 'x') });
    expect(verdictOf(saleSchema(), changed(sale, long(1024)))).toBe('ok');
    expect(verdictOf(saleSchema(), changed(sale, long(1025)))).toBe('return_url: not valid');
  });
});

describe('the rules of the brand', () => {
  // brand | other fields | field errors
  const table = rowsOf(`
    vcard            | {"identifier":"success@gmail.com"}                               | ok
    vcard            | {"identifier":"someone"}                                         | payer_email: blank
    vcard            | {"identifier":"someone","payer_email":"success@gmail.com"}       | ok
    fawry            | {"identifier":"201001234567"}                                    | ok
    fawry            | {"identifier":"mia"}                                             | payer_phone: blank
    moov-togo        | {"identifier":"mia","payer_phone":"22890112345"}                 | ok
    moov-togo        | {"identifier":"mia","payer_phone":"22990112345"}                 | payer_phone: not valid
    moov-togo        | {"identifier":"mia"}                                             | payer_phone: blank
    pix              | {"order_currency":"BRL"}                                         | parameters.document_number: blank
    pix              | {"order_currency":"BRL","parameters":{"document_number":"1"}}    | parameters.document_number: not valid
    papara           | {"order_currency":"TRY"}                                         | parameters.memberId: blank
    awcc             | {"identifier":"","parameters":{"crypto_type":"BTC"}}             | ok
    awcc             | {"identifier":"","parameters":{}}                                | parameters.crypto_type: blank
    crypto-btg       | {"identifier":""}                                                | ok
    unipayment       | {"identifier":""}                                                | ok
    no-such-brand    | {"identifier":""}                                                | identifier: blank`);

  it.each(table)('%s %s is %s', (brand, fields, verdict) => {
    expect(verdictOf(saleSchema(), changed(sale, { brand, ...JSON.parse(fields ?? '{}') }))).toBe(verdict);
  });
});

it("requires the mapping's payer fields", () => {
  expect(verdictOf(saleSchema(['payer_email', 'payer_birth_date', 'payer_state']), changed(sale, {}))).toBe(
    'payer_birth_date: blank, payer_email: blank',
  );
});

describe('a parsed SALE', () => {
  it.each([
    ['Y', true],
    ['N', false],
    ['y', false],
    ['YES', false],
    [undefined, false],
  ])('auth=%s is an authorisation: %s', (auth, authorizeOnly) => {
    expect(saleSchema().parse(changed({ ...sale, brand: 'vcard' }, { auth })).authorizeOnly).toBe(authorizeOnly);
  });

  it('uses the identifier as the e-mail address that the method requires', () => {
    const read = saleSchema().parse(changed(sale, { brand: 'vcard' }));
    expect(read.payer).toEqual({ ip: '203.0.113.7', email: 'mia@mail.example' });
    expect(saleSchema().parse(changed(sale, {})).payer).toEqual({ ip: '203.0.113.7' });
  });
});

describe('a DEBIT2VIRTUAL', () => {
  const { return_url: url, ...rest } = sale;
  const debit = { ...rest, payer_return_url: url };

  it('returns to payer_return_url', () => {
    expect(debitSchema().parse(changed(debit, {}))).toMatchObject({ returnUrl: url, authorizeOnly: false });
    expect(verdictOf(debitSchema(), changed(sale, {}))).toBe('payer_return_url: blank');
  });

  it('cannot be an authorisation', () => {
    expect(verdictOf(debitSchema(), changed(debit, { auth: 'Y' }))).toBe('auth: not valid');
    expect(verdictOf(debitSchema(), changed(debit, { order_amount: '0' }))).toBe('order_amount: positive');
  });
});

describe('a payout by kora with one field changed', () => {
  const table = rowsOf(`
    order_description | -                                        | ok
    order_description | x*1025                                   | order_description: not valid
    order_amount      | 1                                        | order_amount: not valid
    order_amount      | 2                                        | ok
    order_amount      | 2000000                                  | ok
    order_amount      | 2000001                                  | order_amount: not valid
    order_amount      | 2000.00                                  | ok
    order_amount      | 2000.50                                  | order_amount: not valid
    order_currency    | EUR                                      | order_currency: not valid
    payee_first_name  | -                                        | payee_first_name: blank
    payee_last_name   | -                                        | payee_last_name: blank
    payee_last_name   | x*256                                     | payee_last_name: not valid
    payee_email       | -                                        | payee_email: blank
    payee_email       | no-at                                    | payee_email: not valid
    parameters        | {"mobile_money_operator":"orange-ci","mobile_number":"2250700000000","customer_email":"a@b.example","customer_name":"Awa"} | ok
    parameters        | {"mobile_money_operator":"mtn-gh","mobile_number":"2250700000000","customer_email":"a@b.example"} | parameters.mobile_money_operator: no choice
    parameters        | {"mobile_money_operator":"mtn-ci","mobile_number":"233241234567","customer_email":"a@b.example"} | parameters.mobile_number: not valid
    parameters        | {"mobile_money_operator":"mtn-ci","mobile_number":"2250700000000"} | parameters.customer_email: blank
    parameters        | {"mobile_number":"2250700000000","customer_email":"a@b.example"} | parameters.mobile_money_operator: blank`);

  it.each(table)('%s=%s is %s', (field, cell, verdict) => {
    expect(verdictOf(creditSchema, changed(kora, { [field ?? '']: readCell(cell ?? '') }))).toBe(verdict);
  });
});

describe('other payouts', () => {
  const allpay = {
    ...order,
    brand: 'allpay-payout',
    payer_first_name: 'x'.repeat(60),
    payer_last_name: 'Lindqvist',
    payee_first_name: 'Ada',
    payee_last_name: 'Traore',
    payer_email: 'mia@mail.example',
    parameters: { SecurityQuestion: 'The first pet?', SecurityQuestionAnswer: 'Rex' },
  };
  const table = rowsOf(`
    order_description | -    | order_description: blank
    order_description | x*4  | order_description: not valid
    order_description | x*201 | order_description: not valid
    order_description | x*200 | ok
    payer_first_name  | -    | payer_first_name: blank
    payee_last_name   | x*61 | payee_last_name: not valid
    payer_email       | -    | payer_email: blank
    identifier        | x    | ok`);

  it.each(table)('allpay-payout: %s=%s is %s', (field, cell, verdict) => {
    expect(verdictOf(creditSchema, changed(allpay, { [field ?? '']: readCell(cell ?? '') }))).toBe(verdict);
  });

  it('have names of up to 255 characters unless their brand has other limits', () => {
    const other = { ...order, brand: 'vcard', payee_first_name: 'x'.repeat(255) };
    expect(verdictOf(creditSchema, other)).toBe('ok');
    expect(verdictOf(creditSchema, { ...other, payee_first_name: 'x'.repeat(256) })).toBe(
      'payee_first_name: not valid',
    );
  });
});

it('a state that does not count, of any length, is not passed on', () => {
  const state = 'cid:'.repeat(1000);
  const outputs = (changes: object) => [
    saleSchema().parse({ ...sale, ...changes }),
    creditSchema.parse(changed(kora, changes)),
  ];
  for (const output of outputs({ payer_country: 'CI', payer_state: state }))
    expect(JSON.stringify(output)).not.toContain('cid:');
  for (const output of outputs({ payer_country: 'US', payer_state: 'CA' }))
    expect(output).toMatchObject({ payer_state: 'CA', payer: { state: 'CA' } });
});
