// Submitted cards of hosted fields in the database: who gets one, until when, and what remains of it.
import pg from 'pg';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { serverSettings } from '../support/vault.ts';
import { service, startService } from './sets.ts';

test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  // In the last minute of every four the server truncates the table out of use by its own clock, with cards of later years.
  const seconds = (Date.now() / 1000) % 240;
  if (seconds > 130) await new Promise((go) => setTimeout(go, (241 - seconds) * 1000));
  await startService();
});
test.afterAll(() => service.closeDatabase());

const card = { number: '4111111111111111', expiry: { month: 1, year: 2038 }, cvv: '739' };
/** The first second of a time of the first table. */
const start = Date.UTC(2030, 0, 1);
const at = (seconds: number) => new Date(start + seconds * 1000);
const newPayment = (version = 0) => ({ id: service.newId(), version, token: crypto.randomUUID() });

const rowsOf = ({ id }: { id: string }) =>
  sql('select half, sealed, taken_version, expires_at from pending_cards where payment_id = $1', [id]);

test('one of twenty calls at once takes the card, and the others learn the version that it has read', async () => {
  const payment = newPayment(3);
  await service.storePendingCard(payment, card, at(0));
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => service.takePendingCard({ ...payment, version: 3 }, at(1))),
  );
  expect(taken.filter((each) => 'card' in each)).toEqual([{ card }]);
  expect(taken.filter((each) => !('card' in each))).toEqual(Array(19).fill({ takenVersion: 3 }));
  expect(await service.takenVersion(payment.id, at(1))).toBe(3);
  expect(await rowsOf(payment)).toMatchObject([{ sealed: null, taken_version: 3 }]);
});

test('a later submit replaces an earlier one, also in the other table', async () => {
  const payment = newPayment();
  await service.storePendingCard(payment, card, at(239));
  await service.storePendingCard(payment, { ...card, cvv: '999' }, at(241));
  expect(await rowsOf(payment)).toMatchObject([{ half: 1 }]);
  expect(await service.takePendingCard(payment, at(242))).toEqual({ card: { ...card, cvv: '999' } });
  expect(await service.takePendingCard(payment, at(242))).toEqual({ takenVersion: 0 });
  await service.storePendingCard(payment, card, at(243));
  expect(await service.takePendingCard(payment, at(243))).toEqual({ card });
});

test('a card expires after two minutes, and so does the record of the call that took one', async () => {
  const [submitted, taken] = [newPayment(), newPayment(1)];
  await service.storePendingCard(submitted, card, at(0));
  expect(await service.takePendingCard(submitted, at(120))).toEqual({ takenVersion: null });
  await service.markPaymentCall(taken, at(0));
  expect(await service.takePendingCard(taken, at(119))).toEqual({ takenVersion: 1 });
  expect(await service.takePendingCard(taken, at(120))).toEqual({ takenVersion: null });
});

test('a call that ends without an attempt leaves nothing, and no submitted card is removed by it', async () => {
  const [ended, other] = [newPayment(), newPayment()];
  await service.markPaymentCall(ended, at(0));
  await service.storePendingCard(other, card, at(0));
  for (const { id } of [ended, other]) await service.endPaymentCall(id);
  expect(await service.takenVersion(ended.id, at(1))).toBeNull();
  expect(await service.takePendingCard(other, at(1))).toEqual({ card });
});

test('the row contains no card number, and opens only with the token of its session and in its row', async () => {
  const [payment, other] = [newPayment(), newPayment()];
  await service.storePendingCard(payment, card, at(0));
  const [{ sealed }] = (await rowsOf(payment)) as [{ sealed: Buffer }];
  expect(sealed.toString('latin1')).not.toMatch(/4111|739/);
  await service.storePendingCard(other, card, at(0));
  const moved = 'update pending_cards o set sealed = p.sealed from pending_cards p where o.payment_id = $1';
  await sql(`${moved} and p.payment_id = $2`, [other.id, payment.id]);
  await expect(service.takePendingCard({ ...other, token: payment.token }, at(1))).rejects.toThrow();
  await expect(service.takePendingCard({ ...payment, token: other.token }, at(1))).rejects.toThrow();
});

// That a table is truncated is tested with a moved clock (e2e/clock/hosted-fields.spec.ts): here it would remove the cards of
// other tests.
test('the tables are unlogged, and none is truncated before its last card has expired for a minute', async () => {
  const kept = await sql(
    "select relname, relpersistence from pg_class where relname in ('pending_cards_0', 'pending_cards_1') order by 1",
  );
  expect(kept).toEqual([
    { relname: 'pending_cards_0', relpersistence: 'u' },
    { relname: 'pending_cards_1', relpersistence: 'u' },
  ]);
  // The last card of the first table expires at 359 s.
  await service.storePendingCard(newPayment(), card, at(239));
  for (const seconds of [240, 359, 419]) expect(await service.removeExpiredCards(at(seconds))).toBe(0);
});

test('a truncation that has to wait for another transaction delays no payment, and the expired cards are deleted', async () => {
  const [payment, submitted, live] = [newPayment(), newPayment(), newPayment()];
  await service.storePendingCard(payment, card, at(239));
  await service.storePendingCard(submitted, card, at(239));
  // Of the same table, in its next turn.
  await service.storePendingCard(live, card, at(481));
  const dump = new pg.Client({ connectionString: serverSettings().DATABASE_URL });
  await dump.connect();
  await dump.query('begin');
  await dump.query('lock table pending_cards in access share mode');
  try {
    const removed = service.removeExpiredCards(at(425));
    expect(await service.takePendingCard(payment, at(240))).toEqual({ card });
    expect(await removed).toBeGreaterThanOrEqual(2);
    for (const expired of [payment, submitted]) expect(await rowsOf(expired)).toEqual([]);
    expect(await service.takePendingCard(live, at(482))).toEqual({ card });
  } finally {
    await dump.end();
  }
});
