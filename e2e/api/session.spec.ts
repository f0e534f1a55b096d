// Opening a session: the accepted values and the rejections of every rule of the contract (interface.md, Checkout
// session request; protocol.md 3 and 8).

import { newOrderNumber } from '../support/merchant.ts';
import { expect, test } from '../support/test.ts';
import { atPath, parseCell, rowsOf } from '../support/text-table.ts';

const messages: Record<string, string> = {
  blank: 'This value should not be blank.',
  positive: 'This value should be greater than 0.',
  'not valid': 'This value is not valid.',
  'not a URL': 'This value is not a valid URL.',
  'not a choice': 'The value you selected is not a valid choice.',
  'not a UUID': 'This is not a valid UUID.',
};

test('the answer to a session contains a link to its page', async ({ shop, florin }) => {
  const answer = await shop.session();
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).sort()).toEqual(['redirect_method', 'redirect_url']);
  expect(answer.body.redirect_method).toBe('GET');
  expect(new URL(answer.body.redirect_url).origin).toBe(new URL(florin).origin);
  const page = await fetch(answer.body.redirect_url);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
});

test('a session can be looked up before any attempt', async ({ shop }) => {
  const { order } = await shop.open();
  const { status, body } = await shop.statusByOrder(order.number);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'prepare',
    order,
    customer: { name: 'Ana Petrović', email: 'ana@example.com' },
  });
  expect(body.payment_id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(body.date).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  expect(Math.abs(Date.parse(`${body.date.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000);
  expect(body).not.toHaveProperty('reason');
});

test('every member of the contract is accepted at once', async ({ shop, shopServer }) => {
  const { order } = await shop.open({
    operation: 'purchase',
    parameters: { card: { descriptor: 'ORME CERAMICS' } },
    expiry_url: `${shopServer.url}/expired`,
    error_url: `${shopServer.url}/error`,
    url_target: '_parent',
    session_expiry: 720,
    req_token: true,
    recurring_init: true,
    vat_calc: true,
    auth: false,
    customer: { name: 'Ana', email: 'ana@example.com', birth_date: '1990-02-28', ip: '203.0.113.9' },
    billing_address: {
      country: 'US',
      state: 'CA',
      city: 'Los Angeles',
      address: '1 Main Street',
      house_number: '17b',
      zip: '90001',
      phone: '+1 213 555 0100',
      district: 'Downtown',
      phone_country_code: '1-684',
      language: 'PT',
    },
    payer_ip: '2001:db8::7',
    custom_data: { basket: { id: 7, lines: ['bowl', 'bowl'] }, note: null },
    channel_id: 'shop-front',
    form_id: 'autumn',
    unknown_member: { is: 'ignored' },
  });
  expect((await shop.statusByOrder(order.number)).body.status).toBe('prepare');
});

// Boundary values and other notations of the fields.
const accepted = rowsOf(`
  order.number         | n*255 (unique)
  order.description    | dd
  order.description    | d*1024
  order.amount         | 0.01
  order.amount         | 1
  order.amount         | 10.5
  order.amount         | 99999999.99
  operation            | debit
  session_expiry       | 1
  session_expiry       | 720
  session_expiry       | "60"
  url_target           | _blank
  url_target           | _self
  url_target           | _parent
  url_target           | _top
  auth                 | true
  auth                 | "Y"
  auth                 | false
  channel_id           | c*16
  customer.name        | Li
  customer.name        | n*32
  customer.birth_date  | 2000-02-29
  customer.ip          | ::1
  billing_address.state        | s*32
  billing_address.city         | c*40
  billing_address.district     | d*32
  billing_address.address      | a*32
  billing_address.house_number | 9*9
  billing_address.house_number | "1"
  billing_address.zip          | 1*10
  billing_address.phone        | 1*32
  billing_address.phone_country_code | "1234567890"
  billing_address.phone_country_code | 1-684
  billing_address.language     | zh-tw
  billing_address.language     | tlh
  billing_address.country      | RS
  custom_data                  | {}
`);

for (const [path = '', cell = ''] of accepted) {
  test(`accepted: ${path} = ${cell}`, async ({ shop }) => {
    const unique = newOrderNumber();
    const value = cell.endsWith('(unique)') ? unique + 'n'.repeat(255 - unique.length) : parseCell(cell);
    const texts = path.startsWith('order.') || path.startsWith('billing_address.');
    const answer = await shop.session(atPath(path, texts ? String(value) : value));
    expect(answer.body).toHaveProperty('redirect_url');
    expect(answer.status).toBe(200);
  });
}

// One wrong field each: its value, the path of the error and the text.
const rejections = rowsOf(`
  operation            | -                | operation            | blank
  operation            | ""               | operation            | blank
  operation            | sell             | operation            | not a choice
  operation            | PURCHASE         | operation            | not a choice
  operation            | 7                | operation            | not a choice
  methods              | card             | methods              | not valid
  methods              | [7]              | methods              | not valid
  methods              | {"card": true}   | methods              | not valid
  order.number         | -                | order.number         | blank
  order.number         | ""               | order.number         | blank
  order.number         | n*256            | order.number         | not valid
  order.number         | 7                | order.number         | not valid
  order.number         | {"a": 1}         | order.number         | not valid
  order.amount         | -                | order.amount         | blank
  order.amount         | ""               | order.amount         | blank
  order.amount         | 84.5             | order.amount         | not valid
  order.amount         | "1e3"            | order.amount         | not valid
  order.amount         | "+1"             | order.amount         | not valid
  order.amount         | "01.00"          | order.amount         | not valid
  order.amount         | "10.001"         | order.amount         | not valid
  order.amount         | "10."            | order.amount         | not valid
  order.amount         | ".50"            | order.amount         | not valid
  order.amount         | "1,000.00"       | order.amount         | not valid
  order.amount         | "10,50"          | order.amount         | not valid
  order.amount         | " 10.50"         | order.amount         | not valid
  order.amount         | "0x10"           | order.amount         | not valid
  order.amount         | "NaN"            | order.amount         | not valid
  order.amount         | "Infinity"       | order.amount         | not valid
  order.amount         | "٨٤.٥٠"          | order.amount         | not valid
  order.amount         | 9*40             | order.amount         | not valid
  order.amount         | ["84.50"]        | order.amount         | not valid
  order.currency       | -                | order.currency       | blank
  order.currency       | ""               | order.currency       | blank
  order.currency       | EU               | order.currency       | not valid
  order.currency       | eur              | order.currency       | not valid
  order.currency       | E*7              | order.currency       | not valid
  order.currency       | 978              | order.currency       | not valid
  order.currency       | __proto__        | order.currency       | not valid
  order.currency       | constructor      | order.currency       | not valid
  order.description    | -                | order.description    | blank
  order.description    | ""               | order.description    | blank
  order.description    | d                | order.description    | not valid
  order.description    | d*1025           | order.description    | not valid
  order.description    | 7                | order.description    | not valid
  success_url          | -                | success_url          | blank
  success_url          | javascript:alert(1)            | success_url | not a URL
  success_url          | data:text/html,x               | success_url | not a URL
  success_url          | ftp://shop.example/            | success_url | not a URL
  success_url          | /success                       | success_url | not a URL
  success_url          | //shop.example/                | success_url | not a URL
  success_url          | http://user:pw@shop.example/   | success_url | not a URL
  success_url          | https://user@shop.example/     | success_url | not a URL
  success_url          | https://                       | success_url | not a URL
  success_url          | 7                              | success_url | not valid
  cancel_url           | javascript:alert(1)            | cancel_url  | not a URL
  cancel_url           | https://user:pw@shop.example/  | cancel_url  | not a URL
  expiry_url           | javascript:alert(1)            | expiry_url  | not a URL
  expiry_url           | nowhere                        | expiry_url  | not a URL
  error_url            | vbscript:x                     | error_url   | not a URL
  url_target           | blank            | url_target           | not a choice
  url_target           | _new             | url_target           | not a choice
  url_target           | 7                | url_target           | not a choice
  session_expiry       | 0                | session_expiry       | not valid
  session_expiry       | 721              | session_expiry       | not valid
  session_expiry       | -1               | session_expiry       | not valid
  session_expiry       | 1.5              | session_expiry       | not valid
  session_expiry       | "1.5"            | session_expiry       | not valid
  session_expiry       | soon             | session_expiry       | not valid
  session_expiry       | true             | session_expiry       | not valid
  session_expiry       | [60]             | session_expiry       | not valid
  auth                 | maybe            | auth                 | not valid
  auth                 | 2                | auth                 | not valid
  req_token            | maybe            | req_token            | not valid
  recurring_init       | {}               | recurring_init       | not valid
  vat_calc             | maybe            | vat_calc             | not valid
  notification_url     | javascript:x     | notification_url     | not a URL
  notification_url     | ftp://127.0.0.1/ | notification_url     | not a URL
  notification_url     | http://a:b@127.0.0.1/ | notification_url | not a URL
  notification_url     | http://127.0.0.1:1/   | notification_url | not a URL
  notification_url     | http://no-such-host.invalid/ | notification_url | not a URL
  customer             | Ana              | customer             | not valid
  customer             | ["Ana"]          | customer             | not valid
  customer.name        | n*256            | customer.name        | not valid
  customer.name        | 7                | customer.name        | not valid
  customer.email       | a                | customer.email       | not valid
  customer.email       | ana@             | customer.email       | not valid
  customer.email       | ana example.com  | customer.email       | not valid
  customer.birth_date  | 1990-02-30       | customer.birth_date  | not valid
  customer.birth_date  | 28.02.1990       | customer.birth_date  | not valid
  customer.ip          | 999.1.1.1        | customer.ip          | not valid
  payer_ip             | localhost        | payer_ip             | not valid
  billing_address      | 7                | billing_address      | not valid
  billing_address.country      | Serbia   | billing_address.country      | not valid
  billing_address.country      | QQ       | billing_address.country      | not valid
  billing_address.city         | c*256    | billing_address.city         | not valid
  billing_address.district     | d*256    | billing_address.district     | not valid
  billing_address.address      | a*256    | billing_address.address      | not valid
  billing_address.house_number | 1*10     | billing_address.house_number | not valid
  billing_address.zip          | z*256    | billing_address.zip          | not valid
  billing_address.phone        | p*256    | billing_address.phone        | not valid
  billing_address.phone_country_code | "12345678901" | billing_address.phone_country_code | not valid
  billing_address.phone_country_code | "+1"          | billing_address.phone_country_code | not valid
  billing_address.phone_country_code | abc           | billing_address.phone_country_code | not valid
  channel_id           | c*17             | channel_id           | not valid
  parameters           | none             | parameters           | not valid
  parameters           | {"card": "x"}    | parameters.card      | not valid
  card_token           | 7                | card_token           | not valid
  card_token           | [7]              | card_token           | not valid
  schedule_start_date  | 2031-01-31       | schedule_id          | blank
  payment_schedule_amount | "10.00"       | schedule_id          | blank
`);

for (const [path = '', cell = '', errorPath = '', text = ''] of rejections) {
  test(`rejected: ${path} = ${cell}`, async ({ shop }) => {
    const answer = await shop.session(atPath(path, parseCell(cell)));
    expect(answer.body).toEqual({
      result: 'ERROR',
      error_code: 100000,
      error_message: 'Request data is invalid.',
      errors: [{ error_code: 100000, error_message: `${errorPath}: ${messages[text]}` }],
    });
    expect(answer.status).toBe(400);
  });
}

test('every faulty field is listed, once each', async ({ shop }) => {
  const { status, body } = await shop.session({
    operation: 'sell',
    order: { number: '', amount: '1e3', currency: 'EU', description: 'd' },
    success_url: 'javascript:alert(1)',
    url_target: '_new',
    session_expiry: 721,
    customer: { name: 'A'.repeat(256), email: 'a' },
    billing_address: { country: 'QQ', zip: 'z'.repeat(256) },
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error_code: 100000, error_message: 'Request data is invalid.' });
  const listed = body.errors.map((error: { error_message: string }) => error.error_message).sort();
  expect(listed).toEqual(
    [
      'operation: The value you selected is not a valid choice.',
      'order.number: This value should not be blank.',
      'order.amount: This value is not valid.',
      'order.currency: This value is not valid.',
      'order.description: This value is not valid.',
      'success_url: This value is not a valid URL.',
      'url_target: The value you selected is not a valid choice.',
      'session_expiry: This value is not valid.',
      'customer.name: This value is not valid.',
      'customer.email: This value is not valid.',
      'billing_address.country: This value is not valid.',
      'billing_address.zip: This value is not valid.',
    ].sort(),
  );
});

test('for a negative amount the check against zero comes first', async ({ shop }) => {
  const { status, body } = await shop.session({ order: { amount: '-1' } });
  expect(status).toBe(400);
  expect(body.error_message).toBe('amount: This value should be greater than 0.');
});

test('a state is checked only in countries with states', async ({ shop }) => {
  for (const state of ['s'.repeat(256), 7]) {
    const answer = await shop.session({ billing_address: { country: 'US', state } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { error_code: 100000, error_message: 'billing_address.state: This value is not valid.' },
    ]);
    expect((await shop.session({ billing_address: { country: 'RS', state } })).status).toBe(200);
    expect((await shop.session({ billing_address: { state } })).status).toBe(200);
  }
});

test('custom_data has a limit of 16 KB', async ({ shop }) => {
  expect((await shop.session({ custom_data: { text: 'x'.repeat(16_000) } })).status).toBe(200);
  const answer = await shop.session({ custom_data: { text: 'x'.repeat(17_000) } });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual([{ error_code: 100000, error_message: 'custom_data: This value is not valid.' }]);
});

test('the parameters of all methods together have a limit of 32 KB', async ({ shop }) => {
  const ask = (characters: number, more: object = {}) =>
    shop.session({ parameters: { card: { note: 'x'.repeat(characters) }, ...more } });
  expect((await ask(32_000)).status).toBe(200);
  const fault = (path: string) => ({ error_code: 100000, error_message: `${path}: This value is not valid.` });
  const one = await ask(33_000);
  const two = await ask(20_000, { papara: { note: 'x'.repeat(13_000) } });
  expect([one.status, two.status]).toEqual([400, 400]);
  expect(one.body.errors).toEqual([fault('parameters'), fault('parameters.card')]);
  expect(two.body.errors).toEqual([fault('parameters')]);
});

test('a currency that does not exist', async ({ shop }) => {
  for (const currency of ['QQQ', 'EURO']) {
    const { status, body } = await shop.session({ order: { currency } });
    expect([status, body.error_code], currency).toEqual([400, 204012]);
  }
});

test('an address longer than 1024 characters is rejected', async ({ shop, shopServer }) => {
  const at = (length: number) => `${shopServer.url}/${'a'.repeat(length - shopServer.url.length - 1)}`;
  for (const name of ['success_url', 'cancel_url', 'expiry_url', 'error_url', 'notification_url']) {
    expect((await shop.session({ [name]: at(1024) })).status, name).toBe(200);
    const answer = await shop.session({ [name]: at(1025) });
    expect(answer.status, name).toBe(400);
    expect(answer.body.errors[0].error_message).toMatch(new RegExp(`^${name}: `));
  }
});

// Decimals by ISO 4217, and `.00` on a currency without decimals as the one exception (protocol.md 8).
const amounts = rowsOf(`
  JPY | 10      | accepted
  JPY | 10.00   | accepted
  JPY | 10.0    | refused
  JPY | 10.01   | refused
  JPY | 10.000  | refused
  KRW | 500.00  | accepted
  EUR | 10      | accepted
  EUR | 10.5    | accepted
  EUR | 10.50   | accepted
  EUR | 10.500  | refused
  BHD | 1.234   | accepted
  BHD | 1.2345  | refused
  HUF | 100.50  | accepted
  IDR | 100.50  | accepted
  CLF | 1.2345  | accepted
`);

for (const [currency, amount, outcome] of amounts) {
  test(`amount ${amount} ${currency} is ${outcome}`, async ({ shop }) => {
    const answer = await shop.session({ order: { amount, currency } });
    if (outcome === 'accepted') expect(answer.body).toHaveProperty('redirect_url');
    else
      expect(answer.body.errors).toEqual([
        { error_code: 100000, error_message: 'order.amount: This value is not valid.' },
      ]);
    expect(answer.status).toBe(outcome === 'accepted' ? 200 : 400);
  });
}

test('the amount is returned as it was sent', async ({ shop }) => {
  const { order } = await shop.open({ order: { amount: '10.5', currency: 'EUR' } });
  const { body } = await shop.statusByOrder(order.number);
  expect(body.order).toEqual(order);
});

test.describe('zero amounts', () => {
  const zeros = rowsOf(`
    zeroAmounts | 0.00 | {}                       | refused
    zeroAmounts | 0    | {}                       | refused
    zeroAmounts | 0.00 | {"auth": true}           | accepted
    zeroAmounts | 0    | {"recurring_init": true} | accepted
    plain       | 0.00 | {}                       | refused
    plain       | 0.00 | {"auth": true}           | refused
    plain       | 0.00 | {"recurring_init": true} | refused
  `);
  for (const [name, amount, more = '{}', outcome] of zeros) {
    test(`${amount} of ${name} with ${more} is ${outcome}`, async ({ as }) => {
      const merchant = as(name as 'plain' | 'zeroAmounts');
      const answer = await merchant.session({ order: { amount }, ...JSON.parse(more) });
      if (outcome === 'accepted') {
        expect(answer.status).toBe(200);
      } else {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({
          result: 'ERROR',
          error_code: 100000,
          error_message: 'amount: This value should be greater than 0.',
        });
      }
    });
  }
});

test.describe('auth and the Payment Mode of the merchant account', () => {
  const modes = rowsOf(`
    smsOnly | purchase | false | 200
    smsOnly | purchase | -     | 200
    smsOnly | purchase | true  | 204003
    dmsOnly | purchase | true  | 200
    dmsOnly | purchase | false | 204003
    dmsOnly | purchase | -     | 204003
    plain   | purchase | true  | 200
    plain   | purchase | false | 200
    plain   | debit    | false | 200
  `);
  for (const [name, operation, auth = '', outcome] of modes) {
    test(`${name}: ${operation} with auth ${auth} gives ${outcome}`, async ({ as }) => {
      const answer = await as(name as 'plain').session({ operation, auth: parseCell(auth) });
      if (outcome === '200') expect(answer.status).toBe(200);
      else expect([answer.status, answer.body.error_code]).toEqual([400, Number(outcome)]);
    });
  }

  test('auth is valid with purchase only', async ({ shop }) => {
    const answer = await shop.session({ operation: 'debit', auth: true });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ error_code: 100000, error_message: 'auth: This value is not valid.' }]);
  });
});

test.describe('recurring and schedule members', () => {
  test('schedule_id must be a UUID', async ({ shop }) => {
    const answer = await shop.session({ recurring_init: true, schedule_id: 'monthly' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('This is not a valid UUID.');
  });

  test('an unknown schedule is rejected', async ({ shop }) => {
    const schedule = '00000000-0000-4000-8000-000000000000';
    const answer = await shop.session({ recurring_init: true, schedule_id: schedule });
    expect([answer.status, answer.body.error_message]).toEqual([400, 'Schedule not found']);
  });

  test('schedule_id requires recurring_init', async ({ shop }) => {
    const schedule = '00000000-0000-4000-8000-000000000000';
    const answer = await shop.session({ schedule_id: schedule });
    expect([answer.status, answer.body.error_code]).toEqual([400, 100000]);
  });
});

test.describe('capabilities of the merchant account', () => {
  test('an unsupported currency', async ({ as }) => {
    const answer = await as('euroPurchases').session({ order: { currency: 'USD' } });
    expect([answer.status, answer.body.error_code]).toEqual([400, 204012]);
  });

  test('an unsupported operation', async ({ as }) => {
    const answer = await as('euroPurchases').session({ operation: 'debit' });
    expect([answer.status, answer.body.error_code]).toEqual([400, 204005]);
  });

  test('unsupported methods', async ({ as }) => {
    const answer = await as('plain').session({ methods: ['papara'] });
    expect([answer.status, answer.body.error_code]).toEqual([400, 204004]);
    expect((await as('plain').session({ methods: ['papara', 'card'] })).status).toBe(200);
    expect((await as('plain').session({ methods: undefined })).status).toBe(200);
  });

  test('a disabled mapping', async ({ as }) => {
    const answer = await as('mappingOff').session();
    expect([answer.status, answer.body.error_code]).toEqual([400, 204002]);
  });

  test('no enabled merchant account', async ({ as }) => {
    const answer = await as('midOff').session();
    expect([answer.status, answer.body.error_code]).toEqual([400, 204002]);
  });
});
