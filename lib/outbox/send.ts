// Sends due messages. Without a configured transport, the sandbox keeps the message for its outbox page, and production
// records the failure in the log and the row.

import { type Env, env } from '../config/index.ts';
import { type Client, createClient } from '../http/index.ts';
import { log } from '../telemetry/index.ts';
import { claimDue, type DueMessage, recordSendResult, type SendResult } from './queue.ts';
import { sendMail, sendText } from './transports.ts';

const claimMax = 20;

type Settings = Pick<Env, 'appEnv' | 'smtpUrl' | 'mailFrom' | 'smsGatewayUrl' | 'smsGatewayToken'>;

let cachedClient: Client | undefined;

// Unlike merchants' addresses, the gateway's is set by the operator and may be in a private network.
function gatewayClient(): Client {
  cachedClient ??= createClient({ allowPrivateTargets: true });
  return cachedClient;
}

/** Claims and sends due messages and returns their number. */
export async function sendDueMessages(now: Date): Promise<number> {
  const claimed = await claimDue(now, claimMax);
  await Promise.all(claimed.map((message) => sendOne(message, now)));
  return claimed.length;
}

async function sendOne(message: DueMessage, now: Date): Promise<void> {
  const started = performance.now();
  const result = await sendMessage(env, message, now);
  const durationMs = Math.round(performance.now() - started);
  await recordSendResult(message, result, new Date(now.getTime() + durationMs));
  const { id, paymentId: payment, channel, attempts } = message;
  const line = { outgoing: id, payment, channel, attempt: attempts + 1, durationMs };
  if ('sentBy' in result) log.info({ ...line, sentBy: result.sentBy }, 'message sent');
  else log.error({ ...line, error: result.error, final: result.final }, 'a message was not sent');
}

/** One attempt to send a message with the transport of its channel. */
export async function sendMessage(settings: Settings, message: DueMessage, now: Date): Promise<SendResult> {
  if (message.expiresAt && message.expiresAt <= now) return { error: 'the link has expired', final: true };
  const { smtpUrl, mailFrom, smsGatewayUrl, smsGatewayToken } = settings;
  if (message.channel === 'email' && smtpUrl !== null && mailFrom !== null) {
    return sendMail({ url: smtpUrl, from: mailFrom }, message);
  }
  if (message.channel === 'sms' && smsGatewayUrl !== null && smsGatewayToken !== null) {
    return sendText(gatewayClient(), { url: smsGatewayUrl, token: smsGatewayToken }, message);
  }
  if (settings.appEnv === 'sandbox') return { sentBy: 'outbox' };
  return { error: `${message.channel === 'email' ? 'SMTP_URL' : 'SMS_GATEWAY_URL'} is not set`, final: true };
}
