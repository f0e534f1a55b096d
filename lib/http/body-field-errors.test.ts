import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError, fieldErrorTexts, renderApiError, throwFieldErrors } from '../core/errors.ts';
import { fieldErrorsOf } from './body.ts';

function bodyOf(...errors: { path: string; text: string }[]) {
  try {
    throwFieldErrors(errors);
  } catch (thrown) {
    return renderApiError(thrown as ApiError);
  }
  throw new Error('nothing was refused');
}

describe('a validation error', () => {
  it('lists every field error', () => {
    expect(
      bodyOf({ path: 'order.number', text: fieldErrorTexts.blank }, { path: 'auth', text: fieldErrorTexts.notValid }),
    ).toEqual({
      status: 400,
      headers: [],
      body: {
        result: 'ERROR',
        error_code: 100000,
        error_message: 'Request data is invalid.',
        errors: [
          { error_code: 100000, error_message: 'order.number: This value should not be blank.' },
          { error_code: 100000, error_message: 'auth: This value is not valid.' },
        ],
      },
    });
  });

  it('lists the first hundred field errors', () => {
    const faults = Array.from({ length: 5_000 }, (_, place) => ({ path: `p${place}`, text: fieldErrorTexts.notValid }));
    const { errors } = bodyOf(...faults).body;
    expect([errors.length, errors.at(-1)?.error_message]).toEqual([100, 'p99: This value is not valid.']);
  });

  const alone: [string, string, string, string][] = [
    ['order.amount', fieldErrorTexts.positive, 'amount: This value should be greater than 0.', 'order.amount: '],
    ['order_amount', fieldErrorTexts.positive, 'amount: This value should be greater than 0.', 'order_amount: '],
    ['amount', fieldErrorTexts.positive, 'amount: This value should be greater than 0.', 'amount: '],
    ['schedule_id', 'This is not a valid UUID.', 'This is not a valid UUID.', 'schedule_id: '],
    ['size', 'size should be within 1..100', 'size should be within 1..100', 'size: '],
    ['payment_schedule_amount', fieldErrorTexts.positive, 'Request data is invalid.', 'payment_schedule_amount: '],
    ['order.number', fieldErrorTexts.blank, 'Request data is invalid.', 'order.number: '],
  ];
  it.each(alone)('%s alone: %s', (path, text, headline, prefix) => {
    const { body } = bodyOf({ path, text });
    expect(body.error_message).toBe(headline);
    expect(body.errors).toEqual([{ error_code: 100000, error_message: prefix + text }]);
  });

  it('names no field by a card number', () => {
    const { body } = bodyOf({ path: 'custom.4111 1111 1111 1111', text: fieldErrorTexts.notValid });
    expect(body.errors).toEqual([
      { error_code: 100000, error_message: 'custom.411111******1111: This value is not valid.' },
    ]);
  });

  it('keeps the general message with several field errors', () => {
    const { body } = bodyOf(
      { path: 'order.amount', text: fieldErrorTexts.positive },
      { path: 'auth', text: fieldErrorTexts.notValid },
    );
    expect(body.error_message).toBe('Request data is invalid.');
  });
});

describe('the field errors of a parse', () => {
  it('have paths without list positions, and one contract text per field', () => {
    const schema = z.object({
      tokens: z.array(z.string()),
      name: z.string().min(9).regex(/^x/, fieldErrorTexts.notUrl),
    });
    const parsed = schema.safeParse({ tokens: [1, 'a', 2], name: 'abc' });
    expect(parsed.error && fieldErrorsOf(parsed.error)).toEqual([
      { path: 'tokens', text: fieldErrorTexts.notValid },
      { path: 'name', text: fieldErrorTexts.notValid },
    ]);
    expect(() => throwFieldErrors([])).toThrow(ApiError);
  });
});
