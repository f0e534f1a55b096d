// The method list as a document without script: marks, lines, the order, the search, and the remembered method.
import type { Merchant } from '../support/merchant.ts';
import type { Payer, Screen } from '../support/payer.ts';
import { startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const fourteen = [
  ...['card', 'ppro-ideal', 'paypal', 'blik', 'ips', 'papara', 'pix', 'ppro-trustly', 'ppro-skrill', 'pr-cash'],
  ...['transact365-promptpay', 'upi-2', 'crypto-btg', 'ptw-pp_przelewy24_pln'],
];

/** The identifiers of the rows in their order, of forms and links. */
function rowsOf({ html }: Screen): string[] {
  const rows = html.matchAll(
    /<input type="radio"[^>]*name="way"[^>]*value="([^"]+)"|href="[^"]*method=([^"&#]+)[^"]*#chosen"/g,
  );
  return [...rows].map(([, form, link]) => form ?? link ?? '');
}

/** The folded rows that the page shows. */
function foundRows({ html }: Screen): string[] {
  const rows = html.matchAll(/<div class="row" data-words="[^"]*"><a class="pick" href="[^"]*method=([^"&#]+)/g);
  return [...rows].map(([, id = '']) => id);
}

const openRow = ({ html }: Screen) =>
  /<input type="radio"[^>]*checked[^>]*>/.exec(html)?.[0].match(/value="([^"]+)"/)?.[1];

function methodForm(screen: Screen, id: string) {
  const form = screen.forms.find(({ controls }) =>
    controls.some(({ name, value }) => name === 'method' && value === id),
  );
  if (!form) throw new Error(`no form of ${id}`);
  return form;
}

test.describe('the list', () => {
  test('says what the payer will do, marks every row, and keeps the merchant’s order', async ({ as, florin }) => {
    const { url } = await as('methods').open({ methods: fourteen, billing_address: { country: 'TH' } });
    const screen = await startPayer(florin).visit(url);
    expect(rowsOf(screen)).toEqual(fourteen);
    for (const line of [
      'iDEAL</bdi><small>Pay from your bank account online',
      'PayPal</bdi><small>Sign in to your wallet and confirm',
      'BLIK</bdi><small>Approve in your banking or payment app',
      'Cash Payment</bdi><small>Pay in cash at a shop',
      'Bitcoin Gold</bdi><small>Send coins from your own wallet',
    ])
      expect(screen.html).toContain(line);
    expect(screen.html.match(/class="mark tile/g)).toHaveLength(fourteen.length - 1);
    expect(screen.html).toMatch(/class="mark tile t\d"[^>]*>ID<\/span>/);
  });

  test('starts with the methods of the payer’s country if the merchant gave no order', async ({ as, florin }) => {
    const order = { currency: 'USD' };
    for (const [country, expected] of [
      ['NL', ['ppro-ideal', 'paypal']],
      ['DE', ['paypal', 'ppro-ideal']],
    ] as const) {
      const { url } = await as('fewMethods').open({ methods: undefined, order, billing_address: { country } });
      expect(rowsOf(await startPayer(florin).visit(url))).toEqual(expected);
    }
  });
});

test.describe('the search', () => {
  const search = async (payer: Payer, screen: Screen, find: string) => {
    const form = screen.forms.find(({ controls }) => controls.some(({ name }) => name === 'find'));
    if (!form) throw new Error('no search form');
    return payer.submit(form, { find });
  };

  test('works as a form, by name, country and line, and keeps the language', async ({ as, florin }) => {
    const { url } = await as('methods').open({ methods: fourteen });
    const payer = startPayer(florin);
    const page = await payer.visit(`${url}?lang=de`);
    expect(await search(payer, page, 'PRZELEWY').then(foundRows)).toEqual(['ptw-pp_przelewy24_pln']);
    expect(await search(payer, page, 'thailand').then(foundRows)).toEqual(['transact365-promptpay']);
    expect(await search(payer, page, 'bar geschäft').then(foundRows)).toEqual(['pr-cash']);
    const none = await search(payer, page, '"><script>');
    expect(foundRows(none)).toEqual([]);
    expect(none.html).toMatch(/<p id="found"[^>]*>Keine Zahlungsart gefunden\.<\/p>/);
    expect(none.html).not.toContain('"><script>');
    // Card is in sight above the search.
    expect((await search(payer, page, 'karte')).html).toMatch(/<p id="found"[^>]*><\/p>/);
    expect(foundRows(await search(payer, none, ''))).toHaveLength(9);
  });

  test('is offered from eight methods on', async ({ as, florin }) => {
    for (const [count, has] of [
      [7, false],
      [8, true],
    ] as const) {
      const { url } = await as('methods').open({ methods: fourteen.slice(0, count) });
      expect((await startPayer(florin).visit(url)).html.includes('id="find"')).toBe(has);
    }
  });
});

test.describe('the remembered method', () => {
  const open = (shop: Pick<Merchant, 'open'>) => shop.open({ methods: fourteen });

  test('opens the next page, once the payer has agreed, until they disagree', async ({ as, florin }) => {
    const payer = startPayer(florin);
    const first = await payer.visit((await open(as('methods'))).url);
    expect(openRow(first)).toBe('card');
    await payer.submit(methodForm(first, 'paypal'));
    expect(payer.cookies.has('florin_method')).toBe(false);

    const second = await payer.visit((await open(as('methods'))).url);
    await payer.submit(methodForm(second, 'paypal'), { remember: '1' });
    expect(payer.cookies.get('florin_method')).toBe('paypal');
    const third = await payer.visit((await open(as('methods'))).url);
    expect(openRow(third)).toBe('paypal');
    expect(third.html).toMatch(/<input type="checkbox" name="remember" checked="" value="1"\/>/);

    await payer.submit(methodForm(third, 'paypal'), { remember: '0' });
    expect(payer.cookies.get('florin_method')).toBe('');
    expect(openRow(await payer.visit((await open(as('methods'))).url))).toBe('card');
  });

  test('opens a folded row, and an unknown one changes nothing', async ({ as, florin }) => {
    const { url } = await open(as('methods'));
    const cookie = (value: string) => startPayer(florin, { cookie: `florin_method=${value}` }).visit(url);
    expect(openRow(await cookie('pr-cash'))).toBe('pr-cash');
    expect(openRow(await cookie('nobodys'))).toBe('card');
    expect(openRow(await cookie('billplz'))).toBe('card');
  });

  test('is not offered in a frame', async ({ as, florin }) => {
    const { url } = await open(as('methods'));
    expect((await startPayer(florin).visit(url, { framed: true })).html).not.toContain('name="remember"');
  });

  test('is remembered for a script too, by a cookie of the payment pages', async ({ as, florin }) => {
    const { url } = await open(as('methods'));
    const form = methodForm(await startPayer(florin).visit(url), 'paypal');
    const fields = new URLSearchParams(form.controls.map(({ name, value }): [string, string] => [name, value]));
    fields.append('remember', '1');
    const headers = { accept: 'application/json', origin: new URL(florin).origin };
    const response = await fetch(form.action, { method: 'POST', body: fields, headers });
    expect(await response.json()).toMatchObject({ next: 'go' });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^florin_method=paypal; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax/);
  });
});
