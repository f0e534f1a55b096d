// Nightly exports of saved views: a link by email that leads to the file of a day, and an upload to a bucket.
import { clockAt } from '../support/clock.ts';
import { startSecondServer } from '../support/consistency.ts';
import { visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { startS3 } from '../support/s3.ts';
import { expect, test } from '../support/test.ts';
import { merchantIds } from '../support/users.ts';

const hour = 3600;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The seconds until two hours after the next midnight (UTC). */
const untilTwo = (now: Date) =>
  Math.ceil((Date.parse(`${dayOf(now)}T00:00:00Z`) + 26 * hour * 1000 - now.getTime()) / 1000);

test('a view is exported each night as a link by email, until its user ends it', async ({ clock, florin, shop }) => {
  const manager = await visitorAs(florin, 'manager');
  const other = await visitorAs(florin, 'operator');
  const number = newOrderNumber();
  const paid = await pay(shop, cards.settled, { order: { number } });
  const { body: view } = await manager.post('/payments/views', { name: `Night ${number}`, query: `q=${number}` });
  const nightly = `/payments/views/${view.id}/nightly`;
  expect((await manager.post(nightly, { to: 'email', columns: ['payment_id', 'password'] })).status).toBe(400);
  expect((await manager.post(nightly, { to: 'bucket' })).body.error.fields).toEqual({
    to: expect.stringContaining('EXPORT_BUCKET'),
  });
  expect((await other.post(nightly, { to: 'email' })).status).toBe(404);
  const columns = ['payment_id', 'order_number', 'rrn', 'bin'];
  expect((await manager.post(nightly, { to: 'email', columns })).body.nightly).toMatchObject({ to: 'email', columns });
  const day = dayOf(await clock.now());
  const letters = () => sql('select recipient, subject from messages where subject like $1', [`%Night ${number}`]);
  await clock.tick();
  expect(await letters()).toEqual([]);
  await clock.advance(untilTwo(await clock.now()));
  await clock.tick();
  await expect.poll(letters).toMatchObject([{ subject: `Payments of ${day}: Night ${number}` }]);
  await clock.tick();
  expect(await letters()).toHaveLength(1);
  const path = `${florin}/dashboard/api/payments/views/${view.id}/${day}/file`;
  const file = await fetch(path, { headers: { cookie: manager.cookie } });
  const [head, row, ...rest] = (await file.text()).replace('\uFEFF', '').trim().split('\r\n');
  expect([head, rest]).toEqual([columns.join(), []]);
  expect(row).toMatch(new RegExp(`^${paid.id},${number},\\w+,411111$`));
  expect((await fetch(path, { headers: { cookie: other.cookie } })).status).toBe(404);
  expect((await visitor(florin).get(`/payments/views/${view.id}/${day}`)).status).toBe(401);
  expect((await manager.get(`/payments/views/${view.id}/${day}`)).body).toMatchObject({
    name: `Night ${number}`,
    day,
    columns: 4,
  });
  // A view that was set up with another merchant selected has the payments of that one.
  const selected = visitor(florin, `${manager.cookie}; florin_merchant=${merchantIds.other}`);
  const { body: otherView } = await selected.post('/payments/views', { name: `Other ${number}`, query: `q=${number}` });
  expect((await selected.post(`/payments/views/${otherView.id}/nightly`, { to: 'email' })).status).toBe(200);
  const otherPath = `${florin}/dashboard/api/payments/views/${otherView.id}/${day}/file`;
  const otherFile = await fetch(otherPath, { headers: { cookie: manager.cookie } });
  expect((await otherFile.text()).trim().split('\r\n')).toHaveLength(1);
  await clock.advance(24 * hour);
  await clock.tick();
  await expect.poll(letters).toHaveLength(2);
  expect((await manager.post(nightly, { to: 'off' })).body.nightly).toBeNull();
  await clock.advance(24 * hour);
  await clock.tick();
  expect(await letters()).toHaveLength(2);
});

test('a view is uploaded each night, again after the store was down, and once for each day', async ({
  clock,
  shop,
  florin,
}) => {
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret-of-this-test' };
  const store = await startS3({ bucket: 'exports', region: 'eu-central-1', ...keys });
  const server = await startSecondServer(clock, {
    JOBS: 'on',
    EXPORT_BUCKET: 'exports',
    EXPORT_PREFIX: 'night/',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_S3: store.origin,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  });
  const advance = async (seconds: number) => {
    await clock.advance(seconds);
    await clockAt(server.url).advance(seconds);
  };
  try {
    const manager = await visitorAs(florin, 'manager');
    const at = await visitorAs(server.url, 'manager');
    const number = newOrderNumber();
    const paid = await pay(shop, cards.settled, { order: { number } });
    const { body: view } = await manager.post('/payments/views', { name: `Upload ${number}`, query: `q=${number}` });
    const columns = ['payment_id', 'amount'];
    expect((await at.post(`/payments/views/${view.id}/nightly`, { to: 'bucket', columns })).status).toBe(200);
    const day = dayOf(await clock.now());
    const key = `night/all/${view.id}/payments-${day}.csv`;
    // More than the three attempts of one upload.
    store.faults.push(503, 503, 503);
    await advance(untilTwo(await clock.now()));
    const errors = () => sql('select export_error from saved_views where id = $1', [view.id]);
    await expect.poll(errors, { timeout: 30_000 }).toEqual([{ export_error: 'The file could not be uploaded.' }]);
    expect(store.objects.size).toBe(0);
    await advance(600);
    await expect
      .poll(() => store.objects.get(key), { timeout: 30_000 })
      .toBe(`\uFEFFpayment_id,amount\r\n${paid.id},84.50\r\n`);
    await expect.poll(errors).toEqual([{ export_error: null }]);
    const log = await (await visitorAs(florin, 'administrator')).get('/audit-log?what=payments.export');
    expect(JSON.stringify(log.body.rows)).toContain(`Upload ${number}`);
    await advance(24 * hour);
    await expect.poll(() => store.objects.size, { timeout: 30_000 }).toBe(2);
  } finally {
    await server.kill();
    await store.stop();
  }
});
