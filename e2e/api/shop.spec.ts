// The demo shop's server as browsers and Florin reach it: the shop calculates the price of an order, only its visitor
// can see the order, a callback counts only with a valid signature, and no card is stored or shown.
import { bowls, bread, isTold, type Order, shopper, toldOf, typedCard } from '../support/shopper.ts';
import { expect, test } from '../support/test.ts';

const number = '4111111111111111';

test('the shop’s own form: paid over S2S CARD, refunded in part, and the card is masked wherever it is shown', async ({
  request,
  florin,
}) => {
  const { post, buy, until } = shopper(request, florin);
  const order = await buy({ lines: [bowls, { product: 'notebook', quantity: 3 }] });
  expect(order).toMatchObject({ amount: '107.00', captured: '107.00', left: '107.00', state: 'settled', toPay: null });
  expect(toldOf(order)).toEqual(['SALE SUCCESS SETTLED']);
  const sale = order.steps.find(({ name }) => name === 'sale');
  expect(sale?.url).toBe(`${florin}/s2s/card/post`);
  expect(sale?.request).toContain('card_number=411111****1111\n');
  expect(sale?.request).toContain('card_cvv2=***\n');
  expect(JSON.stringify(order).replaceAll(/\s/g, '')).not.toContain(number);
  const rejected = await post(`/orders/${order.id}/refund`, { amount: '107.01' });
  expect(rejected.status()).toBe(409);
  expect((await post(`/orders/${order.id}/refund`, { amount: '30.00' })).status()).toBe(200);
  const after = await until(order.id, ({ refunded }) => refunded === '30.00');
  expect(after).toMatchObject({ state: 'settled', left: '77.00' });
  expect(after.steps.every((step) => step.kind !== 'callback' || (step.hashValid && step.headerValid))).toBe(true);
  await post(`/orders/${order.id}/refund`, {});
  expect(await until(order.id, ({ state }) => state === 'refund')).toMatchObject({ left: '0.00', refunded: '107.00' });
});

test('an authorisation of the shop’s own form is captured, another is reversed', async ({ request, florin }) => {
  const { post, buy, until } = shopper(request, florin);
  const authorised = await buy({ auth: true });
  expect(authorised.state).toBe('pending');
  await post(`/orders/${authorised.id}/capture`, { amount: '50.00' });
  const captured = await until(authorised.id, (order) => order.captured === '50.00');
  expect(captured).toMatchObject({ state: 'settled', left: '50.00' });
  const other = await buy({ auth: true });
  await post(`/orders/${other.id}/void`, {});
  expect(toldOf(await until(other.id, ({ state }) => state === 'reversal'))).toContain('CREDITVOID SUCCESS REVERSAL');
});

test('the test wallet over S2S APM: declined, paid, refunded in part', async ({ request, florin }) => {
  const { base, post, checkout, place, until } = shopper(request, florin);
  const { id } = await place({ way: 'wallet' });
  expect((await post(`/orders/${id}/sale`, { identifier: 'nobody@gmail.com' })).status()).toBe(400);
  expect((await post(`/orders/${id}/sale`, { identifier: 'fail@gmail.com' })).status()).toBe(409);
  await until(id, (order) => toldOf(order).length === 1);
  expect((await post(`/orders/${id}/sale`, { identifier: 'success@gmail.com' })).status()).toBe(200);
  const paid = await until(id, isTold);
  expect(toldOf(paid)).toEqual(['SALE DECLINED DECLINED', 'SALE SUCCESS SETTLED']);
  expect(paid.steps.find(({ name }) => name === 'sale')?.url).toBe(`${florin}/s2s/apm/post`);
  await post(`/orders/${id}/refund`, { amount: '30.00' });
  const after = await until(id, ({ refunded }) => refunded === '30.00');
  expect(after).toMatchObject({ captured: '84.50', left: '54.50' });
  expect(after.steps.every((step) => step.kind !== 'callback' || (step.hashValid && step.headerValid))).toBe(true);
  expect((await post(`/orders/${id}/status`)).status()).toBe(200);

  // Its hash covers every field; one changed field makes it invalid.
  const genuine = Object.fromEntries(paid.steps.findLast(({ kind }) => kind === 'callback')?.fields ?? []);
  await request.post(`${base}/callbacks/${id}`, { form: { ...genuine, amount: '0.01' } });
  const { steps, left } = await until(id, ({ steps: all }) => all.some(({ hashValid }) => hashValid === false));
  expect([steps.at(-1)?.hashValid, left]).toEqual([false, '54.50']);

  const subscribed = await checkout({ way: 'wallet', lines: [bread] });
  expect(await subscribed.json()).toEqual({ errors: { way: 'A subscription needs a card.' } });
});

test('a declined card is followed by another, under its own order_id', async ({ request, florin }) => {
  const { post, place, until } = shopper(request, florin);
  const { id } = await place();
  const declined = await post(`/orders/${id}/sale`, { ...typedCard, expiry: '02/38' });
  expect([declined.status(), (await declined.json()).error.message]).toEqual([409, 'Declined by processing']);
  await until(id, (order) => toldOf(order).length === 1);
  expect((await post(`/orders/${id}/sale`, typedCard)).status()).toBe(200);
  const paid = await until(id, isTold);
  expect(toldOf(paid)).toEqual(['SALE DECLINED DECLINED', 'SALE SUCCESS SETTLED']);
  expect(paid.steps.filter(({ name }) => name === 'sale').map((step) => orderIdOf(step.request))).toEqual([
    paid.number,
    `${paid.number}-2`,
  ]);
  // A paid order is not paid again.
  expect((await post(`/orders/${id}/sale`, typedCard)).status()).toBe(409);
});

const orderIdOf = (request = '') => /^order_id=(.*)$/m.exec(request)?.[1];

test('two presses of the button make one sale, and an unknown outcome is not charged again', async ({
  request,
  florin,
}) => {
  const { post, place, look, until } = shopper(request, florin);
  const { id } = await place();
  const twice = await Promise.all([1, 2, 3].map(() => post(`/orders/${id}/sale`, typedCard)));
  expect(twice.map((answer) => answer.status()).sort()).toEqual([200, 409, 409]);
  const paid = await until(id, isTold);
  expect(paid.steps.filter(({ name }) => name === 'sale')).toHaveLength(1);

  const waiting = await place();
  const answered = await post(`/orders/${waiting.id}/sale`, { ...typedCard, number: '4000 0000 0000 1075' });
  expect(answered.status()).toBe(200);
  expect(await look(waiting.id)).toMatchObject({ state: 'prepare', toPay: null, actions: [] });
  expect((await post(`/orders/${waiting.id}/sale`, typedCard)).status()).toBe(409);
  expect((await post(`/orders/${waiting.id}/status`)).status()).toBe(200);
  await until(waiting.id, ({ state }) => state === 'settled');
});

test('a saved card pays the next basket by its token, until the customer removes it', async ({ request, florin }) => {
  const { post, place, checkout, until } = shopper(request, florin);
  const { id } = await place({ save_card: true });
  await post(`/orders/${id}/sale`, typedCard);
  const { savedCard } = await until(id, (order) => order.savedCard !== null);
  expect(savedCard).toMatchObject({ card: '411111****1111', expiry: '01/2038' });
  const saved = { way: 'saved', card: savedCard?.id, lines: [{ product: 'lamp', quantity: 2 }], currency: 'JPY' };
  const next = await place(saved);
  const paid = await until(next.id, isTold);
  expect(paid).toMatchObject({ amount: '19200', currency: 'JPY', captured: '19200' });
  const sale = paid.steps.find(({ name }) => name === 'sale');
  expect(sale?.request).toMatch(/^card_token=[0-9a-f]{6}…[0-9a-f]{4}$/m);
  expect(sale?.request).not.toContain('card_number');
  expect(JSON.stringify(paid)).not.toMatch(/[0-9a-f]{64}/);

  expect((await post(`/cards/${savedCard?.id}/forget`)).status()).toBe(200);
  expect((await post(`/cards/${savedCard?.id}/forget`)).status()).toBe(404);
  const rejected = await checkout(saved);
  expect([rejected.status(), await rejected.json()]).toEqual([
    400,
    { errors: { card: 'This card is not saved any more.' } },
  ]);
});

test('a subscription at the payment page: the session contains the schedule and its amount', async ({
  request,
  florin,
}) => {
  const { place, look } = shopper(request, florin);
  const { id } = await place({ way: 'page', lines: [bowls, bread] });
  const { steps, subscription } = await look(id);
  expect(subscription).toMatchObject({ state: 'waiting', amount: '6.50', actions: [] });
  expect(steps.map(({ name, status }) => [name, status])).toEqual([
    ['schedule', 200],
    ['session', 200],
  ]);
  expect(steps[0]?.request).toContain('action=CREATE_SCHEDULE\n');
  const session = JSON.parse(steps[1]?.request ?? '{}');
  expect(session).toMatchObject({
    recurring_init: true,
    schedule_id: subscription?.scheduleId,
    payment_schedule_amount: '6.50',
    order: { amount: '91.00' },
  });
});

test('a subscription over S2S CARD: a manual charge, pause, resume and cancel', async ({ request, florin }) => {
  const { post, buy, look, until } = shopper(request, florin);
  const { id } = await buy({ lines: [bowls, bread] });
  const active = await until(id, ({ subscription }) => subscription?.state === 'active');
  expect(active).toMatchObject({ amount: '91.00', captured: '91.00', subscription: { amount: '6.50' } });
  expect(active.subscription?.firstDate).toMatch(/^\d{4}-\d\d-\d\d$/);

  const again = await post(`/orders/${id}/again`);
  expect(again.status(), await again.text()).toBe(200);
  const charge = await until((await again.json()).made, isTold);
  expect(charge).toMatchObject({ amount: '6.50', captured: '6.50' });
  expect(toldOf(charge)).toEqual(['RECURRING_SALE SUCCESS SETTLED']);
  expect((await look(id)).again).toEqual([{ id: charge.id, number: charge.number }]);

  const change = async (name: string): Promise<Order> => (await (await post(`/orders/${id}/${name}`)).json()).order;
  const paused = await change('pause');
  expect(paused.subscription).toMatchObject({ state: 'paused', actions: ['again', 'run', 'deschedule'] });
  expect((await post(`/orders/${id}/pause`)).status()).toBe(409);
  expect((await change('run')).subscription?.state).toBe('active');
  expect((await change('deschedule')).subscription).toMatchObject({ state: 'cancelled', actions: [] });
  expect((await post(`/orders/${id}/again`)).status()).toBe(409);
});

test('other visitors can neither see, pay nor refund an order', async ({ request, florin, playwright }) => {
  const { base, buy, place } = shopper(request, florin);
  const order = await buy({ save_card: true });
  const open = await place();
  const stranger = await playwright.request.newContext();
  // A cookie of the shop's own form is not sufficient, nor is a missing one.
  for (const cookie of ['', 'florin_shop=AAAAAAAAAAAAAAAAAAAAAA', "florin_shop=' or 1=1 --"]) {
    const headers = { cookie, 'content-type': 'application/json' };
    const responses = [
      ...['', '/events', '/bank'].map((path) => stranger.get(`${base}/orders/${order.id}${path}`, { headers })),
      ...['refund', 'status', 'void'].map((name) =>
        stranger.post(`${base}/orders/${order.id}/${name}`, { headers, data: {} }),
      ),
      stranger.post(`${base}/orders/${open.id}/sale`, { headers, data: typedCard }),
      stranger.get(`${florin}/shop/${order.id}`, { headers }),
      stranger.post(`${base}/cards/${order.savedCard?.id}/forget`, { headers, data: {} }),
    ];
    for (const answer of await Promise.all(responses)) expect(answer.status(), answer.url()).toBe(404);
    const page = await (await stranger.get(`${florin}/shop`, { headers })).text();
    expect(page).not.toContain(order.number);
    expect(page).not.toContain('Saved card');
    const paid = { lines: [bowls], currency: 'EUR', way: 'saved', card: order.savedCard?.id };
    expect((await stranger.post(`${base}/checkout`, { headers, data: paid })).status()).toBe(400);
  }
  const own = await (await request.get(`${florin}/shop`)).text();
  expect(own).toContain(order.number);
  await stranger.dispose();
});

test('an invalid basket is rejected with a sentence about it', async ({ request, florin }) => {
  const { base, checkout } = shopper(request, florin);
  const one = (change: object) => ({ lines: [{ ...bowls, ...change }] });
  for (const [changes, field, sentence] of [
    [one({ product: 'car' }), 'lines', 'The shop does not sell this.'],
    [one({ product: '__proto__' }), 'lines', 'The shop does not sell this.'],
    [one({ quantity: 0 }), 'lines', 'Order at least one.'],
    [one({ quantity: -1 }), 'lines', 'Order at least one.'],
    [one({ quantity: 1e9 }), 'lines', 'Order at most 20 of one thing.'],
    [one({ quantity: 1.5 }), 'lines', 'Order a whole number.'],
    [one({ quantity: '2' }), 'lines', 'Order a whole number.'],
    [{ lines: [] }, 'lines', 'The basket is empty.'],
    [{ lines: [bowls, bowls] }, 'lines', 'Name each product once.'],
    [{ currency: 'XXX' }, 'currency', 'Choose one of the currencies.'],
    [{ way: 'cash' }, 'way', 'Choose how to pay.'],
    [{ way: 'saved' }, 'card', 'Choose a saved card.'],
    [{ auth: 'yes' }, 'auth', 'This is either true or false.'],
    [{ language: 'tlh' }, 'language', 'Choose one of the languages.'],
    [{ lines: [bread], auth: true }, 'auth', 'A subscription begins with a payment, not with a hold.'],
  ] as const) {
    const answer = await checkout(changes);
    expect([answer.status(), await answer.json()], JSON.stringify(changes)).toEqual([
      400,
      { errors: { [field]: sentence } },
    ]);
  }
  const sent = (data: string, type = 'application/json') =>
    request.post(`${base}/checkout`, { data, headers: { 'content-type': type } });
  expect((await sent('{')).status()).toBe(400);
  expect((await sent('[]')).status()).toBe(400);
  expect((await sent('{}', 'text/plain')).status()).toBe(415);
  expect((await sent(JSON.stringify({ pad: 'x'.repeat(5_000) }))).status()).toBe(413);
});

test('a visitor at the machine’s other name is redirected to the host of the cookie', async ({ request, florin }) => {
  const other = florin.replace('localhost', '127.0.0.1');
  const { place, look } = shopper(request, other);
  const { id } = await place({ way: 'page' });
  const session = JSON.parse((await look(id)).steps[0]?.request ?? '{}');
  expect(session.success_url).toBe(`${other}/shop/${id}?back=success`);
  // An unknown host name is not used for the redirect.
  const foreign = await request.post(`${florin}/sandbox/shop/checkout`, {
    headers: { host: 'shop.evil.example' },
    data: { lines: [bowls], currency: 'EUR', way: 'page' },
  });
  const steps = JSON.stringify((await shopper(request, florin).look((await foreign.json()).id)).steps);
  expect(steps).toContain(`${florin}/shop/`);
  expect(steps).not.toContain('evil');
});

test("prices in the browser's request are ignored", async ({ request, florin }) => {
  const { place, look } = shopper(request, florin);
  const line = { ...bowls, amount: '0.01', price: '0.01' };
  const { id } = await place({ lines: [line], amount: '0.01', total: '0.01' });
  expect(await look(id)).toMatchObject({ amount: '84.50', currency: 'EUR' });
});

test('the shop’s own form accepts test cards alone', async ({ request, florin }) => {
  const { post, place, look } = shopper(request, florin);
  const { id } = await place();
  for (const [change, field] of [
    // Valid by its check digit, but not a test card.
    [{ number: '4539 5787 6362 1486' }, 'number'],
    [{ number: '4111 1111 1111 1112' }, 'number'],
    [{ number: '' }, 'number'],
    [{ expiry: '13/38' }, 'expiry'],
    [{ cvv: '12' }, 'cvv'],
    [{ cvv: 123 }, 'cvv'],
  ] as const) {
    const answer = await post(`/orders/${id}/sale`, { ...typedCard, ...change });
    expect(answer.status()).toBe(400);
    expect(Object.keys((await answer.json()).errors)).toEqual([field]);
  }
  expect((await look(id)).steps).toEqual([]);
});

test('a forged callback is shown as rejected and changes nothing', async ({ request, florin }) => {
  const { base, place, look, buy } = shopper(request, florin);
  const callback = (id: string, form: Record<string, string>) => request.post(`${base}/callbacks/${id}`, { form });
  const paid = await buy();
  const genuine = Object.fromEntries(paid.steps.find(({ kind }) => kind === 'callback')?.fields ?? []);
  const { id } = await place();
  const { number: own } = await look(id);
  for (const [order, form] of [
    [id, { ...genuine, order_id: own }],
    [id, { action: 'SALE', result: 'SUCCESS', status: 'SETTLED', order_id: own, hash: '0'.repeat(32) }],
    [id, { order_status: 'settled', order_number: own, hash: '0'.repeat(40) }],
    // Its hash is right, but without the header nothing proves its content.
    [paid.id, { ...genuine, status: 'CHARGEBACK' }],
    // A charge of a schedule, for an order without one.
    [paid.id, { ...genuine, order_id: `${paid.number}/1`, action: 'RECURRING_SALE' }],
  ] as const) {
    const answer = await callback(order, form);
    expect([answer.status(), await answer.text()]).toEqual([400, 'ERROR']);
  }
  const forged = await look(id);
  expect(forged).toMatchObject({ state: null, captured: '0.00', toPay: { kind: 's2s' } });
  expect(forged.steps.map(({ kind, hashValid }) => `${kind} ${hashValid}`)).toEqual(Array(3).fill('callback false'));
  expect(await look(paid.id)).toMatchObject({ state: 'settled', captured: '84.50' });
  expect((await callback('AAAAAAAAAAAAAAAAAAAAAA', genuine)).status()).toBe(404);
});

test('without script the basket is a form that leads to the chosen payment method', async ({ request, florin }) => {
  const { base, until } = shopper(request, florin);
  const send = (path: string, form: Record<string, string>, headers = {}) =>
    request.post(base + path, { form, headers, maxRedirects: 0 });
  const basket = { 'quantity.bowls': '2', 'quantity.bread': '0', currency: 'USD', way: 's2s', language: '' };
  const placed = await send('/checkout', basket);
  const [, id = ''] = /^\/shop\/([\w-]{22})$/.exec(placed.headers().location ?? '') ?? [];
  expect([placed.status(), id.length]).toEqual([303, 22]);
  const paid = await send(`/orders/${id}/sale`, { ...typedCard, expiry: '05/38' });
  expect([paid.status(), paid.headers().location]).toEqual([303, `/sandbox/shop/orders/${id}/bank`]);
  const order = await until(id, ({ state }) => state === '3ds');
  expect(order).toMatchObject({ amount: '184.00', currency: 'USD', toPay: { kind: 'bank' } });
  const bank = await request.get(`${base}/orders/${id}/bank`);
  expect(bank.headers()['content-security-policy']).toContain(`form-action ${florin};`);
  expect(await bank.text()).toContain('<button>Continue to your bank</button>');
  expect((await send('/checkout', basket, { 'sec-fetch-site': 'cross-site' })).status()).toBe(403);
});
