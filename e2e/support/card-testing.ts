// Cards and stored attempts for the tests of the defence against card testing.
import { cardFields } from './card-merchant.ts';
import { sql } from './database-rows.ts';

/** A number with a valid check digit. */
export function numberOf(bin: string, index: number): string {
  const body = `${bin}${String(index).padStart(15 - bin.length, '0')}`;
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** The numbers of twenty cards that the sandbox settles with any expiry date. */
export const settledNumbers = [
  '4242424242424242',
  '5555555555554444',
  '2223003122003222',
  '6011111111111117',
  '30569309025904',
  '3530111333300000',
  '6200000000000005',
  '6759649826438453',
  '2200000000000004',
  '9792030000000000',
  '6362970000457013',
  '6062826786276634',
  '6370950000000005',
  '5895627823453003',
  '5060990000000008',
  '5085000000000007',
  '9891000000000003',
  '5019555544445555',
  '8600000000000007',
  '9860000000000000',
] as const;

/** A card of this number in the fields of S2S CARD. */
export const cardOf = (number: string) => ({ ...cardFields.settled, card_number: number });

/** How many attempts of an order are stored, how many of them were stopped, and how many callbacks there are. */
export const storedOf = async (order: string) =>
  (
    await sql(
      `select (select count(*)::int from transactions t where t.payment_id = p.id) as attempts,
              (select count(*)::int from transactions t where t.payment_id = p.id and t.decline_code = 'card_testing') as stopped,
              (select count(*)::int from callbacks c where c.payment_id = p.id) as callbacks
         from payments p where p.order_number = $1`,
      [order],
    )
  )[0];
