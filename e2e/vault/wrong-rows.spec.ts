// An attacker who writes to the database moves sealed values between rows: they do not decrypt there, and nothing is paid
// with them. Values of earlier releases are not bound to their rows, until a rotation has re-encrypted them.
import { createCipheriv, randomBytes } from 'node:crypto';
import { cardMerchant, payoutCard } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard } from '../support/hosted-fields-requests.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { startPayer } from '../support/payer.ts';
import { statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { runVault, serverSettings } from '../support/vault.ts';

const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
const alert = 'ALERT: a sealed value was altered or moved';

/** Exchanges a column of two rows. */
async function swap(table: string, column: string, one: string, other: string): Promise<void> {
  const rows = await sql(
    `update ${table} a set ${column} = b.${column} from ${table} b
      where (a.id, b.id) in (($1::uuid, $2::uuid), ($2::uuid, $1::uuid)) returning a.id`,
    [one, other],
  );
  expect(rows).toHaveLength(2);
}

/** Runs `work` with the column exchanged, on a process that has cached nothing; returns what it reports. */
async function whileSwapped(
  [table, column, one, other]: [table: string, column: string, one: string, other: string],
  work: (server: KillableServer) => Promise<void>,
): Promise<string> {
  const server = await startKillableServer({ LOG_LEVEL: 'error' });
  await swap(table, column, one, other);
  try {
    await work(server);
    return server.output();
  } finally {
    await swap(table, column, one, other);
    await server.kill();
  }
}

const keyId = async (key: string) => (await sql('select id from merchant_keys where key = $1', [key]))[0].id as string;
const midsOf = (key: string) =>
  sql(
    `select i.id from mids i join merchant_keys k on k.merchant_id = i.merchant_id
      where k.key = $1 and i.enabled order by i.priority, i.id`,
    [key],
  );
const cardOf = async (token: string) =>
  (await sql('select card_id from card_tokens where token = $1', [token]))[0].card_id as string;

test('the passwords of two merchants', async ({ cardShop, cardAs, shopServer }) => {
  const other = cardAs('other');
  const references: string[] = [];
  const [one, two] = [await keyId(cardShop.credentials.key), await keyId(other.credentials.key)];
  const output = await whileSwapped(['merchant_keys', 'password', one, two], async ({ url, output: written }) => {
    const { key } = cardShop.credentials;
    for (const { password } of [cardShop.credentials, other.credentials]) {
      const answer = await cardMerchant(url, { ...cardShop.credentials, key, password }, shopServer).charge('SALE');
      expect([answer.status, answer.body.status], password).toEqual([500, undefined]);
      references.push(/^Internal error\. Reference: (\S+)$/.exec(answer.body.error_message)?.[1] ?? '');
    }
    // The answer has no cause; its reference is the id of the line that has it.
    for (const reference of references) await expect.poll(written).toContain(`"id":"${reference}"`);
  });
  expect(output).toContain(alert);
  expect(output).toContain(one);
  for (const { password } of [cardShop.credentials, other.credentials]) expect(output).not.toContain(password);
});

test('a key that was given to another merchant', async ({ cardShop, cardAs, shopServer }) => {
  const { key } = cardShop.credentials;
  const owner = (await sql('select merchant_id from merchant_keys where key = $1', [key]))[0].merchant_id;
  const move =
    'update merchant_keys set merchant_id = coalesce($2::uuid, (select merchant_id from merchant_keys where key = $3)) where key = $1';
  const server = await startKillableServer({ LOG_LEVEL: 'error' });
  try {
    await sql(move, [key, null, cardAs('other').credentials.key]);
    const answer = await cardMerchant(server.url, cardShop.credentials, shopServer).charge('SALE');
    expect(answer.status).toBe(500);
    expect(server.output()).toContain(alert);
  } finally {
    await sql(move, [key, owner, '']);
    await server.kill();
  }
});

test('the numbers of two cards', async ({ cardShop, cardAs, shopServer }) => {
  const mine = (await cardShop.sell({ req_token: 'Y' })).answer.body.card_token as string;
  const number = { card_number: '5555555555554444' };
  const same = (await cardShop.sell({ req_token: 'Y', ...number })).answer.body.card_token as string;
  const others = (await cardAs('other').sell({ req_token: 'Y' })).answer.body.card_token as string;
  for (const token of [same, others]) {
    const [one, two] = [await cardOf(mine), await cardOf(token)];
    const output = await whileSwapped(['cards', 'sealed', one, two], async ({ url }) => {
      const shop = cardMerchant(url, cardShop.credentials, shopServer);
      const answer = await shop.charge('SALE', { ...without, card_token: mine, card_cvv2: '123' });
      expect([answer.status, answer.body.status]).toEqual([500, undefined]);
    });
    expect(output).toContain(alert);
    expect(output).toContain(one);
    expect(output.replaceAll(/\D/g, '')).not.toMatch(/5555555555554444|4111111111111111/);
  }
});

test('the settings of two MIDs', async ({ cardShop, cardAs, shopServer }) => {
  const [one] = await midsOf(cardShop.credentials.key);
  const [two] = await midsOf(cardAs('other').credentials.key);
  const output = await whileSwapped(['mids', 'settings', one.id, two.id], async ({ url }) => {
    const answer = await cardMerchant(url, cardShop.credentials, shopServer).charge('SALE');
    expect([answer.status, answer.body.status]).toEqual([500, undefined]);
  });
  expect(output).toContain(alert);
  expect(output).toContain(one.id);
  expect(output).not.toContain('sandbox.');
});

test('the secret parameters of two payments', async ({ shop, shopServer }) => {
  const parameters = (account: string) => ({ card: { payer_account_number: account, payer_nationality: 'RS' } });
  const one = await shop.open({ operation: 'credit', parameters: parameters(payoutCard) });
  const two = await shop.open({ operation: 'credit', parameters: parameters('4242424242424242') });
  const idOf = async (order: string) =>
    (await sql('select id from payments where order_number = $1', [order]))[0].id as string;
  const [oneId, twoId] = [await idOf(one.order.number), await idOf(two.order.number)];
  const output = await whileSwapped(['payments', 'parameters', oneId, twoId], async ({ url }) => {
    const link = one.url.replace(shop.baseUrl, url);
    await startPayer(url)
      .pay(link, { number: payoutCard, expiry: '08/38' })
      .catch(() => undefined);
    const there = merchantClient(url, shop.credentials, shopServer);
    expect((await statusOf(there, oneId)).status).not.toBe('settled');
  });
  expect(output).toContain(alert);
  expect(output).toContain(oneId);
});

test('the submitted cards of two sessions', async ({ shop, shopServer }) => {
  const server = await startKillableServer({ LOG_LEVEL: 'error' });
  try {
    const there = merchantClient(server.url, shop.credentials, shopServer);
    const [one, two] = [await createSessionToken(there), await createSessionToken(there)];
    for (const { token } of [one, two]) await collect(there, token);
    const rows = await sql(
      `update pending_cards a set sealed = b.sealed from pending_cards b, payments p, payments q
        where a.payment_id = p.id and b.payment_id = q.id and p.order_number = $1 and q.order_number = $2
        returning a.payment_id`,
      [one.order.number, two.order.number],
    );
    expect(rows).toHaveLength(1);
    expect((await processCard(there, one.token)).status).toBe(500);
    expect((await processCard(there, two.token)).body.result).toBe('success');
    await expect.poll(() => server.output()).toContain(alert);
    expect(server.output()).toContain(rows[0].payment_id);
  } finally {
    await server.kill();
  }
});

/** A data key as releases before 0.2 have made it: 32 bytes, encrypted with VAULT_KEY. */
function earlierDataKey(): Buffer {
  const nonce = randomBytes(12);
  const vaultKey = Buffer.from(serverSettings().VAULT_KEY ?? '', 'base64');
  const cipher = createCipheriv('aes-256-gcm', vaultKey, nonce).setAAD(Buffer.from('data-key-seal'));
  const body = Buffer.concat([cipher.update(randomBytes(32)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

test('values of an earlier release are read and can be moved, until a rotation binds them', async ({
  cardShop,
  cardAs,
  shopServer,
}) => {
  const quick = '--lead 3 --settle 4';
  const other = cardAs('other');
  await sql(
    `insert into data_keys (purpose, version, wrapped, used_from)
     select 'seal', max(version) + 1, $1, now() + interval '5 seconds' from data_keys where purpose = 'seal'`,
    [earlierDataKey()],
  );
  // Everything is now as an earlier release has sealed it: the older key, which binds, is gone.
  expect((await runVault(`rotate ${quick}`)).output).toContain('is the only one in use; 1 older deleted');
  const token = (await cardShop.sell({ req_token: 'Y' })).answer.body.card_token as string;
  const [one, two] = [await keyId(cardShop.credentials.key), await keyId(other.credentials.key)];
  const charge = async (url: string, password: string) => {
    const answer = await cardMerchant(url, { ...cardShop.credentials, password }, shopServer).charge('SALE');
    return answer.body.status ?? answer.status;
  };
  await whileSwapped(['merchant_keys', 'password', one, two], async ({ url }) => {
    expect(await charge(url, other.credentials.password)).toBe('SETTLED');
  });

  let sold = 0;
  let running = true;
  const selling = (async () => {
    for (; running; sold += 1) {
      const byToken = await cardShop.sell({ ...without, card_token: token, card_cvv2: '123' });
      expect(byToken.answer.body.status).toBe('SETTLED');
    }
  })();
  const { code, output } = await runVault(`rotate ${quick}`);
  running = false;
  await selling;
  expect(code, output).toBe(0);
  expect(output).toMatch(/merchant_keys\.password: \d+ read, [1-9]\d* re-encrypted/);
  expect(sold).toBeGreaterThan(2);
  await whileSwapped(['merchant_keys', 'password', one, two], async ({ url }) => {
    expect(await charge(url, other.credentials.password)).toBe(500);
  });
});
