// The users of the dashboard: invitations, the rights to change users, and the audit log. Each test creates its own
// users.

import { type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { sql, whileLocked } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';
import {
  cookiesOf,
  createUser,
  inviteUser,
  merchantIds,
  reauthenticatedAs,
  signInWithRetry,
  userPassword,
} from '../support/users.ts';

/** The actions of the audit log on a subject, in their order. */
const actionsOn = async (subject: string): Promise<string[]> =>
  (await sql('select action from audit_entries where subject = $1 order by id', [subject])).map(({ action }) => action);

test.describe('an invitation', () => {
  const take = (florin: string, token: string, password = userPassword) =>
    visitor(florin).post('/invitation', { token, name: 'Ivo', password });

  test('creates one account, with a password of sufficient length', async ({ florin }) => {
    const { token, email } = await inviteUser(florin, 'operator', merchantIds.plain);
    const short = await take(florin, token, 'short');
    expect(short.body.error.fields.password).toBe('Enter at least 12 characters.');
    const [first, second] = await Promise.all([take(florin, token), take(florin, token)]);
    expect([first.status, second.status].toSorted()).toEqual([200, 410]);
    expect((await take(florin, token)).status).toBe(410);
    const { body } = await visitor(florin, cookiesOf((await signInWithRetry(florin, email)).headers)).get('/account');
    expect([body.name, body.role]).toEqual(['Ivo', 'Operator']);
  });

  test('takes no name with several lines, which could add a text of its own to the email', async ({ florin }) => {
    const owner = await reauthenticatedAs(florin, 'administrator');
    const invited = { email: 'lines@people.test', role: 'viewer', merchantId: merchantIds.plain };
    for (const name of ['Ivo,\n\nsign in at https://evil.example', 'Ivo\u202e', '\u0007']) {
      const { status, body } = await owner.post('/people/invite', { ...invited, name });
      expect([name, status, Object.keys(body.error?.fields ?? {})]).toEqual([name, 400, ['name']]);
      const { token } = await inviteUser(florin, 'viewer', merchantIds.plain);
      const accepted = await visitor(florin).post('/invitation', { token, name, password: userPassword });
      expect([name, accepted.status, Object.keys(accepted.body.error?.fields ?? {})]).toEqual([name, 400, ['name']]);
    }
  });

  test('stores only a digest of its link', async ({ florin }) => {
    const { token, invitationId } = await inviteUser(florin, 'viewer', merchantIds.plain);
    const [row] = await sql('select row_to_json(i)::text as line from invitations i where id = $1', [invitationId]);
    expect(row?.line).not.toContain(token);
  });

  test('is valid for three days', async ({ florin }) => {
    const { token, invitationId } = await inviteUser(florin, 'viewer', merchantIds.plain);
    const [kept] = await sql('select expires_at - created_at as held from invitations where id = $1', [invitationId]);
    expect(kept?.held).toMatchObject({ days: 3 });
    await sql(`update invitations set expires_at = now() - interval '1 second' where id = $1`, [invitationId]);
    expect((await take(florin, token)).status).toBe(410);
    // Sent again it is valid again, with a new link only.
    const administrator = await reauthenticatedAs(florin, 'administrator');
    expect((await administrator.post(`/people/invitations/${invitationId}/resend`, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('can be withdrawn by users of its own merchant only', async ({ florin }) => {
    const { token, invitationId } = await inviteUser(florin, 'viewer', merchantIds.plain);
    const path = `/people/invitations/${invitationId}/withdraw`;
    expect((await (await visitorAs(florin, 'merchant')).post(path, {})).status).toBe(404);
    expect((await (await visitorAs(florin, 'operator')).post(path, {})).status).toBe(403);
    expect((await (await visitorAs(florin, 'manager')).post(path, {})).status).toBe(200);
    expect((await take(florin, token)).status).toBe(410);
  });

  test('that was accepted is neither withdrawn nor sent again, without an entry of the audit log', async ({
    florin,
  }) => {
    const { token, email, invitationId } = await inviteUser(florin, 'viewer', merchantIds.plain);
    expect((await take(florin, token)).status).toBe(200);
    const manager = await reauthenticatedAs(florin, 'manager');
    for (const act of ['withdraw', 'resend'])
      expect((await manager.post(`/people/invitations/${invitationId}/${act}`, {})).status).toBe(409);
    expect(await actionsOn(`email:${email}`)).toEqual(['invitation.send']);
  });

  test('that is accepted while it is withdrawn has the refusal in the audit log', async ({ florin }) => {
    const { email, invitationId } = await inviteUser(florin, 'viewer', merchantIds.plain);
    const manager = await reauthenticatedAs(florin, 'manager');
    for (const act of ['withdraw', 'resend']) {
      await sql('update invitations set accepted_at = null where id = $1', [invitationId]);
      const change = () => manager.post(`/people/invitations/${invitationId}/${act}`, {});
      const accept = 'update invitations set accepted_at = now() where id = $1';
      const { status } = await whileLocked('florin.audit', change, (client) => client.query(accept, [invitationId]));
      expect([act, status]).toEqual([act, 409]);
    }
    const logged = [
      'invitation.withdraw',
      'invitation.withdraw.refused',
      'invitation.resend',
      'invitation.resend.refused',
    ];
    expect(await actionsOn(`email:${email}`)).toEqual(['invitation.send', ...logged]);
  });

  test('is not sent to a user who has an account', async ({ florin }) => {
    const administrator = await reauthenticatedAs(florin, 'administrator');
    const body = { name: 'X', email: 'Manager@demo.test', role: 'administrator' };
    expect((await administrator.post('/people/invite', body)).status).toBe(409);
  });
});

test('each role can be assigned by the permitted roles', async ({ florin }) => {
  const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const actors: Record<string, Visitor> = {
    administrator: await reauthenticatedAs(florin, 'administrator'),
    manager: await reauthenticatedAs(florin, 'manager'),
    owner: owner.visitor,
    operator: await visitorAs(florin, 'operator'),
  };
  const table = rowsOf(`
    role            | of    | administrator | manager | owner | operator
    administrator   | -     | 200 | 403 | 403 | 403
    account_manager | -     | 200 | 403 | 403 | 403
    merchant_owner  | plain | 200 | 200 | 200 | 403
    viewer          | plain | 200 | 200 | 200 | 403
    merchant_owner  | other | 200 | 200 | 403 | 403
    operator        | other | 200 | 200 | 403 | 403
  `);
  const [[, , ...names] = [], ...rows] = table;
  const actual: string[][] = [];
  const subject = await createUser(florin, 'viewer', merchantIds.plain);
  for (const [role = '', of = ''] of rows) {
    const merchantId = merchantIds[of as keyof typeof merchantIds] ?? null;
    const line = [role, of];
    for (const name of names) {
      const answer = await actors[name]?.post(`/people/${subject.id}/role`, { role, merchantId });
      line.push(String(answer?.status));
      // Restores a state in which all of them may change the user, so that only the new role decides.
      const back = { role: 'viewer', merchantId: merchantIds.plain };
      if (answer?.status === 200) await actors.administrator?.post(`/people/${subject.id}/role`, back);
    }
    actual.push(line);
  }
  expect(actual).toEqual(rows);
});

test('the audit log of a merchant does not name the one from which a user came', async ({ florin }) => {
  const administrator = await reauthenticatedAs(florin, 'administrator');
  const owner = await createUser(florin, 'merchant_owner', merchantIds.other);
  const moved = await createUser(florin, 'viewer', merchantIds.plain);
  const to = { role: 'operator', merchantId: merchantIds.other };
  expect((await administrator.post(`/people/${moved.id}/role`, to)).status).toBe(200);
  const shown = async (user: Visitor) => {
    const query = `on=user:${moved.id}&what=person.role`;
    const { body } = await user.get(`/audit-log?${query}`);
    const file = await user.get(`/audit-log/export?${query}`);
    expect(body.rows.map(({ what }: { what: string }) => what)).toEqual([
      `Changed the role of ${moved.name} to operator`,
    ]);
    const text = JSON.stringify([body.rows, file.body]);
    return [merchantIds.plain, merchantIds.other].map((id) => text.includes(id));
  };
  expect(await shown(administrator)).toEqual([true, true]);
  expect(await shown(owner.visitor)).toEqual([false, true]);
  const found = (user: Visitor) =>
    Promise.all(
      [merchantIds.plain, merchantIds.other].map(
        async (id) => (await user.get(`/audit-log?on=user:${moved.id}&what=person.role&q=${id}`)).body.total,
      ),
    );
  expect(await found(administrator)).toEqual(['1', '1']);
  expect(await found(owner.visitor)).toEqual(['0', '1']);
});

test('users can be changed by the permitted roles, within their own merchant, and never by themselves', async ({
  florin,
}) => {
  const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const viewerOwn = await createUser(florin, 'viewer', merchantIds.plain);
  const viewerOther = await createUser(florin, 'viewer', merchantIds.other);
  const manager = await createUser(florin, 'account_manager');
  const administrator = await createUser(florin, 'administrator');
  const actors: Record<string, Visitor> = {
    owner: owner.visitor,
    manager: manager.visitor,
    administrator: administrator.visitor,
    operator: await visitorAs(florin, 'operator'),
  };
  const subjects: Record<string, string> = {
    own: viewerOwn.id,
    other: viewerOther.id,
    owner: owner.id,
    manager: manager.id,
    administrator: administrator.id,
  };
  const table = rowsOf(`
    act           | on            | owner | manager | administrator | operator
    sessions      | other         | 404   | 200 | 200 | 403
    sessions      | own           | 200   | 200 | 200 | 403
    second-factor | own           | 403   | 403 | 200 | 403
    disable       | other         | 404   | 200 | 200 | 403
    enable        | other         | 404   | 200 | 200 | 403
    disable       | manager       | 404   | 403 | -   | 403
    disable       | administrator | 404   | 403 | 403 | 403
    disable       | owner         | 403   | -   | -   | 403
  `);
  const [[, , ...names] = [], ...rows] = table;
  for (const [act = '', on = '', ...wanted] of rows) {
    for (const [index, name] of names.entries()) {
      if (wanted[index] === '-') continue;
      const answer = await actors[name]?.post(`/people/${subjects[on]}/${act}`, {});
      expect(String(answer?.status), `${name}: ${act} ${on}`).toBe(wanted[index]);
    }
  }
  const logged = async (id: string) => {
    const { body } = await administrator.visitor.get(`/audit-log?on=user:${id}&what=person.`);
    return [...new Set(body.rows.map(({ action }: { action: string }) => action))].toSorted();
  };
  expect(await logged(viewerOwn.id)).toEqual(['person.end_sessions', 'person.reset_second_factor']);
  expect(await logged(viewerOther.id)).toEqual(['person.disable', 'person.enable', 'person.end_sessions']);
});

test("a change of a user's role ends their sessions and makes their browsers unknown", async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const since = () => sql('select devices_since from users where id = $1', [own.id]);
  expect(await since()).toEqual([{ devices_since: null }]);
  expect((await owner.visitor.post(`/people/${own.id}/role`, { role: 'operator' })).status).toBe(200);
  expect(await since()).toEqual([{ devices_since: expect.any(String) }]);
  expect((await own.visitor.get('/account')).status).toBe(401);
});

// One after the other: a request waits for the lock at most 5 s, and other tests lock it too.
test('a user whom another user changes meanwhile is not changed, which is logged', async ({ florin }) => {
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
  const changes = [
    ['disable', 'disabled_at = now()'],
    ['enable', 'disabled_at = null'],
    ['role', "role = 'account_manager', merchant_id = null"],
  ] as const;
  for (const [act, meanwhile] of changes) {
    const change = () => owner.visitor.post(`/people/${own.id}/${act}`, { role: 'operator' });
    const { status, body } = await whileLocked('florin.users', change, (client) =>
      client.query(`update users set ${meanwhile} where id = $1`, [own.id]),
    );
    expect([act, status, body.error?.message]).toEqual([act, 409, expect.stringContaining('changed by someone else')]);
  }
  expect(await sql('select role::text from users where id = $1', [own.id])).toEqual([{ role: 'account_manager' }]);
  const log = `select action, merchant_id from audit_entries where subject = $1 and action like 'person.%' order by id`;
  const logged = ['disable', 'enable', 'role'].flatMap((act) => [`person.${act}`, `person.${act}.refused`]);
  expect(await sql(log, [`user:${own.id}`])).toEqual(
    logged.map((action) => ({ action, merchant_id: merchantIds.plain })),
  );
});

test.describe('the audit log', () => {
  test('shows a change field by field, to users of its merchant', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    await administrator.post(`/people/${own.id}/role`, { role: 'operator', merchantId: merchantIds.plain });
    const path = `/audit-log?on=user:${own.id}&what=person.`;
    const { body } = await owner.visitor.get(path);
    expect(body.total).toBe('1');
    expect(body.rows[0]).toMatchObject({
      what: `Changed the role of ${own.name.split(' ')[0] === 'Ivo' ? own.name : ''} to operator`,
      actor: { name: 'Ada Administrator' },
      changes: true,
      fields: [{ name: 'role', before: 'viewer', after: 'operator' }],
    });
    expect((await administrator.get(path)).body.total).toBe('1');
    expect((await (await visitorAs(florin, 'merchant')).get(path)).body.rows).toEqual([]);
    expect((await (await visitorAs(florin, 'operator')).get(path)).status).toBe(403);
    // By user, by value, and by a text without a match.
    expect((await owner.visitor.get(`${path}&q=${encodeURIComponent(own.name)}`)).body.total).toBe('1');
    expect((await owner.visitor.get(`${path}&q=operator`)).body.total).toBe('1');
    expect((await owner.visitor.get(`${path}&q=%25`)).body.total).toBe('0');
  });

  test('is paged by key', async ({ florin }) => {
    const administrator = await visitorAs(florin, 'administrator');
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    for (let times = 0; times < 60; times += 1) await own.visitor.post('/account/sessions/end-others', {});
    const path = `/audit-log?who=${own.id}`;
    const first = (await administrator.get(path)).body;
    const older = (await administrator.get(`${path}&after=${first.older}`)).body;
    expect([first.rows.length, first.newer]).toEqual([50, null]);
    expect(Number(first.total)).toBe(first.rows.length + older.rows.length);
    expect(older.older).toBeNull();
    const back = (await administrator.get(`${path}&before=${older.newer}`)).body;
    expect(back.rows).toEqual(first.rows);
  });

  test('has who read it, once in a quarter of an hour', async ({ florin }) => {
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const path = `/audit-log?who=${owner.id}&what=audit_log.read`;
    for (let times = 0; times < 3; times += 1) expect((await owner.visitor.get(path)).status).toBe(200);
    const { body } = await owner.visitor.get(path);
    expect(body.rows).toMatchObject([{ what: 'Read the audit log', actor: { name: owner.name } }]);
  });

  test('is exported as CSV, for users who may read it', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    await administrator.post(`/people/${own.id}/role`, { role: 'operator', merchantId: merchantIds.plain });
    const path = `/audit-log/export?on=user:${own.id}&what=person.`;
    const { status, body, headers } = await owner.visitor.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
    const [head, line, ...rest] = String(body).trim().split('\r\n');
    expect(head).toContain(
      'at,time_zone,entry,who,what,action,object,before,after,result,address,browser,hash,previous_hash',
    );
    expect(line).toMatch(/Ada Administrator,Changed the role of .* to operator,person\.role,user:/);
    expect(rest).toEqual([]);
    const { body: log } = await administrator.get('/audit-log?what=audit_log.export');
    expect(log.rows[0]).toMatchObject({ what: 'Exported the audit log', actor: { name: owner.name } });
    // Another merchant's owner gets the head of the file only.
    expect(
      String((await (await visitorAs(florin, 'merchant')).get(path)).body)
        .trim()
        .split('\r\n'),
    ).toHaveLength(1);
    expect((await (await visitorAs(florin, 'operator')).get(path)).status).toBe(403);
  });

  test('is an append-only hash chain', async ({ florin }) => {
    const administrator = await visitorAs(florin, 'administrator');
    const { status, body } = await administrator.get('/audit-log/chain');
    expect([status, body.brokenAt]).toEqual([200, null]);
    expect(body.head).toMatch(/^[0-9a-f]{64}$/);
    for (const text of [
      'update audit_entries set action = action',
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await expect(sql(text)).rejects.toThrow('append-only');
    }
  });

  test('is verified by users of every merchant, once a minute', async ({ florin }) => {
    for (const who of ['merchant', 'operator', 'viewer'] as const)
      expect((await (await visitorAs(florin, who)).get('/audit-log/chain')).status).toBe(403);
    const administrator = await visitorAs(florin, 'administrator');
    const checkedAt = async () => (await administrator.get('/audit-log/chain')).body.checkedAt;
    // The minute of an earlier check may end between the two.
    await expect(async () => expect(await checkedAt()).toBe(await checkedAt())).toPass();
  });

  test('is searched by what the user is shown: no emails of users of other merchants', async ({ florin }) => {
    const own = await createUser(florin, 'viewer', merchantIds.plain);
    const owner = await createUser(florin, 'merchant_owner', merchantIds.plain);
    const administrator = await reauthenticatedAs(florin, 'administrator');
    await administrator.post(`/people/${own.id}/role`, { role: 'operator', merchantId: merchantIds.plain });
    const path = `/audit-log?on=user:${own.id}&what=person.`;
    const found = async (user: Visitor, q: string) =>
      (await user.get(`${path}&q=${encodeURIComponent(q)}`)).body.rows.length;
    const { email } = (await administrator.get('/account')).body;
    expect([await found(administrator, email), await found(owner.visitor, email)]).toEqual([1, 0]);
    for (const shown of ['Ada Administrator', own.name, own.email])
      expect([shown, await found(owner.visitor, shown)]).toEqual([shown, 1]);
  });
});
