// Required card parameters of MIDs: an account whose parameters are missing is not eligible, at the first attempt and
// at failover, and a request is rejected only if no account is left (interface.md, Payment method catalog). The
// merchant `sets` has an account A that requires BNG, and ERS for payouts; C requires FCP; B and D require nothing.
import { cardFields } from '../support/card-merchant.ts';
import { routingOf, visitorAs } from '../support/dashboard.ts';
import { textOf } from '../support/html.ts';
import { type Changes, newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { callbacksOf, idOf, pay } from '../support/payment-flows.ts';
import { expectS2sCallbacks } from '../support/s2s-flows.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const bng = { bnrg_installm_def: '01', bnrg_installm_months: '03', bnrg_installm_plan: '05' };
const fcp = { document_type: 'cpf', document_number: '1', social_name: 'Ana', fiscal_country: 'BR' };
const mastercard = '5555555555554444';
const softAtFirst = '4000000000001026';

const blank = (path: string, names: object) =>
  Object.keys(names).map((name) => ({
    error_code: 100000,
    error_message: `${path}.${name}: This value should not be blank.`,
  }));

async function midOf(
  sold: Pick<Sold, 'orderId' | 'email'>,
  shop: Parameters<typeof expectS2sCallbacks>[0],
  expected: string,
) {
  const [callback] = await expectS2sCallbacks(shop, sold, [expected]);
  return callback?.fields['extended_data[mid_name]'];
}

test.describe('S2S CARD', () => {
  // the charge | parameters | the account that processes it
  const table = rowsOf(`
    {}                                  | bng  | Sets A
    {}                                  | none | Sets B
    {}                                  | half | Sets B
    {"order_amount":"1000.00"}          | bng  | Sets A
    {"order_amount":"1000.00"}          | none | Sets B
    {"order_currency":"USD"}            | fcp  | Sets C
    {"card_number":"${mastercard}"}     | bng  | Sets A
    {"card_number":"${softAtFirst}"}    | bng  | Sets B
    {"card_number":"${softAtFirst}"}    | none | Sets D
  `);
  const sets: Record<string, Changes | undefined> = {
    bng,
    fcp,
    none: undefined,
    half: { ...bng, bnrg_installm_plan: '' },
  };
  for (const [changes = '', parameters = '', mid] of table) {
    test(`sends ${changes} with parameters ${parameters} to ${mid}`, async ({ cardAs }) => {
      const shop = cardAs('sets');
      const sold = await shop.sell({ ...cardFields.settled, ...JSON.parse(changes), parameters: sets[parameters] });
      expect(sold.answer.body.status).toBe('SETTLED');
      expect(await midOf(sold, shop, 'SALE SUCCESS SETTLED')).toBe(mid);
    });
  }

  test('names the ineligible accounts and their reasons in the routing log', async ({ cardAs, florin }) => {
    const shop = cardAs('sets');
    const sold = await shop.sell({ ...cardFields.settled, card_number: softAtFirst });
    const manager = await visitorAs(florin, 'manager');
    const list = await manager.get(`/payments?q=${sold.orderId}`);
    const { body } = await manager.get(`/payments/${list.body.rows[0].id}`);
    expect(routingOf(body)).toEqual([
      'Sets A: skipped: lacks parameters of set BNG',
      'Sets C: skipped: lacks parameters of set FCP',
      'Sets B: taken: priority',
      expect.stringMatching(/^Sets D: taken: after a soft decline/),
    ]);
  });

  const rejections: [name: string, changes: Changes, faults: object[]][] = [
    ['of the only account of a rule', { order_currency: 'USD', parameters: bng }, blank('parameters', fcp)],
    ['of the account for this brand', { card_number: mastercard }, blank('parameters', bng)],
    [
      'that are missing, and no others',
      { card_number: mastercard, parameters: { ...bng, bnrg_installm_months: undefined } },
      blank('parameters', { bnrg_installm_months: '' }),
    ],
  ];
  for (const [name, changes, fieldErrors] of rejections) {
    test(`rejects a charge because the parameters ${name} are missing`, async ({ cardAs, provider }) => {
      const shop = cardAs('sets');
      const order_id = newOrderNumber();
      const { status, body } = await shop.charge('SALE', { order_id, ...changes });
      expect([status, body.error_code, body.errors]).toEqual([400, 100000, fieldErrors]);
      expect(await provider.journal(order_id)).toEqual([]);
      // The rejected request leaves no trace: the same order with the parameters is accepted at once.
      const again = await shop.charge('SALE', { order_id, ...changes, parameters: { ...bng, ...fcp } });
      expect(again.body.status).toBe('SETTLED');
    });
  }

  test('checks the card behind a token too', async ({ cardAs }) => {
    const shop = cardAs('sets');
    const sold = await shop.sell({ card_number: mastercard, req_token: 'Y', parameters: bng });
    const token = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
    const changes = { ...token, card_token: sold.answer.body.card_token };
    const { body } = await shop.charge('SALE', changes);
    expect(body.errors).toEqual(blank('parameters', bng));
    expect((await shop.charge('SALE', { ...changes, parameters: bng })).body.status).toBe('SETTLED');
  });

  test('uses the parameters of the initial payment for subsequent payments', async ({ cardAs }) => {
    const shop = cardAs('sets');
    const [with_, without] = [
      await shop.sell({ recurring_init: 'Y', parameters: bng }),
      await shop.sell({ recurring_init: 'Y' }),
    ];
    for (const [first, mid] of [
      [with_, 'Sets A'],
      [without, 'Sets B'],
    ] as const) {
      const { body } = await shop.again(first);
      const charge = { orderId: body.order_id, email: first.email };
      expect(await midOf(charge, shop, 'RECURRING_SALE SUCCESS SETTLED')).toBe(mid);
    }
    const { body } = await shop.again(without, { order_currency: 'USD' });
    expect(body.errors).toEqual(blank('parameters', fcp));
  });

  test('requires the sets of payouts, and finds encrypted stored values', async ({ cardAs }) => {
    const shop = cardAs('sets');
    for (const [parameters, mid] of [
      [undefined, 'Sets B'],
      [{ payer_account_number: '4111111111111111' }, 'Sets A'],
      [{ payer_account_number: '#NA' }, 'Sets A'],
    ] as const) {
      const order_id = newOrderNumber();
      expect((await shop.payout({ order_id, parameters })).body.status).toBe('SETTLED');
      expect(await midOf({ orderId: order_id, email: undefined }, shop, 'CREDIT2CARD SUCCESS SETTLED')).toBe(mid);
    }
  });
});

test.describe('Checkout', () => {
  test('opens a session if an eligible account exists, and pays it there', async ({ as }) => {
    const shop = as('sets');
    for (const [parameters, mid] of [
      [undefined, 'Sets B'],
      [{ card: bng }, 'Sets A'],
    ] as const) {
      const { order } = await pay(shop, cards.settled, { parameters });
      expect((await callbacksOf(shop, order, 1))[0]?.fields['extended_data[mid_name]']).toBe(mid);
    }
  });

  test('rejects a session without an eligible account, also after an update', async ({ as }) => {
    const shop = as('sets');
    const dollars = { order: { currency: 'USD' } };
    const rejected = await shop.session(dollars);
    expect([rejected.status, rejected.body.errors]).toEqual([400, blank('parameters.card', fcp)]);
    const { token, order } = await shop.open({ ...dollars, parameters: { card: fcp } });
    const { number, amount, currency, description } = order;
    const update = (changes: Changes) =>
      shop.update(token, shop.signed({ ...changes, order: { number, amount, currency, description } }));
    const emptied = await update({ parameters: { card: bng } });
    expect([emptied.status, emptied.body.errors]).toEqual([400, blank('parameters.card', fcp)]);
    expect((await update({ parameters: { card: fcp } })).status).toBe(200);
  });

  test('reports to a payer without an attempt that the card has no eligible account', async ({ as, provider }) => {
    const shop = as('sets');
    const { order } = await pay(shop, { number: mastercard, expiry: '01/38' });
    expect(await provider.journal(order.number)).toEqual([]);
    expect((await shop.status(await idOf(shop, order.number))).body.status).toBe('prepare');
  });

  test('pays out to a stored card where the account can', async ({ as }) => {
    const shop = as('sets');
    const payee = { number: '4601 5418 3377 6519', expiry: '08/31' };
    const { order: first } = await pay(shop, payee, { operation: 'credit', req_token: true });
    const [callback] = await callbacksOf(shop, first, 1);
    for (const [parameters, mid] of [
      [undefined, 'Sets B'],
      [{ card: { payer_account_number: '4111111111111111' } }, 'Sets A'],
    ] as const) {
      const order = { number: newOrderNumber(), amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' };
      const changes = { order_id: order.number, card_token: callback?.fields.card_token, parameters };
      expect((await shop.credit(changes)).body.result).toBe('accepted');
      expect((await callbacksOf(shop, order, 1))[0]?.fields['extended_data[mid_name]']).toBe(mid);
    }
  });
});

test('the page says the monthly payments that the parameters ask for', async ({ as, florin }) => {
  const shop = as('sets');
  const { url } = await shop.open({ parameters: { card: { ...bng, bnrg_installm_plan: '03' } } });
  const page = async (link: string) => textOf((await startPayer(florin).visit(link)).html);
  const split = '3 monthly payments of ≈ €28.17, without interest. The first payment is due in a month.';
  expect(await page(url)).toContain(split);
  expect(await page((await shop.open()).url)).not.toContain('monthly');
});
