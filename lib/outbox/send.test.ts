import { describe, expect, it } from 'vitest';
import { type Composed, composeMessage, retrySeconds } from './queue.ts';
import { sendMessage } from './send.ts';

const now = new Date('2026-11-20T12:00:00Z');
const message: Composed = {
  id: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
  paymentId: '0192f3a4-5b6c-7d8e-9f01-23456789abce',
  channel: 'email',
  to: 'payer@shop.example',
  subject: 'Pay',
  text: 'https://pay.example/l/1',
  url: 'https://pay.example/l/1',
  expiresAt: null,
  attempts: 0,
};
const nothing = { smtpUrl: null, mailFrom: null, smsGatewayUrl: null, smsGatewayToken: null };

describe('without a mail server and a gateway', () => {
  it.each(['email', 'sms'] as const)('the sandbox stores %s', async (channel) => {
    expect(await sendMessage({ appEnv: 'sandbox', ...nothing }, { ...message, channel }, now)).toEqual({
      sentBy: 'outbox',
    });
  });

  it.each([
    ['email', 'SMTP_URL is not set'],
    ['sms', 'SMS_GATEWAY_URL is not set'],
  ] as const)('production gives up %s and says why', async (channel, error) => {
    const result = await sendMessage({ appEnv: 'production', ...nothing }, { ...message, channel }, now);
    expect(result).toEqual({ error, final: true });
  });
});

it('a message with an expired link is not sent', async () => {
  const expiresAt = new Date(now.getTime() - 1);
  const result = await sendMessage({ appEnv: 'sandbox', ...nothing }, { ...message, expiresAt }, now);
  expect(result).toEqual({ error: 'the link has expired', final: true });
});

it('attempts continue for about a day', () => {
  const hours = retrySeconds.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(20);
  expect(hours).toBeLessThan(26);
});

describe('the words', () => {
  const input = { url: 'https://pay.example/l/1', merchantName: 'Kiosk', amount: { minor: 1250n, currency: 'EUR' } };

  it('of an e-mail have the link on its own line', () => {
    const { subject, text } = composeMessage({ ...input, channel: 'email', language: 'de' });
    expect(subject).toBe('Kiosk bezahlen: 12,50\u00a0€');
    expect(text.split('\n')).toEqual([
      'Um 12,50\u00a0€ an Kiosk zu bezahlen, öffnen Sie diesen Link:',
      'https://pay.example/l/1',
      '',
      'Sie haben diese Nachricht nicht erwartet? Dann ignorieren Sie sie: Es wird nichts abgebucht.',
      '',
    ]);
  });

  it('of a text message end with the link', () => {
    expect(composeMessage({ ...input, channel: 'sms', language: 'ar' }).text).toMatch(
      /Kiosk.*\nhttps:\/\/pay\.example\/l\/1$/,
    );
  });

  it.each([null, undefined, 'xx', ''])('are English for the language %s', (language) => {
    expect(composeMessage({ ...input, channel: 'sms', language }).text).toMatch(/^To pay €12\.50 to Kiosk/);
  });
});
