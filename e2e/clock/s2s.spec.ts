// Time and payments of the form protocols: a day ends, and authorisations expire (protocol.md 5 to 8).
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { s2sProtocols } from '../support/s2s-protocols.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 60 * 60;

for (const protocol of s2sProtocols) {
  test.describe(protocol.name, () => {
    test('a payment is voided on its own UTC day only; afterwards it is refunded', async ({ s2sAs, clock }) => {
      const shop = s2sAs(protocol);
      const sold = await shop.sell();
      const now = (await clock.now()).getTime();
      await clock.advance(Math.ceil((day * 1000 - (now % (day * 1000))) / 1000) + 60);
      const { status, body } = await shop.follow('VOID', sold);
      expect([status, body.error_code, body.error_message]).toEqual([400, 100000, 'Void is not allowed.']);
      expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
      await untilS2sStatus(shop, sold, 'REFUND');
    });

    test('an authorisation that is not captured expires', async ({ s2sAs, clock }) => {
      const shop = s2sAs(protocol);
      const sold = await shop.sell({ auth: 'Y' });
      await clock.advance(7 * day + 60);
      await untilS2sStatus(shop, sold, 'DECLINED');
      await expectS2sCallbacks(shop, sold, ['SALE SUCCESS PENDING', 'SALE DECLINED DECLINED']);
      expect((await shop.follow('CAPTURE', sold)).body.error_code).toBe(208003);
    });
  });
}
