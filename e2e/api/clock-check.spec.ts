// A process whose clock differs from the database's: above two seconds it reports the difference, above half a minute
// it accepts no new payments.
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardFields, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { textOf } from '../support/html.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type Answer, merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cardFormOf, cards, startPayer } from '../support/payer.ts';
import { pay, statusOf } from '../support/payment-flows.ts';
import { startStuckProvider } from '../support/stuck-provider.ts';
import { expect, test } from '../support/test.ts';

async function clockOf(url: string) {
  const authorization = `Bearer ${process.env.METRICS_TOKEN}`;
  const ready = await fetch(`${url}/readyz`, { headers: { authorization } });
  const { checks } = (await ready.json()) as { checks: { clock: { ok: boolean; says: string } } };
  const figures = await (await fetch(`${url}/metrics`, { headers: { authorization } })).text();
  const skew = Number(/^florin_clock_skew_seconds (\S+)$/m.exec(figures)?.[1]);
  return { status: ready.status, ok: checks.clock.ok, says: checks.clock.says, skew };
}

function expectRejected({ status, headers, body }: Answer) {
  const error_message = 'The service takes no new payments: its clock is wrong.';
  expect(body).toMatchObject({ result: 'ERROR', error_code: 503, error_message });
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
}

for (const [where, seconds] of [
  ['ahead', 120],
  ['behind', -120],
] as const) {
  test(`a process 120 s ${where} accepts no new payments, reports why, and continues existing ones`, async ({
    shop,
    shopServer,
    florin,
  }) => {
    const before = await pay(shop);
    const opened = await shop.open();
    const victim = await startKillableServer({ TEST_CLOCK_SKEW_SECONDS: String(seconds), LOG_LEVEL: 'warn' });
    try {
      const { status, ok, says, skew } = await clockOf(victim.url);
      expect([status, ok]).toEqual([503, false]);
      // The measurement error is at most half of its own round trip.
      const side = seconds > 0 ? 'ahead of' : 'behind';
      expect(says).toMatch(new RegExp(`^1(19|20)\\.\\d s ${side} the database: no new payments are taken$`));
      expect(Math.abs(skew - seconds)).toBeLessThan(2);
      expect(victim.output()).toMatch(/ALERT: this process's clock and the database's are more than 30 s apart/);
      const checkout = merchantClient(victim.url, shop.credentials, shopServer);
      expectRejected(await checkout.post('/api/v1/session', checkout.signed(checkout.sessionBody())));
      const card = cardMerchant(victim.url, shop.credentials, shopServer);
      expectRejected(await card.charge('SALE', { ...cardFields.settled }));
      expectRejected(await card.payout());
      expectRejected(await apmMerchant(victim.url, merchants.methods, shopServer).charge('SALE'));
      // The payer keeps the form and can try again.
      const link = opened.url.replace(florin, victim.url);
      const screen = await startPayer(victim.url).pay(link, cards.settled);
      expect(textOf(screen.html)).toContain('You have not been charged');
      expect(cardFormOf(screen)).toBeDefined();
      expect((await shop.statusByOrder(opened.order.number)).body.status).toBe('prepare');
      // Existing payments are reported and continued.
      expect((await checkout.status(before.id)).body.status).toBe('settled');
      expect((await checkout.refund(before.id, '1.00')).status).toBe(200);
    } finally {
      await victim.end();
    }
    await startPayer(florin).pay(opened.url, cards.settled);
    expect((await shop.statusByOrder(opened.order.number)).body.status).toBe('settled');
  });
}

test('a process 5 s ahead reports it and accepts payments', async ({ shop, shopServer }) => {
  const victim = await startKillableServer({ TEST_CLOCK_SKEW_SECONDS: '5', LOG_LEVEL: 'warn' });
  try {
    const { status, ok, says, skew } = await clockOf(victim.url);
    expect([status, ok]).toEqual([200, true]);
    expect(says).toMatch(/^warning: [45]\.\d s ahead of the database$/);
    expect(Math.abs(skew - 5)).toBeLessThan(2);
    expect(victim.output()).toMatch(/this process's clock and the database's are more than 2 s apart/);
    const ahead = merchantClient(victim.url, shop.credentials, shopServer);
    expect((await statusOf(shop, (await pay(ahead)).id)).status).toBe('settled');
  } finally {
    await victim.end();
  }
});

test("a process 120 s ahead does not touch another process's pending provider request", async ({
  florin,
  shopServer,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const provider = await startStuckProvider('hang', 'approved');
  const own = await makeMerchant(manager);
  await makeMid(manager, own.id, provider.account);
  const victim = await startKillableServer({ TEST_CLOCK_SKEW_SECONDS: '120', JOBS: 'on' });
  try {
    const sale = cardMerchant(florin, own.credentials, shopServer).sell({ ...cardFields.settled });
    await expect.poll(provider.hung).toBe(1);
    // More than ten runs of its jobs.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(provider.asked()).toBe(0);
    await provider.close();
    await sale;
  } finally {
    await victim.kill();
  }
});

test('a process with a correct clock reports it', async ({ florin }) => {
  const { status, ok, says } = await clockOf(florin);
  expect([status, ok]).toEqual([200, true]);
  expect(says).toMatch(/^\d\.\d s (ahead of|behind) the database$/);
});
