// Users of a single test, created by invitation.
import { randomBytes } from 'node:crypto';
import { demoPassword, type people, signInOverHttp, type Visitor, visitor, visitorAs } from './dashboard.ts';
import { sql } from './database-rows.ts';
import { authenticator } from './totp.ts';

export const userPassword = 'a sentence of one’s own, 1929';

export type Own = { id: string; name: string; email: string; visitor: Visitor };

/** The merchants of the users that tests invite. */
export const merchantIds = {
  demo: '018f3a00-0000-7000-8000-000000000001',
  plain: '7e570001-0000-4000-8000-000000000001',
  other: '7e570001-0000-4000-8000-000000000002',
};

/** A user who has just re-authenticated. */
export async function reauthenticatedAs(florin: string, name: keyof typeof people): Promise<Visitor> {
  const user = await visitorAs(florin, name);
  const { status } = await user.post('/confirm', { password: demoPassword() });
  if (status !== 200) throw new Error(`${name} could not re-authenticate: ${status}`);
  return user;
}

/** Invites a user; returns the link's token from the outbox. */
export async function inviteUser(
  florin: string,
  role: string,
  merchantId: string | null = null,
  by: keyof typeof people = 'administrator',
): Promise<{ name: string; email: string; token: string; invitationId: string }> {
  const word = randomBytes(6).toString('hex');
  const [name, email] = [`Ivo ${word}`, `${word}@people.test`];
  const inviting = await reauthenticatedAs(florin, by);
  const { status, body } = await inviting.post('/people/invite', { name, email, role, merchantId });
  if (status !== 200) throw new Error(`${role} could not be invited: ${status} ${JSON.stringify(body)}`);
  const invitation = body.invitations.find((each: { email: string }) => each.email === email);
  return { name, email, token: await tokenFor(florin, name), invitationId: invitation.id };
}

/** The token of the newest link sent to a user of this name. */
export async function tokenFor(florin: string, name: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const page = await (await fetch(`${florin}/sandbox/outbox`)).text();
    const item = page.split('<li ').find((each) => each.includes(`Hello ${name},`));
    const [, token] =
      /href="[^"]*\/dashboard\/(?:invitation|sign-in\/new-password)\/([\w-]{43})"/.exec(item ?? '') ?? [];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no link was sent to ${name}`);
}

/** A user with an account, signed in. */
export async function createUser(
  florin: string,
  role: string,
  merchantId: string | null = null,
  by: keyof typeof people = 'administrator',
): Promise<Own> {
  const { name, email, token } = await inviteUser(florin, role, merchantId, by);
  const arrived = await visitor(florin).post('/invitation', { token, name, password: userPassword });
  if (arrived.status !== 200) throw new Error(`${email} could not accept the invitation: ${arrived.status}`);
  // If the rate limit was exceeded, the account exists and the user signs in later.
  const cookie = cookiesOf(arrived.headers) || cookiesOf((await signInWithRetry(florin, email)).headers);
  const own = visitor(florin, cookie);
  const { body } = await (await visitorAs(florin, by)).get('/people');
  const user = body.people.find((each: { email: string }) => each.email === email);
  return { id: String(user?.id), name, email, visitor: own };
}

/** Signs a user in. The tests sign in often from one machine, so the counter is reset instead of awaited. */
export async function signInWithRetry(florin: string, email: string, password = userPassword) {
  const answer = await signInOverHttp(florin, email, password);
  if (answer.status !== 429 || !/your network/.test(answer.body.error.message)) return answer;
  await sql('delete from sign_in_rates');
  return signInOverHttp(florin, email, password);
}

/** Every cookie that an answer sets, as a browser sends them back; removed cookies are omitted. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/i.test(cookie))
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Sets up a second factor, after a proof of the present one; returns the authenticator and the recovery codes. */
export async function enrol(own: Visitor, proof: { code?: string | undefined } = {}) {
  const started = await own.post('/account/second-factor/begin', proof);
  if (started.status !== 200) throw new Error(`no second factor: ${JSON.stringify(started.body)}`);
  const app = authenticator(started.body.secret);
  const done = await own.post('/account/second-factor/finish', { code: await app.code() });
  if (done.status !== 200) throw new Error(`no second factor: ${JSON.stringify(done.body)}`);
  return { app, codes: done.body.codes as string[] };
}
