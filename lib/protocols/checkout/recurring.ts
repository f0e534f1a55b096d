// POST /api/v1/payment/recurring: a subsequent payment with the card of the initial payment (protocol.md 3). The
// response contains the outcome.
import { z } from 'zod';
import { wireDate } from '../../core/dates.ts';
import { isNotFinal, type PaymentWithTransaction } from '../../core/payment.ts';
import { type Chain, findChain, paySubsequent } from '../../payments/index.ts';
import { action } from '../pipeline/handle.ts';
import * as field from '../shared/fields.ts';
import { withRules } from '../shared/fields.ts';
import { checkReachable, checkSchedule, eligibleCards } from '../shared/request-checks.ts';
import { checkoutStatus, definedFields } from '../shared/wire-fields.ts';
import { orderInput } from './session.ts';
import { withOrder } from './session-fields.ts';
import { orderOf } from './status.ts';

/** Without a currency, the order has that of the initial payment. */
export const recurringSchema = z.preprocess(
  (body) => withOrder(body, ['order']),
  withRules(
    z.object({
      merchant_key: field.text(1, 64),
      recurring_init_trans_id: field.text(1, 255),
      recurring_token: field.text(1, 255),
      order: z.object({
        number: field.text(1, 255),
        amount: field.amount,
        currency: field.currency.optional(),
        description: field.text(2, 1024),
      }),
      notification_url: field.webUrl.optional(),
      custom_data: field.customData.optional(),
      schedule_id: field.uuid.optional(),
      hash: field.text(1, 128),
    }),
    ({ order }) => {
      const sent = (typeof order === 'object' && order !== null ? order : {}) as Record<string, unknown>;
      const amountError = field.orderAmountError(sent.amount, sent.currency, false);
      return amountError ? [{ path: 'order.amount', text: amountError }] : [];
    },
    [
      field.amountRule('order.amount'),
      { fields: ['order.currency'], text: 'Default: the currency of the initial payment.' },
    ],
  ),
);

type RecurringRequest = z.output<typeof recurringSchema>;

/** POST /api/v1/payment/recurring. */
export const recurring = action<RecurringRequest, Chain>({
  schema: recurringSchema,
  signature: (input) => ({
    recipe: 'recurring',
    values: {
      recurringInitTransId: input.recurring_init_trans_id,
      recurringToken: input.recurring_token,
      orderId: input.order.number,
      amount: input.order.amount,
      description: input.order.description,
    },
    hash: input.hash,
  }),
  subject: ({ merchant }, input) => findChain(merchant.id, input.recurring_init_trans_id, input.recurring_token),
  missing: 'incorrectTransaction',
  run: async ({ caller, input, subject, now }) => {
    const order = { ...input.order, currency: input.order.currency ?? subject.first.currency };
    const amountMinor = field.positiveMinorOf(order.amount, order.currency, 'order.amount');
    const operation = subject.operation === 'debit' ? 'debit' : 'recurring';
    const request = orderInput(order, amountMinor, input.recurring_init_trans_id, input.recurring_token);
    const wanted = { operation, currency: order.currency, amountMinor, request } as const;
    const { eligibility } = await eligibleCards(caller, now, wanted, 'order.amount');
    await checkSchedule(caller, { schedule_id: input.schedule_id }, now);
    await checkReachable(input.notification_url);
    const result = await paySubsequent(
      caller,
      subject,
      {
        ...request,
        customData: input.custom_data,
        notificationUrl: input.notification_url,
        scheduleId: input.schedule_id,
      },
      now,
      eligibility,
    );
    return recurringResponse(result);
  },
});

/** Only this response spells a decline `declined`. An unknown outcome is `prepare`; a callback reports the outcome. */
export function recurringResponse({ payment, transaction }: PaymentWithTransaction): object {
  const failed = transaction.status === 'fail' && payment.state === 'declined';
  return definedFields({
    status: failed ? 'declined' : checkoutStatus[payment.state],
    reason: failed && !isNotFinal(transaction) ? transaction.declineReason : undefined,
    payment_id: payment.id,
    date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    schedule_id: payment.scheduleId,
    first_recurring_date: payment.firstRecurring,
    order: orderOf(payment),
  });
}
