// S2S APM on servers that the test starts: a separate host for the protocol, and a process that is killed during a
// payment (protocol.md 2; interface.md, Limits).
import { request } from 'node:http';
import { apmMerchant } from '../support/apm-merchant.ts';
import { startKillableServer } from '../support/killable-server.ts';
import type { Body, Changes } from '../support/merchant.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { pairsOf } from '../support/s2s-merchant.ts';
import { expect, test } from '../support/test.ts';

/** Posts a form to a server under another host name. Returns the answer as JSON, or its status if it is not JSON. */
function postTo(url: string, host: string, path: string, fields: Changes): Promise<Body> {
  const body = new URLSearchParams(pairsOf(fields)).toString();
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((answered, failed) => {
    const call = request(url + path, { method: 'POST', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        answered(text.startsWith('{') ? JSON.parse(text) : response.statusCode);
      });
    });
    call.on('error', failed);
    call.end(body);
  });
}

test('a separate host omits the path prefix', async ({ apmShop, cardShop }) => {
  const names = { S2S_APM_HOST: 'apm.florin.test', S2S_CARD_HOST: 'card.florin.test' };
  const server = await startKillableServer(names);
  try {
    for (const path of ['/post', '/post-va', '/s2s/apm/post']) {
      const body = apmShop.signed(apmShop.chargeBody('SALE'));
      expect(await postTo(server.url, names.S2S_APM_HOST, path, body), path).toMatchObject({ status: 'SETTLED' });
    }
    const card = cardShop.signed(cardShop.chargeBody('SALE'));
    expect(await postTo(server.url, names.S2S_CARD_HOST, '/post', card)).toMatchObject({ status: 'SETTLED' });
    const apm = apmShop.signed(apmShop.chargeBody('SALE'));
    expect(await postTo(server.url, names.S2S_CARD_HOST, '/post', apm)).toMatchObject({ error_code: 100000 });
    for (const path of ['/post', '/post-va']) {
      expect(await postTo(server.url, new URL(server.url).host, path, apm), path).toBe(404);
    }
  } finally {
    await server.kill();
  }
});

test('killed during the provider request: a sale and a payout move money once', async ({
  apmShop,
  shopServer,
  provider,
}) => {
  const server = await startKillableServer();
  const victim = apmMerchant(server.url, apmShop.credentials, shopServer);
  const [sale, payout] = [victim.signed(victim.chargeBody('SALE')), victim.creditBody()];
  const orders = [String(sale.order_id), String(payout.order_id)];
  for (const order of orders) await provider.fault({ fault: 'hang', call: 'payment', carriedOut: true }, order);
  const pending = Promise.allSettled([victim.post(sale), victim.post(payout)]);
  const references = async (order: string) => (await provider.journal(order)).map(({ reference }) => reference);
  for (const order of orders) await expect.poll(() => references(order)).toHaveLength(1);
  await server.kill();
  await pending;
  // No caller got an answer; the provider is asked once the row is due.
  for (const body of [sale, payout]) {
    const orderId = String(body.order_id);
    const [transId = ''] = await references(orderId);
    await untilS2sStatus(apmShop, { transId }, 'SETTLED');
    await expectS2sCallbacks(apmShop, { orderId }, [`${body.action} SUCCESS SETTLED`]);
  }
  expect(await provider.moved(orders[0] ?? '')).toEqual(['sale 84.50']);
  expect(await provider.moved(orders[1] ?? '')).toEqual(['payout 40.00']);
});
