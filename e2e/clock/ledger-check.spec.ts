// The nightly check of the ledger: one process closes the day before, and reports it in the audit log, the metrics and the
// overview.
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';

test('the ledger is checked at night, and its day is closed once', async ({ florin, clock }) => {
  const isUnaltered = "set_config('session_replication_role', 'replica', true) = 'replica'";
  // A run at night, or of the day before, may have closed it.
  await sql(`delete from ledger_days where ${isUnaltered}`);
  const now = await clock.now();
  const night = new Date(now.getTime() + 86_400_000);
  night.setUTCHours(3, 10, 0, 0);
  await clock.advance((night.getTime() - now.getTime()) / 1000);
  const days = () =>
    sql(
      `select day = (now() at time zone 'UTC' - interval '1 hour')::date - 1 as before, findings, encode(hash, 'base64') as hash from ledger_days`,
    );
  await clock.tick();
  await expect.poll(days).toEqual([{ before: true, findings: 0, hash: expect.any(String) }]);
  await clock.advance(3600);
  await clock.tick();
  expect(await days()).toHaveLength(1);
  const closed = await sql(
    `select action, result, after ->> 'hash' as hash from audit_entries where action = 'ledger.close' order by id desc limit 1`,
  );
  const [{ hash }] = await days();
  expect(closed).toEqual([
    { action: 'ledger.close', result: 'success', hash: Buffer.from(hash, 'base64').toString('base64url') },
  ]);
  const administrator = await visitorAs(florin, 'administrator');
  const alerts = async () =>
    (await administrator.get('/overview')).body.attention.flatMap(
      ({ kind, strong }: { kind: string; strong: string }) => (kind === 'ledger' ? [strong] : []),
    );
  expect(await alerts()).toEqual([]);
  await sql(`update ledger_days set findings = 2 where ${isUnaltered}`);
  expect(await alerts()).toEqual([expect.stringMatching(/^The check of the ledger of [\d-]+ has 2 findings$/)]);
  const owner = await visitorAs(florin, 'merchant');
  expect(
    (await owner.get('/overview')).body.attention.filter(({ kind }: { kind: string }) => kind === 'ledger'),
  ).toEqual([]);
  await sql(`update ledger_days set findings = 0 where ${isUnaltered}`);
});
