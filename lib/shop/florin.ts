// What the demo shop asks of Florin: a session for an order, its status, and what may follow a payment. Each request and
// its answer goes into the order's log, refused ones as well.
import { demoMerchant } from '../core/demo';
import { env } from '../env';
import type { Action, CallStep } from './model';
import { addStep, type Order, setPage, setPayment, setState } from './orders';
import { type Exchange, hashOf, loopback, post } from './wire';

/** Why Florin refused, in its own words; null when it did not. */
export type Refused = { code: string; message: string } | null;

/** Opens the session; afterwards the order knows where its payer pays. `more` goes before what the shop says itself. */
export async function openSession(
  order: Order,
  more: { [name: string]: unknown } = {},
): Promise<{ pageUrl: string } | { refused: NonNullable<Refused> }> {
  const back = `${env.baseUrl}/shop/${order.id}`;
  const exchange = await post('session', '/api/v1/session', {
    ...orderBody(order),
    methods: ['card'],
    success_url: `${back}?back=success`,
    cancel_url: `${back}?back=cancel`,
    error_url: `${back}?back=error`,
    expiry_url: `${back}?back=expiry`,
    ...(order.authorize_only && { auth: true }),
    ...(order.recurring_init && { recurring_init: true }),
    ...(order.request_token && { req_token: true }),
    customer,
    ...(order.language && { billing_address: { language: order.language } }),
    ...more,
  });
  await addStep(order.id, exchange.step);
  const pageUrl = exchange.answer.redirect_url;
  if (!exchange.ok || typeof pageUrl !== 'string') return { refused: refusalOf(exchange) ?? noPage };
  await setPage(order.id, pageUrl);
  return { pageUrl };
}

/**
 * Opens a session of hosted fields, whose page is at `pageUrl`. `payerIp` is told because it is the shop's server that
 * asks. The step is the log's entry, for the page that shows it.
 */
export async function openToken(
  order: Order,
  pageUrl: string,
  payerIp: string,
): Promise<{ token: string; step: CallStep } | { refused: NonNullable<Refused> }> {
  const exchange = await post('session', '/api/v1/session/token', {
    ...orderBody(order),
    methods: ['card', 'applepay', 'googlepay'],
    return_url: `${pageUrl}?order=${order.id}`,
    customer: { ...customer, ip: payerIp },
  });
  await addStep(order.id, exchange.step);
  const { token } = exchange.answer;
  if (!exchange.ok || typeof token !== 'string') return { refused: refusalOf(exchange) ?? noPage };
  await setPage(order.id, pageUrl);
  return { token, step: exchange.step };
}

const customer = { name: 'Mia Lindqvist', email: 'mia.lindqvist@mail.example' };

/** What both kinds of session are told of the order. */
function orderBody({ id, number, amount, currency, description, item }: Order) {
  return {
    merchant_key: demoMerchant.key,
    operation: 'purchase',
    order: { number, amount, currency, description },
    notification_url: `${callbackBase()}/sandbox/shop/callbacks/${id}`,
    custom_data: { item },
    hash: hashOf('session', { orderId: number, amount, currency, description }),
  };
}

const noPage = { code: '', message: 'Florin answered without an address to pay at.' };

// Florin posts to its own address where it may; where private targets are forbidden, only the public one is left.
function callbackBase(): string {
  return env.allowPrivateTargets ? loopback() : env.baseUrl;
}

/** Asks for the status, by payment_id where it is known and by order_id otherwise. */
export async function askStatus(order: Order): Promise<Refused> {
  const { payment_id: paymentId, number } = order;
  const exchange = await post('status', '/api/v1/payment/status', {
    merchant_key: demoMerchant.key,
    ...(paymentId ? { payment_id: paymentId } : { order_id: number }),
    hash: paymentId ? hashOf('statusByPayment', { paymentId }) : hashOf('statusByOrder', { orderId: number }),
  });
  return learn(order, exchange);
}

/** Refunds, captures or voids. Without `amount`, all that is left. */
export async function follow(order: Order, action: Action, amount: string | undefined): Promise<Refused> {
  const paymentId = order.payment_id ?? '';
  const body =
    action === 'void'
      ? { payment_id: paymentId, hash: hashOf('wholePayment', { paymentId }) }
      : { payment_id: paymentId, ...(amount && { amount }), hash: hashOf('amountOfPayment', { paymentId, amount }) };
  const exchange = await post(action, `/api/v1/payment/${action}`, { merchant_key: demoMerchant.key, ...body });
  return learn(order, exchange);
}

// Only an answer about the status tells the state: a capture or a void is reported by callback as well, in its order.
// The log comes last, so that who watches it finds the state that the answer told.
async function learn(order: Order, { ok, step, answer }: Exchange): Promise<Refused> {
  const { status, payment_id, trans_status, reason } = answer;
  if (ok && typeof payment_id === 'string') await setPayment(order.id, payment_id);
  if (ok && step.name === 'status' && typeof status === 'string') await setState(order.id, status, null);
  await addStep(order.id, step);
  if (ok && trans_status === 'FAIL') return { code: '', message: String(reason ?? `The ${step.name} failed.`) };
  return refusalOf({ ok, step, answer });
}

function refusalOf({ ok, step, answer }: Exchange): Refused {
  if (ok) return null;
  if (step.status === null) return { code: '', message: 'Florin did not answer.' };
  const message = String(answer.error_message ?? `Florin answered with HTTP ${step.status}.`);
  const list = Array.isArray(answer.errors) ? answer.errors : [];
  const details = list.map((each: { error_message?: unknown }) => String(each?.error_message ?? '')).join(' ');
  return { code: String(answer.error_code ?? ''), message: details || message };
}
