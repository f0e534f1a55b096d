// The request builder: every action of the three protocols with its form's sample values, signed on the server, and the
// generated code, run unchanged.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { demo } from '../support/merchants.ts';
import { expect, test } from '../support/test.ts';

const run = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
type Any = any;

const interpreters: { [language: string]: { command: string; file: string; asks: string[] } } = {
  shell: { command: 'bash', file: 'request.sh', asks: ['--version'] },
  node: { command: process.execPath, file: 'request.mjs', asks: ['--version'] },
  php: { command: 'php', file: 'request.php', asks: ['--version'] },
  python: { command: 'python3', file: 'request.py', asks: ['--version'] },
};

/** The languages that this machine can run; every machine has bash and Node. Asked once per worker. */
let available: Promise<string[]> | undefined;

async function findLanguages(): Promise<string[]> {
  const found = Object.entries(interpreters).map(([language, { command, asks }]) =>
    run(command, asks).then(
      () => [language],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}

/** Runs a program with the merchant's password in its environment; returns its output. */
async function runProgram(language: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-sample-'));
  try {
    const { command, file } = interpreters[language] as (typeof interpreters)[string];
    await writeFile(join(folder, file), text);
    const env = { PATH: process.env.PATH, FLORIN_PASSWORD: demo.password } as unknown as NodeJS.ProcessEnv;
    for (;;) {
      const { stdout } = await run(command, [join(folder, file)], { env, timeout: 20_000 });
      // A busy service asks for the request again after a second (Retry-After).
      if (!stdout.startsWith('503 ')) return stdout;
      await new Promise((done) => setTimeout(done, 1_000));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The initial values of a form, with changes. */
async function initialRequest(
  owner: Visitor,
  protocol: string,
  action: string,
  changes: { [path: string]: string } = {},
): Promise<Any> {
  const { status, body } = await owner.get('/request-builder');
  expect(status).toBe(200);
  const form = body.actions.find((each: Any) => each.protocol === protocol && each.action === action);
  const begins = form.fields.filter((field: Any) => field.required || field.usual);
  const fields = Object.fromEntries(begins.map(({ path, sample }: Any) => [path, sample]));
  return { protocol, action, fields: { ...fields, ...changes } };
}

const send = (owner: Visitor, request: object) => owner.post('/request-builder/send', request);

/** Sends a request that must be accepted; returns its answer. */
async function accepted(owner: Visitor, protocol: string, action: string, changes: { [path: string]: string } = {}) {
  const { status, body } = await send(owner, await initialRequest(owner, protocol, action, changes));
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.status, body.text).toBe(200);
  return JSON.parse(body.text);
}

// Each signature formula of the contract: the precondition, and the action that it signs.
type Case = { protocol: string; action: string; before?: (owner: Visitor) => Promise<{ [path: string]: string }> };

const card = (action: string, before?: Case['before']): Case => ({ protocol: 's2s_card', action, before });
const apm = (action: string, before?: Case['before']): Case => ({ protocol: 's2s_apm', action, before });
const checkout = (action: string, before?: Case['before']): Case => ({ protocol: 'checkout', action, before });

const sold =
  (protocol: string, changes: { [path: string]: string } = {}) =>
  async (owner: Visitor) => {
    const { trans_id } = await accepted(owner, protocol, 'SALE', changes);
    return { trans_id };
  };

const scheduled = async (owner: Visitor) => {
  const { schedule_id } = await accepted(owner, 's2s_card', 'CREATE_SCHEDULE');
  return { schedule_id };
};

const cases: Case[] = [
  card('SALE'),
  card('DEBIT'),
  card('CARD2CARD'),
  card('CREDIT2CARD'),
  card('CAPTURE', sold('s2s_card', { auth: 'Y' })),
  card('VOID', sold('s2s_card')),
  card('CREDITVOID', sold('s2s_card')),
  card('GET_TRANS_STATUS', sold('s2s_card')),
  card('GET_TRANS_DETAILS', sold('s2s_card')),
  card('GET_TRANS_STATUS_BY_ORDER', async (owner) => {
    const { order_id } = await accepted(owner, 's2s_card', 'SALE');
    return { order_id };
  }),
  card('RECURRING_SALE', async (owner) => {
    const first = await accepted(owner, 's2s_card', 'SALE', { recurring_init: 'Y' });
    return { recurring_first_trans_id: first.trans_id, recurring_token: first.recurring_token };
  }),
  card('SALE', async (owner) => {
    const { card_token } = await accepted(owner, 's2s_card', 'SALE', { req_token: 'Y' });
    return { card_token, card_number: '', card_exp_month: '', card_exp_year: '' };
  }),
  card('CREATE_SCHEDULE'),
  card('UPDATE_SCHEDULE', async (owner) => ({ ...(await scheduled(owner)), name: 'Weekly box' })),
  card('SCHEDULE_INFO', scheduled),
  card('PAUSE_SCHEDULE', scheduled),
  card('DELETE_SCHEDULE', scheduled),
  apm('SALE'),
  apm('GET_TRANS_STATUS', sold('s2s_apm')),
  apm('CREDITVOID', sold('s2s_apm')),
  apm('VOID', sold('s2s_apm')),
  apm('CREDIT2VIRTUAL'),
  apm('DEBIT2VIRTUAL_CALC'),
  checkout('/api/v1/session'),
  checkout('/api/v1/session/token'),
  checkout('/api/v1/payment/status', async (owner) => {
    const { order_id } = await accepted(owner, 's2s_card', 'SALE');
    return { payment_id: '', order_id };
  }),
];

test.describe('code of the request builder', () => {
  for (const { protocol, action, before } of cases) {
    test(`${protocol} ${action}${before && action === 'SALE' ? ' with a token' : ''} runs in every language`, async ({
      florin,
    }) => {
      const owner = await visitorAs(florin, 'merchant');
      available ??= findLanguages();
      const attempts = (await available).map(async (language) => {
        // Created for each language, because one-time actions cannot be repeated by the next language.
        const request = await initialRequest(owner, protocol, action, before && (await before(owner)));
        const { status, body } = await owner.post('/request-builder/sign', request);
        expect(status, JSON.stringify(body)).toBe(200);
        expect(body.hash).toMatch(protocol === 'checkout' ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{32}$/);
        const { text } = body.code.find((each: Any) => each.id === language);
        expect(text).not.toContain(demo.password);
        const printed = await runProgram(language, text);
        expect(printed, `${language}\n${text}\n${printed}`).not.toMatch(/error_(code|message)/);
        expect(printed).toMatch(/redirect_url|token|trans_id|schedule_id|payment_id/);
      });
      await Promise.all(attempts);
    });
  }
});

test('sends to the sandbox, logs the request, and names the field with the error', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const { body } = await send(owner, await initialRequest(owner, 'checkout', '/api/v1/session'));
  expect(body.status).toBe(200);
  expect(body.text).toContain('redirect_url');
  const wrong = await send(
    owner,
    await initialRequest(owner, 's2s_card', 'SALE', { order_amount: 'ten', payer_email: '' }),
  );
  expect(wrong.status).toBe(400);
  expect(wrong.body.error.fields).toMatchObject({
    order_amount: 'This value is not valid.',
    payer_email: 'This value should not be blank.',
  });
  const json = await send(owner, await initialRequest(owner, 'checkout', '/api/v1/session', { custom_data: '{' }));
  expect(json.body.error.fields).toEqual({ custom_data: 'Invalid JSON.' });
  const token = await owner.post('/request-builder/sign', {
    protocol: 'checkout',
    action: '/',
    fields: {},
    token: 'a\nb',
  });
  expect([token.status, Object.keys(token.body.error.fields)]).toEqual([400, ['token']]);
});

test('a value that is nested too deeply to be sent is an error at its field', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const request = await initialRequest(owner, 'checkout', '/api/v1/session', { 'order.number': 'deep' });
  const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
  const fields = { ...request.fields, custom_data: deep };
  const { status, body } = await owner.post('/request-builder/sign', { ...request, fields });
  expect([status, body?.error?.fields]).toEqual([400, { custom_data: 'Invalid JSON.' }]);
});

test('a request has as many JSON values as Checkout takes', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const request = await initialRequest(owner, 'checkout', '/api/v1/session', { 'order.number': 'values' });
  const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, '']));
  const sign = (fields: object) =>
    owner.post('/request-builder/sign', { ...request, fields: { ...request.fields, ...fields } });
  expect((await sign(namesOf(4900))).status).toBe(200);
  const { status, body } = await sign(namesOf(5000));
  expect([status, body.error]).toEqual([400, { message: 'The request is not valid.' }]);
  expect((await sign({ custom_data: JSON.stringify(Array(5000).fill(1)) })).status).toBe(400);
});

test('a name that leads to the prototype of objects, or into a text, is an error at its field', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const request = await initialRequest(owner, 'checkout', '/api/v1/session', { 'order.number': 'prototype' });
  for (const path of [
    '__proto__.a',
    'constructor.prototype.a',
    'order.__proto__.a',
    'a.constructor',
    'operation.a.b',
  ]) {
    for (const address of ['/request-builder/sign', '/request-builder/send']) {
      const { status, body } = await owner.post(address, { ...request, fields: { ...request.fields, [path]: 'x' } });
      expect([path, status, body?.error?.fields]).toEqual([path, 400, { [path]: 'This name is not allowed.' }]);
    }
  }
  // One changed prototype would break every later request of the process.
  expect((await fetch(`${florin}/healthz`)).status).toBe(200);
  expect((await owner.post('/request-builder/sign', request)).status).toBe(200);
});

test('is available to users who may send requests, for their own merchant', async ({ florin }) => {
  const owner = await visitorAs(florin, 'merchant');
  const request = await initialRequest(owner, 'checkout', '/api/v1/session');
  const other = '7e570001-0000-4000-8000-000000000001';
  expect((await send(owner, { ...request, merchantId: other })).status).toBe(404);
  expect((await owner.post('/request-builder/sign', { ...request, merchantId: other })).status).toBe(404);
  for (const role of ['operator', 'viewer'] as const) {
    const user = await visitorAs(florin, role);
    expect((await user.get('/request-builder')).status).toBe(403);
    expect((await send(user, request)).status).toBe(403);
  }
  const manager = await visitorAs(florin, 'manager');
  expect((await send(manager, request)).status).toBe(400);
  expect((await send(manager, { ...request, merchantId: other })).status).toBe(200);
});

test("signs with the chosen merchant's key only, and shows no payment of another merchant", async ({
  florin,
  cardAs,
}) => {
  const owner = await visitorAs(florin, 'merchant');
  const shop = cardAs('plain');
  const sold = await shop.sell({ payer_email: 'other.payer@example.com' });
  for (const [action, fields] of [
    ['GET_TRANS_STATUS_BY_ORDER', { order_id: sold.orderId }],
    ['GET_TRANS_STATUS', { trans_id: sold.transId }],
    ['CREDITVOID', { trans_id: sold.transId }],
  ] as const) {
    const named = { ...fields, client_key: shop.credentials.key };
    const { status, body } = await owner.post('/request-builder/sign', { protocol: 's2s_card', action, fields: named });
    expect([action, status]).toEqual([action, 400]);
    expect(JSON.stringify(body)).not.toContain('other.payer');
  }
});
