// A provider that hangs delays the charges of its own schedules only. The test checks the order of the charges, not
// their duration.
import { type CardMerchant, cardFields, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { type StuckProvider, startStuckProvider } from '../support/stuck-provider.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 3600;
/** More charges than any share or claim of one account. */
const chargeCount = 60;

async function subscribe(shop: CardMerchant, count: number) {
  const plan = { name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 3 };
  const { body } = await shop.schedule('CREATE_SCHEDULE', plan);
  const fields = { ...cardFields.settled, recurring_init: 'Y', schedule_id: body.schedule_id };
  const sold = [];
  while (sold.length < count) sold.push(await shop.sell(fields));
  return sold;
}

test('a provider that hangs delays no schedule of other accounts', async ({ florin, shopServer, clock }) => {
  const manager = await visitorAs(florin, 'manager');
  const [hanging, answering] = await Promise.all([
    startStuckProvider('approved', 'approved'),
    startStuckProvider('approved', 'approved'),
  ]);
  const shopAt = async ({ account }: StuckProvider) => {
    const own = await makeMerchant(manager);
    await makeMid(manager, own.id, { ...account, timeoutSeconds: 60 });
    return cardMerchant(florin, own.credentials, shopServer);
  };
  const [stuck, shop] = await Promise.all([shopAt(hanging), shopAt(answering)]);
  await subscribe(stuck, chargeCount);
  const [sold] = await subscribe(shop, 1);
  hanging.behaves('hang', 'hang');
  await clock.move(day + 60);
  const first = `${sold?.orderId}/1`;
  const charged = (all: { fields: Record<string, string> }[]) => all.some(({ fields }) => fields.order_id === first);
  await shopServer.waitFor(sold?.orderId ?? '', charged, 100);
  expect(hanging.hung()).toBeGreaterThan(0);
  expect(hanging.waiting().length, 'charges that still hang when the other one is known').toBe(hanging.hung());
  await Promise.all([hanging.close(), answering.close()]);
});
