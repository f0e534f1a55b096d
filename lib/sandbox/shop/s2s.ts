// What the demo shop asks over S2S CARD: the sale of its own card form or of a saved card, what may follow it, and the
// schedules that both protocols charge by. A card passes through here on its way to Florin and is kept nowhere but masked.
import { maskOf, parseExpiry } from '../../core/cards';
import { demoMerchant } from '../../core/demo';
import type { Sale } from './basket';
import { customer, type Refused, refusalOf } from './florin';
import { type Action, type SubscriptionAction, stateOf } from './model';
import {
  addStep,
  beginSale,
  changeOrder,
  endSale,
  lastSaleOf,
  type Order,
  type SaleRow,
  setAnsweredState,
  setSaleTransaction,
  setState,
} from './orders';
import { deliveries } from './products';
import type { Visit } from './visitor';
import { callbackUrl, type Exchange, hashOf, postCard } from './wire';

/** How a sale is paid: with a card as it was typed, or with one that was saved. */
export type Means = { typed: Sale } | { saved: { token: string; card: string } };

const [firstName, lastName] = customer.name.split(' ');
const payerEmail = customer.email;

/** Pays the order. Declined and refused ones may be tried again, under an order_id of their own. */
export async function sell(order: Order, means: Means, { origin, payerIp }: Visit): Promise<Refused> {
  const card = 'typed' in means ? maskOf(means.typed.number) : means.saved.card;
  const sale = await beginSale(order, card);
  if (!sale) return underWay;
  const { schedule_id, schedule_amount, amount } = order;
  const exchange = await postCard('sale', {
    action: 'SALE',
    client_key: demoMerchant.key,
    order_id: sale.number,
    order_amount: amount,
    order_currency: order.currency,
    order_description: order.description,
    ...fieldsOf(means),
    payer_first_name: firstName,
    payer_last_name: lastName,
    payer_email: payerEmail,
    payer_phone: '46701740605',
    payer_ip: payerIp,
    payer_language: order.language ?? undefined,
    term_url_3ds: `${origin}/shop/${order.id}?back=bank`,
    callback_url: callbackUrl(order.id),
    auth: order.authorize_only ? 'Y' : undefined,
    req_token: order.request_token && 'typed' in means ? 'Y' : undefined,
    recurring_init: order.recurring_init ? 'Y' : undefined,
    schedule_id: schedule_id ?? undefined,
    payment_schedule_amount: schedule_id && schedule_amount !== amount ? (schedule_amount ?? undefined) : undefined,
    'custom_data[item]': order.item,
    hash: signedBy(means),
  });
  await storeSale(order, sale, exchange);
  await storeNextStep(order.id, exchange.answer);
  return applyAnswer(order, exchange);
}

/** Why a sale that another one precedes is not made. */
export const underWay: Refused = { code: '', message: 'A payment of this order is under way.' };

/** Takes over what came of an attempt. No answer is none: the sale may have been made, and its callback will tell. */
export async function storeSale(order: Order, { number }: SaleRow, { ok, step, answer }: Exchange): Promise<void> {
  if (ok && typeof answer.trans_id === 'string') await setSaleTransaction(number, answer.trans_id);
  if (!ok && step.status !== null) await endSale(order.id);
}

function fieldsOf(means: Means): Record<string, string> {
  if ('saved' in means) return { card_token: means.saved.token };
  const { number, expiry, cvv } = means.typed;
  const { month, year } = parseExpiry(expiry) ?? { month: 0, year: 0 };
  return {
    card_number: number,
    card_exp_month: String(month).padStart(2, '0'),
    card_exp_year: String(year),
    card_cvv2: cvv,
  };
}

function signedBy(means: Means): string {
  if ('saved' in means) return hashOf('card1Token', { payerEmail, cardToken: means.saved.token });
  return hashOf('card1', { payerEmail, fragment: fragmentOf(maskOf(means.typed.number)) });
}

/** The first six and the last four digits of a masked card, over which Florin signs. */
export const fragmentOf = (masked: string): string => masked.slice(0, 6) + masked.slice(-4);

/** Takes over where the payer has to go to, from an answer of either protocol; whether there is such a place. */
export async function storeNextStep(orderId: string, answer: Record<string, unknown>): Promise<boolean> {
  const { redirect_url: url, redirect_method, redirect_params } = answer;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) {
    await changeOrder(orderId, { next: null });
    return false;
  }
  const params = typeof redirect_params === 'object' && redirect_params !== null ? redirect_params : {};
  const method = redirect_method === 'POST' ? 'POST' : 'GET';
  await changeOrder(orderId, { next: JSON.stringify({ url, method, params }) });
  return true;
}

/** What later requests about an order's sale name and are signed over: formula 2. */
async function modificationFields(order: Order, action: string): Promise<Record<string, string>> {
  const sale = await lastSaleOf(order.id);
  const transId = sale?.trans_id ?? '';
  const hash = hashOf('card2', { payerEmail, transId, fragment: fragmentOf(sale?.card ?? '') });
  return { action, client_key: demoMerchant.key, trans_id: transId, hash };
}

/** Asks for the status of the order's last sale, by its order_id where no answer has told the transaction. */
export async function requestSaleStatus(order: Order): Promise<Refused> {
  const sale = await lastSaleOf(order.id);
  if (sale?.trans_id)
    return applyAnswer(order, await postCard('status', await modificationFields(order, 'GET_TRANS_STATUS')));
  const orderId = sale?.number ?? order.number;
  const exchange = await postCard('status', {
    action: 'GET_TRANS_STATUS_BY_ORDER',
    client_key: demoMerchant.key,
    order_id: orderId,
    hash: hashOf('card7', { payerEmail, orderId, fragment: fragmentOf(sale?.card ?? '') }),
  });
  return applyAnswer(order, exchange);
}

/** Refunds, captures or voids the order's sale. */
export async function modifySale(order: Order, action: Action, amount: string | undefined): Promise<Refused> {
  const fields = await modificationFields(order, modificationAction(order, action));
  return applyAnswer(order, await postCard(action, { ...fields, amount: action === 'void' ? undefined : amount }));
}

/** The action of S2S that refunds, captures or voids. A hold is released by CREDITVOID, as a refund is made. */
export function modificationAction({ state }: Order, action: Action): string {
  if (action === 'capture') return 'CAPTURE';
  return action === 'void' && state !== 'pending' ? 'VOID' : 'CREDITVOID';
}

/** Charges the chain of `first` once more, for `order`; signed over the first payment. */
export async function sellAgain(first: Order, order: Order): Promise<Refused> {
  const card = (await lastSaleOf(first.id))?.card ?? '';
  const sale = await beginSale(order, card);
  if (!sale) return underWay;
  const exchange = await postCard('again', {
    action: 'RECURRING_SALE',
    client_key: demoMerchant.key,
    order_id: sale.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    recurring_first_trans_id: first.first_trans_id ?? '',
    recurring_token: first.recurring_token ?? '',
    callback_url: callbackUrl(order.id),
    hash: hashOf('card1', { payerEmail, fragment: fragmentOf(card) }),
  });
  await storeSale(order, sale, exchange);
  return applyAnswer(order, exchange);
}

/** Makes the schedule by which the order is charged: every day, as often as the shop sends. */
export async function createSchedule(
  order: Order,
): Promise<{ scheduleId: string } | { refused: NonNullable<Refused> }> {
  const exchange = await postCard('schedule', {
    action: 'CREATE_SCHEDULE',
    client_key: demoMerchant.key,
    name: `${order.number}, every day`,
    interval_length: '1',
    interval_unit: 'day',
    payments_count: String(deliveries),
    hash: hashOf('card3', {}),
  });
  await addStep(order.id, exchange.step);
  const { schedule_id: scheduleId } = exchange.answer;
  if (!exchange.ok || typeof scheduleId !== 'string') {
    return { refused: refusalOf(exchange) ?? { code: '', message: 'Florin made no schedule.' } };
  }
  await changeOrder(order.id, { schedule_id: scheduleId });
  return { scheduleId };
}

const scheduleActions = {
  pause: { action: 'PAUSE_SCHEDULE', state: 'paused' },
  run: { action: 'RUN_SCHEDULE', state: 'active' },
  deschedule: { action: 'DESCHEDULE', state: 'cancelled' },
} as const;

/** Pauses the order's schedule, runs it again, or ends the subscription. The schedule is the order's own. */
export async function changeSchedule(order: Order, name: Exclude<SubscriptionAction, 'again'>): Promise<Refused> {
  const { action, state } = scheduleActions[name];
  const scheduleId = order.schedule_id ?? '';
  const exchange = await postCard(name, {
    action,
    client_key: demoMerchant.key,
    schedule_id: scheduleId,
    recurring_token: name === 'deschedule' ? (order.recurring_token ?? '') : undefined,
    hash: hashOf('card4', { scheduleId }),
  });
  if (exchange.ok) await changeOrder(order.id, { subscription: state });
  await addStep(order.id, exchange.step);
  return refusalOf(exchange);
}

/** Takes over what an answer of S2S tells: of a sale or a status the state. What follows a sale is told by callback. */
export async function applyAnswer(order: Order, exchange: Exchange): Promise<Refused> {
  const { ok, step, answer } = exchange;
  const { status, result, decline_reason } = answer;
  if (ok && typeof status === 'string') {
    if (step.name === 'status') await setState(order.id, stateOf(status), null);
    if (step.name === 'sale' || step.name === 'again') await setAnsweredState(order.id, stateOf(status));
  }
  await addStep(order.id, step);
  if (ok && result === 'DECLINED') return { code: '', message: String(decline_reason ?? 'Declined.') };
  return refusalOf(exchange);
}
