// The lists and pages of sessions, payouts, chargebacks, tokens, recurring payments and schedules: each finds its own
// objects, shows none of another merchant, and acts through the functions of the protocols.
import { randomUUID } from 'node:crypto';
import { cardFields } from '../support/card-merchant.ts';
import { type people, type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { cards, formTo, startPayer } from '../support/payer.ts';
import { pay, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const idsOf = async (user: Visitor, path: string): Promise<string[]> => {
  const { status, body } = await user.get(path);
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return body.rows.map(({ id }: { id: string }) => id);
};

const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
const monthly = { name: 'Membership', interval_length: '1', interval_unit: 'month', payments_count: '12' };

test('a session is found by order, state and method, and its page shows the offered methods and the attempts', async ({
  florin,
  shop,
}) => {
  const operator = await visitorAs(florin, 'operator');
  const opened = await shop.open({ methods: ['card'], success_url: 'https://shop.example/thanks?key=secret' });
  const declined = await pay(shop, cards.declined);
  const paid = await pay(shop);
  const [open = ''] = await idsOf(operator, `/sessions?q=${opened.order.number}`);
  expect(open).not.toBe('');
  const rows = rowsOf(`
    ${opened.order.number}   | open            | ${open}
    ${opened.order.number}   | expired         | -
    ${opened.order.number}   | open,cancelled  | ${open}
    ${declined.order.number} | open            | ${declined.id}
    ${declined.order.number} | paid            | -
    ${paid.order.number}     | paid            | ${paid.id}
    ${paid.order.number}     | trying,expired  | -
  `);
  for (const [order, state, wanted] of rows) {
    expect(await idsOf(operator, `/sessions?q=${order}&state=${state}`), `${order} ${state}`).toEqual(
      wanted === '-' ? [] : [wanted],
    );
  }
  expect(await idsOf(operator, `/sessions?q=${opened.order.number}&method=card&for=page`)).toEqual([open]);
  expect(await idsOf(operator, `/sessions?q=${opened.order.number}&method=pix`)).toEqual([]);
  expect(await idsOf(operator, `/sessions?q=${opened.order.number}&for=fields`)).toEqual([]);
  const { body } = await operator.get(`/sessions/${declined.id}`);
  expect(body).toMatchObject({ state: 'open', attempts: 1, orderNumber: declined.order.number });
  expect(body.offered).toContainEqual({ id: 'card', name: 'Card' });
  expect(body.tries).toEqual([expect.objectContaining({ what: 'Sale', outcome: { text: 'Declined', tone: 'bad' } })]);
  const { addresses } = (await operator.get(`/sessions/${open}`)).body;
  expect(addresses).toContainEqual({ name: 'success_url', url: 'https://shop.example/thanks?…' });
  expect(JSON.stringify(addresses)).not.toContain('secret');
});

test('a session whose payer has left can be cancelled', async ({ florin, shop }) => {
  const operator = await visitorAs(florin, 'operator');
  const { order, url } = await shop.open();
  const [id] = await idsOf(operator, `/sessions?q=${order.number}`);
  const payer = startPayer(florin);
  await payer.submit(formTo(await payer.visit(url), '/cancel'));
  expect(await idsOf(operator, `/sessions?q=${order.number}&state=cancelled`)).toEqual([id]);
  expect((await operator.get(`/sessions/${id}`)).body.cancelledAt).not.toBeNull();
});

test('payouts have a list of their own', async ({ florin, cardShop }) => {
  const operator = await visitorAs(florin, 'operator');
  const order_id = newOrderNumber();
  const paid = await cardShop.payout({ order_id });
  expect(paid.status, JSON.stringify(paid.body)).toBe(200);
  const [row] = (await operator.get(`/payouts?q=${order_id}`)).body.rows;
  expect(row).toMatchObject({ operation: 'credit', amount: '40.00', currency: 'EUR', orderNumber: order_id });
  expect(row.to).toMatch(/•••• 6519$/);
  for (const [query, expected] of [
    ['operation=credit', 1],
    ['operation=transfer', 0],
    ['currency=EUR', 1],
    ['currency=USD', 0],
    ['state=settled,pending', 1],
    ['state=chargeback', 0],
  ] as const) {
    expect((await idsOf(operator, `/payouts?q=${order_id}&${query}`)).length, query).toBe(expected);
  }
  const sale = await cardShop.sell();
  expect(await idsOf(operator, `/payouts?q=${sale.orderId}`)).toEqual([]);
});

test('a chargeback shows its amount and reason and links to its payment', async ({ florin, shop, provider }) => {
  const operator = await visitorAs(florin, 'operator');
  const paid = await pay(shop);
  await provider.chargeback(paid.order.number, undefined, '13.1');
  await untilStatus(shop, paid.id, 'chargeback');
  const { rows } = (await operator.get(`/chargebacks?q=${paid.order.number}`)).body;
  expect(rows).toEqual([
    expect.objectContaining({
      paymentId: paid.id,
      amount: '84.50',
      reasonCode: '13.1',
      reason: 'Merchandise or services not received',
      ofAmount: null,
    }),
  ]);
  expect((await idsOf(operator, `/chargebacks?q=${paid.order.number}&reason=13.1`)).length).toBe(1);
  expect(await idsOf(operator, `/chargebacks?q=${paid.order.number}&reason=10.4`)).toEqual([]);
  expect(await idsOf(operator, `/chargebacks?q=${paid.order.number}&to=2020-01-01`)).toEqual([]);
});

test('a token is found by its value and by its card, and removed as over the protocol', async ({
  florin,
  cardShop,
}) => {
  const operator = await visitorAs(florin, 'operator');
  // A separate card, so that no other test uses its token.
  const sold = await cardShop.sell({ card_number: '3530111333300000', req_token: 'Y' });
  const token: string = sold.answer.body.card_token;
  const { rows } = (await operator.get(`/tokens?q=${token}`)).body;
  const [{ id }] = rows;
  expect(rows).toEqual([
    expect.objectContaining({ masked: `${token.slice(0, 4)}…${token.slice(-4)}`, brand: 'JCB', state: 'active' }),
  ]);
  expect(JSON.stringify(rows)).not.toContain(token);
  const finds = rowsOf(`
    q=0000                 | yes
    q=353011               | yes
    q=0000&brand=jcb  | yes
    q=0000&brand=visa      | no
    q=0000&state=active    | yes
    q=0000&state=removed   | no
    q=${'e'.repeat(64)}    | no
  `);
  for (const [query, wanted] of finds) {
    expect((await idsOf(operator, `/tokens?${query}`)).includes(id) ? 'yes' : 'no', query).toBe(wanted);
  }
  const page = (await operator.get(`/tokens/${id}`)).body;
  expect(page).toMatchObject({ token, mayRemove: true, last4: '0000', expires: '01/2038', deeds: [] });
  expect(page.payments.rows.map(({ orderNumber }: { orderNumber: string }) => orderNumber)).toContain(sold.orderId);
  const forViewer = (await (await visitorAs(florin, 'viewer')).get(`/tokens/${id}`)).body;
  expect([forViewer.token, forViewer.mayRemove]).toEqual([null, false]);
  expect((await operator.post(`/tokens/${id}/remove`, {})).body).toMatchObject({ state: 'removed', mayRemove: false });
  expect((await operator.post(`/tokens/${id}/remove`, {})).status).toBe(409);
  const charged = await cardShop.charge('SALE', { ...without, card_token: token });
  expect([charged.status, charged.body.error_code]).toEqual([400, 205005]);
  expect((await operator.get(`/tokens/${id}`)).body.deeds).toEqual([
    expect.objectContaining({ what: 'Token removed', who: 'Otto Operator', detail: 'JCB •••• 0000' }),
  ]);
});

test('a recurring agreement shows its initial payment, its charges and its schedule', async ({ florin, cardShop }) => {
  const operator = await visitorAs(florin, 'operator');
  const first = await cardShop.sell({ recurring_init: 'Y' });
  const subsequent = await cardShop.again(first);
  expect(subsequent.status, JSON.stringify(subsequent.body)).toBe(200);
  const [id = ''] = await idsOf(operator, `/chains?q=${first.orderId}`);
  expect(await idsOf(operator, `/chains?q=${first.answer.body.recurring_token}`)).toEqual([id]);
  expect(await idsOf(operator, `/chains?q=${first.orderId}&state=open`)).toEqual([id]);
  expect(await idsOf(operator, `/chains?q=${first.orderId}&state=scheduled,stopped`)).toEqual([]);
  const { body } = await operator.get(`/chains/${id}`);
  expect(body).toMatchObject({ charges: 1, token: first.answer.body.recurring_token, firstTransId: first.transId });
  expect(body.first.orderNumber).toBe(first.orderId);
  expect(body.later.rows).toEqual([expect.objectContaining({ amount: '12.00', status: 'settled' })]);
  const viewer = await visitorAs(florin, 'viewer');
  expect((await viewer.get(`/chains/${id}`)).body.token).toBeNull();
  const tokenOn = async (user: Visitor) =>
    (await user.get(`/payments/${body.first.id}`)).body.groups
      .flatMap(({ facts }: { facts: { name: string; value: string }[] }) => facts)
      .find(({ name }: { name: string }) => name === 'recurring')?.value;
  expect([await tokenOn(operator), await tokenOn(viewer)]).toEqual([first.answer.body.recurring_token, undefined]);
});

const create = async (user: Visitor, plan: object): Promise<string> => {
  const { status, body } = await user.post('/schedules', plan);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
};

test.describe('the planned charges of a schedule', () => {
  // the plan | the day of the payment | the dates
  const table = rowsOf(`
    {}                                            | 2027-01-15 | 2027-02-15 2027-03-15 2027-04-15
    {}                                            | 2027-01-31 | 2027-02-28 2027-03-31 2027-04-30
    {}                                            | 2028-01-31 | 2028-02-29 2028-03-31 2028-04-30
    {"day_of_month":"31"}                         | 2026-11-20 | 2026-12-31 2027-01-31 2027-02-28
    {"interval_unit":"day","interval_length":"7"} | 2026-12-28 | 2027-01-04 2027-01-11 2027-01-18
    {"delayed_first_payment":"day_of_week","first_payment_day_of_week":"1"} | 2026-11-20 | 2026-11-23 2026-12-23 2027-01-23
    {"delayed_first_payment":"day_of_month","first_payment_day_of_month":"31"} | 2027-01-31 | 2027-02-28 2027-03-31 2027-04-30
    {"payments_count":"2"}                        | 2027-01-15 | 2027-02-15 2027-03-15
  `);

  test('of a plan alone', async ({ florin }) => {
    const operator = await visitorAs(florin, 'operator');
    for (const [plan = '', begins, dates] of table) {
      const id = await create(operator, { ...monthly, ...JSON.parse(plan) });
      const { body } = await operator.get(`/schedules/${id}/preview?begins=${begins}`);
      const shown = body.rows.slice(0, 3).map(({ date }: { date: string }) => date);
      expect(shown.join(' '), `${plan} from ${begins}`).toBe(dates);
      expect([body.subscription, body.rows[0].amount]).toEqual([null, null]);
      await operator.post(`/schedules/${id}/delete`, {});
    }
    // Of a plan that began long ago, every charge since then would be computed.
    const id = await create(operator, monthly);
    const { body } = await operator.get(`/schedules/${id}/preview?begins=1999-08-01`);
    expect(body.begins).toBe(new Date().toISOString().slice(0, 10));
    await operator.post(`/schedules/${id}/delete`, {});
  });

  test('of a subscription have consistent amounts and the announced dates', async ({ florin, cardShop }) => {
    const operator = await visitorAs(florin, 'operator');
    const schedule_id = await create(operator, { ...monthly, name: `Club ${randomUUID()}` });
    const sold = await cardShop.sell({ recurring_init: 'Y', schedule_id, payment_schedule_amount: '39.00' });
    expect(sold.answer.body.status, JSON.stringify(sold.answer.body)).toBe('SETTLED');
    const { preview, live, subscribers } = (await operator.get(`/schedules/${schedule_id}`)).body;
    expect([live, preview.rows.length, preview.more]).toEqual([1, 12, false]);
    expect(preview.rows.slice(0, 3).map(({ amount, total }: Record<string, string>) => `${amount} ${total}`)).toEqual([
      '39.00 39.00',
      '39.00 78.00',
      '39.00 117.00',
    ]);
    expect(preview.label).toBe(`${sold.orderId}, ana@example.com`);
    const status = await cardShop.follow('GET_TRANS_DETAILS', sold);
    const [row] = subscribers.rows;
    expect(row).toMatchObject({ orderNumber: sold.orderId, amount: '39.00', done: 0, of: 12 });
    expect(row.dueAt.slice(0, 10)).toBe(preview.rows[0].date);
    expect(status.status).toBe(200);
    // The recurring agreement links to the subscription and back.
    const chain = (await operator.get(`/chains/${row.chainId}`)).body;
    expect(chain).toMatchObject({ state: 'scheduled', schedule: { id: schedule_id } });
    expect(chain.subscriptions).toEqual([expect.objectContaining({ id: row.id, scheduleId: schedule_id })]);
  });
});

test('a schedule is paused, resumed, emptied and deleted as over the protocol', async ({ florin, cardShop }) => {
  const operator = await visitorAs(florin, 'operator');
  const name = `Box ${randomUUID()}`;
  const id = await create(operator, { ...monthly, name });
  const info = async () => (await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id })).body;
  const act = (action: string, body = {}) => operator.post(`/schedules/${id}/${action}`, body);
  expect(await info()).toMatchObject({ ...monthly, name, paused: 'N' });
  expect(await idsOf(operator, `/schedules?q=${name.slice(0, 12).toUpperCase()}&state=running`)).toContain(id);
  expect((await act('pause')).body.state).toBe('paused');
  expect([(await act('pause')).status, (await info()).paused]).toEqual([409, 'Y']);
  expect(await idsOf(operator, `/schedules?q=${id}&state=running`)).toEqual([]);
  expect(await idsOf(operator, `/schedules?q=${id}&state=paused`)).toEqual([id]);
  expect((await act('run')).body.state).toBe('running');
  expect([(await act('run')).status, (await info()).paused]).toEqual([409, 'N']);
  const changed = await act('change', { ...monthly, name, payments_count: '6', day_of_month: '31' });
  expect(changed.body).toMatchObject({ every: 'Every month on day 31', length: '6 payments' });
  expect(await info()).toMatchObject({ payments_count: '6', day_of_month: '31' });
  const sold = await cardShop.sell({ recurring_init: 'Y', schedule_id: id });
  const inUse = await act('delete');
  expect([inUse.status, inUse.body.error.message]).toEqual([
    409,
    'This schedule has 1 active subscription. End them first, or pause the schedule.',
  ]);
  const [{ id: subscription }] = (await operator.get(`/schedules/${id}/subscriptions`)).body.rows;
  expect((await act('deschedule', { subscription: randomUUID() })).status).toBe(400);
  const ended = (await act('deschedule', { subscription })).body;
  expect(ended.subscribers.rows[0]).toMatchObject({ stopReason: 'descheduled', orderNumber: sold.orderId });
  expect((await act('deschedule', { subscription })).status).toBe(409);
  expect((await act('delete')).body.state).toBe('deleted');
  expect((await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id })).status).toBe(400);
  for (const action of ['pause', 'run', 'delete', 'change']) expect((await act(action)).status, action).toBe(409);
  expect(await idsOf(operator, `/schedules?q=${id}`)).toEqual([]);
  expect(await idsOf(operator, `/schedules?q=${id}&state=deleted`)).toEqual([id]);
  const { deeds } = (await operator.get(`/schedules/${id}`)).body;
  expect(deeds.map(({ what }: { what: string }) => what)).toEqual([
    'Schedule deleted',
    'Subscription ended',
    'Deletion requested (refused)',
    'Schedule deleted',
    'Plan changed',
    'Schedule resumed',
    'Schedule paused',
    'Schedule created',
  ]);
});

test('an invalid plan gets field errors', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  const table = rowsOf(`
    {"name":""}                                 | name
    {"interval_length":"0"}                     | interval_length
    {"interval_length":"1.5"}                   | interval_length
    {"interval_unit":"week"}                    | interval_unit
    {"payments_count":"x"}                      | payments_count
    {"interval_unit":"day","day_of_month":"31"} | day_of_month
    {"delayed_first_payment":"day_of_week"}     | first_payment_day_of_week
  `);
  for (const [changes = '', field] of table) {
    const { status, body } = await operator.post('/schedules', { ...monthly, ...JSON.parse(changes) });
    expect(`${status} ${Object.keys(body.error.fields ?? {})}`, changes).toBe(`400 ${field}`);
  }
  const manager = await visitorAs(florin, 'manager');
  expect((await manager.post('/schedules', monthly)).status).toBe(409);
});

// Every endpoint with each role's answer for objects of the merchant `plain`; 409 and 400 come after every permission
// check.
const policies = rowsOf(`
  address                             | anonymous | viewer | operator | merchant | manager | administrator
  GET  /sessions                      | 401 | 200 | 200 | 200 | 200 | 200
  GET  /sessions/{session}            | 401 | 200 | 200 | 404 | 200 | 200
  GET  /payouts                       | 401 | 200 | 200 | 200 | 200 | 200
  GET  /chargebacks                   | 401 | 200 | 200 | 200 | 200 | 200
  GET  /unresolved                    | 401 | 200 | 200 | 200 | 200 | 200
  GET  /tokens                        | 401 | 200 | 200 | 200 | 200 | 200
  GET  /tokens/{token}                | 401 | 200 | 200 | 404 | 200 | 200
  POST /tokens/{token}/remove         | 401 | 403 | 409 | 404 | 409 | 409
  GET  /chains                        | 401 | 200 | 200 | 200 | 200 | 200
  GET  /chains/{chain}                | 401 | 200 | 200 | 404 | 200 | 200
  GET  /schedules                     | 401 | 200 | 200 | 200 | 200 | 200
  POST /schedules                     | 401 | 403 | 400 | 400 | 409 | 409
  GET  /schedules/{schedule}          | 401 | 200 | 200 | 404 | 200 | 200
  GET  /schedules/{schedule}/preview  | 401 | 200 | 200 | 404 | 200 | 200
  GET  /schedules/{schedule}/effect   | 401 | 400 | 400 | 404 | 400 | 400
  GET  /schedules/{schedule}/subscriptions | 401 | 200 | 200 | 404 | 200 | 200
  GET  /schedules/{schedule}/charges  | 401 | 200 | 200 | 404 | 200 | 200
  POST /schedules/{schedule}/change   | 401 | 403 | 409 | 404 | 409 | 409
  POST /schedules/{schedule}/pause    | 401 | 403 | 409 | 404 | 409 | 409
  POST /schedules/{schedule}/run      | 401 | 403 | 409 | 404 | 409 | 409
  POST /schedules/{schedule}/delete   | 401 | 403 | 409 | 404 | 409 | 409
  POST /schedules/{schedule}/deschedule | 401 | 403 | 409 | 404 | 409 | 409
`);
const [[, ...roles] = [], ...addresses] = policies;

test('every endpoint checks the session, the right and the merchant', async ({ florin, shop, cardShop }) => {
  const operator = await visitorAs(florin, 'operator');
  const schedule = await create(operator, { ...monthly, name: randomUUID() });
  expect((await operator.post(`/schedules/${schedule}/delete`, {})).status).toBe(200);
  const { order } = await shop.open();
  const sold = await cardShop.sell({
    ...cardFields.settled,
    recurring_init: 'Y',
    req_token: 'Y',
    card_number: '6370950000000005',
    card_cvv2: '123',
  });
  const [session = ''] = await idsOf(operator, `/sessions?q=${order.number}`);
  const [chain = ''] = await idsOf(operator, `/chains?q=${sold.orderId}`);
  const [token = ''] = await idsOf(operator, `/tokens?q=${sold.answer.body.card_token}`);
  await operator.post(`/tokens/${token}/remove`, {});
  const ids: Record<string, string> = { session, chain, token, schedule };
  const actual: string[][] = [];
  const wanted: string[][] = [];
  for (const [address = '', ...statuses] of addresses) {
    const [method, path = ''] = address.split(/\s+/);
    const real = path.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? '');
    const line = [address];
    for (const role of roles) {
      const user = role === 'anonymous' ? visitor(florin) : await visitorAs(florin, role as keyof typeof people);
      const answer = method === 'GET' ? await user.get(real) : await user.post(real, {});
      line.push(String(answer.status));
    }
    actual.push(line);
    wanted.push([address, ...statuses]);
  }
  expect(actual).toEqual(wanted);
});

test('a list contains no objects of another merchant', async ({ florin, as, cardAs }) => {
  const { order } = await as('other').open();
  const sold = await cardAs('other').sell({ recurring_init: 'Y', req_token: 'Y' });
  const payout = newOrderNumber();
  await cardAs('other').payout({ order_id: payout });
  const made = await cardAs('other').schedule('CREATE_SCHEDULE', monthly);
  const searches = [
    `/sessions?q=${order.number}`,
    `/payouts?q=${payout}`,
    `/tokens?q=${sold.answer.body.card_token}`,
    `/chains?q=${sold.orderId}`,
    `/chains?q=${sold.answer.body.recurring_token}`,
    `/schedules?q=${made.body.schedule_id}`,
  ];
  for (const path of searches) {
    expect((await idsOf(await visitorAs(florin, 'manager'), path)).length, path).toBe(1);
    expect(await idsOf(await visitorAs(florin, 'operator'), path), path).toEqual([]);
    expect(await idsOf(await visitorAs(florin, 'merchant'), path), path).toEqual([]);
  }
});

test('an invalid id is not found', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  for (const id of [randomUUID(), 'x', "'", '%00', 'a'.repeat(500)]) {
    for (const noun of ['sessions', 'tokens', 'chains', 'schedules']) {
      expect((await operator.get(`/${noun}/${id}`)).status, `${noun} ${id}`).toBe(404);
    }
    expect((await operator.post(`/tokens/${id}/remove`, {})).status, id).toBe(404);
    expect((await operator.post(`/schedules/${id}/pause`, {})).status, id).toBe(404);
  }
});
