/**
 * What providers tell us. A notification is only a faster poll: whatever it says, the provider is asked, so that a
 * forged, late or repeated one moves nothing.
 */
import { now } from '../clock';
import { findConnector } from '../connectors';
import { inBackground } from '../payments/background';
import { findTransaction } from '../payments/find';
import { findMid } from '../payments/merchants';
import { notified } from '../payments/resume';

/** POST /notify/:connector/:mid: 401 for a bad signature, 404 for an unknown account, else 200 at once. */
export async function notify(request: Request, params: Record<string, string>): Promise<Response> {
  const mid = await findMid(params.mid ?? '');
  const connector = findConnector(params.connector ?? '');
  if (!mid || !connector || mid.connector !== connector.id) return told(404);
  const notification = await connector.readNotification([{ settings: mid.settings }], request);
  if (!notification) return told(401);
  inBackground('a notification', async () => {
    // An account can only speak of its own transactions.
    const transaction = await findTransaction(notification.key);
    if (transaction?.midId === mid.id) await notified(transaction.id, now());
  });
  return told(200);
}

function told(status: number): Response {
  return Response.json({ received: status === 200 }, { status, headers: { 'cache-control': 'no-store' } });
}
