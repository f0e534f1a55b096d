// The developer tools over HTTP: what the request log contains and what it never contains, and causes of wrong hashes
// in rejected requests.
import { createHash } from 'node:crypto';
import { cardFields } from '../support/card-merchant.ts';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { demo, merchants } from '../support/merchants.ts';
import { fragmentOf, signCard, signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Row = any;

/** The rows of a list once there are `count`; the log is written shortly after the answer. */
async function untilLogged(user: Visitor, query: string, count = 1): Promise<Row[]> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { body } = await user.get(`/requests?${query}`);
    if (body.rows?.length >= count) return body.rows;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no ${count} requests for ${query}`);
}

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

test.describe('the request log', () => {
  test('contains a sale without its card number, security code and hash, for its merchant only', async ({
    florin,
    cardShop,
  }) => {
    const operator = await visitorAs(florin, 'operator');
    const sold = await cardShop.charge('SALE', { card_cvv2: '739' });
    expect(sold.status).toBe(200);
    const [row] = await untilLogged(operator, `q=${sold.body.order_id}`);
    expect(row).toMatchObject({
      action: 'SALE',
      protocol: 's2s_card',
      status: 200,
      outcome: 'carried',
      explainable: false,
    });
    const { body: whole } = await operator.get(`/requests/${row.id}`);
    expect(whole.request.text).toContain('card_number=411111******1111');
    expect(whole.request.text).toContain('hash=[scrubbed]');
    expect(whole.request.text).toContain(`order_id=${sold.body.order_id}`);
    for (const secret of ['4111111111111111', merchants.plain.password]) {
      expect(JSON.stringify(whole)).not.toContain(secret);
    }
    // As a separate number: an id may contain the same three digits.
    expect(JSON.stringify(whole)).not.toMatch(/\b739\b/);
    expect(whole.paymentId).toBeTruthy();
    expect((await operator.get(`/payments/${whole.paymentId}`)).body.orderNumber).toBe(sold.body.order_id);

    expect((await (await visitorAs(florin, 'viewer')).get('/requests')).status).toBe(403);
    const otherUser = await visitorAs(florin, 'merchant');
    expect((await otherUser.get(`/requests/${row.id}`)).status).toBe(404);
    expect((await otherUser.get(`/requests?q=${sold.body.order_id}`)).body.rows).toEqual([]);
    expect((await (await visitorAs(florin, 'manager')).get(`/requests/${row.id}`)).status).toBe(200);
  });

  test('contains no payment link, and finds the payment of a session', async ({ florin, shop }) => {
    const operator = await visitorAs(florin, 'operator');
    const opened = await shop.open();
    const [row] = await untilLogged(operator, `q=${opened.order.number}`);
    const { body } = await operator.get(`/requests/${row.id}`);
    expect(body.response.text).toContain('/pay/[scrubbed]');
    expect(JSON.stringify(body)).not.toContain(opened.token);
    expect(body.paymentId).toBeTruthy();
  });

  test('names the check that rejected a request, and filters by it', async ({ florin, shop }) => {
    const operator = await visitorAs(florin, 'operator');
    const order = { number: newOrderNumber(), amount: 'ten', currency: 'EUR', description: 'Two stoneware bowls' };
    await shop.post('/api/v1/session', shop.signed(shop.sessionBody({ order })));
    const [row] = await untilLogged(operator, `q=${order.number}&outcome=refused&protocol=checkout&code=100000`);
    expect((await operator.get(`/requests/${row.id}`)).body.refusedBy).toBe('the field validation');
    expect((await operator.get(`/requests?q=${order.number}&outcome=carried`)).body.rows).toEqual([]);
  });

  test('contains no key that is a password', async ({ florin, shop }) => {
    const body = shop.sessionBody({ merchant_key: merchants.plain.password });
    await shop.post('/api/v1/session', { ...body, hash: '0'.repeat(40) });
    const manager = await visitorAs(florin, 'manager');
    const [row] = await untilLogged(manager, `q=${(body.order as Row).number}`);
    const { body: whole } = await manager.get(`/requests/${row.id}`);
    expect(JSON.stringify(whole)).not.toContain(merchants.plain.password);
    expect(whole).toMatchObject({ merchantName: null, explainable: false });
  });
});

test.describe('the hash debugger', () => {
  const checkout = (parts: string[]) => hex('sha1', hex('md5', parts.join('').toUpperCase()));
  const { password, key } = merchants.plain;

  type Mistake = (order: { number: string; amount: string; currency: string; description: string }) => string;
  const mistakes: [string, Mistake][] = [
    [
      'The amount was signed as 10 but sent as 10.00',
      (o) => checkout([o.number, '10', o.currency, o.description, password]),
    ],
    [
      'The values were joined in a different order',
      (o) => checkout([o.amount, o.number, o.currency, o.description, password]),
    ],
    ['The key was used instead of the password', (o) => checkout([o.number, o.amount, o.currency, o.description, key])],
    [
      'The outer SHA-1 is missing',
      (o) => hex('md5', [o.number, o.amount, o.currency, o.description, password].join('').toUpperCase()),
    ],
    [
      'The string was not uppercased',
      (o) => hex('sha1', hex('md5', [o.number, o.amount, o.currency, o.description, password].join(''))),
    ],
    [
      'Signed with SHA-256, but this mapping requires MD5',
      (o) => signOrder(o, { ...merchants.plain, digest: 'sha256' }),
    ],
    ['Signed with the production password, of the key 7e57…0001', (o) => signOrder(o, merchants.plainLive)],
    [
      'The password was signed with a line break at its end',
      (o) => checkout([o.number, o.amount, o.currency, o.description, `${password}\n`]),
    ],
  ];

  for (const [title, sign] of mistakes) {
    test(`names the cause: ${title}`, async ({ florin, shop }) => {
      const operator = await visitorAs(florin, 'operator');
      const order = { number: newOrderNumber(), amount: '10.00', currency: 'EUR', description: 'Gift card' };
      const answer = await shop.post('/api/v1/session', { ...shop.sessionBody({ order }), hash: sign(order) });
      expect(answer.body.error_message).toBe('Hash is not valid');
      const [row] = await untilLogged(operator, `q=${order.number}`);
      expect(row.explainable).toBe(true);
      const { body } = await operator.get(`/hash-debugger?request=${row.id}`);
      expect(body.debugged.explanation.title).toBe(title);
      expect(body.debugged.explanation.tried.filter((each: Row) => each.matches)).toHaveLength(1);
      expect(JSON.stringify(body)).not.toContain(password);
    });
  }

  test('explains S2S CARD hashes over the masked card and over the payment', async ({ florin, cardShop }) => {
    const operator = await visitorAs(florin, 'operator');
    const body = cardShop.chargeBody('SALE');
    const wrong = { email: String(body.payer_email), card: '1111411111' };
    await cardShop.post({ ...body, hash: signCard(1, wrong, merchants.plain) });
    const [row] = await untilLogged(operator, `q=${body.order_id}`);
    const { body: sale } = await operator.get(`/hash-debugger?request=${row.id}`);
    expect(sale.debugged.explanation.title).toBe('Signed with the last four digits before the first six of the card');

    const sold = await cardShop.charge('SALE');
    const { trans_id: transId, order_id: orderId } = sold.body;
    const card = fragmentOf(cardFields.settled.card_number);
    const hash = signCard(1, { email: 'ana@example.com', card }, merchants.plain);
    await cardShop.post({ action: 'GET_TRANS_STATUS', client_key: key, trans_id: transId, hash });
    const asked = await untilLogged(operator, 'action=GET_TRANS_STATUS&outcome=signature');
    const found = await Promise.all(asked.map(({ id }) => operator.get(`/hash-debugger?request=${id}`)));
    const own = found.find(({ body: each }) => JSON.stringify(each.debugged).includes(transId));
    expect(own?.body.debugged.explanation.title, orderId).toBe('The transaction ID was left out');
  });

  test('shows the whole correct hash only to users who may send requests', async ({ florin, shop, as }) => {
    const order = { number: newOrderNumber(), amount: '10.00', currency: 'EUR', description: 'Gift card' };
    await shop.post('/api/v1/session', { ...shop.sessionBody({ order }), hash: '0'.repeat(40) });
    const operator = await visitorAs(florin, 'operator');
    const [row] = await untilLogged(operator, `q=${order.number}`);
    const right = signOrder(order, merchants.plain);
    const { body } = await operator.get(`/hash-debugger?request=${row.id}`);
    expect(body.debugged.explanation).toMatchObject({ whole: false, expected: `${right.slice(0, 8)}…` });
    expect(JSON.stringify(body)).not.toContain(right);

    const owner = await visitorAs(florin, 'merchant');
    const pasted = JSON.stringify({ ...as('demo').sessionBody({ order }), hash: 'f'.repeat(40) });
    const { body: shown } = await owner.post('/hash-debugger', {
      protocol: 'checkout',
      action: '/api/v1/session',
      text: pasted,
    });
    expect(shown.explanation).toMatchObject({ whole: true, expected: signOrder(order, demo), right: false });
  });

  test('explains no request of another merchant, and recognises a swapped key', async ({ florin, shop, as }) => {
    const owner = await visitorAs(florin, 'merchant');
    const foreign = JSON.stringify(shop.signed(shop.sessionBody()));
    const ask = (text: string) =>
      owner.post('/hash-debugger', { protocol: 'checkout', action: '/api/v1/session', text });
    expect((await ask(foreign)).body).toMatchObject({
      explanation: null,
      said: { title: 'The key is not one of yours' },
    });
    const swapped = JSON.stringify({ ...as('demo').sessionBody({ merchant_key: demo.password }), hash: 'x' });
    expect((await ask(swapped)).body.said.title).toBe('Key and password are swapped');
    expect((await ask('{"merchant_key":')).body.error.fields.text).toMatch(/^Invalid JSON in line 1, column \d+\.$/);
    const right = await ask(JSON.stringify(as('demo').signed(as('demo').sessionBody())));
    expect(right.body.explanation).toMatchObject({ right: true, title: 'The hash is right' });
  });
});
