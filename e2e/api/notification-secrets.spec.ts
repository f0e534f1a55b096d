// Notifications after the secret of a MID was replaced: the former secret, which may have leaked, signs only for the
// transactions that were made with it.
import { createHmac, randomUUID } from 'node:crypto';
import { cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { expect, test } from '../support/test.ts';

let bank: ScriptedProvider;
test.beforeAll(async () => {
  bank = await startScriptedProvider(scriptedProviderPorts.dispute);
});
test.afterAll(() => bank.close());

const [first, second] = ['first', 'second'].map((text) => Buffer.from(text.padEnd(24)).toString('base64'));

/** Sends a notification of an order's payment, signed with one of the secrets; returns the status. */
async function notify(order: string, florin: string, secret = ''): Promise<number> {
  const [payment] = bank.arrived(order, 'payment');
  const body = JSON.stringify({ reference: payment?.key });
  const [id, timestamp] = [`evt-${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  };
  const address = florin + new URL(payment?.body.notify_url).pathname;
  const response = await fetch(address, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

test('a replaced secret signs for earlier transactions only', async ({ florin, shopServer }) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const url = `http://127.0.0.1:${scriptedProviderPorts.dispute}/a`;
  const settings = { provider: 'own', url, apiKey: 'account', signingSecret: `whsec_${first}`, timeoutSeconds: 2 };
  const { id, version, values } = await makeMid(manager, own.id, settings);
  const shop = cardMerchant(florin, own.credentials, shopServer);
  const [before, after] = [newOrderNumber(), newOrderNumber()];
  const lookUps = (order: string) => bank.arrived(order, 'look-up').length;
  const heard = async (order: string) => {
    const [row] = await sql(
      'select t.heard_at as at from transactions t join payments p on p.id = t.payment_id where p.order_number = $1',
      [order],
    );
    return row.at !== null;
  };
  expect((await shop.sell({ order_id: before })).answer.body.result).toBe('SUCCESS');
  const changed = { version, ...values, ...settings, signingSecret: `whsec_${second}` };
  expect((await manager.post(`/mids/${id}`, changed)).status).toBe(200);
  // Every process uses the new settings within two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect((await shop.sell({ order_id: after })).answer.body.result).toBe('SUCCESS');

  expect(await notify(after, florin, first)).toBe(401);
  expect(await notify(before, florin, first)).toBe(200);
  await expect.poll(() => lookUps(before)).toBe(1);
  expect([lookUps(after), await heard(before), await heard(after)]).toEqual([0, true, false]);

  // The present secret signs for all transactions.
  for (const [place, order] of [after, before].entries()) {
    expect(await notify(order, florin, second)).toBe(200);
    await expect.poll(() => lookUps(order)).toBe(place + 1);
  }
  expect(await heard(after)).toBe(true);
});
