// Valid requests of the dashboard by a signed-in administrator: every address of its table, with existing ids, and
// bodies like those of its forms.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importWithPages } from '../../scripts/bundle.ts';
import { root } from '../../scripts/project.ts';
import type { Visitor } from '../support/dashboard.ts';
import type { Environment } from './environment.ts';
import type { ValidRequest } from './malformed-requests.ts';

type CreatedMerchants = typeof import('../support/created-merchants.ts');

const anId = /"id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;
const idsOf = (body: unknown) => [...JSON.stringify(body).matchAll(anId)].map(([, id = '']) => id);
const password = 'a sentence that is long enough, 1929';

// Excluded: they end the session of the other requests or disable the merchant.
const excluded = /\/(switch|end|end-others|switch-off|disable|held|hold|second-factor)$|^\/account\/password$/;

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const callback = { body: 'action=SALE&result=SUCCESS&hash=0', headers: 'webhook-id: a\nwebhook-timestamp: 1' };
const monthly = { name: 'Membership', interval_length: '1', interval_unit: 'month', payments_count: '12' };
const view = { name: 'Atelier', query: 'q=a&state=settled', columns: ['order', 'amount'] };
const apple = {
  kind: 'applepay',
  merchantIdentifier: 'merchant.test',
  country: 'NL',
  shopName: 'Atelier',
  merchantCapabilities: ['supports3DS'],
  supportedNetworks: [],
};
const ruled = [{ id: randomUUID(), name: 'A', enabled: true, conditions: { currencies: ['EUR'] }, targets: [] }];

/** Form bodies by the beginning of the address; the first match is used. */
const bodies = ({ merchantBody, midBody }: Pick<CreatedMerchants, 'merchantBody' | 'midBody'>): [RegExp, object][] => [
  [/^\/confirm$/, { password }],
  [/^\/account/, { password, code: '000000' }],
  [/^\/people/, { name: 'Ana', email: 'ana@example.com', role: 'viewer', merchantId: null }],
  [/^\/callbacks/, { query: 'q=a', dry: true }],
  [/^\/hash-debugger/, { protocol: 's2s_card', action: 'SALE', text: 'action=SALE&order_amount=84.50&hash=0' }],
  [/^\/callback-verifier/, callback],
  [/^\/request-builder/, { protocol: 'checkout', action: '/api/v1/session', fields: { 'order.amount': '84.50' } }],
  [/^\/mappings/, { protocol: 'checkout', version: 0, values: { cascadeLimit: 2, digest: 'md5', ipAllowlist: [] } }],
  [/^\/routing/, { version: 0, basedOn: 0, rules: ruled, query: 'q=a' }],
  [/^\/look/, { version: 0, logo: 'keep', values: { accent: '#14532d', radius: '0', texts: { de: { form: 'a' } } } }],
  [/^\/merchants/, { ...merchantBody(), version: 0, overlap: 'day' }],
  [/^\/mids/, { ...midBody({ provider: 'own', url: 'http://127.0.0.1:9/v1', apiKey: 'k' }), version: 0 }],
  [/^\/schedules/, { ...monthly, version: 0 }],
  [/^\/payments\/views/, view],
  [/^\/payments/, { version: 1, amount: '10.00', reason: 'goodwill' }],
  [/^\/wallets/, { ...apple, version: 0, slot: 'processing', certificate: pem, host: 'a.test' }],
  [/./, {}],
];

const email = 'a@b.test';
const token = 'x'.repeat(43);

/** The public addresses. */
const open: [path: string, fields: Record<string, unknown>][] = [
  ['/dashboard/api/sign-in', { email, password }],
  ['/dashboard/api/sign-in/code', { way: 'totp', code: '000000' }],
  ['/dashboard/api/sign-in/passkey', { passkey: { id: 'AA', rawId: 'AA', type: 'public-key', response: {} } }],
  ['/dashboard/api/passkey-options', { purpose: 'sign_in' }],
  ['/dashboard/api/invitation', { token, name: 'Ana', password }],
  ['/dashboard/api/password/forgotten', { email }],
  ['/dashboard/api/password/reset', { token, password }],
];

const query = {
  q: 'x',
  state: 'settled',
  from: '2026-01-01',
  to: '2026-12-31',
  after: 'x',
  sort: 'amount',
  zone: 'UTC',
};

/** The requests, in the format of `validRequests`. */
export async function dashboardRequests(environment: Environment): Promise<ValidRequest[]> {
  const url = environment.apps[0]?.url ?? '';
  const administrator = await signedIn(environment);
  const { dashboardTable } =
    await importWithPages<typeof import('../../lib/dashboard/routes.ts')>('lib/dashboard/routes.ts');
  const forms = bodies(await import('../support/created-merchants.ts'));
  const ids = await idsIn(administrator);
  const [merchant] = ids.merchants ?? [];
  const headers = { cookie: administrator.cookie, origin: url };
  const guarded = dashboardTable
    .filter(({ method, path }) => method === 'GET' || !excluded.test(path))
    .map(({ method, path }) => {
      const [id = randomUUID()] = ids[listOf(path)] ?? [];
      const filled = { merchantId: merchant, merchant, ...forms.find(([form]) => form.test(path))?.[1] };
      const at = path.replaceAll(/:\w+/g, id);
      return { method, path: `/dashboard/api${at}`, fields: method === 'GET' ? query : filled, type: 'json', headers };
    });
  return [...guarded, ...open.map(([path, fields]) => ({ method: 'POST', path, fields, type: 'json', headers }))];
}

const listOf = (path: string) => {
  const [, first = '', second] = path.split('/');
  if (second === 'views') return 'payments/views';
  const lists: Record<string, string> = { routing: 'mappings', look: 'merchants' };
  return lists[first] ?? first;
};

// A user invited by the command line, with a second factor.
async function signedIn(environment: Environment): Promise<Visitor> {
  const url = environment.apps[0]?.url ?? '';
  const [{ visitor }, { cookiesOf, enrol }] = await Promise.all([
    import('../support/dashboard.ts'),
    import('../support/users.ts'),
  ]);
  const args = ['user', 'invite', '--email', 'ana@example.com', '--role', 'administrator'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'florin.mjs'), ...args], {
    env: { ...process.env, ...environment.settings, BASE_URL: url },
  });
  const [, token] = /\/invitation\/([\w-]{43})/.exec(stdout) ?? [];
  const accepted = await visitor(url).post('/invitation', { token, name: 'Ana', password });
  const user = visitor(url, cookiesOf(accepted.headers));
  await enrol(user);
  return user;
}

// Ids by list, after creating what a new merchant does not have yet.
async function idsIn(administrator: Visitor): Promise<Record<string, string[]>> {
  const { body: merchants } = await administrator.get('/merchants');
  const [merchant] = idsOf(merchants);
  const made = Object.entries({ wallets: { ...apple, merchant }, 'payments/views': view }).map(
    async ([list, fields]) => {
      const { status, body: answer } = await administrator.post(`/${list}`, fields);
      if (status !== 200) throw new Error(`${list}: ${status} ${JSON.stringify(answer)}`);
      return [list, answer.id ? [answer.id] : idsOf(answer)] as const;
    },
  );
  const lists = 'merchants mids mappings payments sessions callbacks requests schedules people';
  const found = lists.split(' ').map(async (list) => {
    return [list, idsOf((await administrator.get(`/${list}`)).body)] as const;
  });
  return Object.fromEntries(await Promise.all([...made, ...found]));
}
