// What a process does that was suspended while another one went on, carried out in this process: a poll that was claimed
// before the outcome of its attempt was stored, an attempt that another account has continued.
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { pay } from '../support/payment-flows.ts';
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

test('of a declined payment the last attempt decides, at whichever account it was made', async ({ as }) => {
  const technical = { number: '4000 0000 0000 0119', expiry: '01/38' };
  const { id } = await pay(as('threeMids'), technical);
  const attempts = await sql('select id, status::text from transactions where payment_id = $1 order by number', [id]);
  expect(attempts.map(({ status }) => status)).toEqual(['fail', 'fail', 'fail']);
  for (const { id: attempt } of attempts) {
    const both = await service.findPaymentWithTransaction(attempt);
    if (!both) throw new Error(`no transaction ${attempt}`);
    expect((await service.decidingAttempt(both)).transaction.id).toBe(attempts.at(-1)?.id);
  }
});
