// Repeated and parallel requests of the form protocols: money moves once and every request gets the same answer
// (interface.md, Limits; protocol.md 8). The tests count the provider's transactions.

import { apiError } from '../support/api-error.ts';
import type { Answer } from '../support/merchant.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { textOf } from '../support/s2s-merchant.ts';
import { s2sProtocols } from '../support/s2s-protocols.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

const duplicate = apiError(100000, 'order_id: Duplicate payment.');

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

function counted(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of answers) {
    const word = body.result === 'ERROR' ? `${body.error_code}` : body.result;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

for (const protocol of s2sProtocols) {
  test.describe(protocol.name, () => {
    test('a hundred identical sales at once are one charge and a hundred equal answers', async ({
      s2sAs,
      provider,
    }) => {
      const shop = s2sAs(protocol);
      const body = shop.signed(shop.chargeBody('SALE', protocol.tokens));
      const answers = await times(100, () => shop.post(body));
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
      expect(answers[0]?.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
      const sold = { orderId: String(body.order_id), email: textOf(body.payer_email) };
      expect((await provider.journal(sold.orderId)).map(({ calls }) => calls)).toEqual([1]);
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
    });

    const outcomes = {
      settled: {},
      declined: protocol.declined[0],
      authorised: { auth: 'Y' },
      ...protocol.interactive,
    };

    for (const [name, changes] of Object.entries(outcomes)) {
      test(`a repeat of a ${name} sale gets the same answer`, async ({ s2sAs, provider }) => {
        const shop = s2sAs(protocol);
        const body = shop.signed(shop.chargeBody('SALE', changes));
        const first = await shop.post(body);
        expect(first.status).toBe(200);
        const again = await shop.post(body);
        expect([again.status, again.body]).toEqual([200, first.body]);
        expect(await provider.journal(String(body.order_id))).toHaveLength(1);
      });
    }

    for (const [name, make] of Object.entries(protocol.movements)) {
      test(`ten times ${name} at once moves money once`, async ({ s2sAs, cardShop, apmShop, provider }) => {
        const shop = s2sAs(protocol);
        const body = await make({ cardShop, apmShop });
        const answers = await times(10, () => shop.post(body));
        for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
        expect(answers[0]?.body).toMatchObject({ action: name, result: 'SUCCESS', status: 'SETTLED' });
        expect((await provider.journal(String(body.order_id))).map(({ calls }) => calls)).toEqual([1]);
        const other = await shop.post({ ...body, order_description: 'Something else' });
        expect([other.status, other.body]).toEqual([400, expect.objectContaining(duplicate)]);
      });
    }

    const compared = {
      order_amount: '84.51',
      order_currency: 'USD',
      order_description: 'Three bowls',
      ...protocol.compared,
    };

    for (const [name, value] of Object.entries(compared)) {
      test(`another ${name} under the same number is a duplicate`, async ({ s2sAs, provider }) => {
        const shop = s2sAs(protocol);
        const { orderId } = await shop.sell();
        const answer = await shop.charge('SALE', { order_id: orderId, [name]: value });
        expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(duplicate)]);
        expect(await provider.moved(orderId)).toEqual(['sale 84.50']);
      });
    }

    test('a debit does not repeat a sale', async ({ s2sAs }) => {
      const shop = s2sAs(protocol);
      const { orderId } = await shop.sell();
      expect((await shop.charge(protocol.debit, { order_id: orderId })).body).toMatchObject(duplicate);
    });

    test('two merchants may use one number', async ({ s2sAs }) => {
      const { orderId, transId } = await s2sAs(protocol).sell();
      const other = await s2sAs(protocol, 'other').sell({ order_id: orderId });
      expect(other.transId).not.toBe(transId);
    });

    test('two hundred captures at once capture once', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol);
      const sold = await shop.sell({ auth: 'Y' });
      const counts = counted(await times(200, () => shop.follow('CAPTURE', sold)));
      expect(counts.SUCCESS).toBe(1);
      expect((counts['400'] ?? 0) + (counts['208003'] ?? 0)).toBe(199);
      expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 84.50']);
    });

    test('two hundred voids at once void once', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol);
      const sold = await shop.sell();
      const counts = counted(await times(200, () => shop.follow('VOID', sold)));
      expect(counts.SUCCESS).toBe(1);
      expect((await provider.journal(sold.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
      expect((await untilS2sStatus(shop, sold, 'VOID')).status).toBe('VOID');
    });

    test('two hundred full refunds at once refund once', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol);
      const sold = await shop.sell();
      const counts = counted(await times(200, () => shop.follow('CREDITVOID', sold)));
      expect(counts.ACCEPTED).toBe(1);
      await untilS2sStatus(shop, sold, 'REFUND');
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 84.50']);
    });
  });
}

test('an order number is shared by all protocols', async ({ apmShop, cardAs }) => {
  const { orderId } = await apmShop.sell();
  expect((await cardAs('methods').charge('SALE', { order_id: orderId })).body).toMatchObject(duplicate);
});

test('two hundred partial refunds at once never exceed the captured amount', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ auth: 'Y', order_amount: '100.00' });
  await cardShop.follow('CAPTURE', sold, { amount: '70.00' });
  const counts = counted(await times(200, () => cardShop.follow('CREDITVOID', sold, { amount: '3.00' })));
  // 23 times 3.00 is 69.00.
  expect(counts.ACCEPTED ?? 0).toBeGreaterThan(0);
  expect(counts.ACCEPTED ?? 0).toBeLessThanOrEqual(23);
  let refunded = counts.ACCEPTED ?? 0;
  while (refunded < 23) {
    const { body } = await cardShop.follow('CREDITVOID', sold, { amount: '3.00' });
    expect(body.result).toBe('ACCEPTED');
    refunded += 1;
  }
  expect((await cardShop.follow('CREDITVOID', sold, { amount: '3.00' })).body.error_code).toBe(208006);
  await expect
    .poll(async () => (await provider.moved(sold.orderId)).filter((line) => line === 'refund 3.00').length)
    .toBe(23);
  expect((await cardShop.follow('CREDITVOID', sold, { amount: '1.01' })).body.error_code).toBe(208006);
});

test('an authorisation is either captured or reversed, never both', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ auth: 'Y' });
  await Promise.all([
    times(20, () => cardShop.follow('CAPTURE', sold)),
    times(20, () => cardShop.follow('CREDITVOID', sold)),
  ]);
  await expect
    .poll(async () => (await cardShop.follow('GET_TRANS_STATUS', sold)).body.status)
    .toMatch(/^(SETTLED|REVERSAL|REFUND)$/);
  const kinds = (await provider.journal(sold.orderId))
    .filter(({ status }) => status === 'approved')
    .map(({ kind }) => kind);
  expect(kinds.includes('capture') && kinds.includes('void')).toBe(false);
});
