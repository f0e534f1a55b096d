// What the database has of the signatures of callbacks: a reader of it gets no body that a shop would accept.
import { createHash } from 'node:crypto';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import type { Delivery, ShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const idOf = (delivery: Delivery) => delivery.headers['webhook-id'] as string;
const hashOf = (delivery: Delivery) => delivery.fields.hash as string;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Stored = { body: string | null; unsigned: string; digest: string; signatures: string[]; differs: boolean[] };

/** A delivered callback's row, once this number of attempts is recorded. */
async function stored(id: string, attempts: number): Promise<Stored> {
  const text = `select body, unsigned_body as unsigned, encode(body_digest, 'hex') as digest,
      (select json_agg(signature order by at) from callback_attempts where callback_id = c.id) as signatures,
      (select json_agg(differs order by at) from callback_attempts where callback_id = c.id) as differs
    from callbacks c where id = $1 and state = 'delivered' and attempts = $2`;
  await expect.poll(() => sql(text, [id, attempts])).toHaveLength(1);
  const [row] = await sql(text, [id, attempts]);
  return row;
}

async function firstOf(shopServer: ShopServer, order: string): Promise<Delivery> {
  const [first] = await shopServer.waitFor(order, (all) => all.length > 0);
  return first as Delivery;
}

test('a callback is stored without its hash, for every protocol', async ({ shop, cardShop, apmShop }) => {
  const { order } = await pay(shop, cards.settled, { custom_data: { hash: 'own' } });
  const sent = [
    await firstOf(shop.shopServer, order.number),
    await firstOf(cardShop.shopServer, (await cardShop.sell()).orderId),
    await firstOf(apmShop.shopServer, (await apmShop.sell()).orderId),
  ];
  for (const first of sent) {
    const hash = hashOf(first);
    expect(hash).toMatch(/^[0-9a-f]{32,64}$/);
    expect(await stored(idOf(first), 1)).toEqual({
      body: null,
      unsigned: first.body.replace(`hash=${hash}`, 'hash='),
      digest: sha256(first.body),
      signatures: [hash.slice(0, 8)],
      differs: [false],
    });
  }
});

test('a row of an earlier release is sent with the same bytes, and loses its signatures', async ({
  florin,
  shop,
  cardShop,
  apmShop,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const sent: [ShopServer, string][] = [
    [shop.shopServer, (await pay(shop, cards.settled)).order.number],
    [cardShop.shopServer, (await cardShop.sell()).orderId],
    [apmShop.shopServer, (await apmShop.sell()).orderId],
  ];
  for (const [shopServer, number] of sent) {
    const first = await firstOf(shopServer, number);
    const id = idOf(first);
    const before = await stored(id, 1);
    await sql('update callbacks set body = $2, unsigned_body = null, body_digest = null where id = $1', [
      id,
      first.body,
    ]);
    await sql('update callback_attempts set signature = $2 where callback_id = $1', [id, hashOf(first)]);
    const { body: page } = await manager.get(`/callbacks/${id}`);
    expect(page.signature).toEqual({ valid: true, title: 'Signature valid', texts: [] });
    expect(page.body.text).not.toContain(hashOf(first));

    expect((await manager.post(`/callbacks/${id}/resend`, {})).status).toBe(200);
    const all = await shopServer.waitFor(number, (list) => list.filter((each) => idOf(each) === id).length > 1);
    expect(new Set(all.filter((each) => idOf(each) === id).map(({ body }) => body))).toEqual(new Set([first.body]));
    const start = hashOf(first).slice(0, 8);
    expect(await stored(id, 2)).toEqual({ ...before, signatures: [start, start], differs: [false, false] });
  }
});

test('a body that was changed in the database is sent with a right hash, and recorded', async ({ florin, shop }) => {
  const manager = await visitorAs(florin, 'manager');
  const { order } = await pay(shop, cards.settled);
  const first = await firstOf(shop.shopServer, order.number);
  const id = idOf(first);
  await stored(id, 1);
  await sql(`update callbacks set unsigned_body = replace(unsigned_body, 'type=sale', 'type=sold') where id = $1`, [
    id,
  ]);
  await sql(`update callbacks set body_digest = sha256('another') where id = $1`, [id]);
  expect((await manager.post(`/callbacks/${id}/resend`, {})).status).toBe(200);
  const [, repeated] = await shop.shopServer.waitFor(order.number, (all) => all.length > 1);
  expect(repeated?.fields).toMatchObject({ type: 'sold', hash: hashOf(first) });
  expect((await stored(id, 2)).differs).toEqual([false, true]);
  expect((await manager.get(`/callbacks/${id}`)).body.signature).toEqual({
    valid: true,
    title: 'Signature valid',
    texts: [expect.stringContaining('did not send the body of the first one')],
  });
});
