// Endpoints for operators: readiness with its reasons, metrics, and request ids in responses and error details.

import { startKillableServer } from '../support/killable-server.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const withToken = { headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` } };

test('readiness names every dependency, for requests with the token only', async ({ florin }) => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
    const open = await fetch(`${florin}/readyz`, { headers });
    expect([open.status, await open.json()]).toEqual([200, { status: 'ok' }]);
  }
  const answer = await fetch(`${florin}/readyz`, withToken);
  const { status, checks } = await answer.json();
  expect([answer.status, status]).toEqual([200, 'ok']);
  expect(Object.keys(checks)).toEqual(['database', 'migrations', 'vault', 'scripts', 'clock', 'events', 'jobs']);
  for (const check of Object.values(checks)) expect(check).toMatchObject({ ok: true });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('a process that is not ready names the cause and shows no secret', async () => {
  const victim = await startKillableServer({ VAULT_KEY: Buffer.alloc(32, 7).toString('base64') });
  const answer = await fetch(`${victim.url}/readyz`, withToken);
  const text = await answer.text();
  expect(answer.status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({
    status: 'unavailable',
    checks: { database: { ok: true }, vault: { ok: false }, jobs: { ok: true, says: 'run by other processes' } },
  });
  expect(text).not.toMatch(/postgresql:|password|BwcHBwcH/);
  await victim.kill();
});

test('a draining process reports it and serves requests until the balancer has noticed', async () => {
  // The process gets its stop signal as soon as it answers, with a drain time that exceeds any load.
  const victim = await startKillableServer({ DRAIN_SECONDS: '60' }, undefined, 1);
  const ended = victim.end();
  const over = new AbortController();
  void ended.then(() => over.abort(new Error('the process has ended')));
  const get = (path: string) => fetch(victim.url + path, { signal: over.signal });
  await expect.poll(async () => (await get('/healthz')).status).toBe(503);
  const draining = await get('/healthz');
  expect(await draining.json()).toEqual({ status: 'draining' });
  // A closed connection keeps a balancer from sending its next request into a connection that is about to close.
  expect(draining.headers.get('connection')).toBe('close');
  expect((await get('/docs')).status).toBe(200);
  await victim.kill();
});

test('a process that is stopped while it starts exits like one that has served', async () => {
  const victim = await startKillableServer({}, undefined, 1);
  expect(await victim.end()).toBe(0);
  await expect(fetch(`${victim.url}/healthz`)).rejects.toThrow();
});

test('metrics require the token', async ({ florin, shop }) => {
  await pay(shop);
  for (const authorization of [undefined, 'Bearer wrong', `Bearer ${process.env.METRICS_TOKEN}x`]) {
    const answer = await fetch(`${florin}/metrics`, { headers: authorization ? { authorization } : {} });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('');
  }
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const answer = await fetch(`${florin}/metrics`, { headers });
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toMatch(/florin_request_seconds_count\{method="POST",route="\/api\/v1\/session",status="200"\} [1-9]/);
  expect(text).toMatch(/florin_provider_seconds_count\{connector="http",call="pay",outcome="approved"\} [1-9]/);
  expect(text).toMatch(/florin_rows\{what="callbacks"\} \d/);
  expect(text).toMatch(/florin_database_connections\{state="open"\} [1-9]/);
  // No label contains request data.
  expect(text).not.toContain(shop.credentials.key);
});

test('a request has an id, its own or a new one', async ({ florin }) => {
  const get = async (id?: string) =>
    (
      await fetch(`${florin}/api/v1/session`, { method: 'POST', headers: id ? { 'x-request-id': id } : {} })
    ).headers.get('x-request-id');
  expect(await get('proxy-77ab.12')).toBe('proxy-77ab.12');
  const made = [await get(), await get('short'), await get('<script>alert(1)</script>'), await get('4111111111111111')];
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(4);
});
