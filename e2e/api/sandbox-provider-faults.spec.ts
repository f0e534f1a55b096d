// Simulated faults of the sandbox's provider by the open provider contract alone: delayed orders, operations at its
// portal, amounts that differ from the order, and chargebacks.
import { randomUUID } from 'node:crypto';
import { type Answer, type ProviderClient, providerClient } from '../support/provider-client.ts';
import { test as base, expect } from '../support/test.ts';

const test = base.extend<object, { gateway: ProviderClient }>({
  gateway: [async ({ florin, shopServer }, use) => use(providerClient(florin, shopServer)), { scope: 'worker' }],
});

const inSeconds = (seconds: number) => ({ 'florin-deadline': new Date(Date.now() + seconds * 1000).toISOString() });
const approves = { parameters: { sandbox: 'approve' } };
const tooLate = { http: 408, error: { code: 'deadline_passed' } };
const notFound = { http: 404, error: { code: 'operation_not_found' } };

/** A payment that is settled at once; `authorize` only authorises it. */
async function paid(gateway: ProviderClient, operation: 'sale' | 'authorize' = 'sale'): Promise<Answer> {
  const answer = await gateway.pay('astropay', { operation, ...approves });
  expect(answer.status).toBe(operation === 'sale' ? 'approved' : 'authorized');
  return answer;
}

test.describe('a deadline', () => {
  test('that has passed rejects the order, has no effect and leaves its key free', async ({ gateway, provider }) => {
    const reference = randomUUID();
    const order = { reference, order: { number: reference, description: '' }, ...approves };
    expect(await gateway.pay('astropay', order, inSeconds(-6))).toMatchObject(tooLate);
    expect(await gateway.payout('kora', { ...order }, inSeconds(-6))).toMatchObject(tooLate);
    expect(await gateway.status(reference)).toMatchObject(notFound);
    expect(await provider.moved(reference)).toEqual([]);
    const first = await gateway.pay('astropay', order, inSeconds(30));
    expect(first).toMatchObject({ http: 200, status: 'approved' });
    // A known key gets its previous answer.
    expect(await gateway.pay('astropay', order, inSeconds(-60))).toEqual(first);
    expect(await provider.moved(reference)).toEqual(['sale 84.50']);
  });

  test('tolerates clock differences of a few seconds, and must be a time', async ({ gateway }) => {
    expect(await gateway.pay('astropay', approves, inSeconds(-2))).toMatchObject({ status: 'approved' });
    const invalid = await gateway.pay('astropay', approves, { 'florin-deadline': 'tomorrow' });
    expect(invalid).toMatchObject({ http: 400, error: { code: 'invalid_request' } });
  });

  test('that has passed rejects captures, refunds and voids', async ({ gateway, provider }) => {
    const authorised = await paid(gateway, 'authorize');
    const sold = await paid(gateway);
    for (const [kind, original] of [
      ['capture', authorised.reference],
      ['void', authorised.reference],
      ['refund', sold.reference],
    ] as const) {
      const reference = randomUUID();
      const send = (headers: { [name: string]: string }) =>
        gateway.follow(kind, original, undefined, headers, reference);
      expect(await send(inSeconds(-6)), kind).toMatchObject(tooLate);
      expect(await gateway.status(reference), kind).toMatchObject(notFound);
    }
    const unknown = randomUUID();
    expect(await gateway.follow('void', unknown, undefined, inSeconds(-6))).toMatchObject(tooLate);
    expect(await gateway.status(unknown)).toMatchObject(notFound);
    expect(await provider.moved(sold.reference)).toEqual(['sale 84.50']);
  });
});

test.describe('a delayed order', () => {
  const order = (reference: string) => ({ reference, order: { number: reference, description: '' }, ...approves });

  test('is unknown at first, and then is processed', async ({ gateway, provider }) => {
    const reference = randomUUID();
    await provider.fault({ fault: 'late', call: 'payment', seconds: 3 }, reference);
    const call = gateway.pay('astropay', order(reference));
    await new Promise((passed) => setTimeout(passed, 1000));
    expect(await gateway.status(reference)).toMatchObject(notFound);
    expect(await call).toMatchObject({ status: 'approved' });
    expect(await provider.moved(reference)).toEqual(['sale 84.50']);
  });

  test('arrives although its sender has timed out', async ({ gateway, provider }) => {
    const reference = randomUUID();
    await provider.fault({ fault: 'late', call: 'payment', seconds: 3 }, reference);
    const call = gateway.pay('astropay', order(reference), {}, AbortSignal.timeout(1000));
    await expect(call).rejects.toThrow('timeout');
    expect(await gateway.status(reference)).toMatchObject(notFound);
    await expect.poll(() => provider.moved(reference), { timeout: 5000 }).toEqual(['sale 84.50']);
  });

  test('is rejected if its deadline passes in transit', async ({ gateway, provider }) => {
    const reference = randomUUID();
    await provider.fault({ fault: 'late', call: 'payment', seconds: 7 }, reference);
    expect(await gateway.pay('astropay', order(reference), inSeconds(1))).toMatchObject(tooLate);
    expect(await gateway.status(reference)).toMatchObject(notFound);
    expect(await provider.journal(reference)).toEqual([]);
  });

  test('is declined after a void that has claimed its key', async ({ gateway, provider }) => {
    const reference = randomUUID();
    await provider.fault({ fault: 'late', call: 'payment', seconds: 2 }, reference);
    const call = gateway.pay('astropay', order(reference));
    await new Promise((passed) => setTimeout(passed, 500));
    expect(await gateway.void(reference)).toMatchObject({ http: 200, status: 'approved' });
    expect(await gateway.status(reference)).toMatchObject({ status: 'declined', decline: { code: 'cancelled' } });
    expect(await call).toMatchObject({ status: 'declined', decline: { code: 'cancelled' } });
    expect(await provider.moved(reference)).toEqual([]);
  });

  test('may be a payout or a refund', async ({ gateway, provider }) => {
    const { reference: number } = await paid(gateway);
    await provider.fault({ fault: 'late', call: 'refund', seconds: 1 }, number);
    const key = randomUUID();
    const refund = gateway.follow('refund', number, '20.00', {}, key);
    await new Promise((passed) => setTimeout(passed, 300));
    expect(await gateway.status(key)).toMatchObject(notFound);
    // The same order arrives under the same key meanwhile: both get one answer, and money moves once.
    const again = await gateway.follow('refund', number, '20.00', {}, key);
    expect(again).toMatchObject({ status: 'approved', amount: '20.00', currency: 'EUR' });
    expect(await refund).toEqual(again);
    expect(await provider.moved(number)).toEqual(['sale 84.50', 'refund 20.00']);
    const payout = randomUUID();
    await provider.fault({ fault: 'late', call: 'payout', seconds: 1 }, payout);
    expect(await gateway.payout('kora', order(payout))).toMatchObject({ status: 'approved' });
  });
});

test('a look-up may report a known key as never received', async ({ gateway, provider }) => {
  const { reference } = await paid(gateway);
  await provider.fault({ fault: 'forget', call: 'status' }, reference);
  expect(await gateway.status(reference)).toMatchObject(notFound);
  expect(await gateway.status(reference)).toMatchObject({ status: 'approved' });
});

test.describe('amounts', () => {
  test('are echoed and stored by payments, payouts, captures and refunds', async ({ gateway }) => {
    const whole = { amount: '84.50', currency: 'EUR' };
    const authorised = await paid(gateway, 'authorize');
    expect(authorised).toMatchObject(whole);
    const capture = await gateway.follow('capture', authorised.reference, '50.00');
    expect(capture).toMatchObject({ amount: '50.00', currency: 'EUR' });
    expect(await gateway.status(capture.reference)).toMatchObject({ amount: '50.00' });
    // A payment reports its own amount; captures and refunds are separate operations.
    expect(await gateway.status(authorised.reference)).toMatchObject({ status: 'authorized', ...whole });
    const sold = await paid(gateway);
    expect(await gateway.follow('refund', sold.reference)).toMatchObject(whole);
    expect(await gateway.payout('kora', approves)).toMatchObject(whole);
    expect(await gateway.void(sold.reference)).not.toHaveProperty('amount');
  });

  const answers = [
    ['less than the order', 'payment', { amount: '60.00', currency: 'EUR' }, 'approved', 'sale 60.00'],
    ['another currency', 'payment', { amount: '84', currency: 'JPY' }, 'approved', 'sale 84'],
    ['an authorisation instead of a sale', 'payment', { status: 'authorized' }, 'authorized', 'sale 84.50'],
    ['an authorisation instead of a payout', 'payout', { status: 'authorized' }, 'authorized', 'payout 84.50'],
  ] as const;
  for (const [what, call, answer, status, moved] of answers) {
    test(`may differ in the answer: ${what}`, async ({ gateway, provider }) => {
      const reference = randomUUID();
      await provider.fault({ fault: 'answer', call, answer }, reference);
      const order = { reference, order: { number: reference, description: '' }, ...approves };
      const response = call === 'payment' ? await gateway.pay('astropay', order) : await gateway.payout('kora', order);
      expect(response).toMatchObject({ http: 200, ...answer, status });
      expect(await gateway.status(reference)).toMatchObject({ ...answer, status });
      expect(await provider.moved(reference)).toEqual([moved]);
    });
  }

  test('are approved in part by a bank that challenged the payer', async ({ gateway }) => {
    const { reference } = await gateway.pay('astropay');
    expect(await gateway.finish(reference, 'approve', '60.00')).toMatchObject({ status: 'approved', amount: '60.00' });
    expect(await gateway.follow('refund', reference, '60.01')).toMatchObject({ status: 'declined' });
    expect(await gateway.follow('refund', reference)).toMatchObject({ status: 'approved', amount: '60.00' });
  });
});

test.describe('a payment in parts', () => {
  for (const [what, method] of [
    ['a transfer', 'bank-transfer'],
    ['coins', 'crypto'],
  ] as const) {
    test(`reports the received amount of ${what}, and ends with all of it`, async ({ gateway }) => {
      const { reference, status, present } = await gateway.pay(await partlyPaid(gateway, method));
      expect(status).toBe('processing');
      const part = await gateway.finish(reference, 'approve', '40.00');
      expect(part).toMatchObject({ status: 'processing', amount: '84.50', received: '40.00', present });
      expect((await gateway.notified(reference, 1))[0]?.body).toMatchObject({ received: '40.00' });
      const more = await gateway.finish(reference, 'approve', '50.00');
      expect(more).toMatchObject({ status: 'approved', amount: '90.00', currency: 'EUR' });
      expect(more).not.toHaveProperty('received');
      expect(await gateway.follow('refund', reference)).toMatchObject({ amount: '90.00' });
    });
  }

  test('is requested in its payer’s app, where another amount can be typed', async ({ gateway, florin }) => {
    const { reference } = await gateway.pay(await partlyPaid(gateway, 'bank-transfer'));
    const send = (body: object) =>
      fetch(`${florin}/sandbox/finish/${reference}`, { method: 'POST', body: new URLSearchParams({ ...body }) });
    const portalPage = async () => await (await fetch(`${florin}/sandbox/finish/${reference}`)).text();
    expect(await portalPage()).toContain('name="amount" inputmode="decimal" autocomplete="off" value="84.50"');
    expect((await send({ outcome: 'approve', amount: '84.505' })).status).toBe(400);
    await send({ outcome: 'approve', amount: '80.00' });
    expect(await portalPage()).toContain('value="4.50"');
    await send({ outcome: 'approve' });
    expect(await gateway.status(reference)).toMatchObject({ status: 'approved', amount: '84.50' });
  });
});

/** A method that shows the payer an account, or an address and an exact amount of crypto currency. */
async function partlyPaid(gateway: ProviderClient, what: 'bank-transfer' | 'crypto'): Promise<string> {
  const { methods } = (await gateway.call('GET', '/capabilities')) as unknown as { methods: string[] };
  for (const method of methods) {
    const { present } = await gateway.pay(method);
    if (what === 'bank-transfer' ? present?.kind === 'details' : present?.kind === 'crypto' && present.amount)
      return method;
  }
  throw new Error(`no method is ${what}`);
}

test.describe("the provider's portal", () => {
  const notificationOf = async (gateway: ProviderClient, reference: string) =>
    (await gateway.notified(reference, 1))[0];

  test('voids authorised and collected payments', async ({ gateway, provider }) => {
    for (const operation of ['sale', 'authorize'] as const) {
      const { reference } = await paid(gateway, operation);
      await provider.portal(reference, 'void');
      const after = await gateway.status(reference);
      expect(after).toMatchObject({ status: 'declined', decline: { code: 'voided' } });
      expect(await notificationOf(gateway, reference)).toMatchObject({
        signed: true,
        body: { reference, status: 'declined' },
      });
      const kind = operation === 'sale' ? 'refund' : 'capture';
      expect(await gateway.follow(kind, reference)).toMatchObject({ status: 'declined' });
    }
  });

  test('captures authorised payments, in whole or in part', async ({ gateway, provider }) => {
    for (const amount of [undefined, '50.00']) {
      const { reference } = await paid(gateway, 'authorize');
      await provider.portal(reference, 'capture', { amount });
      const expected = { status: 'approved', amount: amount ?? '84.50', currency: 'EUR' };
      expect(await gateway.status(reference)).toMatchObject(expected);
      expect((await notificationOf(gateway, reference))?.body).toMatchObject(expected);
      expect(await provider.moved(reference)).toEqual(['authorize 84.50', `capture ${expected.amount}`]);
    }
  });

  test('refunds, in part and the rest', async ({ gateway, provider }) => {
    const { reference } = await paid(gateway);
    await provider.portal(reference, 'refund', { amount: '20.00' });
    expect(await gateway.status(reference)).toMatchObject({ status: 'approved', amount: '64.50' });
    expect((await notificationOf(gateway, reference))?.body).toMatchObject({ amount: '64.50' });
    await provider.portal(reference, 'refund');
    expect(await gateway.status(reference)).toMatchObject({ status: 'declined', decline: { code: 'refunded' } });
    expect(await provider.journal(reference)).toMatchObject([{ refunded: '84.50' }, {}, {}]);
  });

  test('approves declined payments late, and reverses an approval', async ({ gateway, provider }) => {
    const { reference } = await gateway.pay('astropay', { parameters: { sandbox: 'decline' } });
    await provider.portal(reference, 'approve', { amount: '80.00' });
    const approved = { status: 'approved', amount: '80.00' };
    expect(await gateway.status(reference)).toMatchObject(approved);
    expect((await notificationOf(gateway, reference))?.body).toMatchObject(approved);
    expect(await provider.moved(reference)).toEqual(['sale 80.00']);
    await provider.portal(reference, 'decline');
    expect(await gateway.status(reference)).toMatchObject({ status: 'declined', decline: { code: 'taken_back' } });
    expect(await provider.moved(reference)).toEqual([]);
    const voided = await gateway.pay('astropay');
    await gateway.void(voided.reference);
    await provider.portal(voided.reference, 'approve');
    expect(await gateway.status(voided.reference)).toMatchObject({ status: 'approved', amount: '84.50' });
  });

  test('rejects impossible operations', async ({ gateway, provider }) => {
    const { reference } = await paid(gateway);
    await expect(provider.portal(reference, 'capture')).rejects.toThrow('409');
    await expect(provider.portal(reference, 'approve')).rejects.toThrow('409');
    await expect(provider.portal(reference, 'refund', { amount: '84.51' })).rejects.toThrow('409');
    await expect(provider.portal(reference, 'refund', { amount: 'all' })).rejects.toThrow('400');
    await expect(provider.portal(randomUUID(), 'void')).rejects.toThrow('404');
  });
});

test.describe('a void', () => {
  test('may be rejected, and the payment stays unchanged', async ({ gateway, provider }) => {
    const { reference } = await paid(gateway, 'authorize');
    await provider.fault({ fault: 'answer', call: 'void', answer: { status: 'declined' } }, reference);
    expect(await gateway.void(reference)).toMatchObject({ status: 'declined', decline: { code: 'not_possible' } });
    expect(await gateway.status(reference)).toMatchObject({ status: 'authorized' });
    expect(await gateway.void(reference)).toMatchObject({ status: 'approved' });
  });

  test('may be delayed, and releases nothing before it is approved', async ({ gateway, provider }) => {
    for (const [action, status, voided] of [
      ['approve', 'approved', true],
      ['decline', 'declined', false],
    ] as const) {
      const { reference } = await paid(gateway, 'authorize');
      await provider.fault({ fault: 'answer', call: 'void', answer: { status: 'processing' } }, reference);
      const pending = await gateway.void(reference);
      expect(pending).toMatchObject({ status: 'processing' });
      expect((await provider.journal(reference))[0]).toMatchObject({ voided: false });
      await provider.portal(reference, action, { reference: pending.reference });
      expect(await gateway.status(pending.reference)).toMatchObject({ status });
      const [message] = await gateway.notified(reference, 1);
      expect(message?.body).toMatchObject({ reference: pending.reference, status });
      expect((await provider.journal(reference))[0]).toMatchObject({ voided });
    }
  });
});

test('a refund may be delayed, and is booked when it is approved', async ({ gateway, provider }) => {
  const { reference } = await paid(gateway);
  await provider.fault({ fault: 'answer', call: 'refund', answer: { status: 'processing' } }, reference);
  const refund = await gateway.follow('refund', reference, '20.00');
  expect(refund).toMatchObject({ status: 'processing', amount: '20.00' });
  expect((await provider.journal(reference))[0]).toMatchObject({ refunded: '0.00' });
  await provider.chargeback(reference, '30.00');
  await provider.portal(reference, 'approve', { reference: refund.reference });
  expect(await gateway.status(refund.reference)).toMatchObject({ status: 'approved', amount: '20.00' });
  expect((await provider.journal(reference))[0]).toMatchObject({ refunded: '20.00' });
  await expect(provider.portal(reference, 'approve', { reference: refund.reference })).rejects.toThrow('409');
});

test.describe('chargebacks', () => {
  test('are several, each with an id, and can be won', async ({ gateway, provider }) => {
    const { reference } = await paid(gateway);
    await provider.chargeback(reference, '20.00', '13.1');
    await provider.chargeback(reference, '5.00', undefined, { id: 'case-7' });
    await provider.chargeback(reference);
    await expect(provider.chargeback(reference)).rejects.toThrow('400');
    await provider.won(reference, 'case-7');
    await expect(provider.won(reference, 'case-8')).rejects.toThrow('409');
    const { status, amount, chargebacks } = await gateway.status(reference);
    expect([status, amount]).toEqual(['approved', '84.50']);
    expect(chargebacks).toMatchObject([
      { id: 'cb-1', amount: '20.00', currency: 'EUR', reason_code: '13.1', status: 'open' },
      { id: 'case-7', amount: '5.00', status: 'won' },
      { id: 'cb-3', amount: '59.50', status: 'open' },
    ]);
    const messages = await gateway.notified(reference, 4);
    expect(messages.every(({ signed }) => signed)).toBe(true);
    expect((await provider.journal(reference))[0]?.chargebacks).toEqual(chargebacks);
  });

  test('may be wrong: above the amount, or in another currency', async ({ gateway, provider }) => {
    const { reference } = await paid(gateway);
    await provider.chargeback(reference, '999999.00');
    await provider.chargeback(reference, '3000', undefined, { currency: 'JPY' });
    expect((await gateway.status(reference)).chargebacks).toMatchObject([
      { amount: '999999.00', currency: 'EUR' },
      { amount: '3000', currency: 'JPY' },
    ]);
  });
});

test('a fault that does not fit its call is rejected', async ({ provider }) => {
  const invalid = [
    { fault: 'late', call: 'payment' },
    { fault: 'late', call: 'payment', seconds: 91 },
    { fault: 'late', call: 'status', seconds: 1 },
    { fault: 'late', seconds: 1 },
    { fault: 'forget', call: 'payment' },
    { fault: 'answer', call: 'payment' },
    { fault: 'answer', call: 'payment', answer: { amount: '5.00' } },
    { fault: 'answer', call: 'payment', answer: { amount: '5.005', currency: 'EUR' } },
    { fault: 'error', call: 'payment', seconds: 1 },
  ] as const;
  for (const fault of invalid) await expect(provider.fault(fault, randomUUID())).rejects.toThrow('400');
});
