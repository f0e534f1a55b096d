// The screens of a payment that is completed elsewhere, and the forms and lists of methods, as documents.
import { describe, expect, it } from 'vitest';
import { translationsOf } from '../../lib/http/i18n.ts';
import type { PageModel, PresentPage } from '../../lib/payer/contract.ts';
import { alertText } from '../../lib/payer/decline-alert.ts';
import { renderPage } from './document.tsx';
import { pageData } from './page-data.ts';
import { sampleNow, samples } from './state-samples.ts';

const render = (model: PageModel): Promise<string> =>
  renderPage(model, {
    words: translationsOf('en'),
    now: sampleNow,
    nonce: 'n0nce',
    assets: { style: '', formStyle: '', script: { src: '/sdk/pay.js', integrity: 'sha384-x' } },
  });

const sample = (name: string): PageModel => samples[name] as PageModel;
const html = (name: string): Promise<string> => render(sample(name));

/** The text of elements with a class, without markup. */
function texts(document: string, pattern: RegExp): string[] {
  return [...document.matchAll(pattern)].map(([, inner = '']) => inner.replace(/<[^>]+>/g, '').trim());
}

// The first text of each screen, the addresses of its links, and the reload without script.
describe('a screen of each step', () => {
  const screens = `
    present-app            | Pay with PhonePe               | href="upi://pay?pa=orme@sandbox"        | abandon
    present-qr             | Scan with your bank’s app      | action="/pay/sample/renew"              | abandon
    present-qr             | Pay with your bank’s app       | href="/pay/sample/code.png"             | abandon
    present-qr-upi         | Pay with UPI                   | href="upi://pay?pa=orme@sandbox&amp;am=4800.00" | abandon
    present-qr-wallet      | Scan with GCash                | action="/pay/sample/renew"              | abandon
    present-qr-expired     | This code has expired          | action="/pay/sample/renew"              | abandon
    present-confirm        | Confirm on your phone          | href="/pay/sample"                      | abandon
    present-details        | Transfer from your bank        | href="#sent"                            | abandon
    present-ticket         | Pay in cash                    | href="/pay/sample/ticket"               | abandon
    present-email          | Check your email               | href="/pay/sample"                      | abandon
    present-sms            | Check your messages            | href="/pay/sample"                      | abandon
    present-crypto         | Send USDT on the Tron network  | data-copy="TXa9r4mWQ2Zb7kP1uVc8sNfE5yHdL3JgK6" | abandon
    present-code           | Enter the code                 | action="/pay/sample/code"               | abandon
  `;
  it.each(
    screens
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim())),
  )('%s: %s', async (name = '', says = '', leads = '', back = '') => {
    const document = await html(name);
    expect(document).toContain(says);
    expect(document).toContain(leads);
    expect(document).toContain(`action="/pay/sample/${back}"`);
    expect(pageData(sample(name), translationsOf('en'), sampleNow).live?.stateUrl).toBe('/pay/sample/state');
  });

  it('can be left only if the attempt can be cancelled', async () => {
    const document = await render({ ...sample('present-confirm'), abandonUrl: undefined } as PageModel);
    expect(document).not.toContain('abandon');
    expect(document).not.toContain('Pay another way');
  });
});

describe('a payment that the payer completes later', () => {
  const later = ['present-details', 'present-ticket', 'present-email', 'present-crypto'];

  it.each([...later, 'waiting-method'])('%s leads back to the shop without cancelling anything', async (name) => {
    const document = await html(name);
    // Beside the amount, on a phone, and below the data.
    expect(document.match(/href="https:\/\/orme-ceramics\.example\/thanks"/g)).toHaveLength(3);
    expect(document).toContain('You can close this page.');
    expect(document).not.toContain('/cancel');
  });

  it('of a card offers no way back, because its bank answers in seconds', async () => {
    const document = await html('waiting-unknown');
    expect(document).not.toMatch(/cancel|thanks/);
    expect(document).toContain('<a class="filled" href="/pay/sample">Check now</a>');
  });

  it.each([...later, 'present-qr', 'present-app', 'present-confirm', 'waiting-method'])(
    '%s asks before it is left for another method',
    async (name) => {
      const [, asked = ''] = /<details class="asked">([\s\S]*?)<\/details>/.exec(await html(name)) ?? [];
      expect(asked).toContain('Have you already paid?');
      expect(asked).toContain('action="/pay/sample/abandon"');
    },
  );

  it('can send its address to the payer, and says that it has', async () => {
    const document = await html('present-details');
    expect(document).toContain('action="/pay/sample/remind"');
    expect(document).toContain('Send these details to \u2066m•••@mail.example\u2069');
    const reminded = await html('present-details-reminded');
    expect(reminded).toContain('We sent these details to \u2066m•••@mail.example\u2069.');
    expect(reminded).not.toContain('/remind');
  });

  it('in cash has its deadline with the zone, steps, and the barcode', async () => {
    const document = await html('present-ticket');
    const text = document.replace(/<[^>]+>/g, '');
    expect(text).toContain('Pay by 23 November 2026 at 14:06 UTC');
    expect(texts(document, /<li>([\s\S]*?)<\/li>/g).slice(0, 3)).toEqual([
      'Go to one of these shops: OXXO, 7-Eleven, Farmacias del Ahorro.',
      'Show this barcode, or tell the cashier the number below it.',
      'Pay €84.50 in cash and keep the receipt.',
    ]);
    expect(document).toMatch(/role="img" aria-label="Barcode"[^>]*><path d="M10 0h2v1h-2z/);
    expect(text).not.toMatch(/Account holder|that field|Valid until/);
  });

  it('in cash needs neither the names of shops nor a barcode', async () => {
    const page = sample('present-ticket') as PresentPage;
    if (page.step.kind !== 'details') throw new Error('the sample is no voucher');
    const voucher = { barcode: { text: '№ 4829' }, url: '/ticket' };
    const document = await render({ ...page, step: { ...page.step, voucher } });
    expect(document).toContain('Go to a shop that takes AXXI Cash.');
    expect(document).toContain('Tell the cashier this number.');
    expect(document).not.toContain('aria-label="Barcode"');
  });
});

describe('a code', () => {
  it('that has expired is faint, has one renewal button, and warns of paying twice', async () => {
    const document = await html('present-qr-expired');
    expect(document).toContain('class="plate past"');
    expect(document.match(/action="\/pay\/sample\/renew"/g)).toHaveLength(1);
    expect(document).toContain('Just paid? Wait here. Do not pay twice.');
    expect(document).not.toContain('code.png');
    expect(document).not.toContain('Code valid for');
  });

  it('cannot be renewed without a renewal address', async () => {
    expect(await html('present-qr-copy')).not.toContain('New code');
  });

  // On a phone the first way is the filled one; the way of a wide screen follows it in the document.
  it.each([
    ['present-qr-copy', 'copy-row main', 'outlined', 'Copy this code and paste it'],
    ['present-qr-upi', 'href="upi://pay', 'outlined', 'The app opens'],
    ['present-qr', 'class="plate', 'filled', 'Scan this code with another phone'],
  ])('%s begins on a phone with the way that most payers use', async (name, first, save, text) => {
    const document = await html(name);
    expect(document.indexOf(first)).toBeGreaterThan(0);
    expect(document.indexOf(first)).toBeLessThan(document.indexOf('code.png'));
    expect(document).toContain(`class="${save}" href="/pay/sample/code.png"`);
    expect(document).toContain(text);
  });

  it('of Pix has the name that payers in Brazil know', async () => {
    const document = await html('present-qr-copy');
    expect(texts(document, /<dt>([\s\S]*?)<\/dt>/g)).toContain('Pix Copia e Cola');
    expect(document).toContain('Copy code <span class="quiet">');
  });

  it('of a coin is copied on a phone before it is scanned', async () => {
    const document = await html('present-crypto');
    expect(document.indexOf('copy-row')).toBeLessThan(document.indexOf('class="plate'));
  });

  it('can be copied as text if its apps accept text', async () => {
    expect(await html('present-qr-copy')).toContain('data-copy="00020126');
    expect(await html('present-qr')).not.toContain('data-copy');
  });

  it('shows its expiry time without script, and a countdown with it', async () => {
    const document = await html('present-qr');
    expect(document).toContain('data-left="Code valid for {time}"');
    expect(texts(document, /<p data-left[^>]*>([\s\S]*?)<\/p>/g)).toEqual([
      'Valid until 20 November 2026 at 14:06 UTC',
    ]);
    expect(pageData(sample('present-qr'), translationsOf('en'), sampleNow).stepSecondsLeft).toBe(42);
    expect(pageData(sample('present-details'), translationsOf('en'), sampleNow).stepSecondsLeft).toBeUndefined();
  });
});

describe('payment data', () => {
  it('is copied as a whole and displayed in groups of four without spaces', async () => {
    const document = await html('present-details');
    expect(document).toContain('data-copy="DE89370400440532013000"');
    expect(document).toContain('<span>DE89</span><wbr/><span>3704</span><wbr/>');
    expect(document).toContain('>COBADEFFXXX</bdi>');
  });

  it('formats the order’s amount as the page does and copies the digits only', async () => {
    const document = await html('present-details');
    expect(document).toContain('data-copy="84.50"');
    expect(texts(document, /<bdi class="value"[^>]*>([\s\S]*?)<\/bdi>/g)).toContain('€84.50');
  });

  it('warns of a missing reference once, and only if there is a reference', async () => {
    const note = 'Without the reference we can’t match your payment.';
    expect((await html('present-details')).split(note)).toHaveLength(2);
    expect(await html('present-ticket')).not.toContain(note);
  });

  it('translates known rows and keeps proper names and a provider’s own names', async () => {
    const names = (document: string) => texts(document, /<dt>([\s\S]*?)<\/dt>/g);
    expect(names(await html('present-details'))).toEqual(
      expect.arrayContaining(['Reference', 'IBAN', 'BIC', 'Account holder']),
    );
    expect(names(await html('present-ticket'))).toEqual(expect.arrayContaining(['Agreement number', 'Counter']));
  });

  it('of a coin shows the coins as the amount and the price among the facts', async () => {
    const document = await html('present-crypto');
    expect(texts(document, /<h1>([\s\S]*?)<\/h1>/g)).toEqual(['Amount to send 91.27 USDT']);
    expect(document).toMatch(/<dt>Price<\/dt><dd><bdi>€84\.50/);
    expect(document).toContain('Only USDT on Tron.');
    expect(document).toContain('data-copy="91.27"');
  });

  it('of a coin without an amount keeps the price and accepts any amount', async () => {
    const document = await html('present-crypto-any');
    expect(texts(document, /<h1>([\s\S]*?)<\/h1>/g)).toEqual(['Amount to pay €84.50']);
    expect(document).toContain('Send any amount to this address.');
    expect(document).toContain('Without the memo we can’t match your payment.');
  });

  it('of a coin emphasises the first and last eight characters of the address', async () => {
    const document = await html('present-crypto');
    const faint = texts(document, /<i>([\s\S]*?)<\/i>/g).join('');
    expect(faint).toBe('Q2Zb7kP1uVc8sNfE');
  });
});

describe('a one-time code', () => {
  it('is filled in by the phone, and a wrong one is an error at the field', async () => {
    const input = /<input[^>]*name="code"[^>]*>/.exec(await html('present-code'))?.[0];
    expect(input).toMatch(/autoComplete="one-time-code"/i);
    expect(input).not.toContain('aria-invalid');
    const document = await html('present-code-wrong');
    expect(/<input[^>]*name="code"[^>]*>/.exec(document)?.[0]).toContain('aria-invalid="true"');
    expect(document).toContain('Check the code and enter it again.');
  });
});

describe('the sandbox', () => {
  it('links to the bank simulator, and production does not', async () => {
    expect(await html('present-ticket')).toMatch(
      /<a href="https:\/\/bank\.example\/play" target="_blank"[^>]*>Act as the bank/,
    );
    expect(await html('present-details')).not.toContain('test-bar');
  });
});

describe('a method’s parameters', () => {
  it('have fields of their own kind', async () => {
    const document = await html('form-parameters');
    const input = (name: string) =>
      new RegExp(`<(input|select)[^>]*name="parameter_${name}"[^>]*>`).exec(document)?.[0];
    expect(input('document_type')).toMatch(/^<select/);
    // A CNPJ can have letters.
    expect(input('document_number')).toMatch(/autoCapitalize="characters"/i);
    expect(input('document_number')).toMatch(/placeholder="000.000.000-00"/);
    expect(input('document_number')).not.toMatch(/inputMode/i);
    expect(input('bank_cuil')).toMatch(/inputMode="numeric"/i);
    expect(input('pin')).toMatch(/type="password"/);
    expect(input('pin')).toMatch(/autoComplete="off"/i);
    expect(input('pin')).not.toMatch(/required/);
    expect(texts(document, /<label[^>]*>([\s\S]*?)<\/label>/g)).toContain('CPF or CNPJ');
  });

  it('redisplay the input with its errors', async () => {
    const document = await html('form-parameters-errors');
    const field = /<input[^>]*name="parameter_document_number"[^>]*>/.exec(document)?.[0];
    expect(field).toContain('value="529.982.247-26"');
    expect(field).toContain('aria-invalid="true"');
    expect(document).toContain('Check the CPF: the check digits don’t match.');
  });

  it('provide the script with their error texts', () => {
    expect(pageData(sample('form-parameters'), translationsOf('en'), sampleNow).form?.errors).toMatchObject({
      'parameter.empty': 'This field is required.',
      'parameter.choose': 'Choose one from the list.',
      'short:4': 'Use at least 4 characters.',
      'long:8': 'Use at most 8 characters.',
      'document.empty:cpf-or-cnpj': 'Enter your CPF or CNPJ.',
      'document.characters:cpf-or-cnpj': 'Check the CPF or CNPJ: it must have 11 or 14 characters.',
      'document.digits:cuil': 'Check the CUIL/CUIT: it must have 11 digits.',
      'document.shape:cuil': 'Check the CUIL/CUIT: it should look like 20-12345678-6.',
      'document.checkDigits:cnpj': 'Check the CNPJ: the check digits don’t match.',
    });
  });
});

describe('a long list', () => {
  it('collapses all but the first five, and only those have forms', async () => {
    const document = await html('form-many');
    expect(document.match(/<form[^>]*data-pay/g)).toHaveLength(5);
    expect(document).toContain('More ways to pay (276)');
    expect(document).toContain('href="/pay/sample?method=method-279#chosen"');
  });

  it('marks and explains every row in the same way', async () => {
    const document = await html('form-many');
    const [card = '', ...others] = document.match(/class="pick"[^>]*>[\s\S]*?<\/(?:label|a)>/g) ?? [];
    expect(card).toContain('class="marks"');
    expect(others).toHaveLength(280);
    for (const pick of others) {
      expect(pick).toMatch(/<span class="method"><bdi>[^<]+<\/bdi><small>[^<]+<\/small><\/span><span class="mark tile/);
    }
  });

  it('has a search form that works without script, and finds countries and lines', async () => {
    const document = await html('form-found');
    const form = /<form class="find"[\s\S]*?<\/form>/.exec(document)?.[0] ?? '';
    expect(form).toContain('action="/pay/sample#more" method="get"');
    expect(form).toContain('value="thailand"');
    expect(document).toMatch(/<details[^>]*open=""/);
    const shown = texts(document, /<div class="row" data-words="([^"]*)"><a/g);
    expect(shown).toEqual([
      'PromptPay 5 Scan a code with your app Thailand',
      'PromptPay 11 Scan a code with your app Thailand',
    ]);
    expect(form).toMatch(/<p id="found"[^>]*><\/p>/);
    const none = { ...sample('form-found'), find: 'nothing' } as PageModel;
    expect(await render(none)).toMatch(/<p id="found"[^>]*>No payment methods match\.<\/p>/);
  });

  it('shows the chosen row with its form before the collapsed ones', async () => {
    const document = await html('form-chosen');
    const row = document.indexOf('id="chosen"');
    expect(row).toBeGreaterThan(0);
    expect(row).toBeLessThan(document.indexOf('<details class="more"'));
    expect(document.slice(row)).toMatch(/^id="chosen">[\s\S]{0,400}value="method-70"/);
  });

  it('has no search field if it is short', async () => {
    expect(await html('form-list')).not.toContain('id="find"');
  });
});

describe('the remembered method', () => {
  const boxes = (document: string) => document.match(/<input type="checkbox" name="remember"[^>]*>/g) ?? [];

  it('is offered for every method that is not open by itself, and never preset', async () => {
    const document = await html('form-list');
    expect(boxes(document)).toHaveLength(6);
    expect(document).not.toMatch(/name="remember"[^>]*checked/);
    expect(boxes(await html('form'))).toEqual([]);
  });

  it('shows its checkbox to be cleared', async () => {
    const page = { ...sample('form-list'), remember: { method: 'skrill' } } as PageModel;
    expect(boxes(await render(page)).filter((box) => box.includes('checked'))).toHaveLength(1);
  });
});

describe('where a card is the only way to pay', () => {
  const around = { merchantName: 'Orme', amount: { minor: 8450n, currency: 'EUR' }, cardOnly: true };

  it.each(['funds', 'bank', 'unconfirmed'] as const)('a decline (%s) names no other way', (kind) => {
    const words = translationsOf('en');
    expect(alertText({ kind }, around, words).text).not.toMatch(/another way/);
    expect(alertText({ kind }, { ...around, cardOnly: false }, words).text).toMatch(/another way/);
  });

  it('a challenge is left for another card', async () => {
    expect(await html('challenge-card')).toContain('Use another card');
    expect(await html('challenge')).toContain('Pay another way');
  });
});

it('a number that the bank named stays in its field', () => {
  const around = { merchantName: 'Orme', amount: { minor: 8450n, currency: 'EUR' }, cardOnly: true };
  for (const field of ['card_number', 'card_expiry'] as const)
    expect(alertText({ kind: 'data', field }, around, translationsOf('en')).clears).toEqual(['card_cvv']);
});

describe('a decline by a method', () => {
  const around = { merchantName: 'Orme', amount: { minor: 8450n, currency: 'EUR' }, cardOnly: false };

  it.each([
    ['bank', 'Skrill declined this payment'],
    ['funds', 'Skrill declined this payment'],
    ['data', 'Skrill declined this payment'],
    ['technical', 'Skrill couldn’t be reached'],
    ['unconfirmed', 'The payment wasn’t confirmed'],
  ] as const)('%s names the method, and says that nothing was charged', (kind, heading) => {
    const text = alertText({ kind, method: 'Skrill' }, around, translationsOf('en'));
    expect(text).toMatchObject({ heading, clears: [], errors: {} });
    expect(text.text).toContain('You have not been charged.');
    expect(text.button).toBeUndefined();
  });
});

it('a declined payout has a title of its own', async () => {
  const page = { ...sample('payout-methods'), alert: { kind: 'bank' } } as PageModel;
  expect(await render(page)).toContain('<title>Declined: payout from Orme Ceramics</title>');
});

describe('a payout', () => {
  it('by other methods than a card offers a choice and names the method', async () => {
    expect(await html('payout-methods')).toContain('How would you like to receive the money?');
    expect(await html('payout-method')).toContain('Receive €84.50');
    const document = await html('payout-method-receipt');
    expect(document).toContain('Orme Ceramics has sent you this amount.');
    expect(document).toContain('Received via');
    expect(document).not.toContain('card');
  });
});
