import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { throwApiError } from '../../core/errors.ts';
import { bodyTextOf, jsonResult } from '../../http/index.ts';
import type { Caller } from '../../merchants/merchants.ts';
import { text } from '../shared/fields.ts';
import { action, checks, handle, type Protocol } from './handle.ts';

beforeAll(() => {
  Object.assign(process.env, {
    APP_ENV: 'sandbox',
    BASE_URL: 'http://florin.test',
    DATABASE_URL: 'postgresql://localhost/unused',
    VAULT_KEY: '0'.repeat(64),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'checkout.address=20',
  });
});

/** The faults of a request. The caller and the subject follow from them without a database. */
type Faults = { [check: string]: boolean };

function callerWith(faults: Faults): Caller {
  return {
    merchant: { id: 'm' },
    key: { id: 'k', key: 'k', environment: faults.environment ? 'production' : 'sandbox', password: 'secret' },
    mapping: { enabled: !faults.mapping, digest: 'md5', ipAllowlist: faults.address ? ['203.0.113.7'] : [] },
    mids: [],
  } as unknown as Caller;
}

function protocolWith(faults: Faults, signedOverSubject?: true): Protocol<{ [name: string]: string }> {
  const row = action({
    schema: z.object({ payment_id: text(1, 9), hash: text(1, 64) }),
    caller: async () => callerWith(faults),
    signature: (input) => ({ recipe: 'wholePayment', values: { paymentId: input.payment_id }, hash: input.hash }),
    paysOut: () => Boolean(faults.payout),
    subject: async () => (faults.subject ? null : { found: true }),
    signedOverSubject,
    missing: 'paymentNotFound',
    run: async () => (faults.run ? throwApiError('refundNotAllowed') : { result: 'done' }),
  });
  return {
    name: 'checkout',
    rateLimitScope: 'checkout',
    decode: async () => (faults.body ? throwApiError('requestDataInvalid') : bodyWith(faults)),
    find: () => (faults.action ? null : row),
    keyOf: (body) => body.merchant_key,
    reply: (status, body) => jsonResult(body, { status }),
  };
}

function bodyWith(faults: Faults): { [name: string]: string } {
  // sha1(md5('7SECRET')), computed with coreutils.
  const hash = faults.signature ? '0'.repeat(40) : '90586dce9d682f0a0b8eeef9f50b336d273f8a22';
  return faults.fields ? { hash } : { payment_id: '7', hash };
}

let addresses = 0;

async function responseOf(faults: Faults, signedOverSubject?: true): Promise<string> {
  const request = new Request('http://florin.test/', { method: 'POST' });
  addresses += 1;
  const address = `127.0.0.${addresses}`;
  const response = await handle(protocolWith(faults, signedOverSubject), request, { address });
  const body = JSON.parse(await bodyTextOf(response)) as { error_message?: string; result: string };
  return `${response.status} ${body.error_message ?? body.result}`;
}

describe('the order of checks', () => {
  it('is this list', () => {
    expect(checks.map((check) => check.name)).toEqual([
      'capacity',
      'rate',
      'body',
      'action',
      'environment',
      'mapping',
      'address',
      'request signature',
      'fields',
      'signed subject',
      'signature',
      'payout',
      'subject',
      'share',
    ]);
  });

  // One request with every fault, repaired one fault per line.
  const repairs: [string, string][] = [
    ['', '400 Request data is invalid.'],
    ['body', '404 Route or parameters is not supported'],
    ['action', '400 Use merchant test key.'],
    ['environment', '400 Enabled merchant mappings or MIDs not found.'],
    ['mapping', '400 Request from this ip is not allowed.'],
    ['address', '400 Request data is invalid.'],
    ['fields', '400 Hash is not valid'],
    ['signature', '400 Request data is invalid.'],
    ['payout', '400 Payment not found.'],
    ['subject', '400 Refund is not allowed'],
    ['run', '200 done'],
  ];

  it('determines the response to a request with several faults', async () => {
    const faults: Faults = Object.fromEntries(repairs.slice(1).map(([name]) => [name, true]));
    for (const [repaired, answer] of repairs) {
      if (repaired) faults[repaired] = false;
      expect(await responseOf(faults)).toBe(answer);
    }
  });

  it('finds the subject first if the signature covers it', async () => {
    expect(await responseOf({ signature: true, subject: true }, true)).toBe('400 Payment not found.');
    expect(await responseOf({ signature: true }, true)).toBe('400 Hash is not valid');
    expect(await responseOf({}, true)).toBe('200 done');
  });
});

describe('a request over the rate limit', () => {
  it('is refused before its body is read, with the seconds to wait', async () => {
    const request = new Request('http://florin.test/', { method: 'POST' });
    const from = (address: string) => handle(protocolWith({ body: true }), request, { address });
    let response = await from('198.51.100.7');
    for (let sent = 1; sent < 20; sent++) response = await from('198.51.100.7');
    expect(response.status).toBe(400);
    response = await from('198.51.100.7');
    expect(JSON.parse(await bodyTextOf(response))).toEqual({
      result: 'ERROR',
      error_code: 429,
      error_message: 'Too many requests.',
      errors: [{ error_code: 429, error_message: 'Too many requests.' }],
    });
    expect(response.status).toBe(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('198.51.100.8')).status).toBe(400);
  });
});

describe('an error that is not an API error', () => {
  it('is left to the router, which responds with an error id only', async () => {
    const broken: Protocol<object> = {
      ...(protocolWith({}) as unknown as Protocol<object>),
      decode: () => Promise.reject(new Error('a bug')),
    };
    const request = new Request('http://florin.test/', { method: 'POST' });
    await expect(handle(broken, request, { address: '127.0.0.1' })).rejects.toThrow('a bug');
  });
});
