import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook } from './webhooks.ts';

// The first vector is the specification's published example; the second was computed with Python's hmac module over
// UTF-8 text that is not ASCII.
const vectors = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: 'evt_1',
    timestamp: 1790000000,
    body: '{"reference":"0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c","status":"approved","note":"žluťoučký €"}',
    signature: 'v1,vGPj0F5ieay/gqRZeSoZWuKc4THmPApkm0UxItK9+Os=',
  },
];

type Change = { signature?: string; body?: string; id?: string; timestamp?: string; skew?: number; secret?: string };

function verify(vector: (typeof vectors)[number], change: Change = {}): boolean {
  const headers: Record<string, string> = {
    'webhook-id': change.id ?? vector.id,
    'webhook-timestamp': change.timestamp ?? String(vector.timestamp),
    'webhook-signature': change.signature ?? vector.signature,
  };
  const at = new Date((vector.timestamp + (change.skew ?? 0)) * 1000);
  const body = new TextEncoder().encode(change.body ?? vector.body);
  return verifyWebhook(change.secret ?? vector.secret, (name) => headers[name] || null, body, at);
}

describe.each(vectors)('the vector $id', (vector) => {
  it('is made', () => {
    const headers = signWebhook(vector.secret, vector.id, new Date(vector.timestamp * 1000 + 999), vector.body);
    expect(headers['webhook-signature']).toBe(vector.signature);
    expect(headers['webhook-timestamp']).toBe(String(vector.timestamp));
  });

  it.each<[string, Change, boolean]>([
    ['as it is', {}, true],
    ['with the secret written the other way', { secret: vector.secret.replace(/^(whsec_)?/, 'whsec_') }, true],
    ['5 minutes old', { skew: 300 }, true],
    ['5 minutes ahead', { skew: -300 }, true],
    ['older than 5 minutes', { skew: 301 }, false],
    ['more than 5 minutes ahead', { skew: -301 }, false],
    ['among other signatures', { signature: `v1,AAAA v1a,zzz ${vector.signature} v2,b` }, true],
    ['only under another version', { signature: vector.signature.replace('v1,', 'v2,') }, false],
    ['with a cut signature', { signature: vector.signature.slice(0, -8) }, false],
    ['with another signature', { signature: `v1,${Buffer.alloc(32).toString('base64')}` }, false],
    ['with another body', { body: `${vector.body} ` }, false],
    ['with another id', { id: 'evt_2' }, false],
    ['with another timestamp', { timestamp: String(vector.timestamp + 1) }, false],
    ['with a timestamp that is no number', { timestamp: 'NaN' }, false],
    ['with another secret', { secret: 'whsec_AAAA' }, false],
    ['without a signature', { signature: '' }, false],
    ['without an id', { id: '' }, false],
  ])('%s: %o', (_name, change, right) => {
    expect(verify(vector, change)).toBe(right);
  });
});

it('rejects an empty secret', () => {
  expect(() => signWebhook('whsec_', 'a', new Date(), 'b')).toThrow(RangeError);
});

it('agrees with the example in docs/providers/contract.md', () => {
  const page = readFileSync(new URL('../../docs/providers/contract.md', import.meta.url), 'utf8');
  const [secret = '', id = '', timestamp = '', body = '', signature] = [
    'secret',
    'id',
    'timestamp',
    'body',
    'signature',
  ].map((name) => page.match(new RegExp(`^${name} +(.+)$`, 'm'))?.[1]);
  expect(signWebhook(secret, id, new Date(Number(timestamp) * 1000), body)['webhook-signature']).toBe(signature);
});
