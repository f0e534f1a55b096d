// The developers' corner over HTTP: what is logged of requests and what never is, causes of wrong hashes found in real
// refused requests, callbacks held back and sent again, and code that runs.
import { createHash } from 'node:crypto';
import { cardFields } from '../support/card-merchant';
import { type Catcher, startCatcher } from '../support/catcher';
import { type Visitor, visitorAs } from '../support/dashboard';
import { pay } from '../support/flows';
import { type Merchant, newOrderNumber } from '../support/merchant';
import { demo, merchants } from '../support/merchants';
import { cards, startPayer } from '../support/payer';
import { sql } from '../support/people';
import { fragmentOf, signCard, signOrder } from '../support/signer';
import { expect, test } from '../support/test';

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent, and the tests say what it should be.
type Row = any;

/** The rows of a list once there are `count`; the log is written a moment after the answer. */
async function untilLogged(who: Visitor, query: string, count = 1): Promise<Row[]> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { body } = await who.get(`/requests?${query}`);
    if (body.rows?.length >= count) return body.rows;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`no ${count} requests for ${query}`);
}

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

test.describe('the request log', () => {
  test('keeps a sale without its card, its code and its hash, for its merchant alone', async ({ florin, cardShop }) => {
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
    // As a number of its own: an id may have the same three digits in it.
    expect(JSON.stringify(whole)).not.toMatch(/\b739\b/);
    expect(whole.paymentId).toBeTruthy();
    expect((await operator.get(`/payments/${whole.paymentId}`)).body.orderNumber).toBe(sold.body.order_id);

    expect((await (await visitorAs(florin, 'viewer')).get('/requests')).status).toBe(403);
    const stranger = await visitorAs(florin, 'merchant');
    expect((await stranger.get(`/requests/${row.id}`)).status).toBe(404);
    expect((await stranger.get(`/requests?q=${sold.body.order_id}`)).body.rows).toEqual([]);
    expect((await (await visitorAs(florin, 'manager')).get(`/requests/${row.id}`)).status).toBe(200);
  });

  test('shows no link that can be paid, and finds the payment of a session', async ({ florin, shop }) => {
    const operator = await visitorAs(florin, 'operator');
    const opened = await shop.open();
    const [row] = await untilLogged(operator, `q=${opened.order.number}`);
    const { body } = await operator.get(`/requests/${row.id}`);
    expect(body.response.text).toContain('/pay/[scrubbed]');
    expect(JSON.stringify(body)).not.toContain(opened.token);
    expect(body.paymentId).toBeTruthy();
  });

  test('says which check refused a request, and filters by it', async ({ florin, shop }) => {
    const operator = await visitorAs(florin, 'operator');
    const order = { number: newOrderNumber(), amount: 'ten', currency: 'EUR', description: 'Two stoneware bowls' };
    await shop.post('/api/v1/session', shop.signed(shop.sessionBody({ order })));
    const [row] = await untilLogged(operator, `q=${order.number}&outcome=refused&protocol=checkout&code=100000`);
    expect((await operator.get(`/requests/${row.id}`)).body.refusedBy).toBe('the field validation');
    expect((await operator.get(`/requests?q=${order.number}&outcome=carried`)).body.rows).toEqual([]);
  });

  test('keeps no key that is a password', async ({ florin, shop }) => {
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
    test(`names it: ${title}`, async ({ florin, shop }) => {
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

  test('explains S2S CARD over the masked card and over the payment', async ({ florin, cardShop }) => {
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

  test('shows the right hash whole only to who may send', async ({ florin, shop, as }) => {
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

  test('explains nothing of another merchant, and knows a swapped key', async ({ florin, shop, as }) => {
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
    expect((await ask('{"merchant_key":')).body.said.title).toBe('The text cannot be read');
    const right = await ask(JSON.stringify(as('demo').signed(as('demo').sessionBody())));
    expect(right.body.explanation).toMatchObject({ right: true, title: 'The hash is right' });
  });
});

test.describe('the callback log', () => {
  test('shows what was sent and answered, verifies it, and names a callback that was changed', async ({
    florin,
    cardAs,
  }) => {
    const owner = await visitorAs(florin, 'merchant');
    const catcher = await startCatcher();
    try {
      const orderId = newOrderNumber();
      catcher.answer(orderId, { status: 502, body: '<h1>Bad gateway</h1>', headers: { server: 'nginx' } }, {});
      await cardAs('demo').charge('SALE', { order_id: orderId, callback_url: catcher.addressFor(orderId) });
      const [first] = await catcher.waitFor(orderId, (all) => all.length > 0);
      const row = await untilRow(owner, `q=${orderId}`, (each) => each.tries > 0);
      expect(row).toMatchObject({ mark: 'refused', answer: '502', state: 'waiting', type: 'sale', outcome: 'success' });
      const { body } = await owner.get(`/callbacks/${row.id}`);
      expect(body.title).toBe('502 Bad Gateway');
      expect(body.tried[0]).toMatchObject({ mark: 'refused', answer: '<h1>Bad gateway</h1>' });
      expect(body.tried[0].headers).toContain('server: nginx');
      expect(new URLSearchParams(body.body.text.replaceAll('&', '%26').replaceAll('\n', '&')).get('hash')).toBe(
        first?.fields.hash,
      );
      expect(body.headers).toContain(`webhook-signature: ${first?.headers['webhook-signature']}`);

      const headers = Object.entries(first?.headers ?? {}).map((pair) => pair.join(': '));
      const verified = await owner.post('/callback-verifier', { body: first?.body, headers: headers.join('\n') });
      expect(verified.body).toMatchObject({
        protocol: 'S2S CARD',
        explanation: { right: true },
        webhook: { right: true },
      });
      const changed = (first?.body ?? '').replace('status=SETTLED', 'status=DECLINED');
      // Formula 2 is not made over the status.
      expect((await owner.post('/callback-verifier', { body: changed })).body.explanation.right).toBe(true);
      const foreign = (await visitorAs(florin, 'operator')).post('/callback-verifier', { body: first?.body });
      expect((await foreign).body).toMatchObject({ paymentId: null, explanation: { right: false, whole: false } });

      expect((await (await visitorAs(florin, 'operator')).get(`/callbacks/${row.id}`)).status).toBe(404);
      expect((await (await visitorAs(florin, 'viewer')).get('/callbacks')).status).toBe(403);
    } finally {
      await catcher.close();
    }
  });

  test('checks anew the hash that went out, over every protocol', async ({ florin, shop, cardShop, apmShop }) => {
    const paid = await pay(shop, cards.settled);
    const sent: [Catcher, string][] = [
      [shop.catcher, paid.order.number],
      [cardShop.catcher, (await cardShop.sell()).orderId],
      [apmShop.catcher, (await apmShop.sell()).orderId],
    ];
    const manager = await visitorAs(florin, 'manager');
    const valid = { valid: true, title: 'Signature valid', texts: [] };
    for (const [catcher, number] of sent) {
      const [first] = await catcher.waitFor(number, (all) => all.length > 0);
      const row = await untilRow(
        manager,
        `q=${number}`,
        ({ tries, id }) => tries > 0 && id === first?.headers['webhook-id'],
      );
      const hash = first?.fields.hash as string;
      expect(await sql('select signature from callback_attempts where callback_id = $1', [row.id])).toEqual([
        { signature: hash },
      ]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual(valid);
      // What is checked is what went out, not what would go out now.
      const wrong = `0${hash.slice(1)}` === hash ? `1${hash.slice(1)}` : `0${hash.slice(1)}`;
      await sql('update callback_attempts set signature = $2 where callback_id = $1', [row.id, wrong]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual({
        valid: false,
        title: 'Signature invalid',
        texts: [expect.stringContaining(wrong)],
      });
      await sql('update callback_attempts set signature = null where callback_id = $1', [row.id]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual({
        ...valid,
        texts: [expect.stringContaining('was not stored')],
      });
    }
  });

  test('holds an address back, and lets it go on', async ({ florin, cardAs }) => {
    const owner = await visitorAs(florin, 'merchant');
    const catcher = await startCatcher();
    const shop = cardAs('demo');
    const sell = async () => {
      const orderId = newOrderNumber();
      await shop.charge('SALE', { order_id: orderId, callback_url: catcher.addressFor(orderId) });
      return orderId;
    };
    const hold = (held: boolean) => owner.post('/callbacks/hold', { address: catcher.url, held });
    try {
      expect((await hold(true)).status).toBe(404);
      await catcher.waitFor(await sell(), (all) => all.length > 0);
      expect((await hold(true)).body).toEqual({ held: true });
      const orderId = await sell();
      // Another address goes on meanwhile, which tells that delivery has been round.
      await new Promise((wake) => setTimeout(wake, 1500));
      expect(catcher.arrived(orderId)).toHaveLength(0);
      const row = await untilRow(owner, `q=${orderId}`, () => true);
      expect(row).toMatchObject({ held: true, state: 'waiting', nextTry: null });
      const { body: summary } = await owner.get('/callbacks/summary');
      expect(summary.held).toContainEqual(expect.objectContaining({ address: catcher.url, waiting: '1' }));
      expect((await hold(false)).body).toEqual({ held: false });
      await catcher.waitFor(orderId, (all) => all.length > 0);

      const operator = await visitorAs(florin, 'operator');
      expect((await operator.post('/callbacks/hold', { address: catcher.url, held: true })).status).toBe(403);
      const other = '7e570001-0000-4000-8000-000000000001';
      expect(
        (await owner.post('/callbacks/hold', { address: catcher.url, merchantId: other, held: true })).status,
      ).toBe(404);
    } finally {
      await hold(false);
      await catcher.close();
    }
  });

  test('sends all that a filter finds again, in their order, and none of another merchant', async ({ florin, as }) => {
    const owner = await visitorAs(florin, 'merchant');
    const catcher = await startCatcher();
    const host = new URL(catcher.url).host;
    const shop = as('demo');
    try {
      const orderNumber = newOrderNumber();
      const opened = await shop.open({
        order: { number: orderNumber },
        notification_url: catcher.addressFor(orderNumber),
      });
      await startPayer(florin).pay(opened.url, cards.settled, 'confirm');
      const { payment_id: id } = (await shop.statusByOrder(orderNumber)).body;
      await shop.refund(id, '1.00');
      const first = await catcher.waitFor(orderNumber, (all) => all.length >= 2);
      const query = `host=${host}`;
      const count = await untilAll(owner, query, 'delivered');
      expect((await owner.post('/callbacks/resend', { query, dry: true })).body).toMatchObject({
        found: count,
        resent: 0,
      });
      expect((await owner.post('/callbacks/resend', { query })).body).toMatchObject({ found: count, resent: count });
      const all = await catcher.waitFor(orderNumber, (every) => every.length >= 2 * first.length);
      const again = all.slice(first.length).map(({ sequence }) => sequence);
      expect(again).toEqual([...again].sort((a, b) => a - b));

      const operator = await visitorAs(florin, 'operator');
      expect((await operator.post('/callbacks/resend', { query })).body).toEqual({ found: 0, most: 1000, resent: 0 });
      expect((await (await visitorAs(florin, 'viewer')).post('/callbacks/resend', { query })).status).toBe(403);
    } finally {
      await catcher.close();
    }
  });
});

test.describe('sending again', () => {
  /** A callback of the demo merchant that was refused once and is planned for later. */
  async function planned(florin: string, shop: Merchant, catcher: Catcher) {
    const number = newOrderNumber();
    catcher.answer(number, { status: 500 }, { status: 200 });
    const opened = await shop.open({ order: { number }, notification_url: catcher.addressFor(number) });
    await startPayer(florin).pay(opened.url, cards.settled, 'confirm');
    await catcher.waitFor(number, (all) => all.length === 1);
    const owner = await visitorAs(florin, 'merchant');
    const row = await untilRow(owner, `q=${number}`, ({ tries }) => tries === 1);
    /** Plans the next try in 20 seconds, as if the last claim were `seconds` old. */
    const claimed = (seconds: number | null) =>
      sql(
        `update callbacks set due_at = now() + interval '20 seconds', claimed_at = now() - make_interval(secs => $2)
          where id = $1 returning id`,
        [row.id, seconds],
      );
    const resend = async () => (await owner.post('/callbacks/resend', { query: `q=${number}` })).body.resent;
    return { number, id: row.id as string, owner, claimed, resend };
  }

  test('goes out at once, however soon the next try is planned', async ({ florin, as, catcher }) => {
    for (const which of ['one', 'all'] as const) {
      const { number, id, owner, claimed, resend } = await planned(florin, as('demo'), catcher);
      await claimed(null);
      if (which === 'one') expect((await owner.post(`/callbacks/${id}/resend`, {})).status).toBe(200);
      else expect(await resend()).toBe(1);
      // Far earlier than the planned try.
      await untilRow(owner, `q=${number}`, ({ state }) => state === 'delivered');
      expect(catcher.arrived(number)).toHaveLength(2);
    }
  });

  test('leaves a try that is under way alone, and what a dead process has claimed until its lease is over', async ({
    florin,
    as,
    catcher,
  }) => {
    const { number, id, owner, claimed, resend } = await planned(florin, as('demo'), catcher);
    await claimed(10);
    expect(await resend()).toBe(0);
    await owner.post(`/callbacks/${id}/resend`, {});
    const [{ waits }] = (await sql(
      `select due_at > now() + interval '5 seconds' as waits from callbacks where id = $1`,
      [id],
    )) as [{ waits: boolean }];
    expect(waits).toBe(true);
    await claimed(41);
    expect(await resend()).toBe(1);
    await untilRow(owner, `q=${number}`, ({ state }) => state === 'delivered');
  });

  test('sees a claim that is made while it looks', async ({ florin, as, catcher }) => {
    const { id, claimed, resend } = await planned(florin, as('demo'), catcher);
    await claimed(null);
    const claim = `update callbacks set claimed_at = now(), due_at = now() + interval '40 seconds' where id = '${id}'`;
    const claiming = sql(`do $$ begin ${claim}; perform pg_sleep(3); end $$`);
    // The claim holds the row and has not been committed: whoever selects now still finds the callback idle.
    await expect
      .poll(() => sql(`select 1 from pg_stat_activity where wait_event = 'PgSleep' and query like $1`, [`%${id}%`]))
      .toHaveLength(1);
    expect(await resend()).toBe(0);
    await claiming;
  });
});

async function untilRow(who: Visitor, query: string, fits: (row: Row) => boolean): Promise<Row> {
  for (let tries = 0; tries < 60; tries += 1) {
    const row = (await who.get(`/callbacks?${query}`)).body.rows.find(fits);
    if (row) return row;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`no callback for ${query}`);
}

/** How many callbacks a filter finds, once every one is in a state. */
async function untilAll(who: Visitor, query: string, state: string): Promise<number> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { rows } = (await who.get(`/callbacks?${query}`)).body;
    if (rows.length > 0 && rows.every((row: Row) => row.state === state)) return rows.length;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`not every callback of ${query} is ${state}`);
}
