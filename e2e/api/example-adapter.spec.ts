// The example adapter (examples/adapter), connected as its author would: a MID with its address and secrets, created in
// the dashboard, and payments through it.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../scripts/ports.ts';
import { type CardMerchant, cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const apiKey = 'key-of-the-adapter';
const signingSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

type Adapter = { url: string; folder: string; process: ChildProcess };

async function startAdapter(folder: string, port: number): Promise<Adapter> {
  const env = { PATH: process.env.PATH, API_KEY: apiKey, SIGNING_SECRET: signingSecret, PORT: String(port) };
  const child = spawn(process.execPath, [resolve('examples/adapter/adapter.mjs')], {
    cwd: folder,
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await fetch(url).catch(() => null)) return { url, folder, process: child };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the adapter did not start');
}

/** A request to the adapter as Florin sends it. */
async function call(
  { url }: Adapter,
  path: string,
  body?: { reference: string; [member: string]: unknown },
  key = apiKey,
  more: { [header: string]: string } = {},
) {
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'idempotency-key': body.reference }), ...more },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

test.describe('the example adapter', () => {
  // The tests share one adapter and run one after the other.
  test.describe.configure({ mode: 'default' });
  let adapter: Adapter;
  let shop: CardMerchant;

  test.beforeAll(async ({ florin, shopServer }) => {
    adapter = await startAdapter(await mkdtemp(join(tmpdir(), 'florin-adapter-')), await freePort());
    const manager = await visitorAs(florin, 'manager');
    const merchant = await makeMerchant(manager);
    await makeMid(manager, merchant.id, { provider: 'own', url: adapter.url, apiKey, signingSecret });
    shop = cardMerchant(florin, merchant.credentials, shopServer);
  });

  test.afterAll(async () => {
    adapter.process.kill('SIGKILL');
    await rm(adapter.folder, { recursive: true });
  });

  test('collects a payment, then refunds a part and the rest', async () => {
    const sold = await shop.sell();
    expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
    await shop.follow('CREDITVOID', sold, { amount: '20.00' });
    await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED']);
    await shop.follow('CREDITVOID', sold);
    await untilS2sStatus(shop, sold, 'REFUND');
  });

  test('authorises, captures in part, and declines an amount above the rest', async () => {
    const authorised = await shop.sell({ auth: 'Y' });
    expect(authorised.answer.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
    expect((await shop.follow('CAPTURE', authorised, { amount: '50.00' })).body).toMatchObject({ status: 'SETTLED' });
    const released = await shop.sell({ auth: 'Y' });
    await shop.follow('CREDITVOID', released);
    await untilS2sStatus(shop, released, 'REVERSAL');
  });

  test('declines', async () => {
    const { answer } = await shop.sell({ card_number: '4000000000009995' });
    expect(answer.body).toMatchObject({ result: 'DECLINED', decline_reason: 'Do not honour' });
  });

  test('answers pending, and reports the outcome by a signed notification', async () => {
    const sold = await shop.sell({ card_number: '4000000000001075' });
    expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
    await untilS2sStatus(shop, sold, 'SETTLED');
    expect((await s2sStatusOf(shop, sold)).status).toBe('SETTLED');
  });

  test('keeps the three promises of the contract', async () => {
    const payment = {
      reference: `own-${Date.now()}`,
      operation: 'sale',
      method: 'card',
      amount: '10.00',
      currency: 'EUR',
    };
    const first = await call(adapter, '/payments', { ...payment });
    expect(first).toMatchObject({ status: 200, body: { status: 'approved', amount: '10.00', currency: 'EUR' } });
    // A key moves money once, and its answer does not change.
    expect(await call(adapter, '/payments', { ...payment })).toEqual(first);
    const other = await call(adapter, '/payments', { ...payment, amount: '11.00' });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } });
    // A restarted process answers status requests too. The port is free once the process has ended.
    const ended = once(adapter.process, 'exit');
    adapter.process.kill('SIGKILL');
    await ended;
    adapter = await startAdapter(adapter.folder, Number(new URL(adapter.url).port));
    expect(await call(adapter, `/operations/${payment.reference}`)).toEqual(first);
    expect(await call(adapter, '/operations/nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'operation_not_found' } },
    });
    // After an approved void the payment accepts nothing, even if it arrives later.
    const late = { ...payment, reference: `${payment.reference}-late` };
    expect(
      await call(adapter, `/payments/${late.reference}/void`, { reference: `${late.reference}-void` }),
    ).toMatchObject({ body: { status: 'approved' } });
    expect(await call(adapter, '/payments', late)).toMatchObject({
      body: { status: 'declined', decline: { code: 'cancelled' } },
    });
  });

  test('rejects an order that arrives after its deadline, and does not execute it', async () => {
    const order = { operation: 'sale', method: 'card', amount: '10.00', currency: 'EUR' };
    const [reference, void_] = [randomUUID(), randomUUID()];
    const ago = (seconds: number) => ({ 'florin-deadline': new Date(Date.now() - seconds * 1000).toISOString() });
    const refusal = { status: 408, body: { error: { code: 'deadline_passed' } } };
    expect(await call(adapter, '/payments', { reference, ...order }, apiKey, ago(6))).toMatchObject(refusal);
    expect(await call(adapter, `/payments/${reference}/void`, { reference: void_ }, apiKey, ago(6))).toMatchObject(
      refusal,
    );
    expect(
      await call(adapter, '/payments', { reference, ...order }, apiKey, { 'florin-deadline': 'soon' }),
    ).toMatchObject(refusal);
    for (const key of [reference, void_])
      expect(await call(adapter, `/operations/${key}`)).toMatchObject({ status: 404 });
    const approved = await call(adapter, '/payments', { reference, ...order }, apiKey, ago(-20));
    expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } });
    // A known key gets its first answer.
    expect(await call(adapter, '/payments', { reference, ...order }, apiKey, ago(60))).toEqual(approved);
  });

  test('reports the amount of every movement', async () => {
    const pay = (amount: string, currency: string, operation: string) =>
      call(adapter, '/payments', { reference: randomUUID(), operation, method: 'card', amount, currency });
    const follow = (original: string, kind: string, more: object = {}) =>
      call(adapter, `/payments/${original}/${kind}`, { reference: randomUUID(), ...more });
    for (const [amount, part, rest, currency] of [
      ['84.50', '20.00', '64.50', 'EUR'],
      ['1200', '200', '1000', 'JPY'],
      ['10.005', '0.005', '10.000', 'KWD'],
    ] as const) {
      const authorised = await pay(amount, currency, 'authorize');
      expect(authorised.body).toMatchObject({ status: 'authorized', amount, currency });
      const { reference } = authorised.body;
      expect((await follow(reference, 'capture')).body).toMatchObject({ status: 'approved', amount, currency });
      expect((await follow(reference, 'refund', { amount: part, currency })).body).toMatchObject({
        status: 'approved',
        amount: part,
        currency,
      });
      expect((await follow(reference, 'refund', { amount: part, currency: 'CHF' })).body.status).toBe('declined');
      expect((await follow(reference, 'refund')).body).toMatchObject({ status: 'approved', amount: rest, currency });
    }
    const sold = await pay('10.00', 'EUR', 'sale');
    expect((await follow(sold.body.reference, 'void')).body).not.toHaveProperty('amount');
  });

  test('rejects a wrong signature and amounts above the rest, and stores no card', async () => {
    expect((await call(adapter, '/capabilities', undefined, 'wrong')).status).toBe(401);
    await shop.sell();
    const { reference } = await latestPayment();
    const above = await call(adapter, `/payments/${reference}/refund`, {
      reference: `${reference}-above`,
      amount: '84.51',
    });
    expect(above.body).toMatchObject({ status: 'declined' });
    expect(await readFile(join(adapter.folder, 'journal.jsonl'), 'utf8')).not.toMatch(/4111111111111111|cvv/);
  });

  /** The latest payment of the journal. */
  async function latestPayment(): Promise<{ reference: string }> {
    const lines = (await readFile(join(adapter.folder, 'journal.jsonl'), 'utf8')).trimEnd().split('\n');
    const payments = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'payment');
    return payments.at(-1);
  }
});
