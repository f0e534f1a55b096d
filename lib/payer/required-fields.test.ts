import { expect, it } from 'vitest';
import { missingPayerFields as askedFields } from '../payments/attempt/payer-fields.ts';

// required by the mapping | in the request | required
const cases = `
                                | {}                                     |
email                           | {}                                     | email
payer_email                     | {}                                     | email
customer.email                  | {}                                     | email
email                           | {"email":"mia@mail.example"}           |
email                           | {"email":""}                           | email
first_name last_name            | {}                                     | name
first_name                      | {"name":"Mia Lindqvist"}               |
first_name                      | {"first_name":"Mia"}                   | name
last_name                       | {"first_name":"Mia","last_name":"L"}   |
zip city address email          | {}                                     | email city address zip
state                           | {}                                     |
state                           | {"country":"DE"}                       |
state                           | {"country":"US"}                       | state
state                           | {"country":"us"}                       | state
state                           | {"country":"US","state":"CA"}          |
country state                   | {}                                     | country state
country state                   | {"country":"DE"}                       |
country state                   | {"country":"JP"}                       | state
ip phone_country_code address2  | {}                                     |
phone birth_date district house_number | {}                              | phone birth_date district house_number
`;

const rows = cases
  .split('\n')
  .filter((line) => line.includes('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]);

it.each(rows)('required %s, given %s: asks %s', (required, given, expected) => {
  const fields = askedFields(required.split(/\s+/).filter(Boolean), JSON.parse(given));
  expect(fields.join(' ')).toBe(expected);
});
