// The runbook of a lost VAULT_KEY, as it is written, on a database of its own: the service starts under a new key, users
// sign in, merchants and MIDs get new secrets, and a payment settles. The audit log continues and is verified.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { onConnection } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { startTransit } from '../support/kms.ts';
import { merchants } from '../support/merchants.ts';
import { createTestDatabase } from '../support/production-database.ts';
import { expect, test } from '../support/test.ts';
import { merchantIds, reauthenticatedAs } from '../support/users.ts';
import { checkAuditLog, runVault } from '../support/vault.ts';

/** The vault's command of the runbook. */
function lostKeyCommand(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations/runbooks.md'), 'utf8');
  const section = page.split('## VAULT_KEY is lost')[1]?.split('\n## ')[0] ?? '';
  return /npm run florin -- vault (\S+)/.exec(section)?.[1] ?? '';
}

/** An entry whose key was lost is compared with its exported event, and with an anchor. */
async function verifyByEvents(url: string, settings: Record<string, string>) {
  const rows = (text: string) => onConnection(async (client) => (await client.query(text)).rows, url);
  const [entry] = await rows(`
    select e.*, (select count(*)::int from audit_entries where id <= e.id) as entries from audit_entries e
     where action = 'sign_in' and id < (select id from audit_entries where action = 'audit_log.restart') limit 1`);
  const head = entry.hash.toString('base64url');
  const event = {
    ...{ time: entry.at.getTime(), actor: { user: { uid: entry.actor.slice('user:'.length) } } },
    metadata: { uid: String(entry.id), event_code: entry.action },
    unmapped: { subject: entry.subject, before: entry.before, after: entry.after, hmac: head },
  };
  const anchor = { date: '2026-11-29', last: String(entry.id), head, entries: entry.entries, mac: 'of the lost key' };
  const check = (lines: object[]) =>
    checkAuditLog(['--anchors', '-'], settings, lines.map((line) => JSON.stringify(line)).join('\n'));
  const agreeing = await check([event, anchor]);
  expect([agreeing.code, agreeing.output]).toEqual([0, expect.stringContaining('2 of 2 anchors agree')]);
  const other = { ...anchor, head: Buffer.alloc(32).toString('base64url') };
  expect((await check([other])).output).toContain('is broken: it differs from its anchor');
  expect((await check([{ ...anchor, entries: entry.entries + 1 }])).code).toBe(1);
  const change = (after: string) =>
    rows(`begin; alter table audit_entries disable trigger user; update audit_entries set after = '${after}'
           where id = ${entry.id}; alter table audit_entries enable trigger user; commit`);
  await change('{"proof": "passkey"}');
  expect((await checkAuditLog([], settings)).code).toBe(0);
  const altered = await check([event]);
  expect([altered.code, altered.output]).toEqual([1, expect.stringContaining('it differs from its anchor')]);
  await change(JSON.stringify(entry.after));
  expect((await check([event])).code).toBe(0);
}

const stored = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined, card_cvv2: '123' };

test('a lost VAULT_KEY is replaced, and payments settle with new secrets', async ({ shopServer }) => {
  // Its MIDs use the sandbox's provider of its own servers.
  const port = String(await freePort());
  const database = await createTestDatabase(port);
  const own = { DATABASE_URL: database.url, PORT: port };
  const renewed = { ...own, VAULT_KEY: randomBytes(32).toString('base64') };
  const replace = (settings: Record<string, string>) => runVault(lostKeyCommand(), settings);
  const rows = (text: string) => onConnection(async (client) => (await client.query(text)).rows, database.url);
  try {
    const before = await startKillableServer(own);
    const old = cardMerchant(before.url, merchants.plain, shopServer);
    const sold = await old.sell({ req_token: 'Y' });
    expect(sold.answer.body.status).toBe('SETTLED');
    // An entry under the key that is lost afterwards.
    await reauthenticatedAs(before.url, 'administrator');
    expect((await replace(renewed)).output).toContain('Other processes of Florin use this database');
    await before.end();

    expect(await replace(own)).toMatchObject({ code: 1, output: expect.stringContaining('nothing was changed') });
    expect((await checkAuditLog([], renewed)).code).toBe(1);
    const replaced = await replace(renewed);
    expect(replaced.code, replaced.output).toBe(0);
    expect(await replace(renewed)).toMatchObject({ code: 1, output: expect.stringContaining('nothing was changed') });

    const next = await startKillableServer(renewed);
    try {
      const refused = await cardMerchant(next.url, merchants.plain, shopServer).charge('SALE');
      expect(refused.body).toMatchObject({ result: 'ERROR' });
      const person = await reauthenticatedAs(next.url, 'administrator');
      const [key] = await rows(`select id from merchant_keys where key = '${merchants.plain.key}'`);
      const revealed = await person.post(`/merchants/${merchantIds.plain}/keys/${key.id}/reveal`, {});
      const credentials = { ...merchants.plain, password: revealed.body.password };
      expect(credentials.password).not.toBe(merchants.plain.password);
      const shop = cardMerchant(next.url, credentials, shopServer);
      const mids = await rows(`select id from mids where merchant_id = '${merchantIds.plain}' and not enabled`);
      expect(mids.length).toBeGreaterThan(0);
      for (const { id } of mids) {
        const { body } = await person.get(`/mids/${id}`);
        expect(body.values).toMatchObject({ provider: 'own', url: '' });
        const change = { version: body.version, ...body.values, provider: 'sandbox' };
        const saved = await person.post(`/mids/${id}`, change);
        expect(saved.status, JSON.stringify(saved.body)).toBe(200);
        const enabled = await person.post(`/mids/${id}/switch`, { version: saved.body.version, enabled: true });
        expect(enabled.status, JSON.stringify(enabled.body)).toBe(200);
      }
      const paid = await shop.sell({ req_token: 'Y' });
      expect(paid.answer.body.status).toBe('SETTLED');
      // The card token is unknown.
      const gone = await shop.charge('SALE', { ...stored, card_token: sold.answer.body.card_token });
      expect(gone.body).toMatchObject({ result: 'ERROR' });
      // Payments of before are continued with the new settings.
      expect(await rows('select 1 from earlier_mid_settings')).toEqual([]);
      // Nothing is left that the new keys do not decrypt.
      const rotated = await runVault('rotate --lead 3 --settle 4', renewed);
      expect(rotated.code, rotated.output).toBe(0);
      expect((await shop.charge('SALE', { ...stored, card_token: paid.answer.body.card_token })).body.status).toBe(
        'SETTLED',
      );
      const chain = await person.get('/audit-log/chain');
      expect(chain.body).toMatchObject({ brokenAt: null, lost: { entries: expect.any(Number) } });
    } finally {
      await next.end();
    }
    const checked = await checkAuditLog([], renewed);
    expect(checked.code, checked.output).toBe(0);
    expect(checked.output).toMatch(/The key of \d+ entries before .* was lost/);
    await verifyByEvents(database.url, renewed);
    // An entry under another key behind the restart is broken, and so is the restart under another name.
    await onConnection(async (client) => {
      await client.query('alter table audit_entries disable trigger user');
      await client.query(
        `update audit_entries set after = '{"last":"1","head":""}' where action = 'audit_log.restart'`,
      );
    }, database.url);
    expect((await checkAuditLog([], renewed)).output).toMatch(/is broken: its key is not that of this deployment/);
  } finally {
    await database.drop();
  }
});

test('nothing is removed where the new key management service does not encrypt', async () => {
  const database = await createTestDatabase('1');
  const token = 'hvs.token-of-florin';
  const kms = await startTransit({ token });
  try {
    const settings = {
      DATABASE_URL: database.url,
      VAULT_KMS: `${kms.origin}/v1/transit/keys/florin`,
      VAULT_TOKEN: token,
    };
    const state = () =>
      onConnection(
        async (client) =>
          (
            await client.query(
              `select (select count(*) from merchants) as merchants, (select count(*) from mids where enabled) as mids,
                      (select string_agg(encode(wrapped, 'hex'), ' ' order by purpose, version) from data_keys) as keys,
                      (select count(*) from audit_entries) as entries`,
            )
          ).rows,
        database.url,
      );
    const before = await state();
    kms.faults.push(403);
    const refused = await runVault(lostKeyCommand(), settings);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('refuses to encrypt') });
    expect(await state()).toEqual(before);
    expect(kms.wrong).toEqual([]);
  } finally {
    await kms.stop();
    await database.drop();
  }
});
