/**
 * Receives providers' notifications. A notification only triggers a poll: its content is not trusted, so a forged, late
 * or repeated one has no effect. It is stored before it is acknowledged.
 */

import { findConnector } from '../connectors/index.ts';
import { isUuid } from '../core/ids.ts';
import { now } from '../db/clock.ts';
import { type HttpResult, jsonResult, type Route } from '../http/index.ts';
import { runInBackground } from '../jobs/index.ts';
import { earlierSettings, findMid } from '../merchants/index.ts';
import { processNotification, storeNotification } from '../payments/index.ts';

/** POST /notify/:connector/:mid: 401 for a bad signature, 404 for an unknown MID, 200 once it is stored. */
export const notify: Route['run'] = async (request, params) => {
  const mid = await findMid(params.mid ?? '');
  const connector = findConnector(params.connector ?? '');
  if (!mid || !connector || mid.connector !== connector.id) return respond(404);
  // A notification about an attempt under earlier settings is signed with the earlier secret.
  const earlier = (await earlierSettings(mid)).filter((each) => each.connector === connector.id);
  const targets = [mid, ...earlier].map(({ settings }) => ({ settings }));
  const notification = await connector.readNotification(targets, request);
  if (!notification) return respond(401);
  const { key } = notification;
  const time = now();
  if (isUuid(key) && (await storeNotification(key, mid.id, time))) {
    runInBackground('a notification', () => processNotification(key, time));
  }
  return respond(200);
};

function respond(status: number): HttpResult {
  return jsonResult({ received: status === 200 }, { status, headers: { 'cache-control': 'no-store' } });
}
