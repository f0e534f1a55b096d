// What the hosted page shows over HTTP: the fields that it asks for, the stored cards, and its languages. The browser
// tests are in e2e/pages.

import { textOf } from '../support/html.ts';
import type { Changes } from '../support/merchant.ts';
import { cardFormOf, cards, type Screen, startPayer } from '../support/payer.ts';
import { expectCallbacks, pay, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const languages = 'en sp ar az fr nb zh zh-TW kk de it hr cs hu pl pt ro ja nl bg ru'.split(' ');

function visibleFields(screen: Screen): string[] {
  const names = cardFormOf(screen)?.controls.map(({ name }) => name) ?? [];
  const known = 'name email phone birth_date country state city district address house_number zip'.split(' ');
  return known.filter((name) => names.includes(name));
}

test.describe('fields that the mapping requires', () => {
  const details: Changes = { customer: { name: 'Ana Petrović', email: 'ana@example.com', birth_date: '1990-02-28' } };

  test('are asked for if the request lacks them', async ({ as, florin }) => {
    const shop = as('payerFields');
    const all = await shop.open({ customer: undefined });
    expect(visibleFields(await startPayer(florin).visit(all.url))).toEqual(
      'email phone birth_date country city address zip'.split(' '),
    );
    const some = await shop.open({ ...details, billing_address: { country: 'US', city: 'Boston', zip: '02108' } });
    expect(visibleFields(await startPayer(florin).visit(some.url))).toEqual(['phone', 'state', 'address']);
    const elsewhere = await shop.open({ ...details, billing_address: { country: 'RS', city: 'Niš', zip: '18000' } });
    expect(visibleFields(await startPayer(florin).visit(elsewhere.url))).toEqual(['phone', 'address']);
    const plain = await as('plain').open({ customer: undefined });
    expect(visibleFields(await startPayer(florin).visit(plain.url))).toEqual([]);
  });

  for (const country of ['CA', 'US', 'JP', 'AU', 'IN']) {
    test(`${country} has a list of states, and only its states are accepted`, async ({ as, florin, provider }) => {
      const shop = as('payerFields');
      const address = { country, city: 'Somewhere', zip: '12345', address: 'Main Street 1', phone: '+12135550100' };
      const { url, order } = await shop.open({ ...details, billing_address: address });
      const payer = startPayer(florin);
      const screen = await payer.visit(url);
      const states = cardFormOf(screen)?.controls.find(({ name }) => name === 'state')?.options ?? [];
      expect(states.filter(Boolean).length).toBeGreaterThan(5);
      for (const state of ['', 'Atlantis']) {
        expect((await payer.payOn(screen, cards.settled, { state })).status).toBe(422);
      }
      await payer.payOn(screen, cards.settled, { state: states.filter(Boolean)[0] ?? '' });
      expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
    });
  }

  test('the state is asked for once the country has states', async ({ as, florin, provider }) => {
    const { url, order } = await as('payerFields').open({
      ...details,
      billing_address: { city: 'Boston', zip: '02108', address: 'Main Street 1', phone: '+12135550100' },
    });
    const payer = startPayer(florin);
    const first = await payer.visit(url);
    expect(visibleFields(first)).toEqual(['country']);
    const second = await payer.payOn(first, cards.settled, { country: 'US' });
    expect(second.status).toBe(422);
    expect(visibleFields(second)).toEqual(['country', 'state']);
    await payer.payOn(second, cards.settled, { country: 'US', state: 'MA' });
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  });

  test('values that the payer typed are stored and reach the callback', async ({ as, florin }) => {
    const shop = as('payerFields');
    const { url, order } = await shop.open({ customer: undefined });
    const payer = startPayer(florin);
    const first = await payer.visit(url);
    const filled = {
      card_holder: 'Ana Petrović',
      email: 'ana@example.org',
      phone: '+381 64 123 45 67',
      birth_date: '1990-02-28',
      country: 'RS',
      state: '',
      city: 'Niš',
      address: 'Obrenovićeva 1',
      zip: '18000',
    };
    const broken = await payer.payOn(first, cards.settled, { ...filled, email: 'ana@' });
    expect(broken.status).toBe(422);
    const values = Object.fromEntries(cardFormOf(broken)?.controls.map(({ name, value }) => [name, value]) ?? []);
    expect(values).toMatchObject({
      card_holder: 'Ana Petrović',
      email: 'ana@',
      country: 'RS',
      city: 'Niš',
      card_number: '',
      card_cvv: '',
    });
    await payer.payOn(broken, cards.settled, filled);
    const [message] = await expectCallbacks(shop, order, ['success sale settled']);
    expect(message?.fields).toMatchObject({
      customer_name: 'Ana Petrović',
      customer_email: 'ana@example.org',
      customer_country: 'RS',
      customer_city: 'Niš',
    });
    expect(message?.fields).not.toHaveProperty('customer_state');
  });

  test('fields that the page does not ask for are ignored', async ({ shop, florin }) => {
    const { url, order } = await shop.open();
    const payer = startPayer(florin);
    await payer.payOn(await payer.visit(url), cards.settled, {
      email: 'eve@example.com',
      amount: '0.01',
      order_amount: '0.01',
    });
    const [message] = await expectCallbacks(shop, order, ['success sale settled']);
    expect(message?.fields).toMatchObject({ customer_email: 'ana@example.com', order_amount: '84.50' });
  });
});

test.describe('the address', () => {
  const details: Changes = { customer: { name: 'Ana Petrović', email: 'ana@example.com', birth_date: '1990-02-28' } };
  const address = 'country state city district address zip'.split(' ');
  const orderOf = (screen: Screen) => {
    const names = cardFormOf(screen)?.controls.map(({ name }) => name) ?? [];
    return names.filter((name) => address.includes(name)).join(' ');
  };
  const labelOf = (screen: Screen, name: string) =>
    new RegExp(`data-field="${name}"[^>]*><label[^>]*><span>([^<]*)`).exec(screen.html)?.[1];

  test('has the order and words of the preselected country', async ({ as, florin }) => {
    const { url } = await as('payerFields').open({ customer: undefined });
    const british = await startPayer(florin, { 'accept-language': 'en-GB' }).visit(url);
    expect(british.html).toContain('<option value="GB" selected="">');
    expect(orderOf(british)).toBe('country address city zip');
    expect(labelOf(british, 'zip')).toBe('Postcode');
    const german = await startPayer(florin, { 'accept-language': 'de-DE' }).visit(url);
    expect(orderOf(german)).toBe('country address zip city');
    const none = await startPayer(florin).visit(url);
    expect(none.html).not.toMatch(/<option value="[A-Z]{2}" selected/);
    expect(labelOf(none, 'zip')).toBe('Postal code');
  });

  test('follows the country that the payer submits without a script, and keeps the values', async ({ as, florin }) => {
    const { url } = await as('payerFields').open({ ...details, billing_address: { phone: '+12135550100' } });
    const payer = startPayer(florin);
    const typed = { country: 'JP', address: 'Dogenzaka 1', city: 'Shibuya', zip: '150-0043' };
    const screen = await payer.payOn(await payer.visit(url), cards.settled, typed);
    expect(screen.status).toBe(422);
    expect(orderOf(screen)).toBe('country address city state zip');
    expect(labelOf(screen, 'state')).toBe('Prefecture');
    const values = Object.fromEntries(cardFormOf(screen)?.controls.map(({ name, value }) => [name, value]) ?? []);
    expect(values).toMatchObject(typed);
  });

  test('of another country is answered to the script, in words of the page', async ({ shop, florin }) => {
    const { url } = await shop.open();
    const read = async (query: string) => (await fetch(`${url}/address?${query}`)).json();
    const american = await read('lang=en&country=us');
    expect(american.rows).toEqual([['address', 'house_number'], ['district'], ['city'], ['state', 'zip']]);
    expect([american.labels.zip, american.errors['zip.empty']]).toEqual(['ZIP code', 'Enter your ZIP code.']);
    expect(american.states.length).toBeGreaterThan(50);
    expect(await read('lang=pt&country=BR')).toMatchObject({ labels: { zip: 'CEP' }, states: [] });
    expect((await fetch(`${florin}/pay/forged/address?country=US`)).status).toBe(404);
  });

  test('is paid with an unusual postal code after one question', async ({ as, florin, provider }) => {
    const given = { country: 'DE', city: 'Berlin', address: 'Hauptstraße 1', phone: '+4930123456' };
    const { url, order } = await as('payerFields').open({ ...details, billing_address: given });
    const payer = startPayer(florin);
    const asked = await payer.payOn(await payer.visit(url), cards.settled, { zip: '1011' });
    expect([asked.status, textOf(asked.html).includes('Check the postal code.')]).toEqual([422, true]);
    const again = await payer.payOn(asked, cards.settled, { zip: '101' });
    expect(again.status).toBe(422);
    await payer.payOn(again, cards.settled, { zip: '101' });
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  });
});

test.describe('stored cards', () => {
  test('are offered by brand and last digits, and charged with their CVV alone', async ({ shop, florin, provider }) => {
    const first = await pay(shop, cards.settled, { req_token: true });
    const { card_token } = await statusOf(shop, first.id);
    expect(card_token).toMatch(/^[0-9a-f]{64}$/);
    const { url, order } = await shop.open({ card_token: [card_token] });
    const payer = startPayer(florin);
    const screen = await payer.visit(url);
    expect(screen.html).not.toContain(card_token);
    expect(textOf(screen.html)).toContain('1111');
    const form = screen.forms.find(({ controls }) => controls.some(({ name }) => name === 'saved_card'));
    if (!form) throw new Error('no form of the kept card');
    expect((await payer.submit(form, { card_cvv: '' })).status).toBe(422);
    await payer.submit(form, { card_cvv: '123' });
    const [message] = await expectCallbacks(shop, order, ['success sale settled']);
    expect(message?.fields).toMatchObject({ card: '411111****1111', card_token });
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  });

  test('that are unknown are rejected', async ({ shop }) => {
    const { status, body } = await shop.session({ card_token: 'f'.repeat(64) });
    expect([status, body.error_code]).toEqual([400, 205005]);
  });

  test('no card token is created for a request that contains one', async ({ shop }) => {
    const first = await pay(shop, cards.settled, { req_token: true });
    const { card_token } = await statusOf(shop, first.id);
    const second = await pay(shop, cards.settled, { req_token: true });
    expect((await statusOf(shop, second.id)).card_token).toBe(card_token);
  });
});

test.describe('languages', () => {
  const htmlTag = (screen: Screen) => /<html[^>]*>/.exec(screen.html)?.[0] ?? '';

  for (const code of languages) {
    test(`${code} is complete`, async ({ shop, florin }) => {
      const { url } = await shop.open({ billing_address: { language: code.toUpperCase() } });
      const screen = await startPayer(florin).visit(url);
      const lang = code === 'sp' ? 'es' : code;
      expect(htmlTag(screen)).toMatch(new RegExp(`lang="${lang}(-[A-Za-z]+)?"`));
      expect(htmlTag(screen)).toContain(code === 'ar' ? 'dir="rtl"' : 'dir="ltr"');
      // A missing text shows as its key, or in braces.
      expect(textOf(screen.html)).not.toMatch(/\b[a-z]+\.[a-z]+[A-Z]?[a-z]*\.[a-z]+\b|\{[a-z]+\}/);
    });
  }

  test('are chosen by the request, the mapping, the browser, in this order', async ({ shop, as, florin }) => {
    const french = startPayer(florin, { 'accept-language': 'fr-CH, en;q=0.5' });
    const languageAt = async (url: string) => /lang="([^"]+)"/.exec(htmlTag(await french.visit(url)))?.[1];
    expect(await languageAt((await shop.open({ billing_address: { language: 'it' } })).url)).toBe('it');
    expect(await languageAt((await shop.open({ billing_address: { language: 'tlh' } })).url)).toBe('en');
    expect(await languageAt((await as('german').open()).url)).toBe('de');
    const { url } = await shop.open();
    expect(await languageAt(url)).toBe('fr-CH');
    expect(await languageAt(`${url}?lang=pl`)).toBe('pl');
  });

  test('of the mapping yield to that of the request', async ({ as, florin }) => {
    const { url } = await as('german').open({ billing_address: { language: 'hu' } });
    expect(htmlTag(await startPayer(florin).visit(url))).toContain('lang="hu"');
  });
});

test.describe('regions', () => {
  const htmlTag = (screen: Screen) => /<html[^>]*>/.exec(screen.html)?.[0] ?? '';
  const amountOf = (screen: Screen) => textOf(/<h1[\s\S]*?<\/h1>/.exec(screen.html)?.[0] ?? '').replace(/\s+/g, ' ');

  for (const [accept, language, country, tag, intl, amount] of [
    ['es-MX', 'sp', undefined, 'es-MX', 'es-MX', 'Monto a pagar EUR 84.50'],
    ['es-ES', 'sp', 'MX', 'es-ES', 'es-ES', 'Importe a pagar 84,50 €'],
    ['fr', 'sp', 'MX', 'es-MX', 'es-MX', 'Monto a pagar EUR 84.50'],
    ['en', 'de', 'CH', 'de-CH', 'de-CH', 'Zu zahlender Betrag EUR 84.50'],
    ['pt-PT', undefined, undefined, 'pt-PT', 'pt-PT', 'Valor a pagar 84,50 €'],
    ['ar-EG', undefined, undefined, 'ar-EG', 'ar-EG-u-nu-latn', undefined],
    ['en', undefined, 'RS', 'en', 'en-GB', 'Amount to pay €84.50'],
  ] as const) {
    test(`${accept}, language ${language}, country ${country}: ${tag}`, async ({ shop, florin }) => {
      const { url } = await shop.open({ billing_address: { language, country } });
      const screen = await startPayer(florin, { 'accept-language': accept }).visit(url);
      expect(htmlTag(screen)).toContain(`lang="${tag}"`);
      expect(htmlTag(screen)).toContain(`data-intl="${intl}"`);
      if (amount) expect(amountOf(screen).trim()).toBe(amount);
    });
  }

  test('of the address stay after a payment', async ({ shop, florin }) => {
    const { url } = await shop.open();
    const payer = startPayer(florin);
    const declined = await payer.payOn(await payer.visit(`${url}?lang=es-MX`), cards.declined);
    expect(htmlTag(declined)).toContain('lang="es-MX"');
    expect(textOf(declined.html)).toContain('Su banco rechazó este pago');
    expect(htmlTag(await payer.payOn(declined, cards.settled))).toContain('lang="es-MX"');
  });

  test('decide how a receipt writes its date', async ({ shop, florin }) => {
    const { url } = await shop.open();
    const payer = startPayer(florin, { 'accept-language': 'en-US' });
    const receipt = await payer.payOn(await payer.visit(url), cards.settled);
    expect(textOf(receipt.html)).toMatch(/[A-Z][a-z]+ \d{1,2}, 20\d\d at \d{2}:\d{2}\s[AP]M UTC/);
  });
});
