import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '../../../e2e/support/pdf.ts';
import { evidencePdf } from './evidence.ts';
import { callbackWith, paymentWith, settledAt, transactionWith } from './payment.test-data.ts';

const now = new Date('2026-12-01T08:00:00.000Z');
const agreedAt = new Date('2026-11-20T12:50:58.000Z');
const agreement = { id: 'a', text: '', language: 'de', ticked: true, createdAt: agreedAt };
const words = 'Čigra behält Ihre Karte.\nSie erlauben Čigra, 9,90 € abzubuchen.';

type Records = Parameters<typeof evidencePdf>[0];

function recordsWith(changes: Partial<Records> = {}): Records {
  const threeDS = {
    transStatus: 'Y',
    protocolVersion: '2.2.0',
    eci: '05',
    dsTransID: 'ds-1',
    cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  };
  const providerData = { providerRef: 'p-1', rrn: '632', arn: '745', approvalCode: '284713', threeDS };
  const latest = transactionWith({ providerData });
  return {
    payment: paymentWith({
      description: 'Trail shoes, card 4111 1111 1111 1111',
      recurringToken: 'chain-token',
      payer: { name: 'Lena Hoffmann', email: 'lena@example.com', phone: '+49301234', country: 'DE', ip: '203.0.113.7' },
    }),
    session: null,
    transactions: [latest],
    callbacks: [callbackWith()],
    done: [],
    requests: [],
    messages: [],
    agreements: [{ ...agreement, text: words }],
    unresolved: [],
    mids: new Map([['mid', 'Acquira EU']]),
    merchant: { name: 'Čigra' },
    mid: null,
    latest,
    ...changes,
  };
}

async function pdfOf(...given: Parameters<typeof evidencePdf>): Promise<Buffer> {
  const pdf = await evidencePdf(...given);
  if (!pdf) throw new Error('too many documents');
  return pdf;
}

const textOf = async (changes: Partial<Records> = {}) =>
  readPdf(await pdfOf(recordsWith(changes), now))
    .map(({ text }) => text)
    .join('\n')
    .split('\n');

/** The text of a file that is attached to a PDF; undefined without one. */
function attachedTo(pdf: Buffer): string | undefined {
  const bytes = pdf.toString('latin1');
  const at = bytes.indexOf('/Type /EmbeddedFile\n');
  if (at < 0) return undefined;
  const start = bytes.indexOf('stream\n', at) + 'stream\n'.length;
  return inflateSync(Buffer.from(bytes.slice(start, bytes.indexOf('\nendstream', start)), 'latin1')).toString();
}

test('the evidence has payment, payer, card, 3-D Secure and references', async () => {
  const lines = await textOf();
  const below = (name: string) => lines[lines.indexOf(name) + 1];
  expect(lines.slice(0, 3)).toEqual(['Čigra', 'Evidence: order NK-20418', 'Created 2026-12-01 08:00:00 UTC']);
  for (const [name, value] of Object.entries({
    Order: 'NK-20418',
    Amount: '129.00 EUR',
    Status: 'Settled (settled)',
    Created: '2026-11-20 12:50:22 UTC',
    Settled: '2026-11-20 12:51:08 UTC',
    Captured: '129.00 EUR',
    Refunded: '0.00 EUR',
    Name: 'Lena Hoffmann',
    Email: 'lena@example.com',
    Phone: '+49301234',
    Country: 'DE',
    'IP address': '203.0.113.7',
    Number: '424242 •••• 4242',
    Brand: 'Visa',
    Expires: '08/2029',
    'Result (transStatus)': 'Y',
    ECI: '05',
    'Directory server transaction': 'ds-1',
    payment_id: paymentWith().id,
    Provider: 'p-1',
    RRN: '632',
    ARN: '745',
    'Authorisation code': '284713',
  })) {
    expect([name, below(name)]).toEqual([name, value]);
  }
});

test('the evidence has what the payer agreed to, the receipt and the history, in UTC', async () => {
  const message = {
    id: 'm',
    channel: 'email' as const,
    recipient: 'lena@example.com',
    subject: 'Receipt',
    state: 'sent' as const,
    error: null,
    createdAt: settledAt,
    sentAt: settledAt,
    isReceipt: true,
  };
  const lines = await textOf({ messages: [message, { ...message, id: 'n', isReceipt: false }] });
  const from = lines.indexOf('What the payer agreed to');
  expect(lines.slice(from, from + 5)).toEqual([
    'What the payer agreed to',
    '2026-11-20 12:50:58 UTC, Payer agreed by a ticked box, Language de',
    'Čigra behält Ihre Karte.; Sie erlauben Čigra, 9,90 € abzubuchen.',
    'Receipt by email',
    '2026-11-20 12:51:08 UTC, Florin',
  ]);
  const history = lines.slice(lines.indexOf('History')).join('\n');
  expect(history).toContain('2026-11-20 12:50:59 UTC, Florin\nSale of 129.00 EUR sent to Acquira EU');
  expect(history).toContain('Created to Settled');
  expect(history).toContain('Email with the link sent');
  expect(history).not.toMatch(/Callback|Payment requested/);
});

test('the evidence has no card number, cryptogram or token', async () => {
  const text = (await textOf()).join('\n');
  expect(text).toContain('Trail shoes, card [card]');
  expect(text).not.toMatch(/4111 1111|AAABBEg0|chain-token/);
});

test('a disputed amount is in the evidence, without the amount that can be refunded', async () => {
  const chargeback = transactionWith({ id: 'back', kind: 'chargeback', attemptId: 'attempt' });
  const payment = paymentWith({ state: 'chargeback', chargedBackMinor: 3000n });
  const text = (await textOf({ payment, transactions: [transactionWith(), chargeback] })).join('\n');
  expect(text).toContain('Disputed\n30.00 EUR');
  expect(text).toContain('Chargeback of 129.00 EUR');
  expect(text).not.toContain('Can be refunded');
});

test('letters that the typeface lacks are marked, and every text is attached in full', async () => {
  const agreements = [{ ...agreement, text: '9.90 EUR 毎月お支払い', language: 'ja' }];
  const pdf = await pdfOf(recordsWith({ agreements }), now);
  const text = readPdf(pdf)
    .map((page) => page.text)
    .join('\n');
  expect(text.replaceAll('\n', '')).toContain('The attached file evidence.txt');
  expect(text).toContain('\n9.90 EUR […]\n');
  expect(attachedTo(pdf)).toContain('Payer agreed by a ticked box, Language ja: 9.90 EUR 毎月お支払い\n');
  expect(attachedTo(await pdfOf(recordsWith(), now))).toBeUndefined();
});

test('a long history is cut on the pages, and attached in full', async () => {
  const refunds = Array.from({ length: 120 }, (_, at) =>
    transactionWith({ id: `refund ${at}`, kind: 'refund', attemptId: 'attempt', amountMinor: BigInt(at + 1) }),
  );
  const pdf = await pdfOf(recordsWith({ transactions: [transactionWith(), ...refunds] }), now);
  const text = readPdf(pdf)
    .map((page) => page.text)
    .join('\n');
  const [, left] = /The last 50; (\d+) earlier ones are in the attached file evidence\.txt\./.exec(text) ?? [];
  const attached = attachedTo(pdf)?.split('\nHistory\n')[1]?.split('\n') ?? [];
  expect(attached.length).toBe(Number(left) + 50);
  expect(attached.length).toBeGreaterThan(120);
});
