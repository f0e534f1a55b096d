// Invitations of the same person by several users, those of users who lose their rights, and their limits.
import { randomUUID } from 'node:crypto';
import { type Visitor, visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds, reauthenticatedAs, tokenFor, userPassword } from '../support/users.ts';

const { plain, other } = merchantIds;

/** Invites a person; returns the token of the link. The name is that of this invitation only. */
async function invite(florin: string, by: Visitor, email: string, role = 'viewer', merchantId: string | null = plain) {
  const name = `Ivo ${randomUUID()}`;
  const { status, body } = await by.post('/people/invite', { name, email, role, merchantId });
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return tokenFor(florin, name);
}

const take = (florin: string, token: string) =>
  visitor(florin).post('/invitation', { token, name: 'Ivo', password: userPassword });

const newEmail = () => `${randomUUID()}@people.test`;

test.describe('a further invitation of a person', () => {
  test('withdraws an earlier one to the same merchant, which is logged', async ({ florin }) => {
    const owner = await createUser(florin, 'merchant_owner', plain);
    const email = newEmail();
    const first = await invite(florin, owner.visitor, email);
    const second = await invite(florin, owner.visitor, email, 'operator');
    expect((await take(florin, first)).status).toBe(410);
    expect((await take(florin, second)).status).toBe(200);
    const log = 'select action, merchant_id from audit_entries where subject = $1 order by id';
    expect(await sql(log, [`email:${email}`])).toEqual(
      ['invitation.send', 'invitation.withdraw', 'invitation.send'].map((action) => ({ action, merchant_id: plain })),
    );
  });

  test('leaves those of other merchants and of administrators', async ({ florin }) => {
    const ownerA = await createUser(florin, 'merchant_owner', plain);
    const ownerB = await createUser(florin, 'merchant_owner', other);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    const email = newEmail();
    const ofB = await invite(florin, ownerB.visitor, email, 'viewer', other);
    const ofAdministrator = await invite(florin, administrator, email, 'administrator', null);
    const ofA = await invite(florin, ownerA.visitor, email);
    expect(
      await sql("select 1 from audit_entries where action = 'invitation.withdraw' and subject = $1", [
        `email:${email}`,
      ]),
    ).toEqual([]);
    expect((await take(florin, ofB)).status).toBe(200);
    // The person has an account now.
    for (const token of [ofA, ofAdministrator]) {
      const { status, body } = await take(florin, token);
      expect([status, body.error.message]).toEqual([409, 'This email has an account already. Sign in with it.']);
      const page = await (await fetch(`${florin}/dashboard/invitation/${token}`)).text();
      expect(page).toContain('You have an account already');
    }
  });

  test('does not reveal an account of another merchant', async ({ florin }) => {
    const owner = await createUser(florin, 'merchant_owner', plain);
    const [seen, unseen] = [await createUser(florin, 'viewer', plain), await createUser(florin, 'viewer', other)];
    const body = { name: 'Ivo', role: 'viewer', merchantId: plain };
    expect((await owner.visitor.post('/people/invite', { ...body, email: seen.email })).status).toBe(409);
    expect((await owner.visitor.post('/people/invite', { ...body, email: unseen.email })).status).toBe(200);
  });
});

test.describe('the invitations of a user', () => {
  test('end when the user is deactivated', async ({ florin }) => {
    const owner = await createUser(florin, 'merchant_owner', plain);
    const token = await invite(florin, owner.visitor, newEmail(), 'merchant_owner');
    const administrator = await reauthenticatedAs(florin, 'administrator');
    expect((await administrator.post(`/people/${owner.id}/disable`, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('are those that the user has sent again, too', async ({ florin }) => {
    const [owner, resender] = [
      await createUser(florin, 'merchant_owner', plain),
      await createUser(florin, 'merchant_owner', plain),
    ];
    const email = newEmail();
    const name = `Ivo ${randomUUID()}`;
    await owner.visitor.post('/people/invite', { name, email, role: 'viewer', merchantId: plain });
    await tokenFor(florin, name);
    await sql('delete from messages where recipient = $1', [email]);
    const [invitation] = await sql('select id from invitations where email = $1', [email]);
    const { body } = await resender.visitor.post(`/people/invitations/${invitation?.id}/resend`, {});
    expect(body.error).toBeUndefined();
    const token = await tokenFor(florin, name);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    expect((await administrator.post(`/people/${resender.id}/disable`, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('end with the right to send them', async ({ florin }) => {
    const manager = await createUser(florin, 'account_manager');
    const administrator = await reauthenticatedAs(florin, 'administrator');
    const lost = await invite(florin, manager.visitor, newEmail(), 'viewer', other);
    const kept = await invite(florin, manager.visitor, newEmail(), 'viewer', plain);
    const change = { role: 'merchant_owner', merchantId: plain };
    expect((await administrator.post(`/people/${manager.id}/role`, change)).status).toBe(200);
    expect((await take(florin, lost)).status).toBe(410);
    expect((await take(florin, kept)).status).toBe(200);
  });
});

test('a name has no link, which the email would show in the name of the sender', async ({ florin }) => {
  const administrator = await reauthenticatedAs(florin, 'administrator');
  for (const name of [
    'Confirm at https://evil.example',
    'WWW.evil.example',
    'See x.co now',
    'Ann evil/login',
    'x'.repeat(81),
  ]) {
    const body = { name, email: newEmail(), role: 'viewer', merchantId: plain };
    const { status, body: answer } = await administrator.post('/people/invite', body);
    expect([name, status, Object.keys(answer.error?.fields ?? {})]).toEqual([name, 400, ['name']]);
  }
});

test('a user sends a limited number of invitations, and a person gets fewer', async ({ florin }) => {
  const rates = 'all=100000000 invitation.user=6 invitation.recipient=3';
  const server = await startKillableServer({ RATE_LIMITS: rates });
  try {
    const owner = await createUser(florin, 'merchant_owner', plain);
    const user = visitor(server.url, owner.visitor.cookie);
    const send = (email: string) => user.post('/people/invite', { name: 'Ivo', email, role: 'viewer' });
    const email = newEmail();
    const { body } = await send(email);
    const { id } = body.invitations.find((each: { email: string }) => each.email === email);
    const resend = () => user.post(`/people/invitations/${id}/resend`, {});
    for (let left = 2; left > 0; left -= 1) expect((await resend()).status).toBe(200);
    const refused = await resend();
    expect([refused.status, refused.body.error.message]).toEqual([429, expect.stringMatching(/^Too many invitations/)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await send(email)).status).toBe(429);
    // Refused ones count for the user.
    expect([(await send(newEmail())).status, (await send(newEmail())).status]).toEqual([200, 429]);
  } finally {
    await server.kill();
  }
});
