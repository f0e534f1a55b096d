// Existing clients keep working: requests and answers of shop plugins, SDKs and merchants' own code that differ from
// the examples (protocol.md 1, 3, 5 and 8).
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import { createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { type Answer, type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cardFormOf, cards, returnLinkOf, startPayer } from '../support/payer.ts';
import { authorise, idOf, pay, statusOf } from '../support/payment-flows.ts';
import { type Order, signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const own = ({ body }: Answer) => [{ error_code: body.error_code, error_message: body.error_message }];

test.describe('errors: every error has a list of errors', () => {
  const rejected: Record<string, [number, (shop: Merchant) => Promise<Answer>]> = {
    'a wrong hash': [400, (shop) => shop.post('/api/v1/session', { ...shop.sessionBody(), hash: 'f'.repeat(40) })],
    'an unknown payment': [400, (shop) => shop.status('0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c')],
    'a refund of an authorisation': [400, async (shop) => shop.refund((await authorise(shop)).id)],
    'a body that is not JSON': [400, (shop) => shop.post('/api/v1/session', '{')],
    'a body that is too large': [400, (shop) => shop.post('/api/v1/session', `{"a":"${'x'.repeat(300_000)}"}`)],
    'an invalid token': [401, (shop) => processCard(shop, 'none')],
    'an unknown path': [404, (shop) => shop.post('/api/v1/payment/nothing', {})],
    'the API root': [404, (shop) => shop.post('/api/v1', {})],
    'an unsupported method': [405, (shop) => shop.post('/api/v1/session', {}, {}, 'DELETE')],
  };
  for (const [name, [status, ask]] of Object.entries(rejected)) {
    test(`Checkout: ${name}`, async ({ shop }) => {
      const answer = await ask(shop);
      expect([answer.status, answer.body.result], JSON.stringify(answer.body)).toEqual([status, 'ERROR']);
      expect(answer.body.errors).toEqual(own(answer));
    });
  }

  const rejectedCards: Record<string, [number, (shop: CardMerchant) => Promise<Answer>]> = {
    'a wrong hash': [400, (shop) => shop.post({ ...shop.chargeBody('SALE'), hash: 'f'.repeat(32) })],
    'an unknown action': [404, (shop) => shop.post({ action: 'NOTHING' })],
    'an unknown path': [404, (shop) => shop.post({ action: 'SALE' }, '/s2s/card/nothing')],
    'a capture of a settled payment': [400, async (shop) => shop.follow('CAPTURE', await shop.sell())],
  };
  for (const [name, [status, ask]] of Object.entries(rejectedCards)) {
    test(`S2S CARD: ${name}`, async ({ cardShop }) => {
      const answer = await ask(cardShop);
      expect([answer.status, answer.body.result], JSON.stringify(answer.body)).toEqual([status, 'ERROR']);
      expect(answer.body.errors).toEqual(own(answer));
    });
  }
});

test('booleans: true and false in every notation', async ({ shop }) => {
  for (const yes of [true, 'true', '1', 1, 'Y']) {
    const { id } = await pay(shop, cards.settled, { auth: yes });
    expect([yes, (await statusOf(shop, id)).status]).toEqual([yes, 'pending']);
  }
  for (const no of [false, 'false', '0', 0, 'N']) {
    const { id, order } = await pay(shop, cards.settled, { auth: no, req_token: no, recurring_init: no, vat_calc: no });
    expect([no, (await statusOf(shop, id)).status]).toEqual([no, 'settled']);
    expect(order.number).not.toBe('');
  }
  const { token } = await createSessionToken(shop, { auth: '1', req_token: 'true' });
  for (const yes of ['1', 1, 'true', 'Y', true]) {
    const { body } = await processCard(shop, token, { with_hosted_fields: yes });
    // The only error is that no field has been filled in.
    expect([yes, body.errors]).toEqual([yes, [fieldError('with_hosted_fields', 'This value should not be blank.')]]);
  }
  for (const wrong of ['yes', 2, 'on', 'TRUE']) {
    const { status, body } = await shop.session({ auth: wrong });
    expect([wrong, status, body.errors]).toEqual([wrong, 400, [fieldError('auth', 'This value is not valid.')]]);
  }
});

const fieldError = (path: string, text: string) => ({ error_code: 100000, error_message: `${path}: ${text}` });

const payerTexts = ['state', 'city', 'district', 'address', 'zip', 'phone'];
const american = (value: string) => ({
  customer: { name: value, email: 'ana@example.com' },
  billing_address: { country: 'US', ...Object.fromEntries(payerTexts.map((name) => [name, value])) },
});

test("payer's texts: any text of 1 to 255 characters is accepted unchanged", async ({ shop }) => {
  for (const value of ['L', '李', 'x'.repeat(255), '𝒳'.repeat(255)]) {
    const { order } = await pay(shop, cards.settled, american(value));
    const [message] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
    const { customer_name, customer_state, customer_city, customer_address } = message?.fields ?? {};
    expect([customer_name, customer_state, customer_city, customer_address]).toEqual([value, value, value, value]);
  }
  const { body } = await shop.session(american('x'.repeat(256)));
  expect(body.errors).toEqual(
    ['customer.name', ...payerTexts.filter((name) => name !== 'state').map((name) => `billing_address.${name}`)]
      .concat('billing_address.state')
      .map((path) => fieldError(path, 'This value is not valid.')),
  );
});

test("payer's texts: S2S CARD and hosted fields accept them too", async ({ shop, cardShop }) => {
  const names = ['first_name', 'last_name', 'city', 'address', 'zip', 'phone', 'state'].map((name) => `payer_${name}`);
  const fields = (value: string) => ({
    payer_country: 'US',
    ...Object.fromEntries(names.map((name) => [name, value])),
  });
  expect((await cardShop.charge('SALE', fields('x'.repeat(255)))).body.status).toBe('SETTLED');
  const { body } = await cardShop.charge('SALE', fields('x'.repeat(256)));
  expect(body.errors.map((each: { error_message: string }) => each.error_message.split(':')[0]).sort()).toEqual(
    [...names].sort(),
  );
  const { token } = await createSessionToken(shop);
  const long = await processCard(shop, token, { name: 'L', billing_address: { country: 'FR', city: 'Y', zip: '1' } });
  expect(long.body.errors).toEqual([fieldError('with_hosted_fields', 'This value should not be blank.')]);
});

test('blank: a blank optional field is absent', async ({ shop, cardShop }) => {
  const blank = { cancel_url: ' ', error_url: '', session_expiry: ' ', auth: '', form_id: '   ', channel_id: ' ' };
  const { order } = await pay(shop, cards.settled, {
    ...blank,
    customer: { name: '  ', email: ' ', birth_date: ' ' },
    billing_address: { country: ' ', city: ' ', zip: '\t' },
  });
  const [message] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  expect(message?.fields).toMatchObject({ order_status: 'settled' });
  expect(Object.keys(message?.fields ?? {})).not.toContain('customer_name');
  const sold = await cardShop.charge('SALE', { payer_city: ' ', payer_middle_name: '  ', auth: ' ', channel_id: ' ' });
  expect(sold.body.status).toBe('SETTLED');
  const { body } = await cardShop.charge('SALE', { payer_first_name: ' ' });
  expect(body.errors).toEqual([fieldError('payer_first_name', 'This value should not be blank.')]);
});

const described = { description: 'Größe 38, žute čizme' };
const noticeOf = (id: string, { number, amount, currency, description }: Order) => [
  ...[id, number, amount, currency, description],
];

test('upper case: callbacks and return addresses follow the mapping', async ({ as }) => {
  for (const [name, isFull] of [
    ['plain', false],
    ['otherClients', true],
  ] as const) {
    const shop = as(name);
    const { id, order, screen } = await pay(shop, cards.settled, { order: described });
    const right = signCheckout(noticeOf(id, order), shop.credentials, isFull);
    expect(right).not.toBe(signCheckout(noticeOf(id, order), shop.credentials, !isFull));
    expect(returnLinkOf(screen)?.searchParams.get('hash')).toBe(right);
    const [message] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
    expect(message?.fields.hash).toBe(right);
  }
});

test('reversal: a released authorisation is named as the mapping says', async ({ as }) => {
  for (const [name, word] of [
    ['plain', 'reversal'],
    ['otherClients', 'void'],
  ] as const) {
    const shop = as(name);
    const { id, order } = await authorise(shop);
    const { body } = await shop.void(id);
    const { body: listed } = await shop.status(id, { operations: 'Y' });
    expect(listed.operations).toMatchObject([{ type: word }]);
    expect(body).toMatchObject({ status: word, payment_status: word, trans_status: 'SUCCESS' });
    expect((await statusOf(shop, id)).status).toBe(word);
    const deliveries = await shop.shopServer.waitFor(order.number, (all) => all.length > 1);
    expect(deliveries.at(-1)?.fields).toMatchObject({ type: word, order_status: word, status: 'success' });
  }
  // A returned debit is not an authorisation.
  const shop = as('otherClients');
  const { id, order } = await pay(shop, cards.settled, { operation: 'debit' });
  expect((await shop.refund(id)).body.result).toBe('accepted');
  const deliveries = await shop.shopServer.waitFor(order.number, (all) => all.length > 1);
  expect(deliveries.at(-1)?.fields).toMatchObject({ type: 'reversal', order_status: 'reversal' });
});

test.describe('return addresses of apps', () => {
  const addresses = { success_url: 'myshop://paid?a=1', cancel_url: 'myshop://cancelled', expiry_url: 'MYSHOP://late' };

  test('return a payer by a scheme that the merchant has listed', async ({ as }) => {
    const shop = as('otherClients');
    const { id, order, screen } = await pay(shop, cards.settled, addresses);
    const returnLink = returnLinkOf(screen);
    expect([returnLink?.protocol, returnLink?.host, returnLink?.searchParams.get('a')]).toEqual([
      'myshop:',
      'paid',
      '1',
    ]);
    expect(returnLink?.searchParams.get('payment_id')).toBe(id);
    expect(returnLink?.searchParams.get('hash')).toBe(signCheckout(noticeOf(id, order), shop.credentials, true));
    expect(screen.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const opened = await shop.open(addresses);
    const payer = startPayer(shop.baseUrl);
    const form = (await payer.visit(opened.url)).forms.find((each) => each.action.endsWith('/cancel'));
    if (!form) throw new Error('no return address');
    const cancelled = await payer.submit(form);
    expect(cancelled.html).toContain('myshop://cancelled?payment_id=');
  });

  test('are rejected for any other scheme, and for every scheme without a list', async ({ as, shop }) => {
    for (const address of [
      'othershop://paid',
      'javascript:alert(1)',
      'javascript://shop/%0aalert(1)',
      'data:text/html,x',
      'data:/text/html,x',
      'file:///etc/passwd',
      'intent://paid#Intent;scheme=myshop;end',
      'myshop:paid',
    ]) {
      const { status, body } = await as('otherClients').session({ success_url: address });
      expect([address, status, body.errors]).toEqual([
        address,
        400,
        [fieldError('success_url', 'This value is not a valid URL.')],
      ]);
    }
    expect((await shop.session(addresses)).body.errors).toEqual(
      Object.keys(addresses).map((name) => fieldError(name, 'This value is not a valid URL.')),
    );
    const called = await as('otherClients').session({ notification_url: 'myshop://called' });
    expect(called.body.errors).toEqual([fieldError('notification_url', 'This value is not a valid URL.')]);
  });

  test('are set and used over S2S in the same way', async ({ as, cardAs, apmAs }) => {
    const shop = as('otherClients');
    const { token, body } = await shop.open();
    const update = { success_url: 'myshop://later', hash: body.hash };
    expect((await shop.update(token, update)).status).toBe(200);
    const other = await shop.update(token, { ...update, success_url: 'othershop://later' });
    expect(other.body.errors).toEqual([fieldError('success_url', 'This value is not a valid URL.')]);
    const card = { ...cardFields.challenge, term_url_3ds: 'myshop://back' };
    expect((await cardAs('otherClients').charge('SALE', card)).body.status).toBe('3DS');
    const rejected = await cardAs('plain').charge('SALE', card);
    expect(rejected.body.errors).toEqual([fieldError('term_url_3ds', 'This value is not a valid URL.')]);
    const method = await apmAs('methods').charge('SALE', { return_url: 'myshop://back' });
    expect(method.body.errors).toEqual([fieldError('return_url', 'This value is not a valid URL.')]);
  });
});

test('frames: the origin of success_url, unless the mapping disables it', async ({ as, shopServer }) => {
  const policyOf = async (url: string) => (await fetch(url)).headers.get('content-security-policy') ?? '';
  const { url } = await as('plain').open({ success_url: 'https://shop.example/paid?x=1' });
  expect(await policyOf(url)).toContain('frame-ancestors https://shop.example;');
  expect(await policyOf((await as('framed').open()).url)).toContain(
    `frame-ancestors http://shop.florin.test ${shopServer.url};`,
  );
  expect(await policyOf((await as('otherClients').open()).url)).toContain("frame-ancestors 'none';");
});

test.describe('descriptor and amount in the answers of S2S CARD', () => {
  const callbacks: Record<string, Record<string, string>> = {
    settled: cardFields.settled,
    declined: cardFields.declined,
    '3DS': cardFields.challenge,
    redirect: cardFields.redirect,
  };
  for (const [name, card] of Object.entries(callbacks)) {
    test(`a SALE: ${name}`, async ({ cardShop }) => {
      const { body } = await cardShop.charge('SALE', { ...card, parameters: { descriptor: 'ORME CERAMICS' } });
      expect(body).toMatchObject({ descriptor: 'ORME CERAMICS', amount: '84.50', currency: 'EUR' });
      const plain = await cardShop.charge('SALE', card);
      expect(plain.body.descriptor).toBe('Test Plain');
    });
  }

  test('a declined CAPTURE, and a declined payout', async ({ cardShop }) => {
    const sold = await cardShop.sell({ ...cardFields.captureDeclined, auth: 'Y' });
    const { body } = await cardShop.follow('CAPTURE', sold, { amount: '50.00' });
    expect(body).toMatchObject({ result: 'DECLINED', status: 'PENDING', amount: '50.00', currency: 'EUR' });
    expect(body.descriptor).toBe('Test Plain');
    const payout = await cardShop.payout({ card_number: '4111111111111111' });
    expect(payout.body).toMatchObject({ result: 'DECLINED', descriptor: 'Test Plain' });
  });
});

test.describe('consent', () => {
  const consent = { recurring_init: true, recurring_consent_required: 'true' };

  test('a box must be ticked before a charge', async ({ shop, provider }) => {
    const { url, order } = await shop.open(consent);
    const payer = startPayer(shop.baseUrl);
    const page = await payer.visit(url);
    expect(page.html).toContain('may charge this payment method again');
    const rejected = await payer.payOn(page, cards.settled);
    expect([rejected.status, cardFormOf(rejected) === undefined]).toEqual([422, false]);
    expect(rejected.html).toContain('Tick this box to continue.');
    expect(await provider.moved(order.number)).toEqual([]);
    await payer.payOn(rejected, cards.settled, { consent: '1' });
    expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
  });

  test("the script's answer names the box", async ({ shop }) => {
    const { url } = await shop.open(consent);
    const form = cardFormOf(await startPayer(shop.baseUrl).visit(url));
    const fields = new URLSearchParams(form?.controls.map(({ name, value }) => [name, value]));
    for (const [name, value] of Object.entries({ card_number: '4111111111111111', card_expiry: '01/38' }))
      fields.set(name, value);
    fields.set('card_cvv', '123');
    fields.set('card_holder', 'Ana Petrovic');
    fields.delete('consent');
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const response = await fetch(url, { method: 'POST', headers, body: fields });
    expect([response.status, await response.json()]).toEqual([
      422,
      { next: 'stay', errors: { consent: 'Tick this box to continue.' } },
    ]);
  });

  test('is not required without the member', async ({ shop }) => {
    const { url } = await shop.open({ recurring_init: true });
    expect((await startPayer(shop.baseUrl).visit(url)).html).not.toContain('name="consent"');
    expect((await pay(shop, cards.settled, { order: { number: newOrderNumber() } })).screen.html).toContain('complete');
  });
});
