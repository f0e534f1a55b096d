import { describe, expect, it } from 'vitest';
import {
  type CardOperation,
  checkCardParameters,
  missingCardSets,
  type ParameterProtocol,
  requiredCardSets,
} from './card-sets.ts';
import { checkOf } from './formats.ts';
import { readTable, treeOf } from './parameter-table.ts';

const words: { [text: string]: string } = {
  'This value should not be blank.': 'blank',
  'This value is not valid.': 'not valid',
  'This value is not a valid URL.': 'no URL',
  'The value you selected is not a valid choice.': 'no choice',
  'This is not a valid UUID.': 'no UUID',
};

/** A text without changes, `_` for a blank; `x*31` repeats, `9*10.25` with a suffix; `#5` is a number, `!true` JSON. */
function readCell(cell: string): unknown {
  if (cell.startsWith('!')) return JSON.parse(cell.slice(1));
  if (/^#[-.\d]+$/.test(cell)) return Number(cell.slice(1));
  const repeated = /^(\S)\*(\d+)(\S*)$/u.exec(cell);
  if (repeated) return repeated[1]?.repeat(Number(repeated[2])) + (repeated[3] ?? '');
  return cell.replaceAll('_', ' ');
}

/** `cart.items[0].price` as nested objects and lists. */
function nested(path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length > 0 ? nested(rest.join('.'), value) : value;
  const list = /^(\w+)\[0\]$/.exec(name);
  return list ? { [list[1] as string]: [inner] } : { [name]: inner };
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

function verdictOf(operation: CardOperation, protocol: ParameterProtocol, given: unknown): string {
  const path = protocol === 'checkout' ? 'parameters.card' : 'parameters';
  const { errors } = checkCardParameters(given, { operation, protocol, path });
  return errors.map((fieldError) => `${fieldError.path}: ${words[fieldError.text]}`).join(', ') || 'ok';
}

// name | valid values | invalid values | their error
const sale = rowsOf(`
  bnrg_installm_def    | 00 01 03 12             | 1 001 3 1a #10      | not valid
  bnrg_installm_months | 03 12 48                | 3 003 0x            | not valid
  bnrg_installm_plan   | 03 05 07                | 3 01 04 007         | no choice

  document_type   | cpf                                  | CPF cnpj        | no choice
  document_number | 231.002.999-00 x*255                 | x*256 #7 !{}     | not valid
  social_name     | x*255 ö*255 𝒳*255                    | x*256 𝒳*256     | not valid
  fiscal_country  | BR br                                | BRA XX 076      | not valid
  toBankAccountId | a1a1134a-32c6-442c-90c9-66b587d5be00 | a1a1134a x*36   | no UUID

  descriptor | Florin_*_SHOP x*20 | x*21 | not valid

  customer_phone    | x*255           | x*256             | not valid
  customer_telnocc  | 123             | x*256             | not valid
  shipping_street1  | x*255           | x*256             | not valid
  shipping_city     | x*255           | x*256             | not valid
  shipping_state    | CA x*255        | x*256             | not valid
  shipping_postcode | 1 9*9           | 9*10 1234-5 SW1   | not valid
  shipping_country  | 840 008         | US USA 84 0840    | not valid

  shipping.street1              | x*100                | x*101               | not valid
  shipping.street2              | x*100                | x*101               | not valid
  shipping.houseNumber1         | x*100                | x*101               | not valid
  shipping.houseNumber2         | x*100                | x*101               | not valid
  shipping.city                 | x*80                 | x*81                | not valid
  shipping.state                | x*50                 | x*51                | not valid
  shipping.postcode             | x*16                 | x*17                | not valid
  shipping.country              | US us                | USA 840 XX          | not valid
  shipping.method               | x*30                 | x*31                | not valid
  shipping.cost                 | 5 #5.25 9*13 9*10.25 | 9*14 9*11.25 -1 5. 5,2 .5 | not valid
  shipping.comment              | x*160                | x*161               | not valid
  shipping.expectedDate         | 2026-11-20           | x*11                | not valid
  shipping.logisticsProvider    | x*255                | x*256               | not valid
  shipping.trackingNumber       | x*255                | x*256               | not valid
  shipping.returnTrackingNumber | x*255                | x*256               | not valid
  shipping.normalized           | x*255                | x*256               | not valid
  shipping.validationStatus     | x*255                | x*256               | not valid
  shipping.warehouse            | x*100                | x*101               | not valid
  shipping.preference           | x*21                 | x*22                | not valid
  shipping.middleName           | x*255                | x*256               | not valid
  shipping.companyName          | x*60                 | x*61                | not valid
  shipping.phone                | x*25                 | x*26                | not valid
  shipping.workPhone            | x*25                 | x*26                | not valid
  shipping.mobile               | x*25                 | x*26                | not valid
  shipping.email                | x*128                | x*129               | not valid
  shipping.type                 | return shipment      | RETURN gift         | no choice

  cart.items[0].name                   | x*255               | x*256 #7          | not valid
  cart.items[0].merchantItemId         | x*255               | x*256             | not valid
  cart.items[0].quantity               | 1 99999 #3          | 100000 1.5 -1 one | not valid
  cart.items[0].type                   | x*255               | x*256             | not valid
  cart.items[0].sku                    | x*255               | x*256             | not valid
  cart.items[0].currency               | EUR eur             | EU EURO 978       | not valid
  cart.items[0].description            | x*2048              | x*2049            | not valid
  cart.items[0].commodityCode          | 12345678 00001234 #1 | 123456789 1234x   | not valid
  cart.items[0].commodityDescription   | x*50                | x*51              | not valid
  cart.items[0].originalPrice          | x*255               | x*256             | not valid
  cart.items[0].price                  | 10 #10.25 10.00 9*13 | 9*14 ten 1e3 -1 | not valid
  cart.items[0].totalAmount            | 10.25 9*13          | 9*14 10,25        | not valid
  cart.items[0].taxAmount              | 10.25 9*13          | 9*14 10,25        | not valid
  cart.items[0].totalTaxAmount         | 10.25 9*13          | 9*14 10,25        | not valid
  cart.items[0].tax                    | x*6 19.00           | x*7               | not valid
  cart.items[0].taxCategory            | x*2                 | x*3               | not valid
  cart.items[0].shipping               | 5 5.5 9*10.25       | 9*11 5.255 5.     | not valid
  cart.items[0].discount               | 10.25 9*13          | 9*14 10,25        | not valid
  cart.items[0].giftMessage            | x*255               | x*256             | not valid
  cart.items[0].shippingMethod         | x*255               | x*256             | not valid
  cart.items[0].shippingInstructions   | x*255               | x*256             | not valid
  cart.items[0].shippingTrackingNumber | x*255               | x*256             | not valid
  cart.items[0].quantityUnit           | M CM KG G COUNT     | kg L              | no choice
  cart.items[0].productUrl             | https://shop.example/a http://shop.example | shop.example ftp://a.example javascript:alert(1) https:// | no URL
  cart.items[0].imageUrl               | https://shop.example/a.png | a.png        | no URL
  cart.items[0].totalDiscountAmount    | 5 9*10.25           | 9*11 5.255        | not valid
  cart.items[0].productCode            | x*30                | x*31              | not valid
  cart.items[0].partNumber             | x*30                | x*31              | not valid
  cart.items[0].itemNumber             | 1 001 #999          | 1000 a            | not valid
  cart.items[0].vatReferenceNumber     | x*30                | x*31              | not valid
  cart.items[0].sellerId               | x*255               | x*256             | not valid
  cart.items[0].deliveryDate           | 2026-11-20          | x*11              | not valid
  cart.items[0].recipient.salutation   | x*5                 | x*6               | not valid
  cart.items[0].recipient.firstName    | x*48                | x*49              | not valid
  cart.items[0].recipient.middleName   | x*50                | x*51              | not valid
  cart.items[0].recipient.lastName     | x*48                | x*49              | not valid
  cart.items[0].recipient.apartment    | x*100               | x*101             | not valid
  cart.items[0].recipient.street       | x*100               | x*101             | not valid
  cart.items[0].recipient.address      | x*100               | x*101             | not valid
  cart.items[0].recipient.city         | x*80                | x*81              | not valid
  cart.items[0].recipient.state        | x*50                | x*51              | not valid
  cart.items[0].recipient.postcode     | x*16                | x*17              | not valid
  cart.items[0].recipient.country      | DE 276              | DEU 27 XX         | not valid
  cart.items[0].recipient.phone        | +491701234567 9*25  | 9*26 +49-170 call | not valid
  cart.items[0].recipient.email        | x*128               | x*129             | not valid

  cart.payments[0].name     | x*255                       | x*256           | not valid
  cart.payments[0].type     | GIFTCARD PROMOTION          | giftcard OTHER  | no choice
  cart.payments[0].amount   | 5 9*10.25                   | 9*11 5.255      | not valid
  cart.payments[0].currency | USD                         | US              | not valid
  cart.payments[0].status   | pending authorized captured | PENDING done    | no choice
  cart.payments[0].brand    | x*255                       | x*256           | not valid
  cart.payments[0].primary  | true false !true !false 1 0 | yes 2 !{} TRUE   | no choice

  marketPlace.sellers[0].id     | x*255      | x*256      | not valid
  marketPlace.sellers[0].amount | 10.25 9*13 | 9*14 10,25 | not valid`);

// Fields whose format differs on S2S CARD.
const saleOnS2s = rowsOf(`
  shipping.cost                      | 9*16 9*13.25   | 9*17 9*14.25 | not valid
  shipping.returnTrackingNumber      | x*256          |              |
  shipping.middleName                | x*50           | x*51         | not valid
  cart.items[0].tax                  | x*13           | x*14         | not valid
  cart.items[0].taxCategory          | x*13           | x*14         | not valid
  cart.items[0].shipping             | 9*12 9*9.25 5.255 | 9*13      | not valid
  cart.items[0].recipient.country    | x*5 DEU        | x*6          | not valid`);

const identity = ['identity_type', 'identity_id', 'identity_country', 'identity_exp_date', 'nationality'];
const personal = [...identity, 'country_of_birth'];
const address = 'first_name last_name middle_name address city state country zip phone birth_date'.split(' ');
const anyText = (names: string[]) =>
  names.map((name) => [name, 'x*255 Passport 2030-12-31', 'x*256 !{} #7', 'not valid']);

const debit = anyText([
  ...personal.map((name) => `payer_${name}`),
  ...[...address, ...personal].map((name) => `payee_${name}`),
]);

const transfer = rowsOf(`
  payer_identity_type | 1 2 3 4 5 6 7 8 #8  | 0 9 01 passport | no choice
  payer_identity_id   | x*255               | x*256           | not valid
  payer_type          | 0 1 2 3 #0          | 4 on-us         | no choice`);

const credit = [
  ...anyText(['payer', 'payee'].flatMap((who) => personal.map((name) => `${who}_${name}`))),
  ...rowsOf(`
  payer_account_number | #NA 4111111111111111 4111_1111_1111_1111 | 4111111111111112 NA #na 4111 DE02120300000000202051 | not valid
  card_exp_month       | 01 12                  | 00 13 1 #12   | not valid
  card_exp_year        | 2038                   | 38 1999 #2038 | not valid
  expiry               | 01/2038 12/2030        | 1/2038 13/2038 01/38 012038 2038-01 | not valid`),
];

const tables: [CardOperation, ParameterProtocol, string[][]][] = [
  ['purchase', 'checkout', sale],
  ['purchase', 's2s', [...sale.filter(([name]) => !saleOnS2s.some(([other]) => other === name)), ...saleOnS2s]],
  ['debit', 'checkout', [...sale, ...debit]],
  ['transfer', 's2s', transfer],
  ['credit', 'checkout', credit],
  ['credit', 's2s', credit],
];
const cases = tables.flatMap(([operation, protocol, rows]) =>
  rows.flatMap(([name = '', good = '', bad = '', fault]) => {
    const cells = (text: string) => text.split(' ').filter((cell) => cell !== '');
    const path = `${protocol === 'checkout' ? 'parameters.card' : 'parameters'}.${name}`;
    return [
      ...cells(good).map((cell) => [operation, protocol, name, cell, 'ok'] as const),
      ...cells(bad).map((cell) => [operation, protocol, name, cell, `${path}: ${fault}`] as const),
    ];
  }),
);

describe('the format of a field', () => {
  it.each(cases)('%s %s: %s = %s: %s', (operation, protocol, name, cell, verdict) => {
    expect(verdictOf(operation, protocol, nested(name, readCell(cell)))).toBe(verdict);
  });

  it('does not apply to an operation without the field', () => {
    expect(verdictOf('credit', 's2s', { bnrg_installm_plan: '99' })).toBe('ok');
    expect(verdictOf('purchase', 's2s', { payer_type: '9' })).toBe('ok');
    expect(verdictOf('debit', 's2s', { payer_identity_type: 'Passport' })).toBe('ok');
    expect(verdictOf('transfer', 's2s', { payer_identity_type: 'Passport' })).not.toBe('ok');
  });
});

describe('the shape of the parameters', () => {
  const check = (given: unknown) => checkCardParameters(given, { operation: 'purchase', protocol: 's2s', path: '' });

  it('is the same for every notation of a form', () => {
    const item = { name: 'Bowl', price: '10.00', quantityUnit: 'COUNT', recipient: { city: 'Lund' } };
    const expected = { shipping: { street1: 'Allé 1', country: 'SE' }, cart: { items: [item] } };
    const spellings = [
      {
        shipping: { street1: 'Allé 1', country: 'se' },
        cart: { items: { 0: { name: 'Bowl', price: '10.00', recipient: { city: 'Lund' } } } },
      },
      {
        'shipping.street1': 'Allé 1',
        'shipping.country': 'se',
        'cart.items[0].name': 'Bowl',
        'cart.items.0.price': '10.00',
        'cart.items[0].recipient.city': 'Lund',
      },
      {
        shipping: { street1: 'Allé 1' },
        'shipping.country': 'SE',
        cart: { items: [{ name: 'Bowl' }] },
        'cart.items[0].price': '10.00',
        'cart.items': { 0: { recipient: { city: 'Lund' } } },
      },
    ];
    for (const given of spellings.slice(0, 2)) expect(check(given)).toMatchObject({ errors: [], values: expected });
    // Two values for the same place are an error, not merged.
    expect(check(spellings[2]).errors).toEqual([{ path: 'cart.items', text: 'This value is not valid.' }]);
  });

  // given | verdict
  const table = rowsOf(`
    "text"                                        | parameters: not valid
    ["text"]                                      | parameters: not valid
    []                                            | ok
    {"shipping":"text"}                           | parameters.shipping: not valid
    {"shipping":["text"]}                         | parameters.shipping: not valid
    {"shipping":[]}                               | ok
    {"shipping":{"street1":{"a":"b"}}}            | parameters.shipping.street1: not valid
    {"shipping":{"street1":""}}                   | ok
    {"cart":"text"}                               | parameters.cart: not valid
    {"cart":{"items":"text"}}                     | parameters.cart.items: not valid
    {"cart":{"items":{"name":"Bowl"}}}            | parameters.cart.items: not valid
    {"cart":{"items":{"1000000":{}}}}             | parameters.cart.items: not valid
    {"cart":{"items":["text"]}}                   | parameters.cart.items[0]: not valid
    {"cart":{"items":{"7":{"itemNumber":"x"}}}}   | parameters.cart.items[7].itemNumber: not valid
    {"cart":{"items":[{},{"sku":7},{"name":7}]}}  | parameters.cart.items[1].sku: not valid, parameters.cart.items[2].name: not valid
    {"cart.items[0]":"text"}                      | parameters.cart.items[0]: not valid
    {"cart.items[0].name":"a","cart":{"items":[{"name":"b"}]}} | parameters.cart.items[0].name: not valid
    {"shipping.street1.x":"a","shipping.street1":"b"} | parameters.shipping.street1: not valid
    {"shipping.__proto__.x":"a"}                  | parameters.shipping.__proto__.x: not valid
    {"shipping.constructor":"a"}                  | parameters.shipping.constructor: not valid
    {"shipping.a.b.c.d.e":"a"}                    | parameters.shipping.a.b.c.d.e: not valid
    {"fiscal_country":"SWE","descriptor":7}       | parameters.fiscal_country: not valid, parameters.descriptor: not valid`);
  it.each(table)('%s: %s', (given, verdict) => {
    expect(verdictOf('purchase', 's2s', JSON.parse(given as string))).toBe(verdict);
  });

  it('keeps unknown values and drops empty ones', () => {
    const given = {
      gateway_hint: { a: ['b'] },
      'risk.score': '7',
      empty: '',
      descriptor: '',
      shipping: { street1: '', extra: 'x' },
      cart: { items: [] },
      marketPlace: { sellers: [{}] },
    };
    expect(check(given).values).toEqual({
      gateway_hint: { a: ['b'] },
      'risk.score': '7',
      shipping: { extra: 'x' },
      marketPlace: { sellers: [{}] },
    });
    expect(check(undefined)).toEqual({ values: {}, errors: [], secret: {} });
  });

  it('does not modify its input', () => {
    const given = { 'cart.items[0].name': 'Bowl', cart: { payments: [{ name: 'Gift' }] }, fiscal_country: 'br' };
    const before = structuredClone(given);
    expect(check(given).values).toEqual({
      fiscal_country: 'BR',
      cart: { items: [{ name: 'Bowl', quantityUnit: 'COUNT' }], payments: [{ name: 'Gift' }] },
    });
    expect(given).toEqual(before);
  });

  it('is free where the operation has no cart', () => {
    const options = { operation: 'credit', protocol: 's2s', path: 'parameters' } as const;
    for (const items of [{ 0: { name: 'Bowl' } }, 'none', 7]) {
      const cart = { items };
      expect(checkCardParameters({ cart }, options)).toMatchObject({ values: { cart }, errors: [] });
    }
  });

  it('counts in pieces by default on S2S only', () => {
    const given = { cart: { items: [{ name: 'Bowl' }, { quantityUnit: 'KG' }] } };
    expect(check(given).values).toEqual({
      cart: { items: [{ name: 'Bowl', quantityUnit: 'COUNT' }, { quantityUnit: 'KG' }] },
    });
    const onCheckout = checkCardParameters(given, { operation: 'purchase', protocol: 'checkout', path: '' });
    expect(onCheckout.values).toEqual(given);
  });
});

describe('a set that the MID requires', () => {
  // operation, sets | given | verdict
  const table = rowsOf(`
    purchase     | {}                                                          | ok
    purchase BNG | {}                                                          | bnrg_installm_def: blank, bnrg_installm_months: blank, bnrg_installm_plan: blank
    purchase BNG | {"bnrg_installm_def":"00","bnrg_installm_months":""}        | bnrg_installm_months: blank, bnrg_installm_plan: blank
    purchase BNG | {"bnrg_installm_def":"00","bnrg_installm_months":"3"}       | bnrg_installm_months: not valid, bnrg_installm_plan: blank
    purchase FCP | {"document_type":"cpf"}                                     | document_number: blank, social_name: blank, fiscal_country: blank
    purchase BNG FCP | {"document_type":"cpf","document_number":"1","social_name":"A","fiscal_country":"BR"} | bnrg_installm_def: blank, bnrg_installm_months: blank, bnrg_installm_plan: blank
    purchase LBP TWD APC | {}                                                  | ok
    debit ERS    | {}                                                          | ok
    transfer PRC | {}                                                          | ok
    credit ERS   | {}                                                          | payer_account_number: blank
    credit ERS   | {"payer_account_number":"#NA"}                              | ok
    credit PWD   | {"card_exp_month":"01"}                                     | card_exp_year: blank
    credit NSP   | {"expiry":""}                                               | expiry: blank
    credit BNG   | {}                                                          | ok`);
  it.each(table)('%s, %s: %s', (sets, given, verdict) => {
    const [operation, ...capability] = (sets as string).split(' ');
    const { errors } = checkCardParameters(JSON.parse(given as string), {
      operation: operation as CardOperation,
      protocol: 's2s',
      path: '',
      demanded: requiredCardSets({ cardSets: capability }),
    });
    expect(errors.map((fieldError) => `${fieldError.path}: ${words[fieldError.text]}`).join(', ') || 'ok').toBe(
      verdict,
    );
  });

  it('is named by its capabilities only', () => {
    expect(requiredCardSets({ cardSets: ['FCP', 'BNG', 'XYZ', 7] })).toEqual(['BNG', 'FCP']);
    for (const none of [null, undefined, {}, 'BNG', { cardSets: 'BNG' }, []])
      expect(requiredCardSets(none)).toEqual([]);
  });
});

describe('a card number among the parameters', () => {
  const check = (given: unknown) => checkCardParameters(given, { operation: 'credit', protocol: 's2s', path: '' });

  it('is removed, with its digits only', () => {
    expect(check({ payer_account_number: '4111 1111 1111 1111', payer_nationality: 'SE' })).toEqual({
      errors: [],
      values: { payer_nationality: 'SE' },
      secret: { payer_account_number: '4111111111111111' },
    });
  });

  it('may be the placeholder, which is no secret', () => {
    expect(check({ payer_account_number: '#NA' })).toEqual({
      errors: [],
      values: { payer_account_number: '#NA' },
      secret: {},
    });
  });
});

describe('a table', () => {
  it('has known formats and complete lines only', () => {
    expect(() => checkOf('words 3')).toThrow('no such format');
    expect(() => readTable('X', 'name | text 3 | maybe')).toThrow('no parameter');
  });

  it('names each field once', () => {
    const rows = [...readTable('X', 'a.b | text 3 | O'), ...readTable('Y', 'a.b | text 4 | R')];
    expect(() => treeOf(rows)).toThrow('a.b is in two tables');
  });
});

describe('missingCardSets', () => {
  // operation | parameters | the sets with missing fields
  const table = `
purchase | {}                                                                                           | BNG FCP
purchase | {"bnrg_installm_def":"01","bnrg_installm_months":"03","bnrg_installm_plan":"05"}             | FCP
purchase | {"bnrg_installm_def":"01","bnrg_installm_months":"03","bnrg_installm_plan":""}               | BNG FCP
purchase | {"document_type":"cpf","document_number":"1","social_name":"A","fiscal_country":"BR"}        | BNG
debit    | {}                                                                                           | BNG FCP
transfer | {"bnrg_installm_def":"01","bnrg_installm_months":"03","bnrg_installm_plan":"05"}             | FCP
credit   | {}                                                                                           | ERS PWD NSP
credit   | {"payer_account_number":"#NA","expiry":"08/2031"}                                            | PWD
credit   | {"payer_account_number":"4111111111111111","card_exp_month":"08","card_exp_year":"2031"}     | NSP`;
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [operation = '', parameters = '', sets] = line.split('|').map((cell) => cell.trim());
    const given = JSON.parse(parameters);
    for (const protocol of ['checkout', 's2s'] as const) {
      expect(missingCardSets(given, operation as CardOperation, protocol).join(' ')).toBe(sets);
    }
  });
});
