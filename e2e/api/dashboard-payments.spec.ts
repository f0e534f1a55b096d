// The list of payments over the dashboard API: the results of each filter and each kind of search, the visible
// merchants, the export and views.
import { randomUUID } from 'node:crypto';
import { type people, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { cards } from '../support/payer.ts';
import { authorise, idOf, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { listed, newCustomer, type Row } from '../support/payment-list.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

test('every filter returns the matching payments', async ({ florin, shop, cardShop, provider }) => {
  const customer = newCustomer();
  const { email } = customer;
  const recurring = { recurring_init: true, customer };
  const settled = await pay(shop, cards.settled, { customer });
  const declined = await pay(shop, cards.declined, { customer });
  const authorised = await authorise(shop, cards.settled, { customer });
  const refunded = await pay(shop, cards.settled, { customer });
  await shop.refund(refunded.id, '84.50');
  await untilStatus(shop, refunded.id, 'refund');
  const yen = await pay(shop, cards.settled, { customer, order: { amount: '1200', currency: 'JPY' } });
  const chain = await pay(shop, cards.settled, recurring);
  const unpaid = await shop.open({ customer });
  const s2s = await cardShop.sell({ payer_email: email, order_amount: '300.00' });
  const names = new Map([
    [settled.id, 'settled'],
    [declined.id, 'declined'],
    [authorised.id, 'held'],
    [refunded.id, 'refunded'],
    [yen.id, 'yen'],
    [chain.id, 'chain'],
    [await idOf(shop, unpaid.order.number), 'unpaid'],
  ]);
  const manager = await visitorAs(florin, 'manager');
  const all = await listed(manager, { q: email });
  names.set(all.find(({ orderNumber }) => orderNumber === s2s.orderId)?.id ?? '', 's2s');
  expect(await provider.moved(settled.order.number)).toEqual(['sale 84.50']);
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { body: choices } = await manager.get('/payments/choices');
  const mid = choices.mids.find(({ name, merchantName }: { name: string; merchantName: string }) => {
    return merchantName === 'Plain' || name === all.find(({ midName }) => midName !== null)?.midName;
  });
  const wanted = rowsOf(`
    state=settled                         | s2s chain yen settled
    state=decline,refund                  | refunded declined
    state=chargeback                      | -
    protocol=s2s_card                     | s2s
    protocol=checkout&state=pending       | held
    operation=purchase                    | s2s unpaid chain yen refunded held declined settled
    operation=credit                      | -
    method=card                           | s2s chain yen refunded held declined settled
    method=applepay                       | -
    currency=JPY                          | yen
    currency=EUR,JPY&state=settled        | s2s chain yen settled
    amount_from=300                       | s2s yen
    amount_from=84.50&amount_to=84.5      | unpaid chain refunded held declined settled
    amount_to=84.49                       | -
    amount_from=1200&amount_to=1200       | yen
    from=${today}&to=${today}             | s2s unpaid chain yen refunded held declined settled
    from=${tomorrow}                      | -
    class=bank,funds,data                 | declined
    reason=xyz                            | -
    recurring=first                       | chain
    recurring=later                       | -
    recurring=none&state=settled          | s2s yen settled
    attention=yes                         | -
    sort=oldest&state=settled             | settled yen chain s2s
  `);
  const actual: string[][] = [];
  for (const [query = ''] of wanted) {
    const rows = await listed(manager, { q: email, ...Object.fromEntries(new URLSearchParams(query)) });
    actual.push([query, rows.map(({ id }) => names.get(id) ?? id).join(' ') || '-']);
  }
  expect(actual).toEqual(wanted);
  const atMid = await listed(manager, { q: email, mid: mid?.id ?? '' });
  expect(atMid.length).toBeGreaterThan(0);
  const count = await manager.get(`/payments/count?q=${encodeURIComponent(email)}&state=settled`);
  expect(count.body).toEqual({ count: 4, more: false });
});

test('every kind of search finds its payment', async ({ florin, shop, as }) => {
  const customer = newCustomer();
  const paid = await pay(shop, cards.settled, { customer, recurring_init: true, req_token: true });
  const other = await pay(as('other'), cards.settled, { customer });
  const manager = await visitorAs(florin, 'manager');
  const operator = await visitorAs(florin, 'operator');
  const { body: page } = await manager.get(`/payments/${paid.id}`);
  const status = await statusOf(shop, paid.id);
  const facts = page.groups.flatMap(({ facts: each }: { facts: { name: string; value: string }[] }) => each);
  const fact = (name: string): string => facts.find((each: { name: string }) => each.name === name)?.value ?? '';
  const both = [other.id, paid.id];
  const searches: [what: string, text: string, managers: string[], operators: string[]][] = [
    ['payment id', paid.id, [paid.id], [paid.id]],
    ['payment id in capitals', paid.id.toUpperCase(), [paid.id], [paid.id]],
    ['another merchant’s payment id', other.id, [other.id], []],
    ['transaction id', fact('trans_id'), [paid.id], [paid.id]],
    ['order number', paid.order.number, [paid.id], [paid.id]],
    ['beginning of an order number', paid.order.number.slice(0, -1), [paid.id], [paid.id]],
    ['another merchant’s order number', other.order.number, [other.id], []],
    ['e-mail', customer.email, both, [paid.id]],
    ['e-mail in capitals', customer.email.toUpperCase(), both, [paid.id]],
    ['beginning of an email', customer.email.slice(0, 30), both, [paid.id]],
    ['recurring token', fact('recurring'), [paid.id], [paid.id]],
    ['nothing', randomUUID(), [], []],
    ['a pattern', '%', [], []],
    ['a pattern of an email', `${customer.email.slice(0, 20)}%`, [], []],
  ];
  for (const [kind, text, managers, operators] of searches) {
    expect(text, kind).not.toBe('');
    expect(
      (await listed(manager, { q: text })).map(({ id }) => id),
      kind,
    ).toEqual(managers);
    expect(
      (await listed(operator, { q: text })).map(({ id }) => id),
      kind,
    ).toEqual(operators);
  }
  // Many payments of the tests' merchants share cards and tokens: this payment is among them.
  const token = Array.isArray(status.card_token) ? status.card_token[0] : status.card_token;
  for (const text of ['1111', '4111 1111 1111 1111', '411111****1111', token]) {
    const rows = await listed(operator, { q: text, from: new Date().toISOString().slice(0, 10) });
    expect(
      rows.map(({ id }) => id),
      text,
    ).toContain(paid.id);
    expect((await listed(await visitorAs(florin, 'merchant'), { q: text })).map(({ id }) => id)).not.toContain(paid.id);
  }
});

test('pages have no gaps and no duplicates, in both directions', async ({ florin, shop }) => {
  const operator = await visitorAs(florin, 'operator');
  const customer = newCustomer();
  for (let count = 0; count < 52; count += 1) await shop.open({ customer });
  const first = (await operator.get(`/payments?q=${customer.email}`)).body;
  const second = (await operator.get(`/payments?q=${customer.email}&after=${first.older}`)).body;
  const repeated = (await operator.get(`/payments?q=${customer.email}&before=${second.newer}`)).body;
  expect([first.rows.length, second.rows.length, repeated.rows.length]).toEqual([50, 2, 50]);
  expect(new Set([...first.rows, ...second.rows].map(({ id }: Row) => id)).size).toBe(52);
  expect([first.newer, second.older]).toEqual([null, null]);
  expect(repeated.rows.map(({ id }: Row) => id)).toEqual(first.rows.map(({ id }: Row) => id));
  const oldest = (await operator.get(`/payments?q=${customer.email}&sort=oldest`)).body;
  expect(oldest.rows[0].id).toBe(second.rows.at(-1).id);
});

test('in one currency the list is sorted by amount, in both directions and page by page', async ({ florin, shop }) => {
  const operator = await visitorAs(florin, 'operator');
  const customer = newCustomer();
  const { email } = customer;
  // More than a page of one amount, so that a page ends among equal amounts.
  const amounts = ['12.00', '7.00', '100.00', ...Array(51).fill('9.00')];
  for (const amount of amounts) await shop.open({ customer, order: { amount } });
  await shop.open({ customer, order: { amount: '99999', currency: 'JPY' } });
  const page = async (query: string) => (await operator.get(`/payments?q=${email}&${query}`)).body;
  const wanted = amounts.map(Number).sort((a, b) => a - b);
  for (const [sort, expected] of [
    ['smallest', wanted],
    ['largest', wanted.toReversed()],
  ] as const) {
    const first = await page(`currency=EUR&sort=${sort}`);
    const second = await page(`currency=EUR&sort=${sort}&after=${first.older}`);
    const repeated = await page(`currency=EUR&sort=${sort}&before=${second.newer}`);
    const all = [...first.rows, ...second.rows];
    expect(all.map(({ amount }: { amount: string }) => Number(amount))).toEqual(expected);
    expect(new Set(all.map(({ id }: Row) => id)).size).toBe(amounts.length);
    expect([first.rows.length, first.newer, second.older]).toEqual([50, null, null]);
    expect(repeated.rows.map(({ id }: Row) => id)).toEqual(first.rows.map(({ id }: Row) => id));
  }
  const newest = (await page('')).rows.map(({ id }: Row) => id);
  for (const query of ['sort=largest', 'sort=smallest&currency=EUR,JPY']) {
    expect((await page(query)).rows.map(({ id }: Row) => id)).toEqual(newest);
  }
  // Without a search the list covers the payments of all merchants.
  const manager = await visitorAs(florin, 'manager');
  for (const query of ['', '&state=prepare', '&state=prepare,settled&protocol=checkout', '&amount_from=8']) {
    const { body } = await manager.get(`/payments?currency=EUR&sort=largest${query}`);
    const amounts = body.rows.map(({ amount }: { amount: string }) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(amounts.length).toBeGreaterThan(0);
  }
});

test.describe('the visible payments', () => {
  test('users of a merchant see only its payments, whatever the query names', async ({ florin, as }) => {
    const customer = newCustomer();
    const foreign = await pay(as('other'), cards.settled, { customer });
    const manager = await visitorAs(florin, 'manager');
    const { body: choices } = await manager.get('/payments/choices');
    const other = choices.mids.find(({ merchantName }: { merchantName: string }) => merchantName !== 'plain');
    const operator = await visitorAs(florin, 'operator');
    const owner = choices.merchants.map(({ id }: { id: string }) => id);
    for (const merchant of owner) expect(await listed(operator, { q: customer.email, merchant })).toEqual([]);
    expect(await listed(operator, { q: customer.email, mid: other.id })).toEqual([]);
    expect((await operator.get(`/payments/count?q=${customer.email}`)).body).toEqual({ count: 0, more: false });
    const own = (await operator.get('/payments/choices')).body;
    expect(own.merchants).toEqual([]);
    expect(new Set(own.mids.map(({ merchantName }: { merchantName: string }) => merchantName)).size).toBe(1);
    expect((await operator.post(`/payments/${foreign.id}/ask`, {})).status).toBe(404);
    expect(await exported(operator, { q: customer.email })).toMatchObject({ status: 200, lines: [] });
  });

  test('by amount do not begin at a payment of another merchant', async ({ florin, shop, as }) => {
    const foreign = await pay(as('other'));
    const own = await pay(shop);
    const later = await pay(shop);
    const operator = await visitorAs(florin, 'operator');
    const idsFrom = async (id: string) => {
      const { body } = await operator.get(`/payments?currency=EUR&sort=smallest&after=0.${id}`);
      return body.rows.map((row: Row) => row.id);
    };
    expect(await idsFrom(own.id)).toContain(later.id);
    expect(await idsFrom(foreign.id)).toEqual([]);
  });

  test('users with access to all merchants can select one', async ({ florin, as }) => {
    const customer = newCustomer();
    const plain = await pay(as('plain'), cards.settled, { customer });
    const other = await pay(as('other'), cards.settled, { customer });
    const manager = await visitorAs(florin, 'manager');
    const { body: choices } = await manager.get('/payments/choices');
    const actual: string[][] = [];
    for (const { id } of choices.merchants) {
      const rows = await listed(manager, { q: customer.email, merchant: id });
      if (rows.length > 0) actual.push(rows.map((row) => row.id));
    }
    expect(actual.toSorted()).toEqual([[other.id], [plain.id]].toSorted());
  });
});

/** An export of the list: its header, and its rows by header. */
async function exported({ cookie }: Visitor, query: Record<string, string>, zone?: string) {
  const florin = process.env.FLORIN_URL ?? '';
  const headers = { cookie: zone ? `${cookie}; florin_zone=${encodeURIComponent(zone)}` : cookie };
  const response = await fetch(`${florin}/dashboard/api/payments/export?${new URLSearchParams(query)}`, { headers });
  // As raw text, including the byte order mark.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  const [head = [], ...records] = response.ok ? recordsOf(text.replace(/^\uFEFF/, '')) : [];
  const lines = records.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
  return { status: response.status, headers: response.headers, text, head, lines };
}

/** Parses CSV by RFC 4180. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  for (const line of text.match(/(?:"(?:[^"]|"")*"|[^"\r\n])*\r\n/g) ?? []) {
    const cells = [...line.slice(0, -2).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) => cell);
    records.push(cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)));
  }
  return records;
}

test.describe('the export', () => {
  test("contains every matching payment, safe for spreadsheets, in the user's time zone", async ({ florin, shop }) => {
    const customer = newCustomer();
    const description = '=HYPERLINK("https://evil.example", 1)';
    const order = { description };
    const euro = await pay(shop, cards.settled, { customer, order });
    const yen = await pay(shop, cards.settled, { customer, order: { amount: '1200', currency: 'JPY' } });
    const declined = await pay(shop, cards.declined, { customer });
    const operator = await visitorAs(florin, 'operator');
    const all = await exported(operator, { q: customer.email }, 'Asia/Kabul');
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.headers.get('content-disposition')).toMatch(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/);
    expect(all.headers.get('cache-control')).toBe('no-store');
    expect(all.text.startsWith('\uFEFFcreated_at,time_zone,')).toBe(true);
    expect(all.lines.map(({ payment_id: id }) => id)).toEqual([declined.id, yen.id, euro.id]);
    const [, second, third] = all.lines;
    expect(second).toMatchObject({ amount: '1200', currency: 'JPY', currency_exponent: '0', captured: '1200' });
    expect(third).toMatchObject({
      time_zone: 'Asia/Kabul',
      order_number: euro.order.number,
      status: 'settled',
      amount: '84.50',
      captured: '84.50',
      refunded: '0.00',
      currency_exponent: '2',
      protocol: 'checkout',
      method: 'card',
      method_name: 'Visa',
      card: '411111****1111',
      payer_email: customer.email,
      payer_name: customer.name,
      description: `'${description}`,
    });
    expect(third?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+04:30$/);
    const { body: page } = await operator.get(`/payments/${euro.id}`);
    expect(new Date(third?.created_at ?? '').toISOString()).toBe(page.createdAt);
    const some = await exported(operator, { q: customer.email, state: 'decline' });
    expect(some.lines).toMatchObject([{ payment_id: declined.id, status: 'decline', time_zone: 'UTC' }]);
  });

  test('contains selected payments only, and none of another merchant', async ({ florin, shop, as }) => {
    const customer = newCustomer();
    const [first, , third] = [await pay(shop, cards.settled, { customer }), await pay(shop), await pay(shop)];
    const foreign = await pay(as('other'));
    const ids = [first.id, third.id, foreign.id].join(',');
    const { lines } = await exported(await visitorAs(florin, 'operator'), { ids });
    expect(lines.map(({ payment_id: id }) => id)).toEqual([third.id, first.id]);
  });

  test('is streamed page by page, without gaps', async ({ florin, shop }) => {
    await shop.open();
    const { lines, status } = await exported(await visitorAs(florin, 'manager'), { sort: 'oldest' });
    expect(status).toBe(200);
    const ids = lines.map(({ payment_id: id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  test('requires a right and is in the audit log', async ({ florin }) => {
    const statuses: [keyof typeof people, number][] = [
      ['viewer', 403],
      ['operator', 200],
      ['merchant', 200],
      ['manager', 200],
    ];
    const search = randomUUID();
    for (const [role, status] of statuses) {
      expect((await exported(await visitorAs(florin, role), { q: search })).status, role).toBe(status);
    }
    expect((await exported(visitor(florin), {})).status).toBe(401);
    const { body } = await (await visitorAs(florin, 'administrator')).get('/audit-log?what=payments.export');
    const logged = body.rows.filter((row: object) => JSON.stringify(row).includes(search));
    expect(logged.map(({ actor }: { actor: { name: string } }) => actor.name)).toEqual([
      'Mara Manager',
      'Milo Merchant',
      'Otto Operator',
    ]);
  });

  test('that is aborted does not affect the server', async ({ florin }) => {
    const { cookie } = await visitorAs(florin, 'manager');
    for (let count = 0; count < 30; count += 1) {
      const stop = new AbortController();
      const response = await fetch(`${florin}/dashboard/api/payments/export`, {
        headers: { cookie },
        signal: stop.signal,
      });
      await response.body?.getReader().read();
      stop.abort();
    }
    const manager = await visitorAs(florin, 'manager');
    expect((await manager.get('/payments')).status).toBe(200);
  });
});

test.describe('views', () => {
  test('are saved, renamed and deleted by their user, and no other user sees them', async ({ florin }) => {
    const operator = await visitorAs(florin, 'operator');
    const viewer = await visitorAs(florin, 'viewer');
    const name = `Large ${randomUUID()}`;
    const made = await operator.post('/payments/views', {
      name,
      query: 'state=settled&amount_from=100&after=1.x',
      columns: ['status', 'order'],
    });
    expect(made.body).toEqual({
      id: expect.any(String),
      name,
      query: 'state=settled&amount_from=100',
      columns: ['status', 'order'],
      nightly: null,
      exportError: null,
    });
    const path = `/payments/views/${made.body.id}`;
    const names = async (user: Visitor) => {
      return (await user.get('/payments/views')).body.views.map((view: { name: string }) => view.name);
    };
    expect(await names(operator)).toContain(name);
    expect(await names(viewer)).not.toContain(name);
    expect((await viewer.post(path, { name: 'Mine' })).status).toBe(404);
    expect((await viewer.post(`${path}/delete`, {})).status).toBe(404);
    const twice = await operator.post('/payments/views', { name, query: '' });
    expect([twice.status, Object.keys(twice.body.error.fields)]).toEqual([409, ['name']]);
    const renamed = await operator.post(path, { name: `${name}!`, columns: [] });
    expect(renamed.body).toMatchObject({ name: `${name}!`, columns: [], query: 'state=settled&amount_from=100' });
    expect((await operator.post(`${path}/delete`, {})).status).toBe(200);
    expect(await names(operator)).not.toContain(`${name}!`);
    expect((await operator.post(`${path}/delete`, {})).status).toBe(404);
  });

  const errors = rowsOf(`
    {}                                             | name
    {"name": " ", "query": ""}                     | name
    {"name": "${'x'.repeat(61)}", "query": ""}     | name
    {"name": "a", "query": 1}                      | query
    {"name": "a", "query": "", "columns": ["<b>"]} | columns.0
  `);

  test('must be valid', async ({ florin }) => {
    const operator = await visitorAs(florin, 'operator');
    for (const [text = '', field = ''] of errors) {
      const answer = await operator.post('/payments/views', JSON.parse(text));
      expect(answer.status, text).toBe(400);
      expect(Object.keys(answer.body.error.fields), text).toContain(field);
    }
    for (const id of ['x', randomUUID()]) {
      expect((await operator.post(`/payments/views/${id}`, { name: 'a' })).status).toBe(404);
    }
  });
});
