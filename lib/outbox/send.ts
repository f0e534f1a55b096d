// Sends what is due. Where nothing is set to send with, the sandbox keeps the message to be read on its page, and
// production says in the log and in the row that the payer got nothing.

import { type Env, env } from '../config';
import { type Client, createClient } from '../http';
import { log } from '../telemetry';
import { claimDue, type DueMessage, recordSendResult, type SendResult } from './queue';
import { sendMail, sendText } from './transports';

const claimMax = 20;

type Settings = Pick<Env, 'appEnv' | 'smtpUrl' | 'mailFrom' | 'smsGatewayUrl' | 'smsGatewayToken'>;

let cachedClient: Client | undefined;

// The gateway is the operator's own choice and may stand in their network, unlike what merchants give.
function gatewayClient(): Client {
  cachedClient ??= createClient({ allowPrivateTargets: true });
  return cachedClient;
}

/** Takes up the messages that are due and returns their number. */
export async function sendDueMessages(now: Date): Promise<number> {
  const claimed = await claimDue(now, claimMax);
  await Promise.all(claimed.map((message) => sendOne(message, now)));
  return claimed.length;
}

async function sendOne(message: DueMessage, now: Date): Promise<void> {
  const started = performance.now();
  const tried = await sendMessage(env, message, now);
  const durationMs = Math.round(performance.now() - started);
  await recordSendResult(message, tried, new Date(now.getTime() + durationMs));
  const { id, paymentId: payment, channel, attempts } = message;
  const line = { outgoing: id, payment, channel, attempt: attempts + 1, durationMs };
  if ('sentBy' in tried) log.info({ ...line, sentBy: tried.sentBy }, 'message sent');
  else log.error({ ...line, error: tried.error, final: tried.final }, 'a message was not sent');
}

/** One try of a message, by whatever the settings have for its channel. */
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
