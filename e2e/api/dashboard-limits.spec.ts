// Limits of signed-in users on a server of their own: requests to the dashboard, those that are costly, and proofs of
// identity. One user cannot use up what others need.
import { randomUUID } from 'node:crypto';
import { type Visitor, visitor } from '../support/dashboard.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds, type Own, userPassword } from '../support/users.ts';

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

test('a user proves their identity once at a time, and so many times a minute, whatever is proved', async ({
  florin,
}) => {
  const { user } = await newViewer(florin);
  const confirm = () => user.post('/confirm', proof);
  const atOnce = await Promise.all([confirm(), confirm(), confirm()]);
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
  for (const answer of atOnce.filter(({ status }) => status === 429)) expectLimited(answer, 'password');
  expect((await confirm()).status).toBe(200);
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
