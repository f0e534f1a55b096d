// Key changes during payments: neither payers nor shops may notice. A deployment has one vault, so these tests have
// their own server and database. No test moves the clock: a process whose clock is ahead would consider a payment of
// another process, which the provider has not received yet, as never arrived.

import { randomBytes } from 'node:crypto';
import { type CardMerchant, cardFields, cardMerchant, payoutCard } from '../support/card-merchant.ts';
import { visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { type Changes, type Merchant, merchantClient } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { cookiesOf, createUser, enrol, merchantIds, signInWithRetry } from '../support/users.ts';
import { checkAuditLog, runVault, serverSettings, startVault } from '../support/vault.ts';

const quick = '--lead 3 --settle 4';
const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
const numbers = ['4242424242424242', '5555555555554444', '6011111111111117', '30569309025904', '6200000000000005'];

type Shops = { shop: Merchant; other: Merchant; cardShop: CardMerchant; cardOther: CardMerchant };

/** A stored card, a recurring series and an open page, all from before a change. */
async function createBefore({ shop, cardShop, cardOther }: Shops) {
  // Secret and non-secret parameters are stored together.
  await shop.open({ parameters: { card: { descriptor: 'Bowls' } } });
  const stored = await cardShop.sell({ req_token: 'Y' });
  const storedOther = await cardOther.sell({ req_token: 'Y' });
  const chain = await cardShop.sell({ recurring_init: 'Y' });
  const authorised = await cardShop.sell({ auth: 'Y' });
  const parameters = { card: { payer_account_number: payoutCard, payer_nationality: 'RS' } };
  const open = await shop.open({ operation: 'credit', parameters });
  return {
    token: stored.answer.body.card_token,
    other: storedOther.answer.body.card_token,
    chain,
    held: authorised,
    open,
  };
}

/**
 * Runs everything at once until `stop`: pages, new cards, stored cards, recurring payments, modifications. Returns the
 * failures.
 */
function load(shops: Shops, old: Awaited<ReturnType<typeof createBefore>>) {
  const { shop, other, cardShop, cardOther } = shops;
  const failures: string[] = [];
  const done: Record<string, number> = {};
  let running = true;
  const expectPaid = async (name: string, run: () => Promise<string>) => {
    const status = await run().catch((error) => `${error}`);
    done[name] = (done[name] ?? 0) + 1;
    if (!/^settled$/i.test(status)) failures.push(`${name}: ${status}`);
  };
  const s2s = async (merchant: CardMerchant, changes: Changes) => (await merchant.sell(changes)).answer.body.status;
  const page = async (merchant: Merchant, at: number) => {
    const card = { number: numbers[at % numbers.length] ?? '', expiry: '12/38' };
    return (await statusOf(merchant, (await pay(merchant, card)).id)).status;
  };
  const kinds: [string, (at: number) => Promise<string>][] = [
    ['page, new card', (at) => page(at % 2 ? shop : other, at)],
    [
      'new card',
      (at) => s2s(cardShop, { card_number: numbers[at % numbers.length], card_exp_year: `${2030 + (at % 9)}` }),
    ],
    ['stored card', () => s2s(cardShop, { ...without, card_token: old.token, card_cvv2: '123' })],
    ["another merchant's", () => s2s(cardOther, { ...without, card_token: old.other, card_cvv2: '123' })],
    ['recurring payment', async () => (await cardShop.again(old.chain)).body.status],
    [
      'fresh token',
      async () => {
        const first = await cardShop.sell({ req_token: 'Y', ...cardFields.settled });
        if (first.answer.body.card_token !== old.token) return `a second token for one card`;
        return first.answer.body.status;
      },
    ],
  ];
  const workers = kinds.map(async ([name, run]) => {
    for (let at = 0; running; at += 1) await expectPaid(name, () => run(at));
  });
  const stop = async () => {
    running = false;
    await Promise.all(workers);
    return { failures, done };
  };
  return stop;
}

/** A server uses removed keys until it lists the versions again, two seconds later. */
const versionsListed = () => new Promise((resolve) => setTimeout(resolve, 2500));

/** Cards and pages from before the change still pay, and the provider still gets the decrypted values. */
async function stillPays({ shop, cardShop }: Shops, old: Awaited<ReturnType<typeof createBefore>>, florin: string) {
  await versionsListed();
  await cardShop.sell();
  const byToken = await cardShop.sell({ ...without, card_token: old.token, card_cvv2: '123' });
  expect(byToken.answer.body.status).toBe('SETTLED');
  expect((await cardShop.again(old.chain)).body.status).toBe('SETTLED');
  expect((await cardShop.follow('CAPTURE', old.held)).body.status).toBe('SETTLED');
  const again = await cardShop.sell({ req_token: 'Y' });
  expect(again.answer.body.card_token).toBe(old.token);
  await startPayer(florin).pay(old.open.url, { number: payoutCard, expiry: '08/38' });
  await expectCallbacks(shop, old.open.order, ['success credit settled']);
}

test('a VAULT_KEY_OLD that decrypts nothing changes nothing', async () => {
  const keys = () => sql('select purpose, version, wrapped, wrapped_next from data_keys order by purpose, version');
  const before = await keys();
  expect(before.map(({ purpose }) => purpose)).toContain('seal');
  const random = () => randomBytes(32).toString('base64');
  const { code, output } = await runVault('rotate --new-key', { VAULT_KEY: random(), VAULT_KEY_OLD: random() });
  expect([code, output]).toEqual([1, expect.stringContaining('VAULT_KEY_OLD does not decrypt version 1 of ')]);
  expect(await keys()).toEqual(before);
});

test('parameters that a shop has named as sealed ones are left alone', async ({ shop, florin }) => {
  const parameters = { card: { payer_account_number: payoutCard, payer_nationality: 'RS' } };
  const paid = await shop.open({ operation: 'credit', parameters });
  const { order } = await shop.open();
  const sent = {
    'x:sealed': { AAEA: 'AAAA' },
    'y:sealed': 'AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'card:sealed': { x: '1' },
    'axxi-pin:sealed': ['1'],
  };
  const rows = await sql('update payments set parameters = $2 where order_number = $1 returning id', [
    order.number,
    JSON.stringify(sent),
  ]);
  expect(rows).toHaveLength(1);
  const { code, output } = await runVault(`rotate ${quick}`);
  expect(code, output).toBe(0);
  expect(output).toMatch(/payments\.parameters: \d+ read, [1-9]\d* re-encrypted/);
  expect((await sql('select parameters from payments where order_number = $1', [order.number]))[0]?.parameters).toEqual(
    sent,
  );
  await versionsListed();
  await startPayer(florin).pay(paid.url, { number: payoutCard, expiry: '08/38' });
  await expectCallbacks(shop, paid.order, ['success credit settled']);
});

test('a later charge has an encrypted account in its own row', async ({ shop }) => {
  const account = { card: { payer_account_number: payoutCard } };
  const { order: begun } = await pay(shop, cards.settled, { recurring_init: true, parameters: account });
  const [message] = await shop.shopServer.waitFor(begun.number, (all) => all.length > 0);
  const { recurring_init_trans_id: firstTransId = '', recurring_token: token = '' } = message?.fields ?? {};
  const later = await shop.recurring({ firstTransId, token });
  expect([later.status, later.body.status]).toEqual([200, 'settled']);
  const { code, output } = await runVault(`rotate ${quick}`);
  expect(code, output).toBe(0);
});

test.describe('a new key during payments', () => {
  for (const [name, command, place] of [
    ['seals', `rotate ${quick}`, /mids\.settings: \d+ read, [1-9]\d* re-encrypted/],
    ['finds cards', `rotate --fingerprint ${quick}`, /cards\.sealed: \d+ read, [1-9]\d* re-encrypted/],
  ] as const) {
    test(`the one that ${name}`, async ({ shop, as, cardShop, cardAs, florin }) => {
      const shops = { shop, other: as('other'), cardShop, cardOther: cardAs('other') };
      const old = await createBefore(shops);
      const stop = load(shops, old);
      const { code, output } = await runVault(command);
      await versionsListed();
      const { failures, done } = await stop();
      expect(failures).toEqual([]);
      expect(code, output).toBe(0);
      expect(output).toMatch(place);
      expect(output).toMatch(/is the only one in use; 1 older deleted/);
      for (const [kind, count] of Object.entries(done)) expect(count, kind).toBeGreaterThan(2);
      await stillPays(shops, old, florin);
    });
  }

  // Repeats the command until it completes: the database releases the lock of a killed one with a delay.
  const untilCompleted = (command: string) =>
    expect
      .poll(async () => (await runVault(command)).output)
      .toMatch(/was announced before; the rotation continues[\s\S]*is the only one in use; 1 older deleted/);

  test('after a kill, the command continues', async ({ shop, as, cardShop, cardAs, florin }) => {
    const shops = { shop, other: as('other'), cardShop, cardOther: cardAs('other') };
    const old = await createBefore(shops);
    const killed = startVault('rotate --lead 3 --settle 60');
    await killed.said('mids.settings');
    const second = await runVault(`rotate ${quick}`);
    expect([second.code, second.output]).toEqual([1, 'Another rotation is running.\n']);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect((await cardShop.sell()).answer.body.status).toBe('SETTLED');
    await untilCompleted(`rotate ${quick}`);
    await stillPays(shops, old, florin);
  });

  test('a card is found by either fingerprint while some are old', async ({ shop, as, cardShop, cardAs, florin }) => {
    const shops = { shop, other: as('other'), cardShop, cardOther: cardAs('other') };
    const old = await createBefore(shops);
    const killed = startVault('rotate --fingerprint --lead 3 --settle 60');
    await killed.said('is announced');
    killed.child.kill('SIGKILL');
    await killed.ended;
    await new Promise((resolve) => setTimeout(resolve, 4000));
    // The new key is in use now, and every card still has the old fingerprint.
    const tokenAgain = async (merchant: CardMerchant) =>
      (await merchant.sell({ req_token: 'Y' })).answer.body.card_token;
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => tokenAgain(cardShop)));
    expect([...new Set(atOnce)]).toEqual([old.token]);
    await untilCompleted(`rotate --fingerprint ${quick}`);
    expect(await tokenAgain(cardAs('other'))).toBe(old.other);
    await stillPays(shops, old, florin);
  });
});

test('a new VAULT_KEY: processes with either serve in parallel', async ({ shop, shopServer, cardShop, florin }) => {
  const { cookie } = await visitorAs(florin, 'merchant');
  const stored = await cardShop.sell({ req_token: 'Y' });
  const byToken = { ...without, card_token: stored.answer.body.card_token, card_cvv2: '123' };
  const { VAULT_KEY: oldKey = '' } = serverSettings();
  const newKey = randomBytes(32).toString('base64');
  const wrong = await runVault('rotate --new-key', {
    VAULT_KEY: newKey,
    VAULT_KEY_OLD: randomBytes(32).toString('base64'),
  });
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('VAULT_KEY_OLD does not decrypt')]);
  const both = await runVault('rotate --new-key', { VAULT_KEY: newKey, VAULT_KEY_OLD: oldKey });
  expect(both.code, both.output).toBe(0);
  // Both decrypt the key of the audit log.
  for (const VAULT_KEY of [oldKey, newKey]) {
    const { code, output } = await checkAuditLog([], { VAULT_KEY });
    expect([code, output]).toEqual([0, expect.stringContaining('The chain is intact')]);
  }
  const stranger = await checkAuditLog([], { VAULT_KEY: randomBytes(32).toString('base64') });
  expect([stranger.code, stranger.output]).toEqual([1, expect.stringContaining('VAULT_KEY does not decrypt')]);
  expect((await runVault(`rotate ${quick}`)).output).toContain('VAULT_KEY is being exchanged');

  const next = await startKillableServer({ VAULT_KEY: newKey });
  try {
    const there = merchantClient(next.url, shop.credentials, shopServer);
    // Users stay signed in.
    expect((await visitor(next.url, cookie).get('/account')).status).toBe(200);
    const paid = await pay(there);
    await untilStatus(there, paid.id, 'settled');
    const cardThere = cardMerchant(next.url, cardShop.credentials, shopServer);
    expect((await cardThere.sell(byToken)).answer.body.status).toBe('SETTLED');
    expect((await cardShop.sell(byToken)).answer.body.status).toBe('SETTLED');
    // A page that one process has opened is paid at the other.
    const { order, url } = await shop.open();
    await startPayer(next.url).pay(url.replace(shop.baseUrl, next.url), cards.settled);
    await expectCallbacks(shop, order, ['success sale settled']);

    const forgotten = await runVault('rotate --forget-old-key', { VAULT_KEY: newKey });
    expect(forgotten.output).toContain('4 data keys are encrypted with VAULT_KEY only');
    expect((await cardThere.sell(byToken)).answer.body.status).toBe('SETTLED');
    // A process with the old key continues with the versions that it has decrypted; it cannot decrypt new versions.
    expect((await cardShop.sell(byToken)).answer.body.status).toBe('SETTLED');
  } finally {
    await next.kill();
    // Restores the initial key of the server under test.
    await runVault('rotate --new-key', { VAULT_KEY: oldKey, VAULT_KEY_OLD: newKey });
    await runVault('rotate --forget-old-key', { VAULT_KEY: oldKey });
  }
  expect((await runVault(`rotate ${quick}`)).code).toBe(0);
  expect((await cardShop.sell(byToken)).answer.body.status).toBe('SETTLED');
  expect(await checkAuditLog()).toMatchObject({ code: 0, output: expect.stringContaining('The chain is intact') });
});

test('a card is found by its number, and the number is never shown', async ({ cardShop }) => {
  const number = '6759649826438453';
  await cardShop.sell({ card_number: number, req_token: 'Y' });
  const result = await runVault('find', {}, ' 6759 6498 2643-8453 \n');
  expect(result.code, result.output).toBe(0);
  expect(result.output).toMatch(
    /675964\*{6}8453 {2}01\/2038 {2}card [0-9a-f-]{36}\n {2}merchant .+, [1-9]\d* payments, 1 tokens/,
  );
  expect(result.output.replaceAll(/\D/g, '')).not.toContain(number);
  const none = await runVault('find', {}, '6304000000000000');
  expect([none.code, none.output]).toEqual([1, 'No row of the vault holds this card.\n']);
  expect((await runVault('find', {}, '4111111111111112')).output).toBe('That is no card number.\n');
  const argued = await runVault(`find ${number}`);
  expect(argued.code).toBe(2);
  expect(argued.output).not.toContain(number);
});

/** The versions of the secret of sessions. */
const sessionKeys = () =>
  sql(`select version, encode(wrapped, 'hex') as wrapped from data_keys where purpose = 'sessions' order by version`);

// The last test of the file: the server under test keeps the secret of its start, so its sessions end.
test('after a new secret of sessions all users sign in again, by recovery codes instead of authenticators', async ({
  cardShop,
}) => {
  const before = await startKillableServer();
  const plain = await createUser(before.url, 'operator', merchantIds.plain);
  const withFactor = await createUser(before.url, 'operator', merchantIds.plain);
  const { app, codes } = await enrol(withFactor.visitor);
  const [old] = await sessionKeys();
  const { code, output } = await runVault('rotate --sessions');
  expect([code, output]).toEqual([0, 'The secret of sessions is new. Now restart every process.\n']);
  const keys = await sessionKeys();
  expect(keys.map(({ version }) => version)).toEqual([old.version + 1]);
  expect(keys[0].wrapped).not.toBe(old.wrapped);
  // Until their restart, processes use the secret of their start.
  expect((await plain.visitor.get('/account')).status).toBe(200);
  await before.kill();

  const after = await startKillableServer();
  try {
    for (const { visitor: own } of [plain, withFactor]) {
      expect((await visitor(after.url, own.cookie).get('/account')).status).toBe(401);
    }
    const signIn = async (email: string) =>
      visitor(after.url, cookiesOf((await signInWithRetry(after.url, email)).headers));
    expect((await (await signIn(plain.email)).get('/account')).status).toBe(200);

    // The authenticator's secret is encrypted under the old one.
    const half = await signIn(withFactor.email);
    const lost = await half.post('/sign-in/code', { way: 'totp', code: await app.code() });
    expect([lost.status, lost.body.error.message]).toEqual([401, expect.stringContaining('can no longer be checked')]);
    const found = await half.post('/sign-in/code', { way: 'recovery', code: codes[0] });
    expect(found.status).toBe(200);
    const again = visitor(after.url, cookiesOf(found.headers));
    const confirmed = await again.post('/confirm', { code: await app.code() });
    expect([confirmed.status, confirmed.body.error.fields.code]).toEqual([400, lost.body.error.message]);
    const { app: fresh } = await enrol(again, { code: codes[1] });
    const totp = { way: 'totp', code: await fresh.code() };
    expect((await (await signIn(withFactor.email)).post('/sign-in/code', totp)).status).toBe(200);

    expect((await cardShop.sell()).answer.body.status).toBe('SETTLED');
    expect(await checkAuditLog()).toMatchObject({ code: 0, output: expect.stringContaining('The chain is intact') });
    const [entry] = await sql(`select after from audit_entries where action = 'vault.rotate' order by id desc limit 1`);
    expect(entry).toEqual({ after: { what: 'secret of sessions' } });
  } finally {
    await after.kill();
  }
});
