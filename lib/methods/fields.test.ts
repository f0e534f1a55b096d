import { expect, it } from 'vitest';
import en from '../../messages/en.json';
import { normalizeField, payerFieldNames, type TypedFieldName, typedFieldError } from './fields.ts';

const now = new Date('2026-11-20T12:00:00Z');

// field | typed | message, or "ok" with the normalised value
const cases = `
card_number  | 4111 1111 1111 1111          | ok 4111111111111111
card_number  | ٤١١١ ١١١١ ١١١١ ١١١١          | ok 4111111111111111
card_number  | ۴۱۱۱-۱۱۱۱-۱۱۱۱-۱۱۱۱          | ok 4111111111111111
card_number  | 3056 930902 5904             | ok 30569309025904
card_number  |                              | card_number.empty
card_number  | 4111 1111 1111               | card_number.short
card_number  | 4111 1111 1111 1112          | card_number.wrong
card_number  | 4111 1111 1111 1111 1111 1   | card_number.wrong
card_number  | 4111x1111 1111 1111          | card_number.wrong
card_expiry  | 05 / 38                      | ok
card_expiry  | ٠٥/٣٨                        | ok
card_expiry  | 11/26                        | ok
card_expiry  | 10/26                        | card_expiry.past
card_expiry  | 13/30                        | card_expiry.wrong
card_expiry  | 5                            | card_expiry.wrong
card_expiry  |                              | card_expiry.empty
card_holder  | Mia Lindqvist                | ok Mia Lindqvist
card_holder  |   José   da  Silva           | ok José da Silva
card_holder  | محمد علي                     | ok محمد علي
card_holder  | 山田 太郎                    | ok 山田 太郎
card_holder  | Sukarno                      | ok Sukarno
card_holder  | 4111 1111 1111 1111          | card_holder.characters
card_holder  | Maximiliana von und zu Hohenstein | long
card_holder  |                              | card_holder.empty
name         | 李小龙                       | ok 李小龙
email        | mia@mail.example             | ok mia@mail.example
email        | mia@bücher.example           | ok mia@bücher.example
email        | mia@mail                     | email.wrong
email        | mia mail.example             | email.wrong
email        | mia@@mail.example            | email.wrong
email        |                              | email.empty
phone        | +44 20 7946 0018             | ok +442079460018
phone        | 0044 (20) 7946-0018          | ok +442079460018
phone        | +٩٧١ ٥٠ ١٢٣ ٤٥٦٧             | ok +971501234567
phone        | 12345                        | phone.wrong
phone        | call me                      | phone.wrong
birth_date   | 1990-02-28                   | ok 1990-02-28
birth_date   | 1990-02-30                   | birth_date.wrong
birth_date   | 2027-01-01                   | birth_date.wrong
birth_date   | ١٩٩٠-٠٢-٢٨                   | ok 1990-02-28
country      | de                           | ok DE
country      |                              | country.empty
country      | Germany                      | long
state        |                              | state.empty
city         | A                            | short
city         | Łódź                         | ok Łódź
zip          | 8                            | short
zip          | 12345678901                  | long
zip          | ١٢٣٤٥                        | ok 12345
house_number | 12a                          | ok 12a
house_number | 1234567890                   | long
address      | 1                            | short
address      | Donaudampfschifffahrtsgesellschaftstr. | long
district     |                              | district.empty
`;

const rows = cases
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [TypedFieldName, string, string]);

it.each(rows)('%s: %s -> %s', (name, typed, expected) => {
  const found = typedFieldError(name, typed, { now });
  const normalised = name === 'card_expiry' ? '' : ` ${normalizeField(name, typed)}`;
  expect(found ? found.key.replace('error.', '') : `ok${normalised}`).toBe(expected);
});

it('requires the number of code digits of the card', () => {
  const amex = { cardNumber: '3782 822463 10005', now };
  expect(typedFieldError('card_cvv', '123', amex)).toEqual({ key: 'error.card_cvv.empty', values: { count: 4 } });
  expect(typedFieldError('card_cvv', '1234', amex)).toBeNull();
  expect(typedFieldError('card_cvv', '١٢٣', { cardNumber: '4111111111111111', now })).toBeNull();
  expect(typedFieldError('card_cvv', '12a', { now })).toEqual({ key: 'error.card_cvv.empty', values: { count: 3 } });
});

it('has a text for every message', () => {
  const typed = ['', 'x', '1', '99/99', '01/20', 'Mia', '4111 1111 1111 1112', 'y'.repeat(300)];
  const names: TypedFieldName[] = [...payerFieldNames, 'card_number', 'card_expiry', 'card_cvv', 'card_holder'];
  const keys = names.flatMap((name) => typed.map((text) => typedFieldError(name, text, { now })?.key));
  const used = [...new Set(keys.filter((key) => key !== undefined))];
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((key) => !(key in en))).toEqual([]);
});
