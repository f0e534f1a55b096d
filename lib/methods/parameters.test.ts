import { describe, expect, it } from 'vitest';
import type { FieldError } from '../core/errors.ts';
import { parameterLines } from './catalog/lines.ts';
import { operators } from './catalog/mobile-operators.ts';
import { findMethod, methods } from './catalog.ts';
import { checkOf, formatOf } from './formats.ts';
import type { Method } from './method.ts';
import {
  acceptsRequestField,
  checkMethodParameters,
  checkTypedParameters,
  choiceNames,
  type ParameterScope,
  parametersToCollect,
  requestFieldErrors,
  splitSecretParameters,
} from './parameters.ts';
import { methodAmountErrors } from './payment-support.ts';

const words: { [text: string]: string } = {
  'This value should not be blank.': 'blank',
  'This value is not valid.': 'not valid',
  'This value is not a valid URL.': 'no URL',
  'The value you selected is not a valid choice.': 'no choice',
};

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
const methodOf = (id: string) => findMethod(id) as Method;
const listed = (fieldErrors: readonly FieldError[]) => fieldErrors.map(({ path, text }) => `${path}: ${words[text]}`);

function checked(id: string, input: unknown, scope: ParameterScope = {}, demandCollected = false) {
  const { values, faults } = checkMethodParameters(methodOf(id), input, { path: 'p', demandCollected, ...scope });
  return { values, faults: listed(faults) };
}

// The contract's table: method | parameters in order, each with its requirement.
const contract = rowsOf(`
  awcc                | network_type=O bech32=O crypto_type=R accountId=O
  billplz             | bank_code=R bank_account_number=R
  dl                  | document_number=C
  dlocal              | document_number=C
  pagsmile            | document_number=C document_type=C
  papara              | memberId=C
  doku-hpp            | product_reference_id=A product_name=A product_quantity=A product_sku=A product_category=A product_url=A product_image_url=A product_type=A
  kunnect             | cryptoCurrency=R
  m2p-debit           | paymentGatewayName=R paymentCurrency=R tradingAccountLogin=O
  m2p-withdrawal      | withdrawCurrency=R address=R tradingAccountLogin=O
  next-level-finance  | toCurrency=R
  payok-upi           | personal_id=C
  pyk-upi             | personal_id=C
  pyk-momo            | personal_id=C
  pyk-nequipush       | personal_id=C
  pyk-pix             | personal_id=C
  pyk-iban            | personal_id=C
  pyk-bkmexpress      | orgCode=C accountName=C accountNumber=C
  pyk-paparawallet    | orgCode=C accountName=C accountNumber=C
  pyk-promptpay       | orgCode=C accountName=C accountNumber=C
  pyk-truemoney       | orgCode=C accountName=C accountNumber=C
  paythrough-upi      | upi_id=R
  sz-in-upi           | upiAddress=R
  tabby               | category=R buyer_registered_since=R buyer_loyalty_level=R
  tamara              | shipping_amount=R tax_amount=R product_reference_id=R product_type=R product_sku=R product_amount=R
  ptn-email           | SecurityQuestion=O SecurityQuestionAnswer=O
  ptn-sms             | SecurityQuestion=O SecurityQuestionAnswer=O
  yapily              | payee_name=R payee_country=R payee_identifications[].type=R payee_identifications[].identification=R
  yo-uganda-limited   | AccountProviderCode=O NarrativeFileName=O NarrativeFileBase64=O ProviderReferenceText=O
  bts-ars             | bank_cuil=C
  bts-mxn             | bank_curp=C
  swifipay-withdrawal | ToAccountNumber=C ToAccountName=C ToProvince=C ToCity=C ToBranch=C ToAddress=C Email=C Phone=C
  smlpz-out-peru      | paymentMethod=R cashAccount=R cashAccountType=R cci=R name=R email=R phone=R idType=R identity=R
  allpay-payout       | SecurityQuestion=R SecurityQuestionAnswer=R
  kora                | mobile_money_operator=C mobile_number=C customer_email=C customer_name=O`);

const linesOf = ({ parameters, payout }: Method) => [...parameterLines(parameters), ...parameterLines(payout)];

describe('the tables of the catalogue', () => {
  it.each(contract)('have the parameters of the contract for %s', (id, wanted) => {
    const found = new Set(linesOf(methodOf(id as string)).map(({ name, need }) => `${name}=${need}`));
    expect([...found].sort()).toEqual((wanted ?? '').split(' ').sort());
  });

  it('have no other parameters but those of described fields', () => {
    const known = contract.map(([id]) => id);
    const others = methods.filter((method) => linesOf(method).length > 0 && !known.includes(method.id));
    expect(others.map(({ id }) => id).sort()).toEqual(
      'axxi-cash axxi-pin axxi-transfer beeline dpbanktransfer fairpay one-collection pix vpayapp_upi'.split(' '),
    );
  });
});

/** A value that a format rejects. */
function badOf(format: string): unknown {
  const [word = '', least, most] = format.split(' ');
  if (word === 'text') return 'x'.repeat(Number(least) + 1);
  if (word === 'between' || word === 'answer') return 'x'.repeat(Number(most) + 1);
  return (
    { money: '12,5', url: 'florin', datetime: '2026-02-30T00:00:00Z', msisdn: '+999', base64: 'abc' }[word] ?? '!?'
  );
}

/** Countries or currencies to which a line applies. */
const scopeOf = (where: string): ParameterScope => {
  const [place = ''] = where.startsWith('not') ? [''] : where.split(' ');
  return place.length === 3 ? { currency: place } : { country: place || undefined };
};

describe('a parameter with a format', () => {
  const cases = methods.flatMap((method) =>
    linesOf(method).map((line) => [method.id, line.name, line.format, line.where] as const),
  );
  it.each(cases)('%s: an invalid %s is reported by its name (%s %s)', (id, name, format, where) => {
    const operation = methodOf(id).payout ? 'credit' : undefined;
    const bad = badOf(format);
    const [outer = '', inner] = name.split('[].');
    const input = inner ? { [outer]: [{ [inner]: bad }] } : { [outer]: bad };
    const path = inner ? `p.${outer}[0].${inner}` : `p.${outer}`;
    const { values, faults } = checked(id, input, { operation, ...scopeOf(where) });
    const error =
      { one: 'no choice', boolean: 'no choice', url: 'no URL' }[format.split(' ')[0] as string] ?? 'not valid';
    expect(faults).toContain(`${path}: ${error}`);
    expect(values[outer]).not.toBe(bad);
  });

  it('exists for every method with parameters', () => {
    expect(cases.length).toBeGreaterThan(100);
  });
});

// format | valid values | the results, = for unchanged | invalid values
const formats = rowsOf(`
  between 3 5   | abc äöü𝒳x          | =                            | ab abcdef
  alnum 20 20   | 00219300123456789012 | =                          | 0021930012345678901 002193001234567890123 0021-930012345678901
  answer 3 25   | abc x*25            | =                            | ab x*26 a_b
  email         | a@b.co              | =                            | a@b a@ @b.co a_b@c.de a@b@c.de
  upi           | payer@okbank a.b-c@ybl | =                         | payer payer@ @okbank payer@1bank a_b@bank
  swift         | phbmmykl MBBEMYKLXXX | PHBMMYKL MBBEMYKLXXX        | PHBM PHBMMYKL1 12345678
  coin          | usdt BTC            | USDT BTC                     | B BITCOINCASH1 US-DT
  datetime      | 2026-11-20T16:50:00Z 2024-02-29T00:00:00.123Z 2026-01-01T00:00:00+00:00 | = | 2026-11-20 2026-02-29T00:00:00Z 2026-11-20T24:00:00Z 2026-11-20T16:50:00+02:00 #1700000000
  base64        | aGVsbG8= aGVsbG8h YQ== | =                         | a abc aGVsbG8 a=== aG*s
  pin 6 32      | 1234-5678 ab12cd    | 12345678 AB12CD              | 12345 12!456
  cpf-or-cnpj   | 529.982.247-25 11144477735 11.222.333/0001-81 12.abc.345/01de-35 | 52998224725 11144477735 11222333000181 12ABC34501DE35 | 52998224726 11111111111 11222333000182 1234 12ABC34501DE36 00000000000000
  cpf           | 529.982.247-25      | 52998224725                  | 11222333000181
  cuil          | 20-05536168-2 20055361682 | 20055361682 20055361682 | 20055361683 10055361682 2005536168
  tckn          | 10000000146         | =                            | 10000000147 00000000146 1000000014
  curp          | BOXW310820HNERXN09 hegg560427mvzrrl04 | BOXW310820HNERXN09 HEGG560427MVZRRL04 | BOXW310820HNERXN08 BOXW311320HNERXN09 BOXW
  msisdn        | +2290197000000 233241234567 00254712345678 | +2290197000000 +233241234567 +254712345678 | 12 0241234567 +999123456
  msisdn GH     | 0241234567 +233_24_123_4567 233241234567 | +233241234567 +233241234567 +233241234567 | +254712345678 123
  msisdn BJ     | 97000000 +22997000000 +229_01_97_00_00_00 | +2290197000000 +2290197000000 +2290197000000 | +22890112233 123456
  msisdn TG     | 90112233 +22890112233 | +22890112233 +22890112233  | +2290197000000`);

describe('a format', () => {
  const read = (cell: string): unknown => {
    if (cell.startsWith('#')) return Number(cell.slice(1));
    const repeated = /^(.)\*(\d+)$/u.exec(cell);
    return repeated ? repeated[1]?.repeat(Number(repeated[2])) : cell.replaceAll('_', ' ');
  };
  it.each(formats)('%s', (format = '', passing = '', become = '', failing = '') => {
    const check = checkOf(format);
    const input = passing.split(' ').map(read);
    const wanted = become === '=' ? input : become.split(' ');
    expect(input.map((value) => check(value))).toEqual(wanted.map((value) => ({ value })));
    for (const value of failing.split(' ').map(read))
      expect([value, check(value)]).toEqual([value, { fault: expect.any(String) }]);
  });

  it('rut, whose last character can be a letter', () => {
    const check = checkOf('rut');
    expect(['12.345.678-5', '30686957-4', '1000005-k'].map((text) => check(text))).toEqual(
      ['123456785', '306869574', '1000005K'].map((value) => ({ value })),
    );
    for (const text of ['123456784', '1000005-1', '12-3']) expect(check(text)).toHaveProperty('fault');
  });
});

describe('required parameters', () => {
  it('names each required parameter that is absent or blank', () => {
    expect(checked('billplz', undefined).faults).toEqual(['p.bank_code: blank', 'p.bank_account_number: blank']);
    expect(checked('billplz', { bank_code: '', bank_account_number: '1' }).faults).toEqual(['p.bank_code: blank']);
    expect(checked('billplz', 'PHBMMYKL').faults).toContain('p: not valid');
  });

  it('requires collected parameters only if there is no page', () => {
    expect(checked('papara', {}).faults).toEqual([]);
    expect(checked('papara', {}, {}, true).faults).toEqual(['p.memberId: blank']);
    expect(checked('doku-hpp', {}, {}, true).faults).toEqual([]);
  });

  it('selects lines by the payer’s country', () => {
    const demanded = (country?: string) => checked('pagsmile', {}, { country }, true).faults.length;
    expect(['GT', 'PA', 'CR', 'BR', 'CL', undefined].map(demanded)).toEqual([0, 0, 0, 2, 2, 2]);
    const fairpay = (country?: string) => parametersToCollect(methodOf('fairpay'), {}, country).map(({ name }) => name);
    expect(['BR', 'CL', 'CO', 'PE', undefined].map(fairpay)).toEqual([
      ['personal_id'],
      ['personal_id'],
      ['document_type', 'personal_id'],
      [],
      [],
    ]);
    expect(parametersToCollect(methodOf('axxi-transfer'), {}, 'MX')).toEqual([]);
    expect(parametersToCollect(methodOf('axxi-transfer'), { bank: 'nequi' }, 'CO').map(({ name }) => name)).toEqual([
      'person_type',
      'document_type',
      'document_number',
    ]);
  });

  it('passes unknown parameters unchanged', () => {
    const input = { memberId: '1234567890', sandbox: 'decline', own: { deep: ['x'] } };
    expect(checked('papara', input)).toEqual({ values: input, faults: [] });
    expect(checked('astropay', { sandbox: 'never' }).values).toEqual({ sandbox: 'never' });
  });

  it('fills in defaults and fixed values', () => {
    const tabby = { category: 'shoes', buyer_registered_since: '2020-01-01T00:00:00Z' };
    expect(checked('tabby', tabby)).toEqual({ values: { ...tabby, buyer_loyalty_level: '0' }, faults: [] });
    expect(checked('tabby', { ...tabby, buyer_loyalty_level: 3 }).values.buyer_loyalty_level).toBe('3');
    expect(checked('num-applepay', { payment_type: 'CARD' }).values).toEqual({ payment_type: 'APPLEPAY' });
    expect(checked('num-googlepay', undefined).values).toEqual({ payment_type: 'GOOGLEPAY' });
    expect(checked('aircash-deposit', {}).values).toEqual({ pay_type: '0', pay_method: '2' });
  });
});

describe('a list', () => {
  const payee = { payee_name: 'Florin Ltd', payee_country: 'gb' };
  const identified = (payee_identifications: unknown) => checked('yapily', { ...payee, payee_identifications });

  it('is required with at least one member', () => {
    expect(checked('yapily', payee).faults).toEqual(['p.payee_identifications: blank']);
    expect(identified([]).faults).toEqual(['p.payee_identifications: blank']);
    expect(identified('IBAN').faults).toEqual(['p.payee_identifications: not valid']);
  });

  it('is checked member by member', () => {
    const good = { type: 'IBAN', identification: 'GB33BUKB20201555555555' };
    expect(identified([good])).toEqual({
      values: { ...payee, payee_country: 'GB', payee_identifications: [good] },
      faults: [],
    });
    expect(identified([good, { type: 'IBANS' }]).faults).toEqual([
      'p.payee_identifications[1].type: no choice',
      'p.payee_identifications[1].identification: blank',
    ]);
    // Form-encoded lists arrive as objects of positions.
    expect(identified({ 0: good }).values.payee_identifications).toEqual([good]);
  });

  it('accepts each type of the contract', () => {
    const types =
      'SORT_CODE, ACCOUNT_NUMBER, IBAN, BBAN, BIC, PAN, MASKED_PAN, MSISDN, BSB, NCC, ABA, ABA_WIRE, ABA_ACH, ROLL_NUMBER, BLZ, IFS, CLABE, CTN, BRANCH_CODE, VIRTUAL_ACCOUNT_ID';
    expect(identified(types.split(', ').map((type) => ({ type, identification: '1' }))).faults).toEqual([]);
  });
});

describe('parameters that depend on each other', () => {
  const peru = {
    paymentMethod: '002',
    cashAccount: '19312345678012',
    cashAccountType: 'AHORROS',
    cci: '00219300123456789012',
    name: 'Ana Quispe',
    email: 'ana@example.com',
    phone: '+51987654321',
  };
  it.each(
    rowsOf(`
    DNI | 12345678    | 1234567 12345678901 1234567A
    CE  | 001234567   | 1234 1234567890123
    PAS | AB123456    | AB1 AB-123456
    RUC | 20100070970 | 12345678 99100070970`),
  )('identity is one of %s', (idType, good, bad = '') => {
    expect(checked('smlpz-out-peru', { ...peru, idType, identity: good }).faults).toEqual([]);
    for (const identity of bad.split(' '))
      expect(checked('smlpz-out-peru', { ...peru, idType, identity }).faults).toEqual(['p.identity: not valid']);
  });

  it('identity has no error for a wrong type', () => {
    const input = { ...peru, idType: 'DNIE', identity: '1' };
    expect(checked('smlpz-out-peru', input).faults).toEqual(['p.idType: no choice']);
  });

  it('network_type applies to USDT only', () => {
    const network = (input: object) => checked('awcc', input).values.network_type;
    expect([
      network({ crypto_type: 'USDT' }),
      network({ crypto_type: 'usdt', network_type: 'tron' }),
      network({ crypto_type: 'BTC', network_type: 'tron' }),
    ]).toEqual(['eth', 'tron', undefined]);
    expect(checked('awcc', { crypto_type: 'BTC' }).values.bech32).toBe(false);
  });

  it('a file needs a name', () => {
    const file = { NarrativeFileBase64: 'aGVsbG8=' };
    expect(checked('yo-uganda-limited', file)).toEqual({ values: {}, faults: [] });
    const named = { ...file, NarrativeFileName: 'note.txt' };
    expect(checked('yo-uganda-limited', named).values).toEqual(named);
  });
});

// currency | slug: minimum..maximum, as in the contract
const limits = rowsOf(`
  GHS | mtn-gh, airtel-gh, tigo-gh, vodafone-gh: 1..50000
  KES | safaricom-ke: 10..150000; airtel-ke: 10..150000; equitel-ke: 10..100000; t-kash-ke: 50..200000; telcom-ke: 50..200000
  XOF | mtn-ci, orange-ci, moov-ci, wave-ci: 2..2000000
  XAF | mtn-cm: 2..1000000; orange-cm: 2..500000
  TZS | vodacom-tz, airtel-tz, tigo-tz, halopesa-tz: 1000..30000
  EGP | vodafone-eg, orange-eg, etisalat-eg, aman-eg: 1..30000`).flatMap(([currency = '', cell = '']) =>
  cell.split('; ').flatMap((part) => {
    const [slugs = '', range = ''] = part.split(': ');
    const [least = '', most = ''] = range.split('..');
    return slugs.split(', ').map((slug) => [slug, currency, least, most] as const);
  }),
);

const numbers: { [currency: string]: [own: string, other: string] } = {
  GHS: ['0241234567', '+254712345678'],
  KES: ['+254712345678', '+233241234567'],
  XOF: ['+2250701020304', '+237670000000'],
  XAF: ['+237670000000', '+2250701020304'],
  TZS: ['+255712345678', '+254712345678'],
  EGP: ['+201001234567', '+255712345678'],
};

describe('a payout of kora', () => {
  const payout = (currency: string, input: object) =>
    checked('kora', input, { operation: 'credit', currency }, true).faults;

  it('accepts the operators of the contract and no other', () => {
    expect(operators.map(({ slug, currency, least, most }) => [slug, currency, least, most])).toEqual(limits);
  });

  it.each(limits)('%s in %s, %s to %s', (slug, currency, least, most) => {
    const [own, other] = numbers[currency] as [string, string];
    const input = { mobile_money_operator: slug, mobile_number: own, customer_email: 'ama@example.com' };
    expect(payout(currency, input)).toEqual([]);
    expect(payout(currency, { ...input, mobile_number: other })).toEqual(['p.mobile_number: not valid']);
    const foreign = currency === 'GHS' ? 'KES' : 'GHS';
    expect(payout(foreign, input)).toContain('p.mobile_money_operator: no choice');

    const minor = (text: string, more: bigint) => BigInt(text) * (/^XO|^XA/.test(currency) ? 1n : 100n) + more;
    const fieldErrors = (amount: bigint) =>
      listed(methodAmountErrors(methodOf('kora'), 'credit', { minor: amount, currency }, input, 'order_amount'));
    expect([minor(least, 0n), minor(most, 0n)].map(fieldErrors)).toEqual([[], []]);
    expect([minor(least, -1n), minor(most, 1n)].map(fieldErrors)).toEqual([
      ['order_amount: not valid'],
      ['order_amount: not valid'],
    ]);
  });

  it('collects operator, number and e-mail, by currency', () => {
    const fields = parametersToCollect(methodOf('kora'), {}, undefined, { operation: 'credit', currency: 'XAF' });
    expect(fields.map(({ name, input, choices }) => [name, input, choices])).toEqual([
      ['mobile_money_operator', 'choice', ['mtn-cm', 'orange-cm']],
      ['mobile_number', 'phone', undefined],
      ['customer_email', 'email', undefined],
    ]);
  });

  it('shows each operator and bank by its name', () => {
    const scope = { operation: 'credit', currency: 'KES' } as const;
    const [operator] = parametersToCollect(methodOf('kora'), {}, undefined, scope);
    expect(operator?.choices?.map((slug) => choiceNames.mobile_money_operator?.[slug])).toEqual([
      'M-PESA (Safaricom)',
      'Airtel Money',
      'Equitel',
      'T-Kash',
      'Telkom',
    ]);
    const [bank] = parametersToCollect(methodOf('axxi-transfer'), {}, 'CO');
    expect(bank?.choices?.every((choice) => choiceNames.bank?.[choice])).toBe(true);
  });

  it('has no effect on a payment', () => {
    expect(parametersToCollect(methodOf('kora'), {}, 'GH')).toEqual([]);
    const amount = { minor: 1n, currency: 'GHS' };
    expect(methodAmountErrors(methodOf('kora'), 'purchase', amount, { mobile_money_operator: 'mtn-gh' }, 'p')).toEqual(
      [],
    );
  });
});

describe('typed parameters', () => {
  const typed = (id: string, values: Record<string, string>, country?: string) => {
    const method = methodOf(id);
    return checkTypedParameters(parametersToCollect(method, {}, country), values);
  };

  it.each(
    rowsOf(`
    pix        | document_number   | 529.982.247-25 | 52998224725    |
    pix        | document_number   |                |                | error.document.empty cpf-or-cnpj
    pix        | document_number   | 529.982.247-26 |                | error.document.checkDigits cpf
    pix        | document_number   | 529            |                | error.document.characters cpf-or-cnpj
    papara     | memberId          | 1234567890     | 1234567890     |
    pyk-iban   | personal_id       | ١٠٠٠٠٠٠٠١٤٦    | 10000000146    |
    bts-mxn    | bank_curp         | BOXW310820HNERXN0911 |          | error.document.characters curp
    bts-ars    | bank_cuil         | 10-05536168-2  |                | error.document.shape cuil
    vpayapp_upi | upi_id           | payer          |                | error.parameter.wrong
    axxi-pin   | pin               | 1234 5678 9012 | 123456789012   |`),
  )('%s: %s, typed %s', (id = '', name = '', text = '', value = '', key = '') => {
    const [fault, document] = key.split(' ');
    const message = document ? { key: fault, values: { document } } : { key: fault };
    expect(typed(id, { [name]: text })).toEqual(
      key === '' ? { values: { [name]: value }, faults: {} } : { values: {}, faults: { [name]: message } },
    );
  });

  it('must be one of the choices', () => {
    const input = { beneficiary_name: 'Ana', beneficiary_account: '12', account_type: 'gold' };
    expect(typed('dpbanktransfer', input).faults).toEqual({ account_type: { key: 'error.parameter.choose' } });
    expect(typed('dpbanktransfer', { ...input, account_type: '' }).faults).toEqual({
      account_type: { key: 'error.parameter.choose' },
    });
  });

  it('may be empty if the method does not need it', () => {
    expect(typed('beeline', {})).toEqual({ values: {}, faults: {} });
    expect(typed('beeline', { payee_phone: '12' }).faults).toEqual({ payee_phone: { key: 'error.phone.wrong' } });
    expect(typed('swifipay-withdrawal', { Email: 'x@y', Phone: '+86 (138) 0013-8000' })).toMatchObject({
      values: { Phone: '+8613800138000' },
      faults: { Email: { key: 'error.email.wrong' } },
    });
  });

  it.each([...new Set(methods.flatMap(linesOf).map(({ format }) => format))])('%s fits into its field', (format) => {
    const { least, most, input, choices } = formatOf(format).input;
    expect(least).toBeGreaterThan(0);
    expect(most).toBeGreaterThanOrEqual(least);
    expect(choices !== undefined).toBe(input === 'choice');
  });
});

describe('the request’s own fields', () => {
  const fieldErrors = (id: string, fields: object, demanded = true) =>
    listed(requestFieldErrors(methodOf(id), fields as Record<string, unknown>, demanded, (name) => `body.${name}`));

  it.each(
    rowsOf(`
    moov-money       | +2290197000000 | +22890112233
    mtn-mobile-money | 97000000       | +22890112233
    moov-togo        | +22890112233   | +2290197000000
    togocom          | 90112233       | +2290197000000
    om-wallet        | +221771234567  | 771234567
    paytota          | +256772123456  | 12`),
  )('%s takes %s and not %s', (id = '', good = '', bad = '') => {
    expect(fieldErrors(id, { payer_phone: good })).toEqual([]);
    expect(fieldErrors(id, { payer_phone: bad })).toEqual(['body.payer_phone: not valid']);
    expect(fieldErrors(id, {})).toEqual(['body.payer_phone: blank']);
    expect(fieldErrors(id, {}, false)).toEqual([]);
    expect([good, bad].map((phone) => acceptsRequestField(methodOf(id), 'payer_phone', phone))).toEqual([true, false]);
  });

  it('are those of allpay-payout', () => {
    const good = {
      payer_first_name: 'Ana',
      payer_last_name: 'Roy',
      payee_first_name: 'Li',
      payee_last_name: 'Wu',
      payer_email: 'a@b.co',
      order_description: 'Prize',
    };
    expect(fieldErrors('allpay-payout', good)).toEqual([]);
    expect(
      fieldErrors('allpay-payout', { ...good, order_description: 'Win', payee_last_name: 'x'.repeat(61) }),
    ).toEqual(['body.payee_last_name: not valid', 'body.order_description: not valid']);
    expect(fieldErrors('allpay-payout', {}).length).toBe(6);
  });
});

it('a voucher’s code is separated from storable values', () => {
  expect(splitSecretParameters(methodOf('axxi-pin'), { pin: '12345678', sandbox: 'decline' })).toEqual({
    open: { sandbox: 'decline' },
    secret: { pin: '12345678' },
  });
  expect(splitSecretParameters(methodOf('papara'), { memberId: '1' })).toEqual({ open: { memberId: '1' }, secret: {} });
});
