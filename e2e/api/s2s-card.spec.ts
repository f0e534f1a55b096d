// S2S CARD: the operations of the merchant's server, outcome by outcome, with the answer, the status and the signed
// callbacks of each (protocol.md 5 and 7).
import { cardStatusOf, expectCardCallbacks, untilCardStatus } from '../support/card-flows';
import { cardFields } from '../support/card-merchant';
import { expect, test } from '../support/test';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const date = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

// Every operation with either digest; the second merchant's mapping adds callback fields.
for (const [mode, name] of [
  ['MD5', 'plain'],
  ['SHA-256', 'additions'],
] as const) {
  test.describe(`signed by ${mode}`, () => {
    test('a sale that settles', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ custom_data: { basket: '7', tags: ['a', 'b'] } });
      expect(sold.answer.body).toMatchObject({
        action: 'SALE',
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: sold.orderId,
        trans_id: expect.stringMatching(uuid),
        trans_date: expect.stringMatching(date),
        amount: '84.50',
        currency: 'EUR',
      });
      expect(await cardStatusOf(shop, sold)).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
      const [message] = await expectCardCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
      expect(message?.fields).toMatchObject({
        order_id: sold.orderId,
        trans_id: sold.transId,
        amount: '84.50',
        currency: 'EUR',
        card: '411111****1111',
        card_expiration_date: '01/2038',
        'custom_data[basket]': '7',
        'custom_data[tags][1]': 'b',
      });
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
    });

    test('a sale that is declined', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.declined);
      expect(sold.answer.body).toMatchObject({
        result: 'DECLINED',
        status: 'DECLINED',
        decline_reason: 'Declined by processing',
      });
      expect(await cardStatusOf(shop, sold)).toMatchObject({
        status: 'DECLINED',
        decline_reason: 'Declined by processing',
      });
      const [message] = await expectCardCallbacks(shop, sold, ['SALE DECLINED DECLINED']);
      expect(message?.fields.decline_reason).toBe('Declined by processing');
    });

    test('an authorisation, captured in part', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
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
      const [, capture] = await expectCardCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CAPTURE SUCCESS SETTLED']);
      expect(capture?.fields.amount).toBe('50.00');
      expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 50.00']);
    });

    test('an authorisation whose capture is declined remains open', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ ...cardFields.captureDeclined, auth: 'Y' });
      const captured = await shop.follow('CAPTURE', sold);
      expect(captured.body).toMatchObject({
        result: 'DECLINED',
        status: 'PENDING',
        decline_reason: 'Declined by processing',
      });
      await expectCardCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'CAPTURE DECLINED PENDING']);
    });

    test('an authorisation that is reversed', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ auth: 'Y' });
      const released = await shop.follow('CREDITVOID', sold);
      expect(released.body).toEqual({
        action: 'CREDITVOID',
        result: 'ACCEPTED',
        order_id: sold.orderId,
        trans_id: sold.transId,
      });
      await untilCardStatus(shop, sold, 'REVERSAL');
      const [, message] = await expectCardCallbacks(shop, sold, [
        'SALE SUCCESS PENDING',
        'CREDITVOID SUCCESS REVERSAL',
      ]);
      expect(message?.fields).toMatchObject({ amount: '84.50', creditvoid_date: expect.stringMatching(date) });
    });

    test('refunds in parts, then the whole remainder', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const sold = await shop.sell();
      expect((await shop.follow('CREDITVOID', sold, { amount: '30.00' })).body.result).toBe('ACCEPTED');
      await expectCardCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED']);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      const messages = await expectCardCallbacks(shop, sold, [
        'SALE SUCCESS SETTLED',
        'CREDITVOID SUCCESS SETTLED',
        'CREDITVOID SUCCESS REFUND',
      ]);
      expect(messages.map(({ fields }) => fields.amount)).toEqual(['84.50', '30.00', '54.50']);
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 30.00', 'refund 54.50']);
    });

    test('a refund that is declined leaves the payment settled', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.refundDeclined);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      await expectCardCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID DECLINED SETTLED']);
    });

    test('a void on the day of the sale', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const sold = await shop.sell();
      const voided = await shop.follow('VOID', sold);
      expect(voided.body).toMatchObject({ action: 'VOID', result: 'SUCCESS', status: 'VOID', trans_id: sold.transId });
      await expectCardCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'VOID SUCCESS VOID']);
      expect((await provider.journal(sold.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
    });

    test('a void that is declined leaves the payment settled', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.voidDeclined);
      const voided = await shop.follow('VOID', sold);
      expect(voided.body).toMatchObject({ result: 'DECLINED', status: 'SETTLED', decline_reason: expect.any(String) });
      await expectCardCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'VOID DECLINED SETTLED']);
    });

    test('a declined sale is retried by RETRY, signed by formula 2', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ ...cardFields.declined });
      const retried = await shop.follow('RETRY', sold);
      expect(retried.body).toMatchObject({ action: 'RETRY', result: 'ACCEPTED', order_id: sold.orderId });
      await expectCardCallbacks(shop, sold, ['SALE DECLINED DECLINED', 'SALE DECLINED DECLINED']);
    });

    test('a debit, and its reversal', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({}, 'DEBIT');
      expect(sold.answer.body).toMatchObject({ action: 'DEBIT', result: 'SUCCESS', status: 'SETTLED' });
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      await expectCardCallbacks(shop, sold, ['DEBIT SUCCESS SETTLED', 'CREDITVOID SUCCESS REVERSAL']);
    });

    test('a transfer from card to card', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({}, 'CARD2CARD');
      expect(sold.answer.body).toMatchObject({ action: 'CARD2CARD', result: 'SUCCESS', status: 'SETTLED' });
      await expectCardCallbacks(shop, sold, ['CARD2CARD SUCCESS SETTLED']);
    });

    test('a payout to a card, signed by formula 5 and reported by formula 6', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const body = shop.payoutBody();
      const { body: answer, status } = await shop.post(body);
      expect(status, JSON.stringify(answer)).toBe(200);
      expect(answer).toMatchObject({ action: 'CREDIT2CARD', result: 'SUCCESS', status: 'SETTLED', amount: '40.00' });
      const orderId = String(body.order_id);
      await expectCardCallbacks(shop, { orderId }, ['CREDIT2CARD SUCCESS SETTLED']);
      expect(await provider.moved(orderId)).toEqual(['payout 40.00']);
      const lookup = { transId: answer.trans_id, card: '4601546519' };
      expect((await shop.follow('GET_TRANS_STATUS', lookup)).body).toMatchObject({ status: 'SETTLED' });
    });

    test('a payout that is declined', async ({ cardAs }) => {
      const shop = cardAs(name);
      const body = shop.payoutBody({ card_number: '4242424242424242' });
      const { body: answer } = await shop.post(body);
      expect(answer).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: expect.any(String) });
      await expectCardCallbacks(shop, { orderId: String(body.order_id) }, ['CREDIT2CARD DECLINED DECLINED']);
    });

    test('the status of a payout with a payer is requested by formula 2 or 6', async ({ cardAs }) => {
      const shop = cardAs(name);
      const email = 'ana@example.com';
      const body = shop.payoutBody({ payer_email: email });
      const { body: answer } = await shop.post(body);
      const lookup = { transId: answer.trans_id, card: '4601546519' };
      expect((await shop.follow('GET_TRANS_STATUS', { ...lookup, email })).body.status).toBe('SETTLED');
      expect((await shop.follow('GET_TRANS_STATUS', lookup)).body.status).toBe('SETTLED');
      await expectCardCallbacks(shop, { orderId: String(body.order_id) }, ['CREDIT2CARD SUCCESS SETTLED']);
    });

    test('a chargeback', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const sold = await shop.sell();
      await provider.chargeback(sold.orderId);
      await untilCardStatus(shop, sold, 'CHARGEBACK');
      const [, message] = await expectCardCallbacks(shop, sold, [
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

    for (const [action, changes, before, after] of [
      ['CAPTURE', { auth: 'Y' }, 'PENDING', 'SETTLED'],
      ['VOID', {}, 'SETTLED', 'VOID'],
    ] as const) {
      test(`a ${action} without an outcome is reported as such, and by callback once it is known`, async ({
        cardAs,
        provider,
      }) => {
        const shop = cardAs(name);
        const sold = await shop.sell(changes);
        const call = action.toLowerCase() as 'capture' | 'void';
        await provider.fault({ fault: 'reset', call, carriedOut: true }, sold.orderId);
        const { body } = await shop.follow(action, sold);
        expect(body).toMatchObject({ action, result: 'UNDEFINED', status: before });
        expect(body).not.toHaveProperty('decline_reason');
        await untilCardStatus(shop, sold, after, 30);
        await expectCardCallbacks(shop, sold, [
          `SALE SUCCESS ${before}`,
          `${action} UNDEFINED ${before}`,
          `${action} SUCCESS ${after}`,
        ]);
      });
    }

    test('a sale that its provider is still processing', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.waits);
      expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
      await untilCardStatus(shop, sold, 'SETTLED', 30);
      await expectCardCallbacks(shop, sold, ['SALE WAITING PREPARE', 'SALE SUCCESS SETTLED']);
    });

    test('a sale without an outcome is reported as such and settles by polling', async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const sold = await shop.sell(cardFields.dropped);
      expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
      await untilCardStatus(shop, sold, 'SETTLED', 30);
      await expectCardCallbacks(shop, sold, ['SALE UNDEFINED PREPARE', 'SALE SUCCESS SETTLED']);
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);
    });

    test('an authorisation without an outcome is PENDING in the answer', async ({ cardAs }) => {
      const shop = cardAs(name);
      const sold = await shop.sell({ ...cardFields.dropped, auth: 'Y' });
      expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PENDING' });
      await untilCardStatus(shop, sold, 'PENDING', 30);
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
