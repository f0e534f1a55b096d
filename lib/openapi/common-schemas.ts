// Schemas of amounts, states, tokens and other fields that responses and callbacks share.
import { z } from 'zod';
import { checkoutStatus, optionalFields, s2sStatus } from '../protocols/index.ts';

export const text = (description: string, example?: string) =>
  z.string().meta({ description, ...(example === undefined ? {} : { examples: [example] }) });
/** An object of texts. */
export const texts = (description: string) => z.record(z.string(), z.string()).describe(description);
/** Returns the values of a table without duplicates. */
export const uniqueValues = (of: Readonly<Record<string, string>>) =>
  [...new Set(Object.values(of))] as [string, ...string[]];

export const uuid = (description: string, example = '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88') =>
  z.string().meta({ description, format: 'uuid', examples: [example] });
export const paymentId = uuid('The payment.');
export const transId = uuid('The transaction: the attempt.', '019a8f5c-41b7-7e0a-8c3d-2b9f6a1d5e70');
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
  .meta({ description: "Whether the wallet token contained the device's number (dpan) or the card's (fpan)." });
export const method = z
  .enum(['GET', 'POST'])
  .meta({ description: 'The HTTP method of the redirect.', examples: ['GET'] });

/** Fields of recurring payments and schedules. */
export const chain = {
  recurring_token: text('The recurring token that this payment created.', '6f1e0b7d2c8841b79a523d0e').optional(),
  schedule_id: uuid('The schedule of the payment.').optional(),
  first_recurring_date: dayText('The day of the first automatic charge.').optional(),
  schedule_start_date: dayText('As sent.').optional(),
  payment_schedule_amount: money('As sent.').optional(),
};

export const operationId = uuid(
  'The operation’s ID, the same in its response, its callbacks and the list of operations.',
);

export const cardToken = text('The token of the stored card, if one was requested.').optional();

export const mappingFields = Object.fromEntries(
  Object.keys(optionalFields).map((name) => [
    name,
    (name === 'extended_data' ? z.record(z.string(), z.string()) : z.string())
      .meta({ description: 'If the protocol mapping has it on.', 'x-switched': true })
      .optional(),
  ]),
);
