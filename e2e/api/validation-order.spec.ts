// The documented order of checks, tested from outside: one request with every error, repaired one error a line. The
// first failing check answers, so each repair shows the next one.

import { type Answer, newOrderNumber } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { pay } from '../support/payment-flows.ts';
import { signCheckout, signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const summaryOf = ({ status, body }: Answer) =>
  `${status} ${body.error_code ?? ''} ${body.error_message ?? 'accepted'}`;

test('of a session', async ({ shop }) => {
  const { order: existing } = await shop.open();
  const order = { number: existing.number, amount: '1e3', currency: 'EUR', description: 'Bowls' };
  let body: Record<string, unknown> = {
    ...shop.sessionBody(),
    order,
    merchant_key: merchants.mappingOffLive.key,
    hash: 'wrong',
    notification_url: 'http://127.0.0.1:1/',
  };
  const post = (raw: unknown = body) => shop.post('/api/v1/session', raw);
  const repair = (changes: Record<string, unknown>) => {
    body = { ...body, ...changes };
    return post();
  };

  expect(summaryOf(await post(JSON.stringify(body).slice(1)))).toBe('400 100000 Request data is invalid.');
  expect(summaryOf(await post())).toBe('400 220002 Use merchant test key.');
  expect(summaryOf(await repair({ merchant_key: merchants.mappingOff.key }))).toMatch(/^400 204002 /);
  expect(summaryOf(await repair({ merchant_key: merchants.distantAllowlist.key }))).toBe(
    '400 100000 Request from this ip is not allowed.',
  );
  expect(summaryOf(await repair({ merchant_key: merchants.plain.key }))).toBe('400 100000 Request data is invalid.');
  const amount = { ...order, amount: '10.00' };
  expect(summaryOf(await repair({ order: amount }))).toBe('400 100000 Hash is not valid');
  expect((await repair({ hash: signOrder(amount, merchants.plain) })).body.errors).toEqual([
    { error_code: 100000, error_message: expect.stringMatching(/^notification_url: /) },
  ]);
  const reachable = { notification_url: shop.shopServer.addressFor(existing.number) };
  expect(summaryOf(await repair(reachable))).toBe('400 100000 order_id: Duplicate payment.');
  const free = { ...amount, number: newOrderNumber() };
  expect(summaryOf(await repair({ order: free, hash: signOrder(free, merchants.plain) }))).toBe('200  accepted');
});

for (const action of ['refund', 'capture', 'void', 'retry'] as const) {
  test(`of a ${action}`, async ({ shop, as }) => {
    const signed = action === 'refund' || action === 'capture' ? ['payment_id', 'amount'] : ['payment_id'];
    const stranger = await pay(as('other'));
    const own = await shop.open();
    const ownId = (await shop.statusByOrder(own.order.number)).body.payment_id;
    let body: Record<string, string> = { merchant_key: merchants.mappingOffLive.key, payment_id: '', hash: 'wrong' };
    const post = (raw: unknown = body) => shop.post(`/api/v1/payment/${action}`, raw);
    const repair = (changes: Record<string, string>) => {
      body = { ...body, ...changes };
      return post();
    };
    const resign = () =>
      signCheckout(
        signed.map((name) => body[name]),
        merchants.plain,
      );

    expect(summaryOf(await post('{'))).toBe('400 100000 Request data is invalid.');
    expect(summaryOf(await post())).toBe('400 220002 Use merchant test key.');
    expect(summaryOf(await repair({ merchant_key: merchants.mappingOff.key }))).toMatch(/^400 204002 /);
    expect(summaryOf(await repair({ merchant_key: merchants.distantAllowlist.key }))).toBe(
      '400 100000 Request from this ip is not allowed.',
    );
    expect(summaryOf(await repair({ merchant_key: merchants.plain.key }))).toBe('400 100000 Request data is invalid.');
    expect(summaryOf(await repair({ payment_id: stranger.id }))).toBe('400 100000 Hash is not valid');
    expect(summaryOf(await repair({ hash: resign() }))).toMatch(/Payment not found\.$/);
    body.payment_id = ownId;
    expect(summaryOf(await repair({ hash: resign() }))).not.toMatch(/Payment not found|accepted/);
  });
}
