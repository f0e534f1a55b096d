// Messages from Florin to the demo shop: callbacks, and the signed query of a returning payer. Both take effect only
// with a valid signature; others are logged as invalid.
import { createHmac } from 'node:crypto';
import { fragmentOf } from '../../core/cards.ts';
import { parseWireDate } from '../../core/dates.ts';
import { demoMerchant } from '../../core/demo-merchant.ts';
import { storable } from '../../core/storable.ts';
import { verifyWebhook } from '../../core/webhooks.ts';
import { now } from '../../db/clock.ts';
import { customer } from './checkout-requests.ts';
import { isGenuine, shortened } from './florin-http.ts';
import { type CallbackStep, type Door, doors, noticeOf, type ReturnStep } from './order-model.ts';
import * as orders from './orders.ts';

const shownHeaders = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'florin-sequence'];

/** The secret of webhook-signature, derived from the password as docs/guide/callbacks.md says. */
const webhookSecret = `whsec_${createHmac('sha256', demoMerchant.password).update('florin callbacks').digest('base64')}`;

/** Processes a callback; returns whether it is genuine. */
export async function receiveCallback(order: orders.Order, headers: Headers, body: Uint8Array): Promise<boolean> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(body))];
  const values = new Map(fields);
  const { hashValid, scheduled } = await checks[orders.protocolOf(order)](order, values);
  const headerValid = verifyWebhook(webhookSecret, (name) => headers.get(name), body, now());
  const sequenceText = headers.get('florin-sequence') ?? '';
  const sequence = /^\d{1,9}$/.test(sequenceText) ? Number(sequenceText) : null;
  const once = `callback:${headers.get('webhook-id')}`;
  const repeat = await orders.hasStep(order.id, once);
  const genuine = hashValid && headerValid;
  if (genuine && !scheduled) await believe(order, fields, sequence);
  const step: CallbackStep = {
    kind: 'callback',
    hashValid,
    headerValid,
    repeat,
    scheduled,
    sequence,
    delaySeconds: delayOf(values.get('date') ?? values.get('trans_date') ?? values.get('creditvoid_date')),
    headers: shownHeaders.map((name) => [name, headers.get(name) ?? ''] as [string, string]).filter(([, text]) => text),
    fields: fields.map(([name, value]) => [storable(name), storable(String(shortened(value, name)))]),
  };
  await orders.addStep(order.id, step, genuine && !repeat ? once : null);
  return genuine;
}

type Values = ReadonlyMap<string, string>;
type Checked = { hashValid: boolean; scheduled: boolean };

/** Whether an order number is a scheduled charge of `number`: `DEMO-X/1`, second attempt `/1-2`. */
function isScheduled(received: string, number: string): boolean {
  return received.startsWith(`${number}/`) && /^[\d/-]{1,16}$/.test(received.slice(number.length));
}

/** The Checkout hash: over the payment and its order, which must be this one. */
async function checkCheckout(order: orders.Order, values: Values): Promise<Checked> {
  const text = (name: string) => values.get(name) ?? '';
  const signed = {
    paymentId: text('payment_id'),
    orderId: text('order_number'),
    amount: text('order_amount'),
    currency: text('order_currency'),
    description: text('order_description'),
  };
  const scheduled = order.scheduleId !== null && isScheduled(signed.orderId, order.number);
  const isOwn = signed.orderId === order.number && (order.paymentId ?? signed.paymentId) === signed.paymentId;
  return { scheduled, hashValid: (isOwn || scheduled) && isGenuine('checkoutCallback', signed, text('hash')) };
}

/** The S2S CARD hash, formula 2: over payer, card and transaction as the shop knows them. */
async function checkCard(order: orders.Order, values: Values): Promise<Checked> {
  const orderId = values.get('order_id') ?? '';
  const sale = await orders.findSale(order.id, orderId.split('/', 1)[0] ?? '');
  if (!sale) return { hashValid: false, scheduled: false };
  const transId = values.get('trans_id') ?? '';
  const scheduled = order.scheduleId !== null && isScheduled(orderId, sale.number);
  const isOwn = orderId === sale.number && (sale.transId ?? transId) === transId;
  const signed = { payerEmail: customer.email, transId, fragment: fragmentOf(sale.card) };
  return { scheduled, hashValid: (isOwn || scheduled) && isGenuine('card2', signed, values.get('hash') ?? '') };
}

/** The S2S APM hash: over every field, so that only the shop's order_id remains to compare. */
async function checkApm(order: orders.Order, values: Values): Promise<Checked> {
  const sale = await orders.findSale(order.id, values.get('order_id') ?? '');
  const transId = values.get('trans_id') ?? '';
  const isOwn = sale !== null && (sale.transId ?? transId) === transId;
  const fields = Object.fromEntries(values);
  return { scheduled: false, hashValid: isOwn && isGenuine('apmCallback', { fields }, values.get('hash') ?? '') };
}

const checks = { checkout: checkCheckout, s2s_card: checkCard, s2s_apm: checkApm };

async function believe(order: orders.Order, fields: [string, string][], sequence: number | null): Promise<void> {
  const values = new Map(fields);
  const text = (name: string) => values.get(name) || null;
  const { state, status } = noticeOf(fields);
  const isSale = orders.protocolOf(order) !== 'checkout';
  const orderId = text('order_id') ?? '';
  // A superseded attempt no longer changes the order.
  if (isSale && (await orders.lastSaleOf(order.id))?.number !== orderId) return;
  const [paymentId, transId] = [text('payment_id'), text('trans_id')];
  if (isSale && transId) await orders.setSaleTransaction(orderId, transId);
  if (!isSale && paymentId) await orders.setPayment(order.id, paymentId);
  if (state) await orders.setState(order.id, state, sequence);
  const token = text('recurring_token');
  if (token && order.recurringInit && order.recurringToken === null && status === 'success') {
    await orders.changeOrder(order.id, {
      recurringToken: token,
      firstTransId: text('recurring_init_trans_id') ?? transId,
      firstRecurring: text('first_recurring_date'),
      ...(order.scheduleId && { subscription: 'active' }),
    });
  }
  const [cardToken, card, expiry] = [text('card_token'), text('card'), text('card_expiration_date')];
  if (cardToken && card && order.requestToken) await orders.saveCard(order, cardToken, card, expiry ?? '');
}

// `date` has whole seconds, and so has the delay.
function delayOf(date: string | undefined): number | null {
  const sentAt = date ? parseWireDate(date) : null;
  if (!sentAt) return null;
  return Math.max(0, Math.floor((now().getTime() - sentAt.getTime()) / 1000));
}

/** The return URL that the query parameter names. */
export const doorOf = (word: unknown): Door | null => doors.find((door) => door === word) ?? null;

/** Verifies a returning payer's query over the order as the shop knows it, and logs it once. */
export async function receiveReturn(
  order: orders.Order,
  door: Door,
  query: Record<string, string>,
): Promise<ReturnStep> {
  const { payment_id: paymentId = '', order_id: orderId = '', hash = '' } = query;
  const { number, amount, currency, description } = order;
  const isOwn = orderId === number && (order.paymentId ?? paymentId) === paymentId;
  const genuine =
    isOwn && isGenuine('checkoutCallback', { paymentId, orderId: number, amount, currency, description }, hash);
  if (genuine) await orders.setPayment(order.id, paymentId);
  const fields = Object.entries(query).slice(0, 12);
  const shown = fields.map(([name, value]) => [storable(name), storable(value)] as [string, string]);
  const step: ReturnStep = { kind: 'return', door, genuine, fields: shown };
  const trans = genuine ? (query.trans_id ?? '') : '';
  await orders.addStep(order.id, step, `return:${door}:${genuine ? `genuine:${trans}` : 'not genuine'}`);
  return step;
}
