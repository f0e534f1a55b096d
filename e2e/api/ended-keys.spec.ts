// A key that has ended signs no request any more, also none that names a session instead of the key; the key that replaced
// it signs requests about its payments. Payers who are on an open page complete it.
import { createHmac, randomUUID } from 'node:crypto';
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { changeMapping, mappingOf } from '../support/mappings.ts';
import { type Changes, type Merchant, merchantClient, type Opened } from '../support/merchant.ts';
import type { Credentials } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, callbacksOf, pay } from '../support/payment-flows.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const invalid = [400, 'Hash is not valid'];
const path = '/api/v1/session/update';

/** A merchant of the test with an account, and the changes of its keys. */
async function newMerchant(florin: string, shopServer: ShopServer, mid: object = {}) {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  await makeMid(manager, own.id, mid);
  const clientsOf = (credentials: Credentials) => ({
    shop: merchantClient(florin, credentials, shopServer),
    card: cardMerchant(florin, credentials, shopServer),
    apm: apmMerchant(florin, credentials, shopServer),
  });
  return { manager, own, clientsOf, ...keysOf(manager, own.id), old: clientsOf(own.credentials) };
}

function keysOf(manager: Visitor, merchantId: string) {
  const post = async (address: string, sent: object = {}) => {
    const { status, body } = await manager.post(`/merchants/${merchantId}/keys${address}`, sent);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.pair && { id: body.pair.id as string, credentials: { ...body.pair, digest: 'md5' } as Credentials };
  };
  return {
    rotate: (id: string, overlap: 'none' | 'day') => post(`/${id}/rotate`, { overlap }),
    add: () => post(''),
    end: (id: string) => post(`/${id}/end`),
  };
}

/** Changes the description of an open session, signed with a password; the status and the message. */
async function change(shop: Merchant, { token, order }: Opened, by: Credentials, changes: Changes = {}) {
  const description = `Changed ${randomUUID()}`;
  const sent = { ...changes, order: { ...(changes.order as object | undefined), description } };
  const hash = signOrder({ ...order, ...sent.order }, by);
  const { status, body } = await shop.update(token, { ...sent, hash });
  return [status, body.error_message];
}

const done = [200, undefined];

test('a session is changed with its key, or one that replaced it, until they end', async ({ florin, shopServer }) => {
  const { own, old, rotate, add, end } = await newMerchant(florin, shopServer);
  const opened = await old.shop.open();
  const other = await add();
  const second = await rotate(own.keyId, 'day');
  const changeWith = ({ credentials }: { credentials: Credentials }) => change(old.shop, opened, credentials);
  expect([await changeWith(own), await changeWith(second), await changeWith(other)]).toEqual([done, done, invalid]);
  await end(own.keyId);
  expect([await changeWith(own), await changeWith(second), await changeWith(other)]).toEqual([invalid, done, invalid]);
  const third = await rotate(second.id, 'none');
  expect([await changeWith(own), await changeWith(second), await changeWith(third)]).toEqual([invalid, invalid, done]);
  const rows = await sql('select id, replaces_id from merchant_keys where merchant_id = $1 order by created_at, id', [
    own.id,
  ]);
  expect(new Map(rows.map(({ id, replaces_id }) => [id, replaces_id]))).toEqual(
    new Map([
      [own.keyId, null],
      [other.id, null],
      [second.id, own.keyId],
      [third.id, second.id],
    ]),
  );
});

test('without a replacement no key changes the session, and the payer completes it', async ({
  florin,
  shopServer,
  provider,
}) => {
  const { own, old, add, end, clientsOf } = await newMerchant(florin, shopServer);
  const [opened, another] = [await old.shop.open(), await old.shop.open()];
  const payer = startPayer(florin);
  const screen = await payer.visit(opened.url);
  const other = await add();
  await end(own.keyId);
  for (const { credentials } of [own, other]) {
    expect(await change(old.shop, another, credentials, { order: { amount: '0.01' } })).toEqual(invalid);
  }
  // What a payer can type on the page needs no key.
  expect((await old.shop.update(another.token, { customer: { name: 'Ana Marković' } })).status).toBe(200);
  await payer.payOn(screen, cards.settled);
  expect(await provider.moved(opened.order.number)).toEqual([`sale ${opened.order.amount}`]);
  // The callbacks keep the key of the payment.
  await callbacksOf(old.shop, opened.order, 1);
  const { status, body } = await clientsOf(other.credentials).shop.statusByOrder(opened.order.number);
  expect([status, body.status]).toEqual([200, 'settled']);
});

test('the strong signature of an ended key is refused', async ({ florin, shopServer }) => {
  const { own, old, rotate, end } = await newMerchant(florin, shopServer);
  const sendWith = async ({ token }: Opened, { password }: Credentials) => {
    const body = JSON.stringify({ customer: { name: 'Ana Marković' } });
    const timestamp = (Date.now() / 1000).toFixed(3);
    const mac = createHmac('sha256', password).update(`${timestamp}.${path}.${body}`).digest('hex');
    const strong = { 'x-florin-timestamp': timestamp, 'x-florin-signature': `v1=${mac}` };
    const headers = { 'content-type': 'application/json', token, ...strong };
    const response = await fetch(florin + path, { method: 'PUT', headers, body });
    const { errors, error_message: message } = await response.json();
    return [response.status, errors?.[0]?.error_message ?? message];
  };
  const opened = await old.shop.open();
  const wrong = [400, 'X-Florin-Signature: This value is not valid.'];
  const second = await rotate(own.keyId, 'day');
  for (const { credentials } of [own, second]) expect(await sendWith(opened, credentials)).toEqual(done);
  await end(own.keyId);
  expect([await sendWith(opened, own.credentials), await sendWith(opened, second.credentials)]).toEqual([wrong, done]);
  await end(second.id);
  expect([await sendWith(opened, own.credentials), await sendWith(opened, second.credentials)]).toEqual([
    invalid,
    invalid,
  ]);
});

test('an open session that pays out is not changed with an ended key', async ({ florin, shopServer }) => {
  const { manager, own, old, rotate } = await newMerchant(florin, shopServer);
  const mapping = await mappingOf(manager, own, 'checkout');
  await changeMapping(manager, mapping.id, { openPayouts: true });
  const opened = await old.shop.open({ operation: 'credit' });
  const larger = { order: { amount: '9000.00' } };
  const second = await rotate(own.keyId, 'none');
  expect(await change(old.shop, opened, own.credentials, larger)).toEqual(invalid);
  expect(await change(old.shop, opened, second.credentials, larger)).toEqual(done);
});

test('requests about payments of an ended key are signed with its replacement', async ({ florin, shopServer }) => {
  const { manager, own, old, rotate, clientsOf } = await newMerchant(florin, shopServer, {
    methods: ['card', 'vcard'],
  });
  for (const protocol of ['checkout', 's2s_card', 's2s_apm'] as const) {
    await changeMapping(manager, (await mappingOf(manager, own, protocol)).id, { openPayouts: true });
  }
  const [paid, held, released] = [await pay(old.shop), await authorise(old.shop), await authorise(old.shop)];
  const [sold, reserved] = [await old.card.sell(), await old.card.sell({ auth: 'Y' })];
  const sale = await old.apm.sell();
  const second = clientsOf((await rotate(own.keyId, 'none')).credentials);
  const requests: Record<string, (by: typeof old) => Promise<{ status: number; body: { error_message?: string } }>> = {
    session: ({ shop }) => shop.session(),
    status: ({ shop }) => shop.status(paid.id),
    refund: ({ shop }) => shop.refund(paid.id, '1.00'),
    capture: ({ shop }) => shop.capture(held.id),
    void: ({ shop }) => shop.void(released.id),
    'action SALE': ({ card }) => card.charge('SALE'),
    'action CREDIT2CARD': ({ card }) => card.payout(),
    'action GET_TRANS_STATUS': ({ card }) => card.follow('GET_TRANS_STATUS', sold),
    'action CREDITVOID': ({ card }) => card.follow('CREDITVOID', sold, { amount: '1.00' }),
    'action CAPTURE': ({ card }) => card.follow('CAPTURE', reserved),
    'SALE of S2S APM': ({ apm }) => apm.charge('SALE'),
    'action CREDIT2VIRTUAL': ({ apm }) => apm.credit(),
    'GET_TRANS_STATUS of S2S APM': ({ apm }) => apm.follow('GET_TRANS_STATUS', sale),
  };
  for (const [name, send] of Object.entries(requests)) {
    const refused = await send(old);
    expect([refused.status, refused.body.error_message], name).toEqual(invalid);
    const answer = await send(second);
    expect([answer.status, answer.body.error_message], name).toEqual(done);
  }
});
