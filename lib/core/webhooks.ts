// Signatures of the Standard Webhooks specification: verifies providers' notifications and signs callbacks in addition
// to the contract's hash. A secret is base64, usually with the prefix `whsec_`.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The maximum clock difference to the sender, in either direction. */
export const webhookToleranceSeconds = 300;

/** The three headers, lower case. `webhook-id` is the same in every delivery attempt of one message. */
export type WebhookHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };

/** The headers for a message sent `at`; the body must be sent byte for byte as passed here. */
export function signWebhook(secret: string, id: string, at: Date, body: string): WebhookHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = `v1,${digest(secret, id, timestamp, Buffer.from(body)).toString('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

/**
 * Whether one of the signatures is valid and the timestamp is within {@link webhookToleranceSeconds} of `at`. Several
 * signatures, separated by spaces, allow a sender to rotate its secret; versions other than v1 are ignored.
 */
export function verifyWebhook(
  secret: string,
  read: (header: keyof WebhookHeaders) => string | null,
  body: Uint8Array,
  at: Date,
): boolean {
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp');
  const signatures = read('webhook-signature');
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(at.getTime() / 1000 - Number(timestamp)) > webhookToleranceSeconds) return false;
  const expected = digest(secret, id, timestamp, body);
  let right = false;
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',', 2);
    const received = Buffer.from(text, 'base64');
    if (version === 'v1' && received.length === expected.length && timingSafeEqual(received, expected)) right = true;
  }
  return right;
}

// An empty secret would accept any sender; it is an error of the settings, not of the message.
function digest(secret: string, id: string, timestamp: string, body: Uint8Array): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new RangeError('The webhook secret is empty');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
