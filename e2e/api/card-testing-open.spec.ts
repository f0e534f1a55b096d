// The defence against card testing while attempts are open or in progress: what waits for its payer at the bank's page does not
// hide declines, declines after that page count, and a burst is stopped before its first outcome.

import { cardMerchant } from '../support/card-merchant.ts';
import { cardOf, numberOf, settledNumbers, storedOf } from '../support/card-testing.ts';
import { sql } from '../support/database-rows.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

let server: KillableServer;
// A period of its own keeps the counters apart from those of the other servers, and of earlier runs.
const minutes = 100 + (Math.floor(Date.now() / 1000) % 1000);
const settings = { CARD_TESTING: `minutes=${minutes}`, TRUSTED_PROXIES: 'loopback' };

test.beforeAll(async () => {
  server = await startKillableServer(settings);
});

test.afterAll(() => server.kill());

const declined = { status: 'declined' } as const;
const tokenOf = ({ card_token }: Record<string, unknown>) => ({ card_token });

const payerAt = (address: string) => startPayer(server.url, { 'x-forwarded-for': address });

test('3-D Secure challenges that are opened and left do not hide declines', async ({ shopServer, provider }) => {
  const shop = merchantClient(server.url, merchants.plain, shopServer);
  const address = '198.19.10.1';
  for (let index = 0; index < 10; index += 1) {
    await payerAt(address).pay((await shop.open()).url, cards.challenge, 'stay');
    const number = numberOf(`4539${20 + index}`, 1);
    await payerAt(address).pay((await shop.open()).url, { number, expiry: '01/38' });
  }
  const stopped = await shop.open();
  await payerAt(address).pay(stopped.url, { number: '4242424242424242', expiry: '01/38' });
  expect(await storedOf(stopped.order.number)).toMatchObject({ attempts: 1, stopped: 1 });
  expect(await provider.journal(stopped.order.number)).toEqual([]);
});

test("declines after the bank's page count like declines without it", async ({ shopServer, provider }) => {
  const shop = merchantClient(server.url, merchants.german, shopServer);
  const pay = async (index: number) => {
    const { url, order } = await shop.open();
    await payerAt(`198.19.11.${index}`).pay(url, cards.challengeDeclined);
    return { ...(await storedOf(order.number)), asked: (await provider.journal(order.number)).length > 0 };
  };
  for (let index = 0; index < 5; index += 1) expect(await pay(index)).toMatchObject({ stopped: 0, asked: true });
  expect(await pay(5)).toMatchObject({ attempts: 1, stopped: 1, asked: false });
});

test('of many attempts of one card at once, as many as the threshold are sent', async ({ shopServer, provider }) => {
  const shop = cardMerchant(server.url, merchants.plain, shopServer);
  const slow = cardOf('4000000000001067');
  /** Twenty sales; `atOnce`: the last one was decided before the first payment ended, eight seconds after it began. */
  const burst = async (round: number) => {
    const ended: Record<string, number[]> = { SUCCESS: [], DECLINED: [] };
    const orders = Array.from({ length: 20 }, (_, index) => `burst-${Date.now()}-${index}`);
    const sell = async (order_id: string, index: number) => {
      const { body } = await shop.charge('SALE', { order_id, payer_ip: `198.19.12.${20 * round + index}`, ...slow });
      ended[String(body.result)]?.push(performance.now());
    };
    await Promise.all(orders.map(sell));
    const { SUCCESS = [], DECLINED = [] } = ended;
    // Further answers mean that a busy machine could not tell yet.
    const isDecided = SUCCESS.length + DECLINED.length === orders.length;
    const atOnce = isDecided && Math.max(...DECLINED) < Math.min(...SUCCESS);
    return { orders, atOnce, counts: [SUCCESS.length, DECLINED.length] };
  };
  let sent = await burst(0);
  // A busy machine begins the last sales after the first ones have ended.
  for (let round = 1; !sent.atOnce && round < 10; round += 1) sent = await burst(round);
  expect(sent).toMatchObject({ atOnce: true, counts: [5, 15] });
  const journals = await Promise.all(sent.orders.map((order) => provider.journal(order)));
  expect(journals.filter((entries) => entries.length > 0)).toHaveLength(5);
  // Attempts that have ended are no longer in progress.
  expect((await shop.charge('SALE', { payer_ip: '198.19.12.250', ...slow })).body.result).toBe('SUCCESS');
});

test('twenty honest payers of an office who pay at the same moment pass', async ({ shopServer, provider }) => {
  const shop = merchantClient(server.url, merchants.plain, shopServer);
  const opened = await Promise.all(settledNumbers.map(() => shop.open()));
  const address = '203.0.113.60';
  const screens = await Promise.all(opened.map(({ url }) => payerAt(address).visit(url)));
  await Promise.all(
    screens.map((screen, index) =>
      payerAt(address).payOn(screen, { number: settledNumbers[index] ?? '', expiry: '01/38' }),
    ),
  );
  for (const { order } of opened) {
    expect(await storedOf(order.number)).toMatchObject({ attempts: 1, stopped: 0 });
    expect((await provider.journal(order.number)).map(({ status }) => status)).toEqual(['approved']);
  }
});

test('guesses of the security code of a stored card count for its number', async ({ shopServer, provider }) => {
  const shop = cardMerchant(server.url, merchants.plain, shopServer);
  const saved = await shop.charge('SALE', { ...cardOf('6370950000000005'), payer_ip: '198.19.13.1', req_token: 'Y' });
  const token = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined, ...tokenOf(saved.body) };
  const pay = async (index: number, cvv?: string) => {
    const order_id = `saved-${Date.now()}-${index}`;
    await provider.fault({ fault: 'answer', call: 'payment', calls: 1, carriedOut: true, answer: declined }, order_id);
    await shop.charge('SALE', { ...token, order_id, payer_ip: `198.19.13.${index}`, card_cvv2: cvv });
    return { ...(await storedOf(order_id)), asked: (await provider.journal(order_id)).length > 0 };
  };
  for (let index = 10; index < 15; index += 1)
    expect(await pay(index, `${100 + index}`)).toMatchObject({ asked: true });
  expect(await pay(15, '115')).toMatchObject({ attempts: 1, stopped: 1, asked: false });
  // The merchant charges a stored card without a code.
  expect(await pay(16)).toMatchObject({ attempts: 1, stopped: 0, asked: true });
});

test('declines of attempts that another process has sent count', async ({ shopServer, provider }) => {
  const apart = { ...settings, CARD_TESTING: `minutes=${minutes + 1}` };
  const [sender, other] = await Promise.all([startKillableServer(apart), startKillableServer(apart)]);
  const payerThere = (index: number) => startPayer(other.url, { 'x-forwarded-for': `198.19.14.${index}` });
  const opened = await Promise.all(
    [0, 1, 2, 3, 4].map(async (index) => {
      const { url, order } = await merchantClient(sender.url, merchants.german, shopServer).open();
      const payer = startPayer(sender.url, { 'x-forwarded-for': `198.19.14.${index}` });
      return { payer, url, order, bank: await payer.pay(url, cards.redirectDeclined, 'stay') };
    }),
  );
  await sender.kill();
  for (const [index, { payer, url, order, bank }] of opened.entries()) {
    // The return to the process that is gone fails; a load balancer leads it to the other one.
    await expect(payer.goOn(url, bank, 'refuse')).rejects.toThrow('fetch failed');
    const [attempt] = await sql('select attempt_id as id from payments where order_number = $1', [order.number]);
    await payerThere(index).visit(`${other.url}/return/${attempt?.id}`);
    expect(await storedOf(order.number)).toMatchObject({ attempts: 1, stopped: 0 });
  }
  const stopped = await merchantClient(other.url, merchants.german, shopServer).open();
  await payerThere(9).pay(stopped.url, cards.settled);
  await other.kill();
  expect(await storedOf(stopped.order.number)).toMatchObject({ attempts: 1, stopped: 1 });
  expect(await provider.journal(stopped.order.number)).toEqual([]);
});
