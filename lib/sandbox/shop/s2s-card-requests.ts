// The demo shop's S2S CARD requests: sales by its own card form or with a saved card, modifications, and the schedules
// of both protocols. A card passes through on its way to Florin; only the masked number is stored.
import { maskOf, parseExpiry } from '../../core/cards';
import { demoMerchant } from '../../core/demo-merchant';
import { customer, type Refused, refusalOf } from './checkout-requests';
import { callbackUrl, type Exchange, hashOf, postCard } from './florin-http';
import type { Sale } from './form-schemas';
import { type Action, type SubscriptionAction, stateOf } from './order-model';
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

/** The card of a sale: as typed, or a saved one. */
export type Instrument = { typed: Sale } | { saved: { token: string; card: string } };

const [firstName, lastName] = customer.name.split(' ');
const payerEmail = customer.email;

/** Pays the order. A declined or rejected one may be repeated with a new order_id. */
export async function sell(order: Order, instrument: Instrument, { origin, payerIp }: Visit): Promise<Refused> {
  const card = 'typed' in instrument ? maskOf(instrument.typed.number) : instrument.saved.card;
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
    ...fieldsOf(instrument),
    payer_first_name: firstName,
    payer_last_name: lastName,
    payer_email: payerEmail,
    payer_phone: '46701740605',
    payer_ip: payerIp,
    payer_language: order.language ?? undefined,
    term_url_3ds: `${origin}/shop/${order.id}?back=bank`,
    callback_url: callbackUrl(order.id),
    auth: order.authorize_only ? 'Y' : undefined,
    req_token: order.request_token && 'typed' in instrument ? 'Y' : undefined,
    recurring_init: order.recurring_init ? 'Y' : undefined,
    schedule_id: schedule_id ?? undefined,
    payment_schedule_amount: schedule_id && schedule_amount !== amount ? (schedule_amount ?? undefined) : undefined,
    'custom_data[item]': order.item,
    hash: signedBy(instrument),
  });
  await storeSale(order, sale, exchange);
  await storeNextStep(order.id, exchange.answer);
  return applyAnswer(order, exchange);
}

/** Why a sale is not made while another one precedes it. */
export const underWay: Refused = { code: '', message: 'A payment of this order is under way.' };

/** Stores the result of an attempt. Without a response the sale may have been made; its callback will report it. */
export async function storeSale(order: Order, { number }: SaleRow, { ok, step, answer }: Exchange): Promise<void> {
  if (ok && typeof answer.trans_id === 'string') await setSaleTransaction(number, answer.trans_id);
  if (!ok && step.status !== null) await endSale(order.id);
}

function fieldsOf(instrument: Instrument): Record<string, string> {
  if ('saved' in instrument) return { card_token: instrument.saved.token };
  const { number, expiry, cvv } = instrument.typed;
  const { month, year } = parseExpiry(expiry) ?? { month: 0, year: 0 };
  return {
    card_number: number,
    card_exp_month: String(month).padStart(2, '0'),
    card_exp_year: String(year),
    card_cvv2: cvv,
  };
}

function signedBy(instrument: Instrument): string {
  if ('saved' in instrument) return hashOf('card1Token', { payerEmail, cardToken: instrument.saved.token });
  return hashOf('card1', { payerEmail, fragment: fragmentOf(maskOf(instrument.typed.number)) });
}

/** The first six and last four digits of a masked card, which Florin signs. */
export const fragmentOf = (masked: string): string => masked.slice(0, 6) + masked.slice(-4);

/** Stores the payer's next step from a response of either protocol; returns whether there is one. */
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

/** The identifying and signed fields of an order's sale: formula 2. */
async function modificationFields(order: Order, action: string): Promise<Record<string, string>> {
  const sale = await lastSaleOf(order.id);
  const transId = sale?.trans_id ?? '';
  const hash = hashOf('card2', { payerEmail, transId, fragment: fragmentOf(sale?.card ?? '') });
  return { action, client_key: demoMerchant.key, trans_id: transId, hash };
}

/** Requests the status of the order's last sale, by order_id if the transaction is unknown. */
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

/** The S2S action of a refund, capture or void. CREDITVOID voids an authorisation as well as refunding. */
export function modificationAction({ state }: Order, action: Action): string {
  if (action === 'capture') return 'CAPTURE';
  return action === 'void' && state !== 'pending' ? 'VOID' : 'CREDITVOID';
}

/** Charges the chain of `first` again, for `order`; signed over the first payment. */
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

/** Creates the order's schedule: daily, as often as the shop delivers. */
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

/** Pauses or resumes the order's schedule, or ends the subscription. Each order has its own schedule. */
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

/** Applies an S2S response: the state of a sale or status. Callbacks report modifications. */
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
