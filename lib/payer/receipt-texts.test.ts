import { expect, it } from 'vitest';
import { locales } from '../core/locales.ts';
import { translationsOf } from '../http/index.ts';
import type { ReceiptPage } from './contract.ts';
import { receiptEmail } from './receipt-texts.ts';

const url = 'https://pay.example/pay/TOKEN';

const page = (members: Partial<ReceiptPage> = {}): ReceiptPage => ({
  merchant: { name: 'Orme Ceramics' },
  order: {
    number: '10428',
    description: 'Two bowls',
    amount: { minor: 8450n, currency: 'EUR' },
    email: 'mia@mail.example',
  },
  pageUrl: '/pay/TOKEN?attempt=1',
  hidden: {},
  languages: [],
  legal: {},
  state: 'receipt',
  result: 'paid',
  how: { kind: 'card', brand: 'visa', last4: '4242' },
  at: new Date('2026-11-20T14:06:00Z'),
  paymentId: '0199a1c2-7d31-7f00-9a00-01937f2c5a81',
  email: { url: '/pay/TOKEN/remind', to: 'm•••@mail.example' },
  isNew: true,
  ...members,
});

const emailIn = (language: 'en' | 'de' | 'ar', members?: Partial<ReceiptPage>) =>
  receiptEmail(page(members), url, translationsOf(language));

it('is the receipt as text, with the link on a line of its own', () => {
  const { subject, text } = emailIn('en');
  expect(subject).toBe('Payment complete: Orme Ceramics');
  expect(text.split('\n')).toEqual([
    'Payment complete',
    'Thank you. Orme Ceramics has received your payment.',
    '',
    'Paid to: Orme Ceramics',
    'Amount: €84.50',
    'For: Two bowls',
    'Order: 10428',
    'Card: Visa •••• 4242',
    'Date: 20 November 2026 at 14:06 UTC',
    'Payment reference: 0193 7F2C 5A81',
    '',
    'Open this receipt:',
    url,
    '',
    'You received this email because the receipt was requested for this address.',
    '',
  ]);
});

it('is in the language of the page', () => {
  const german = emailIn('de');
  expect(german.subject).toBe('Zahlung abgeschlossen: Orme Ceramics');
  expect(german.text).toContain('Betrag: 84,50\u00a0€\nZweck: Two bowls');
  expect(german.text).toContain('Datum: 20. November 2026 um 14:06 UTC');
  expect(emailIn('ar').text).toContain(`لفتح هذا الإيصال:\n${url}\n`);
});

it('keeps the order of characters in a right-to-left text', () => {
  expect(emailIn('ar').text).toContain('\u20680193 7F2C 5A81\u2069');
  expect(emailIn('ar').subject).toContain('\u2068Orme Ceramics\u2069');
});

it('has no text of the order for an address that the payer typed', () => {
  const order = { ...page().order, description: 'Donation\nhttps://elsewhere.example' };
  expect(emailIn('en', { order, email: { url: '' } }).text).not.toContain('Donation');
  const known = emailIn('en', { order, email: { url: '', to: 'm•••@mail.example' } }).text;
  expect(known).toContain('For: Donation https://elsewhere.example\n');
});

it.each([
  [{ result: 'authorised' }, 'Payment authorised: Orme Ceramics', 'Reserved for: Orme Ceramics'],
  [{ result: 'returned' }, 'Payment returned: Orme Ceramics', 'This payment was refunded'],
  [{ how: { kind: 'method', name: 'PayPal' } }, 'Payment complete: Orme Ceramics', 'Paid with: PayPal'],
  [{ purpose: 'transfer', payee: '6519' }, 'Transfer complete: Orme Ceramics', ': •••• 6519'],
  [{ purpose: 'credit' }, 'Payout complete: Orme Ceramics', 'Paid by: Orme Ceramics'],
] as const)('is true of %o', (members, subject, line) => {
  const email = emailIn('en', members);
  expect(email.subject).toBe(subject);
  expect(email.text).toContain(line);
});

it.each(locales.map(({ code }) => code))('has no other address in %s', (code) => {
  const { subject, text } = receiptEmail(page(), url, translationsOf(code));
  expect(`${subject}${text}`.match(/https?:\/\/\S+/g)).toEqual([url]);
  expect(subject + text).not.toMatch(/mail\.example|undefined|receipt\.|outbox\./);
});
