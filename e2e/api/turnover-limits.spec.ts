// Turnover limits under load: concurrent attempts never exceed a limit, and merchants without a limit are not affected.
// The provider's journal shows the collected amounts. Each test has a merchant of its own.
import { type CardMerchant, cardFields, cardMerchant } from '../support/card-merchant.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type Answer, newOrderNumber } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import type { Provider } from '../support/provider.ts';
import { expect, test } from '../support/test.ts';
import { attribute, startTraceCollector } from '../support/trace-collector.ts';

const many = 50;
const few = 20;
const each = '20.00';

const never = () => Promise.reject(new Error('no server'));

const isSettled = ({ body }: Answer) => body.status === 'SETTLED';

/** Many concurrent sales, distributed over these servers in turn. */
async function sellConcurrently(shop: CardMerchant, count = many, changes: object = {}, others: CardMerchant[] = []) {
  const servers = [shop, ...others];
  const bodies = Array.from({ length: count }, () =>
    shop.signed(shop.chargeBody('SALE', { order_amount: each, ...changes })),
  );
  const answers = await Promise.all(
    bodies.map((body, index) => servers[index % servers.length]?.post(body) ?? never()),
  );
  return { orders: bodies.map((body) => String(body.order_id)), answers };
}

async function settledAmounts(provider: Provider, orders: string[]): Promise<string[]> {
  return (await Promise.all(orders.map((order) => provider.moved(order)))).flat();
}

test('of MIDs, over two processes: the first fills up, then the second, and no limit is exceeded', async ({
  cardAs,
  provider,
  shopServer,
}) => {
  const shop = cardAs('crowdedMid');
  const [plain, other] = [cardAs('plain'), cardAs('other')];
  const second = await startKillableServer();
  const batches = [
    sellConcurrently(shop, many, {}, [cardMerchant(second.url, shop.credentials, shopServer)]),
    sellConcurrently(plain, few),
    sellConcurrently(other, few),
  ];
  const [limited, ...unlimited] = await Promise.all(batches).finally(() => second.kill());
  const { orders, answers } = limited ?? (await never());
  // 100.00 a day at one, 60.00 a month at the other.
  expect(answers.filter(isSettled)).toHaveLength(8);
  for (const { status, body } of answers.filter((answer) => !isSettled(answer))) {
    expect([status, body.error_code]).toEqual([400, 204007]);
  }
  expect(await settledAmounts(provider, orders)).toEqual(Array(8).fill(`sale ${each}`));
  for (const busy of unlimited) {
    expect(busy.answers.map(({ status }) => status)).toEqual(Array(few).fill(200));
    expect(await settledAmounts(provider, busy.orders)).toHaveLength(few);
  }
});

test('of a mapping: a decline releases its amount, and five of fifty sales are accepted', async ({
  cardAs,
  provider,
}) => {
  const shop = cardAs('crowdedMapping');
  const declined = await shop.sell({ ...cardFields.declined, order_amount: '100.00' });
  expect(declined.answer.body.status).toBe('DECLINED');
  const { orders, answers } = await sellConcurrently(shop);
  expect(answers.filter(isSettled)).toHaveLength(5);
  for (const { body } of answers.filter((answer) => !isSettled(answer))) expect(body.error_code).toBe(204008);
  expect(await settledAmounts(provider, orders)).toEqual(Array(5).fill(`sale ${each}`));
});

test('of a MID that is reached by failover', async ({ cardAs, provider }) => {
  const shop = cardAs('crowdedCascade');
  const { orders, answers } = await sellConcurrently(shop, many, { card_number: '4000000000001026' });
  const statuses = answers.map(({ body }) => body.status ?? body.error_message).sort();
  expect(statuses).toEqual([...Array(many - 5).fill('DECLINED'), ...Array(5).fill('SETTLED')]);
  expect(await settledAmounts(provider, orders)).toEqual(Array(5).fill(`sale ${each}`));
});

test('of a mapping count a payment with a failover once', async ({ cardAs, provider }) => {
  const shop = cardAs('cascadeInLimit');
  const cascaded = { card_number: '4000000000001026', order_amount: '60.00' };
  const first = await shop.sell(cascaded);
  expect(first.answer.body.status).toBe('SETTLED');
  const second = await shop.charge('SALE', cascaded);
  expect([second.status, second.body.error_code]).toEqual([400, 204008]);
  const third = await shop.sell({ ...cascaded, order_amount: '40.00' });
  expect(third.answer.body.status).toBe('SETTLED');
  expect(await settledAmounts(provider, [first.orderId, third.orderId])).toEqual(['sale 60.00', 'sale 40.00']);
});

test('do not refuse the repeat of the payment that has reached one', async ({ cardAs, apmAs, provider }) => {
  const [shop, apmShop] = [cardAs('limitOfOne'), apmAs('limitOfOne')];
  const body = shop.signed(shop.chargeBody('SALE', { order_amount: each }));
  const apm = { brand: 'vcard', identifier: 'success@gmail.com', order_amount: each, order_id: newOrderNumber() };
  for (const send of [() => shop.post(body), () => apmShop.charge('SALE', apm)]) {
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body]).toEqual([200, first.body]);
  }
  const order_id = String(body.order_id);
  for (const changes of [{}, { order_id, order_description: 'Other' }]) {
    const refused = await shop.charge('SALE', { order_amount: each, ...changes });
    expect([refused.status, refused.body.error_code]).toEqual([400, 204014]);
  }
  expect(await settledAmounts(provider, [order_id, apm.order_id])).toEqual([`sale ${each}`, `sale ${each}`]);
});

test('do not refuse the repeat of the session whose payment has reached one', async ({ as, florin }) => {
  const shop = as('limitOfOneSession');
  const opened = await shop.open({ order: { amount: each } });
  await startPayer(florin).pay(opened.url, cards.settled);
  const again = await shop.post('/api/v1/session', opened.body);
  expect([again.status, again.body.redirect_url]).toEqual([200, opened.url]);
  const other = await shop.session({ order: { amount: each } });
  expect([other.status, other.body.error_code]).toEqual([400, 204014]);
});

test('are summed twice for a sale, once without and once under their lock; a merchant without a limit needs no sum', async ({
  shopServer,
}) => {
  const collector = await startTraceCollector();
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' };
  const server = await startKillableServer(settings);
  /** The statements of a merchant's second sale; the first one also reads the merchant and the clock. */
  const statementsOf = async (name: 'countedLimits' | 'plain') => {
    const shop = cardMerchant(server.url, merchants[name], shopServer);
    await shop.sell({});
    const { answer } = await shop.sell({});
    expect(answer.body.status).toBe('SETTLED');
    const id = answer.headers.get('x-request-id');
    const root = () => collector.spans().find((span) => attribute(span, 'florin.request_id') === id);
    await expect.poll(() => root()?.name).toBe('POST /s2s/card/post');
    return collector
      .spans()
      .filter((span) => span.traceId === root()?.traceId && attribute(span, 'db.system.name') === 'postgresql')
      .map(({ name: statement }) => statement);
  };
  try {
    const sums = ['limit-mapping', 'limit-mid'];
    const ofLimits = (names: string[]) => names.filter((name) => name.startsWith('limit-'));
    const limited = await statementsOf('countedLimits');
    expect(ofLimits(limited)).toEqual([...sums, 'limit-lock', 'limit-lock', ...sums]);
    expect(ofLimits(await statementsOf('plain'))).toEqual([]);
  } finally {
    await server.kill();
    await collector.close();
  }
});
