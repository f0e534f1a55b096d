// The runbook of a leaked VAULT_KEY, as it is written: an attacker who has the key, and reads the data keys before and after each
// step, cannot open what is stored afterwards. It replaces the secret of sessions, so it runs after the tests of vault.spec.ts.
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cardMerchant } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';
import { checkAuditLog, decryptBytes, runVault, serverSettings } from '../support/vault.ts';

/** The vault's commands of the runbook, in its order. */
function leakedKeyCommands(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations/runbooks.md'), 'utf8');
  const section = page.split('### VAULT_KEY, or a copy of the server')[1]?.split('\n### ')[0] ?? '';
  return [...section.matchAll(/^ *(?:\w+=\S+ )*npm run florin -- vault (rotate(?: --[\w-]+)?)/gm)].map(
    ([, command = '']) => command,
  );
}

type WrappedKey = { purpose: string; wrapped: string };

const dataKeys = (): Promise<WrappedKey[]> =>
  sql(`select purpose::text, encode(wrapped, 'hex') as wrapped from data_keys
       union all select purpose::text, encode(wrapped_next, 'hex') from data_keys where wrapped_next is not null`);

/** The keys that the leaked one decrypts among these rows. */
function openedBy(leaked: string, rows: WrappedKey[]): { purpose: string; key: Buffer }[] {
  return rows.flatMap(({ purpose, wrapped }) => {
    try {
      const key = decryptBytes(Buffer.from(leaked, 'base64'), Buffer.from(wrapped, 'hex'), `data-key-${purpose}`);
      return [{ purpose, key: key.subarray(1) }];
    } catch {
      return [];
    }
  });
}

/** The link of a payment's page as someone with the key makes it. */
function forgedToken(paymentId: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(`page:${paymentId}`).digest().subarray(0, 16);
  return Buffer.concat([Buffer.from(paymentId.replaceAll('-', ''), 'hex'), mac]).toString('base64url');
}

/** Runs the commands with the options that the runbook gives them; returns every data key that was stored meanwhile. */
async function followRunbook(leaked: string, fresh: string): Promise<WrappedKey[]> {
  const stolen = await dataKeys();
  let current = leaked;
  for (const command of leakedKeyCommands()) {
    const isExchange = command === 'rotate --new-key';
    if (isExchange) current = fresh;
    const isRotation = ['rotate', 'rotate --fingerprint', 'rotate --links'].includes(command);
    const old: Record<string, string> = isExchange ? { VAULT_KEY_OLD: leaked } : {};
    const options = { VAULT_KEY: current, ...old };
    const { code, output } = await runVault(`${command}${isRotation ? ' --lead 3 --settle 4' : ''}`, options);
    expect(code, `${command}: ${output}`).toBe(0);
    stolen.push(...(await dataKeys()));
  }
  expect(current).toBe(fresh);
  return stolen;
}

test('a leaked key opens nothing that is stored after the runbook', async ({ cardShop, shopServer }) => {
  const stored = await cardShop.sell({ req_token: 'Y' });
  const token = stored.answer.body.card_token as string;
  const { VAULT_KEY: leaked = '' } = serverSettings();
  const fresh = randomBytes(32).toString('base64');
  try {
    const keys = openedBy(leaked, await followRunbook(leaked, fresh));
    expect(new Set(keys.map(({ purpose }) => purpose))).toEqual(new Set(['seal', 'fingerprint', 'link', 'sessions']));
    expect(openedBy(leaked, await dataKeys())).toEqual([]);
    // Entries before and after the new key of links.
    const check = await checkAuditLog([], { VAULT_KEY: fresh });
    expect(check.code, check.output).toBe(0);
    const next = await startKillableServer({ VAULT_KEY: fresh });
    try {
      const there = cardMerchant(next.url, cardShop.credentials, shopServer);
      const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
      expect((await there.sell({ ...without, card_token: token, card_cvv2: '123' })).answer.body.status).toBe(
        'SETTLED',
      );
      const { url, order } = await merchantClient(next.url, merchants.plain, shopServer).open();
      const [payment] = await sql('select id from payments where order_number = $1', [order.number]);
      expect((await fetch(url)).status).toBe(200);
      for (const { key } of keys.filter(({ purpose }) => purpose === 'link'))
        expect((await fetch(`${next.url}/pay/${forgedToken(payment.id, key)}`)).status).toBe(404);
    } finally {
      await next.kill();
    }
    const [card] = await sql(
      `select c.id, c.merchant_id, encode(c.sealed, 'hex') as sealed, encode(c.fingerprint, 'hex') as fingerprint,
              c.exp_year || '-' || c.exp_month as expiry
         from cards c join card_tokens t on t.card_id = c.id where t.token = $1`,
      [token],
    );
    const sealed = Buffer.from(card.sealed, 'hex').subarray(2);
    for (const { purpose, key } of keys) {
      expect(() => decryptBytes(key, sealed, ['card', card.merchant_id, card.id, ''].join('\n')), purpose).toThrow();
      const guess = createHmac('sha256', key).update(`4111111111111111|${card.expiry}`).digest('hex');
      expect(guess, purpose).not.toBe(card.fingerprint);
    }
  } finally {
    // Restores the key of the server under test.
    await runVault('rotate --new-key', { VAULT_KEY: leaked, VAULT_KEY_OLD: fresh });
    await runVault('rotate --forget-old-key', { VAULT_KEY: leaked });
  }
});
