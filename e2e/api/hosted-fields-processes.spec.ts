// Hosted fields with several processes: the submit and the payment call, and repeats of the call, reach any of them.
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard, typed } from '../support/hosted-fields-requests.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { expectCallbacks, idOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { googleToken } from '../support/wallets.ts';

test.describe.configure({ mode: 'default' });
let server: KillableServer;
test.beforeAll(async () => {
  server = await startKillableServer();
});
test.afterAll(() => server?.kill());

test('a card is paid by a process that did not receive it', async ({ shop, shopServer, provider }) => {
  const other = merchantClient(server.url, shop.credentials, shopServer);
  const { token, order } = await createSessionToken(shop);
  expect((await collect(shop, token)).status).toBe(200);
  expect((await processCard(other, token)).body.result).toBe('success');
  expect((await processCard(shop, token)).body.result).toBe('success');
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('calls at both processes while the provider decides pay once and get one outcome', async ({
  shop,
  shopServer,
  provider,
}) => {
  const other = merchantClient(server.url, shop.credentials, shopServer);
  const { token, order } = await createSessionToken(shop);
  // The first attempt is declined: a repeat of the second one must not report the first.
  await collect(shop, token, typed.declined);
  expect((await processCard(other, token)).body.result).toBe('decline');
  await provider.fault({ fault: 'late', call: 'payment', seconds: 2 }, order.number);
  await collect(other, token);
  const calls = Array.from({ length: 10 }, (_, place) => processCard(place % 2 ? shop : other, token));
  expect((await Promise.all(calls)).map(({ body }) => body.result)).toEqual(Array(10).fill('success'));
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
});

test('a wallet token pays once at both processes, with one outcome', async ({ as, shopServer, provider }) => {
  const shop = as('walletButtons');
  const other = merchantClient(server.url, shop.credentials, shopServer);
  const { token, order } = await createSessionToken(shop, { methods: ['googlepay'] });
  await provider.fault({ fault: 'late', call: 'payment', seconds: 2 }, order.number);
  const paid = {
    with_hosted_fields: undefined,
    digital_wallet: 'googlepay',
    payment_token: googleToken('CRYPTOGRAM_3DS'),
  };
  const calls = Array.from({ length: 6 }, (_, place) => processCard(place % 2 ? shop : other, token, paid));
  expect((await Promise.all(calls)).map(({ body }) => body.result)).toEqual(Array(6).fill('success'));
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('a card that a killed process has taken is submitted again', async ({ shop, provider }) => {
  const { token, order } = await createSessionToken(shop);
  await collect(shop, token);
  const id = await idOf(shop, order.number);
  // The state after a process is killed between taking the card and the attempt.
  await sql('update pending_cards set sealed = null, taken_version = 0 where payment_id = $1', [id]);
  expect((await processCard(shop, token)).body.errors[0].error_message).toContain('with_hosted_fields');
  await collect(shop, token);
  expect((await processCard(shop, token)).body.result).toBe('success');
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});
