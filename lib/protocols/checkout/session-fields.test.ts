import { describe, expect, it } from 'vitest';
import { fieldErrorsOf } from '../../http/body.ts';
import { sessionSchema, tokenSchema, updateSchema } from './session-fields.ts';

const base = {
  merchant_key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  operation: 'purchase',
  methods: ['card'],
  order: { number: 'order-1', amount: '84.50', currency: 'EUR', description: 'Two bowls' },
  success_url: 'https://shop.example/success',
  hash: 'a'.repeat(40),
};

type Body = { [name: string]: unknown };

/** A copy of `body` with `value` at a path; undefined removes. */
function put(body: Body, path: string, value: unknown): Body {
  const [name = '', ...rest] = path.split('.');
  const inner = (body[name] ?? {}) as Body;
  const copy = { ...body, [name]: rest.length > 0 ? put(inner, rest.join('.'), value) : value };
  if (value === undefined && rest.length === 0) delete copy[name];
  return copy;
}

/** Parses a cell: JSON, `x*31` for a text of that length, `-` for undefined, else the text itself. */
function readCell(cell: string): unknown {
  if (cell === '-') return undefined;
  const repeated = /^(\S)\*(\d+)$/u.exec(cell);
  if (repeated) return repeated[1]?.repeat(Number(repeated[2]));
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const errorTexts: { [short: string]: string } = {
  blank: 'This value should not be blank.',
  positive: 'This value should be greater than 0.',
  'not valid': 'This value is not valid.',
  'no URL': 'This value is not a valid URL.',
  'no choice': 'The value you selected is not a valid choice.',
  'no UUID': 'This is not a valid UUID.',
};

/** `path: error` for every field error, or `ok`. */
function verdictOf(schema: typeof sessionSchema | typeof tokenSchema | typeof updateSchema, body: unknown): string {
  const parsed = schema.safeParse(body);
  if (parsed.success) return 'ok';
  const short = (text: string) => Object.keys(errorTexts).find((word) => errorTexts[word] === text) ?? text;
  return fieldErrorsOf(parsed.error)
    .map(({ path, text }) => `${path}: ${short(text)}`)
    .join(', ');
}

describe('a session request with one field changed', () => {
  const table = rowsOf(`
    merchant_key                       | -                       | merchant_key: blank
    merchant_key                       | 7                       | merchant_key: not valid
    hash                               | ""                      | hash: blank
    operation                          | -                       | operation: blank
    operation                          | sale                    | operation: no choice
    operation                          | 5                       | operation: no choice
    operation                          | debit                   | ok
    operation                          | credit                  | ok
    operation                          | transfer                | ok
    methods                            | -                       | ok
    methods                            | []                      | ok
    methods                            | card                    | methods: not valid
    methods                            | ["card",7]              | methods: not valid
    methods                            | ["ca rd"]               | methods: not valid
    order                              | -                       | order.number: blank, order.amount: blank, order.currency: blank, order.description: blank
    order                              | []                      | order.number: blank, order.amount: blank, order.currency: blank, order.description: blank
    order                              | text                    | order: not valid
    order.number                       | -                       | order.number: blank
    order.number                       | "   "                   | order.number: blank
    order.number                       | 17                      | order.number: not valid
    order.number                       | x*255                   | ok
    order.number                       | x*256                   | order.number: not valid
    order.number                       | ö*255                   | ok
    order.number                       | 𝒳*255                   | ok
    order.number                       | 𝒳*256                   | order.number: not valid
    order.description                  | x                       | order.description: not valid
    order.description                  | x*2                     | ok
    order.description                  | x*1024                  | ok
    order.description                  | x*1025                  | order.description: not valid
    order.currency                     | eur                     | order.currency: not valid
    order.currency                     | EU                      | order.currency: not valid
    order.currency                     | USDTRC                  | ok
    order.currency                     | USDTRCX                 | order.currency: not valid
    order.currency                     | ZZZ                     | ok
    order.currency                     | JPY                     | order.amount: not valid
    order.amount                       | ""                      | order.amount: blank
    order.amount                       | " "                     | order.amount: blank
    order.amount                       | 84.5                    | order.amount: not valid
    order.amount                       | "84"                    | ok
    order.amount                       | "84.5"                  | ok
    order.amount                       | "1e3"                   | order.amount: not valid
    order.amount                       | "-1"                    | order.amount: positive
    order.amount                       | "-0.01"                 | order.amount: positive
    order.amount                       | "--1"                   | order.amount: not valid
    order.amount                       | "+1"                    | order.amount: not valid
    order.amount                       | "01.00"                 | order.amount: not valid
    order.amount                       | "10.001"                | order.amount: not valid
    order.amount                       | "10."                   | order.amount: not valid
    order.amount                       | ".5"                    | order.amount: not valid
    order.amount                       | "10,00"                 | order.amount: not valid
    order.amount                       | " 10.00"                | order.amount: not valid
    order.amount                       | "1 000.00"              | order.amount: not valid
    order.amount                       | "0x10"                  | order.amount: not valid
    order.amount                       | "NaN"                   | order.amount: not valid
    order.amount                       | "١٠"                    | order.amount: not valid
    order.amount                       | 9*15                    | ok
    order.amount                       | "999999999999999.99"    | ok
    order.amount                       | "1000000000000000"      | order.amount: not valid
    order.amount                       | "0.00"                  | order.amount: positive
    order.amount                       | "0"                     | order.amount: positive
    success_url                        | -                       | success_url: blank
    success_url                        | ""                      | success_url: blank
    success_url                        | javascript:alert(1)     | success_url: no URL
    success_url                        | /success                | success_url: no URL
    success_url                        | https://a:b@shop.example| success_url: no URL
    success_url                        | ["https://shop.example"]| success_url: not valid
    cancel_url                         | ""                      | ok
    cancel_url                         | ftp://shop.example      | cancel_url: no URL
    error_url                          | no                      | error_url: no URL
    expiry_url                         | no                      | expiry_url: no URL
    notification_url                   | no                      | notification_url: no URL
    return_url                         | no                      | return_url: no URL
    url_target                         | _top                    | ok
    url_target                         | top                     | url_target: no choice
    session_expiry                     | 1                       | ok
    session_expiry                     | "720"                   | ok
    session_expiry                     | 0                       | session_expiry: not valid
    session_expiry                     | 721                     | session_expiry: not valid
    session_expiry                     | 1.5                     | session_expiry: not valid
    session_expiry                     | "1e2"                   | session_expiry: not valid
    session_expiry                     | "soon"                  | session_expiry: not valid
    session_expiry                     | true                    | session_expiry: not valid
    auth                               | true                    | ok
    auth                               | "Y"                     | ok
    auth                               | "N"                     | ok
    auth                               | false                   | ok
    auth                               | "yes"                   | auth: not valid
    auth                               | 1                       | ok
    auth                               | "1"                     | ok
    auth                               | 2                       | auth: not valid
    auth                               | "TRUE"                  | auth: not valid
    req_token                          | "true"                  | ok
    req_token                          | "false"                 | ok
    recurring_init                     | 0                       | ok
    recurring_init                     | "0"                     | ok
    recurring_consent_required         | "1"                     | ok
    recurring_consent_required         | "on"                    | recurring_consent_required: not valid
    cancel_url                         | myshop://cancelled      | ok
    cancel_url                         | javascript://x          | cancel_url: no URL
    cancel_url                         | data:/text/html         | cancel_url: no URL
    cancel_url                         | myshop:cancelled        | cancel_url: no URL
    notification_url                   | myshop://called         | notification_url: no URL
    vat_calc                           | {}                      | vat_calc: not valid
    card_token                         | abc                     | ok
    card_token                         | ["abc","def"]           | ok
    card_token                         | []                      | ok
    card_token                         | 7                       | card_token: not valid
    card_token                         | ["a b"]                 | card_token: not valid
    card_token                         | {"a":"b"}               | card_token: not valid
    channel_id                         | x*16                    | ok
    channel_id                         | x*17                    | channel_id: not valid
    form_id                            | x*65                    | form_id: not valid
    schedule_id                        | 7                       | schedule_id: not valid
    schedule_id                        | abc                     | schedule_id: no UUID
    schedule_id                        | 0190a1b2-0000-7000-8000-000000000001 | schedule_id: not valid
    schedule_start_date                | 2030-01-31              | schedule_id: blank
    payment_schedule_amount            | "10.00"                 | schedule_id: blank
    customer                           | "Ana"                   | customer: not valid
    customer                           | []                      | ok
    customer.name                      | A                       | ok
    customer.name                      | "  "                    | ok
    customer.name                      | x*255                   | ok
    customer.name                      | x*256                    | customer.name: not valid
    customer.name                      | ""                      | ok
    customer.name                      | null                    | ok
    customer.email                     | ana.example.com         | customer.email: not valid
    customer.email                     | "a na@example.com"      | customer.email: not valid
    customer.email                     | ana@example.com         | ok
    customer.birth_date                | 1990-02-30              | customer.birth_date: not valid
    customer.birth_date                | 1990-02-28              | ok
    customer.ip                        | 203.0.113.7             | ok
    customer.ip                        | 2001:db8::1             | ok
    customer.ip                        | 203.0.113.777           | customer.ip: not valid
    payer_ip                           | localhost               | payer_ip: not valid
    billing_address.country            | DE                      | ok
    billing_address.country            | de                      | ok
    billing_address.country            | XX                      | billing_address.country: not valid
    billing_address.country            | Germany                 | billing_address.country: not valid
    billing_address.state              | x*99                    | ok
    billing_address                    | {"country":"DE","state":7}       | ok
    billing_address                    | {"country":"US","state":"CA"}    | ok
    billing_address                    | {"country":"US","state":"C"}     | ok
    billing_address                    | {"country":"JP","state":7}       | billing_address.state: not valid
    billing_address.city               | x*256                    | billing_address.city: not valid
    billing_address.district           | x*256                    | billing_address.district: not valid
    billing_address.address            | x*256                    | billing_address.address: not valid
    billing_address.house_number       | x*10                    | billing_address.house_number: not valid
    billing_address.zip                | 1                       | billing_address.zip: not valid
    billing_address.phone              | 1*256                    | billing_address.phone: not valid
    billing_address.phone_country_code | "1-242"                 | ok
    billing_address.phone_country_code | "+1"                    | billing_address.phone_country_code: not valid
    billing_address.phone_country_code | "12345678901"           | billing_address.phone_country_code: not valid
    billing_address.language           | Klingon                 | ok
    billing_address.language           | 7                       | ok
    parameters                         | []                      | ok
    parameters                         | {"card":{"descriptor":"x"}}      | ok
    parameters                         | {"card":[]}             | ok
    parameters                         | {"card":"x"}            | parameters.card: not valid
    parameters                         | x                       | parameters: not valid
    custom_data                        | {"a":[1,null,{"b":""}]} | ok
    custom_data                        | text                    | ok
    custom_data                        | 7                       | ok
    custom_data                        | x*16385                 | custom_data: not valid
    payee.email                        | no-at                   | payee.email: not valid
    payee_first_name                   | x*256                    | payee_first_name: not valid
    unknown_member                     | {"a":"b"}               | ok`);
  it.each(table)('%s = %s: %s', (path, cell, verdict) => {
    expect(verdictOf(sessionSchema, put(base, path as string, readCell(cell as string)))).toBe(verdict);
  });
});

describe('rules between the fields', () => {
  const schedule = '0190a1b2-0000-7000-8000-000000000001';
  const table: [string, Body, string][] = [
    ['auth is for purchases', { operation: 'debit', auth: true }, 'auth: not valid'],
    ['auth set to N is for all', { operation: 'debit', auth: 'N' }, 'ok'],
    ['a zero authorization', { auth: true, order: { ...base.order, amount: '0.00' } }, 'ok'],
    ['a zero initial payment', { recurring_init: true, order: { ...base.order, amount: '0' } }, 'ok'],
    ['.00 without decimals', { order: { ...base.order, amount: '10.00', currency: 'JPY' } }, 'ok'],
    ['.0 without decimals', { order: { ...base.order, amount: '10.0', currency: 'JPY' } }, 'order.amount: not valid'],
    ['three decimals', { order: { ...base.order, amount: '10.001', currency: 'KWD' } }, 'ok'],
    [
      'beyond 64 bits',
      { order: { ...base.order, amount: '999999999999999.9999', currency: 'CLF' } },
      'order.amount: not valid',
    ],
    ['a schedule with recurring_init', { recurring_init: true, schedule_id: schedule }, 'ok'],
    [
      'a whole schedule',
      {
        recurring_init: true,
        schedule_id: schedule,
        schedule_start_date: '2030-01-31',
        payment_schedule_amount: '1.00',
      },
      'ok',
    ],
    [
      'a zero schedule amount',
      { recurring_init: true, schedule_id: schedule, payment_schedule_amount: '0.00' },
      'payment_schedule_amount: positive',
    ],
    [
      'a day that does not exist',
      { recurring_init: true, schedule_id: schedule, schedule_start_date: '2030-02-30' },
      'schedule_start_date: not valid',
    ],
  ];
  it.each(table)('%s', (_name, changes, verdict) => {
    expect(verdictOf(sessionSchema, { ...base, ...changes })).toBe(verdict);
  });

  it('are reported together with errors of single fields', () => {
    const body = {
      ...put(put(base, 'order.amount', '0.00'), 'order.number', ''),
      operation: 'debit',
      auth: true,
      success_url: 'javascript:alert(1)',
      schedule_start_date: '2030-01-31',
    };
    expect(verdictOf(sessionSchema, body)).toBe(
      'order.number: blank, success_url: no URL, auth: not valid, schedule_id: blank',
    );
    expect(verdictOf(sessionSchema, { ...body, auth: false, operation: 'purchase' })).toBe(
      'order.number: blank, success_url: no URL, order.amount: positive, schedule_id: blank',
    );
  });
});

describe('a parsed request', () => {
  const read = (changes: Body) => sessionSchema.parse({ ...base, ...changes });

  it('contains the state in the five countries only', () => {
    expect(read({ billing_address: { country: 'DE', state: 'Bayern' } }).billing_address?.state).toBeUndefined();
    expect(read({ billing_address: { state: 'Bayern' } }).billing_address?.state).toBeUndefined();
    expect(read({ billing_address: { country: 'us', state: 'CA' } }).billing_address).toMatchObject({
      country: 'US',
      state: 'CA',
    });
  });

  it('contains one card token as a list and the minutes as a number', () => {
    expect(read({ card_token: 'abc', session_expiry: '30' })).toMatchObject({
      card_token: ['abc'],
      session_expiry: 30,
    });
  });

  it('contains custom data as it was sent', () => {
    const custom = { a: '', b: null, c: [], d: { e: '' } };
    expect(read({ custom_data: custom }).custom_data).toEqual(custom);
  });

  it('contains no unknown members', () => {
    expect(read({ anything: 1 })).not.toHaveProperty('anything');
  });
});

describe('related requests', () => {
  it('session/token requires return_url and not success_url', () => {
    const { success_url: _, ...body } = base;
    expect(verdictOf(tokenSchema, body)).toBe('return_url: blank');
    expect(verdictOf(tokenSchema, { ...body, return_url: 'https://shop.example/back' })).toBe('ok');
  });

  const table = rowsOf(`
    success_url      | https://shop.example/other | ok
    success_url      | no                         | success_url: no URL
    order.amount     | "90.00"                    | ok
    order.amount     | 90                         | order.amount: not valid
    order            | text                       | order: not valid
    customer.name    | x*256                      | customer.name: not valid
    operation        | purchase                   | operation: not valid
    auth             | true                       | auth: not valid
    card_token       | abc                        | card_token: not valid
    merchant_key     | 7                          | ok`);
  it.each(table)('session/update with %s = %s: %s', (path, cell, verdict) => {
    expect(verdictOf(updateSchema, put({}, path as string, readCell(cell as string)))).toBe(verdict);
  });
});
