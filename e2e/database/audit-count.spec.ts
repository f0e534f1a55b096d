// How many entries of the audit log a filter finds: each is read for the count, so that a long log has a bound.
import { visitorAs } from '../support/dashboard.ts';
import { expect, test } from '../support/test.ts';
import { merchantIds } from '../support/users.ts';
import { service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

/** Appends entries to the log in one transaction. */
const append = (subject: string, count: number) =>
  service.transaction(async (run) => {
    let last = await service.lockAuditLog(run);
    const entry = { actor: 'system', action: 'merchant.change', subject, merchantId: merchantIds.plain } as const;
    for (let made = 0; made < count; made += 1) last = await service.appendEntry(entry, last, new Date(), run);
  });

test('the entries of a filter are counted up to 1,000', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const subject = `merchant:${service.newId()}`;
  const total = async () => (await manager.get(`/audit-log?on=${subject}`)).body.total;
  await append(subject, 1_000);
  expect(await total()).toBe('1,000');
  await append(subject, 1);
  expect(await total()).toBe('over 1,000');
});
