import { expect, it } from 'vitest';
import type { Payment } from '../core/payment.ts';
import { findMethod } from '../methods/catalog.ts';
import type { UsableWallet } from '../routing/wallet-offers.ts';
import type { MethodRow } from './contract.ts';
import { mapping, mid, payment, session, view } from './fixture.test-data.ts';
import { checkMethodForm } from './form.ts';
import { keepsOrder, methodRows, offeredMethods, offeredWallets } from './method-list.ts';
import { methodFormFields } from './required-fields.ts';
import type { View } from './view.ts';

function offering(ids: string[], given: Partial<Payment> = {}, required: string[] = []): View {
  const found = view({ screen: { kind: 'form' }, payment: payment(given), session: session({ methods: ids }) });
  found.caller.mids = [mid({ methods: ids })];
  found.caller.mapping = mapping({ requiredPayerFields: required });
  return found;
}

// method | payer's country | the button's step
const steps = `
ppro-ideal    |    | leave
upi-2         |    | leave
jvz           |    | request
winnerpay     |    | details
ips           |    | code
ptn-email     |    | link
crypto-btg    |    | address
beeline       |    | next
axxi-pin      |    | pay
axxi-transfer | CO | leave
axxi-transfer | mx | details
`;

it.each(
  steps
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]),
)('%s in %s: %s', (id, country, step) => {
  expect(methodRows(offering([id], { payer: { country } }))).toMatchObject([{ id, step }]);
});

const many = ['card', 'papara', 'ppro-ideal', 'ppro-sofort', 'jvz', 'ips', 'blik', 'paypal'];

const folded = (rows: MethodRow[]) => rows.filter((row) => !row.card && row.href !== undefined).map(({ id }) => id);

it('gives the first five rows, the card and the chosen one a form, and the others an address', () => {
  const rows = methodRows(offering(many), { lang: 'de', attempt: '1' });
  expect(rows.map((row) => row.id)).toEqual(many);
  expect(rows.map((row) => (row.card ? undefined : row.href))).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    '/pay/TOKEN?attempt=1&method=ips&lang=de',
    '/pay/TOKEN?attempt=1&method=blik&lang=de',
    '/pay/TOKEN?attempt=1&method=paypal&lang=de',
  ]);
  expect(folded(methodRows(offering(many), { chosen: 'paypal' }))).toEqual(['ips', 'blik']);
  expect(folded(methodRows(offering([...many.slice(1), 'card'])))).toEqual(['blik', 'paypal']);
  expect(folded(methodRows(offering(many.slice(0, 6))))).toEqual([]);
  expect(folded(methodRows(offering(many.slice(0, 6)), { savedCards: 3 }))).toEqual(many.slice(2, 6));
});

it('draws the icon of a kind, or letters where methods of the list share it', () => {
  const tiles = methodRows(offering(['card', 'papara', 'paypal', 'ips'])).map((row) => !row.card && row.tile?.text);
  expect(tiles).toEqual([false, 'PA', 'PP', undefined]);
});

it('orders the methods of the MIDs if the merchant chose none, and keeps a merchant’s order', () => {
  const ids = ['paypal', 'ppro-ideal', 'blik'];
  const found = offering(ids, { payer: { country: 'pl' } });
  const orderOf = (options = {}) => methodRows(found, options).map(({ id }) => id);
  expect([keepsOrder(found), orderOf()]).toEqual([false, ['blik', 'paypal', 'ppro-ideal']]);
  expect(orderOf({ country: 'NL' })).toEqual(['ppro-ideal', 'paypal', 'blik']);
  found.session.methods = ['paypal', 'blik', 'ppro-ideal'];
  expect([keepsOrder(found), orderOf()]).toEqual([true, found.session.methods]);
  expect(keepsOrder(offering(['paypal']))).toBe(true);
  expect(keepsOrder(offering(['card', 'paypal']))).toBe(true);
});

// method | payer | required by the mapping | in the request or requested before | required
const asks = `
papara     | {}                        |       | {}                                                         | memberId
papara     | {}                        | email | {"papara":{"memberId":"1"}}                                | email
papara     | {"email":"a@b.example"}   | email | {"papara":{"memberId":"1"},"papara:asked":["email","parameter_memberId"]} | email memberId
axxi-pin   | {}                        |       | {"axxi-pin:sealed":"x"}                                    |
axxi-pin   | {}                        |       | {"axxi-pin:sealed":"x","axxi-pin:asked":["parameter_pin"]} | pin
dlocal     | {"country":"BR"}          |       | {}                                                         | document_number
moov-money | {}                        |       | {}                                                         | phone
moov-money | {"phone":"+2290197000000"}|       | {}                                                         |
moov-money | {"phone":"+38164123456"}  |       | {}                                                         | phone
jvz        | {}                        |       | {}                                                         |
`;

it.each(
  asks
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string]),
)('%s, payer %s, mapping %s, parameters %s: asks %s', (id, payer, required, parameters, expected) => {
  const given = { payer: JSON.parse(payer), parameters: JSON.parse(parameters) };
  const method = findMethod(id);
  if (!method) throw new Error(`no method ${id}`);
  const fields = methodFormFields(offering([id], given, required.split(' ').filter(Boolean)), method);
  expect([...fields.fields, ...fields.parameters.map(({ name }) => name)].join(' ')).toBe(expected);
});

it('validates all required fields, named as in the form', () => {
  const method = findMethod('pix');
  if (!method) throw new Error('no pix');
  const found = offering(['pix'], { currency: 'BRL' }, ['email']);
  const check = (typed: Record<string, string>) =>
    checkMethodForm(typed, method, methodFormFields(found, method), {
      payment: found.payment,
      language: 'en',
      now: new Date('2026-11-20T12:00:00Z'),
    });
  expect(check({ email: 'x' })).toEqual({
    ok: false,
    errors: {
      email: { key: 'error.email.wrong' },
      parameter_document_number: { key: 'error.document.empty', values: { document: 'cpf-or-cnpj' } },
    },
  });
  expect(
    check({ email: 'mia@example.com', parameter_document_number: '529.982.247-25', parameter_other: 'x' }),
  ).toEqual({
    ok: true,
    person: { email: 'mia@example.com' },
    parameters: { document_number: '52998224725' },
    secret: {},
    shownFields: ['parameter_document_number', 'email'],
  });
});

it('keeps a voucher number secret', () => {
  const method = findMethod('axxi-pin');
  if (!method) throw new Error('no axxi-pin');
  const found = offering(['axxi-pin']);
  const checked = checkMethodForm({ parameter_pin: '4071-4071' }, method, methodFormFields(found, method), {
    payment: found.payment,
    language: 'en',
    now: new Date('2026-11-20T12:00:00Z'),
  });
  expect(checked).toMatchObject({ ok: true, parameters: {}, secret: { pin: '40714071' } });
});

const google: UsableWallet = {
  kind: 'googlepay',
  flow: 'card',
  google: { allowedAuthMethods: [], networks: [], tokenization: { type: 'DIRECT', parameters: {} } },
};

it('gives a configured wallet a button, and other wallets a row', () => {
  const ids = ['card', 'applepay', 'googlepay'];
  const plain = offering(ids);
  expect([offeredMethods(plain), offeredWallets(plain)]).toEqual([ids, []]);
  const set = { ...plain, wallets: [google, { kind: 'applepay', flow: null } as const] };
  expect([offeredMethods(set), offeredWallets(set)]).toEqual([['card'], [google]]);
});

it('offers no wallet if the form has required fields', () => {
  const asking = { ...offering(['card', 'googlepay'], {}, ['payer_phone']), wallets: [google] };
  expect(offeredWallets(asking)).toEqual([]);
  asking.payment.payer = { phone: '+31201234567' };
  expect(offeredWallets(asking)).toEqual([google]);
});
