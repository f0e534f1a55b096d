import { describe, expect, it } from 'vitest';
import { bodyTextOf } from '../http/index.ts';
import { outboxPage } from './page.ts';
import type { ListedMessage } from './queue.ts';

const message: ListedMessage = {
  id: '0192f3a4-5b6c-7d8e-9f01-23456789abcd',
  paymentId: '0192f3a4-5b6c-7d8e-9f01-23456789abce',
  channel: 'email',
  to: 'payer@shop.example',
  subject: 'Pay <Kiosk> & Co',
  text: 'Open this link:\nhttps://pay.example/l/1?a=b&c="d"\n\nNot you?\n',
  url: 'https://pay.example/l/1?a=b&c="d"',
  expiresAt: null,
  attempts: 1,
  state: 'sent',
  sentBy: 'outbox',
  error: null,
  createdAt: new Date('2026-11-20T12:00:00Z'),
};

const page = async (...messages: ListedMessage[]) => bodyTextOf(outboxPage(messages, true));

describe('the page of the outbox', () => {
  it('shows a message with its link, everything escaped', async () => {
    const text = await page(message);
    expect(text).toContain('Pay &#60;Kiosk&#62; &#38; Co');
    expect(text).toContain('href="https://pay.example/l/1?a=b&#38;c=&#34;d&#34;"');
    expect(text).toContain('2026-11-20 12:00:00 UTC');
    expect(text).toContain('Kept here');
  });

  it.each([
    ['email', 'payer@shop.example', 'E-mail to p•••@shop.example'],
    ['sms', '+491511234567', 'SMS to +491 ••• 67'],
    ['sms', '', 'SMS to an unknown recipient'],
  ] as const)('masks the address of %s %s', async (channel, to, shown) => {
    const text = await page({ ...message, channel, to });
    expect(text).toContain(shown);
    if (to !== '') expect(text).not.toContain(to);
  });

  it('links web addresses only', async () => {
    const url = 'javascript:alert(1)';
    expect(await page({ ...message, url, text: `Open:\n${url}` })).not.toContain('<a href="javascript');
  });

  it.each([
    [{ state: 'failed', error: 'SMTP_URL is not set' }, 'Not sent: SMTP_URL is not set'],
    [{ state: 'waiting', attempts: 2, error: 'gateway: 500' }, 'Waiting to be sent after 2 attempts (gateway: 500)'],
    [{ state: 'waiting', attempts: 1, error: 'gateway: 500' }, 'Waiting to be sent after one attempt (gateway: 500)'],
    [{ state: 'waiting', attempts: 0 }, 'Waiting to be sent<'],
    [{ sentBy: 'smtp' }, 'Sent by the mail server'],
    [{ sentBy: 'gateway' }, 'Sent by the SMS gateway'],
  ] as [Partial<ListedMessage>, string][])('shows the state: %o', async (change, words) => {
    expect(await page({ ...message, ...change })).toContain(words);
  });

  it('reports an empty outbox', async () => {
    expect(await page()).toContain('Nothing has been sent yet.');
  });

  it('cannot be framed and leaks no address', async () => {
    const { headers } = outboxPage([message]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it.each([null, message.paymentId])(
    'shows texts and links on the machine of the sandbox only: %s',
    async (paymentId) => {
      const email = { ...message, paymentId, subject: 'Your invitation' };
      expect(await bodyTextOf(outboxPage([email], true))).toContain('href="https://pay.example/l/1');
      const text = await bodyTextOf(outboxPage([email], false));
      expect(text).toContain('Your invitation');
      expect(text).not.toContain('pay.example');
    },
  );
});
