// People of the dashboard, as prisma/seed/dashboard-users.ts makes them, and what a browser of theirs sends.
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
  /** Of the merchant `plain`; signed in as by no test but the one that locks it. */
  locked: 'locked@plain.test',
};

/** The password of all of them. */
export function demoPassword(): string {
  const password = process.env.DEMO_PASSWORD;
  if (!password) throw new Error('DEMO_PASSWORD is the password of the demo people');
  return password;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent, and the tests say what it should be.
type Answer = { status: number; body: any; headers: Headers };

/** A person at a browser, over HTTP alone. */
export type Visitor = {
  /** `name=value` of the session's cookie; empty for a stranger. */
  cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
};

/** Somebody with this cookie. Paths are those below /dashboard/api. */
export function visitor(florin: string, cookie = ''): Visitor {
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${florin}/dashboard/api${path}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json', origin: florin }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, body: read(text), headers: response.headers };
  };
  return {
    cookie,
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
  };
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

/** A person who has signed in. Once per worker: signing in is slow on purpose, and counted. */
export function visitorAs(florin: string, who: keyof typeof people): Promise<Visitor> {
  const key = `${florin} ${who}`;
  const known = signedIn.get(key);
  if (known) return known;
  const signing = signInPatiently(florin, people[who], demoPassword()).then(({ status, cookie }) => {
    if (status !== 200) throw new Error(`${who} could not sign in: ${status}`);
    return visitor(florin, cookie);
  });
  signedIn.set(key, signing);
  return signing;
}

/** Tries to sign in; gives the answer and the session's cookie. */
export async function signInOverHttp(florin: string, email: string, password: string) {
  const { status, body, headers } = await visitor(florin).post('/sign-in', { email, password });
  const [cookie = ''] = (headers.getSetCookie()[0] ?? '').split(';');
  return { status, body, headers, cookie };
}

/** The same, waiting where too many came from this machine at once, as tests do. */
export async function signInPatiently(florin: string, email: string, password: string) {
  for (;;) {
    const answer = await signInOverHttp(florin, email, password);
    const slow = answer.status === 429 && /your network/.test(answer.body.error.message);
    if (!slow) return answer;
    await new Promise((wake) => setTimeout(wake, 2_000));
  }
}

/** Lets a browser be signed in as this person. */
export async function signInBrowser(context: BrowserContext, florin: string, who: keyof typeof people): Promise<void> {
  const { cookie } = await visitorAs(florin, who);
  const split = cookie.indexOf('=');
  await context.addCookies([
    {
      name: cookie.slice(0, split),
      value: cookie.slice(split + 1),
      domain: new URL(florin).hostname,
      path: '/dashboard',
      httpOnly: true,
      sameSite: 'Lax',
    },
  ]);
}

/** The routing of a payment's page: `Sets A: Passed over: lacks ...`, in the order of the accounts. */
export function routingOf(page: { events: { routing?: { mid: string; why: string; taken: boolean }[] }[] }): string[] {
  return page.events.flatMap(({ routing = [] }) =>
    routing.map(({ mid, why, taken }) => `${mid}: ${taken ? 'taken' : 'skipped'}: ${why}`),
  );
}
