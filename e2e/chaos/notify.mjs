// A notification of the provider, signed with the secret of the proofs' account (Standard Webhooks).
import { createHmac } from 'node:crypto';

/** Tells the application that the operation `key` has changed. */
export function notify(url, key) {
  const body = JSON.stringify({ reference: key, status: 'approved' });
  const [id, timestamp] = [`evt-${key}-${Date.now()}`, String(Math.floor(Date.now() / 1000))];
  const signature = createHmac('sha256', Buffer.alloc(24)).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
}
