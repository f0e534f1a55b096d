// The two ways out: a mail server by SMTP, and an SMS gateway by HTTP. Neither throws for the other side's faults, and
// neither passes on what the other side said, because its words quote addresses and links.

import { createTransport } from 'nodemailer';
import type { Client } from '../http';
import type { DueMessage, SendResult } from './queue';

/** Of the connection, of the greeting, and of any silence afterwards. */
const smtpSeconds = 15;
const gatewaySeconds = 15;

export type MailSettings = { url: string; from: string };
export type GatewaySettings = { url: string; token: string };

type Email = Pick<DueMessage, 'id' | 'to' | 'subject' | 'text'>;
type TextMessage = Pick<DueMessage, 'id' | 'to' | 'text'>;
type TransportError = { code?: string; responseCode?: number };

/**
 * Sends an e-mail. A server that says for good that it will not (5xx to the recipient or the text) is believed; whatever
 * else goes wrong may be right later. The Message-ID is the row's, so that a mail that comes twice is known to be one.
 */
export async function sendMail(settings: MailSettings, letter: Email): Promise<SendResult> {
  const url = new URL(settings.url);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const milliseconds = smtpSeconds * 1000;
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth: user ? { user, pass: decodeURIComponent(url.password) } : undefined,
    // A password never goes out in the clear because somebody in between took STARTTLS out of an answer.
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
      // As an object it is one address, whatever commas it holds.
      to: { name: '', address: letter.to },
      messageId: `<${letter.id}@${host}>`,
      subject: letter.subject,
      text: letter.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { sentBy: 'smtp' };
  } catch (thrown) {
    const { code = 'failed', responseCode = 0 } = thrown as TransportError;
    const refused = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
    return { error: `mail server: ${[code, responseCode || ''].join(' ').trim()}`, final: refused };
  } finally {
    transport.close();
  }
}

/**
 * Hands a text message over: POST of `{"to","text","reference"}`, taken over by any 2xx. The Idempotency-Key is the
 * row's, so that a gateway that was asked twice sends once. 400 and 422 are about this message and final.
 */
export async function sendText(client: Client, settings: GatewaySettings, note: TextMessage): Promise<SendResult> {
  const body = JSON.stringify({ to: note.to.replace(/[^+0-9]/g, ''), text: note.text, reference: note.id });
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${settings.token}`,
    'idempotency-key': note.id,
  };
  const { httpStatus = 0, error } = await client.post(settings.url, body, headers, gatewaySeconds);
  if (httpStatus >= 200 && httpStatus < 300) return { sentBy: 'gateway' };
  return { error: `gateway: ${error ?? httpStatus}`, final: httpStatus === 400 || httpStatus === 422 };
}
