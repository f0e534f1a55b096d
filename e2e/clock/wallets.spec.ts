// Time and wallet tokens: a token pays once, even if its order may be paid again, and its claim is deleted once the
// token has expired.
import { createHash, randomBytes } from 'node:crypto';
import { allRows } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { appleToken, walletFields } from '../support/wallets.ts';

test('a declined order may be paid again, but not with the token of its first attempt', async ({ cardAs, clock }) => {
  const shop = cardAs('wallets');
  const signedAt = (await clock.now()).toISOString();
  const transactionId = randomBytes(32).toString('hex');
  const seal = (expiry: string, choices = {}) => appleToken({ expiry }, { signedAt, ...choices });
  const body = shop.signed(shop.chargeBody('SALE', walletFields('applepay', seal('02/2038', { transactionId }))));
  const first = await shop.post(body);
  expect(first.body).toMatchObject({ status: 'DECLINED' });
  expect((await shop.post(body)).body).toEqual(first.body);
  await clock.advance(20);
  expect((await shop.post(body)).body.errors).toEqual([
    { error_code: 100000, error_message: 'payment_token: This value is not valid.' },
  ]);
  const next = await shop.post({ ...body, ...walletFields('applepay', seal('01/2038')) });
  expect(next.body).toMatchObject({ order_id: body.order_id, status: 'SETTLED' });

  const digest = createHash('sha256').update(`applepay ${transactionId}`).digest('hex');
  expect(await allRows()).toContain(digest);
  await clock.advance(25 * 3600);
  await expect.poll(allRows).not.toContain(digest);
});
