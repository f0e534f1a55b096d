// The message with the payment data of a transfer, a voucher or coins, by e-mail and as a text message.
import { describe, expect, it } from 'vitest';
import { type LocaleCode, locales } from '../core/locales.ts';
import type { Presentation } from '../core/presentation.ts';
import { translationsOf } from '../http/index.ts';
import type { PresentPage } from './contract.ts';
import { payment, view } from './fixture.test-data.ts';
import { reminderTarget } from './present.ts';
import type { PresentStep } from './present-step.ts';
import { reminderTexts } from './reminder-texts.ts';

const url = 'https://pay.example/pay/TOKEN';
const expiresAt = new Date('2026-11-23T14:06:00Z');

const page = (step: PresentStep, members: Partial<PresentPage> = {}): PresentPage => ({
  merchant: { name: 'Orme Ceramics' },
  order: { number: '10428', description: 'Two bowls', amount: { minor: 8450n, currency: 'EUR' } },
  pageUrl: '/pay/TOKEN',
  hidden: {},
  languages: [],
  state: 'present',
  method: 'AXXI Cash',
  kind: 'bank',
  step,
  ...members,
});

const transfer: PresentStep = {
  kind: 'details',
  expiresAt,
  rows: [
    { name: 'amount', value: '84.50 EUR' },
    { name: 'iban', value: 'DE89370400440532013000' },
    { name: 'beneficiary', value: 'Orme Ceramics Ltd' },
    { name: 'reference', value: 'FL 7Q4K 28' },
  ],
};
const voucher: PresentStep = {
  kind: 'details',
  expiresAt,
  rows: [
    { name: 'reference', value: '8400 0001 2345' },
    { name: 'Convenio', value: '01234567' },
    { name: 'beneficiary', value: 'Orme Ceramics Ltd' },
  ],
  voucher: { barcode: { text: '840000012345678901' }, places: 'OXXO, 7-Eleven', url: '/ticket' },
};
const coins: PresentStep = {
  kind: 'crypto',
  expiresAt,
  address: 'TQ2Zb7kP1uVc8sNfE4mXw9LrA6tYdHgJ3C',
  network: 'Tron',
  currency: 'USDT',
  amount: '91.27',
  memo: '10428',
  code: { size: 0, path: '' },
};
const all = { transfer, voucher, coins };

const sent = (step: PresentStep, channel: 'email' | 'sms', language: LocaleCode = 'en', members = {}) =>
  reminderTexts(page(step, members), { channel, url }, translationsOf(language));
const linesOf = (step: PresentStep, channel: 'email' | 'sms', language: LocaleCode = 'en') =>
  sent(step, channel, language).text.split('\n');

const link = ['To pay €84.50 to Orme Ceramics, open this link:', url];
const ending = ['', ...link, '', 'If you weren’t expecting this message, ignore it: nothing will be charged.', ''];

describe('by e-mail', () => {
  it('a transfer has its account, reference, deadline and link', () => {
    expect(sent(transfer, 'email').subject).toBe('Pay Orme Ceramics: €84.50');
    expect(linesOf(transfer, 'email')).toEqual([
      'Transfer from your bank',
      'Use exactly these details. We match your payment by its reference.',
      '',
      'Amount: €84.50',
      'IBAN: DE89370400440532013000',
      'Account holder: Orme Ceramics Ltd',
      'Reference: FL 7Q4K 28',
      '',
      'Without the reference we can’t match your payment. Don’t add anything else to that field.',
      'Valid until 23 November 2026 at 14:06 UTC',
      ...ending,
    ]);
  });

  it('a voucher has its shops, numbers, deadline and link, and no account holder', () => {
    expect(linesOf(voucher, 'email')).toEqual([
      'Pay in cash',
      'Go to one of these shops: OXXO, 7-Eleven.',
      'Tell the cashier this number.',
      'Pay €84.50 in cash and keep the receipt.',
      '',
      'Amount: €84.50',
      'Reference: 8400 0001 2345',
      'Convenio: 01234567',
      'Barcode: 840000012345678901',
      '',
      'Pay by 23 November 2026 at 14:06 UTC',
      ...ending,
    ]);
  });

  it('coins have the exact amount, address, memo and network', () => {
    expect(linesOf(coins, 'email')).toEqual([
      'Send USDT on the Tron network',
      '',
      'Price: €84.50',
      'Exact amount: 91.27 USDT',
      'Address (Tron): TQ2Zb7kP1uVc8sNfE4mXw9LrA6tYdHgJ3C',
      'Memo: 10428',
      '',
      'Only USDT on Tron. Anything sent in another coin or on another network is lost. Without the memo we can’t match your payment.',
      'Valid until 23 November 2026 at 14:06 UTC',
      ...ending,
    ]);
  });

  it('an amount that the provider names is the one to pay', () => {
    const rows = [{ name: 'amount', value: '84.53 EUR' }, ...transfer.rows.slice(1)];
    const text = linesOf({ ...transfer, rows }, 'email');
    expect(text.filter((line) => line.startsWith('Amount'))).toEqual(['Amount: 84.53 EUR']);
  });
});

describe('as a text message', () => {
  it.each([
    ['transfer', ['Reference: FL 7Q4K 28', 'Valid until 23 November 2026 at 14:06 UTC']],
    ['voucher', ['Reference: 8400 0001 2345', 'Pay by 23 November 2026 at 14:06 UTC']],
    [
      'coins',
      [
        'Exact amount: 91.27 USDT',
        'Address (Tron): TQ2Zb7kP1uVc8sNfE4mXw9LrA6tYdHgJ3C',
        'Memo: 10428',
        'Valid until 23 November 2026 at 14:06 UTC',
      ],
    ],
  ] as const)('%s has the amount, what the payment needs, the deadline and the link', (name, lines) => {
    expect(linesOf(all[name], 'sms')).toEqual(['Pay Orme Ceramics: €84.50', ...lines, url]);
  });

  it('without a reference it has the first row of the account', () => {
    const rows = transfer.rows.filter(({ name }) => name !== 'reference');
    expect(linesOf({ ...transfer, rows }, 'sms')[1]).toBe('IBAN: DE89370400440532013000');
  });

  it('is shorter than 320 characters in every language, and never has a part of a number', () => {
    const merchant = { name: 'Keramikwerkstatt Großschönau GmbH & Co. KG, Niederlassung Süd' };
    for (const { code } of locales) {
      for (const step of Object.values(all)) {
        const { text } = sent(step, 'sms', code, { merchant });
        expect(text.length).toBeLessThan(320);
        expect(text.endsWith(`\n${url}`)).toBe(true);
        expect(text).toContain('Keramikwerkstatt Großschönau GmbH & Co.');
        expect(text).toMatch(/FL 7Q4K 28|8400 0001 2345|TQ2Zb7kP1uVc8sNfE4mXw9LrA6tYdHgJ3C/);
      }
    }
    const address = 'a'.repeat(180);
    expect(linesOf({ ...coins, address }, 'sms').at(-2)).toBe('Memo: 10428');
    expect(linesOf({ ...coins, address: 'a'.repeat(300) }, 'sms')).toEqual(['Pay Orme Ceramics: €84.50', url]);
  });
});

it('never has a card number', () => {
  const rows = [
    { name: 'card_number', value: '8600 1234 5678 9012' },
    { name: 'Tarjeta', value: '4111 1111 1111 1111' },
    { name: 'reference', value: '28' },
  ];
  const barcode = { text: '5555555555554444' };
  for (const channel of ['email', 'sms'] as const) {
    for (const step of [
      { ...transfer, rows },
      { ...voucher, rows, voucher: { barcode, url: '/ticket' } },
    ] as const) {
      const { text } = sent(step, channel);
      expect(text.replaceAll(' ', '')).not.toMatch(/[0-9]{12}/);
      expect(text).toContain('Reference: 28');
    }
  }
});

it('is in the payer’s language, with values on lines of their own in Arabic', () => {
  expect(linesOf(transfer, 'email', 'de')).toContain('Betrag: 84,50\u00a0€');
  const arabic = linesOf(transfer, 'email', 'ar');
  expect(arabic).toContain('FL 7Q4K 28');
  expect(arabic).toContain('DE89370400440532013000');
});

describe('the receiver', () => {
  const present: Presentation = { kind: 'details', rows: [] };
  const target = (payer: { email?: string; phone?: string }, kind: Presentation = present) =>
    reminderTarget(view({ screen: { kind: 'present', present: kind }, payment: payment({ payer }) }));

  it('is the e-mail address, else the phone', () => {
    const email = { channel: 'email', to: 'mia@mail.example' };
    const sms = { channel: 'sms', to: '+381641234827' };
    expect(target({ email: 'mia@mail.example', phone: '+381641234827' })).toEqual(email);
    expect(target({ phone: '+381641234827' })).toEqual(sms);
    expect(target({})).toBeNull();
    expect(target({ phone: '+381641234827' }, { kind: 'message', channel: 'sms', url })).toBeNull();
  });
});
