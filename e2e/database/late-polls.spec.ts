// What a process does that was suspended while another one went on, carried out in this process: a poll that was claimed
// before the outcome of its attempt was stored, an attempt that another account has continued, the end of a call whose request
// was sent again, settings that were read before another process has used newer ones, a user's decision that comes second.
import { onConnection, sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import type { Outcome } from './service.ts';
import { callerOf, created, declined, service, startService } from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test('a poll from before an authorisation does not expire it', async ({ cardShop }) => {
  const sold = await cardShop.sell({ order_id: newOrderNumber(), auth: 'Y' });
  expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
  const now = new Date();
  await service.processDueTransaction(sold.transId, now, new Date(now.getTime() + 30_000));
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body.status).toBe('PENDING');
});

test('of a declined payment the last attempt decides, at whichever account it was made', async ({ as }) => {
  const technical = { number: '4000 0000 0000 0119', expiry: '01/38' };
  const { id } = await pay(as('threeMids'), technical);
  const attempts = await sql('select id, status::text from transactions where payment_id = $1 order by number', [id]);
  expect(attempts.map(({ status }) => status)).toEqual(['fail', 'fail', 'fail']);
  for (const { id: attempt } of attempts) {
    const both = await service.findPaymentWithTransaction(attempt);
    if (!both) throw new Error(`no transaction ${attempt}`);
    expect((await service.decidingAttempt(both)).transaction.id).toBe(attempts.at(-1)?.id);
  }
});

/** A card of the merchant `threeMids` whose first call has not ended, and whose request was sent again meanwhile. */
async function sentAgain(merchant: Parameters<typeof created>[0]) {
  const [made] = await created(merchant, 1);
  const { id } = made?.transaction ?? { id: '' };
  await sql("update transactions set due_back_at = now() - interval '1 minute' where id = $1", [id]);
  const read = async () => (await service.findPaymentWithTransaction(id)) ?? Promise.reject(new Error(`no ${id}`));
  const first = await read();
  await service.applyOutcome(first, { kind: 'unknown', why: 'not found' }, new Date());
  const before = await read();
  expect(await service.markResent(before, new Date(Date.now() + 600_000), 300)).not.toBeNull();
  return { first, before, read };
}

const unreachable: Outcome = {
  kind: 'declined',
  decline: { code: 'unreachable', reason: 'The provider is unreachable', class: 'technical', soft: true },
  facts: {},
};

test('a call that could not be made ends neither the request that was sent again nor its payment', async ({
  cardAs,
}) => {
  const { first, before, read } = await sentAgain(cardAs('threeMids'));
  const { transaction } = await service.resolveAttempt(first, unreachable, null, new Date());
  expect(transaction).toMatchObject({ id: first.transaction.id, status: 'unknown' });
  await service.applyOutcome(first, unreachable, new Date());
  expect(await service.commitTransitions([await declined(before)])).toEqual([null]);
  expect((await read()).transaction.status).toBe('unknown');
  const attempts = await sql('select id from transactions where payment_id = $1', [first.payment.id]);
  expect(attempts).toHaveLength(1);
});

test('a transaction goes to the account that it was made with, whatever this process has read before', async ({
  cardAs,
}) => {
  const { mid } = await callerOf(cardAs('threeMids'));
  const known = await service.findMid(mid.id);
  const settingsVersion = (known?.settingsVersion ?? 0) + 1;
  await sql('update mids set settings_version = $2 where id = $1', [mid.id, settingsVersion]);
  expect((await service.findMid(mid.id))?.settingsVersion).toBe(settingsVersion - 1);
  expect((await service.findMidOf({ midId: mid.id, settingsVersion }))?.settingsVersion).toBe(settingsVersion);
});

test('the end of a late success is not reported once the merchant has tried again', async ({ cardShop }) => {
  const [made] = await created(cardShop, 1);
  const transId = made?.transaction.id ?? '';
  const read = async () =>
    (await service.findPaymentWithTransaction(transId)) ?? Promise.reject(new Error(`no ${transId}`));
  await service.commitTransitions([await declined(await read())]);
  const before = await read();
  expect(before.payment.state).toBe('declined');
  const { amountMinor: minor, currency } = before.payment;
  // The job of the server does not find the item before it is due.
  const later = new Date(Date.now() + 3_600_000);
  expect(await service.createUnresolved(before, 'late_success', later)).toBe(true);
  const [{ id } = { id: '' }] = await sql('select id from unresolved where transaction_id = $1', [transId]);
  const close = (both: typeof before) => {
    const how = { by: 'florin', resolution: 'Voided at the provider', reported: true };
    return service.closeUnresolved(both, { id, amount: { minor, currency } }, how, later);
  };
  const callbacks = () =>
    sql('select outcome::text from callbacks where transaction_id = $1 order by sequence', [transId]);
  const reported = await callbacks();
  expect(reported.at(-1)).toEqual({ outcome: 'undefined' });
  const known = await read();
  // A retry changes the version of the payment.
  await sql('update payments set version = version + 1 where id = $1', [before.payment.id]);
  expect(await close(known)).toBe(false);
  expect(await callbacks()).toEqual(reported);
  expect(await close(await read())).toBe(true);
  expect(await callbacks()).toEqual([...reported, { outcome: 'fail' }]);
});

/** Locks a payment, and releases it when the statements of all `begin` wait for it, in this order. Returns their results. */
async function inTurn(paymentId: string, ...begin: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const begun: Promise<unknown>[] = [];
  await onConnection(async (client) => {
    await client.query('begin');
    await client.query('select 1 from payments where id = $1 for update', [paymentId]);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const waiting = `with recursive w as (select $1::int as pid
      union select a.pid from pg_stat_activity a join w on w.pid = any(pg_blocking_pids(a.pid))) select pid from w`;
    for (const each of begin) {
      begun.push(each());
      await expect.poll(async () => (await sql(waiting, [rows[0].pid])).length).toBe(begun.length + 1);
    }
    await client.query('rollback');
  });
  return Promise.all(begun);
}

for (const [decision, applies] of [
  ['approved', false],
  ['declined', true],
] as const) {
  test(`a user decides "${decision}" just after the attempt was declined`, async ({ cardShop }) => {
    const [made] = await created(cardShop, 1);
    const read = async () =>
      (await service.findPaymentWithTransaction(made?.transaction.id ?? '')) ?? Promise.reject(new Error('no attempt'));
    const before = await read();
    // The jobs of the server do not find the item before it is due.
    const later = new Date(Date.now() + 3_600_000);
    expect(await service.createUnresolved(before, 'not_found', later)).toBe(true);
    const items = () => service.itemsOf(before.transaction);
    const [item] = await items();
    if (!item) throw new Error('no item');
    const by = { by: 'user:test', note: 'The provider said so' };
    const [[outcome] = [], closed] = (await inTurn(
      before.payment.id,
      async () => service.commitTransitions([await declined(before)]),
      () => service.resolveManually(item, decision, by, later),
    )) as [unknown[], boolean];
    expect(outcome).toMatchObject({ state: 'declined' });
    expect((await read()).transaction.status).toBe('fail');
    expect(closed).toBe(applies);
    // What the user decided is not compared with the outcome as if the provider had reported it.
    expect(await items()).toMatchObject([{ kind: 'not_found', closedBy: applies ? by.by : null }]);
    if (!applies) expect(await service.resolveManually(item, 'closed', by, later)).toBe(true);
  });
}
