import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ocsfProblems } from '../../e2e/support/ocsf.ts';
import { readAnchors } from '../auth/audit-anchors.ts';
import { compareAnchor } from '../auth/audit-chain.ts';
import { actionsOfKind, auditActionOf, auditKinds, type ListedAuditRecord } from '../auth/index.ts';
import { scrubLine } from '../telemetry/log.ts';
import { toOcsf } from './ocsf.ts';

const actions = Object.keys(auditKinds).flatMap(actionsOfKind);

const entry: ListedAuditRecord = {
  id: 42n,
  at: new Date('2026-11-20T12:51:08.123Z'),
  actor: 'user:0192f3a4-5b6c-7d8e-9f01-23456789abcd',
  actorName: 'Ann',
  action: 'sign_in',
  subject: 'user:0192f3a4-5b6c-7d8e-9f01-23456789abcd',
  subjectName: 'Ann',
  before: null,
  after: { proof: 'authenticator' },
  previous: Buffer.alloc(32, 0x99),
  hash: Buffer.alloc(32, 0x44),
  result: 'success',
  source: '203.0.113.80',
  userAgent: 'Mozilla/5.0',
  merchantId: null,
  keyId: 'abc',
};

/** An entry as this action writes it. */
const entryOf = (action: string, more: Partial<ListedAuditRecord> = {}): ListedAuditRecord => ({
  ...entry,
  ...{ action, result: auditActionOf(action).result, ...more },
});

describe('every action', () => {
  it.each(actions)('%s is a valid event of OCSF', (action) => {
    const problems: string[] = [];
    for (const subject of [entry.subject, 'email:unknown', 'email:ann@example.com', 'audit_log', 'key:0192f3a4']) {
      for (const source of [null, '203.0.113.80', '2001:db8::1', '2001:db8::/64', 'other addresses']) {
        for (const actor of [entry.actor, 'command', 'unauthenticated', 'florin']) {
          const event = toOcsf(entryOf(action, { subject, source, actor, subjectName: null, userAgent: null }));
          problems.push(...ocsfProblems(event));
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it.each(actions)('%s passes the scrubber of the log unchanged', (action) => {
    const event = toOcsf(entryOf(action));
    expect(JSON.parse(scrubLine(JSON.stringify({ event }))).event).toEqual(JSON.parse(JSON.stringify(event)));
  });

  // An entry whose key was lost is compared with its event alone.
  it.each(actions)('%s agrees with its exported event, and no other entry does', (action) => {
    for (const actor of [entry.actor, 'command', 'unauthenticated', 'florin']) {
      const after = {
        note: 'card 4111111111111111',
        password: 'hunter2',
        count: 2,
        minute: '2026-11-20T12:50:00.000Z',
      };
      const row = entryOf(action, { actor, before: { note: null, list: ['a', 1, false] }, after });
      const [anchor] = readAnchors(JSON.stringify(toOcsf(row)));
      const resultOf = (change: Partial<ListedAuditRecord>) =>
        anchor && compareAnchor(anchor, { ...row, ...change }, 1, { keys: new Map(), firstKey: null });
      const changes = [{ at: new Date(0) }, { action: 'x' }, { subject: 'x:1' }, { actor: 'user:1' }, { before: null }];
      expect(resultOf({})).toBe('agrees');
      for (const change of [...changes, { after: { ...after, count: 3 } }]) expect(resultOf(change)).toBe('differs');
    }
  });

  // The type of an entry's action allows no other text, but a cast would.
  it('in the code is in the table', () => {
    const files = ['lib', 'scripts'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    );
    const code = files.filter((path) => /^(?!.*\.test\.).*\.ts$/.test(path) && !path.startsWith('lib/prisma/'));
    const calls =
      /\b(?:audit|auditChange|logAction|logged|loggedRefusal|saveChange|changeWallet|userAction|moneyAction|log)\([^;]{0,200}?'([a-z_]+\.[a-z_.]+)'|action: '([a-z_]+(?:\.[a-z_]+)+)'/g;
    const used = code.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(calls)].map(([, called, named]) => called ?? named ?? ''),
    );
    expect(used.length).toBeGreaterThan(60);
    expect(used.filter((action) => !actions.includes(action))).toEqual([]);
  });
});

it('has who, what, where from and the result', () => {
  expect(toOcsf(entry)).toMatchObject({
    class_uid: 3002,
    type_uid: 300201,
    time: entry.at.getTime(),
    status: 'Success',
    message: 'Signed in with authenticator',
    metadata: { uid: '42', event_code: 'sign_in', version: '1.8.0', product: { name: 'Florin' } },
    actor: { user: { name: 'Ann' } },
    user: { uid: '0192f3a4-5b6c-7d8e-9f01-23456789abcd', name: 'Ann' },
    src_endpoint: { ip: '203.0.113.80' },
    http_request: { user_agent: 'Mozilla/5.0' },
    is_mfa: true,
    unmapped: { after: { proof: 'authenticator' }, hmac: Buffer.alloc(32, 0x44).toString('base64url') },
  });
});

it('has the user of the operating system who runs a command', () => {
  const source = 'ann as root@db1';
  const command = { actor: 'command', actorName: null, source, subject: 'vault', after: { what: 'data key' } };
  const event = toOcsf(entryOf('vault.rotate', command));
  expect(event).toMatchObject({
    actor: { app_name: 'Command line', user: { name: source } },
    src_endpoint: { name: source },
  });
  expect(ocsfProblems(event)).toEqual([]);
});

it('has the number and the minute of refused requests', () => {
  const after = { protocol: 'Checkout', reason: 'hash', count: 12, minute: '2026-11-20T12:50:00.000Z' };
  const event = toOcsf(entryOf('signature.refused', { actor: 'unauthenticated', subject: 'merchant:unknown', after }));
  const start = Date.parse(after.minute);
  expect(event).toMatchObject({
    count: 12,
    start_time: start,
    end_time: start + 59_999,
    status: 'Failure',
    class_uid: 6003,
  });
  expect(ocsfProblems(event)).toEqual([]);
});

it('contains no card number and no secret', () => {
  const after = { note: 'card 4111111111111111', password: 'hunter2' };
  const text = JSON.stringify(toOcsf(entryOf('mid.change', { after })));
  expect(text).not.toMatch(/4111111111111111|hunter2/);
});

describe('the validator', () => {
  it.each([
    ['type_uid', 1],
    ['severity_id', 9],
    ['metadata', undefined],
    ['time', '2026'],
    ['time', 1_795_179_068],
    ['src_endpoint', { ip: 'somewhere' }],
    ['nothing', 1],
    ['user', {}],
    ['service', undefined],
  ])('refuses %s %j', (name, value) => {
    expect(ocsfProblems({ ...toOcsf(entry), [name]: value })).not.toEqual([]);
  });
});
