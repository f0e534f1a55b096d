// The operations that S2S CARD and S2S APM share, outcome by outcome, with the answer, the status and the signed callbacks
// of each (protocol.md 5 to 7).
import { apiError } from '../support/api-error.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { s2sProtocols } from '../support/s2s-protocols.ts';
import { expect, test } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const date = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

// Every operation with either digest; the second merchant's mapping also adds fields to its callbacks and statuses.
const cases = s2sProtocols.flatMap((protocol) =>
  (
    [
      ['MD5', 'plain'],
      ['SHA-256', 'additions'],
    ] as const
  ).map(([mode, name]) => ({ protocol, mode, name })),
);

for (const { protocol, mode, name } of cases) {
  test.describe(`${protocol.name} signed by ${mode}`, () => {
    test('a sale that settles', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell({ custom_data: { basket: '7', tags: ['a', 'b', '10'], 'ä 1': 'Ünïcode z' } });
      expect(sold.answer.body).toEqual({
        action: 'SALE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: expect.stringMatching(uuid),
        trans_date: expect.stringMatching(date),
        ...(sold.answer.body.descriptor && { descriptor: expect.any(String) }),
        amount: '84.50',
        currency: 'EUR',
      });
      expect(await s2sStatusOf(shop, sold)).toMatchObject({
        action: 'GET_TRANS_STATUS',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: sold.transId,
      });
      const [message] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
      expect(message?.fields).toMatchObject({
        order_id: sold.orderId,
        trans_id: sold.transId,
        amount: '84.50',
        currency: 'EUR',
        ...protocol.callback,
        'custom_data[basket]': '7',
        'custom_data[tags][1]': 'b',
        'custom_data[tags][2]': '10',
      });
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
    });

    test('a sale that is declined', async ({ s2sAs }) => {
      const shop = s2sAs(protocol, name);
      for (const changes of protocol.declined) {
        const sold = await shop.sell(changes);
        const expected = { status: 'DECLINED', decline_reason: 'Declined by processing' };
        expect(sold.answer.body).toMatchObject({ result: 'DECLINED', ...expected });
        expect(await s2sStatusOf(shop, sold)).toMatchObject(expected);
        const [message] = await expectS2sCallbacks(shop, sold, ['SALE DECLINED DECLINED']);
        expect(message?.fields.decline_reason).toBe('Declined by processing');
      }
    });

    test('an authorisation, captured in part', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell({ auth: 'Y' });
      expect(sold.answer.body).toMatchObject({ action: 'SALE', result: 'SUCCESS', status: 'PENDING' });
      const captured = await shop.follow('CAPTURE', sold, { amount: '50.00' });
      expect(captured.body).toMatchObject({
        action: 'CAPTURE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: sold.transId,
        amount: '50.00',
        currency: 'EUR',
      });
      const [, capture] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CAPTURE SUCCESS SETTLED']);
      expect(capture?.fields.amount).toBe('50.00');
      expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 50.00']);
      const repeated = await shop.follow('CAPTURE', sold);
      expect([repeated.status, repeated.body.error_code]).toEqual([400, 208003]);
    });

    test('an authorisation that is reversed', async ({ s2sAs }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell({ auth: 'Y' });
      const rejected = await shop.follow('VOID', sold);
      expect([rejected.status, rejected.body]).toEqual([400, apiError(100000, 'Void is not allowed.')]);
      const released = await shop.follow('CREDITVOID', sold);
      expect(released.body).toEqual({
        action: 'CREDITVOID',
        result: 'ACCEPTED',
        order_id: sold.orderId,
        trans_id: sold.transId,
      });
      await untilS2sStatus(shop, sold, 'REVERSAL');
      const [, message] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CREDITVOID SUCCESS REVERSAL']);
      expect(message?.fields).toMatchObject({ amount: '84.50', creditvoid_date: expect.stringMatching(date) });
    });

    test('refunds in parts, then the whole remainder', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell();
      expect((await shop.follow('CREDITVOID', sold, { amount: '30.00' })).body.result).toBe('ACCEPTED');
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED']);
      expect((await shop.follow('CREDITVOID', sold, { amount: '54.51' })).body.error_code).toBe(208006);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      const messages = await expectS2sCallbacks(shop, sold, [
        'SALE SUCCESS SETTLED',
        'CREDITVOID SUCCESS SETTLED',
        'CREDITVOID SUCCESS REFUND',
      ]);
      expect(messages.map(({ fields }) => fields.amount)).toEqual(['84.50', '30.00', '54.50']);
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 30.00', 'refund 54.50']);
    });

    test('a void on the day of the sale', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell();
      const voided = await shop.follow('VOID', sold);
      expect(voided.body).toMatchObject({ action: 'VOID', result: 'SUCCESS', status: 'VOID', trans_id: sold.transId });
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'VOID SUCCESS VOID']);
      expect((await provider.journal(sold.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
    });

    test('a chargeback', async ({ s2sAs, provider }) => {
      const shop = s2sAs(protocol, name);
      const sold = await shop.sell();
      await provider.chargeback(sold.orderId);
      await untilS2sStatus(shop, sold, 'CHARGEBACK');
      const [, message] = await expectS2sCallbacks(shop, sold, [
        'SALE SUCCESS SETTLED',
        'CHARGEBACK SUCCESS CHARGEBACK',
      ]);
      expect(message?.fields).toMatchObject({
        trans_id: sold.transId,
        amount: '84.50',
        chargeback_date: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
        reason_code: expect.any(String),
      });
    });
  });
}

// Each waits five seconds for the first poll.
test.describe('unknown outcomes', () => {
  const atOnce = testsAtOnce();

  for (const { protocol, mode, name } of cases) {
    atOnce(
      `${protocol.name} signed by ${mode}: a sale without an outcome is reported as such and settles by polling`,
      async ({ s2sAs, provider }) => {
        const shop = s2sAs(protocol, name);
        const orderId = newOrderNumber();
        await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, orderId);
        const sold = await shop.sell({ order_id: orderId });
        expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
        await untilS2sStatus(shop, sold, 'SETTLED');
        await expectS2sCallbacks(shop, sold, ['SALE UNDEFINED PREPARE', 'SALE SUCCESS SETTLED']);
        expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
      },
    );

    atOnce(
      `${protocol.name} signed by ${mode}: an authorisation without an outcome is PENDING in the answer`,
      async ({ s2sAs, provider }) => {
        const shop = s2sAs(protocol, name);
        const orderId = newOrderNumber();
        await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, orderId);
        const sold = await shop.sell({ order_id: orderId, auth: 'Y' });
        expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PENDING' });
        await untilS2sStatus(shop, sold, 'PENDING');
      },
    );
  }
});
