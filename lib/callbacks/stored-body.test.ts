import { describe, expect, it } from 'vitest';
import type { Payment } from '../core/payment.ts';
import { encodeForm } from '../http/index.ts';
import type { KnownCaller } from '../protocols/index.ts';
import { type CallbackSubject, callbackBody } from './render.ts';
import { signBody, storedBodyOf } from './stored-body.ts';

const paymentId = '0190a1b2-0000-7000-8000-000000000001';
const attemptId = '0190a1b2-0000-7000-8000-000000000002';
const noon = new Date('2026-03-01T12:00:05.678Z');

// Only the members that bodies of callbacks read.
const payment = {
  id: paymentId,
  protocol: 'checkout',
  operation: 'purchase',
  orderNumber: 'order-7',
  orderAmount: '84.50',
  currency: 'EUR',
  amountMinor: 8450n,
  description: 'Zwei Schüsseln & mehr',
  payer: { name: 'Ana Petrović', email: 'ana@example.com', ip: '203.0.113.7', country: 'US' },
  payee: {},
  parameters: {},
  customData: null,
  attemptId,
  method: 'card',
  card: { id: 'c', first6: '411111', last4: '1111', brand: 'visa', expMonth: 1, expYear: 2038, holder: null },
} as unknown as Payment;

const attempt = { id: attemptId, kind: 'sale', attemptId: null, method: 'card', providerData: {}, createdAt: noon };

const caller = {
  merchant: { id: 'm', name: 'Orme Ceramics' },
  key: { id: 'k', environment: 'sandbox', key: 'key', password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e' },
  mapping: { digest: 'md5', uppercase: 'ascii', callbackFields: [], statusFields: [], redirectParameters: false },
  mids: [],
} as unknown as KnownCaller;

const callback = {
  id: '0190a1b2-0000-7000-8000-00000000000c',
  transactionId: attemptId,
  sequence: 3,
  outcome: 'success',
  type: 'sale',
  orderState: 'settled',
  reason: null,
  amountMinor: 8450n,
  createdAt: noon,
};

type Changes = { payment?: object; mapping?: object; callback?: object; password?: string };

function subjectOf({ payment: changed, mapping, callback: reported, password }: Changes = {}): CallbackSubject {
  return {
    payment: { ...payment, ...changed },
    attempt,
    movement: attempt,
    callback: { ...callback, ...reported },
    caller: {
      ...caller,
      key: { ...caller.key, password: password ?? caller.key.password },
      mapping: { ...caller.mapping, ...mapping },
    },
  } as unknown as CallbackSubject;
}

const hashOf = (body: string) => new URLSearchParams(body).get('hash') as string;

const protocols: [string, Changes][] = [
  ['Checkout', {}],
  ['S2S CARD', { payment: { protocol: 's2s_card' } }],
  ['a payout of S2S CARD', { payment: { protocol: 's2s_card', operation: 'credit' }, callback: { type: 'credit' } }],
  [
    'S2S APM',
    {
      payment: {
        protocol: 's2s_apm',
        method: 'papara',
        card: null,
        customData: { b: '7', a: { '10': 'x', '9': 'y' } },
      },
    },
  ],
  ['a payout of S2S APM', { payment: { protocol: 's2s_apm', operation: 'credit', method: 'kora', card: null } }],
  ['a cryptocurrency', { payment: { protocol: 's2s_apm', method: 'crypto-btg', card: null } }],
];

describe('a stored body', () => {
  it.each(protocols)('of %s has no hash, and gets the same one at each attempt', (_, changes) => {
    const subject = subjectOf(changes);
    const first = callbackBody(subject);
    const stored = storedBodyOf(first);
    expect(hashOf(first)).toMatch(/^[0-9a-f]{32,64}$/);
    expect(hashOf(stored.unsignedBody)).toBe('');
    expect(stored.unsignedBody).not.toContain(hashOf(first));
    expect(Buffer.from(stored.bodyDigest)).toHaveLength(32);
    expect(signBody(stored, subject)).toEqual({ body: first, differs: false });
    // What is stored is stored again by a repeat of a row of an earlier release.
    expect(storedBodyOf(signBody(stored, subject).body)).toEqual(stored);
  });

  it.each(protocols)('of %s keeps the hash of the first attempt when the mapping has changed', (_, changes) => {
    for (const digest of ['md5', 'sha256']) {
      for (const uppercase of ['ascii', 'unicode']) {
        const first = callbackBody(subjectOf({ ...changes, mapping: { digest, uppercase } }));
        const later = subjectOf({
          ...changes,
          mapping: {
            digest: digest === 'md5' ? 'sha256' : 'md5',
            uppercase: 'ascii',
            callbackFields: ['ARN', 'payer_email'],
          },
        });
        expect(signBody(storedBodyOf(first), later)).toEqual({ body: first, differs: false });
      }
    }
  });

  it('keeps the data of the merchant, whatever their names are', () => {
    const customData = {
      hash: 'own',
      'a]b': '1',
      'hash=': '&hash=2',
      deep: { a: { b: { c: { d: { e: { f: '3' } } } } } },
    };
    const subject = subjectOf({ payment: { customData } });
    const first = callbackBody(subject);
    const stored = storedBodyOf(first);
    expect(new URLSearchParams(stored.unsignedBody).get('custom_data[hash]')).toBe('own');
    expect(new URLSearchParams(stored.unsignedBody).get('custom_data[hash=]')).toBe('&hash=2');
    expect(signBody(stored, subject)).toEqual({ body: first, differs: false });
  });

  it('of a callback with as many fields as a request is signed as a whole', () => {
    const customData = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`n${at}`, String(at)]));
    const subject = subjectOf({ payment: { protocol: 's2s_apm', method: 'papara', card: null, customData } });
    const first = callbackBody(subject);
    expect(signBody(storedBodyOf(first), subject)).toEqual({ body: first, differs: false });
  });

  it('is sent with a hash of its values, and reported, if it is not that of the first attempt', () => {
    const stored = storedBodyOf(callbackBody(subjectOf()));
    const changed = { ...stored, unsignedBody: stored.unsignedBody.replace('84.50', '80.00') };
    const { body, differs } = signBody(changed, subjectOf());
    expect(differs).toBe(true);
    const expected = callbackBody(subjectOf({ payment: { orderAmount: '80.00' } }));
    expect(hashOf(body)).toBe(hashOf(expected));
    expect(signBody(stored, subjectOf({ password: 'another' })).differs).toBe(true);
    expect(signBody(storedBodyOf(encodeForm({ a: '1', hash: 'f' })), subjectOf()).differs).toBe(true);
  });
});

it('whose names are no form cannot be signed again: it is stored as it was sent', () => {
  const action = {
    kind: 'redirect',
    url: 'https://bank.example',
    method: 'POST',
    params: { 'data[amount]': '1', order: '7', orderId: 'x' },
  };
  const subject = subjectOf({
    payment: { protocol: 's2s_apm', method: 'papara', card: null },
    callback: { type: 'redirect' },
  });
  const body = callbackBody({
    ...subject,
    movement: { ...attempt, status: 'redirect', action },
  } as unknown as CallbackSubject);
  expect(body).toContain('data');
  expect(signBody(storedBodyOf(body), subject)).toMatchObject({ differs: true });
});
