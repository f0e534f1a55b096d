// Limits of signed-in users on a server of their own: requests to the dashboard, those that are costly, proofs of
// identity, and what runs at a time. One user cannot use up what others need.
import { randomUUID } from 'node:crypto';
import { type Visitor, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient, newOrderNumber } from '../support/merchant.ts';
import { slowDatabase } from '../support/slow-database.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds, type Own, userPassword } from '../support/users.ts';
import { serverSettings } from '../support/vault.ts';

const rates = 'all=1000000 dashboard.user=8 dashboard_costly.user=2 proof.user=4';

let server: KillableServer;

test.beforeAll(async () => {
  server = await startKillableServer({ RATE_LIMITS: rates });
});

test.afterAll(() => server.kill());

/** A viewer of the limited server; the session is that of a sign-in at the other one. */
async function newViewer(florin: string): Promise<{ own: Own; user: Visitor }> {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  return { own, user: visitor(server.url, own.visitor.cookie) };
}

type Answer = Awaited<ReturnType<Visitor['get']>>;

function expectLimited({ status, body, headers }: Answer, field?: string): void {
  const seconds = Number(headers.get('retry-after'));
  expect(status).toBe(429);
  expect(seconds >= 1 && seconds <= 120, `Retry-After: ${seconds}`).toBe(true);
  const message = `Too many requests. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`;
  expect(body.error).toEqual({ message, ...(field && { fields: { [field]: message } }) });
}

/** The statuses of `times` requests, one after the other. */
async function statuses(times: number, send: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let sent = 0; sent < times; sent += 1) found.push((await send()).status);
  return found;
}

const proof = { password: userPassword };

test('a user has fewer costly requests a minute than others, and no more of them than of all', async ({ florin }) => {
  const { user } = await newViewer(florin);
  const evidence = () => user.get(`/payments/${randomUUID()}/evidence`);
  expect(await statuses(2, evidence)).toEqual([404, 404]);
  expectLimited(await evidence());
  const fresh = { password: 'not this one', fresh: 'another sentence, 1930' };
  expectLimited(await user.post('/account/password', fresh));
  const [merchant, theme] = [merchantIds.plain, randomUUID()];
  const publications = [`/look/${merchant}`, `/look/${merchant}/themes/${theme}`];
  for (const path of [...publications, '/request-builder/sign', '/request-builder/send'])
    expectLimited(await user.post(path, {}));
  // Other requests are served, up to the limit of all, which is for refused ones too.
  expect(await statuses(6, () => user.post('/merchants', {}))).toEqual(Array(6).fill(403));
  expectLimited(await user.get('/account'));
  expectLimited(await user.post('/merchants', {}));
  const { user: colleague } = await newViewer(florin);
  expect((await colleague.get('/account')).status).toBe(200);
});

test('pages count as requests of their user, who reads why one is not shown', async ({ florin }) => {
  const { user } = await newViewer(florin);
  const page = async (cookie: string) =>
    (await fetch(`${server.url}/dashboard/payments`, { headers: { cookie } })).text();
  const reason = /Too many requests\. Wait \d+ seconds? and try again\./;
  for (let shown = 0; shown < 8; shown += 1) expect(await page(user.cookie)).not.toMatch(reason);
  expectLimited(await user.get('/account'));
  const refused = await page(user.cookie);
  expect(refused).toMatch(reason);
  expect(refused).toContain('<a href="/dashboard/payments">Load the page again</a>');
  const { user: colleague } = await newViewer(florin);
  expect(await page(colleague.cookie)).not.toMatch(reason);
});

test('a user proves their identity so many times a minute, whatever is proved', async ({ florin }) => {
  const { user } = await newViewer(florin);
  const confirm = () => user.post('/confirm', proof);
  expect(await statuses(4, confirm)).toEqual([200, 200, 200, 200]);
  expectLimited(await confirm(), 'password');
  expectLimited(await user.post('/account/password', { ...proof, fresh: 'another sentence, 1930' }), 'password');
  const unlocking = await user.post('/unlock', proof);
  expect([unlocking.status, unlocking.body.error.message]).toEqual([
    429,
    expect.stringMatching(/^Too many attempts\. Wait \d+ seconds? and try again\.$/),
  ]);
  const { user: colleague } = await newViewer(florin);
  expect((await colleague.post('/confirm', proof)).status).toBe(200);
});

test('a user changes something a limited number of times a minute, also with refused changes', async ({ florin }) => {
  const own = await startKillableServer({ RATE_LIMITS: 'all=1000000 dashboard_change.user=3' });
  try {
    const viewer = await createUser(florin, 'viewer', merchantIds.plain);
    const user = visitor(own.url, viewer.visitor.cookie);
    const refused = () => user.post(`/payments/${randomUUID()}/refund`, { version: 1 });
    expect(await statuses(3, refused)).toEqual([403, 403, 403]);
    expectLimited(await refused());
    expectLimited(await user.post('/payments/views', { name: 'one more', query: 'state=settled' }));
    expect((await user.get('/payments')).status).toBe(200);
    // A form that is checked while it is typed changes nothing; other requests are no checks.
    expect((await user.post(`/mids/${randomUUID()}?check=1`, {})).status).toBe(403);
    expectLimited(await user.post('/payments/views?check=1', { name: 'one more', query: 'state=settled' }));
  } finally {
    await own.kill();
  }
});

test('callbacks of a payment are sent again a limited number of times, and its page has the latest attempts', async ({
  florin,
  cardAs,
  shopServer,
}) => {
  const own = await startKillableServer({ RATE_LIMITS: 'all=1000000 resend.payment=2' });
  try {
    const orderId = newOrderNumber();
    await cardAs('plain').charge('SALE', { order_id: orderId, callback_url: shopServer.addressFor(orderId) });
    await shopServer.waitFor(orderId, (all) => all.length > 0);
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const user = visitor(own.url, owner.visitor.cookie);
    const [callback] = await sql(
      'select c.id, c.payment_id from callbacks c join payments p on p.id = c.payment_id where p.order_number = $1',
      [orderId],
    );
    const resend = () => user.post(`/callbacks/${callback.id}/resend`, {});
    expect(await statuses(2, resend)).toEqual([200, 200]);
    expectLimited(await resend());
    const all = await user.post('/callbacks/resend', { query: `q=${orderId}` });
    expect(all.body).toMatchObject({ found: 1, resent: 0 });
    const added = `insert into callback_attempts (id, callback_id, at, duration_ms, http_status, answer)
      select gen_random_uuid(), $1::uuid, now() + n * interval '1 second', 5, 200, 'answer ' || n from generate_series(1, 30) n`;
    await sql(added, [callback.id]);
    await sql('update callbacks set attempts = attempts + 30 where id = $1', [callback.id]);
    const { tried } = (await user.get(`/callbacks/${callback.id}`)).body;
    expect(tried).toHaveLength(20);
    expect(JSON.stringify(tried)).toContain('answer 30');
    expect(JSON.stringify(tried)).not.toContain('answer 9"');
  } finally {
    await own.kill();
  }
});

test('slow figures of one user leave connections to payments, and wait for a bounded time', async ({
  florin,
  shop,
  shopServer,
}) => {
  const database = await slowDatabase(serverSettings().DATABASE_URL ?? '');
  const slow = await startKillableServer({ DATABASE_URL: database.url, RATE_LIMITS: 'off' });
  try {
    const { visitor: signedIn } = await createUser(florin, 'viewer', merchantIds.plain);
    const user = visitor(slow.url, signedIn.cookie);
    const merchant = merchantClient(slow.url, shop.credentials, shopServer);
    await merchant.open();
    const overviews = (count: number) => Promise.all(Array.from({ length: count }, () => user.get('/overview')));
    // Each sums up payments, attempts and callbacks in several statements.
    database.holdEvery('width_bucket');
    const many = overviews(30);
    const page = fetch(`${slow.url}/dashboard`, { headers: { cookie: user.cookie } });
    // A session that finds no connection gets 500.
    for (let opened = 0; opened < 5; opened += 1) await merchant.open();
    const refused = await many;
    for (const { status, headers, body } of refused) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(body).toEqual({ error: { message: 'The dashboard is busy. Try again in a moment.' } });
    }
    const shown = await (await page).text();
    expect(shown).toContain('The dashboard is busy. Try again in a moment.');
    expect(shown).toMatch(/<a href="\/dashboard[^"]*">Load the page again<\/a>/);
    // A page sends six requests at once: they wait for their turn and succeed.
    const six = overviews(6);
    await merchant.open();
    database.release();
    expect((await six).map(({ status }) => status)).toEqual(Array(6).fill(200));
  } finally {
    database.release();
    await slow.kill();
    await database.close();
  }
});
