// What reaches the demo shop from Florin: callbacks, and the signed query that its payer brings back. Both are believed
// only after their signatures are checked; what fails the check is kept in the log as such and changes nothing.
import { createHmac } from 'node:crypto';
import { now } from '../clock';
import { parseWireDate } from '../core/dates';
import { demoMerchant } from '../core/demo';
import { verifyWebhook } from '../core/webhooks';
import { query } from '../db';
import { type CallbackStep, type Door, doors, type ReturnStep } from './model';
import { addStep, type Order, setPayment, setState } from './orders';
import { isGenuine, shortened } from './wire';

const shownHeaders = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'florin-sequence'];

/** The secret of webhook-signature, derived from the password as docs/callbacks.md says. */
const webhookSecret = `whsec_${createHmac('sha256', demoMerchant.password).update('florin callbacks').digest('base64')}`;

/** Takes in a callback; whether it was genuine. */
export async function receiveCallback(order: Order, headers: Headers, body: Uint8Array): Promise<boolean> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(body))];
  const values = new Map(fields);
  const paymentId = values.get('payment_id') ?? '';
  const signedValues = {
    paymentId,
    orderId: values.get('order_number') ?? '',
    amount: values.get('order_amount') ?? '',
    currency: values.get('order_currency') ?? '',
    description: values.get('order_description') ?? '',
  };
  const isOwn = signedValues.orderId === order.number && (order.payment_id ?? paymentId) === paymentId;
  const hashValid = isOwn && isGenuine(signedValues, values.get('hash') ?? '');
  const headerValid = verifyWebhook(webhookSecret, (name) => headers.get(name), body, now());
  const sequenceText = headers.get('florin-sequence') ?? '';
  const sequence = /^\d{1,9}$/.test(sequenceText) ? Number(sequenceText) : null;
  const repeat = await hasCome(order.id, headers.get('webhook-id'));
  const state = values.get('order_status');
  if (hashValid && headerValid) {
    await setPayment(order.id, paymentId);
    if (state) await setState(order.id, state, sequence);
  }
  const step: CallbackStep = {
    kind: 'callback',
    hashValid,
    headerValid,
    repeat,
    sequence,
    delaySeconds: delayOf(values.get('date')),
    headers: shownHeaders.map((name) => [name, headers.get(name) ?? ''] as [string, string]).filter(([, text]) => text),
    fields: fields.map(([name, value]) => [storable(name), storable(String(shortened(value, name)))]),
  };
  await addStep(order.id, step);
  return hashValid && headerValid;
}

// The database has no place for NUL.
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

async function hasCome(orderId: string, webhookId: string | null): Promise<boolean> {
  if (!webhookId) return false;
  const rows = await query(
    'shop-callback-repeat',
    `select 1 as found from shop_events
      where order_id = $1 and kind = 'callback' and data -> 'headers' @> jsonb_build_array(jsonb_build_array('webhook-id', $2::text))
        and (data ->> 'hashValid')::boolean and (data ->> 'headerValid')::boolean limit 1`,
    [orderId, webhookId],
  );
  return rows.length > 0;
}

// `date` has whole seconds, so that the delay has too.
function delayOf(date: string | undefined): number | null {
  const told = date ? parseWireDate(date) : null;
  if (!told) return null;
  return Math.max(0, Math.floor((now().getTime() - told.getTime()) / 1000));
}

/** Whether a word of the query names a way back. */
export function doorOf(word: string | undefined): Door | null {
  return doors.find((door) => door === word) ?? null;
}

/**
 * Checks the query with which the payer came back and notes it in the log, once. The hash is made over the order as the
 * shop knows it, so that the amount in it cannot be another.
 */
export async function receiveReturn(order: Order, door: Door, query: Record<string, string>): Promise<ReturnStep> {
  const { payment_id: paymentId = '', order_id: orderId = '', hash = '' } = query;
  const { number, amount, currency, description } = order;
  const isOwn = orderId === number && (order.payment_id ?? paymentId) === paymentId;
  const genuine = isOwn && isGenuine({ paymentId, orderId: number, amount, currency, description }, hash);
  if (genuine) await setPayment(order.id, paymentId);
  const fields = Object.entries(query).slice(0, 12);
  const shown = fields.map(([name, value]) => [storable(name), storable(value)] as [string, string]);
  const step: ReturnStep = { kind: 'return', door, genuine, fields: shown };
  const trans = genuine ? (query.trans_id ?? '') : '';
  await addStep(order.id, step, `return:${door}:${genuine ? `genuine:${trans}` : 'not genuine'}`);
  return step;
}
