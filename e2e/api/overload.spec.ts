// Load shedding: an overloaded process rejects new requests before any work starts, and accepts requests again once the
// queue is empty. A lock on one payment's row makes the database slow.

import { lockRow } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { authorise, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

/** Sends five requests a second until one is rejected at once; requests before the capture blocks are accepted. */
async function untilRejected(send: () => Promise<Response>): Promise<Response> {
  for (let attempts = 0; attempts < 150; attempts += 1) {
    const pause = new Promise<null>((resolve) => setTimeout(() => resolve(null), 200));
    const answered = await Promise.race([send(), pause]);
    if (answered && answered.status !== 200) return answered;
  }
  throw new Error('no request was rejected');
}

test('an overloaded process rejects new requests and recovers', async ({ shop, shopServer }) => {
  const { id } = await authorise(shop);
  const victim = await startKillableServer({ DATABASE_POOL_SIZE: '1' });
  const release = await lockRow(id);
  try {
    const behind = merchantClient(victim.url, shop.credentials, shopServer);
    const capture = behind.capture(id);
    // The capture blocks the only connection; later requests wait for it until the process detects the stall.
    const waiting: Promise<Response>[] = [];
    const rejected = await untilRejected(() => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(behind.signed(behind.sessionBody()));
      const response = fetch(`${victim.url}/api/v1/session`, { method: 'POST', headers, body });
      waiting.push(response);
      return response;
    });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await rejected.json()).toMatchObject({
      result: 'ERROR',
      error_code: 503,
      error_message: 'The service is busy.',
    });
    await release();
    expect((await capture).status).toBe(200);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    // Requests before the overload are accepted, those after it rejected; on a slow machine more than one.
    const accepted = statuses.filter((status) => status === 200).length;
    expect(accepted).toBeGreaterThan(0);
    expect(statuses).toEqual(statuses.map((_, at) => (at < accepted ? 200 : 503)));
    await expect.poll(async () => (await behind.status(id)).status).toBe(200);
    expect((await statusOf(shop, id)).status).toBe('settled');
  } finally {
    await release();
    await victim.end();
  }
});
