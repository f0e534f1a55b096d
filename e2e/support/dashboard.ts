// Dashboard users of prisma/seed/dashboard-users.ts and e2e/seed/main.ts, and the requests of their browsers.
import type { BrowserContext } from '@playwright/test';

export const people = {
  /** Sees every merchant. */
  manager: 'manager@demo.test',
  /** Owner of the demo merchant. */
  merchant: 'merchant@demo.test',
  administrator: 'administrator@plain.test',
  /** Of the merchant `plain`. */
  operator: 'operator@plain.test',
  /** Of the merchant `plain`. */
  viewer: 'viewer@plain.test',
  /** Of the merchant `plain`; only the test that locks this user signs in as them. */
  locked: 'locked@plain.test',
};

/** The password of all seeded users. */
export function demoPassword(): string {
  const password = process.env.DEMO_PASSWORD;
  if (!password) throw new Error('DEMO_PASSWORD is missing: it is the password of the seeded users');
  return password;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Answer = { status: number; body: any; headers: Headers };

/** A dashboard user over HTTP, without a browser. */
export type Visitor = {
  /** `name=value` of the cookies, as a browser keeps them; empty without a session. */
  readonly cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
};

/**
 * A user with this cookie. Paths are relative to /dashboard/api. With `password` they prove their identity where a request
 * requires it, as in the dialog of the dashboard's pages.
 */
export function visitor(florin: string, first = '', password?: string): Visitor {
  let cookie = first;
  const underWay = new Set<Promise<Response>>();
  const once = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const sent = cookie;
    const request = fetch(`${florin}/dashboard/api${path}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json', origin: florin }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
    underWay.add(request);
    const response = await request.finally(() => underWay.delete(request));
    if (cookie) cookie = renewed(cookie, response.headers);
    const text = await response.text();
    return { sent, status: response.status, body: read(text), headers: response.headers };
  };
  // As the dashboard's pages do: another request may renew the cookie of the session meanwhile.
  const send: typeof once = async (...request) => {
    const answer = await once(...request);
    if (answer.body?.error?.confirm && password !== undefined) {
      await once('POST', '/confirm', { password });
      return once(...request);
    }
    if (answer.status !== 401 || answer.sent === '') return answer;
    await Promise.allSettled(underWay);
    return answer.sent === cookie ? answer : once(...request);
  };
  return {
    get cookie() {
      return cookie;
    },
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
  };
}

/** The cookies with the new values of an answer, such as another token after a proof of identity. */
function renewed(cookie: string, headers: Headers): string {
  const kept = headers.getSetCookie().filter((line) => !/Max-Age=0/i.test(line));
  const fresh = kept.map((line) => line.split(';')[0] ?? '');
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  return cookie
    .split('; ')
    .map((pair) => fresh.findLast((each) => nameOf(each) === nameOf(pair)) ?? pair)
    .join('; ');
}

/** JSON, or the text of a file. */
function read(text: string) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

const signedIn = new Map<string, Promise<Visitor>>();

/**
 * A signed-in user, cached per worker, because signing in is slow by design and rate-limited. A session that has ended,
 * because a test has moved the clock, is replaced.
 */
export async function visitorAs(florin: string, name: keyof typeof people): Promise<Visitor> {
  const key = `${florin} ${name}`;
  const known = await signedIn.get(key);
  if (known && (await known.get('/account')).status !== 401) return known;
  const signing = signInPatiently(florin, people[name], demoPassword()).then(({ status, cookie }) => {
    if (status !== 200) throw new Error(`${name} could not sign in: ${status}`);
    return visitor(florin, cookie, demoPassword());
  });
  signedIn.set(key, signing);
  return signing;
}

/** Tries to sign in; returns the response and the session cookie. */
export async function signInOverHttp(florin: string, email: string, password: string) {
  const { status, body, headers } = await visitor(florin).post('/sign-in', { email, password });
  const [cookie = ''] = (headers.getSetCookie()[0] ?? '').split(';');
  return { status, body, headers, cookie };
}

/** Signs in, and waits while the rate limit of this machine is exceeded. */
export function signInPatiently(florin: string, email: string, password: string) {
  return patiently(() => signInOverHttp(florin, email, password));
}

/** Repeats a sign-in while too many of this network wait. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are untyped, and the tests check their values.
export async function patiently<Answer extends { status: number; body: any }>(signIn: () => Promise<Answer>) {
  for (;;) {
    const answer = await signIn();
    const slow = answer.status === 429 && /your network/.test(answer.body.error.message);
    if (!slow) return answer;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

/** Gives a browser the cookies of a signed-in user. */
export function addCookies(
  context: BrowserContext,
  florin: string,
  { cookie }: Pick<Visitor, 'cookie'>,
): Promise<void> {
  const place = { domain: new URL(florin).hostname, path: '/', httpOnly: true, sameSite: 'Lax' } as const;
  const pairs = cookie.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, ...place })));
}

/** Signs a browser in as this user, with a session of its own: a proof of identity gives a session another cookie. */
export async function signInBrowser(context: BrowserContext, florin: string, name: keyof typeof people): Promise<void> {
  const { status, cookie } = await signInPatiently(florin, people[name], demoPassword());
  if (status !== 200) throw new Error(`${name} could not sign in: ${status}`);
  await addCookies(context, florin, { cookie });
}

/** The routing log of a payment's page in account order, as `Sets A: Passed over: lacks ...`. */
export function routingOf(page: { events: { routing?: { mid: string; why: string; taken: boolean }[] }[] }): string[] {
  return page.events.flatMap(({ routing = [] }) =>
    routing.map(({ mid, why, taken }) => `${mid}: ${taken ? 'taken' : 'skipped'}: ${why}`),
  );
}
