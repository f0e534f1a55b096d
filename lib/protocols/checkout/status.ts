// POST /api/v1/payment/status: one payment by its id, or the payments of an order number (interface.md, Endpoints;
// protocol.md 3).
import { z } from 'zod';
import { wireDate } from '../../core/dates';
import { errors, fieldErrorTexts } from '../../core/errors';
import type { Payment, Transaction } from '../../core/payment';
import { findByOrder, findPayment, lastAttempt, transactionsOf } from '../../payments';
import { action, type KnownCaller } from '../pipeline/handle';
import { flag, text, withoutBlanks, withRules } from '../shared/fields';
import { operationsOf } from '../shared/modifications';
import { checkoutStatus, checkoutWireName, definedFields, fullName, selectOptionalFields } from '../shared/wire-fields';

const sizeMax = 100;

// As text by the contract; a number that says the same does no harm.
const size = z
  .union([z.string().regex(/^0*[1-9][0-9]*$/), z.number().int().positive()], { error: fieldErrorTexts.notValid })
  .meta({ maximum: sizeMax })
  .transform(Number)
  .refine((value) => value <= sizeMax, errors.sizeOutOfRange.message);

/** Either of the two names; both given, the payment's counts. `size` belongs to an order number alone. */
export const statusSchema = z.preprocess(
  (body) => withoutBlanks(body, []),
  withRules(
    z.object({
      merchant_key: text(1, 64),
      payment_id: text(1, 255).optional(),
      order_id: text(1, 255).optional(),
      size: size.optional(),
      operations: flag.optional(),
      hash: text(1, 128),
    }),
    (body) =>
      body.payment_id === undefined && body.order_id === undefined
        ? [{ path: 'payment_id', text: fieldErrorTexts.blank }]
        : [],
    [
      {
        fields: ['payment_id', 'order_id'],
        text: 'One of the two is required. Where both are sent, payment_id counts.',
      },
      { fields: ['size'], text: 'With order_id only. Without it the answer is one object, with it a list.' },
    ],
  ),
);

type StatusRequest = z.output<typeof statusSchema>;

/** POST /api/v1/payment/status. */
export const status = action<StatusRequest, Payment[]>({
  schema: statusSchema,
  signature: ({ payment_id: paymentId, order_id: orderId, hash }) =>
    paymentId !== undefined
      ? { recipe: 'statusByPayment', values: { paymentId }, given: hash }
      : { recipe: 'statusByOrder', values: { orderId }, given: hash },
  subject: find,
  missing: (input) => (input.payment_id !== undefined ? 'paymentMissing' : 'orderMissing'),
  run: async ({ caller, input, subject }) => {
    const records = await Promise.all(subject.map((payment) => statusOf(payment, caller, input.operations === true)));
    // Without a size the answer is one object, with one it is a list, a size of 1 included.
    return input.payment_id === undefined && input.size !== undefined ? records : (records[0] as object);
  },
});

async function find({ merchant }: KnownCaller, input: StatusRequest): Promise<Payment[] | null> {
  if (input.payment_id !== undefined) {
    const payment = await findPayment(input.payment_id, merchant.id);
    return payment && [payment];
  }
  const payments = await findByOrder(merchant.id, input.order_id ?? '', input.size ?? 1);
  return payments.length > 0 ? payments : null;
}

async function statusOf(payment: Payment, caller: KnownCaller, operations: boolean): Promise<object> {
  const names = caller.mapping.statusFields;
  const attempt = names.length > 0 ? await lastAttempt(payment.id) : null;
  const listed = operations ? operationsOf(payment, await transactionsOf(payment.id), caller.mapping) : {};
  return { ...statusResponse(payment, attempt, caller), ...listed };
}

/** A payment as a status response shows it; what is unknown is left out, ARN included. */
export function statusResponse(payment: Payment, attempt: Transaction | null, caller: KnownCaller): object {
  return {
    ...definedFields({
      payment_id: payment.id,
      date: wireDate(payment.updatedAt),
      status: checkoutWireName(checkoutStatus[payment.state], payment, caller.mapping),
      reason: payment.state === 'declined' ? payment.reason : undefined,
      recurring_token: payment.recurringToken,
      schedule_id: payment.scheduleId,
      first_recurring_date: payment.firstRecurring,
      schedule_start_date: payment.scheduleId ? payment.scheduleStart : undefined,
      payment_schedule_amount: payment.scheduleId ? payment.scheduleAmount : undefined,
      card_token: payment.cardToken,
      digital_wallet: payment.digitalWallet,
    }),
    order: orderOf(payment),
    customer: definedFields({ name: fullName(payment.payer), email: payment.payer.email }),
    ...selectOptionalFields(caller.mapping.statusFields, { payment, attempt, movement: attempt, caller }),
  };
}

/** The order with the merchant's own texts. */
export function orderOf(payment: Payment): { number: string; amount: string; currency: string; description: string } {
  const { orderNumber: number, orderAmount: amount, currency, description } = payment;
  return { number, amount, currency, description };
}
