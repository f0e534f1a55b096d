// POST /api/v1/payment/status: one payment by its id, or the payments of an order number (interface.md, Endpoints;
// protocol.md 3).
import { z } from 'zod';
import { wireDate } from '../../core/dates.ts';
import { errors, fieldErrorTexts } from '../../core/errors.ts';
import type { Payment, Transaction } from '../../core/payment.ts';
import { statusReads } from '../../payments/index.ts';
import { action, type KnownCaller } from '../pipeline/handle.ts';
import { flag, ignoringBlanks, text, withRules } from '../shared/fields.ts';
import { operationsOf } from '../shared/modifications.ts';
import {
  checkoutStatus,
  checkoutWireName,
  definedFields,
  fullName,
  scheduleFields,
  selectOptionalFields,
} from '../shared/wire-fields.ts';

const sizeMax = 100;

// The contract has a text; a number is accepted too.
const size = z
  .union([z.string().regex(/^0*[1-9][0-9]*$/), z.number().int().positive()], { error: fieldErrorTexts.notValid })
  .meta({ maximum: sizeMax })
  .transform(Number)
  .refine((value) => value <= sizeMax, errors.sizeOutOfRange.message);

/** One of the two ids is required; with both, `payment_id` counts. `size` applies to an order number only. */
export const statusSchema = ignoringBlanks(
  withRules(
    z.object({
      merchant_key: text(1, 64),
      payment_id: text(1, 255).optional(),
      order_id: text(1, 255).optional(),
      size: size.optional(),
      operations: flag.optional(),
      hash: text(1, 128),
    }),
    ({ payment_id: paymentId, order_id: orderId, size: listed, operations }) => {
      if (paymentId === undefined && orderId === undefined)
        return [{ path: 'payment_id', text: fieldErrorTexts.blank }];
      // The operations of a list could be fifty thousand.
      const isList = paymentId === undefined && listed !== undefined;
      return isList && flag.safeParse(operations).data ? [{ path: 'operations', text: fieldErrorTexts.notValid }] : [];
    },
    [
      { fields: ['payment_id', 'order_id'], text: 'One of the two is required. If both are sent, payment_id counts.' },
      { fields: ['operations'], text: 'Of one payment only: not with size.' },
      { fields: ['size'], text: 'With order_id only. The response is a list with it, and one object without it.' },
    ],
  ),
);

type StatusRequest = z.output<typeof statusSchema>;

/** POST /api/v1/payment/status. */
export const status = action<StatusRequest, Payment[]>({
  schema: statusSchema,
  signature: ({ payment_id: paymentId, order_id: orderId, hash }) =>
    paymentId !== undefined
      ? { recipe: 'statusByPayment', values: { paymentId }, hash }
      : { recipe: 'statusByOrder', values: { orderId }, hash },
  subject: find,
  missing: (input) => (input.payment_id !== undefined ? 'paymentMissing' : 'orderMissing'),
  run: async ({ caller, input, subject }) => {
    const records = await Promise.all(subject.map((payment) => statusOf(payment, caller, input.operations === true)));
    // With a size the response is a list, even for a size of 1.
    return input.payment_id === undefined && input.size !== undefined ? records : (records[0] as object);
  },
});

async function find({ merchant }: KnownCaller, input: StatusRequest): Promise<Payment[] | null> {
  if (input.payment_id !== undefined) {
    const payment = await statusReads.findPayment(input.payment_id, merchant.id);
    return payment && [payment];
  }
  const payments = await statusReads.findByOrder(merchant.id, input.order_id ?? '', input.size ?? 1);
  return payments.length > 0 ? payments : null;
}

async function statusOf(payment: Payment, caller: KnownCaller, operations: boolean): Promise<object> {
  const names = caller.mapping.statusFields;
  const attempt = names.length > 0 ? await statusReads.lastAttempt(payment.id) : null;
  const transactions = operations ? await statusReads.transactionsOf(payment.id) : [];
  const operationFields = operations ? operationsOf(payment, transactions, caller.mapping) : {};
  return { ...statusResponse(payment, attempt, caller), ...operationFields };
}

/** A payment in a status response. Unknown values are omitted, including the ARN. */
export function statusResponse(payment: Payment, attempt: Transaction | null, caller: KnownCaller): object {
  return {
    ...definedFields({
      payment_id: payment.id,
      date: wireDate(payment.updatedAt),
      status: checkoutWireName(checkoutStatus[payment.state], payment, caller.mapping),
      reason: payment.state === 'declined' ? payment.reason : undefined,
      ...scheduleFields(payment),
      card_token: payment.cardToken,
      digital_wallet: payment.digitalWallet,
    }),
    order: orderOf(payment),
    customer: definedFields({ name: fullName(payment.payer), email: payment.payer.email }),
    ...selectOptionalFields(caller.mapping.statusFields, { payment, attempt, movement: attempt, caller }),
  };
}

/** The order with the texts that the merchant sent. */
export function orderOf(payment: Payment): { number: string; amount: string; currency: string; description: string } {
  const { orderNumber: number, orderAmount: amount, currency, description } = payment;
  return { number, amount, currency, description };
}
