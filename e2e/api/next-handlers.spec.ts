// The protocols through Next's route handlers, in a Next process without Florin's server: the same table of routes
// answers. Everything behind it is tested at the server.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.ts';
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { collect, createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expectS2sCallbacks, s2sStatusOf } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

let child: ChildProcess;
let url: string;

test.beforeAll(async () => {
  const { settings } = JSON.parse(process.env.FLORIN_SERVER ?? '{}') as { settings: Record<string, string> };
  const port = await freePort();
  url = `http://localhost:${port}`;
  const next = join('node_modules', 'next', 'dist', 'bin', 'next');
  child = spawn(process.execPath, [next, 'start', '-p', String(port)], {
    env: { ...process.env, ...settings, PORT: String(port), BASE_URL: url, TRUSTED_PROXIES: 'loopback' },
    stdio: 'ignore',
  });
  await expect
    .poll(() =>
      fetch(url)
        .then(({ status }) => status)
        .catch(() => 0),
    )
    .toBe(200);
});
test.afterAll(() => {
  child.kill('SIGKILL');
});

test('Checkout: a session, a payment with hosted fields, a refund, a rejected request', async ({
  shop: main,
  shopServer,
}) => {
  const shop = merchantClient(url, main.credentials, shopServer);
  const { token, order } = await createSessionToken(shop);
  // The payer's frames are served by the server alone, and its memory holds the card.
  const refused = await processCard(shop, token);
  expect([refused.status, refused.body.error_code]).toEqual([400, 100000]);
  await collect(main, token);
  expect((await processCard(main, token)).body.result).toBe('success');
  const { status, body } = await shop.statusByOrder(order.number);
  expect([status, body.status]).toEqual([200, 'settled']);
  expect((await shop.refund(body.payment_id, '20.00')).status).toBe(200);
  const unknown = await fetch(`${url}/api/v1/unknown`, { method: 'POST' });
  expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([404, 'no-store']);
  const other = await fetch(`${url}/api/v1/session`);
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
});

test('S2S CARD: a sale, its status and a refund', async ({ shop: main, shopServer }) => {
  const shop = cardMerchant(url, main.credentials, shopServer);
  const sold = await shop.sell();
  expect(sold.answer.body).toMatchObject({ action: 'SALE', result: 'SUCCESS', status: 'SETTLED' });
  expect(await s2sStatusOf(shop, sold)).toMatchObject({ status: 'SETTLED' });
  await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
});

test('S2S APM: a sale and its status', async ({ shopServer }) => {
  const shop = apmMerchant(url, merchants.methods, shopServer);
  const sold = await shop.sell({}, 'DEBIT2VIRTUAL');
  expect(sold.answer.body).toMatchObject({ action: 'DEBIT2VIRTUAL', result: 'SUCCESS', status: 'SETTLED' });
  expect(await s2sStatusOf(shop, sold)).toMatchObject({ status: 'SETTLED' });
});
