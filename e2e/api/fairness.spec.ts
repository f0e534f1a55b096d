// A party that hangs delays only its own work. The tests check the order in which outcomes become known, not the time.
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { startShopServer } from '../support/shop-server.ts';
import { type StuckProvider, startStuckProvider } from '../support/stuck-provider.ts';
import { expect, test } from '../support/test.ts';

/** More than any account's share or claim. */
const requestCount = 120;

test('a provider that hangs delays no outcome of another provider', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const [hanging, answering] = await Promise.all([
    startStuckProvider('error', 'hang'),
    startStuckProvider('error', 'approved'),
  ]);
  const shopAt = async ({ account }: StuckProvider) => {
    const own = await makeMerchant(manager);
    await makeMid(manager, own.id, account);
    return cardMerchant(florin, own.credentials, shopServer);
  };
  const [stuck, shop] = await Promise.all([shopAt(hanging), shopAt(answering)]);
  const lost = async () => stuck.sell({ ...cardFields.settled });
  for (let made = 0; made < requestCount; made += 20) await Promise.all(Array.from({ length: 20 }, lost));
  // Shortly after some requests have begun to hang, which takes fifteen seconds.
  const isFresh = (since: Date) => since.getTime() > Date.now() - 2_000;
  await expect.poll(() => hanging.waiting().some(isFresh)).toBe(true);
  const start = new Date();
  const sold = await shop.sell({ ...cardFields.settled });
  expect(sold.answer.body.result).toBe('UNDEFINED');
  await shopServer.waitFor(sold.orderId, (all) => all.some(({ fields }) => fields.status === 'SETTLED'));
  const before = hanging.waiting().filter((since) => since < start);
  expect(
    before.length,
    'status requests that hung before the sale and still hang when its outcome is known',
  ).toBeGreaterThan(0);
  await Promise.all([hanging.close(), answering.close()]);
});

test('a merchant whose server hangs delays no other merchant at the same address', async ({ florin, as }) => {
  const platform = await startShopServer();
  const [stuck, shop] = (['plain', 'other'] as const).map((name) =>
    cardMerchant(florin, as(name).credentials, platform),
  ) as [ReturnType<typeof cardMerchant>, ReturnType<typeof cardMerchant>];
  try {
    const numbers = Array.from({ length: 60 }, newOrderNumber);
    for (const number of numbers) platform.answer(number, { hang: true });
    await Promise.all(numbers.map((order_id) => stuck.sell({ ...cardFields.settled, order_id })));
    const other = await shop.sell({ ...cardFields.settled });
    await platform.waitFor(other.orderId, (all) => all.length === 1);
    // Each attempt times out after ten seconds, and five timeouts pause the receiver for a quarter of an hour.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    const after = await shop.sell({ ...cardFields.settled });
    await platform.waitFor(after.orderId, (all) => all.length === 1);
  } finally {
    await platform.close();
  }
});
