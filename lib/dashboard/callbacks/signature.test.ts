import { describe, expect, test } from 'vitest';
import { sign } from '../../core/signatures.ts';
import { sentSignature } from './signature.ts';

const password = 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e';
const key = { id: 'old', key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4', password };
const values = {
  paymentId: '0199a000-0000-7000-8000-000000000001',
  orderId: '10428',
  amount: '84.50',
  currency: 'EUR',
  description: 'Two coffee cups',
};
const signature = { recipe: 'checkoutCallback', values } as const;
const hashes = {
  md5: sign('checkoutCallback', { ...values, password }, { digest: 'md5' }),
  sha256: sign('checkoutCallback', { ...values, password }, { digest: 'sha256' }),
};
const now = new Date('2026-11-20T12:00:00Z');
const own = { id: 'old', environment: 'test', validUntil: null, createdAt: new Date('2026-01-01T00:00:00Z') };
const newer = { ...own, id: 'new', createdAt: new Date('2026-11-19T00:00:00Z') };
const given = {
  signature,
  sent: hashes.md5,
  next: hashes.md5,
  differs: false,
  key,
  digest: 'md5' as const,
  keys: [own],
};

const titleOf = (changes: Partial<Parameters<typeof sentSignature>[0]>) => {
  const { title, texts } = sentSignature({ ...given, ...changes }, now);
  return [title, ...texts];
};

describe('the hash of a sent callback', () => {
  test('is checked with the password of the payment’s key', () => {
    expect(titleOf({})).toEqual(['Signature valid']);
    const other = sign('checkoutCallback', { ...values, password: 'another' }, { digest: 'md5' });
    const [title, text] = titleOf({ sent: other });
    expect([title, text]).toEqual(['Signature invalid', expect.stringContaining(`Sent: ${other.slice(0, 8)}…`)]);
    expect(text).not.toContain(other);
  });

  test('stays valid when the digest has been changed since, in every attempt too', () => {
    const changed = titleOf({ digest: 'sha256' });
    expect(changed).toEqual(['Signature valid', expect.stringMatching(/was sent with MD5.*attempt.*MD5/)]);
    // A callback whose first attempt predates the stored bodies.
    const made = titleOf({ digest: 'sha256', next: hashes.sha256 });
    expect(made).toEqual(['Signature valid', expect.stringMatching(/was sent with MD5.*next attempt uses it/)]);
  });

  test('is not corrected by another attempt, which sends the same body', () => {
    const other = sign('checkoutCallback', { ...values, password: 'another' }, { digest: 'md5' });
    expect(titleOf({ sent: other, next: other })[1]).toMatch(/resending does not help/);
    expect(titleOf({ sent: other })[1]).toMatch(/Resend it/);
  });

  test('is checked by its beginning, which is all that is stored', () => {
    const start = hashes.md5.slice(0, 8);
    expect(titleOf({ sent: start })).toEqual(['Signature valid']);
    expect(titleOf({ sent: start, digest: 'sha256' })[1]).toMatch(
      /was sent with MD5.*another attempt sends the same body/,
    );
    const [title, text] = titleOf({ sent: '00000000' });
    expect([title, text]).toEqual(['Signature invalid', expect.stringContaining('Sent: 00000000…')]);
    // Neither no hash nor a shorter beginning is right.
    expect(titleOf({ sent: '' })[0]).toBe('Signature invalid');
    expect(titleOf({ sent: hashes.md5.slice(0, 7) })[0]).toBe('Signature invalid');
  });

  test('is right with every letter in upper case, which a mapping may choose', () => {
    const named = { recipe: 'checkoutCallback', values: { ...values, description: 'Schüssel' } } as const;
    const sent = sign('checkoutCallback', { ...named.values, password }, { digest: 'md5', uppercase: 'unicode' });
    expect(titleOf({ signature: named, sent: sent.slice(0, 8), next: sent })).toEqual(['Signature valid']);
  });

  test('names an attempt that sent another body', () => {
    expect(titleOf({ differs: true })).toEqual([
      'Signature valid',
      expect.stringContaining('not send the body of the first'),
    ]);
  });

  test('may be absent or not stored', () => {
    expect(titleOf({ sent: null })).toEqual(['Signature ready']);
    expect(titleOf({ sent: 'unknown' })).toEqual(['Signature valid', expect.stringContaining('was not stored')]);
  });
});

describe('a key that was rotated', () => {
  const ends = (day: string) => ({ ...own, validUntil: new Date(day) });

  test('is named while it expires and afterwards', () => {
    const replaced = titleOf({ keys: [newer, ends('2026-11-21')] });
    expect(replaced[1]).toMatch(/^The payment’s key \(…c9a4\) is being rotated\. .*stay signed with its password/);
    expect(titleOf({ keys: [newer, ends('2026-11-20T12:00:00Z')] })[1]).toMatch(/\(…c9a4\) is revoked/);
    expect(titleOf({ keys: [ends('2026-11-19')] })[1]).toMatch(/is revoked/);
  });

  test('is not mentioned while it remains valid beside a second one', () => {
    expect(titleOf({ keys: [newer, own] })).toEqual(['Signature valid']);
    expect(titleOf({ keys: [{ ...newer, environment: 'live' }, ends('2026-11-21')] })).toEqual(['Signature valid']);
  });
});
