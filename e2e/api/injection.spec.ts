// Requests every route and every page with texts that could become markup, script or a header: no answer contains them
// unescaped, and every answer has the headers that would contain the damage.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { visitorAs } from '../support/dashboard.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import { expect, test } from '../support/test.ts';

type Row = { method: string; path: string };
type Answer = { status: number; headers: Headers; text: string };

const script = join(import.meta.dirname, '..', '..', 'scripts', 'florin.mjs');
const rows = JSON.parse(execFileSync(process.execPath, [script, 'routes'], { encoding: 'utf8' })) as Row[];

const mark = 'pwn7f3a';
/** Each is searched in the raw answer. */
const payloads = [
  `"><script>${mark}()</script>`,
  `'><img src=x onerror=${mark}()>`,
  `</script><svg onload=${mark}()>`,
  `javascript:${mark}()`,
  `${mark}\r\nX-Injected: ${mark}`,
  `\u202e\u2028<b title=${mark}>\ufeff`,
];
const markup = /<(?:script|img|svg|b)\b[^>]*pwn7f3a/i;

/** Every parameter of paths, forms and JSON that a route reads, and one that no route reads. */
const names = [
  ...['lang', 'q', 'next', 'fault', 'count', 'page', 'protocol', 'order_number', 'from', 'to', 'state', 'after', 'url'],
  ...['hash', 'payment_id', 'action', 'client_key', 'merchant_key', 'order_id', 'email', 'token', 'method', 'code'],
  ...['card_number', 'card_holder', 'payer_email', 'custom_data[a]', 'leave', 'attempt', 'guard', 'name', 'unknown'],
];

/** Real values where they are needed to get past "not found". */
type Real = { token: string; fields: string };

function addressOf(path: string, payload: string, real: Real): string {
  const filled = path.replace(/^\/pay\/:token/, `/pay/${real.token}`).replace(/:\w+|\*/g, encodeURIComponent(payload));
  return `${filled}?${new URLSearchParams(names.map((name) => [name, payload]))}`;
}

async function ask(florin: string, { method, path }: Row, payload: string, real: Real, more: HeadersInit = {}) {
  const inHeader = encodeURIComponent(payload);
  const isForm = path.startsWith('/s2s') || path.startsWith('/pay') || path.startsWith('/return');
  const values = Object.fromEntries(names.map((name) => [name, payload]));
  const body = isForm ? new URLSearchParams(values) : JSON.stringify({ ...values, order: values, customer: values });
  const response = await fetch(florin + addressOf(path, payload, real), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
    ...(method !== 'GET' && method !== 'OPTIONS' && { body }),
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-request-id': inHeader,
      'x-forwarded-host': inHeader,
      referer: `http://${mark}.example/${inHeader}`,
      'user-agent': inHeader,
      'accept-language': inHeader,
      token: real.fields,
      ...more,
    },
  });
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (streams) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: streams ? '' : await response.text() };
}

/** What is wrong with an answer; empty for a correct one. */
function faultsOf({ status, headers, text }: Answer, path: string): string[] {
  const type = headers.get('content-type') ?? '';
  const policy = headers.get('content-security-policy') ?? '';
  const location = headers.get('location') ?? '';
  const html = type.startsWith('text/html');
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? /default-src ([^;]*)/.exec(policy)?.[1] ?? '';
  // Any shop's page may embed hosted fields, and any payment page the sandbox's bank, like a real bank.
  const open = /^\/fields\/:field|^\/sandbox\/(acs|redirect|finish|provider)\//.test(path);
  const errors: [string, boolean][] = [
    [`status ${status}`, status >= 500],
    ['a payload as markup', html && markup.test(text)],
    ['a payload in a type that browsers guess', text.includes(mark) && type === ''],
    ['an injected header', headers.has('x-injected')],
    ['a script as an address', /^\s*javascript:/i.test(location) || /(?:href|src|action)="\s*javascript:/i.test(text)],
    ['a foreign address', new RegExp(`^(https?:)?//[^/]*${mark}`).test(location)],
    ['no nosniff', headers.get('x-content-type-options') !== 'nosniff'],
    ['no policy', policy === ''],
    ['a policy without base-uri', !policy.includes("base-uri 'none'")],
    ['inline scripts', /'unsafe-|\*|(?:https?|data|blob):(?!\/\/)/.test(scripts)],
    ['no frame-ancestors', html && !policy.includes('frame-ancestors') && !policy.includes('sandbox')],
    ['frames of every origin', /frame-ancestors \*/.test(policy) && !open],
    ['a referrer', html && !['no-referrer', 'same-origin'].includes(headers.get('referrer-policy') ?? '')],
    [
      'cacheable private data',
      text.length > 0 && isPrivate(path) && !/no-store/.test(headers.get('cache-control') ?? ''),
    ],
  ];
  return errors.filter(([, wrong]) => wrong).map(([name]) => name);
}

/** Answers with card data, a payment or session data. A logo and the list of states are public. */
function isPrivate(path: string): boolean {
  if (/\/(logo|states|qr\.\w+)(\/|$)|^\/dashboard\/api\/logo/.test(path)) return false;
  return /^\/(pay|fields|return|api|s2s|dashboard|notify)\b/.test(path);
}

const redirects = (status: number) => status >= 300 && status < 400;

test('the table of routes', async ({ florin, shop }) => {
  expect(rows.length).toBeGreaterThan(150);
  const real = { token: (await shop.open()).token, fields: (await createSessionToken(shop)).token };
  const wrong: string[] = [];
  const rest = [...rows];
  const worker = async () => {
    for (let row = rest.shift(); row; row = rest.shift()) {
      for (const payload of payloads) {
        const answer = await ask(florin, row, payload, real);
        // A redirect without a body and a rejected method contain nothing that a browser could interpret.
        const skipped = answer.text === '' && (redirects(answer.status) || [204, 404, 405].includes(answer.status));
        const errors = faultsOf(answer, row.path).filter(
          (problem) => !skipped || !/nosniff|policy|referrer/.test(problem),
        );
        if (errors.length > 0) wrong.push(`${row.method} ${row.path} ${answer.status}: ${errors.join(', ')}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  expect([...new Set(wrong)]).toEqual([]);
});

test('the dashboard API for a user who may read everything', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const reads = rows.filter(({ method, path }) => method === 'GET' && path.startsWith('/dashboard/api/'));
  expect(reads.length).toBeGreaterThan(30);
  const real = { token: 'x', fields: 'x' };
  const wrong: string[] = [];
  for (const row of reads) {
    for (const payload of payloads) {
      const answer = await ask(florin, row, payload, real, { cookie: manager.cookie });
      const errors = faultsOf(answer, row.path);
      if (errors.length > 0) wrong.push(`${row.path} ${answer.status}: ${errors.join(', ')}`);
    }
  }
  expect([...new Set(wrong)]).toEqual([]);
});

test("the app's pages, with and without a session", async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const open = [
    '/',
    '/docs/reference/errors',
    '/shop',
    '/dashboard/sign-in',
    '/dashboard/sign-in/forgotten',
    '/nowhere',
  ];
  const inside = ['', '/payments', '/mappings', '/merchants', '/callbacks', '/requests', '/audit-log', '/people'];
  const pages = [
    ...open.map((path) => ({ path, cookie: '' })),
    ...inside.map((path) => ({ path: `/dashboard${path}`, cookie: manager.cookie })),
  ];
  const wrong: string[] = [];
  for (const { path, cookie } of pages) {
    for (const payload of payloads) {
      const row = { method: 'GET', path };
      const answer = await ask(florin, row, payload, { token: '', fields: '' }, { cookie });
      const skipped = answer.text === '' && redirects(answer.status);
      // Next sets the cache headers of these pages; their scripts fetch all private data.
      const errors = faultsOf(answer, path).filter((problem) => problem !== 'cacheable private data');
      if (!skipped && errors.length > 0) wrong.push(`${path} ${answer.status}: ${errors.join(', ')}`);
    }
  }
  expect([...new Set(wrong)]).toEqual([]);
});
