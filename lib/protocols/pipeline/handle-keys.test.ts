import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const claimed = vi.hoisted(() => [] as string[]);
vi.mock('../../risk/index.ts', async (original) => ({
  ...(await original<object>()),
  claimSignature: async (keyId: string) => claimed.push(keyId) > 0,
}));

import { z } from 'zod';
import { bodyTextOf, jsonResult } from '../../http/index.ts';
import type { Caller, MerchantKey } from '../../merchants/merchants.ts';
import { action, handle } from './handle.ts';

// The files after this one get the modules themselves.
afterAll(() => vi.resetModules());

beforeAll(() => {
  Object.assign(process.env, {
    APP_ENV: 'sandbox',
    BASE_URL: 'http://florin.test',
    DATABASE_URL: 'postgresql://localhost/unused',
    VAULT_KEY: '0'.repeat(64),
    LOG_LEVEL: 'silent',
  });
});

const keyOf = (id: string) => ({ id, key: id, environment: 'sandbox', password: `secret ${id}` }) as MerchantKey;
const [old, fresh] = [keyOf('old'), keyOf('fresh')];

type Case = { key?: MerchantKey; signers?: MerchantKey[]; signedRequests?: boolean };
type Sent = { hash?: string; strong?: MerchantKey };

const hashOf = ({ password }: MerchantKey) =>
  createHash('sha1')
    .update(createHash('md5').update(`7${password}`.toUpperCase()).digest('hex'))
    .digest('hex');

function strongOf({ password }: MerchantKey): Record<string, string> {
  const timestamp = (Date.now() / 1000).toFixed(3);
  const mac = createHmac('sha256', password).update(`${timestamp}./update.`).digest('hex');
  return { 'x-florin-timestamp': timestamp, 'x-florin-signature': `v1=${mac}` };
}

let addresses = 0;

/** The answer to a request that needs the hash only if it has one, as an update of a session does. */
async function answerTo({ key = old, signers, signedRequests = false }: Case, { hash, strong }: Sent) {
  const caller = {
    merchant: { id: 'm' },
    key,
    signers,
    mapping: { enabled: true, digest: 'md5', ipAllowlist: [], signedRequests },
    mids: [],
  } as unknown as Caller;
  const row = action({
    schema: z.object({ hash: z.string().optional() }),
    caller: async () => caller,
    signature: (input) =>
      input.hash === undefined ? null : { recipe: 'wholePayment', values: { paymentId: '7' }, hash: input.hash },
    run: async () => ({ result: 'done' }),
  });
  const protocol = {
    name: 'checkout',
    rateLimitScope: 'checkout',
    decode: async () => ({ hash }),
    find: () => row,
    keyOf: () => undefined,
    reply: (status: number, body: object) => jsonResult(body, { status }),
  } as const;
  const headers = strong && strongOf(strong);
  const request = new Request('http://florin.test/update', { headers });
  addresses += 1;
  const response = await handle(protocol, request, { address: `127.0.1.${addresses}` });
  const { error_message: message, errors, result } = JSON.parse(await bodyTextOf(response));
  return errors?.[0]?.error_message ?? message ?? result;
}

const wrong = 'Hash is not valid';
const wrongHeader = 'X-Florin-Signature: This value is not valid.';

describe('a request that names its key', () => {
  it('is signed with that key alone', async () => {
    expect(await answerTo({}, { hash: hashOf(old) })).toBe('done');
    expect(await answerTo({}, { hash: hashOf(fresh) })).toBe(wrong);
  });
});

describe('a request that names no key', () => {
  it('is signed with any of the keys that may sign it', async () => {
    for (const each of [old, fresh])
      expect(await answerTo({ signers: [old, fresh] }, { hash: hashOf(each) })).toBe('done');
    expect(await answerTo({ signers: [old, fresh] }, { hash: hashOf(keyOf('other')) })).toBe(wrong);
  });

  it('is refused like one of an unknown key after the end of the key', async () => {
    expect(await answerTo({ key: fresh, signers: [fresh] }, { hash: hashOf(old) })).toBe(wrong);
    expect(await answerTo({ signers: [] }, { hash: hashOf(old) })).toBe(wrong);
  });

  it('needs no key for what the payer may change', async () => {
    expect(await answerTo({ signers: [] }, {})).toBe('done');
  });

  it('is verified by the strong signature of any of them, which is claimed for that key', async () => {
    claimed.length = 0;
    for (const strong of [old, fresh]) expect(await answerTo({ signers: [old, fresh] }, { strong })).toBe('done');
    expect(claimed).toEqual(['old', 'fresh']);
    expect(await answerTo({ key: fresh, signers: [fresh] }, { strong: old })).toBe(wrongHeader);
  });

  it('is refused with a strong signature, or where one is required, when no key is left', async () => {
    claimed.length = 0;
    for (const sent of [{ strong: old }, { strong: old, hash: hashOf(old) }])
      expect(await answerTo({ signers: [] }, sent)).toBe(wrong);
    expect(await answerTo({ signers: [], signedRequests: true }, {})).toBe(wrong);
    expect(claimed).toEqual([]);
  });
});
