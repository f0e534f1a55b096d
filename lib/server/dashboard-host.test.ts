// Which addresses the dashboard's host and all other hosts serve.
import { afterAll, describe, expect, it, vi } from 'vitest';

vi.stubEnv('BASE_URL', 'https://pay.example.com');
vi.stubEnv('DASHBOARD_HOST', 'Dashboard.example.com');
vi.resetModules();
const { otherHostResult } = await import('./dashboard-host.ts');
const { dashboardBaseUrl, linkBase } = await import('../config/index.ts');

afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const [own, others] = [
  'dashboard.example.com',
  ['pay.example.com', '10.0.0.7', `${'dashboard.example.com'}:8443`, null],
];

const statusAt = (host: string | null, path: string) =>
  otherHostResult(new Request('https://pay.example.com', { headers: host === null ? {} : { host } }), path, own)
    ?.status ?? 'served';

describe('with DASHBOARD_HOST', () => {
  it.each(['/dashboard', '/dashboard/sign-in', '/dashboard/api/payments', '/dashboard/docs/guide/quickstart'])(
    'its host alone serves %s',
    (path) => {
      expect([statusAt(own, path), statusAt(own.toUpperCase(), path)]).toEqual(['served', 'served']);
      for (const host of others) expect([host, statusAt(host, path)]).toEqual([host, 404]);
    },
  );

  it.each(['/dashboard.rsc', '/%64ashboard', '/dashboard%2Fsign-in'])('other hosts do not serve %s', (path) => {
    for (const host of others) expect([host, statusAt(host, path)]).toEqual([host, 404]);
  });

  it.each([
    '/pay/K3ZtqJ',
    '/pay/logos',
    '/return/K3ZtqJ',
    '/notify/K3ZtqJ',
    '/fields/card',
    '/api/v1/session',
    '/s2s/card/post',
    '/post',
    '/shop',
    '/sandbox/outbox',
    '/metrics',
    '/healthz/more',
    '/docsx',
    '/.well-known/apple-developer-merchantid-domain-association',
    '/nothing',
  ])('its host does not serve %s', (path) => {
    expect(statusAt(own, path)).toBe(404);
    for (const host of others) expect([host, statusAt(host, path)]).toEqual([host, 'served']);
  });

  it.each([
    '/docs',
    '/docs/search.json',
    '/openapi/checkout.json',
    '/_next/static/chunks/main.js',
    '/sdk/pay.css',
    '/pay/logo/0f3a',
    '/favicon.ico',
    '/.well-known/security.txt',
    '/healthz',
    '/readyz',
  ])('every host serves %s', (path) => {
    for (const host of [own, ...others]) expect([host, statusAt(host, path)]).toEqual([host, 'served']);
  });

  it('begins at the dashboard, and links lead from one host to the other', () => {
    const start = otherHostResult(new Request('https://pay.example.com', { headers: { host: own } }), '/', own);
    expect([start?.status, start?.headers.location]).toEqual([303, '/dashboard']);
    expect(dashboardBaseUrl()).toBe('https://dashboard.example.com');
    expect([linkBase('dashboard'), linkBase('public')]).toEqual([
      'https://dashboard.example.com',
      'https://pay.example.com',
    ]);
  });
});

it('without DASHBOARD_HOST all links stay at one host', async () => {
  vi.stubEnv('DASHBOARD_HOST', '');
  vi.resetModules();
  const config = await import('../config/index.ts');
  expect([config.dashboardBaseUrl(), config.linkBase('dashboard')]).toEqual(['https://pay.example.com', '']);
});
