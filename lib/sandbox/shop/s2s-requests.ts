// The demo shop's S2S requests: sales over S2S CARD (its own card form, a saved card) and S2S APM (the test wallet),
// their modifications, and the schedules of both protocols. A card passes through on its way to Florin; only the masked
// number is stored.
import { fragmentOf, maskOf, parseExpiry } from '../../core/cards.ts';
import { demoMerchant } from '../../core/demo-merchant.ts';
import { customer } from './checkout-requests.ts';
import {
  callbackUrl,
  type Exchange,
  type FormFields,
  hashOf,
  type Refused,
  receive,
  refusalOf,
  sendForm,
} from './florin-http.ts';
import type { Sale } from './form-schemas.ts';
import { type Action, type CallName, type SubscriptionAction, stateOf } from './order-model.ts';
import * as orders from './orders.ts';
import { deliveries } from './products.ts';
import type { Visit } from './requests.ts';
import { fail } from './requests.ts';

/** How a sale is paid: a card as typed, a saved one, or an account of the test wallet. */
export type Instrument = { typed: Sale } | { saved: { token: string; card: string } } | { identifier: string };

const [firstName, lastName] = customer.name.split(' ');
const payerEmail = customer.email;
const flag = (isSet: boolean) => (isSet ? 'Y' : undefined);

/** Sends an action over the order's protocol; wallets have one of their own. */
const send = (order: orders.Order, name: CallName, action: string, fields: FormFields): Promise<Exchange> =>
  sendForm(name, orders.protocolOf(order) === 's2s_apm' ? 'apm' : 'card', {
    action,
    client_key: demoMerchant.key,
    ...fields,
  });

/** Pays the order. A declined or rejected one may be repeated with a new order_id. */
export async function sell(order: orders.Order, instrument: Instrument, { origin, payerIp }: Visit): Promise<Refused> {
  const back = `${origin}/shop/${order.id}?back=bank`;
  const fields = { payer_email: payerEmail, payer_ip: payerIp, auth: flag(order.authorizeOnly) };
  if ('identifier' in instrument) {
    const { identifier } = instrument;
    const { amount, currency } = order;
    return attempt(order, '', 'sale', 'SALE', (orderId) => ({
      brand: 'vcard',
      identifier,
      ...fields,
      return_url: back,
      hash: hashOf('apmSale', { identifier, orderId, amount, currency }),
    }));
  }
  const card = 'typed' in instrument ? maskOf(instrument.typed.number) : instrument.saved.card;
  const { scheduleId, scheduleAmount, amount } = order;
  return attempt(order, card, 'sale', 'SALE', () => ({
    ...cardFields(instrument),
    ...fields,
    payer_first_name: firstName,
    payer_last_name: lastName,
    payer_phone: '46701740605',
    payer_language: order.language ?? undefined,
    term_url_3ds: back,
    req_token: flag(order.requestToken && 'typed' in instrument),
    recurring_init: flag(order.recurringInit),
    schedule_id: scheduleId ?? undefined,
    payment_schedule_amount: scheduleId && scheduleAmount !== amount ? (scheduleAmount ?? undefined) : undefined,
    'custom_data[item]': order.item,
  }));
}

/** Charges the chain of `first` again, for `order`; signed over the first payment. */
export async function sellAgain(first: orders.Order, order: orders.Order): Promise<Refused> {
  const card = (await orders.lastSaleOf(first.id))?.card ?? '';
  return attempt(order, card, 'again', 'RECURRING_SALE', () => ({
    recurring_first_trans_id: first.firstTransId ?? '',
    recurring_token: first.recurringToken ?? '',
    hash: hashOf('card1', { payerEmail, fragment: fragmentOf(card) }),
  }));
}

/** Makes a payment of its own for the order, unless another one precedes it. */
async function attempt(
  order: orders.Order,
  card: string,
  name: 'sale' | 'again',
  action: string,
  fieldsOf: (orderId: string) => FormFields,
): Promise<Refused> {
  const sale = await orders.beginSale(order, card);
  if (!sale) return { code: '', message: 'A payment of this order is under way.' };
  const exchange = await send(order, name, action, {
    order_id: sale.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    callback_url: callbackUrl(order.id),
    ...fieldsOf(sale.number),
  });
  const { ok, step, answer } = exchange;
  // Without a response the sale may have been made; its callback will report it.
  if (!ok && step.status !== null) await orders.endSale(order.id);
  if (ok && typeof answer.trans_id === 'string') await orders.setSaleTransaction(sale.number, answer.trans_id);
  if (name === 'sale') await storeNextStep(order.id, answer);
  if (ok && typeof answer.status === 'string') await orders.setAnsweredState(order.id, stateOf(answer.status));
  return receive(order, exchange);
}

function cardFields(instrument: Exclude<Instrument, { identifier: string }>): Record<string, string> {
  if ('saved' in instrument) {
    const { token } = instrument.saved;
    return { card_token: token, hash: hashOf('card1Token', { payerEmail, cardToken: token }) };
  }
  const { number, expiry, cvv } = instrument.typed;
  const { month, year } = parseExpiry(expiry) ?? { month: 0, year: 0 };
  return {
    card_number: number,
    card_exp_month: String(month).padStart(2, '0'),
    card_exp_year: String(year),
    card_cvv2: cvv,
    hash: hashOf('card1', { payerEmail, fragment: fragmentOf(number) }),
  };
}

/** Stores the payer's next step from a response of any protocol. */
export async function storeNextStep(orderId: string, answer: Record<string, unknown>): Promise<void> {
  const { redirect_url: url, redirect_method, redirect_params } = answer;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return orders.changeOrder(orderId, { next: null });
  const params = typeof redirect_params === 'object' ? (redirect_params as Record<string, string> | null) : null;
  const method = redirect_method === 'POST' ? 'POST' : 'GET';
  await orders.changeOrder(orderId, { next: { url, method, params: params ?? {} } });
}

/** Sends an action on the order's last sale, signed over the transaction; CREDITVOID of a wallet has its own hash. */
async function sendForSale(order: orders.Order, name: CallName, action: string, amount?: string): Promise<Refused> {
  const sale = await orders.lastSaleOf(order.id);
  const transId = sale?.transId ?? '';
  const hash =
    orders.protocolOf(order) === 's2s_apm'
      ? hashOf(action === 'CREDITVOID' ? 'apmCreditVoid' : 'apmFollow', { transId })
      : hashOf('card2', { payerEmail, transId, fragment: fragmentOf(sale?.card ?? '') });
  return receive(order, await send(order, name, action, { trans_id: transId, hash, amount }));
}

/** Requests the status of the order's last sale; that of a card by order_id if the transaction is unknown. */
export async function requestSaleStatus(order: orders.Order): Promise<Refused> {
  const sale = await orders.lastSaleOf(order.id);
  if (sale?.transId || orders.protocolOf(order) === 's2s_apm') return sendForSale(order, 'status', 'GET_TRANS_STATUS');
  const orderId = sale?.number ?? order.number;
  const hash = hashOf('card7', { payerEmail, orderId, fragment: fragmentOf(sale?.card ?? '') });
  return receive(order, await send(order, 'status', 'GET_TRANS_STATUS_BY_ORDER', { order_id: orderId, hash }));
}

/** Refunds, captures or voids the order's sale. CREDITVOID voids an authorisation as well as refunding. */
export async function modifySale(order: orders.Order, action: Action, amount: string | undefined): Promise<Refused> {
  if (action === 'capture') return sendForSale(order, action, 'CAPTURE', amount);
  if (action === 'refund') return sendForSale(order, action, 'CREDITVOID', amount);
  return sendForSale(order, action, order.state === 'pending' ? 'CREDITVOID' : 'VOID');
}

/** Creates the order's schedule over S2S CARD: daily, as often as the shop delivers. Rejects the request without one. */
export async function createSchedule(order: orders.Order): Promise<void> {
  const exchange = await sendForm('schedule', 'card', {
    action: 'CREATE_SCHEDULE',
    client_key: demoMerchant.key,
    name: `${order.number}, every day`,
    interval_length: '1',
    interval_unit: 'day',
    payments_count: String(deliveries),
    hash: hashOf('card3', {}),
  });
  await orders.addStep(order.id, exchange.step);
  const { schedule_id: scheduleId } = exchange.answer;
  const error = refusalOf(exchange) ?? { code: '', message: 'Florin made no schedule.' };
  if (!exchange.ok || typeof scheduleId !== 'string') return fail(502, { error });
  await orders.changeOrder(order.id, { scheduleId });
}

const scheduleActions = {
  pause: { action: 'PAUSE_SCHEDULE', subscription: 'paused' },
  run: { action: 'RUN_SCHEDULE', subscription: 'active' },
  deschedule: { action: 'DESCHEDULE', subscription: 'cancelled' },
} as const;

/** Pauses or resumes the order's schedule, or ends the subscription. Each order has its own schedule. */
export async function changeSchedule(
  order: orders.Order,
  name: Exclude<SubscriptionAction, 'again'>,
): Promise<Refused> {
  const { action, subscription } = scheduleActions[name];
  const scheduleId = order.scheduleId ?? '';
  const exchange = await sendForm(name, 'card', {
    action,
    client_key: demoMerchant.key,
    schedule_id: scheduleId,
    recurring_token: name === 'deschedule' ? (order.recurringToken ?? '') : undefined,
    hash: hashOf('card4', { scheduleId }),
  });
  if (exchange.ok) await orders.changeOrder(order.id, { subscription });
  await orders.addStep(order.id, exchange.step);
  return refusalOf(exchange);
}
