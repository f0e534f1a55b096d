import { describe, expect, it } from 'vitest';
import { type LocaleCode, locales } from '../../lib/core/locales.ts';
import { translationsOf } from '../../lib/http/i18n.ts';
import { addressForm } from '../../lib/payer/address-form.ts';
import type { FormPage, PageModel } from '../../lib/payer/contract.ts';
import { alertText } from '../../lib/payer/decline-alert.ts';
import { contentSecurityPolicy, pageHeaders } from '../../lib/payer/security-headers.ts';
import type { RenderContext } from './document.tsx';
import { renderPage } from './document.tsx';
import { sampleNow, sampleShell, samples } from './state-samples.ts';

const context = (code: (typeof locales)[number]['code'] = 'en'): RenderContext => ({
  words: translationsOf(code),
  now: sampleNow,
  nonce: 'n0nce',
  assets: {
    style: 'body{margin:0}',
    formStyle: 'body{margin:0}',
    script: { src: '/sdk/pay.js', integrity: 'sha384-x' },
  },
});

const sample = (name: string): PageModel => {
  const model = samples[name];
  if (!model) throw new Error(`no sample ${name}`);
  return model;
};

const html = (name: string): Promise<string> => renderPage(sample(name), context());

/** The visible text of the body, without script data. */
function textOf(document: string): string {
  const body = document.slice(document.indexOf('<body')).replace(/<script[\s\S]*?<\/script>/g, '');
  return body
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ');
}

const all = (document: string, pattern: RegExp): string[] =>
  [...document.matchAll(pattern)].map((match) => match[1] ?? '');

describe.each(Object.keys(samples))('%s', (name) => {
  it('renders in every language, with its direction', async () => {
    for (const { code, bcp47, dir } of locales) {
      const document = await renderPage(sample(name), context(code));
      expect(document.startsWith(`<!DOCTYPE html><html lang="${bcp47}" dir="${dir}"`)).toBe(true);
    }
  });

  it('contains nothing that its policy would block', async () => {
    const document = await html(name);
    expect(document).not.toMatch(/ style="/);
    expect(document).not.toMatch(/ on[a-z]+="/);
    expect(document).not.toMatch(/(href|src|action)="(https?:)?\/\/(?!orme-ceramics\.example|bank\.example)/);
    for (const tag of all(document, /(<(?:style|script)\b[^>]*>)/g)) {
      expect(tag).toMatch(/nonce="n0nce"|type="application\/json"/);
    }
  });

  it('has unique ids and no reference to a missing one', async () => {
    const document = await html(name);
    const ids = all(document, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const referred = all(document, / (?:for|form|aria-describedby|aria-labelledby)="([^"]+)"/g);
    for (const id of [...referred, ...all(document, /<use href="#([^"]+)"/g)]) expect(ids).toContain(id);
  });

  it('gives every form of this application the CSRF token and the language', async () => {
    const document = await html(name);
    for (const form of document.match(/<form method="post" action="\/pay[\s\S]*?<\/form>/g) ?? []) {
      expect(form).toContain('name="guard" value="c0ffee"');
      expect(form).toContain('name="lang" value="en"');
    }
  });
});

// "You have not been charged" requires proof, so each state has exactly one of the two sentences.
describe('the statement about the money', () => {
  it.each([
    ['form-declined-bank', /You have not been charged/, /Do not pay again/i],
    ['form-declined-data', /You have not been charged/, /Do not pay again/i],
    ['form-declined-funds', /You have not been charged/, /Do not pay again/i],
    ['form-declined-technical', /You have not been charged/, /Do not pay again/i],
    ['form-declined-unconfirmed', /You have not been charged/, /Do not pay again/i],
    ['waiting-unknown', /Do not pay again/i, /not been charged/],
    ['expired', /You have not been charged/, /Do not pay again/i],
    ['expired-unknown', /do not pay again/i, /not been charged/],
    ['cancelled', /You have not been charged/, /Do not pay again/i],
    ['cancelled-declines', /You have not been charged/, /Do not pay again/i],
    ['redirecting', /If the money is on its way, do not pay again/, /not been charged/],
    ['form-declined-late', /If you have already sent the money, do not pay again/, /not been charged|declined/i],
    ['error', /do not pay again/i, /not been charged/],
    ['receipt-again', /has received your payment/, /not been charged/],
    ['receipt-returned', /refunded, cancelled or taken back/, /complete|Thank you|not been charged/],
    ['receipt', /has received your payment/, /not been charged/],
    ['receipt-authorised', /Payment authorised/, /complete/i],
    ['receipt-zero', /You have not been charged/, /complete/i],
  ])('%s', async (name, says, saysNot) => {
    const text = textOf(await html(name));
    expect(text).toMatch(says);
    expect(text).not.toMatch(saysNot);
  });

  it('is not made after the last allowed attempt, if the payer may have sent money for it', async () => {
    const text = textOf(await renderPage({ ...sample('cancelled-declines'), late: true } as PageModel, context()));
    expect(text).toContain('If you have already sent the money, do not pay again');
    expect(text).not.toMatch(/not been charged|declined|start again/i);
  });

  it('an unknown outcome has no form and no link back', async () => {
    const document = await html('waiting-unknown');
    expect(document).not.toContain('card_number');
    expect(document).not.toContain('/cancel');
  });
});

describe('titles', () => {
  it.each([
    ['form', 'Pay Orme Ceramics'],
    ['form-errors', 'Please check: pay Orme Ceramics'],
    ['form-declined-bank', 'Declined: pay Orme Ceramics'],
    ['challenge', 'Confirm: pay Orme Ceramics'],
    ['receipt', 'Paid: Orme Ceramics'],
    ['receipt-authorised', 'Authorised: Orme Ceramics'],
    ['expired', 'Expired: Orme Ceramics'],
    ['unknown-link', 'Payment link not found'],
  ])('%s begins with the state', async (name, title) => {
    expect(await html(name)).toContain(`<title>${title}</title>`);
  });
});

const inCountry = (model: FormPage, country: string, code: LocaleCode = 'en'): FormPage => ({
  ...model,
  country,
  address: addressForm(code, country),
});

describe('the form', () => {
  it('shows an error at its field and gives it the focus', async () => {
    const document = await html('form-errors');
    const field = /<input[^>]*name="card_expiry"[^>]*>/.exec(document)?.[0];
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain('autofocus');
    expect(document).toContain('This card has expired. Check the date.');
  });

  it('shows the error at the field that the bank named', async () => {
    const document = await html('form-declined-data');
    expect(/<input[^>]*name="card_cvv"[^>]*>/.exec(document)?.[0]).toContain('aria-invalid="true"');
    expect(document).toContain('Enter the 3-digit security code again.');
  });

  it('gives the focus to the alert if the decline names no field', async () => {
    expect(await html('form-declined-bank')).toMatch(/<h2 tabindex="-1" autofocus="">Your bank declined/i);
  });

  it('lays the address out as on an envelope of its country, for autofill of the billing address', async () => {
    const model = sample('form-billing');
    if (model.state !== 'form') throw new Error('no form');
    const names = (document: string) => {
      const box = document.slice(document.indexOf('class="postal'), document.indexOf('name="zip_checked"'));
      return all(box, /<label[^>]*><span>([^<]*)</g).join(', ');
    };
    const american = await renderPage(inCountry(model, 'US'), context());
    expect(names(american)).toBe('Street address, House number, District, City, State, ZIP code');
    const german = await renderPage(inCountry(model, 'DE', 'de'), context('de'));
    expect(names(german)).toBe('Straße, Hausnummer, Bezirk, Postleitzahl, Ort, Bundesstaat');
    const japanese = await renderPage(inCountry(model, 'JP', 'ja'), context('ja'));
    expect(names(japanese)).toMatch(/^郵便番号, 都道府県, /);
    expect(american).toContain('autoComplete="billing postal-code"');
    expect(american).toContain('<option value="US" selected="">');
    expect(american).not.toContain('name="name"');
  });

  it('requires a state only if the country has one', async () => {
    const model = sample('form-billing');
    if (model.state !== 'form') throw new Error('no form');
    const other = await renderPage(inCountry(model, 'DE'), context());
    expect(/<div class="field" data-field="state"[^>]*>/.exec(other)?.[0]).toContain('hidden');
    const japan = await renderPage(inCountry(model, 'JP'), context());
    expect(/<div class="field" data-field="state"[^>]*>/.exec(japan)?.[0]).not.toContain('hidden');
    expect(japan).toContain('Prefecture');
    expect(japan).toContain('>Tokyo<');
  });

  it('offers no expired card', async () => {
    const document = await html('form-saved');
    expect(document).toContain('Expired 03/26. Enter it again as a new card.');
    expect(document).not.toContain('value="s3"');
  });

  it('keeps the fields of one method out of the forms of the others', async () => {
    const document = await html('form-list');
    const ideal = /<form[^>]*data-pay="ideal"[\s\S]*?<\/form>/.exec(document)?.[0] ?? '';
    expect(ideal).not.toContain('card_number');
    expect(ideal).toContain('Continue to iDEAL');
  });

  it('names what is bought before the order number, folded on a phone and beside the form', async () => {
    const { description, number } = sampleShell.order;
    for (const { code } of locales) {
      const document = await renderPage(sample('form'), context(code));
      const [folded = ''] = all(document, /<details class="fold"><summary>([\s\S]*?)<\/summary>/g);
      const [open = ''] = all(document, /<dl class="facts open">([\s\S]*?)<\/dl>/g);
      for (const part of [textOf(`<body>${folded}`), textOf(`<body>${open}`)]) {
        expect(part.indexOf(description)).toBeGreaterThanOrEqual(0);
        expect(part.indexOf(number)).toBeGreaterThan(part.indexOf(description));
      }
    }
  });

  it('keeps the direction of foreign names', async () => {
    const merchant = { ...sampleShell.merchant, name: 'دار الفخار' };
    const document = await renderPage({ ...sample('form'), merchant } as PageModel, context());
    expect(document).toContain('<title>Pay \u2068دار الفخار\u2069</title>');
  });

  it('escapes all merchant text', async () => {
    const merchant = { ...sampleShell.merchant, name: '</script><script>alert(1)</script>' };
    const document = await renderPage({ ...sample('receipt'), merchant } as PageModel, context());
    expect(document).not.toContain('<script>alert');
  });
});

describe('the texts of a merchant', () => {
  const texts = { title: 'Your <donation>', button: 'Donate', terms: 'Rules', footer: 'Orme Ltd, Leeds' };
  const branded = async (name: string, more: object = {}) =>
    textOf(await renderPage({ ...sample(name), texts, ...more } as PageModel, context()));

  it('replace the heading, the words of the button and the name of the terms', async () => {
    const text = await branded('form');
    expect(text).toContain('Your &lt;donation&gt;');
    expect(text).toContain('Donate · €84.50');
    for (const own of ['Pay by card', 'Pay €84.50', 'Terms']) expect(text).not.toContain(own);
    expect(text).toContain('Rules');
    expect(await branded('form-list')).not.toContain('How would you like to pay?');
  });

  it('never hide what a button does besides paying', async () => {
    expect(await branded('form-list')).toContain('Continue to Skrill');
    expect(await branded('form-zero')).toContain('Confirm this card');
    expect(await branded('form-declined-technical')).toContain('Try again: pay €84.50');
    expect(await branded('form-declined-bank')).toContain('Donate · €84.50');
    expect(await branded('form-declined-bank')).toContain('Pay another way');
  });

  it.each(['form', 'challenge', 'present-qr', 'present-ticket', 'receipt', 'cancelled', 'expired'])(
    'are in the footer of %s',
    async (name) => {
      expect(await branded(name)).toContain('Orme Ltd, Leeds');
    },
  );
});

describe('the texts of an alert', () => {
  const around = { merchantName: 'Orme', amount: { minor: 8450n, currency: 'EUR' }, cardOnly: false };

  it.each([
    ['data', 'Check and try again', 'Try again: pay €84.50', ['card_cvv']],
    ['technical', 'Check and try again', 'Try again: pay €84.50', ['card_cvv']],
    ['unconfirmed', 'Check and try again', 'Try again: pay €84.50', ['card_cvv']],
    ['funds', 'Pay another way', 'Pay €84.50', ['card_number', 'card_expiry', 'card_cvv']],
    ['bank', 'Pay another way', 'Pay €84.50', ['card_number', 'card_expiry', 'card_cvv']],
  ] as const)('%s', (kind, formHeading, button, clears) => {
    expect(alertText({ kind }, around, translationsOf('en'))).toMatchObject({
      formHeading,
      button,
      clears,
      errors: {},
    });
  });

  it('offers another card if there is no other method', () => {
    const text = alertText({ kind: 'funds' }, { ...around, cardOnly: true }, translationsOf('en'));
    expect(text.formHeading).toBe('Use another card');
  });

  it('names the number of digits of the card’s code', () => {
    const text = alertText({ kind: 'data', field: 'card_cvv' }, { ...around, codeDigits: 4 }, translationsOf('en'));
    expect(text.errors).toEqual({ card_cvv: 'Enter the 4-digit security code again.' });
  });
});

describe('the policy', () => {
  const options = { nonce: 'n0nce', frameAncestors: ['https://shop.example'] };
  const policy = (name: string): string => contentSecurityPolicy(sample(name), options);

  it('allows no inline and no third-party code', () => {
    for (const name of Object.keys(samples)) expect(policy(name)).not.toMatch(/unsafe|\*/);
  });

  it('frames a bank only during a challenge', () => {
    expect(policy('challenge')).toContain("frame-src 'self' https:");
    expect(policy('form')).toContain("frame-src 'none'");
  });

  it('allows form targets on other origins only for redirects', () => {
    expect(policy('form')).toContain("form-action 'self';");
    expect(policy('redirecting')).toContain("form-action 'self' https: https://bank.example;");
  });

  it('forbids framing unless the merchant configures origins', () => {
    expect(policy('form')).toContain('frame-ancestors https://shop.example');
    expect(contentSecurityPolicy(sample('form'), { nonce: 'x', frameAncestors: [] })).toContain(
      "frame-ancestors 'none'",
    );
    expect(policy('frame-leave')).toContain("frame-ancestors 'self' https://shop.example");
  });

  it('comes with the other headers', () => {
    expect(pageHeaders(sample('form'), options)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
});

// What a page says, and what it must not say: statements about the order, and a card without its owner.
describe('the statements of a page', () => {
  it.each([
    ['form-declined-funds', 'Insufficient funds or card limit reached', 'Not enough money'],
    ['cancelled', 'You have not been charged.', 'order'],
    ['expired', 'It was open until', 'order'],
    ['transfer-errors', 'Your card number', ' Card number'],
    ['transfer-errors', 'Recipient’s card number', ' Card number'],
  ])('%s says: %s', async (name, said, unsaid) => {
    const text = textOf(await html(name));
    expect(text).toContain(said);
    expect(text).not.toContain(unsaid);
  });
});

it('a page without script asks for the outcome that it waits for', async () => {
  expect(await html('waiting-unknown')).toMatch(/<noscript><meta http-equiv="refresh" content="10"\/><\/noscript>/i);
  expect(await html('waiting-unknown')).not.toContain('<noscript><p');
});

// A reload would close the question that is open.
it.each(['waiting-method', 'present-qr', 'present-app', 'present-confirm', 'present-crypto', 'present-details'])(
  '%s without script says how to get the outcome, because it does not reload',
  async (name) => {
    const document = await html(name);
    expect(document).not.toContain('http-equiv');
    expect(all(document, /<noscript><p[^>]*>([\s\S]*?)<\/p><\/noscript>/g)).toEqual([
      'This page doesn’t update automatically in your browser. To see the result, choose “Check now”.',
    ]);
    expect(document).toMatch(/<a class="[^"]*" href="\/pay\/sample">Check now<\/a>/);
  },
);
