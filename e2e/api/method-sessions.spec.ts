// Which methods a session offers, which parameters it requires when it opens and when it changes, and orders priced in
// crypto currencies. The tests of the whole catalogue are in methods.spec.ts.
import { catalog } from '../support/catalog.ts';
import type { Body } from '../support/merchant.ts';
import { finish, methodFormOf, referenceOf, submitMethod, walkOf } from '../support/method-flows.ts';
import { type Screen, startPayer } from '../support/payer.ts';
import { expectCallbacks } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

/** The methods whose forms the page contains, in their order. */
function offered({ forms }: Screen): string[] {
  const named = forms.flatMap(({ controls }) => controls.filter(({ name }) => name === 'method'));
  return named.map(({ value }) => value);
}

const errorTextsOf = ({ errors = [] }: Body): string[] =>
  errors.map(({ error_message }: { error_message: string }) => error_message);

test.describe('the list', () => {
  const lists = rowsOf(`
    card, paypal                  | EUR | card paypal
    paypal, card                  | EUR | paypal card
    paypal, paypal                | EUR | paypal
    ppro-ideal, ips, paypal, card | EUR | ppro-ideal ips paypal card
    card, ips, paypal             | USD | paypal
    card, paypal                  | PLN | card
    nobodys, card                 | EUR | card
    -                             | EUR | card
    -                             | USD | paypal ppro-ideal
    ips                           | USD | 204004
    paypal                        | PLN | 204004
    blik                          | EUR | 204004
    nobodys, blik                 | EUR | 204004
    nobodys                       | EUR | 204010
    PAYPAL                        | EUR | 204010
    card                          | GBP | 204012
    card                          | XXX | 204012
    card                          | BTC | 204012
  `);
  for (const [request = '', currency = '', expected = ''] of lists) {
    test(`of ${request} in ${currency} is ${expected}`, async ({ as, florin }) => {
      const shop = as('fewMethods');
      const methods = request === '-' ? undefined : request.split(/,\s*/);
      const { status, body } = await shop.session({ methods, order: { currency } });
      if (/^\d+$/.test(expected)) {
        expect(status).toBe(400);
        expect(String(body.error_code)).toBe(expected);
      } else {
        expect(status, JSON.stringify(body)).toBe(200);
        expect(offered(await startPayer(florin).visit(body.redirect_url)).join(' ')).toBe(expected);
      }
    });
  }

  test('of an authorisation contains only methods that can authorise', async ({ as, florin }) => {
    const shop = as('fewMethods');
    const { url } = await shop.open({ methods: ['ips', 'paypal', 'card'], auth: true });
    expect(offered(await startPayer(florin).visit(url))).toEqual(['paypal', 'card']);
    expect((await shop.session({ methods: ['ips'], auth: true })).body.error_code).toBe(204004);
  });

  test('of an initial payment contains only cards', async ({ as, florin }) => {
    const shop = as('fewMethods');
    const { url } = await shop.open({ methods: ['paypal', 'card'], recurring_init: true });
    expect(offered(await startPayer(florin).visit(url))).toEqual(['card']);
    expect((await shop.session({ methods: ['paypal'], recurring_init: true })).body.error_code).toBe(204004);
  });

  test('of a payout contains only methods that pay out', async ({ as, florin }) => {
    const changes = { operation: 'credit', methods: ['papara', 'vcard', 'card'], order: { currency: 'TRY' } };
    const { url } = await as('methods').open(changes);
    expect(offered(await startPayer(florin).visit(url))).toEqual(['vcard', 'card']);
  });

  test('of hundreds of methods is light: five forms, and links to the others', async ({ as, florin }) => {
    const shop = as('methods');
    const all = catalog.filter(({ parameters = [] }) => parameters.every(({ need }) => need !== 'R'));
    const { url } = await shop.open({ methods: all.map(({ id }) => id), operation: 'debit' });
    const payer = startPayer(florin);
    const screen = await payer.visit(url);
    expect(offered(screen)).toHaveLength(5);
    const link = /href="([^"]*method=ppro-sofort[^"]*)"/.exec(screen.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const chosen = await payer.visit(new URL(link, url).href);
    expect(offered(chosen)).toHaveLength(6);
    expect(methodFormOf(chosen, 'ppro-sofort').method).toBe('POST');
    expect(chosen.html.length).toBeLessThan(400_000);
  });
});

test.describe('parameters', () => {
  test('are checked for every method of the list, and all field errors are reported', async ({ as }) => {
    const { status, body } = await as('methods').session({
      methods: ['yapily', 'kunnect', 'ptn-email'],
      parameters: {
        yapily: { payee_country: 'Utopia', payee_name: 'Mia' },
        'ptn-email': { SecurityQuestionAnswer: 'a b' },
      },
    });
    expect(status).toBe(400);
    expect(body.error_message).toBe('Request data is invalid.');
    expect(errorTextsOf(body)).toEqual([
      'parameters.yapily.payee_country: This value is not valid.',
      'parameters.yapily.payee_identifications: This value should not be blank.',
      'parameters.kunnect.cryptoCurrency: This value should not be blank.',
      'parameters.ptn-email.SecurityQuestionAnswer: This value is not valid.',
    ]);
  });

  test('of methods that are not offered are ignored', async ({ as, florin }) => {
    const shop = as('fewMethods');
    const parameters = {
      yapily: { payee_country: 'Utopia' },
      papara: { memberId: 'x'.repeat(500) },
      nobodys: { a: 1 },
    };
    const { url } = await shop.open({ methods: ['paypal', 'papara'], parameters });
    expect(offered(await startPayer(florin).visit(url))).toEqual(['paypal']);
  });

  test('that the request contains are not asked for', async ({ as, florin }) => {
    const shop = as('methods');
    const order = { currency: 'TRY' };
    const parameterFields = async (parameters?: object) => {
      const { url } = await shop.open({ methods: ['papara'], order, parameters });
      const form = methodFormOf(await startPayer(florin).visit(url), 'papara');
      return form.controls.map(({ name }) => name).filter((name) => name.startsWith('parameter_'));
    };
    expect(await parameterFields()).toEqual(['parameter_memberId']);
    expect(await parameterFields({ papara: { memberId: '1234567' } })).toEqual([]);
  });

  // payer's country | the fields that the page asks for
  const byCountry = rowsOf(`
    dlocal        | BR | document_number
    pagsmile      | MX | document_type document_number
    pagsmile      | GT |
    pagsmile      | PA |
    pagsmile      | CR |
    fairpay       | BR | personal_id
    fairpay       | CL | personal_id
    fairpay       | CO | document_type personal_id
    fairpay       | PE |
    axxi-transfer | CO | bank person_type document_type document_number
    axxi-transfer | MX |
  `);
  for (const [id = '', country = '', names = ''] of byCountry) {
    test(`${id} in ${country} asks for ${names || 'nothing'}`, async ({ as, florin, provider }) => {
      const shop = as('methods');
      const customer = { name: 'Mia Lindqvist', email: 'mia@example.com' };
      const request = { methods: [id], customer, billing_address: { country } };
      const opened = await shop.open(request);
      const payer = startPayer(florin);
      const screen = await payer.visit(opened.url);
      const parameterControls = methodFormOf(screen, id).controls.filter(({ name }) => name.startsWith('parameter_'));
      expect(parameterControls.map(({ name }) => name.replace('parameter_', '')).join(' ')).toBe(names);
      // A country that the payer chooses on the page has the same fields.
      const unknown = await shop.open({ ...request, billing_address: undefined });
      const row = catalog.find((each) => each.id === id);
      if (!row?.asks?.includes('country')) return;
      await submitMethod(payer, await payer.visit(unknown.url), walkOf(row, country));
      expect(await referenceOf(provider, unknown.order.number)).toBeTruthy();
    });
  }

  test('are checked again when the list changes, together with those of earlier requests', async ({ as, florin }) => {
    const shop = as('methods');
    const { token, order } = await shop.open({
      methods: ['kunnect'],
      parameters: { kunnect: { cryptoCurrency: 'btc' } },
    });
    const update = (changes: Record<string, unknown>) => shop.update(token, shop.signed({ order, ...changes }));
    const rejected = await update({ methods: ['kunnect', 'next-level-finance'] });
    expect(rejected.status).toBe(400);
    expect(errorTextsOf(rejected.body)).toEqual([
      'parameters.next-level-finance.toCurrency: This value should not be blank.',
    ]);
    const parameters = { 'next-level-finance': { toCurrency: 'EUR' } };
    const accepted = await update({ methods: ['next-level-finance', 'kunnect'], parameters });
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    expect(offered(await startPayer(florin).visit(accepted.body.redirect_url))).toEqual([
      'next-level-finance',
      'kunnect',
    ]);
  });
});

test('an order in a crypto currency offers only methods of that currency', async ({ as, florin, provider }) => {
  const shop = as('methods');
  const changes = {
    methods: ['card', 'papara', 'awcc'],
    order: { amount: '25.500001', currency: 'USDT' },
    parameters: { awcc: { crypto_type: 'USDT' } },
  };
  const { url, order } = await shop.open(changes);
  const payer = startPayer(florin);
  const screen = await payer.visit(url);
  expect(offered(screen)).toEqual(['awcc']);
  expect(screen.html).toContain('25.500001');
  await payer.submit(methodFormOf(screen, 'awcc'));
  await finish(shop, await referenceOf(provider, order.number));
  const messages = await expectCallbacks(shop, order, ['success init pending', 'success sale settled']);
  for (const { fields } of messages) {
    expect(fields).toMatchObject({ order_amount: '25.500001', order_currency: 'USDT' });
    expect(fields.crypto_network).toMatch(/ERC-20/);
    expect(fields.crypto_address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  }
  const tooFine = await shop.session({ ...changes, order: { amount: '25.5000001', currency: 'USDT' } });
  expect(tooFine.status).toBe(400);
});
