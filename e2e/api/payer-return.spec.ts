// Returns from the bank: twice, never, late, forged. A return proves nothing; the provider decides the outcome, and the
// shop gets one report.

import { sql } from '../support/database-rows.ts';
import { framesOf } from '../support/html.ts';
import { cards, formTo, type Screen, startPayer } from '../support/payer.ts';
import { authorise, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

/** Goes to the bank's question; returns the function that agrees to it without following the redirect back. */
async function openChallenge(link: string, florin: string): Promise<() => Promise<string>> {
  const payer = startPayer(florin);
  const leave = await payer.visit(`${link}/challenge`, { framed: true });
  const question = await payer.submit(leave.forms[0] ?? fail(leave), {}, true);
  const { action } = question.forms[0] ?? fail(question);
  return async () => {
    const body = new URLSearchParams({ choice: 'submit' });
    const answered = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    expect(answered.status).toBe(303);
    return answered.headers.get('location') ?? '';
  };
}

function fail(screen: Screen): never {
  throw new Error(`no form on ${screen.url}`);
}

test('twice, and at once: reported once, settled once', async ({ shop, florin, provider }) => {
  const { id, order, link } = await pay(shop, cards.challenge, {}, 'stay');
  const back = await (await openChallenge(link, florin))();
  expect(back).toContain(`/return/`);
  const screens = await Promise.all(Array.from({ length: 5 }, () => startPayer(florin).visit(back)));
  for (const screen of screens) expect(screen.status).toBe(200);
  await startPayer(florin).visit(back);
  expect((await statusOf(shop, id)).status).toBe('settled');
  await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('with the transaction id instead of the token: leads nowhere, and the provider is asked', async ({
  shop,
  florin,
}) => {
  const { id, order, link } = await pay(shop, cards.challenge, {}, 'stay');
  const back = new URL(await (await openChallenge(link, florin))());
  expect(back.pathname).toMatch(/^\/return\/[\w-]{43}$/);
  const [callback] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  const forged = `${back.pathname.slice(0, -1)}${back.pathname.endsWith('A') ? 'E' : 'A'}`;
  for (const path of [`/return/${callback?.fields.trans_id}`, forged]) {
    const response = await fetch(florin + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
    expect(await response.text()).not.toContain('/pay/');
  }
  await untilStatus(shop, id, 'settled', 10);
});

test('without end, with the transaction id: the provider is asked once', async ({ shop, florin, provider }) => {
  const { order } = await pay(shop, cards.challenge, {}, 'stay');
  const [callback] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  await provider.fault({ fault: 'error', call: 'status', calls: 1000 }, order.number);
  const path = `${florin}/return/${callback?.fields.trans_id}`;
  for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 8 }, () => fetch(path)));
  const [fault] = await sql('select remaining from sim_faults where order_number = $1', [order.number]);
  // A return at the end of the pause, and the poll of the job, ask again.
  expect(1000 - fault.remaining).toBeLessThan(5);
  await sql('delete from sim_faults where order_number = $1', [order.number]);
});

test('never: the notification settles the payment', async ({ shop, florin }) => {
  const { id, order, link } = await pay(shop, cards.challenge, {}, 'stay');
  await (await openChallenge(link, florin))();
  await untilStatus(shop, id, 'settled', 10);
  await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
});

test('before the bank asked: still at the bank', async ({ shop, florin }) => {
  const { id, link, screen } = await pay(shop, cards.challenge, {}, 'stay');
  const [frame] = framesOf(screen.html, screen.url);
  expect(frame).toContain('/challenge');
  const trans = (await shop.shopServer.waitFor((await statusOf(shop, id)).order.number, (all) => all.length > 0))[0];
  await startPayer(florin).visit(`${florin}/return/${trans?.fields.trans_id}`);
  expect((await statusOf(shop, id)).status).toBe('3ds');
  expect((await startPayer(florin).visit(link)).html).toContain('<iframe');
});

test('leaving the bank that has just confirmed: the shop and the provider agree', async ({
  shop,
  florin,
  provider,
}) => {
  const { id, order, link, payer, screen } = await pay(shop, cards.challenge, {}, 'stay');
  const agree = await openChallenge(link, florin);
  await Promise.all([agree(), payer.submit(formTo(screen, '/abandon'))]);
  await expect.poll(async () => (await statusOf(shop, id)).status).not.toBe('3ds');
  const { status } = await statusOf(shop, id);
  const moved = await provider.moved(order.number);
  if (status === 'settled') expect(moved).toEqual(['sale 84.50']);
  else expect([status, moved.filter((line) => !line.startsWith('void')).length]).toEqual(['decline', moved.length / 2]);
});

test('leaving the bank while its confirmation is in transit: a cancelled payment never settles', async ({
  as,
  florin,
  provider,
}) => {
  const shop = as('impatient');
  const { id, order, link, payer, screen } = await pay(shop, cards.challenge, {}, 'stay');
  const agree = await openChallenge(link, florin);
  // The provider takes the payment back and its answer is lost; its earlier notification arrives meanwhile.
  await provider.fault({ fault: 'hang', call: 'void', carriedOut: true }, order.number);
  await agree();
  await payer.submit(formTo(screen, '/abandon'));
  await expect.poll(async () => (await statusOf(shop, id)).status).not.toBe('3ds');
  const { status } = await statusOf(shop, id);
  // If the notification is faster than the payer, nothing is taken back.
  const expected = status === 'settled' ? ['sale 84.50'] : ['sale 84.50', 'void 84.50'];
  expect([status, await provider.moved(order.number)]).toEqual([status === 'settled' ? status : 'decline', expected]);
});

test('a capture and a reversal at once: one of the two', async ({ shop, provider }) => {
  const { id, order } = await authorise(shop);
  const [captured, released] = await Promise.all([shop.capture(id), shop.void(id)]);
  const { status } = await statusOf(shop, id);
  if (captured.status === 200 && released.status === 200) {
    // The server has processed them in sequence: a captured payment may be voided on the same day.
    expect(status).toBe('void');
    expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'capture 84.50', 'void 84.50']);
    return;
  }
  expect([captured.status, released.status].sort()).toEqual([200, 400]);
  expect(status).toBe(captured.status === 200 ? 'settled' : 'reversal');
  const last = captured.status === 200 ? 'capture 84.50' : 'void 84.50';
  expect(await provider.moved(order.number)).toEqual(['authorize 84.50', last]);
});

test.describe('notifications', () => {
  // The account of the merchant `plain`, by the rule of the seed.
  const account = '7e570004-0000-4000-8000-000000000001';

  test('without a valid signature change nothing', async ({ shop, florin }) => {
    const { id } = await pay(shop, cards.challenge, {}, 'stay');
    const [message] = await shop.shopServer.waitFor((await statusOf(shop, id)).order.number, (all) => all.length > 0);
    const body = JSON.stringify({ reference: message?.fields.trans_id, status: 'approved' });
    const now = String(Math.floor(Date.now() / 1000));
    const forged: Record<string, string>[] = [
      {},
      { 'webhook-id': 'a', 'webhook-timestamp': now },
      { 'webhook-id': 'a', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' },
      { 'webhook-id': 'a', 'webhook-timestamp': '0', 'webhook-signature': 'v1,' },
    ];
    for (const headers of forged) {
      const response = await fetch(`${florin}/notify/http/${account}`, { method: 'POST', body, headers });
      expect(response.status).toBe(401);
    }
    expect((await statusOf(shop, id)).status).toBe('3ds');
  });

  test('for unknown accounts', async ({ florin }) => {
    for (const path of ['http/00000000-0000-4000-8000-000000000000', 'http/x', `other/${account}`]) {
      expect((await fetch(`${florin}/notify/${path}`, { method: 'POST', body: '{}' })).status).toBe(404);
    }
  });
});
