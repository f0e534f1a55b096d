// The callback log over HTTP: deliveries and their signatures, paused addresses, and repeated delivery.

import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { sql, whileLocked } from '../support/database-rows.ts';
import { type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { type ShopServer, startShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds } from '../support/users.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Row = any;

test.describe('the callback log', () => {
  test('shows a delivery and its response, verifies it, and detects a changed callback', async ({ florin, cardAs }) => {
    const owner = await visitorAs(florin, 'merchant');
    const shopServer = await startShopServer();
    try {
      const orderId = newOrderNumber();
      shopServer.answer(orderId, { status: 502, body: '<h1>Bad gateway</h1>', headers: { server: 'nginx' } }, {});
      await cardAs('demo').charge('SALE', { order_id: orderId, callback_url: shopServer.addressFor(orderId) });
      const [first] = await shopServer.waitFor(orderId, (all) => all.length > 0);
      const row = await untilRow(owner, `q=${orderId}`, (each) => each.tries > 0);
      expect(row).toMatchObject({ mark: 'refused', answer: '502', state: 'waiting', type: 'sale', outcome: 'success' });
      const { body } = await owner.get(`/callbacks/${row.id}`);
      expect(body.title).toBe('502 Bad Gateway');
      expect(body.tried[0]).toMatchObject({ mark: 'refused', answer: '<h1>Bad gateway</h1>' });
      expect(body.tried[0].headers).toContain('server: nginx');
      expect(new URLSearchParams(body.body.text.replaceAll('&', '%26').replaceAll('\n', '&')).get('hash')).toBe(
        `${first?.fields.hash?.slice(0, 8)}…`,
      );
      expect(body.curl).toContain(`hash=${first?.fields.hash}`);
      expect(body.headers).toContain(`webhook-signature: ${first?.headers['webhook-signature']}`);
      // Formula 2 also signs refunds: a user who may not send requests gets the beginning in the command too.
      const operator = (await createUser(florin, 'operator', merchantIds.demo)).visitor;
      const seen = JSON.stringify((await operator.get(`/callbacks/${row.id}`)).body);
      expect(seen).toContain(`hash=${first?.fields.hash?.slice(0, 8)}…`);
      expect(seen).not.toContain(first?.fields.hash);

      const headers = Object.entries(first?.headers ?? {}).map((pair) => pair.join(': '));
      const verified = await owner.post('/callback-verifier', { body: first?.body, headers: headers.join('\n') });
      expect(verified.body).toMatchObject({
        protocol: 'S2S CARD',
        explanation: { right: true },
        webhook: { right: true },
      });
      const changed = (first?.body ?? '').replace('status=SETTLED', 'status=DECLINED');
      // Formula 2 does not include the status.
      expect((await owner.post('/callback-verifier', { body: changed })).body.explanation.right).toBe(true);
      const foreign = (await visitorAs(florin, 'operator')).post('/callback-verifier', { body: first?.body });
      expect((await foreign).body).toMatchObject({ paymentId: null, explanation: { right: false, whole: false } });

      expect((await (await visitorAs(florin, 'operator')).get(`/callbacks/${row.id}`)).status).toBe(404);
      expect((await (await visitorAs(florin, 'viewer')).get('/callbacks')).status).toBe(403);
    } finally {
      await shopServer.close();
    }
  });

  test('verifies no longer values than callbacks have, because other requests wait meanwhile', async ({ florin }) => {
    const owner = await visitorAs(florin, 'merchant');
    const body = `order_number=1&order_status=settled&hash=f&order_description=${'payment_id'.repeat(300)}`;
    const { status, body: answer } = await owner.post('/callback-verifier', { body });
    expect([status, answer.error?.fields]).toEqual([400, { body: 'A signed value is longer than in any callback.' }]);
  });

  test('verifies the hash that was sent, for every protocol', async ({ florin, shop, cardShop, apmShop }) => {
    const paid = await pay(shop, cards.settled);
    const sent: [ShopServer, string][] = [
      [shop.shopServer, paid.order.number],
      [cardShop.shopServer, (await cardShop.sell()).orderId],
      [apmShop.shopServer, (await apmShop.sell()).orderId],
    ];
    const manager = await visitorAs(florin, 'manager');
    const valid = { valid: true, title: 'Signature valid', texts: [] };
    for (const [shopServer, number] of sent) {
      const [first] = await shopServer.waitFor(number, (all) => all.length > 0);
      const row = await untilRow(
        manager,
        `q=${number}`,
        ({ tries, id }) => tries > 0 && id === first?.headers['webhook-id'],
      );
      const hash = first?.fields.hash as string;
      expect(await sql('select signature from callback_attempts where callback_id = $1', [row.id])).toEqual([
        { signature: hash.slice(0, 8) },
      ]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual(valid);
      // The stored signature is verified, not one that is computed now; releases before 0.2.0 stored it whole.
      const wrong = `0${hash.slice(1)}` === hash ? `1${hash.slice(1)}` : `0${hash.slice(1)}`;
      await sql('update callback_attempts set signature = $2 where callback_id = $1', [row.id, hash]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual(valid);
      await sql('update callback_attempts set signature = $2 where callback_id = $1', [row.id, wrong]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual({
        valid: false,
        title: 'Signature invalid',
        texts: [expect.stringContaining(`Sent: ${wrong.slice(0, 8)}…`)],
      });
      await sql('update callback_attempts set signature = null where callback_id = $1', [row.id]);
      expect((await manager.get(`/callbacks/${row.id}`)).body.signature).toEqual({
        ...valid,
        texts: [expect.stringContaining('was not stored')],
      });
    }
  });

  test('pauses an address and resumes it', async ({ florin, cardAs }) => {
    const owner = await visitorAs(florin, 'merchant');
    const shopServer = await startShopServer();
    const shop = cardAs('demo');
    const sell = async () => {
      const orderId = newOrderNumber();
      await shop.charge('SALE', { order_id: orderId, callback_url: shopServer.addressFor(orderId) });
      return orderId;
    };
    const hold = (held: boolean) => owner.post('/callbacks/hold', { address: shopServer.url, held });
    try {
      expect((await hold(true)).status).toBe(404);
      await shopServer.waitFor(await sell(), (all) => all.length > 0);
      expect((await hold(true)).body).toEqual({ held: true });
      const orderId = await sell();
      // Leaves time for the delivery job to run.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(shopServer.arrived(orderId)).toHaveLength(0);
      const row = await untilRow(owner, `q=${orderId}`, () => true);
      expect(row).toMatchObject({ held: true, state: 'waiting', nextTry: null });
      const { body: summary } = await owner.get('/callbacks/summary');
      expect(summary.held).toContainEqual(expect.objectContaining({ address: shopServer.url, waiting: '1' }));
      expect((await hold(false)).body).toEqual({ held: false });
      await shopServer.waitFor(orderId, (all) => all.length > 0);

      const operator = await visitorAs(florin, 'operator');
      expect((await operator.post('/callbacks/hold', { address: shopServer.url, held: true })).status).toBe(403);
      const other = '7e570001-0000-4000-8000-000000000001';
      expect(
        (await owner.post('/callbacks/hold', { address: shopServer.url, merchantId: other, held: true })).status,
      ).toBe(404);
    } finally {
      await hold(false);
      await shopServer.close();
    }
  });

  test('repeats all callbacks of a filter in their order, and none of another merchant', async ({ florin, as }) => {
    const owner = await visitorAs(florin, 'merchant');
    const shopServer = await startShopServer();
    const host = new URL(shopServer.url).host;
    const shop = as('demo');
    try {
      const orderNumber = newOrderNumber();
      const opened = await shop.open({
        order: { number: orderNumber },
        notification_url: shopServer.addressFor(orderNumber),
      });
      await startPayer(florin).pay(opened.url, cards.settled, 'confirm');
      const { payment_id: id } = (await shop.statusByOrder(orderNumber)).body;
      await shop.refund(id, '1.00');
      const first = await shopServer.waitFor(orderNumber, (all) => all.length >= 2);
      const query = `host=${host}`;
      const count = await untilAll(owner, query, 'delivered');
      expect((await owner.post('/callbacks/resend', { query, dry: true })).body).toMatchObject({
        found: count,
        resent: 0,
      });
      expect((await owner.post('/callbacks/resend', { query })).body).toMatchObject({ found: count, resent: count });
      const all = await shopServer.waitFor(orderNumber, (every) => every.length >= 2 * first.length);
      const repeated = all.slice(first.length).map(({ sequence }) => sequence);
      expect(repeated).toEqual([...repeated].sort((a, b) => a - b));

      const operator = await visitorAs(florin, 'operator');
      expect((await operator.post('/callbacks/resend', { query })).body).toEqual({ found: 0, most: 1000, resent: 0 });
      expect((await (await visitorAs(florin, 'viewer')).post('/callbacks/resend', { query })).status).toBe(403);
    } finally {
      await shopServer.close();
    }
  });
});

test.describe('repeated delivery', () => {
  /** A callback of the demo merchant that was rejected once and has a retry planned. */
  async function planned(florin: string, shop: Merchant, shopServer: ShopServer) {
    const number = newOrderNumber();
    shopServer.answer(number, { status: 500 }, { status: 200 });
    const opened = await shop.open({ order: { number }, notification_url: shopServer.addressFor(number) });
    await startPayer(florin).pay(opened.url, cards.settled, 'confirm');
    await shopServer.waitFor(number, (all) => all.length === 1);
    const owner = await visitorAs(florin, 'merchant');
    const row = await untilRow(owner, `q=${number}`, ({ tries }) => tries === 1);
    /** Plans the next attempt in 20 seconds, as if the last claim were `seconds` old. */
    const claimed = (seconds: number | null) =>
      sql(
        `update callbacks set due_at = now() + interval '20 seconds', claimed_at = now() - make_interval(secs => $2)
          where id = $1 returning id`,
        [row.id, seconds],
      );
    const resend = async () => (await owner.post('/callbacks/resend', { query: `q=${number}` })).body.resent;
    return { number, id: row.id as string, owner, claimed, resend };
  }

  test('starts at once, however soon the next attempt is planned', async ({ florin, as, shopServer }) => {
    for (const which of ['one', 'all'] as const) {
      const { number, id, owner, claimed, resend } = await planned(florin, as('demo'), shopServer);
      await claimed(null);
      if (which === 'one') expect((await owner.post(`/callbacks/${id}/resend`, {})).status).toBe(200);
      else expect(await resend()).toBe(1);
      // Much earlier than the planned attempt.
      await untilRow(owner, `q=${number}`, ({ state }) => state === 'delivered');
      expect(shopServer.arrived(number)).toHaveLength(2);
    }
  });

  test('is logged before it begins', async ({ florin, as, shopServer }) => {
    const { id, owner, claimed } = await planned(florin, as('demo'), shopServer);
    await claimed(null);
    const isDue = 'select due_at <= now() as due from callbacks where id = $1';
    let before: unknown[] = [];
    const { status } = await whileLocked(
      'florin.audit',
      () => owner.post(`/callbacks/${id}/resend`, {}),
      async () => {
        before = await sql(isDue, [id]);
      },
    );
    expect([status, before]).toEqual([200, [{ due: false }]]);
  });

  test('does not touch a running attempt, or the claim of a dead process until its lease ends', async ({
    florin,
    as,
    shopServer,
  }) => {
    const { number, id, owner, claimed, resend } = await planned(florin, as('demo'), shopServer);
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

  test('sees a claim that is committed while it reads', async ({ florin, as, shopServer }) => {
    const { id, claimed, resend } = await planned(florin, as('demo'), shopServer);
    await claimed(null);
    const claim = `update callbacks set claimed_at = now(), due_at = now() + interval '40 seconds' where id = '${id}'`;
    const claiming = sql(`do $$ begin ${claim}; perform pg_sleep(3); end $$`);
    // The claim locks the row and is not committed: a SELECT still returns the callback as unclaimed.
    await expect
      .poll(() => sql(`select 1 from pg_stat_activity where wait_event = 'PgSleep' and query like $1`, [`%${id}%`]))
      .toHaveLength(1);
    expect(await resend()).toBe(0);
    await claiming;
  });
});

async function untilRow(user: Visitor, query: string, fits: (row: Row) => boolean): Promise<Row> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const row = (await user.get(`/callbacks?${query}`)).body.rows.find(fits);
    if (row) return row;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no callback for ${query}`);
}

/** The number of callbacks of a filter, once all of them have this state. */
async function untilAll(user: Visitor, query: string, state: string): Promise<number> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { rows } = (await user.get(`/callbacks?${query}`)).body;
    if (rows.length > 0 && rows.every((row: Row) => row.state === state)) return rows.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not every callback of ${query} is ${state}`);
}
