// A poll that was claimed before the outcome of its attempt was stored, carried out in this process as by a process that
// was suspended in between.
import { newOrderNumber } from '../support/merchant.ts';
import { expect, test } from '../support/test.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test('a poll from before an authorisation does not expire it', async ({ cardShop }) => {
  const sold = await cardShop.sell({ order_id: newOrderNumber(), auth: 'Y' });
  expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
  const now = new Date();
  await service.processDueTransaction(sold.transId, now, new Date(now.getTime() + 30_000));
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body.status).toBe('PENDING');
});
