// The operations and outcomes that only S2S CARD has, with the answer, the status and the signed callbacks of each
// (protocol.md 5 and 7). Those of both form protocols are in s2s-transitions.spec.ts.
import { cardFields } from '../support/card-merchant.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

// Every operation with either digest; the second merchant's mapping adds callback fields.
const modes = [
  ['MD5', 'plain'],
  ['SHA-256', 'additions'],
] as const;

for (const [mode, name] of modes) {
  test.describe(`signed by ${mode}`, () => {
    test('an authorisation whose capture is declined remains open', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ ...cardFields.captureDeclined, auth: 'Y' });
      const captured = await shop.follow('CAPTURE', sold);
      expect(captured.body).toMatchObject({
        result: 'DECLINED',
        status: 'PENDING',
        decline_reason: 'Declined by processing',
      });
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CAPTURE DECLINED PENDING']);
    });

    test('a refund that is declined leaves the payment settled', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.refundDeclined);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID DECLINED SETTLED']);
    });

    test('a void that is declined leaves the payment settled', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.voidDeclined);
      const voided = await shop.follow('VOID', sold);
      expect(voided.body).toMatchObject({ result: 'DECLINED', status: 'SETTLED', decline_reason: expect.any(String) });
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'VOID DECLINED SETTLED']);
    });

    test('a declined sale is retried by RETRY, signed by formula 2', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ ...cardFields.declined });
      const retried = await shop.follow('RETRY', sold);
      expect(retried.body).toMatchObject({ action: 'RETRY', result: 'ACCEPTED', order_id: sold.orderId });
      await expectS2sCallbacks(shop, sold, ['SALE DECLINED DECLINED', 'SALE DECLINED DECLINED']);
    });

    test('a debit, and its reversal', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({}, 'DEBIT');
      expect(sold.answer.body).toMatchObject({ action: 'DEBIT', result: 'SUCCESS', status: 'SETTLED' });
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      await expectS2sCallbacks(shop, sold, ['DEBIT SUCCESS SETTLED', 'CREDITVOID SUCCESS REVERSAL']);
    });

    test('a transfer from card to card', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({}, 'CARD2CARD');
      expect(sold.answer.body).toMatchObject({ action: 'CARD2CARD', result: 'SUCCESS', status: 'SETTLED' });
      await expectS2sCallbacks(shop, sold, ['CARD2CARD SUCCESS SETTLED']);
    });

    test('a payout to a card, signed by formula 5 and reported by formula 6', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const body = shop.payoutBody();
      const { body: answer, status } = await shop.post(body);
      expect(status, JSON.stringify(answer)).toBe(200);
      expect(answer).toMatchObject({ action: 'CREDIT2CARD', result: 'SUCCESS', status: 'SETTLED', amount: '40.00' });
      const orderId = String(body.order_id);
      await expectS2sCallbacks(shop, { orderId }, ['CREDIT2CARD SUCCESS SETTLED']);
      expect(await provider.moved(orderId)).toEqual(['payout 40.00']);
      const lookup = { transId: answer.trans_id, card: '4601546519' };
      expect((await shop.follow('GET_TRANS_STATUS', lookup)).body).toMatchObject({ status: 'SETTLED' });
    });

    test('a payout that is declined', async ({ cardAs }) => {
      const shop = cardAs(name);
      const body = shop.payoutBody({ card_number: '4242424242424242' });
      const { body: answer } = await shop.post(body);
      expect(answer).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: expect.any(String) });
      await expectS2sCallbacks(shop, { orderId: String(body.order_id) }, ['CREDIT2CARD DECLINED DECLINED']);
    });

    test('the status of a payout with a payer is requested by formula 2 or 6', async ({ cardAs }) => {
      const shop = cardAs(name);
      const email = 'ana@example.com';
      const body = shop.payoutBody({ payer_email: email });
      const { body: answer } = await shop.post(body);
      const lookup = { transId: answer.trans_id, card: '4601546519' };
      expect((await shop.follow('GET_TRANS_STATUS', { ...lookup, email })).body.status).toBe('SETTLED');
      expect((await shop.follow('GET_TRANS_STATUS', lookup)).body.status).toBe('SETTLED');
      await expectS2sCallbacks(shop, { orderId: String(body.order_id) }, ['CREDIT2CARD SUCCESS SETTLED']);
    });

    test('every lookup', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell();
      const expected = { result: 'SUCCESS', status: 'SETTLED', order_id: sold.orderId, trans_id: sold.transId };
      for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS']) {
        expect((await shop.follow(action, sold)).body).toMatchObject({ action, ...expected });
      }
      expect((await shop.byOrder(sold)).body).toMatchObject({ action: 'GET_TRANS_STATUS_BY_ORDER', ...expected });
    });
  });
}

test.describe('unknown outcomes', () => {
  const atOnce = testsAtOnce();

  for (const [mode, name] of modes) {
    for (const [action, changes, before, after] of [
      ['CAPTURE', { auth: 'Y' }, 'PENDING', 'SETTLED'],
      ['VOID', {}, 'SETTLED', 'VOID'],
    ] as const) {
      atOnce(
        `signed by ${mode}: a ${action} without an outcome is reported as such, and by callback once it is known`,
        async ({ cardAs, provider }) => {
          const shop = cardAs(name);
          const sold = await shop.sell(changes);
          const call = action.toLowerCase() as 'capture' | 'void';
          await provider.fault({ fault: 'reset', call, carriedOut: true }, sold.orderId);
          const { body } = await shop.follow(action, sold);
          expect(body).toMatchObject({ action, result: 'UNDEFINED', status: before });
          expect(body).not.toHaveProperty('decline_reason');
          await untilS2sStatus(shop, sold, after);
          await expectS2sCallbacks(shop, sold, [
            `SALE SUCCESS ${before}`,
            `${action} UNDEFINED ${before}`,
            `${action} SUCCESS ${after}`,
          ]);
        },
      );
    }

    atOnce(`signed by ${mode}: a sale that its provider is still processing`, async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.waits);
      expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
      await untilS2sStatus(shop, sold, 'SETTLED');
      await expectS2sCallbacks(shop, sold, ['SALE WAITING PREPARE', 'SALE SUCCESS SETTLED']);
    });
  }
});
