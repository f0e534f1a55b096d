// Lists, exports and statuses at a read replica (DATABASE_REPLICA_URL): a real standby that streams from the test
// database. A read never returns less than an earlier response said, whatever the standby does.
import { cardMerchant } from '../support/card-merchant.ts';
import { visitorAs } from '../support/dashboard.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient, newOrderNumber } from '../support/merchant.ts';
import { expect, test } from '../support/test.ts';
import { serverSettings } from '../support/vault.ts';
import { type Standby, startStandby } from './standby.ts';

test.describe.configure({ mode: 'default' });

let standby: Standby;
let server: KillableServer;

test.beforeAll(async () => {
  const { DATABASE_URL: primary = '' } = serverSettings();
  standby = await startStandby(primary);
  server = await startKillableServer({ DATABASE_REPLICA_URL: standby.url, LOG_LEVEL: 'warn' });
});
test.afterAll(async () => {
  await server?.kill();
  await standby?.remove();
});

/** The transactions that the service has run at the standby. */
const transactionsAtStandby = async () => {
  const [row] = await standby.sql("select xact_commit::int as n from pg_stat_database where datname = 'florin'");
  return Number(row?.n);
};

test('statuses come from the replica, and are those of the last response', async ({ cardShop, as, shopServer }) => {
  const card = cardMerchant(server.url, cardShop.credentials, shopServer);
  const checkout = merchantClient(server.url, as('plain').credentials, shopServer);
  const before = await transactionsAtStandby();
  const number = newOrderNumber();
  for (const n of [1, 2, 3, 4, 5]) {
    const sold = await card.sell({ order_id: `${number}-${n}` });
    expect(sold.answer.body).toMatchObject({ status: 'SETTLED' });
    expect((await card.follow('GET_TRANS_STATUS', sold)).body).toMatchObject({ status: 'SETTLED' });
    const details = await card.follow('GET_TRANS_DETAILS', sold);
    expect(details.body).toMatchObject({ status: 'SETTLED', transactions: [{ type: 'SALE', status: 'success' }] });
    const opened = await checkout.open({ order: { number: `${number}-c-${n}` } });
    expect(await checkout.statusByOrder(opened.order.number)).toMatchObject({ body: { status: 'prepare' } });
  }
  // Statistics of a server process are visible after it was idle for a second.
  await expect.poll(transactionsAtStandby).toBeGreaterThan(before + 20);
});

test('a new payment is in the list of the dashboard, read from the replica', async ({ cardShop, shopServer }) => {
  const card = cardMerchant(server.url, cardShop.credentials, shopServer);
  const operator = await visitorAs(server.url, 'operator');
  for (const _ of [1, 2, 3]) {
    const number = newOrderNumber();
    await card.sell({ order_id: number });
    const listed = await operator.get(`/payments?q=${number}`);
    expect(JSON.stringify(listed.body)).toContain(number);
  }
});

test('a replica that has stopped replaying is not read', async ({ cardShop, shopServer }) => {
  const card = cardMerchant(server.url, cardShop.credentials, shopServer);
  await standby.sql('select pg_wal_replay_pause()');
  const sold = await card.sell();
  expect((await card.follow('GET_TRANS_STATUS', sold)).body).toMatchObject({ status: 'SETTLED' });
  expect(server.output()).toContain('it has not replayed what the primary has committed');
  await standby.sql('select pg_wal_replay_resume()');
});

test('a replica that hangs or is gone delays statuses, and changes none', async ({ cardShop, shopServer }) => {
  const card = cardMerchant(server.url, cardShop.credentials, shopServer);
  const sold = await card.sell();
  // The replica is read again five seconds after its last failure.
  await new Promise((go) => setTimeout(go, 5_500));
  await standby.signal('SIGSTOP');
  const during = await card.follow('GET_TRANS_STATUS', sold);
  await standby.signal('SIGCONT');
  expect(during.body).toMatchObject({ status: 'SETTLED' });
  await standby.remove();
  await new Promise((go) => setTimeout(go, 5_500));
  for (const _ of [1, 2, 3])
    expect((await card.follow('GET_TRANS_STATUS', sold)).body).toMatchObject({ status: 'SETTLED' });
  expect(server.output().match(/the read replica is not used/g)?.length).toBeGreaterThanOrEqual(3);
});
