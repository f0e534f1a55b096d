// The provider outcomes of S2S APM payments: late, missing, repeated, out of order. The merchant gets one callback per
// change and the payment ends in one state (interface.md, Events; the outcomes are those of the sandbox provider).

import { finish } from '../support/method-flows.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';
import { rowsOf } from '../support/text-table.ts';

const atOnce = testsAtOnce();

// One method for each kind of interaction, and the state of its payments until the payer acts.
const brands = rowsOf(`
  astropay   | REDIRECT  | REDIRECT
  ips        | REDIRECT  | REDIRECT
  webpaygate | SUCCESS   | PENDING
  axxi-pin   | UNDEFINED | PREPARE`);

// outcome | final state
const outcomes = rowsOf(`
  pending      | SUCCESS  | SETTLED
  rejected     | DECLINED | DECLINED
  duplicated   | SUCCESS  | SETTLED
  out_of_order | SUCCESS  | SETTLED
  expired      | DECLINED | DECLINED`);

for (const [brand = ''] of brands) {
  for (const [outcome = '', result = '', status = ''] of outcomes) {
    atOnce(`${brand}: ${outcome}`, async ({ apmShop, provider }) => {
      const parameters = { sandbox: outcome, ...(brand === 'axxi-pin' && { pin: '40714071' }) };
      const sold = await apmShop.sell({ brand, identifier: 'ana', parameters });
      expect(['UNDEFINED', 'REDIRECT', 'SUCCESS']).toContain(sold.answer.body.result);
      await untilS2sStatus(apmShop, sold, status);
      const movements = status === 'SETTLED' ? ['sale 84.50'] : [];
      expect(await provider.moved(sold.orderId)).toEqual(movements);
      const first = { UNDEFINED: 'WAITING', REDIRECT: 'REDIRECT', SUCCESS: 'SUCCESS' }[
        sold.answer.body.result as 'UNDEFINED'
      ];
      // A final outcome causes no further callbacks, however often the provider reports it.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await expectS2sCallbacks(apmShop, sold, [`SALE ${first} ${sold.answer.body.status}`, `SALE ${result} ${status}`]);
    });
  }
}

for (const [brand = '', result = '', status = ''] of brands.slice(0, 3)) {
  atOnce(`${brand}: a payment without an outcome stays pending until the payer acts`, async ({ apmShop }) => {
    const sold = await apmShop.sell({ brand, identifier: 'ana', parameters: { sandbox: 'never' } });
    expect(sold.answer.body).toMatchObject({ result, status });
    await finish(apmShop, sold.transId);
    await untilS2sStatus(apmShop, sold, 'SETTLED');
  });
}

for (const [outcome, result, status] of [
  ['approve', 'SUCCESS', 'SETTLED'],
  ['decline', 'DECLINED', 'DECLINED'],
] as const) {
  atOnce(`${outcome}: immediately, by any method and payout`, async ({ apmShop }) => {
    const parameters = { sandbox: outcome };
    for (const brand of ['astropay', 'ips', 'webpaygate']) {
      expect((await apmShop.charge('SALE', { brand, parameters })).body).toMatchObject({ result, status });
    }
    expect((await apmShop.credit({ parameters })).body).toMatchObject({ result, status });
  });
}
