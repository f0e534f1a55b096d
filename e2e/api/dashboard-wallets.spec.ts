// Wallets are set up over the dashboard API, and payments use them: the service requests or generates every certificate
// and key, and no answer contains a private key.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { answerRequest, identityFor } from '../support/certificates.ts';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { merchantId } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';
import { appleAddress, startApple } from '../support/wallet-device.ts';
import { ellipticKeys, issueMerchant, pemOf, rsaKeys } from '../support/wallet-sealers/certificates.ts';
import { appleToken, googleToken, invalidToken, refusalOf, sellByWallet, walletFields } from '../support/wallets.ts';

test.describe.configure({ mode: 'serial' });

/** Only these tests change the wallets of this merchant. */
const merchant = merchantId(80);
const identifier = 'merchant.test.florin';

const apple = {
  merchantIdentifier: identifier,
  country: 'NL',
  shopName: 'Orme Ceramics',
  merchantCapabilities: ['supports3DS', 'supportsDebit'],
  supportedNetworks: [],
};

const google = {
  recipient: 'gateway',
  gateway: 'florin',
  gatewayMerchantId: 'test-wallets',
  merchantId: 'BCR2DN4TEST',
  allowedAuthMethods: ['CRYPTOGRAM_3DS', 'PAN_ONLY'],
  networks: [],
};

const base64 = (file: string | Buffer) => Buffer.from(file).toString('base64');

/** Every answer in this file, to search them for secrets. */
const answers: string[] = [];

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Wallet = any;

/** A user's view of one wallet: every POST sends the version that was read last. */
async function opened(by: Visitor, id: string) {
  let { body: wallet }: { body: Wallet } = await by.get(`/wallets/${id}`);
  const post = async (path: string, fields: object) => {
    const { status, body } = await by.post(`/wallets/${id}${path}`, { version: wallet.version, ...fields });
    answers.push(JSON.stringify(body));
    if (status === 200 && body.version !== undefined) wallet = body;
    return { status, body };
  };
  return {
    post,
    wallet: () => wallet,
    /** The pending certificate request as a file. */
    async request(florin: string, slot: string) {
      const response = await fetch(`${florin}/dashboard/api/wallets/${id}/requests/${slot}`, {
        headers: { cookie: by.cookie },
      });
      expect(response.headers.get('content-disposition')).toContain(`${slot}.certSigningRequest`);
      return response.text();
    },
  };
}

test('sets Apple Pay up with its own certificate requests, and renews the certificate while both are valid', async ({
  florin,
  cardAs,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const created = await manager.post('/wallets', { kind: 'applepay', merchant, ...apple });
  expect(created.body).toMatchObject({ values: apple, enabled: false, environment: 'TEST', flow: 'virtual' });
  const repeated = await manager.post('/wallets', { kind: 'applepay', merchant, ...apple });
  expect([repeated.status, repeated.body.error.message]).toEqual([409, 'The merchant has this wallet already.']);

  const pay = await opened(manager, created.body.id);
  const shop = cardAs('walletSettings');
  const sell = (recipient: Parameters<typeof createPublicKey>[0]) => {
    const publicKey = createPublicKey(recipient);
    return sellByWallet(shop, walletFields('applepay', appleToken({}, { recipient: { publicKey } })));
  };

  await pay.post('/requests', { slot: 'processing', kind: 'EC' });
  const first = answerRequest(await pay.request(florin, 'processing'), identifier);
  const uploaded = await pay.post('/certificates', { slot: 'processing', certificate: base64(first) });
  expect(uploaded.body).toMatchObject({
    flow: 'card',
    requests: { processing: null },
    processing: [{ hasKey: true, key: 'EC P-256', state: 'valid', marks: ['1.2.840.113635.100.6.32'] }],
  });
  expect((await pay.post('/switch', { enabled: true })).body.enabled).toBe(true);
  const paid = await sell(pemOf(first));
  expect(paid.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', digital_wallet: 'applepay' });

  await pay.post('/requests', { slot: 'processing', kind: 'EC' });
  const second = answerRequest(await pay.request(florin, 'processing'), identifier);
  await pay.post('/certificates', { slot: 'processing', certificate: base64(pemOf(second)) });
  expect(pay.wallet().processing).toHaveLength(2);
  for (const certificate of [first, second]) {
    expect((await sell(pemOf(certificate))).answer.body).toMatchObject({ status: 'SETTLED' });
  }

  const { fingerprint } = uploaded.body.processing[0];
  await pay.post('/certificates/remove', { slot: 'processing', fingerprint });
  expect(pay.wallet().processing).toHaveLength(1);
  const late = appleToken({}, { recipient: { publicKey: createPublicKey(pemOf(first)) } });
  expect(await refusalOf(shop, walletFields('applepay', late))).toEqual(invalidToken);
  expect((await sell(pemOf(second))).answer.body).toMatchObject({ status: 'SETTLED' });
});

test('rejects certificates of another key, merchant or period, and files that are not certificates', async ({
  florin,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  const pay = await opened(manager, page.apple.id);
  await pay.post('/requests', { slot: 'processing', kind: 'RSA' });
  const own = ellipticKeys();
  const pair = (keys: typeof own) => base64(keys.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const of = (name: string, keys = own) => base64(issueMerchant(name, keys).certificate);
  const cases: [object, string, RegExp][] = [
    [{ certificate: of(identifier) }, 'certificate', /does not match the CSR of/],
    [{ certificate: of(identifier), privateKey: pair(ellipticKeys()) }, 'privateKey', /does not belong/],
    [{ certificate: of('merchant.test.other'), privateKey: pair(own) }, 'certificate', /this wallet is/],
    [{ certificate: base64('nothing') }, 'certificate', /neither a certificate/],
    [{ certificate: '%' }, 'certificate', /is incomplete/],
    [
      { certificate: base64(await requestedIdentity(pay, florin, '2021-01-01')) },
      'certificate',
      /expired on 2021-01-01/,
    ],
  ];
  for (const [fields, field, message] of cases) {
    const { status, body } = await pay.post('/certificates', { slot: 'processing', ...fields });
    expect([status, body.error.fields?.[field]]).toEqual([400, expect.stringMatching(message)]);
  }
  const pasted = { slot: 'processing', certificate: of(identifier), privateKey: pair(own) };
  expect((await pay.post('/certificates', pasted)).body.processing).toHaveLength(2);
  const rsa = rsaKeys();
  const elsewhere = { slot: 'processing', certificate: of(identifier, rsa), elsewhere: true };
  expect((await pay.post('/certificates', elsewhere)).body.processing).toContainEqual(
    expect.objectContaining({ hasKey: false, key: 'RSA 2048' }),
  );
});

/** An identity certificate for a new request. */
async function requestedIdentity(pay: Awaited<ReturnType<typeof opened>>, florin: string, until?: string) {
  await pay.post('/requests', { slot: 'identity', kind: 'RSA' });
  return identityFor(await pay.request(florin, 'identity'), identifier, until);
}

test('accepts an identity certificate, and Apple returns a session for it', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  const pay = await opened(manager, page.apple.id);
  expect((await pay.post('/validation', {})).status).toBe(409);
  const certificate = base64(await requestedIdentity(pay, florin));
  await pay.post('/certificates', { slot: 'identity', certificate });
  expect(pay.wallet()).toMatchObject({ identity: { key: 'RSA 2048', hasKey: true }, requests: { identity: null } });

  const appleServer = await startApple();
  const host = new URL(florin).hostname;
  expect((await pay.post('/validation', {})).body).toEqual({ host, fault: null });
  expect(appleServer.asked).toEqual([
    {
      path: new URL(appleAddress).pathname,
      merchantIdentifier: identifier,
      displayName: 'Orme Ceramics',
      initiative: 'web',
      initiativeContext: host,
    },
  ]);
  appleServer.answerWith(403);
  expect((await pay.post('/validation', {})).body.fault).toContain('Apple did not create a session');
  const { body: log } = await manager.get(`/audit-log?on=wallet:${page.apple.id}&what=wallet.check`);
  expect(log.rows[0]).toMatchObject({ what: expect.stringMatching(/^Checked wallet/), fields: [{ name: 'host' }] });
  await appleServer.close();
});

test("serves a host's verification file, and finds it as Apple does", async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  const pay = await opened(manager, page.apple.id);
  const address = `${florin}/.well-known/apple-developer-merchantid-domain-association`;
  const host = new URL(florin).hostname;
  const file = `7B227073704964223A22${Date.now().toString(16)}`;
  expect((await fetch(address)).status).toBe(404);
  await pay.post('/domains', { host: host.toUpperCase(), file });
  const served = await fetch(address);
  expect([await served.text(), served.headers.get('content-type')]).toEqual([file, 'text/plain; charset=utf-8']);
  await pay.post('/domains/check', { host });
  expect(pay.wallet().domains).toEqual([
    expect.objectContaining({ host, fault: null, checkedAt: expect.any(String), url: address }),
  ]);
  expect((await pay.post('/domains', { host: 'https://a.example', file })).body.error.fields.host).toContain('host');
  expect((await pay.post('/domains', { host, file: '<script>ü' })).status).toBe(400);
  await pay.post('/domains/remove', { host });
  const { body: log } = await manager.get(`/audit-log?on=wallet:${page.apple.id}&what=wallet.domain_check`);
  expect(log.rows[0]).toMatchObject({ what: expect.stringMatching(/^Checked a domain of wallet/) });
  expect((await fetch(address)).status).toBe(404);
});

test('sets Google Pay up with a generated key, and rotates keys', async ({ florin, cardAs }) => {
  const manager = await visitorAs(florin, 'manager');
  const created = await manager.post('/wallets', { kind: 'googlepay', merchant, ...google });
  expect(created.body).toMatchObject({ values: google, flow: 'virtual', keys: [], hasRoots: true });
  const pay = await opened(manager, created.body.id);
  const live = { ...google, environment: 'PRODUCTION' };
  expect((await pay.post('', live)).body.error.fields.environment).toContain('accepts tokens of TEST only');

  await pay.post('/keys', {});
  await pay.post('/switch', { enabled: true });
  const [made] = pay.wallet().keys;
  const shop = cardAs('walletSettings');
  const sell = (point: string) => {
    const recipient = keyOfPoint(point);
    return sellByWallet(shop, walletFields('googlepay', googleToken('CRYPTOGRAM_3DS', {}, { recipient })));
  };
  expect((await sell(made.publicKey)).answer.body).toMatchObject({ status: 'SETTLED', digital_wallet: 'googlepay' });

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ format: 'pem', type: 'sec1' }).toString();
  await pay.post('/keys', { privateKey: pem });
  expect((await pay.post('/keys', { privateKey: pem })).status).toBe(409);
  expect((await pay.post('/keys', { privateKey: 'nothing' })).body.error.fields.privateKey).toContain('P-256');
  const [, generated] = pay.wallet().keys;
  await pay.post('/keys/prefer', { fingerprint: generated.fingerprint });
  expect(pay.wallet().keys.map((key: Wallet) => key.fingerprint)).toEqual([generated.fingerprint, made.fingerprint]);
  for (const key of [generated, made]) {
    expect((await sell(key.publicKey)).answer.body).toMatchObject({ status: 'SETTLED' });
  }
  await pay.post('/keys/remove', { fingerprint: made.fingerprint });
  const late = googleToken('CRYPTOGRAM_3DS', {}, { recipient: keyOfPoint(made.publicKey) });
  expect(await refusalOf(shop, walletFields('googlepay', late))).toEqual(invalidToken);
});

function keyOfPoint(point: string) {
  const prefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
  const key = Buffer.concat([prefix, Buffer.from(point, 'base64')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

// the change | the field with the error
const wrong: [object, string][] = [
  [{ merchantIdentifier: 'com.example.shop' }, 'merchantIdentifier'],
  [{ merchantIdentifier: 'merchant.test.other' }, 'merchantIdentifier'],
  [{ country: 'XX' }, 'country'],
  [{ shopName: ' ' }, 'shopName'],
  [{ shopName: 'Orme\u202eCeramics' }, 'shopName'],
  [{ merchantCapabilities: ['supportsCredit'] }, 'merchantCapabilities'],
  [{ supportedNetworks: ['visa', 'quickpay'] }, 'supportedNetworks.1'],
];

test('returns field errors, and rejects an outdated form', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  const pay = await opened(manager, page.apple.id);
  for (const [changed, field] of wrong) {
    const { status, body } = await pay.post('', { ...apple, ...changed });
    expect([status, Object.keys(body.error.fields ?? {})], JSON.stringify(changed)).toEqual([400, [field]]);
  }
  const before = pay.wallet().version;
  const saved = await pay.post('', { ...apple, supportedNetworks: ['amex', 'visa'], country: 'de' });
  expect(saved.body.values).toMatchObject({ supportedNetworks: ['visa', 'amex'], country: 'DE' });
  const late = await manager.post(`/wallets/${page.apple.id}`, { version: before, ...apple });
  expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('changed by someone else')]);
});

test('other merchants can neither see nor change it', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  const path = `/wallets/${page.apple.id}`;
  const body = { version: page.apple.version, ...apple };
  const owner = await visitorAs(florin, 'merchant');
  expect((await owner.get(path)).status).toBe(404);
  expect((await owner.get(`/wallets?merchant=${merchant}`)).status).toBe(404);
  expect((await owner.get(`${path}/requests/processing`)).status).toBe(404);
  const own = await owner.get('/wallets');
  expect(own.body).toMatchObject({
    mayChange: false,
    merchants: [expect.objectContaining({ name: expect.any(String) })],
  });
  for (const [name, get, post] of [
    ['merchant', 404, 403],
    ['operator', 403, 403],
    ['viewer', 403, 403],
  ] as const) {
    const user = await visitorAs(florin, name);
    expect([(await user.get(path)).status, (await user.post(path, body)).status]).toEqual([get, post]);
  }
  expect((await manager.get('/wallets/00000000-0000-7000-8000-000000000000')).status).toBe(404);
});

test('no answer and no audit log entry contains a secret', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  answers.push(JSON.stringify(page));
  expect(answers.length).toBeGreaterThan(20);
  for (const text of answers) expect(text).not.toMatch(/PRIVATE KEY|"privateKey":"(?!The|Upload)/);
  const { body: logged } = await manager.get(`/audit-log?q=${page.apple.id}`);
  expect(JSON.stringify(logged)).not.toContain('PRIVATE KEY');
});

test('removes a wallet with its keys', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const { body: page } = await manager.get(`/wallets?merchant=${merchant}`);
  for (const { id } of [page.apple, page.google]) {
    const pay = await opened(manager, id);
    expect((await pay.post('/remove', {})).body).toEqual({ merchantId: merchant });
    expect((await manager.get(`/wallets/${id}`)).status).toBe(404);
  }
});
