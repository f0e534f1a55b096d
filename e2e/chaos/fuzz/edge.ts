// The addresses of a running sandbox that take each kind of input. Every response must come, without a status of 500,
// with the error body of its protocol and without the card number of the request.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type fc from 'fast-check';
import { signWebhook } from '../../../lib/core/webhooks.ts';
import { apmMerchant } from '../../support/apm-merchant.ts';
import { cardMerchant } from '../../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../../support/created-merchants.ts';
import { type Visitor, visitorAs } from '../../support/dashboard.ts';
import { plainPng } from '../../support/logo-png.ts';
import { newOrderNumber } from '../../support/merchant.ts';
import { merchants } from '../../support/merchants.ts';
import { sendRequest } from '../../support/send-request.ts';
import { type ShopServer, startShopServer } from '../../support/shop-server.ts';
import { appleToken, googleToken, walletFields } from '../../support/wallets.ts';
import { pairs as pairsOf, type ValidRequest, validRequests } from '../malformed-requests.ts';
import { startSandbox } from '../sandbox.ts';
import { boundary, mutatedBytes, mutatedForm, mutatedJsonBytes, mutatedMultipart, mutatedPairs } from './mutations.ts';
import type { Parser } from './parser.ts';
import { hasCardNumber, type Target } from './parsers.ts';

type Address = [name: string, parser: Parser];
type Headers = Record<string, string>;

/** A password that is sent where one is asked for. */
const password = 'a password that no text contains';

export type Edge = Awaited<ReturnType<typeof startEdge>>;

/** Starts a sandbox with the merchants of the end-to-end tests. */
export async function startEdge() {
  const sandbox = await startSandbox('fuzz');
  process.env.DEMO_PASSWORD = sandbox.variables.DEMO_PASSWORD;
  const shopServer = await startShopServer();
  const place: Place = { url: sandbox.url, shopServer };
  return {
    addressesOf: (target: Target): Promise<Address[]> => addressesOf(target, place),
    eventLoopDelay: sandbox.eventLoopDelay,
    /** What the server shows after the requests: whether it runs, and its log. */
    async violationsOf(target: Target): Promise<string[]> {
      if (!sandbox.isUp()) return [`${target}: the server has crashed`];
      const lines = await linesWithSecrets(sandbox.log);
      return lines.slice(0, 3).map((line) => `${target}: the log has a secret of a request: ${line.slice(0, 500)}`);
    },
    async stop() {
      await shopServer.close();
      await sandbox.stop();
    },
  };
}

async function linesWithSecrets(log: string): Promise<string[]> {
  const found: string[] = [];
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (hasCardNumber(line) || line.includes(password)) found.push(line);
  }
  return found;
}

type Place = { url: string; shopServer: ShopServer };

/** Sends the body, and throws for a response that violates a rule. */
function sending({ url }: Place, path: string, headers: Headers): Parser['parse'] {
  return (body) => check(`${url}${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
}

/** Order numbers are left alone, whatever digits they have. */
const orderNumber = /"order_(?:id|number)":"[^"]*"/g;

async function check(address: string, init: RequestInit): Promise<void> {
  const { status, text } = await sendRequest(address, { ...init, signal: AbortSignal.timeout(20_000) });
  const { pathname } = new URL(address);
  if (status >= 500) throw new Error(`${status} from ${pathname}: ${text.slice(0, 300)}`);
  if (hasCardNumber(text.replace(orderNumber, '')) || text.includes(password))
    throw new Error(`${pathname} returns a secret of the request.`);
  if (status >= 400 && !hasErrorBody(pathname, text))
    throw new Error(`${status} from ${pathname}: ${text.slice(0, 300)}`);
}

/** Whether an error has the body of its protocol. Pages of payers and of providers have none. */
function hasErrorBody(path: string, text: string): boolean {
  if (!/^\/(api\/v1|s2s|dashboard\/api)\//.test(path)) return true;
  const body = JSON.parse(text);
  if (path.startsWith('/dashboard')) return typeof body.error.message === 'string';
  const [first] = body.errors;
  return body.result === 'ERROR' && [body, first].every((each) => typeof each.error_message === 'string');
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };
const multipartType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

async function addressesOf(target: Target, place: Place): Promise<Address[]> {
  const found = {
    form: () => protocolAddresses(place, 'form'),
    multipart: () => protocolAddresses(place, 'multipart'),
    json: () => protocolAddresses(place, 'json'),
    asn1: () => certificateAddresses(place),
    emv: () => codeAddresses(place),
    notifications: () => notificationAddresses(place),
    csv: () => exportAddresses(place),
    jws: () => tokenAddresses(place, 'googlepay', () => [googleToken('PAN_ONLY'), googleToken('CRYPTOGRAM_3DS')]),
    documents: () => logoAddresses(place),
  };
  return found[target]();
}

/** Requests of all protocols and pages, by address. */
async function protocolAddresses(place: Place, kind: 'form' | 'multipart' | 'json'): Promise<Address[]> {
  const environment = { apps: [place], credentials: merchants.plain, shopServer: place.shopServer };
  const valid = (await validRequests(environment)).filter(({ method }) => method === 'POST');
  const groups = Map.groupBy(
    valid.filter(
      ({ type, path }) =>
        type === (kind === 'json' ? 'json' : 'form') && (kind !== 'multipart' || path.startsWith('/s2s')),
    ),
    ({ path }) => path,
  );
  const addresses = [...groups].map(
    ([path, requests]): Address => [
      `POST ${path.replace(/[\w-]{40,}/, ':token')}`,
      parserOf(place, kind, path, requests),
    ],
  );
  return kind === 'form' ? [...addresses, signedSales(place)] : addresses;
}

function parserOf(place: Place, kind: 'form' | 'multipart' | 'json', path: string, requests: ValidRequest[]): Parser {
  const fields = requests.map((request) => request.fields);
  if (kind === 'json') return { inputs: mutatedJsonBytes(fields), parse: sending(place, path, jsonType) };
  const forms = fields.map((each) => pairsOf(each));
  return kind === 'form'
    ? { inputs: mutatedForm(forms), parse: sending(place, path, formType) }
    : { inputs: mutatedMultipart(forms), parse: sending(place, path, multipartType) };
}

/** Forms that are signed after the mutation, so that they pass the checks and reach the provider. */
const signedForms = (base: object, sign: (fields: Record<string, unknown>) => object): fc.Arbitrary<Buffer> =>
  mutatedPairs([pairsOf(base)]).map((pairs) => {
    const order_id = newOrderNumber();
    const fields = Object.entries(sign({ ...Object.fromEntries(pairs), order_id }));
    return Buffer.from(new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString());
  });

function signedSales(place: Place): Address {
  const card = cardMerchant(place.url, merchants.plain, place.shopServer);
  const inputs = signedForms(card.chargeBody('SALE'), card.signed);
  return ['POST /s2s/card/post, signed', { inputs, parse: sending(place, '/s2s/card/post', formType) }];
}

/** Sales by methods that are paid by a code, with mutated texts in it. */
async function codeAddresses(place: Place): Promise<Address[]> {
  const shop = apmMerchant(place.url, merchants.methods, place.shopServer);
  const brands = {
    'ptw-pix': 'BRL',
    'transact365-qris': 'IDR',
    'transact365-duitnow': 'MYR',
    'transact365-qrph': 'PHP',
  };
  return Object.entries(brands).map(([brand, order_currency]): Address => {
    const inputs = signedForms(shop.chargeBody('SALE', { brand, order_currency }), shop.signed);
    return [`SALE of ${brand}`, { inputs, parse: sending(place, '/s2s/apm/post', formType) }];
  });
}

function tokenAddresses(place: Place, wallet: 'applepay' | 'googlepay', tokensOf: () => string[]): Promise<Address[]> {
  const shop = cardMerchant(place.url, merchants.wallets, place.shopServer);
  const inputs = mutatedJsonBytes(tokensOf().map((token) => JSON.parse(token))).map((token) => {
    const body = shop.signed(shop.chargeBody('SALE', walletFields(wallet, token.toString())));
    const fields = Object.entries(body).filter(([, value]) => value !== undefined);
    return Buffer.from(new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString());
  });
  return Promise.resolve([[`SALE by ${wallet}`, { inputs, parse: sending(place, '/s2s/card/post', formType) }]]);
}

const userHeaders = ({ url }: Place, { cookie }: Visitor) => ({ ...jsonType, cookie, origin: url });

/** Uploads of certificates and keys, and Apple Pay tokens. */
async function certificateAddresses(place: Place): Promise<Address[]> {
  const { certificateParsers } = await import('./crypto-parsers.ts');
  const manager = await visitorAs(place.url, 'manager');
  const merchant = await makeMerchant(manager);
  const settings = { kind: 'applepay', merchantIdentifier: 'merchant.test.florin', country: 'NL', shopName: 'Shop' };
  const lists = { merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa'] };
  const { body: wallet } = await manager.post('/wallets', { ...settings, ...lists, merchant: merchant.id });
  const { version } = wallet;
  const uploads = ['certificate or key', 'PKCS #12'] as const;
  const files = await certificateParsers();
  const addresses = uploads.flatMap((name): Address[] => {
    const inputs = (files[name] as Parser).inputs.map((file) => {
      const privateKey = name === 'PKCS #12' ? undefined : file.toString('base64');
      const upload = { version, slot: 'processing', certificate: file.toString('base64'), privateKey, password };
      return Buffer.from(JSON.stringify(upload));
    });
    const path = `/dashboard/api/wallets/${wallet.id}/certificates`;
    return [[`upload of a ${name}`, { inputs, parse: sending(place, path, userHeaders(place, manager)) }]];
  });
  return [...addresses, ...(await tokenAddresses(place, 'applepay', () => [appleToken()]))];
}

/** Notifications of a provider with a known secret: signed after the mutation, or not signed. */
async function notificationAddresses(place: Place): Promise<Address[]> {
  const manager = await visitorAs(place.url, 'manager');
  const merchant = await makeMerchant(manager);
  const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const account = { provider: 'own', url: 'http://127.0.0.1:9/v1', apiKey: 'k', signingSecret, timeoutSeconds: 1 };
  const { id } = await makeMid(manager, merchant.id, account);
  const inputs = mutatedJsonBytes([{ reference: crypto.randomUUID(), status: 'approved' }]);
  const path = `${place.url}/notify/http/${id}`;
  const signed = (body: Buffer) => signWebhook(signingSecret, 'm1', new Date(), body.toString('latin1'));
  const send = (body: Buffer, headers: Headers) =>
    check(path, { method: 'POST', headers: { ...jsonType, ...headers }, body: new Uint8Array(body) });
  return [
    ['a signed notification', { inputs, parse: (body) => send(body, signed(body)) }],
    ['an unsigned notification', { inputs, parse: (body) => send(body, {}) }],
  ];
}

/** Exports with mutated filters; the rows have the texts of the other targets. */
async function exportAddresses(place: Place): Promise<Address[]> {
  const manager = await visitorAs(place.url, 'manager');
  const filters = { q: 'x', state: 'settled', from: '2026-01-01', to: '2026-12-31', after: 'x', sort: 'amount' };
  const inputs = mutatedPairs([pairsOf(filters)]).map((pairs) =>
    Buffer.from(
      new URLSearchParams(pairs.map(([name, value]) => [name.slice(0, 500), value.slice(0, 2000)]))
        .toString()
        .slice(0, 7000),
    ),
  );
  const parse = (query: Buffer) =>
    check(`${place.url}/dashboard/api/payments/export?${query}`, { headers: { cookie: manager.cookie } });
  return [['GET /payments/export', { inputs, parse }]];
}

/** Uploads of logos. */
async function logoAddresses(place: Place): Promise<Address[]> {
  const manager = await visitorAs(place.url, 'manager');
  const merchant = await makeMerchant(manager);
  const inputs = mutatedBytes([plainPng(20, 20, [1, 2, 3])]).map((file) =>
    Buffer.from(JSON.stringify({ version: 0, logo: file.toString('base64'), values: {} })),
  );
  const path = `/dashboard/api/look/${merchant.id}`;
  return [['upload of a logo', { inputs, parse: sending(place, path, userHeaders(place, manager)) }]];
}
