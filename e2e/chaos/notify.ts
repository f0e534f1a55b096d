// A provider notification, signed with the secret of the tests' account (Standard Webhooks).
import { createHmac } from 'node:crypto';

/** Notifies the application of a change of the operation `key`. */
export function notify(url: string, key: string): Promise<Response> {
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
