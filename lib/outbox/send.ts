// Sends due messages. Without a configured transport, the sandbox keeps the message for its outbox page, and production
// records the failure in the log and the row.

import { createTransport } from 'nodemailer';
import { type Env, env, isOwnHost } from '../config/index.ts';
import { type Client, createClient } from '../http/index.ts';
import { log } from '../telemetry/index.ts';
import { type Composed, claimDue, type DueMessage, openMessage, recordSendResult, type SendResult } from './queue.ts';

const claimMax = 20;

type Settings = Pick<Env, 'appEnv' | 'smtpUrl' | 'mailFrom' | 'smsGatewayUrl' | 'smsGatewayToken'>;

let cachedClient: Client | undefined;

// Unlike merchants' addresses, the gateway's is set by the operator and may be in a private network.
function gatewayClient(): Client {
  cachedClient ??= createClient({ allowPrivateTargets: true });
  return cachedClient;
}

/** Whether messages of a channel can be sent: it has a transport, or the sandbox keeps them. */
export function sendsMessages(channel: DueMessage['channel']): boolean {
  return (channel === 'email' ? env.smtpUrl : env.smsGatewayUrl) !== null || env.appEnv === 'sandbox';
}

/** Claims and sends due messages and returns their number. */
export async function sendDueMessages(now: Date): Promise<number> {
  const claimed = await claimDue(now, claimMax);
  await Promise.all(claimed.map((message) => sendOne(message, now)));
  return claimed.length;
}

type Claimed = Awaited<ReturnType<typeof claimDue>>[number];

async function sendOne(message: Claimed, now: Date): Promise<void> {
  const started = performance.now();
  const opened = await openMessage(message);
  const result = opened
    ? await sendMessage(env, opened, now)
    : { error: 'the text was altered or moved', final: true as const };
  const durationMs = Math.round(performance.now() - started);
  await recordSendResult(message, result, new Date(now.getTime() + durationMs));
  const { id, paymentId: payment, channel, attempts } = message;
  const line = { outgoing: id, payment, channel, attempt: attempts + 1, durationMs };
  if ('sentBy' in result) log.info({ ...line, sentBy: result.sentBy }, 'message sent');
  else log.error({ ...line, error: result.error, final: result.final }, 'a message was not sent');
}

/** One attempt to send a message with the transport of its channel. */
export async function sendMessage(settings: Settings, message: Composed, now: Date): Promise<SendResult> {
  if (message.expiresAt && message.expiresAt <= now) return { error: 'the link has expired', final: true };
  const { smtpUrl, mailFrom, smsGatewayUrl, smsGatewayToken } = settings;
  if (message.channel === 'email' && smtpUrl !== null && mailFrom !== null) {
    return sendMail({ url: smtpUrl, from: mailFrom, isLive: settings.appEnv === 'production' }, message);
  }
  if (message.channel === 'sms' && smsGatewayUrl !== null && smsGatewayToken !== null) {
    return sendText(gatewayClient(), { url: smsGatewayUrl, token: smsGatewayToken }, message);
  }
  if (settings.appEnv === 'sandbox') return { sentBy: 'outbox' };
  return { error: `${message.channel === 'email' ? 'SMTP_URL' : 'SMS_GATEWAY_URL'} is not set`, final: true };
}

/** The limit for the connection, the greeting, and any silence afterwards. */
const smtpSeconds = 15;
const gatewaySeconds = 15;

type Email = Pick<Composed, 'id' | 'to' | 'subject' | 'text'>;
type TextMessage = Pick<Composed, 'id' | 'to' | 'text'>;
type TransportError = { code?: string; responseCode?: number };

/**
 * Sends an e-mail. A permanent rejection (5xx for the recipient or the text) is final; any other error is retried. The
 * Message-ID is derived from the row, so that duplicates are recognisable. Live messages leave this machine encrypted.
 */
export async function sendMail(
  settings: { url: string; from: string; isLive?: boolean },
  email: Email,
): Promise<SendResult> {
  const url = new URL(settings.url);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const milliseconds = smtpSeconds * 1000;
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth: user ? { user, pass: decodeURIComponent(url.password) } : undefined,
    // A password, or a link of a live message, must not be sent in the clear if STARTTLS was removed from a response.
    requireTLS: !secure && (user !== '' || (settings.isLive && !isOwnHost(url.hostname))),
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
export async function sendText(
  client: Client,
  settings: { url: string; token: string },
  message: TextMessage,
): Promise<SendResult> {
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
