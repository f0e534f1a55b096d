// What the customers of a history do.
import { newCard } from '../chaos/checkout-clients.ts';
import { checkout } from './checkout.ts';
import { amountOf, type Customer, part } from './customer.ts';
import { redirectMethod } from './merchants.ts';
import { modify, sell, settled } from './sale.ts';
import { schedule } from './schedule.ts';

/** What a customer does in a history. */
export const scenarios: ((customer: Customer) => Promise<unknown>)[] = [
  // At once, or after the faults of the first minutes.
  async (customer) => {
    await customer.world.sleep(customer.draw() ** 2 * 600_000);
    await settled(customer, await sell(customer));
  },
  // Refunds, at once or one after the other; the last may exceed what is left.
  async (customer) => {
    const sold = await settled(customer, await sell(customer));
    if (!sold) return;
    const refunds = Array.from({ length: 1 + Math.floor(customer.draw() * 3) }, () => part(customer.draw));
    if (customer.draw() < 0.4)
      return Promise.all(refunds.map((amount) => modify(customer, sold, 'CREDITVOID', { amount })));
    for (const amount of refunds) await modify(customer, sold, 'CREDITVOID', { amount });
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (!sold) return;
    const amount = customer.draw() < 0.5 ? { amount: part(customer.draw) } : {};
    await modify(customer, sold, 'CAPTURE', amount);
    if (customer.draw() < 0.5) await modify(customer, sold, 'CREDITVOID');
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (sold) await modify(customer, sold, 'CREDITVOID');
  },
  // Neither captured nor released: it expires.
  (customer) => sell(customer, { auth: 'Y' }),
  async (customer) => {
    const sold = await settled(customer, await sell(customer));
    if (sold) await modify(customer, sold, 'VOID');
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { auth: 'Y' }));
    if (sold) await Promise.all(['CAPTURE', 'CREDITVOID'].map((action) => modify(customer, sold, action)));
  },
  async (customer) => {
    const sold = await settled(customer, await sell(customer, { recurring_init: 'Y' }));
    if (!sold?.answer.recurring_token) return;
    const first = { ...sold, answer: { body: sold.answer, status: 200, headers: new Headers() } };
    customer.world.belongings.push({
      owner: customer.merchant,
      requests: (as) => [['card', as.card.secondaryBody(first, { order_id: `${customer.order}-0` })]],
    });
    const action = sold.action === 'DEBIT' ? 'RECURRING_DEBIT' : 'RECURRING_SALE';
    for (const turn of [1, 2]) {
      const order = `${customer.order}-${turn}`;
      const amount = customer.draw() < 0.5 ? amountOf(customer.draw) : '12.35';
      const asked = customer.merchant.card.secondaryBody(first, { order_id: order, order_amount: amount }, action);
      const answer = await customer.ask(order, asked);
      if (answer?.result !== 'DECLINED') continue;
      const charged = { ...sold, orderId: order, transId: answer.trans_id };
      const retried = await modify(customer, charged, 'RETRY');
      if (retried?.result === 'SUCCESS') await modify(customer, charged, 'CREDITVOID', { amount: part(customer.draw) });
    }
  },
  ({ draw, order, merchant, ask }) => {
    const values = { order_id: order, card_number: newCard(draw), order_amount: amountOf(draw) };
    return ask(order, merchant.card.payoutBody(values));
  },
  schedule,
  schedule,
  payByMethod,
  checkout,
  checkout,
];

/** A payment by redirect over S2S APM, refunded later. */
async function payByMethod(customer: Customer) {
  const { draw, order, ask, world, merchant } = customer;
  const { apm } = merchant;
  const more = { brand: redirectMethod, identifier: 'payer-1', order_id: order, order_amount: amountOf(draw) };
  const body = apm.signed(apm.chargeBody('SALE', more));
  const sold = await ask(order, body, 'apm');
  if (!sold?.trans_id) return;
  const transId = String(sold.trans_id);
  const question = () => customer.merchant.apm.followBody('GET_TRANS_STATUS', { transId });
  world.belongings.push({ owner: merchant, requests: (as) => [['apm', as.apm.followBody('CREDITVOID', { transId })]] });
  const about = { order: merchant.orderOf(order), transId };
  world.questions.push({ ...about, ask: async () => (await world.query(merchant, 'apm', question()))?.status });
  await world.sleep(draw() * 120_000);
  const found = await ask(order, question(), 'apm');
  if (found?.status !== 'SETTLED') return;
  await ask(order, customer.merchant.apm.followBody('CREDITVOID', { transId }, { amount: part(draw) }), 'apm');
}
