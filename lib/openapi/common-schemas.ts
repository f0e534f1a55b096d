// The words that answers and callbacks are described in: what an amount, a state or a token is, said once for both.
import { z } from 'zod';
import { checkoutStatus, optionalFields, s2sStatus } from '../protocols';

export const text = (description: string, example?: string) =>
  z.string().meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
/** The words of a table, each once. */
export const uniqueValues = (of: Readonly<Record<string, string>>) =>
  [...new Set(Object.values(of))] as [string, ...string[]];

export const uuid = (description: string, example = '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88') =>
  z.string().meta({ description, format: 'uuid', examples: [example] });
export const paymentId = uuid('The payment.');
export const transId = uuid('The transaction: the attempt to pay.', '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70');
export const wireDate = (description: string) =>
  z
    .string()
    .meta({ description, pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$', examples: ['2026-11-20 16:50:00'] });
const dayText = (description: string) => z.string().meta({ description, format: 'date', examples: ['2026-12-20'] });
export const money = (description: string) => text(description, '84.50');
export const checkoutState = z
  .enum(uniqueValues(checkoutStatus))
  .meta({ description: 'The state of the payment.', examples: ['settled'] });
export const formState = z
  .enum(uniqueValues(s2sStatus))
  .meta({ description: 'The state of the payment.', examples: ['SETTLED'] });
export const wallet = z.enum(['applepay', 'googlepay']).meta({ description: 'The wallet of the payment.' });
export const mask = text('First six and last four digits of the card.', '411111****1111');
export const panType = z
  .enum(['dpan', 'fpan'])
  .meta({ description: "Whether the wallet's token contains a device number or the card number." });
export const method = z.enum(['GET', 'POST']).meta({ description: 'The method of the redirect.', examples: ['GET'] });

/** What tells of a chain and a schedule, where the payment has one. */
export const chain = {
  recurring_token: text(
    'The token of the recurring payment that this payment starts.',
    '6f1e0b7d2c8841b79a523d0e',
  ).optional(),
  schedule_id: uuid('The schedule of the payment.').optional(),
  first_recurring_date: dayText('The day of the first automatic charge.').optional(),
  schedule_start_date: dayText('As sent.').optional(),
  payment_schedule_amount: money('As sent.').optional(),
};

/** The id of a follow-up, where there is one. */
export const operationId = uuid(
  'The operation: the same id in its response, its callbacks and the list of operations.',
);

export const cardToken = text('The token of the saved card, if requested.').optional();

/** What a protocol mapping may switch on. */
export const mappingFields = Object.fromEntries(
  Object.keys(optionalFields).map((name) => [
    name,
    (name === 'extended_data' ? z.record(z.string(), z.string()) : z.string())
      .meta({ description: 'Sent where the protocol mapping enables it.', 'x-switched': true })
      .optional(),
  ]),
);
