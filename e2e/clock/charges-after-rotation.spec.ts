// Charges of a schedule after its first payment's key was rotated: the shop needs the new password for the new charges, and
// trusts the old one for earlier payments only.
import { type CardMerchant, cardMerchant, isSignedCardCallback } from '../support/card-merchant.ts';
import type { Clock } from '../support/clock.ts';
import { makeMerchant, makeMid, reauthenticate } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import type { Credentials } from '../support/merchants.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { day, schedule, subscribe } from '../support/schedules.ts';
import { messagesOf, type ShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

/** A merchant of the test with a subscription to a daily schedule. */
async function newSubscription(florin: string, shopServer: ShopServer) {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  await makeMid(manager, own.id);
  const shop = cardMerchant(florin, own.credentials, shopServer);
  const sold = await subscribe(shop, await schedule(shop, {}));
  expect(sold.answer.body.status).toBe('SETTLED');
  return { own, shop, sold };
}

/** Changes a key, as a user who has just signed in by the sandbox's clock; the new pair of a rotation. */
async function changeKey(florin: string, address: string, body: object = {}) {
  const manager = await visitorAs(florin, 'manager');
  await reauthenticate(manager);
  const answer = await manager.post(address, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { ...answer.body.pair, digest: 'md5' } as Credentials & { id: string };
}

/** Which of the passwords signs the callbacks of each charge, once there are `count`; the first payment is charge 0. */
async function signersOf(
  shop: CardMerchant,
  sold: Sold,
  count: number,
  clock: Clock,
  keys: Record<string, Credentials>,
) {
  const messages = () => messagesOf(shop.shopServer.arrived(sold.orderId));
  for (let round = 0; messages().length < count && round < 40; round += 1) {
    await clock.tick();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await clock.tick();
  return messages().map(({ fields }) => {
    const names = Object.keys(keys).filter((name) =>
      isSignedCardCallback(fields, sold.email, keys[name] as Credentials),
    );
    return `${fields.order_id?.slice(sold.orderId.length + 1) || '0'} ${fields.status} ${names.join()}`;
  });
}

test('a charge after the end of the key uses the key that replaced it', async ({ florin, shopServer, clock }) => {
  const { own, shop, sold } = await newSubscription(florin, shopServer);
  const keys = `/merchants/${own.id}/keys`;
  const other = await changeKey(florin, keys);
  const second = await changeKey(florin, `${keys}/${own.keyId}/rotate`, { overlap: 'week' });
  const passwords = { first: own.credentials, second, other };
  await clock.advance(day + 60);
  expect(await signersOf(shop, sold, 2, clock, passwords), 'the first key is valid').toEqual([
    '0 SETTLED first',
    '1 SETTLED first',
  ]);
  await changeKey(florin, `${keys}/${own.keyId}/end`);
  const third = await changeKey(florin, `${keys}/${second.id}/rotate`, { overlap: 'none' });
  await clock.advance(day);
  const all = { ...passwords, third };
  expect((await signersOf(shop, sold, 3, clock, all)).at(-1)).toBe('2 SETTLED third');
  // A refund of an earlier charge is requested with the new key, and signed as that charge is.
  const before = messagesOf(shop.shopServer.arrived(sold.orderId))[1]?.fields.trans_id ?? '';
  const current = cardMerchant(florin, third, shopServer);
  const refunded = await current.follow('CREDITVOID', { ...sold, transId: before });
  expect(refunded.body.result).toBe('ACCEPTED');
  expect((await signersOf(shop, sold, 4, clock, all)).at(-1)).toMatch(/^1 \w+ first$/);
});

test('a charge keeps a key that ended without a replacement', async ({ florin, shopServer, clock }) => {
  const { own, shop, sold } = await newSubscription(florin, shopServer);
  const keys = `/merchants/${own.id}/keys`;
  const other = await changeKey(florin, keys);
  await changeKey(florin, `${keys}/${own.keyId}/end`);
  await clock.advance(day + 60);
  const passwords = { first: own.credentials, other };
  expect(await signersOf(shop, sold, 2, clock, passwords)).toEqual(['0 SETTLED first', '1 SETTLED first']);
});
