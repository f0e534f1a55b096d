// Every action of the three protocols with the ids of another merchant, generated from the table of actions: all are
// refused, nothing of the payment is returned, and nothing changes. An action without a request in this test fails it.
// The other merchant knows everything that the payer and the shop exchange; only its own password signs.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ApmMerchant } from '../support/apm-merchant.ts';
import type { CardMerchant } from '../support/card-merchant.ts';
import type { Answer, Merchant } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { pay, statusOf } from '../support/payment-flows.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'florin.mjs');
const actions = (
  JSON.parse(execFileSync(process.execPath, [script, 'routes', '--actions'], { encoding: 'utf8' })) as {
    protocol: string;
    action: string;
  }[]
).map(({ protocol, action }) => `${protocol} ${action}`);

/** What belongs to the merchant that is attacked. */
type Foreign = {
  paymentId: string;
  sold: Sold;
  apmSold: Sold;
  cardToken: string;
  chain: { firstTransId: string; token: string };
  scheduleId: string;
};

type Attacker = { checkout: Merchant; card: CardMerchant; apm: ApmMerchant };

const noCard = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
const unknownToken = { token: randomUUID() };

type Attack = (by: Attacker, foreign: Foreign) => Promise<Answer>;

const follow =
  (action: string): Attack =>
  ({ card }, { sold }) =>
    card.follow(action, sold);
const scheduled =
  (action: string): Attack =>
  ({ card }, { scheduleId }) =>
    card.schedule(action, { schedule_id: scheduleId, name: 'Mine', interval_length: '1', interval_unit: 'month' });
const apmFollow =
  (action: string): Attack =>
  ({ apm }, { apmSold }) =>
    apm.follow(action, apmSold);
/** The actions of hosted fields take a token that the merchant's server has given to its payer's page. */
const processing =
  (path: string): Attack =>
  ({ checkout }, { paymentId }) =>
    checkout.post(
      `/api/v1/processing/${path}`,
      { payment_id: paymentId, card_number: '4111111111111111' },
      unknownToken,
    );
const stored = ({ cardToken }: Foreign) => ({ ...noCard, card_token: cardToken });

const attacks: { [action: string]: Attack } = {
  'checkout /api/v1/session': ({ checkout }, { cardToken }) => checkout.session({ card_token: [cardToken] }),
  'checkout /api/v1/session/token': ({ checkout }, { cardToken }) =>
    checkout.post('/api/v1/session/token', checkout.signed(checkout.sessionBody({ card_token: [cardToken] }))),
  'checkout /api/v1/session/update': ({ checkout }) =>
    checkout.post('/api/v1/session/update', { customer: { name: 'Eve' } }, unknownToken, 'PUT'),
  'checkout /api/v1/payment/status': ({ checkout }, { paymentId }) => checkout.status(paymentId),
  'checkout /api/v1/payment/refund': ({ checkout }, { paymentId }) => checkout.refund(paymentId, '1.00'),
  'checkout /api/v1/payment/capture': ({ checkout }, { paymentId }) => checkout.capture(paymentId),
  'checkout /api/v1/payment/void': ({ checkout }, { paymentId }) => checkout.void(paymentId),
  'checkout /api/v1/payment/retry': ({ checkout }, { paymentId }) => checkout.retry(paymentId),
  'checkout /api/v1/payment/recurring': ({ checkout }, { chain }) => checkout.recurring(chain),
  'checkout /api/v1/payment/card/credit': ({ checkout }, { cardToken }) => checkout.credit({ card_token: cardToken }),
  'checkout /api/v1/card_token/remove': ({ checkout }, { cardToken }) => {
    const { key } = checkout.credentials;
    const hash = signCheckout([cardToken], checkout.credentials);
    return checkout.post('/api/v1/card_token/remove', { merchant_key: key, card_token: cardToken, hash });
  },
  'checkout /api/v1/processing/purchase/card': processing('purchase/card'),
  'checkout /api/v1/processing/debit/card': processing('debit/card'),
  'checkout /api/v1/processing/wallets': processing('wallets'),
  'checkout /api/v1/processing/wallets/applepay': processing('wallets/applepay'),
  's2s_card SALE': ({ card }, foreign) => card.charge('SALE', stored(foreign)),
  's2s_card DEBIT': ({ card }, foreign) => card.charge('DEBIT', stored(foreign)),
  's2s_card RECURRING_SALE': ({ card }, { sold }) => card.again(sold),
  's2s_card RECURRING_DEBIT': ({ card }, { sold }) => card.again(sold, {}, 'RECURRING_DEBIT'),
  's2s_card CARD2CARD': ({ card }, foreign) => card.charge('CARD2CARD', stored(foreign)),
  's2s_card CREDIT2CARD': ({ card }, foreign) => card.payout(stored(foreign)),
  's2s_card CAPTURE': follow('CAPTURE'),
  's2s_card VOID': follow('VOID'),
  's2s_card CREDITVOID': follow('CREDITVOID'),
  's2s_card RETRY': follow('RETRY'),
  's2s_card GET_TRANS_STATUS': follow('GET_TRANS_STATUS'),
  's2s_card GET_TRANS_DETAILS': follow('GET_TRANS_DETAILS'),
  's2s_card GET_TRANS_STATUS_BY_ORDER': ({ card }, { sold }) => card.byOrder(sold),
  's2s_card UPDATE_SCHEDULE': scheduled('UPDATE_SCHEDULE'),
  's2s_card DELETE_SCHEDULE': scheduled('DELETE_SCHEDULE'),
  's2s_card PAUSE_SCHEDULE': scheduled('PAUSE_SCHEDULE'),
  's2s_card RUN_SCHEDULE': scheduled('RUN_SCHEDULE'),
  's2s_card SCHEDULE_INFO': scheduled('SCHEDULE_INFO'),
  's2s_card DESCHEDULE': ({ card }, { scheduleId, chain }) =>
    card.schedule('DESCHEDULE', { schedule_id: scheduleId, recurring_token: chain.token }),
  's2s_apm CAPTURE': apmFollow('CAPTURE'),
  's2s_apm CREDITVOID': apmFollow('CREDITVOID'),
  's2s_apm VOID': apmFollow('VOID'),
  's2s_apm GET_TRANS_STATUS': apmFollow('GET_TRANS_STATUS'),
  's2s_apm DEBIT2VIRTUAL_COMPLETE': apmFollow('DEBIT2VIRTUAL_COMPLETE'),
};

/** Actions that name no object of a merchant; their order numbers are the merchant's own. */
const withoutIds = [
  's2s_card CREATE_SCHEDULE',
  ...['SALE', 'CREDIT2VIRTUAL', 'CREDIT2CRYPTO', 'DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC'].map(
    (name) => `s2s_apm ${name}`,
  ),
];

test('every action has an attack', () => {
  expect([...Object.keys(attacks), ...withoutIds].sort()).toEqual(actions.sort());
});

test("every action refuses another merchant's ids, returns nothing of them and changes nothing", async ({
  shop,
  as,
  cardShop,
  cardAs,
  apmShop,
  apmAs,
  provider,
}) => {
  const { id: paymentId, order } = await pay(shop, cards.settled, { req_token: true });
  const { card_token: cardToken } = await statusOf(shop, paymentId);
  const sold = await cardShop.sell({ recurring_init: 'Y' });
  const apmSold = await apmShop.sell();
  const plan = { name: 'Membership', interval_length: '1', interval_unit: 'month', payments_count: '12' };
  const { body: schedule } = await cardShop.schedule('CREATE_SCHEDULE', plan);
  const scheduleId = schedule.schedule_id;
  const chain = { firstTransId: sold.transId, token: String(sold.answer.body.recurring_token) };
  const foreign: Foreign = { paymentId, sold, apmSold, cardToken, chain, scheduleId };
  const by: Attacker = { checkout: as('other'), card: cardAs('other'), apm: apmAs('payerBears') };
  const secrets = [order.number, sold.orderId, apmSold.orderId, '411111****1111', 'ana@example.com', 'Membership'];
  for (const [name, attack] of Object.entries(attacks)) {
    const { status, body } = await attack(by, foreign);
    const text = JSON.stringify(body);
    expect([name, status >= 400 && status < 500, body.result, text]).toEqual([name, true, 'ERROR', expect.any(String)]);
    // The number of the order is in the request, and may be repeated.
    for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
  }
  expect((await statusOf(shop, paymentId)).status).toBe('settled');
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body.status).toBe('SETTLED');
  expect((await cardShop.schedule('SCHEDULE_INFO', { schedule_id: foreign.scheduleId })).body.name).toBe('Membership');
  // The stored card still pays.
  expect((await cardShop.sell(stored(foreign))).answer.body.status).toBe('SETTLED');
});
