// The demo shop's Checkout requests: sessions, hosted-fields payments, status, modifications and recurring payments.
// The order's log gets each request and response, rejected ones included.
import { demoMerchant } from '../../core/demo-merchant';
import { callbackUrl, type Exchange, hashOf, post } from './florin-http';
import type { Action } from './order-model';
import { addStep, changeOrder, type Order, setPayment, setState } from './orders';

/** Florin's error message; null without an error. */
export type Refused = { code: string; message: string } | null;

/** The demo shop's customer. */
export const customer = { name: 'Mia Lindqvist', email: 'mia.lindqvist@mail.example' };

/**
 * Creates the session and stores the payment page's address in the order. `origin` is the shop's address in the payer's
 * browser. `more` overrides the shop's own fields.
 */
export async function openSession(
  order: Order,
  origin: string,
  more: { [name: string]: unknown } = {},
): Promise<{ pageUrl: string } | { refused: NonNullable<Refused> }> {
  const back = `${origin}/shop/${order.id}`;
  const exchange = await post('session', '/api/v1/session', {
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
  await changeOrder(order.id, { page_url: pageUrl });
  return { pageUrl };
}

/**
 * Creates a hosted-fields session; the payer returns to `returnUrl`. `payerIp` is included because the shop's server
 * sends the request. Returns the exchange as well, for display.
 */
export async function createSessionToken(
  order: Order,
  { returnUrl, payerIp, methods }: { returnUrl: string; payerIp: string; methods: string[] },
): Promise<{ token: string; exchange: Exchange } | { refused: NonNullable<Refused> }> {
  const exchange = await post('token', '/api/v1/session/token', {
    ...orderBody(order),
    methods,
    return_url: returnUrl,
    customer: { ...customer, ip: payerIp },
  });
  await addStep(order.id, exchange.step);
  const { token } = exchange.answer;
  if (!exchange.ok || typeof token !== 'string') return { refused: refusalOf(exchange) ?? noPage };
  await changeOrder(order.id, { fields_token: token });
  return { token, exchange };
}

/** Pays with the content of the hosted fields; the shop never receives the card. */
export async function processFields(order: Order, body: object): Promise<Exchange> {
  const path = '/api/v1/processing/purchase/card';
  const language = order.language ? { selected_language: order.language } : {};
  const exchange = await post(
    'process',
    path,
    { with_hosted_fields: true, ...language, ...body },
    { token: order.fields_token ?? '' },
  );
  await addStep(order.id, exchange.step);
  return exchange;
}

/** The order's fields in both kinds of session. */
function orderBody(order: Order) {
  const { id, number, amount, currency, description, item, schedule_id } = order;
  return {
    merchant_key: demoMerchant.key,
    operation: 'purchase',
    order: { number, amount, currency, description },
    ...(order.authorize_only && { auth: true }),
    ...(order.recurring_init && { recurring_init: true }),
    ...(schedule_id && { schedule_id }),
    ...(schedule_id && order.schedule_amount !== amount && { payment_schedule_amount: order.schedule_amount }),
    ...(order.request_token && { req_token: true }),
    notification_url: callbackUrl(id),
    custom_data: { item },
    hash: hashOf('session', { orderId: number, amount, currency, description }),
  };
}

const noPage = { code: '', message: 'Florin answered without an address to pay at.' };

/** Requests the status, by payment_id if known, else by order_id. */
export async function requestStatus(order: Order): Promise<Refused> {
  const { payment_id: paymentId, number } = order;
  const exchange = await post('status', '/api/v1/payment/status', {
    merchant_key: demoMerchant.key,
    ...(paymentId ? { payment_id: paymentId } : { order_id: number }),
    hash: paymentId ? hashOf('statusByPayment', { paymentId }) : hashOf('statusByOrder', { orderId: number }),
  });
  return applyAnswer(order, exchange);
}

/** Refunds, captures or voids. Without `amount`, the full remaining amount. */
export async function modifyPayment(order: Order, action: Action, amount: string | undefined): Promise<Refused> {
  const paymentId = order.payment_id ?? '';
  const body =
    action === 'void'
      ? { payment_id: paymentId, hash: hashOf('wholePayment', { paymentId }) }
      : { payment_id: paymentId, ...(amount && { amount }), hash: hashOf('amountOfPayment', { paymentId, amount }) };
  const exchange = await post(action, `/api/v1/payment/${action}`, { merchant_key: demoMerchant.key, ...body });
  return applyAnswer(order, exchange);
}

/** Charges the chain of `first` again, for `order`. The response comes with the outcome. */
export async function chargeAgain(first: Order, order: Order): Promise<Refused> {
  const { number, amount, currency, description } = order;
  const [recurringInitTransId, recurringToken] = [first.first_trans_id ?? '', first.recurring_token ?? ''];
  const values = { recurringInitTransId, recurringToken, orderId: number, amount, description };
  const exchange = await post('again', '/api/v1/payment/recurring', {
    merchant_key: demoMerchant.key,
    recurring_init_trans_id: recurringInitTransId,
    recurring_token: recurringToken,
    order: { number, amount, currency, description },
    notification_url: callbackUrl(order.id),
    hash: hashOf('recurring', values),
  });
  return applyAnswer(order, exchange);
}

/** Deletes a saved card at Florin; logged in the order that saved it. */
export async function forgetToken(orderId: string, cardToken: string): Promise<Refused> {
  const exchange = await post('forget', '/api/v1/card_token/remove', {
    merchant_key: demoMerchant.key,
    card_token: cardToken,
    hash: hashOf('cardToken', { cardToken }),
  });
  await addStep(orderId, exchange.step);
  return refusalOf(exchange);
}

// Only a status response sets the state: a capture or void is also reported by callback, in order.
// The log is written last, so that its readers find the new state.
async function applyAnswer(order: Order, exchange: Exchange): Promise<Refused> {
  const { ok, step, answer } = exchange;
  const { status, payment_id, trans_status, reason } = answer;
  if (ok && typeof payment_id === 'string') await setPayment(order.id, payment_id);
  if (ok && step.name === 'status' && typeof status === 'string') await setState(order.id, status, null);
  await addStep(order.id, step);
  if (ok && (trans_status === 'FAIL' || status === 'declined')) {
    return { code: '', message: String(reason ?? `The ${step.name} failed.`) };
  }
  return refusalOf(exchange);
}

/** Florin's error message in a response of either protocol. */
export function refusalOf({ ok, step, answer }: Exchange): Refused {
  if (ok) return null;
  if (step.status === null) return { code: '', message: 'Florin did not answer.' };
  const message = String(answer.error_message ?? `Florin answered with HTTP ${step.status}.`);
  const list = Array.isArray(answer.errors) ? answer.errors : [];
  const details = list.map((each: { error_message?: unknown }) => String(each?.error_message ?? '')).join(' ');
  return { code: String(answer.error_code ?? ''), message: details || message };
}
