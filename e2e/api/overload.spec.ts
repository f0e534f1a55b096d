// More than a process can do at the moment: what is new is turned away before anything is begun, and taken again as soon as
// the queue is gone. The database is made slow by holding one payment's row.
import pg from 'pg';
import { hold, statusOf } from '../support/flows';
import { merchantClient } from '../support/merchant';
import { expect, test } from '../support/test';
import { serverSettings } from '../support/vault';
import { startVictim } from '../support/victim';

const pause = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds));

test('a process that is behind turns new requests away, and goes on', async ({ shop, catcher }) => {
  const { id } = await hold(shop);
  const victim = await startVictim({ DATABASE_POOL_SIZE: '1' });
  const database = new pg.Client({ connectionString: serverSettings().DATABASE_URL });
  await database.connect();
  try {
    const behind = merchantClient(victim.url, shop.credentials, catcher);
    await database.query('begin');
    await database.query('select 1 from payments where id = $1 for update', [id]);
    const capture = behind.capture(id);
    await pause(300);
    // Its only connection is held up by the capture; this one waits for it.
    const waiting = behind.status(id);
    await pause(900);
    const refused = await fetch(`${victim.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behind.signed(behind.sessionBody())),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({
      result: 'ERROR',
      error_code: 503,
      error_message: 'The service is busy.',
    });
    await database.query('rollback');
    expect([(await capture).status, (await waiting).status]).toEqual([200, 200]);
    expect((await behind.status(id)).status).toBe(200);
    expect((await statusOf(shop, id)).status).toBe('settled');
  } finally {
    await database.end();
    await victim.end();
  }
});
