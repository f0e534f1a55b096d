// The data keys are moved from VAULT_KEY to a key management service, a stand-in for HashiCorp Vault, and back. Payments
// continue; the service needs it at its start, and for new data keys.

import { randomBytes } from 'node:crypto';
import { cardMerchant } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type KmsStandIn, startTransit } from '../support/kms.ts';
import { expect, test } from '../support/test.ts';
import { runVault, serverSettings } from '../support/vault.ts';

const quick = '--lead 3 --settle 4';
const token = 'hvs.token-of-florin';

const settingsOf = ({ origin }: KmsStandIn) => ({ VAULT_KMS: `${origin}/v1/transit/keys/florin`, VAULT_TOKEN: token });

test('data keys move to a key management service, and back', async ({ cardShop, shopServer }) => {
  const { VAULT_KEY: key = '' } = serverSettings();
  const secret = randomBytes(32);
  // The commands and the server reach the service at two addresses, one of which fails.
  const [kms, gate] = [await startTransit({ token, secret }), await startTransit({ token, secret })];
  const settings = settingsOf(kms);
  const sell = async (url: string) => {
    const answer = await cardMerchant(url, cardShop.credentials, shopServer).charge('SALE');
    return answer.body.status ?? answer.status;
  };
  // One of each purpose, and the replaced keys of links.
  const rows = await sql("select 'data-key-' || purpose as context from data_keys order by purpose::text");
  const contexts = rows.map(({ context }) => context);
  // Processes that do not know the service yet: it has no data key.
  await expect(startKillableServer(settings)).rejects.toThrow(/VAULT_KMS does not decrypt version \d+ of the data key/);
  const moved = await runVault('rotate --new-key', { ...settings, VAULT_KEY_OLD: key });
  expect(moved.code, moved.output).toBe(0);
  expect(moved.output).toContain('Now restart every process with the new VAULT_KMS');
  expect(kms.asked.filter((each) => each.startsWith('encrypt')).sort()).toEqual(
    contexts.map((context) => `encrypt ${context}`),
  );

  const next = await startKillableServer(settingsOf(gate));
  try {
    expect(await sell(next.url)).toBe('SETTLED');
    expect(await sell(cardShop.baseUrl)).toBe('SETTLED');
    // The process asks once for each data key, whatever it pays.
    for (let times = 0; times < 3; times += 1) expect(await sell(next.url)).toBe('SETTLED');
    expect([...gate.asked].sort()).toEqual(contexts.map((context) => `decrypt ${context}`));
    const forgotten = await runVault('rotate --forget-old-key', settings);
    expect(forgotten.output).toContain(`${contexts.length} data keys are encrypted with VAULT_KMS only`);

    // A data key that the process could not unwrap: it seals nothing until it has it, and asks again.
    await gate.stop();
    const rotated = await runVault(`rotate ${quick}`, settings);
    expect(rotated.code, rotated.output).toBe(0);
    await expect.poll(() => sell(next.url)).toBe(500);
    await gate.resume();
    await expect.poll(() => sell(next.url)).toBe('SETTLED');

    // A process that has its data keys goes on without the service; another one does not start.
    await Promise.all([gate.stop(), kms.stop()]);
    expect(await sell(next.url)).toBe('SETTLED');
    await expect(startKillableServer(settings)).rejects.toThrow('HashiCorp Vault does not answer: ECONNREFUSED.');
    const refused = await runVault(`rotate ${quick}`, settings);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('Vault does not answer: ECONNREFUSED.\n'),
    ]);
    expect([...kms.wrong, ...gate.wrong]).toEqual([]);
  } finally {
    await next.kill();
    await kms.resume();
    const old = { VAULT_KMS_OLD: settings.VAULT_KMS, VAULT_TOKEN: token };
    const back = await runVault('rotate --new-key', old);
    expect(back.code, back.output).toBe(0);
    await runVault('rotate --forget-old-key');
    await kms.stop();
  }
  await expect.poll(() => sell(cardShop.baseUrl)).toBe('SETTLED');
});
