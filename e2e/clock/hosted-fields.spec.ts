// Time and hosted fields: a session that ends between submit and payment, and the expiry of a submitted card.
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { expect, test } from '../support/test.ts';

test('a session that has ended accepts no card and makes no payment', async ({ shop, clock, provider }) => {
  const { token, order } = await createSessionToken(shop, { session_expiry: 1 });
  expect((await collect(shop, token)).status).toBe(200);
  await clock.advance(61);
  expect((await collect(shop, token)).status).toBe(401);
  const { status, body } = await processCard(shop, token);
  expect([status, body.error_code]).toEqual([401, 401]);
  // The token is checked before the fields of the call.
  expect((await processCard(shop, token, { name: '' })).status).toBe(401);
  expect(await provider.journal(order.number)).toEqual([]);
});

test('a card is stored for two minutes, and nothing of it remains after seven', async ({ shop, clock, provider }) => {
  const { token, order } = await createSessionToken(shop);
  await collect(shop, token);
  await clock.advance(2 * 60);
  expect((await processCard(shop, token)).body.errors[0].error_message).toContain('with_hosted_fields');
  await collect(shop, token);
  // The request itself takes time, on a busy machine more than a second.
  await clock.advance(2 * 60 - 15);
  expect((await processCard(shop, token)).body.result).toBe('success');
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  await collect(shop, (await createSessionToken(shop)).token);
  for (let minute = 0; minute < 7; minute += 1) await clock.advance(60);
  const [{ bytes }] = await sql(
    "select (pg_relation_size('pending_cards_0') + pg_relation_size('pending_cards_1'))::int as bytes",
  );
  expect(bytes).toBe(0);
});
