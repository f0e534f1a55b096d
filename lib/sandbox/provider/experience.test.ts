import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findMethod, methods } from '../../methods/catalog.ts';
import { iban } from './bank-details.ts';
import { startMethod, startMethodPayout } from './experience.ts';
import type { Present } from './operation.ts';
import { forcedOf, forcedOutcomes } from './operation.ts';
import { finished } from './scenario.ts';
import type { PaymentRequest } from './wire.ts';

const at = new Date('2026-11-20T12:00:00Z');
const place = { id: 'e51e16ea-992c-48c1-878a-756260d4646b', at, baseUrl: 'https://pay.example' };

function orderOf(method: string, change: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    reference: '0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c',
    operation: 'sale',
    method,
    amount: '84.50',
    currency: 'EUR',
    minor: 8450n,
    order: { number: '10428', description: 'Two bowls' },
    payer: { email: 'mia@mail.example', phone: '+38591234567' },
    return_url: 'https://pay.example/return/1',
    ...change,
  };
}

function rowOf(id: string) {
  const row = findMethod(id);
  if (!row) throw new Error(`no method ${id}`);
  return row;
}

const start = (id: string, change?: Partial<PaymentRequest>) => startMethod(orderOf(id, change), rowOf(id), place);
const presentOf = (id: string, change?: Partial<PaymentRequest>) => start(id, change).facts.present as Present;
const valueIn = (present: Present, name: string) =>
  present.kind === 'details' ? present.rows.find((row) => row.name === name)?.value : undefined;

describe('how a payment by a method begins', () => {
  // method | currency | payer's country | status | what is shown | seconds until it expires
  it.each(
    `
    astropay      | EUR |    | redirect   | -       | -
    upi-2         | INR |    | processing | app     | 900
    mtn-momo      | XOF |    | processing | confirm | 300
    sofortuber    | EUR |    | processing | details | 259200
    axxi-cash     | MXN |    | processing | details | 259200
    axxi-transfer | MXN | MX | processing | details | 259200
    axxi-transfer | COP | CO | redirect   | -       | -
    ips           | RSD |    | processing | qr      | 1800
    pix           | BRL |    | processing | qr      | 900
    ptn-email     | EUR |    | processing | message | 86400
    awcc          | EUR |    | processing | crypto  | 3600
    beeline       | EUR |    | processing | code    | 300
    axxi-pin      | EUR |    | approved   | -       | -
    `
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string, string, string]),
  )('%s in %s %s: %s, %s', (id, currency, country, status, kind, seconds) => {
    const begun = start(id, { currency, payer: { country, phone: '+22997000000' } });
    const { facts, dueSeconds, scenario } = begun;
    expect([begun.status, facts.present?.kind ?? '-', String(dueSeconds ?? '-')]).toEqual([status, kind, seconds]);
    expect(scenario.expires ?? false).toBe(dueSeconds !== undefined);
  });

  it('can be begun by every method of the catalogue, and be held by those that hold', () => {
    const others = methods.filter(({ experience }) => experience !== 'card');
    for (const { id, currencies } of others) {
      const currency = currencies?.find((code) => code.length === 3) ?? 'EUR';
      const authorised = start(id, { currency, operation: 'authorize' });
      expect(['redirect', 'processing', 'authorized']).toContain(authorised.status);
      expect(finished(authorised.scenario).status).toBe('authorized');
    }
    expect(others.length).toBeGreaterThan(250);
  });

  it('needs no payer in a subsequent recurring payment', () => {
    for (const id of ['astropay', 'ips', 'beeline']) {
      expect(start(id, { recurring: 'next' })).toMatchObject({ status: 'approved', facts: {} });
    }
  });

  it('knows the two people of the test wallet', () => {
    const of = (payer: Record<string, unknown>) => start('vcard', { payer }).status;
    expect(of({ identifier: 'success@gmail.com' })).toBe('approved');
    expect(of({ email: 'Fail@gmail.com' })).toBe('declined');
    expect(of({ identifier: 'fail@gmail.com', email: 'success@gmail.com' })).toBe('declined');
    expect(start('ips', { payer: { email: 'fail@gmail.com' }, currency: 'RSD' }).status).toBe('processing');
  });
});

describe('what is shown', () => {
  it('is the same at a second look and another one for another payment', () => {
    for (const id of ['ips', 'sofortuber', 'awcc', 'axxi-cash']) {
      expect(presentOf(id)).toEqual(presentOf(id));
      expect(presentOf(id, { reference: 'another' })).not.toEqual(presentOf(id));
    }
  });

  it('expires: an ips code after a minute, which can be had again', () => {
    expect(presentOf('ips', { currency: 'RSD' })).toMatchObject({
      scheme: 'ips',
      renewable: true,
      expires_at: '2026-11-20T12:01:00.000Z',
      payload: expect.stringContaining('I:RSD84,50'),
    });
    expect(presentOf('pix', { currency: 'BRL' })).not.toHaveProperty('renewable');
  });

  it('is a code of the provider where the scheme does not have the currency', () => {
    expect(presentOf('pix')).toMatchObject({ scheme: 'text', payload: expect.stringContaining('84.50 EUR') });
    expect(presentOf('upi-2')).toMatchObject({ url: `sandboxpay://pay/${place.id}` });
    expect(presentOf('upi-2', { currency: 'INR' })).toMatchObject({ url: expect.stringMatching(/^upi:\/\/pay\?pa=/) });
  });

  it('names the masked address of the payer', () => {
    expect(presentOf('beeline')).toMatchObject({ sent_to: '+385 ••• 67' });
    expect(presentOf('jvz', { payer: { email: 'mia@mail.example' } })).toMatchObject({ sent_to: 'm•••@mail.example' });
    expect(presentOf('jvz', { payer: {} })).not.toHaveProperty('sent_to');
    expect(presentOf('beeline', { payer: {}, parameters: { payee_phone: '+10000099' } })).not.toHaveProperty('sent_to');
  });

  it('is bank data of the right form', () => {
    const euro = presentOf('sofortuber');
    const account = valueIn(euro, 'iban') ?? '';
    expect(iban('DE', account.slice(4))).toBe(account);
    expect(iban('DE', '370400440532013000')).toBe('DE89370400440532013000');
    expect(valueIn(presentOf('axxi-transfer', { currency: 'MXN', payer: { country: 'MX' } }), 'clabe')).toMatch(
      /^646180\d{12}$/,
    );
    expect(valueIn(presentOf('panapay-upi', { currency: 'INR' }), 'upi_id')).toContain('@');
    expect(valueIn(presentOf('panapay-netbanking', { currency: 'INR' }), 'ifsc')).toMatch(/^[A-Z]{4}0[A-Z0-9]{6}$/);
    expect(valueIn(presentOf('winnerpay', { currency: 'CHF' }), 'account_number')).toMatch(/^\d{10}$/);
    expect(valueIn(euro, 'amount')).toBe('84.50 EUR');
  });

  it('is a ticket with a barcode where it is paid in a shop, on the reference made before', () => {
    expect(presentOf('axxi-cash', { currency: 'MXN' })).toMatchObject({ barcode: expect.stringMatching(/^\d{22}$/) });
    const paycash = presentOf('paycash-peru', { currency: 'PEN', credentials: { reference: '93000011112222' } });
    expect(valueIn(paycash, 'reference')).toBe('93000011112222');
    expect(paycash).toMatchObject({ barcode: '930000111122220000008450' });
  });

  it('is a boleto with an ITF barcode and its digitable line for a voucher in Brazil', () => {
    const boleto = presentOf('axxi-cash', { currency: 'BRL' });
    expect(boleto).toMatchObject({ symbology: 'itf', barcode: expect.stringMatching(/^0009\d00000000008450\d{25}$/) });
    expect(valueIn(boleto, 'Linha digitável')).toMatch(/^[\d.]{11} [\d.]{12} [\d.]{12} \d 00000000008450$/);
    expect(presentOf('axxi-cash', { currency: 'MXN' })).not.toHaveProperty('symbology');
  });

  it('is an address on the network that is asked for, without an amount where any will do', () => {
    const of = (parameters: Record<string, unknown>) => presentOf('awcc', { parameters });
    expect(of({ crypto_type: 'USDT' })).toMatchObject({ currency: 'USDT', amount: '84.5', address: /^0x/ });
    expect(of({ crypto_type: 'usdt', network_type: 'tron' })).toMatchObject({ network: 'Tron (TRC-20)' });
    expect(of({ crypto_type: 'BTC', bech32: 'true' })).toMatchObject({ address: expect.stringMatching(/^bc1q/) });
    const priced = presentOf('coinspaid', { currency: 'BTC', minor: 150_000n });
    expect(priced).toMatchObject({ currency: 'BTC', amount: '0.0015' });
    const any = presentOf('crypto-btg');
    expect(any).toMatchObject({ currency: 'BTG', network: 'Bitcoin Gold' });
    expect(any).not.toHaveProperty('amount');
  });

  it('is a link that leads to the other side', () => {
    const { reference } = orderOf('');
    const url = `https://pay.example/sandbox/finish/${reference}`;
    expect(presentOf('ptn-email')).toMatchObject({ channel: 'email', url });
    expect(presentOf('ptn-sms')).toMatchObject({ channel: 'sms', url });
  });

  it('includes the additional fields of kora', () => {
    expect(start('kora').facts.extended).toEqual({ auth_method: 'STK_PROMPT', message: expect.any(String) });
  });
});

describe('a forced outcome', () => {
  // outcome | a redirect: status, seconds, end | a code: status, seconds, end | nothing to do: status
  it.each(
    `
    approve      | approved   -  approved | approved   -  approved | approved
    decline      | declined   -  declined | declined   -  declined | declined
    pending      | processing 3  approved | processing 3  approved | processing
    rejected     | processing 3  declined | processing 3  declined | processing
    never        | redirect   -  approved | processing -  approved | processing
    late         | redirect   40 approved | processing 40 approved | processing
    expired      | redirect   4  expires   | processing 4  expires   | processing
    duplicated   | processing 3  approved | processing 3  approved | processing
    out_of_order | processing 3  approved | processing 3  approved | processing
    `
      .trim()
      .split('\n')
      .map(
        (line) => line.split('|').map((cell) => cell.trim().replace(/ +/g, ' ')) as [string, string, string, string],
      ),
  )('%s', (sandbox, redirect, code, none) => {
    const outcomeOf = (id: string, currency: string) => {
      const { status, dueSeconds, scenario } = start(id, { parameters: { sandbox }, currency });
      return [status, dueSeconds ?? '-', scenario.expires ? 'expires' : finished(scenario).status].join(' ');
    };
    expect(outcomeOf('astropay', 'EUR')).toBe(redirect);
    expect(outcomeOf('ips', 'RSD')).toBe(code);
    expect(start('axxi-pin', { parameters: { sandbox } }).status).toBe(none);
    const payout = startMethodPayout(orderOf('kora', { parameters: { sandbox } }), rowOf('kora'), at);
    expect(payout.status).toBe(none);
  });

  it('lets what is shown expire soon', () => {
    const present = presentOf('ips', { currency: 'RSD', parameters: { sandbox: 'expired' } });
    expect(present.expires_at).toBe('2026-11-20T12:00:03.000Z');
  });

  it.each([[undefined], ['Approve'], ['toString'], [17], [['approve']]])('is none for %j', (sandbox) => {
    expect(forcedOf({ sandbox })).toBeUndefined();
  });

  it('is documented, each with what it does', () => {
    const page = readFileSync(new URL('../../../docs/guide/sandbox.md', import.meta.url), 'utf8');
    const rows = page.split('\n').flatMap((line) => {
      const [, name, does] = /^\| `(\w+)` +\| (.+?) +\|$/.exec(line) ?? [];
      return name ? [[name, does]] : [];
    });
    expect(rows).toEqual(expect.arrayContaining(Object.entries(forcedOutcomes)));
  });
});

describe('a payout by a method', () => {
  const payout = (id: string, parameters: Record<string, unknown>) =>
    startMethodPayout(orderOf(id, { parameters }), rowOf(id), at);

  it('is done at once', () => {
    expect(payout('kora', {})).toMatchObject({ status: 'approved', facts: {} });
  });

  it.each([
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tron', 'approved'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '', 'approved'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'tron', 'declined'],
    ['nonsense', '', 'declined'],
  ])('of coins to %s on %j is %s', (address, crypto_network, status) => {
    const start = payout('m2p-withdrawal', { withdrawCurrency: 'USDT', address, crypto_network });
    expect(start.status).toBe(status);
    if (status === 'declined') expect(start.decline).toMatchObject({ code: 'wrong_address', class: 'data' });
    else expect(start.facts.extended?.crypto_network).toBeTruthy();
  });
});
