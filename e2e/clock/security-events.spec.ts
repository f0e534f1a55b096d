// Security events: refused requests become entries of the audit log by minute, and every entry reaches the sinks in order.
// A sink is a server of this test; the process that sends is a second one on the same database, which the test kills.
import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { clockAt } from '../support/clock.ts';
import { visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { merchants } from '../support/merchants.ts';
import { ocsfProblems } from '../support/ocsf.ts';
import { passkeyOptions, signInByPasskey, softPasskey } from '../support/passkeys.ts';
import { expect, test } from '../support/test.ts';
import { checkAuditLog } from '../support/vault.ts';

type Event = { metadata: { uid: string; event_code: string }; unmapped: { after: object; hmac: string } };
type Row = { id: string; what: string; note: string | null; action: string; result: string; source: string | null };

const port = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

/** Each request writes an entry: its role does not allow it. */
async function writeEntries(florin: string, number: number): Promise<void> {
  const viewer = await visitorAs(florin, 'viewer');
  for (let count = 0; count < number; count += 1) expect((await viewer.get('/people')).status).toBe(403);
}

const entriesAfter = async (id: string) =>
  (await sql('select id from audit_entries where id > $1 order by id', [id])).map((row) => row.id as string);
const lastEntry = async () => (await sql('select max(id) as id from audit_entries'))[0]?.id as string;
const cursorOf = async (sink: string) =>
  (await sql('select last_id as id from event_sinks where sink = $1', [sink]))[0]?.id;

test('refused requests are one entry per minute and cause, and the filters find them', async ({ florin, clock }) => {
  const { key } = merchants.plain;
  const status = (merchant: string) =>
    fetch(`${florin}/api/v1/payment/status`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchant_key: merchant, payment_id: randomUUID(), hash: '0'.repeat(40) }),
    });
  const before = await lastEntry();
  for (let count = 0; count < 5; count += 1) expect((await status(key)).status).toBe(400);
  for (let count = 0; count < 3; count += 1) await status(randomUUID());
  const [mid] = await sql(
    `select m.id, m.connector from mids m where m.merchant_id = (
    select merchant_id from merchant_keys where key = $1) limit 1`,
    [key],
  );
  const notified = await fetch(`${florin}/notify/${mid.connector}/${mid.id}`, { method: 'POST', body: '{}' });
  expect(notified.status).toBe(401);

  const administrator = await visitorAs(florin, 'administrator');
  const rows = async (query: string): Promise<Row[]> => (await administrator.get(`/audit-log?${query}`)).body.rows;
  const refused = async () =>
    (await rows('kind=access&result=refused&address=127.0.0.1')).filter(({ id }) => Number(id) > Number(before));
  const counted = (all: Row[], text: RegExp) =>
    all.reduce((sum, { what }) => sum + Number(text.exec(what)?.[1] ?? 0), 0);
  // Counts of a process are stored once a second, and become entries after their minute.
  const counts = async () => {
    await clock.advance(70);
    const all = await refused();
    return [
      counted(all, /^Refused (\d+) requests? of (?!an unknown).+ to Checkout with a wrong hash$/),
      counted(all, /^Refused (\d+) requests? of an unknown merchant to Checkout with a wrong hash$/),
      counted(all, /^Refused (\d+) notifications? with a wrong signature for MID /),
    ];
  };
  await expect.poll(counts).toEqual([5, 3, 1]);
  const own = await refused();
  expect(own.length).toBeLessThanOrEqual(6);
  expect(own.every(({ result, source }) => result === 'refused' && source === '127.0.0.1')).toBe(true);
  expect(await rows('kind=access&result=success&address=127.0.0.2')).toEqual([]);
  expect(
    (await rows('kind=money')).every(({ action }) =>
      /^(payment|request|callback|schedule|token|unresolved)/.test(action),
    ),
  ).toBe(true);
});

test('unknown passkeys are one entry per minute', async ({ florin, clock }) => {
  const before = await lastEntry();
  const stranger = softPasskey(florin);
  for (let count = 0; count < 4; count += 1) {
    const answer = stranger.get(await passkeyOptions(visitor(florin), 'sign_in'));
    expect((await signInByPasskey(florin, answer)).status).toBe(401);
  }
  const entries = () =>
    sql(
      `select action, (after->>'count')::int as count from audit_entries
        where id > $1 and subject = 'email:unknown' order by id`,
      [before],
    );
  const counted = async () => {
    await clock.advance(70);
    return (await entries()).reduce((sum, { count }) => sum + (count ?? 0), 0);
  };
  await expect.poll(counted).toBe(4);
  const written = await entries();
  expect(written.every(({ action }) => action === 'sign_in.refused')).toBe(true);
  expect(written.length).toBeLessThanOrEqual(2);
});

type Received = { id: string; events: Event[] };

/** A receiver of callbacks; `answer` decides the status, null for no answer. */
async function startReceiver(secret: string, answer: (batch: Received) => number | null) {
  const batches: Received[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const signed = `${id}.${request.headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(request.headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
      const batch = { id, events: JSON.parse(body).events as Event[] };
      batches.push(batch);
      const status = answer(batch);
      if (status !== null) response.writeHead(status).end();
    });
  };
  const server = createServer(handle);
  await listen(server);
  return { batches, url: `http://127.0.0.1:${port(server)}/events`, close: () => server.close() };
}

test('events reach the callback in order and at least once, also when the process ends in between', async ({
  florin,
}) => {
  test.slow();
  await sql(`delete from event_sinks where sink = 'callback'`);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  let answer: number | null = 500;
  const receiver = await startReceiver(secret, () => answer);
  const settings = { JOBS: 'on', EVENTS_URL: receiver.url, EVENTS_SECRET: secret };
  const first = await startKillableServer(settings);
  await expect.poll(() => cursorOf('callback')).toBeDefined();
  const begin = await cursorOf('callback');

  // Refused, then repeated until it is accepted.
  await writeEntries(florin, 3);
  await expect.poll(() => receiver.batches.length).toBeGreaterThan(1);
  expect(await cursorOf('callback')).toBe(begin);
  const metrics = await fetch(`${first.url}/metrics`, {
    headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` },
  });
  expect(await metrics.text()).toMatch(/florin_rows\{what="events to callback"\} [1-9]/);
  const ready = await fetch(`${first.url}/readyz`, {
    headers: { authorization: `Bearer ${process.env.METRICS_TOKEN}` },
  });
  expect((await ready.json()).checks.events).toMatchObject({
    ok: true,
    says: expect.stringMatching(/callback: \d+ since .*status 500/),
  });
  answer = 200;
  await expect.poll(async () => await cursorOf('callback')).not.toBe(begin);

  // The process ends after the batch has arrived, and before it is recorded.
  answer = null;
  const seen = receiver.batches.length;
  await writeEntries(florin, 2);
  await expect.poll(() => receiver.batches.length).toBeGreaterThan(seen);
  const unanswered = receiver.batches.at(-1) as Received;
  await first.kill();
  answer = 200;
  const second = await startKillableServer(settings);
  try {
    const clock = clockAt(second.url);
    await clock.advance(61);
    const repeated = () =>
      receiver.batches.filter(({ events }) => events[0]?.metadata.uid === unanswered.events[0]?.metadata.uid);
    await expect.poll(() => repeated().length).toBeGreaterThan(1);
    const wanted = await entriesAfter(begin);
    const accepted = () => [
      ...new Set(receiver.batches.flatMap(({ events }) => events.map(({ metadata }) => metadata.uid))),
    ];
    await expect.poll(() => accepted().length).toBeGreaterThanOrEqual(wanted.length);
    expect(accepted().slice(0, wanted.length)).toEqual(wanted);
    const events = receiver.batches.flatMap((batch) => batch.events);
    expect(events.flatMap((event) => ocsfProblems(event))).toEqual([]);
    for (const {
      id,
      events: [head, ...others],
    } of receiver.batches) {
      expect(id).toBe(`${head?.metadata.uid}-${(others.at(-1) ?? head)?.metadata.uid}`);
    }
  } finally {
    await second.kill();
    receiver.close();
  }
});

/** The messages in octet-counted frames. */
function messagesIn(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.subarray(at, space).toString());
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString());
    at = space + 1 + length;
  }
  return messages;
}

test('events reach a syslog server over TLS and the log, while the callback is down', async ({ florin }) => {
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), 'florin-syslog-'));
  const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', certificate, ...names], {
    stdio: 'ignore',
  });
  const received: Buffer[] = [];
  const server = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certificate) }, (socket) => {
    socket.on('data', (chunk) => received.push(chunk));
  });
  await listen(server);
  // Entries that the server under test would take with its own clock.
  await sql(`delete from event_sinks where sink in ('callback', 'syslog')`);
  await sql(`update event_sinks set due_at = '2026-01-01' where sink = 'log'`);
  const sender = await startKillableServer({
    ...{ JOBS: 'on', EVENTS_URL: 'http://127.0.0.1:9/', EVENTS_SECRET: `whsec_${randomBytes(32).toString('base64')}` },
    ...{ EVENTS_SYSLOG: `tls://localhost:${port(server)}`, NODE_EXTRA_CA_CERTS: certificate },
  });
  try {
    await expect.poll(() => cursorOf('syslog')).toBeDefined();
    const begin = await cursorOf('syslog');
    await writeEntries(florin, 3);
    const wanted = await entriesAfter(begin);
    const messages = () => messagesIn(Buffer.concat(received));
    await expect.poll(() => messages().length).toBeGreaterThanOrEqual(wanted.length);
    const parts = messages().map((each) => /^<\d+>1 \S+Z \S+ florin \d+ (\d+) - \uFEFF(\{.*\})$/.exec(each));
    expect(parts.map((part) => part?.[1]).slice(0, wanted.length)).toEqual(wanted);
    expect(parts.flatMap((part) => ocsfProblems(JSON.parse(part?.[2] ?? '{}')))).toEqual([]);

    const logged = () =>
      sender
        .output()
        .split('\n')
        .flatMap((line) => (line.includes('"security event"') ? [JSON.parse(line)] : []));
    await expect
      .poll(async () => {
        await writeEntries(florin, 1);
        return logged().length;
      })
      .toBeGreaterThan(0);
    expect(logged().flatMap(({ event }) => ocsfProblems(event))).toEqual([]);
  } finally {
    await sender.kill();
    server.close();
  }
});

test('a day has an anchor, and a log that differs from exported anchors is reported', async ({ clock, florin }) => {
  test.slow();
  const before = await lastEntry();
  await clock.advance(24 * 3600);
  const anchors = () =>
    sql(`select id, after from audit_entries where action = 'audit_log.anchor' and id > $1`, [before]);
  await expect.poll(async () => (await anchors()).length).toBe(1);
  await clock.tick();
  expect(await anchors()).toHaveLength(1);
  const [{ after: anchor }] = await anchors();

  const intact = await checkAuditLog(['--anchors', '-'], {}, JSON.stringify(anchor));
  expect(intact.output).toMatch(/1 of 1 anchors agree with the log\.\nThe chain is intact\./);
  expect(intact.code).toBe(0);
  const [, head = ''] = /last entry is (\S+)/.exec(intact.output) ?? [];
  expect((await checkAuditLog(['--anchor', head])).code).toBe(0);
  const other = await checkAuditLog(
    ['--anchors', '-'],
    {},
    JSON.stringify({ ...anchor, head: randomBytes(32).toString('base64url') }),
  );
  expect(other).toMatchObject({ code: 1, output: expect.stringContaining(`Entry ${anchor.last} of `) });
  expect(other.output).toContain('it differs from its anchor');
  const cut = await checkAuditLog(['--anchors', '-'], {}, JSON.stringify({ ...anchor, last: String(10n ** 12n) }));
  expect(cut).toMatchObject({
    code: 1,
    output: expect.stringContaining('Entries are missing at the end: an anchor had entry'),
  });

  // As the owner of the database would change an entry.
  await writeEntries(florin, 1);
  const changed = await lastEntry();
  const alter = async (action: string) => {
    await sql('alter table audit_entries disable trigger audit_entries_append_only');
    await sql('update audit_entries set action = $2 where id = $1', [changed, action]);
    await sql('alter table audit_entries enable trigger audit_entries_append_only');
  };
  const [{ action }] = await sql('select action from audit_entries where id = $1', [changed]);
  await alter('payment.void');
  const altered = await checkAuditLog();
  await alter(action);
  expect(altered).toMatchObject({ code: 1, output: expect.stringContaining(`Entry ${changed} of `) });
  expect(altered.output).toContain('its hash does not match its content');
  expect((await checkAuditLog()).code).toBe(0);
});
