// The pages of payment methods over HTTP without script: leaving, returning, wrong codes, renewed codes, another method
// after a decline, and what the pages must not do.

import { sql } from '../support/database-rows.ts';
import { linksOf, textOf } from '../support/html.ts';
import type { Changes, Opened } from '../support/merchant.ts';
import { finish, methodFormOf, referenceOf } from '../support/method-flows.ts';
import { cardFormOf, cards, formTo, type Payer, type Screen, startPayer } from '../support/payer.ts';
import { expectCallbacks, idOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const mia = { name: 'Mia Lindqvist', email: 'mia@example.com' };
const parametersOfForm = (screen: Screen, id: string) =>
  Object.fromEntries(
    methodFormOf(screen, id)
      .controls.filter(({ name }) => name.startsWith('parameter_'))
      .map(({ name, value }) => [name.replace('parameter_', ''), value]),
  );

type Shop = { open: (changes: Changes) => Promise<Opened>; baseUrl: string };

/** Opens a session of one method and sends its form. */
async function start(
  shop: Shop,
  id: string,
  changes: Changes = {},
  typed: Record<string, string> = {},
): Promise<{ opened: Opened; payer: Payer; screen: Screen }> {
  const opened = await shop.open({ methods: [id], customer: mia, ...changes });
  const payer = startPayer(shop.baseUrl);
  const page = await payer.visit(opened.url);
  return { opened, payer, screen: await payer.submit(methodFormOf(page, id), typed) };
}

test.describe('the page of a method', () => {
  test('does not start a payment when it is viewed, although a lone redirect submits itself', async ({
    as,
    florin,
    provider,
  }) => {
    const { url, order } = await as('methods').open({ methods: ['ppro-trustly'] });
    const payer = startPayer(florin);
    for (let looks = 0; looks < 3; looks += 1) {
      const { forms } = await payer.visit(url);
      expect(forms.filter(({ attributes }) => 'data-auto' in attributes)).toHaveLength(1);
    }
    expect(await provider.journal(order.number)).toEqual([]);
    for (const methods of [['ppro-trustly', 'card'], ['papara'], ['ips'], ['card']]) {
      const other = await as('methods').open({ methods });
      const { forms } = await payer.visit(other.url);
      expect(forms.filter(({ attributes }) => 'data-auto' in attributes)).toHaveLength(0);
    }
  });

  test('accepts no form of a method that the session does not offer', async ({ as, florin, provider }) => {
    const { url, order } = await as('methods').open({ methods: ['ppro-trustly'] });
    const payer = startPayer(florin);
    const page = await payer.visit(url);
    for (const method of ['papara', 'card', 'nobodys', '']) {
      await payer.submit(methodFormOf(page, 'ppro-trustly'), { method });
    }
    expect(await provider.journal(order.number)).toEqual([]);
  });

  test('of hundreds of methods opens at the method that the address names', async ({ as, florin }) => {
    const { url } = await as('methods').open({ methods: ['card', 'ppro-trustly', 'papara'] });
    const page = await startPayer(florin).visit(`${url}?method=papara`);
    expect(/<input[^>]*checked[^>]*>/.exec(page.html)?.[0]).toContain('value="papara"');
    const injected = await startPayer(florin).visit(`${url}?method=%22%3E%3Cscript%3E`);
    expect(injected.html).not.toContain('"><script>');
  });
});

test.describe('a national document', () => {
  const inReais = { order: { amount: '120.00', currency: 'BRL' } };
  const storedParameters = async (order: string) =>
    (await sql('select parameters from payments where order_number = $1', [order]))[0].parameters;

  for (const [typed, sent] of [
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    [' 529 982 247 25 ', '52998224725'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ] as const) {
    test(`${typed} is sent as ${sent}`, async ({ as }) => {
      const field = { parameter_document_number: typed };
      const { screen, opened } = await start(as('methods'), 'pix', inReais, field);
      expect(screen.html).toContain('/code.png');
      expect((await storedParameters(opened.order.number)).pix).toMatchObject({ document_number: sent });
    });
  }

  test('is repeated as typed, with an error that names it', async ({ as, provider }) => {
    const field = { parameter_document_number: '529.982.247-26' };
    const { screen, opened, payer } = await start(as('methods'), 'pix', inReais, field);
    expect(screen.status).toBe(422);
    expect(textOf(screen.html)).toContain('Check the CPF: the check digits don’t match.');
    expect(parametersOfForm(screen, 'pix')).toEqual({ document_number: '529.982.247-26' });
    const short = await payer.submit(methodFormOf(screen, 'pix'), { parameter_document_number: '529.982' });
    expect(textOf(short.html)).toContain('Check the CPF or CNPJ: it must have 11 or 14 characters.');
    expect(await provider.journal(opened.order.number)).toEqual([]);
  });

  test('an unusual document number is pointed out once, without script too', async ({ as, provider }) => {
    const field = { parameter_document_number: 'AAB123456' };
    const { screen, opened, payer } = await start(
      as('methods'),
      'axxi-cash',
      { billing_address: { country: 'PE' } },
      field,
    );
    expect(screen.status).toBe(422);
    expect(textOf(screen.html)).toContain('Check the DNI or RUC: it must have 8 or 11 digits.');
    expect(await provider.journal(opened.order.number)).toEqual([]);
    await payer.submit(methodFormOf(screen, 'axxi-cash'));
    expect((await storedParameters(opened.order.number))['axxi-cash']).toMatchObject({ document_number: 'AAB123456' });
  });
});

test.describe('after a decline', () => {
  test('the form reports the decline beside the method and repeats its fields', async ({ as, florin, provider }) => {
    const { screen, payer, opened } = await start(
      as('methods'),
      'papara',
      { methods: ['papara', 'card'], parameters: { papara: { sandbox: 'decline' } } },
      { parameter_memberId: '1234567' },
    );
    expect(textOf(screen.html)).toContain('Papara');
    expect(textOf(screen.html)).toMatch(/not been charged/);
    expect(textOf(screen.html)).not.toMatch(/card (was|number is) /);
    expect(parametersOfForm(screen, 'papara')).toEqual({ memberId: '1234567' });
    // Others who have the link do not see what was typed.
    expect(parametersOfForm(await startPayer(florin).visit(opened.url), 'papara')).toEqual({ memberId: '' });
    await payer.submit(methodFormOf(screen, 'papara'), { parameter_memberId: '7654321' });
    const entries = await provider.journal(opened.order.number);
    expect(entries.map(({ status }) => status)).toEqual(['declined', 'declined']);
    await payer.payOn(await payer.visit(opened.url), cards.settled);
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });

  test('a voucher number is asked for again and never shown', async ({ as }) => {
    const { screen } = await start(
      as('methods'),
      'axxi-pin',
      { parameters: { 'axxi-pin': { sandbox: 'decline' } } },
      { parameter_pin: '4071 4071 4071 4071' },
    );
    expect(parametersOfForm(screen, 'axxi-pin')).toEqual({ pin: '' });
    expect(screen.html.replaceAll(' ', '')).not.toContain('4071407140714071');
  });

  test('a voucher number of the request is never shown, and reaches the provider', async ({ as, provider }) => {
    const request = { parameters: { 'axxi-pin': { pin: '4071407140714071' } } };
    const { screen, opened } = await start(as('methods'), 'axxi-pin', request);
    expect(screen.html).not.toContain('4071407140714071');
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });
});

test.describe('a code to scan', () => {
  const ips = { order: { currency: 'RSD', amount: '1200.00' } };

  test('is a picture, and is renewed on request', async ({ as }) => {
    const { screen, payer, opened } = await start(as('methods'), 'ips', ips);
    const picture = await fetch(new URL(`${opened.url}/code.png`));
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('cache-control')).toBe('no-store');
    const first = Buffer.from(await picture.arrayBuffer());
    expect(first.subarray(1, 4).toString()).toBe('PNG');
    const version = (page: Screen) => /"version":"(present-[^"]+)"/.exec(page.html)?.[1];
    const renewed = await payer.submit(formTo(screen, '/renew'));
    expect(version(renewed)).toBeDefined();
    expect(version(renewed)).not.toBe(version(screen));
    const second = Buffer.from(await (await fetch(new URL(`${opened.url}/code.png`))).arrayBuffer());
    expect(second.equals(first)).toBe(false);
  });

  test('is not served once the payment is final', async ({ as, provider }) => {
    const { opened } = await start(as('methods'), 'ips', ips);
    await finish(as('methods'), await referenceOf(provider, opened.order.number));
    await untilStatus(as('methods'), await idOf(as('methods'), opened.order.number), 'settled');
    expect((await fetch(`${opened.url}/code.png`)).status).toBe(404);
    expect((await fetch(`${opened.url}/ticket.pdf`)).status).toBe(404);
  });

  test('accepts no form of another page', async ({ as, florin }) => {
    const { screen } = await start(as('methods'), 'ips', ips);
    for (const ending of ['/renew', '/abandon', '/cancel']) {
      const foreign = startPayer(florin, { 'sec-fetch-site': 'cross-site' });
      expect((await foreign.submit(formTo(screen, ending))).status, ending).toBe(403);
      const unguarded = startPayer(florin);
      expect((await unguarded.submit(formTo(screen, ending), { guard: 'x' })).status, ending).toBe(403);
    }
  });
});

test.describe('a one-time code', () => {
  const beeline = { billing_address: { phone: '+77011234567', country: 'KZ' } };

  test('may be wrong the first time', async ({ as, provider }) => {
    const { screen, payer, opened } = await start(as('methods'), 'beeline', beeline);
    const wrong = await payer.submit(formTo(screen, '/code'), { code: '000 000' });
    expect(wrong.status).toBe(200);
    expect(wrong.html).toMatch(/aria-invalid="true"/);
    const empty = await payer.submit(formTo(wrong, '/code'), { code: ' ' });
    expect(formTo(empty, '/code')).toBeTruthy();
    await payer.submit(formTo(empty, '/code'), { code: '١٢٣-٤٥٦' });
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });

  test('cancels the payment after three wrong codes', async ({ as, provider }) => {
    const { screen, payer, opened } = await start(as('methods'), 'beeline', beeline);
    let page = screen;
    for (const code of ['111111', '222222', '333333']) page = await payer.submit(formTo(page, '/code'), { code });
    expect(methodFormOf(page, 'beeline')).toBeTruthy();
    expect((await provider.journal(opened.order.number))[0]?.status).toBe('declined');
  });
});

test.describe('leaving', () => {
  // A payer in the middle of a method cancels it; a payment that is completed later elsewhere stays open.
  const cancelled = rowsOf(`
    ips             | RSD
    upi-2           | INR
    jvz             | EUR
    ppro-trustly    | EUR
  `);
  for (const [id = '', currency = ''] of cancelled) {
    test(`${id} for the shop cancels the payment`, async ({ as, provider }) => {
      const { screen, payer, opened } = await start(as('methods'), id, { order: { currency, amount: '120.00' } });
      await payer.submit(formTo(screen, '/cancel'));
      const [entry] = await provider.journal(opened.order.number);
      expect(entry?.status).toBe('declined');
      const page = await payer.visit(opened.url);
      expect(page.forms.some(({ action }) => action.endsWith('/abandon'))).toBe(false);
    });
  }

  for (const id of ['winnerpay', 'pr-cash', 'ptn-email', 'crypto-btg']) {
    test(`${id} for the shop leads to success_url, and the payment stays open`, async ({ as, provider }) => {
      const shop = as('methods');
      const { screen, payer, opened } = await start(shop, id, { order: { currency: 'EUR', amount: '120.00' } });
      expect(screen.forms.some(({ action }) => action.endsWith('/cancel'))).toBe(false);
      const back = linksOf(screen.html, screen.url).filter(({ href }) => href.includes('payment_id='));
      expect(back.length).toBeGreaterThan(1);
      for (const { href } of back) expect(new URL(href).pathname).toBe('/success');
      // A page from before an update still has the form.
      const guard = Object.fromEntries(formTo(screen, '/abandon').controls.map(({ name, value }) => [name, value]));
      const body = new URLSearchParams(guard);
      const headers = { 'sec-fetch-site': 'same-origin' };
      const left = await fetch(`${opened.url}/cancel`, { method: 'POST', body, headers });
      expect(left.headers.get('refresh')).toContain('/success?');
      expect((await provider.journal(opened.order.number))[0]?.status).toBe('processing');
      expect((await payer.visit(opened.url)).html).toContain('class="asked"');
      await finish(shop, await referenceOf(provider, opened.order.number));
      await untilStatus(shop, await idOf(shop, opened.order.number), 'settled');
    });
  }

  test('of payment data leads to the pending address of the mapping, if it has one', async ({ as }) => {
    const { screen } = await start(as('savedCards'), 'winnerpay');
    const back = linksOf(screen.html, screen.url).filter(({ href }) => href.includes('payment_id='));
    expect(back.map(({ href }) => new URL(href).pathname)).toEqual(back.map(() => '/pending'));
    expect(new URL(back[0]?.href ?? '').searchParams.has('hash')).toBe(true);
  });

  test('for another method cancels even payment data', async ({ as, provider }) => {
    const { screen, payer, opened } = await start(as('methods'), 'winnerpay', { methods: ['winnerpay', 'card'] });
    const form = await payer.submit(formTo(screen, '/abandon'));
    expect(cardFormOf(form)).toBeTruthy();
    // The payer's own choice is no decline, and money may be on its way.
    expect(form.html).toMatch(/<title>Pay /);
    expect(textOf(form.html)).not.toMatch(/not been charged|declined|not confirmed/i);
    await payer.payOn(form, cards.settled);
    expect((await provider.journal(opened.order.number))[0]?.status).toBe('declined');
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });

  for (const ending of ['/abandon', '/cancel'] as const) {
    test(`of an earlier attempt leaves the current one alone: ${ending}`, async ({ as, provider }) => {
      const { screen, payer, opened } = await start(as('methods'), 'winnerpay', { methods: ['winnerpay', 'card'] });
      const former = formTo(screen, '/abandon');
      const form = await payer.submit(former);
      await payer.payOn(form, cards.challenge);
      // The tab that still shows the first attempt.
      await payer.submit({ ...former, action: former.action.replace(/abandon$/, ending.slice(1)) });
      expect(formTo(await payer.visit(opened.url), '/abandon')).toBeTruthy();
      const statuses = (await provider.journal(opened.order.number)).map(({ status }) => status);
      // The void of the first attempt is approved.
      expect(statuses.toSorted()).toEqual(['approved', 'challenge', 'declined']);
    });
  }
});

test.describe('returning', () => {
  const toProvider = ({ forms }: Screen) => {
    const form = forms.find(({ action }) => new URL(action).pathname.startsWith('/sandbox/redirect/'));
    if (!form) throw new Error('no form to the provider');
    return form;
  };

  test('before the provider knows the outcome shows the waiting page of the method', async ({ as }) => {
    const shop = as('methods');
    const { screen, payer, opened } = await start(shop, 'paypal');
    const there = await payer.submit(toProvider(screen));
    const back = await payer.submit(toProvider(there), { choice: 'pending' });
    expect(new URL(back.url).pathname).toBe(new URL(opened.url).pathname);
    expect(textOf(back.html)).toContain('PayPal');
    expect(back.forms.some(({ action }) => new URL(action).pathname.startsWith('/sandbox/'))).toBe(false);
    // Paid or not, the payer may leave for the shop; that cancels nothing and says nothing about money.
    expect(back.forms.some(({ action }) => action.endsWith('/cancel'))).toBe(false);
    expect(textOf(back.html)).not.toMatch(/charged|cancelled|declined/i);
    const toShop = linksOf(back.html, back.url).filter(({ href }) => href.includes('payment_id='));
    expect(toShop.length).toBeGreaterThan(1);
    for (const { href } of toShop) expect(href).toMatch(/\/success\?.*hash=/);
    await untilStatus(shop, await idOf(shop, opened.order.number), 'settled');
    expect(textOf((await payer.visit(`${opened.url}?attempt=1`)).html)).toContain('PayPal');
  });

  test('declined shows the form again, and the same method accepts another attempt', async ({ as, provider }) => {
    const shop = as('methods');
    const { screen, payer, opened } = await start(shop, 'paypal');
    const there = await payer.submit(toProvider(screen));
    const back = await payer.submit(toProvider(there), { choice: 'decline' });
    const form = methodFormOf(back, 'paypal');
    expect('data-auto' in form.attributes).toBe(false);
    const again = await payer.submit(toProvider(await payer.submit(form)));
    await payer.submit(toProvider(again), { choice: 'approve' });
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
    await expectCallbacks(shop, opened.order, [
      'success redirect redirect',
      'fail sale decline',
      'success redirect redirect',
      'success sale settled',
    ]);
  });
});

test.describe('what a page shows', () => {
  test('of a message is its masked destination and never the link', async ({ as }) => {
    const { screen } = await start(as('methods'), 'ptn-email');
    expect(textOf(screen.html)).toContain('m•••@example.com');
    expect(screen.html.match(/\/sandbox\/finish\/[^"]+/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('of a voucher is a PDF with its data', async ({ as }) => {
    const { screen, opened } = await start(as('methods'), 'pr-cash');
    const link = /href="([^"]*ticket\.pdf[^"]*)"/.exec(screen.html)?.[1] ?? '';
    const voucher = await fetch(new URL(link, opened.url));
    expect(voucher.headers.get('content-type')).toBe('application/pdf');
    expect(
      Buffer.from(await voucher.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });
});

test.describe('a page without script', () => {
  for (const [id = '', currency = ''] of rowsOf(`
    ips         | RSD
    upi-2       | INR
    jvz         | EUR
    winnerpay   | EUR
    crypto-btg  | EUR
  `)) {
    test(`of ${id} says that "Check now" shows the outcome, and it does`, async ({ as, provider }) => {
      const shop = as('methods');
      const { screen, payer, opened } = await start(shop, id, { order: { currency, amount: '120.00' } });
      expect(screen.html).toMatch(/<noscript><p[^>]*>This page doesn’t update automatically in your browser/);
      await finish(shop, await referenceOf(provider, opened.order.number));
      await untilStatus(shop, await idOf(shop, opened.order.number), 'settled');
      const check = linksOf(screen.html, screen.url).find(({ text }) => text === 'Check now');
      expect(textOf((await payer.visit(check?.href ?? '')).html)).toContain('Payment complete');
    });
  }
});

test.describe('phone numbers', () => {
  // method | typed | what the provider gets, or - for a rejected number
  const numbers = rowsOf(`
    moov-money       | 97 00 00 00       | +2290197000000
    moov-money       | 01 97 00 00 00    | +2290197000000
    mtn-mobile-money | +229 01 97000000  | +2290197000000
    moov-money       | +228 90 11 23 45  | -
    moov-togo        | 90 11 23 45       | +22890112345
    togocom          | 00228 90112345    | +22890112345
    togocom          | +229 01 97000000  | -
    om-wallet        | +225 07 07 12 34 56 | +2250707123456
    om-wallet        | 12345             | -
  `);
  for (const [id = '', typed = '', expected = ''] of numbers) {
    test(`${id} accepts ${typed} as ${expected}`, async ({ as }) => {
      const shop = as('methodAdditions');
      const { screen, opened } = await start(
        shop,
        id,
        { order: { currency: 'XOF', amount: '5000' } },
        { phone: typed },
      );
      if (expected === '-') {
        expect(screen.status).toBe(422);
        return;
      }
      const [message] = await expectCallbacks(shop, opened.order, ['success init pending']);
      expect(message?.fields.payer_phone).toBe(expected);
    });
  }

  test('of the request that a method rejects are asked for on the page', async ({ as, florin }) => {
    const shop = as('methods');
    const open = (phone: string) =>
      shop.open({ methods: ['moov-togo'], order: { currency: 'XOF', amount: '5000' }, billing_address: { phone } });
    const asksForPhone = async ({ url }: Opened) =>
      methodFormOf(await startPayer(florin).visit(url), 'moov-togo').controls.some(({ name }) => name === 'phone');
    expect(await asksForPhone(await open('+38164123456'))).toBe(true);
    expect(await asksForPhone(await open('+22890112345'))).toBe(false);
  });
});
