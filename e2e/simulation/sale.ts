// A sale of S2S CARD in a history, and what follows it.
import { newCard } from '../chaos/checkout-clients.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { amountOf, type Customer } from './customer.ts';
import type { Body, Fields } from './requests.ts';
import { addresses, merchant as credentials, cvv, serviceOrigin } from './settings.ts';

export const merchant = cardMerchant(serviceOrigin, credentials, addresses as ShopServer);

/** A sale with its answer. `card`: its first six and last four digits. */
export type Sold = { orderId: string; transId: string; email: string; card: string; answer: Body };

/** Sells by S2S CARD. Null if there was no answer. */
export async function sell({ world, draw, order, ask }: Customer, more: Fields = {}): Promise<Sold | null> {
  const number = newCard(draw);
  const values = { order_id: order, order_amount: amountOf(draw), card_number: number, card_cvv2: cvv, ...more };
  const body = merchant.signed(merchant.chargeBody('SALE', values));
  const answer = await ask(order, body);
  if (!answer?.trans_id) return null;
  const card = `${number.slice(0, 6)}${number.slice(-4)}`;
  const sold = { orderId: order, transId: String(answer.trans_id), email: String(body.payer_email), card, answer };
  const question = merchant.followBody('GET_TRANS_STATUS', sold);
  world.questions.push({
    order,
    transId: sold.transId,
    ask: async () => (await world.query('card', question))?.status,
  });
  return sold;
}

/** Waits until the payment has an outcome, by asking for it. */
export async function settled(customer: Customer, sold: Sold | null): Promise<Sold | null> {
  if (!sold || sold.answer.result === 'SUCCESS' || sold.answer.result === 'DECLINED') return sold;
  for (let asked = 0; asked < 4; asked += 1) {
    await customer.world.sleep(5_000 + customer.draw() * 30_000);
    const answer = await customer.ask(sold.orderId, merchant.followBody('GET_TRANS_STATUS', sold));
    if (answer && !['PREPARE', 'REDIRECT', '3DS'].includes(answer.status)) return { ...sold, answer };
  }
  return sold;
}

/** Captures, refunds, voids or repeats a sale. */
export const modify = (customer: Customer, sold: Sold, action: string, more: Fields = {}) =>
  customer.ask(sold.orderId, merchant.followBody(action, sold, more));
