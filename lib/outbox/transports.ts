// The two transports: a mail server by SMTP, and an SMS gateway by HTTP. Neither throws for errors of the other side,
// and neither returns its texts, because those quote addresses and links.

import { createTransport } from 'nodemailer';
import type { Client } from '../http/index.ts';
import type { DueMessage, SendResult } from './queue.ts';

/** The limit for the connection, the greeting, and any silence afterwards. */
const smtpSeconds = 15;
const gatewaySeconds = 15;

export type MailSettings = { url: string; from: string };
export type GatewaySettings = { url: string; token: string };

type Email = Pick<DueMessage, 'id' | 'to' | 'subject' | 'text'>;
type TextMessage = Pick<DueMessage, 'id' | 'to' | 'text'>;
type TransportError = { code?: string; responseCode?: number };

/**
 * Sends an e-mail. A permanent rejection (5xx for the recipient or the text) is final; any other error is retried. The
 * Message-ID is derived from the row, so that duplicates are recognisable.
 */
export async function sendMail(settings: MailSettings, email: Email): Promise<SendResult> {
  const url = new URL(settings.url);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const milliseconds = smtpSeconds * 1000;
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth: user ? { user, pass: decodeURIComponent(url.password) } : undefined,
    // A password must not be sent in the clear if STARTTLS was removed from a response.
    requireTLS: !secure && user !== '',
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = /@([^>]+)/.exec(settings.from)?.[1];
  try {
    await transport.sendMail({
      from: settings.from,
      // As an object it is one address even if it contains commas.
      to: { name: '', address: email.to },
      messageId: `<${email.id}@${host}>`,
      subject: email.subject,
      text: email.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { sentBy: 'smtp' };
  } catch (thrown) {
    const { code = 'failed', responseCode = 0 } = thrown as TransportError;
    const rejected = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
    return { error: `mail server: ${[code, responseCode || ''].join(' ').trim()}`, final: rejected };
  } finally {
    transport.close();
  }
}

/**
 * Hands a text message to the gateway: POST of `{"to","text","reference"}`, accepted by any 2xx. The Idempotency-Key is
 * the row's id, so that a repeated request sends once. 400 and 422 are about this message and final.
 */
export async function sendText(client: Client, settings: GatewaySettings, message: TextMessage): Promise<SendResult> {
  const body = JSON.stringify({ to: message.to.replace(/[^+0-9]/g, ''), text: message.text, reference: message.id });
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${settings.token}`,
    'idempotency-key': message.id,
  };
  const { httpStatus = 0, error } = await client.post(settings.url, body, headers, gatewaySeconds);
  if (httpStatus >= 200 && httpStatus < 300) return { sentBy: 'gateway' };
  return { error: `gateway: ${error ?? httpStatus}`, final: httpStatus === 400 || httpStatus === 422 };
}
