// Charges of a schedule that are due again after a restore from a backup that is older than they are: the provider gets the
// same requests under the same keys, and moves no money again.
import { onConnection, sql } from '../support/database-rows.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { schedule, subscribe } from '../support/schedules.ts';
import { type ScriptedProvider, type Step, startScriptedProvider } from '../support/scripted-provider.ts';
import { rowOf, runDueJobs, toNext } from '../support/subscriptions.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

let bank: ScriptedProvider;
test.beforeAll(async ({ clock }) => {
  bank = await startScriptedProvider(scriptedProviderPorts.late, () => clock.now());
});
test.afterAll(() => bank.close());

/** Puts a subscription back as it was, and removes the payment of an order, as a restore from an older backup does. */
async function restore(subscription: { id: string }, order: string): Promise<void> {
  await onConnection(async (client) => {
    await client.query('begin');
    const made = 'select id from payments where order_number = $1';
    const called = `select id from callbacks where payment_id in (${made})`;
    await client.query(`delete from callback_attempts where callback_id in (${called})`, [order]);
    for (const table of ['callbacks', 'transactions'])
      await client.query(`delete from ${table} where payment_id in (${made})`, [order]);
    expect((await client.query('delete from payments where order_number = $1', [order])).rowCount).toBe(1);
    await client.query('delete from subscriptions where id = $1', [subscription.id]);
    await client.query(
      'insert into subscriptions select * from jsonb_populate_record(null::subscriptions, $1::jsonb)',
      [JSON.stringify(subscription)],
    );
    await client.query('commit');
  });
}

// What the first account answers, and the money that has moved.
const answers: [title: string, first: Step, moved: string][] = [
  ['approved at the first account', {}, 'a sale 8450'],
  ['declined softly at the first account, and approved at the second', { says: 'soft' }, 'b sale 8450'],
];

for (const [title, first, moved] of answers) {
  test(`a charge that was ${title} is repeated under its keys`, async ({ cardAs, clock }) => {
    const shop = cardAs('lateProvider');
    const sold = await subscribe(shop, await schedule(shop, { payments_count: 3 }));
    const order = `${sold.orderId}/1`;
    const { id } = await rowOf(sold);
    const [before] = await sql('select to_jsonb(u) as subscription from subscriptions u where id = $1', [id]);
    bank.on(order, 'a payment', first);
    await toNext(clock, sold);
    const state = () => sql('select state from payments where order_number = $1', [order]);
    await expect.poll(state).toEqual([{ state: 'settled' }]);
    const requests = () => bank.arrived(order, 'payment').map(({ account, key }) => `${account} ${key}`);
    const made = requests();
    await restore(before.subscription, order);
    await runDueJobs(clock);
    await expect.poll(state).toEqual([{ state: 'settled' }]);
    expect(requests()).toEqual([...made, ...made]);
    expect(bank.moved(order)).toEqual([moved]);
    expect((await rowOf(sold)).done).toBe(1);
  });
}
