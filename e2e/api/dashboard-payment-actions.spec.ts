// The actions of a payment over the dashboard API: those that a user's rights allow, and the status request to the
// provider.

import { makeMid } from '../support/created-merchants.ts';
import { type people, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import type { Merchant } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, idOf, pay, untilStatus } from '../support/payment-flows.ts';
import { listed, newCustomer } from '../support/payment-list.ts';
import { expect, test } from '../support/test.ts';

test.describe('the status request to the provider', () => {
  test('returns its result and is in the audit log', async ({ florin, shop, provider }) => {
    const opened = await shop.open({ customer: newCustomer() });
    await provider.fault({ fault: 'error', call: 'payment', carriedOut: true }, opened.order.number);
    await startPayer(florin).pay(opened.url, cards.settled, 'stay');
    const id = await idOf(shop, opened.order.number);
    const operator = await visitorAs(florin, 'operator');
    const { status, body } = await operator.post(`/payments/${id}/ask`, {});
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.said).toMatch(/reports: Created is now Settled\.$|reports no change/);
    expect(body.page.status).toBe('settled');
    const logged = body.page.events.filter(({ kind }: { kind: string }) => kind === 'dashboard');
    expect(logged).toMatchObject([{ title: expect.stringMatching(/^Status synced with /), who: 'Otto Operator' }]);
    const again = await operator.post(`/payments/${id}/ask`, {});
    expect(again.body.said).toMatch(/ reports no change: the status of the sale here is up to date\.$/);
    expect(await provider.moved(opened.order.number)).toEqual(['sale 84.50']);
  });

  test('finds a payer who is still at the bank', async ({ florin, shop }) => {
    const opened = await shop.open();
    await startPayer(florin).pay(opened.url, cards.challenge, 'stay');
    const id = await idOf(shop, opened.order.number);
    const { body } = await (await visitorAs(florin, 'operator')).post(`/payments/${id}/ask`, {});
    expect(body.said).toMatch(/ is still processing the sale\.$/);
    expect(body.page.status).toBe('3ds');
  });

  test('does not claim the payment if it fails', async ({ florin, shop }) => {
    const paid = await pay(shop, cards.settled);
    const operator = await visitorAs(florin, 'operator');
    const [account] = await sql(
      'select t.mid_id, p.merchant_id from transactions t join payments p on p.id = t.payment_id where p.id = $1',
      [paid.id],
    );
    // A MID without a connector represents every failure during the request. Its currency keeps other payments off it.
    const manager = await visitorAs(florin, 'manager');
    const { id: lost } = await makeMid(manager, account?.merchant_id, { currencies: ['ISK'] });
    const [mid] = await sql("update mids set connector = 'gone' where id = $1 returning name", [lost]);
    try {
      await sql('update transactions set mid_id = $1 where payment_id = $2', [lost, paid.id]);
      const { status, body } = await operator.post(`/payments/${paid.id}/ask`, {});
      const message = `The request to ${mid.name} failed. The timeline shows what is known. Try again later.`;
      expect([status, body.error.message]).toEqual([502, message]);
    } finally {
      await sql('update transactions set mid_id = $1 where payment_id = $2', [account?.mid_id, paid.id]);
      await sql('delete from mids where id = $1', [lost]);
    }
  });

  test('is rejected without an attempt, and for users who may only read', async ({ florin, shop }) => {
    const opened = await shop.open();
    const id = await idOf(shop, opened.order.number);
    const operator = await visitorAs(florin, 'operator');
    const rejected = await operator.post(`/payments/${id}/ask`, {});
    expect([rejected.status, rejected.body.error.message]).toEqual([
      409,
      'No provider knows this payment: there was no attempt.',
    ]);
    expect((await (await visitorAs(florin, 'viewer')).post(`/payments/${id}/ask`, {})).status).toBe(403);
    expect((await (await visitorAs(florin, 'merchant')).post(`/payments/${id}/ask`, {})).status).toBe(404);
    const { body: page } = await (await visitorAs(florin, 'viewer')).get(`/payments/${id}`);
    expect([page.asks, page.resend]).toEqual([null, null]);
  });
});

test('a row contains its available actions for the user', async ({ florin, shop }) => {
  const customer = newCustomer();
  await pay(shop, cards.settled, { customer });
  await authorise(shop, cards.settled, { customer });
  const rows = async (name: keyof typeof people) => listed(await visitorAs(florin, name), { q: customer.email });
  expect(await rows('operator')).toMatchObject([{ capture: '84.50' }, { refund: '84.50' }]);
  for (const row of await rows('viewer')) {
    expect(row).not.toHaveProperty('capture');
    expect(row).not.toHaveProperty('refund');
  }
});

test('a payment links to its related objects', async ({ florin, shop }) => {
  const customer = newCustomer();
  const before = await pay(shop, cards.settled, { customer });
  const paid = await pay(shop, cards.settled, { customer, recurring_init: true, req_token: true });
  const { body } = await (await visitorAs(florin, 'operator')).get(`/payments/${paid.id}`);
  const related = body.groups.find(({ title }: { title: string }) => title === 'Related').facts;
  const hrefs = Object.fromEntries(related.map(({ name, href }: { name: string; href: string }) => [name, href]));
  expect(hrefs.Session).toBe(`/dashboard/sessions/${paid.id}`);
  expect(hrefs.Recurring).toBe(`/dashboard/chains/${paid.id}`);
  expect(hrefs.Token).toMatch(/^\/dashboard\/tokens\/[0-9a-f-]{36}$/);
  expect(related.find(({ name }: { name: string }) => name === 'Same email').value).toBe('1 other payment');
  const query = Object.fromEntries(new URLSearchParams(hrefs['Same card'].split('?')[1]));
  const sameCard = await listed(await visitorAs(florin, 'operator'), query);
  expect(sameCard.map(({ id }) => id)).toEqual(expect.arrayContaining([paid.id, before.id]));
});

/** The settled payout of a payout page. */
async function paidOut(shop: Merchant): Promise<string> {
  const { id } = await pay(shop, { number: '4601 5418 3377 6519', expiry: '08/31' }, { operation: 'credit' });
  return id;
}

test('a settled payout offers neither refund nor void, and rejects both', async ({ florin, shop }) => {
  const id = await paidOut(shop);
  const operator = await visitorAs(florin, 'operator');
  const { body: page } = await operator.get(`/payments/${id}`);
  expect([page.status, page.actions]).toEqual(['settled', {}]);
  expect(page.notes).toEqual(['Payouts cannot be refunded or voided: the recipient has the money.']);
  const [row] = await listed(operator, { q: id });
  expect(row).not.toHaveProperty('refund');
  const { version } = page;
  expect((await operator.post(`/payments/${id}/refund`, { version })).status).toBe(409);
  expect((await operator.post(`/payments/${id}/void`, { version })).status).toBe(409);
  expect((await shop.refund(id)).body.error_message).toBe('Refund is not allowed');
});

test.describe('the page offers the actions that the protocol accepts', () => {
  const byServer = async (shop: Merchant, id: string, action: 'capture' | 'refund' | 'void') => {
    const requests = { capture: () => shop.capture(id), refund: () => shop.refund(id), void: () => shop.void(id) };
    return (await requests[action]()).status;
  };

  test('for every kind of payment', async ({ florin, shop, cardShop }) => {
    const operator = await visitorAs(florin, 'operator');
    const settled = async () => (await pay(shop, cards.settled)).id;
    const authorised = async () => (await authorise(shop, cards.settled)).id;
    const refunded = async () => {
      const id = await settled();
      await shop.refund(id, '84.50');
      await untilStatus(shop, id, 'refund');
      return id;
    };
    const declined = async () => (await pay(shop, cards.declined)).id;
    const authorisedByForm = async () => {
      const { orderId } = await cardShop.sell({ auth: 'Y' });
      const [row] = await listed(operator, { q: orderId });
      return row?.id ?? '';
    };
    const offers: [string, () => Promise<string>, string][] = [
      ['settled', settled, 'refund void'],
      ['authorised', authorised, 'capture void'],
      ['refunded', refunded, ''],
      ['declined', declined, ''],
      ['paid out', () => paidOut(shop), ''],
      ['authorised over a form protocol', authorisedByForm, 'capture void'],
    ];
    for (const [name, make, offered] of offers) {
      const { body: page } = await operator.get(`/payments/${await make()}`);
      expect(Object.keys(page.actions).join(' '), name).toBe(offered);
      for (const action of ['capture', 'refund', 'void'] as const) {
        // Each action on a separate payment, because one action excludes the others.
        const id = await make();
        const { body: fresh } = await operator.get(`/payments/${id}`);
        const byPage = await operator.post(`/payments/${id}/${action}`, { version: fresh.version });
        expect(byPage.status, `${name}: ${action} by the page`).toBe(action in page.actions ? 200 : 409);
        if (name.includes('form')) continue;
        const answered = await byServer(shop, await make(), action);
        expect(answered, `${name}: ${action} by the server`).toBe(action in page.actions ? 200 : 400);
      }
    }
  });
});
