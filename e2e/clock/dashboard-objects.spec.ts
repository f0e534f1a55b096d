// Time and the objects of the dashboard: a session expires, and a schedule charges as its preview shows.
import { demoPassword, people, signInOverHttp, type Visitor, visitor } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 3600;

/** An operator who has just signed in by the sandbox's clock. */
async function operator(florin: string): Promise<Visitor> {
  const { status, cookie } = await signInOverHttp(florin, people.operator, demoPassword());
  expect(status).toBe(200);
  return visitor(florin, cookie);
}

test('a session without a payment is found as expired', async ({ florin, shop, clock }) => {
  const { order } = await shop.open({ session_expiry: 1 });
  const countIn = async (state: string) =>
    (await (await operator(florin)).get(`/sessions?q=${order.number}&state=${state}`)).body.rows.length;
  expect([await countIn('open'), await countIn('expired')]).toEqual([1, 0]);
  await clock.advance(61);
  expect([await countIn('open'), await countIn('expired')]).toEqual([0, 1]);
});

test('a schedule charges on the dates and with the amounts of its preview', async ({ florin, cardShop, clock }) => {
  const plan = { name: 'Told', interval_length: 2, interval_unit: 'day', payments_count: 3 };
  const { schedule_id } = (await cardShop.schedule('CREATE_SCHEDULE', plan)).body;
  await cardShop.sell({ recurring_init: 'Y', schedule_id, payment_schedule_amount: '39.00' });
  const page = async (path = '') => (await (await operator(florin)).get(`/schedules/${schedule_id}${path}`)).body;
  const preview: { date: string; amount: string }[] = (await page()).preview.rows;
  expect(preview.map(({ amount }) => amount)).toEqual(['39.00', '39.00', '39.00']);
  type Line = { createdAt: string; amount: string };
  const charged: string[] = [];
  for (let count = 1; count <= 3; count += 1) {
    await clock.advance(2 * day + 60);
    await expect
      .poll(async () => {
        await clock.tick();
        return (await page('/charges')).rows.length;
      })
      .toBe(count);
    const [last]: Line[] = (await page('/charges')).rows;
    charged.push(`${last?.createdAt.slice(0, 10)} ${last?.amount}`);
  }
  expect(charged).toEqual(preview.map(({ date, amount }) => `${date} ${amount}`));
  const ended = await page();
  expect(ended.live).toBe(0);
  expect(ended.subscribers.rows[0]).toMatchObject({ done: 3, of: 3, stopReason: 'completed', dueAt: null });
});
