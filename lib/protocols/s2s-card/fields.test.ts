import { describe, expect, it } from 'vitest';
import {
  amountOfTransactionSchema,
  orderSchema,
  recurringDebitSchema,
  recurringSaleSchema,
  transactionSchema,
} from '../shared/s2s-requests.ts';
import { changed, readCell, rowsOf, verdictOf } from '../shared/s2s-table.test-data.ts';

const known = { client_key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4', hash: 'a'.repeat(32) };

describe('a subsequent charge with one field changed', () => {
  const base = {
    ...known,
    order_id: 'order-2',
    order_amount: '10.00',
    order_description: 'February',
    recurring_first_trans_id: '0190a1b2-0000-7000-8000-000000000001',
    recurring_token: 'b'.repeat(32),
  };
  // field | value | RECURRING_SALE | RECURRING_DEBIT
  const table = rowsOf(`
    client_key               | -      | client_key: blank                    | client_key: blank
    order_id                 | -      | order_id: blank                      | order_id: blank
    order_id                 | x*256  | order_id: not valid                  | order_id: not valid
    order_amount             | -      | order_amount: blank                  | order_amount: blank
    order_amount             | 0      | order_amount: positive               | order_amount: positive
    order_amount             | ten    | order_amount: not valid              | order_amount: not valid
    order_description        | -      | order_description: blank             | order_description: blank
    order_currency           | -      | ok                                   | ok
    order_currency           | eur    | order_currency: not valid            | order_currency: not valid
    order_currency           | JPY    | ok                                   | ok
    recurring_first_trans_id | -      | recurring_first_trans_id: blank      | recurring_first_trans_id: blank
    recurring_first_trans_id | other  | ok                                   | ok
    recurring_token          | ""     | recurring_token: blank               | recurring_token: blank
    recurring_token          | x*256  | recurring_token: not valid           | recurring_token: not valid
    custom_data              | {"a":"b"} | ok                                | ok
    callback_url             | no     | callback_url: no URL                 | callback_url: no URL
    auth                     | Y      | ok                                   | ok
    auth                     | yes    | auth: not valid                      | ok
    payer_email              | no     | ok                                   | ok`);
  it.each(table)('%s = %s: %s', (field, cell, sale, debit) => {
    const body = changed(base, { [field as string]: readCell(cell as string) });
    expect(verdictOf(recurringSaleSchema, body)).toBe(sale);
    expect(verdictOf(recurringDebitSchema, body)).toBe(debit);
  });

  it('is checked with the decimals of its own currency', () => {
    const body = (order_currency: string, order_amount: string) => changed(base, { order_currency, order_amount });
    expect(verdictOf(recurringSaleSchema, body('JPY', '10.50'))).toBe('order_amount: not valid');
    expect(verdictOf(recurringSaleSchema, body('KWD', '10.505'))).toBe('ok');
    expect(verdictOf(recurringSaleSchema, changed(base, { order_amount: '10.505' }))).toBe('ok');
  });

  it('can be an authorisation only as a sale', () => {
    expect(recurringSaleSchema.parse(changed(base, { auth: 'Y' })).auth).toBe(true);
    expect(recurringDebitSchema.parse(changed(base, { auth: 'Y' }))).not.toHaveProperty('auth');
  });
});

describe('a modification or status request', () => {
  const base = { ...known, trans_id: 'any', order_id: 'order-1' };
  // field | value | VOID and status requests | CAPTURE, CREDITVOID | by order
  const table = rowsOf(`
    client_key | -      | client_key: blank   | client_key: blank   | client_key: blank
    hash       | -      | hash: blank         | hash: blank         | hash: blank
    trans_id   | -      | trans_id: blank     | trans_id: blank     | ok
    trans_id   | ""     | trans_id: blank     | trans_id: blank     | ok
    trans_id   | x*256  | trans_id: not valid | trans_id: not valid | ok
    order_id   | -      | ok                  | ok                  | order_id: blank
    order_id   | x*256  | ok                  | ok                  | order_id: not valid
    amount     | 5.00   | ok                  | ok                  | ok
    amount     | ""     | ok                  | amount: blank       | ok
    amount     | {"a":"b"} | ok               | amount: not valid   | ok`);
  it.each(table)('%s = %s', (field, cell, plain, withAmount, byOrder) => {
    const body = changed(base, { [field as string]: readCell(cell as string) });
    expect(verdictOf(transactionSchema, body)).toBe(plain);
    expect(verdictOf(amountOfTransactionSchema, body)).toBe(withAmount);
    expect(verdictOf(orderSchema, body)).toBe(byOrder);
  });
});
