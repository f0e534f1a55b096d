// The read behind the order of the method list: recent successes of a merchant's MIDs, by method.
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { expect, test } from '../support/test.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test('successes are counted from fifty on, and kept for ten minutes', async ({ cardAs }) => {
  // A merchant with few payments: only the latest five hundred are read.
  const shop = cardAs('savedCards');
  const sell = () => shop.sell({ order_id: newOrderNumber() });
  const { transId } = await sell();
  const [{ mid_id: id = '' } = {}] = await sql('select mid_id from transactions where id = $1', [transId]);
  const now = new Date();
  const mids = [{ id }];
  const read = (merchantId: string, at = now) => service.recentSuccesses(merchantId, mids, at);
  await Promise.all(Array.from({ length: 50 }, sell));

  const [merchant, other] = [service.newId(), service.newId()];
  const count = (await read(merchant)).get('card') ?? 0;
  expect(count).toBeGreaterThanOrEqual(50);
  expect(await service.recentSuccesses(other, [], now)).toEqual(new Map());

  await sell();
  expect((await read(merchant)).get('card')).toBe(count);
  const later = (await read(merchant, new Date(now.getTime() + 600_001))).get('card') ?? 0;
  expect(later).toBeGreaterThan(count);

  const none = { id: service.newId() };
  expect(await service.recentSuccesses(service.newId(), [none], now)).toEqual(new Map());
});
