import { expect, it } from 'vitest';
import type { CardView } from '../core/payment.ts';
import { cardFieldsOf, type PayerFieldName } from '../methods/fields.ts';
import { checkSubmission, readSubmission, redisplayable } from './form.ts';

const now = new Date('2026-11-20T12:00:00Z');
const card = 'card_number=4111+1111+1111+1111&card_expiry=05+/+38&card_cvv=123&card_holder=Mia+Lindqvist';

const savedCard: CardView = {
  id: 'kept',
  first6: '378282',
  last4: '0005',
  brand: 'amex',
  expMonth: 5,
  expYear: 2038,
  holder: null,
};

type Options = { fields?: string; country?: string; saved?: CardView; operation?: string };

function check(body: string, { fields = '', country, saved, operation = 'purchase' }: Options = {}) {
  const { typed } = readSubmission(new URLSearchParams(body), new Headers());
  return checkSubmission(typed, {
    fields: fields.split(' ').filter(Boolean) as PayerFieldName[],
    accepted: null,
    cardFields: cardFieldsOf(operation, saved !== undefined),
    payer: { country },
    saved: saved ?? null,
    language: 'en',
    now,
  });
}

it('builds a card from the input', () => {
  const checked = check(card);
  expect(checked).toEqual({
    ok: true,
    card: { number: '4111111111111111', expMonth: 5, expYear: 2038, cvv: '123', holder: 'Mia Lindqvist' },
    cvv: '123',
    expiry: { month: 5, year: 2038 },
    person: {},
  });
});

// fields | country of the request | body after the card | errors, or "ok" with the stored values
const cases = `
                    |    |                                            | ok {}
email               |    | email=mia@mail.example                     | ok {"email":"mia@mail.example"}
email               |    |                                            | email error.email.empty
email               |    | email=mia                                  | email error.email.wrong
                    |    | email=mia@mail.example&state=CA            | ok {}
country             |    | country=de                                 | ok {"country":"DE"}
country             |    | country=XX                                 | country error.country.empty
country             |    |                                            | country error.country.empty
country state       |    | country=DE&state=CA                        | ok {"country":"DE"}
country state       |    | country=US                                 | state error.state.empty
country state       |    | country=US&state=ZZ                        | state error.state.empty
country state       |    | country=US&state=CA                        | ok {"country":"US","state":"CA"}
country state       |    | country=JP&state=13                        | ok {"country":"JP","state":"13"}
state               | US | state=california                           | ok {"state":"CA"}
state               | us | state=CA                                   | ok {"state":"CA"}
state               | DE | state=CA                                   | ok {}
name                |    |                                            | ok {"name":"Mia Lindqvist"}
name                |    | name=Someone+Else                          | ok {"name":"Mia Lindqvist"}
name email zip      |    | email=x                                    | email error.email.wrong; zip error.zip.empty
zip city address    | DE |                                            | address error.address.empty; zip error.zip.empty; city error.city.empty
zip                 | US | zip=2108                                   | zip error.zip.check
zip                 | US | zip=2108&zip_checked=2108                  | ok {"zip":"2108"}
zip                 | US | zip=2108&zip_checked=218                   | zip error.zip.check
zip                 | US | zip=02108                                  | ok {"zip":"02108"}
zip country         |    | zip=02108&country=GB                       | zip error.zip.check
zip                 | HK |                                            | zip error.zip.empty
zip                 | HK | zip=000000                                 | ok {"zip":"000000"}
birth_date          |    | birth_date=1990-02-30                      | birth_date error.birth_date.wrong
phone               |    | phone=%2B44+20+7946+0018                   | ok {"phone":"+442079460018"}
`;

const rows = cases
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string]);

it.each(rows)('asked %s, country %s, typed %s: %s', (fields, country, typed, expected) => {
  const checked = check(`${card}&${typed}`, { fields, country: country || undefined });
  const said = checked.ok
    ? `ok ${JSON.stringify(checked.person)}`
    : Object.entries(checked.errors)
        .map(([name, message]) => `${name} ${message?.key}`)
        .join('; ');
  expect(said).toBe(expected);
});

it('lists every error of an empty form in the order of the page', () => {
  const checked = check('', { fields: 'email zip' });
  expect(checked.ok).toBe(false);
  expect(Object.keys(checked.ok ? {} : checked.errors)).toEqual([
    'card_number',
    'card_expiry',
    'card_cvv',
    'card_holder',
    'email',
    'zip',
  ]);
});

it('requires only the code of a saved card, in the length of its brand', () => {
  expect(check('card_cvv=1234', { saved: savedCard })).toEqual({ ok: true, card: null, cvv: '1234', person: {} });
  const checked = check('card_cvv=123', { saved: savedCard });
  expect(checked.ok ? null : checked.errors).toEqual({
    card_cvv: { key: 'error.card_cvv.empty', values: { count: 4 } },
  });
});

it('asks for the name with a saved card, whose name is not typed', () => {
  const options = { saved: savedCard, fields: 'name' };
  expect(check('card_cvv=1234&name=Mia+Maria+Lindqvist', options)).toMatchObject({
    ok: true,
    person: { name: 'Mia Maria Lindqvist' },
  });
  expect(check('card_cvv=1234', options)).toEqual({ ok: false, errors: { name: { key: 'error.name.empty' } } });
});

it('never redisplays the number or the code', () => {
  const { typed } = readSubmission(new URLSearchParams(`${card}&email=mia@mail.example`), new Headers());
  expect(redisplayable(typed)).toEqual({
    card_expiry: '05 / 38',
    card_holder: 'Mia Lindqvist',
    email: 'mia@mail.example',
  });
});

it('cuts overlong input and rejects it', () => {
  const { typed } = readSubmission(new URLSearchParams({ email: 'a'.repeat(5000) }), new Headers());
  expect(typed.email?.length).toBe(300);
  expect(check(`${card}&city=${'x'.repeat(5000)}`, { fields: 'city' }).ok).toBe(false);
});

it('takes the browser data from the script and the request, without values out of range', () => {
  const headers = new Headers({ 'user-agent': 'Test/1', accept: 'text/html', 'accept-language': 'de-AT,de;q=0.8' });
  const scripted = readSubmission(
    new URLSearchParams({
      browser_screen_width: '390',
      browser_screen_height: '844',
      browser_color_depth: '24',
      browser_timezone_offset: '-120',
      browser_java_enabled: 'false',
    }),
    headers,
  ).browser;
  expect(scripted).toMatchObject({
    acceptHeaders: 'text/html',
    userAgent: 'Test/1',
    language: 'de-AT',
    screenWidth: 390,
    screenHeight: 844,
    colorDepth: 24,
    timezoneOffset: -120,
    javaEnabled: false,
    javascriptEnabled: true,
  });
  const plain = readSubmission(new URLSearchParams({ browser_color_depth: '1e9' }), headers).browser;
  expect(plain.javascriptEnabled).toBe(false);
  expect(plain.colorDepth).toBeUndefined();
});

it('accepts a payout card without a code, and ignores a code that is sent', () => {
  const body = 'card_number=4601+5418+3377+6519&card_expiry=05+/+38&card_cvv=123&card_holder=Mia+Lindqvist';
  expect(check(body, { operation: 'credit' })).toEqual({
    ok: true,
    card: { number: '4601541833776519', expMonth: 5, expYear: 2038 },
    expiry: { month: 5, year: 2038 },
    person: {},
  });
  expect(check('card_expiry=05+/+38', { operation: 'credit', saved: savedCard })).toEqual({
    ok: true,
    card: null,
    expiry: { month: 5, year: 2038 },
    person: {},
  });
  const lacking = check('', { operation: 'credit', saved: savedCard });
  expect(lacking).toEqual({ ok: false, errors: { card_expiry: { key: 'error.card_expiry.empty' } } });
});

it('requires the recipient card of a transfer, and never redisplays its number', () => {
  const lacking = check(card, { operation: 'transfer' });
  expect(lacking).toEqual({ ok: false, errors: { payee_card_number: { key: 'error.payee_card_number.empty' } } });
  const wrong = check(`${card}&payee_card_number=4601541833776518`, { operation: 'transfer' });
  expect(wrong).toEqual({ ok: false, errors: { payee_card_number: { key: 'error.payee_card_number.wrong' } } });
  const right = check(`${card}&payee_card_number=4601+5418+3377+6519`, { operation: 'transfer' });
  expect(right).toMatchObject({ ok: true, payeeCard: { number: '4601541833776519' } });
  expect(redisplayable({ payee_card_number: '4601541833776519', email: 'a@b.example' })).toEqual({
    email: 'a@b.example',
  });
  expect(redisplayable({ card_expiry: ' 4111 1111-1111 1111', city: 'Niš' })).toEqual({ city: 'Niš' });
});

it('replaces what cannot be stored: NUL, and a character that is cut in half', () => {
  const fields = {
    city: 'a\0b',
    address: `${'a'.repeat(299)}💳`,
    browser_language: `${'e'.repeat(254)}💳`,
    parameter_x: '\0',
  };
  const { typed, browser } = readSubmission(new URLSearchParams(fields), new Headers());
  expect(typed).toMatchObject({ city: 'a\ufffdb', address: `${'a'.repeat(299)}\ufffd`, parameter_x: '\ufffd' });
  expect(browser.language).toBe(`${'e'.repeat(254)}\ufffd`);
});
