// The demo shop's Checkout requests: sessions, hosted-fields payments, status, modifications and recurring payments.
// The order's log gets each request and response, rejected ones included.
import { demoMerchant } from '../../core/demo-merchant.ts';
import { callbackUrl, type Exchange, hashOf, type Refused, receive, refusalOf, sendJson } from './florin-http.ts';
import type { Action } from './order-model.ts';
import { addStep, changeOrder, type Order } from './orders.ts';
import { fail } from './requests.ts';

/** The demo shop's customer. */
export const customer = { name: 'Mia Lindqvist', email: 'mia.lindqvist@mail.example' };

const noPage = { code: '', message: 'Florin answered without an address to pay at.' };

/** Creates the session, with `more` over the shop's own fields, and stores the page's address in the order. */
export async function openSession(
  order: Order,
  origin: string,
  more: { [name: string]: unknown } = {},
): Promise<{ pageUrl: string } | { refused: NonNullable<Refused> }> {
  const back = `${origin}/shop/${order.id}`;
  const exchange = await sendJson('session', '/api/v1/session', {
    ...orderBody(order),
    methods: ['card'],
    success_url: `${back}?back=success`,
    cancel_url: `${back}?back=cancel`,
    error_url: `${back}?back=error`,
    expiry_url: `${back}?back=expiry`,
    customer,
    ...(order.language && { billing_address: { language: order.language } }),
    ...more,
  });
  await addStep(order.id, exchange.step);
  const pageUrl = exchange.answer.redirect_url;
  if (!exchange.ok || typeof pageUrl !== 'string') return { refused: refusalOf(exchange) ?? noPage };
  await changeOrder(order.id, { pageUrl });
  return { pageUrl };
}

/**
 * Creates a hosted-fields session; the payer returns to `returnUrl`. `payerIp` is included because the shop's server
 * sends the request. Returns the exchange as well, for display. Rejects the payer's request if Florin refuses.
 */
export async function createSessionToken(
  order: Order,
  { returnUrl, payerIp, methods }: { returnUrl: string; payerIp: string; methods: string[] },
): Promise<{ token: string; exchange: Exchange }> {
  const exchange = await sendJson('token', '/api/v1/session/token', {
    ...orderBody(order),
    methods,
    return_url: returnUrl,
    customer: { ...customer, ip: payerIp },
  });
  await addStep(order.id, exchange.step);
  const { token } = exchange.answer;
  if (!exchange.ok || typeof token !== 'string') return fail(502, { error: refusalOf(exchange) ?? noPage });
  await changeOrder(order.id, { fieldsToken: token });
  return { token, exchange };
}

/** Pays with the content of the hosted fields; the shop never receives the card. */
export async function processFields(order: Order, fields: object): Promise<Exchange> {
  const language = order.language ? { selected_language: order.language } : {};
  const body = { with_hosted_fields: true, ...language, ...fields };
  const token = order.fieldsToken ?? '';
  const exchange = await sendJson('process', '/api/v1/processing/purchase/card', body, { token });
  await addStep(order.id, exchange.step);
  return exchange;
}

function orderBody(order: Order) {
  const { id, number, amount, currency, description, item, scheduleId, scheduleAmount } = order;
  return {
    merchant_key: demoMerchant.key,
    operation: 'purchase',
    order: { number, amount, currency, description },
    ...(order.authorizeOnly && { auth: true }),
    ...(order.recurringInit && { recurring_init: true }),
    ...(scheduleId && { schedule_id: scheduleId }),
    ...(scheduleId && scheduleAmount !== amount && { payment_schedule_amount: scheduleAmount }),
    ...(order.requestToken && { req_token: true }),
    notification_url: callbackUrl(id),
    custom_data: { item },
    hash: hashOf('session', { orderId: number, amount, currency, description }),
  };
}

/** Requests the status, by payment_id if known, else by order_id. */
export async function requestStatus(order: Order): Promise<Refused> {
  const { paymentId, number } = order;
  const exchange = await sendJson('status', '/api/v1/payment/status', {
    merchant_key: demoMerchant.key,
    ...(paymentId ? { payment_id: paymentId } : { order_id: number }),
    hash: paymentId ? hashOf('statusByPayment', { paymentId }) : hashOf('statusByOrder', { orderId: number }),
  });
  return receive(order, exchange);
}

/** Refunds, captures or voids. Without `amount`, the full remaining amount. */
export async function modifyPayment(order: Order, action: Action, amount: string | undefined): Promise<Refused> {
  const paymentId = order.paymentId ?? '';
  const exchange = await sendJson(action, `/api/v1/payment/${action}`, {
    merchant_key: demoMerchant.key,
    payment_id: paymentId,
    ...(action !== 'void' && amount && { amount }),
    hash: action === 'void' ? hashOf('wholePayment', { paymentId }) : hashOf('amountOfPayment', { paymentId, amount }),
  });
  return receive(order, exchange);
}

/** Charges the chain of `first` again, for `order`. The response comes with the outcome. */
export async function chargeAgain(first: Order, order: Order): Promise<Refused> {
  const { number, amount, currency, description } = order;
  const [recurringInitTransId, recurringToken] = [first.firstTransId ?? '', first.recurringToken ?? ''];
  const values = { recurringInitTransId, recurringToken, orderId: number, amount, description };
  const exchange = await sendJson('again', '/api/v1/payment/recurring', {
    merchant_key: demoMerchant.key,
    recurring_init_trans_id: recurringInitTransId,
    recurring_token: recurringToken,
    order: { number, amount, currency, description },
    notification_url: callbackUrl(order.id),
    hash: hashOf('recurring', values),
  });
  return receive(order, exchange);
}

/** Deletes a saved card at Florin; logged in the order that saved it. */
export async function forgetToken(orderId: string, cardToken: string): Promise<Refused> {
  const exchange = await sendJson('forget', '/api/v1/card_token/remove', {
    merchant_key: demoMerchant.key,
    card_token: cardToken,
    hash: hashOf('cardToken', { cardToken }),
  });
  await addStep(orderId, exchange.step);
  return refusalOf(exchange);
}
