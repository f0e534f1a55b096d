import { expect, it } from 'vitest';
import type { HttpRequest } from '../../http/index.ts';
import { onboardingRoutes, signInRoutes } from './routes.ts';

/** The attempts to sign in that an address has a minute. */
const limit = 60;

const limited = [...signInRoutes, ...onboardingRoutes].filter(({ path }) => path !== '/dashboard/api/sign-out');

it.each(limited.map((route, place) => [route.path, route, `203.0.113.${100 + place}`] as const))(
  '%s counts invalid requests, and reads none over the limit',
  async (path, { run }, address) => {
    let read = 0;
    const send = () => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      const request = new Request(`http://florin.test${path}`, { method: 'POST', headers });
      const bytes = async () => {
        read += 1;
        return new TextEncoder().encode('{}');
      };
      return run(Object.assign(request, { bytes }) as HttpRequest, {}, { address });
    };
    for (let sent = 0; sent < limit; sent += 1) expect((await send()).status).toBeLessThan(429);
    expect([(await send()).status, read]).toEqual([429, limit]);
  },
);
