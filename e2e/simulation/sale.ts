// A sale of S2S CARD in a history, and what follows it.
import { newCard } from '../chaos/checkout-clients.ts';
import { amountOf, type Customer } from './customer.ts';
import type { Merchant } from './merchants.ts';
import type { Asked, Body, Fields } from './requests.ts';
import { cvv } from './settings.ts';
import type { World } from './world.ts';

/** A payment with its action and its answer. `card`: its first six and last four digits. */
export type Sold = { action: string; orderId: string; transId: string; email: string; card: string; answer: Body };

const followUps = ['GET_TRANS_STATUS', 'CAPTURE', 'CREDITVOID', 'VOID', 'RETRY'];

/** Sells by S2S CARD, at times by a debit or a transfer to another card. Null if there was no answer. */
export async function sell(customer: Customer, more: Fields = {}): Promise<Sold | null> {
  const { world, draw, order, merchant, ask } = customer;
  const { card: shop } = merchant;
  const number = cardOf(world, newCard(draw));
  const values = { order_id: order, order_amount: amountOf(draw), card_number: number, card_cvv2: cvv, ...more };
  const action = actionOf(world, more);
  const body = shop.signed(shop.chargeBody(action, values));
  const answer = await ask(order, body);
  if (!answer?.trans_id) return null;
  const card = `${number.slice(0, 6)}${number.slice(-4)}`;
  const sold = {
    action,
    orderId: order,
    transId: String(answer.trans_id),
    email: String(body.payer_email),
    card,
    answer,
  };
  const requests = (as: Merchant) =>
    followUps.map((action): [Asked['protocol'], Fields] => ['card', as.card.followBody(action, sold)]);
  world.belongings.push({ owner: merchant, requests });
  const question = () => customer.merchant.card.followBody('GET_TRANS_STATUS', sold);
  world.questions.push({
    order: merchant.orderOf(order),
    transId: sold.transId,
    ask: async () => (await world.query(merchant, 'card', question()))?.status,
  });
  return sold;
}

/** Authorisations are sales; a transfer begins no chain of charges. */
function actionOf({ chance }: World, more: Fields): string {
  const draw = chance.draws('action');
  if (more.auth || !chance.joins('debits') || draw() < 0.3) return 'SALE';
  return Object.keys(more).length === 0 && draw() < 0.3 ? 'CARD2CARD' : 'DEBIT';
}

/** A card that pays: at times both merchants have the same one. */
const cardOf = ({ merchants, chance, cards }: World, own: string) =>
  (merchants.length > 1 && chance.draws('shared card')() < 0.5 && [...cards][0]) || own;

/** Waits until the payment has an outcome, by asking for it. */
export async function settled(customer: Customer, sold: Sold | null): Promise<Sold | null> {
  if (!sold || sold.answer.result === 'SUCCESS' || sold.answer.result === 'DECLINED') return sold;
  for (let asked = 0; asked < 4; asked += 1) {
    await customer.world.sleep(5_000 + customer.draw() * 30_000);
    const answer = await customer.ask(sold.orderId, customer.merchant.card.followBody('GET_TRANS_STATUS', sold));
    if (answer && !['PREPARE', 'REDIRECT', '3DS'].includes(answer.status)) return { ...sold, answer };
  }
  return sold;
}

/** Captures, refunds, voids or repeats a sale. */
export const modify = (customer: Customer, sold: Sold, action: string, more: Fields = {}) =>
  customer.ask(sold.orderId, customer.merchant.card.followBody(action, sold, more));
