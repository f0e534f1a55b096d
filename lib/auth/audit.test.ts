import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { entryHash } from './audit.ts';

const at = new Date('2026-11-20T12:51:08.123Z');
const entry = {
  at,
  actor: 'user:1',
  action: 'payment.refund',
  subject: 'payment:2',
  before: null,
  after: { reason: 'Café', amount: '40.00' },
};
const start = Buffer.alloc(32);

describe('the hash of an entry', () => {
  it('covers the previous hash and a fixed order of members', () => {
    const text =
      '["2026-11-20T12:51:08.123Z","user:1","payment.refund","payment:2",null,{"amount":"40.00","reason":"Café"}]';
    const wanted = createHash('sha256')
      .update(Buffer.concat([start, Buffer.from(text)]))
      .digest();
    expect(entryHash(entry, start)).toEqual(wanted);
    expect(entryHash({ ...entry, after: { amount: '40.00', reason: 'Café' } }, start)).toEqual(wanted);
  });

  it.each([
    { at: new Date(at.getTime() + 1) },
    { actor: 'user:2' },
    { action: 'payment.void' },
    { subject: 'payment:3' },
    { before: {} },
    { after: { amount: '40.01', reason: 'Café' } },
    { after: ['40.00', 'Café'] },
  ])('changes with %j', (change) => {
    expect(entryHash({ ...entry, ...change }, start)).not.toEqual(entryHash(entry, start));
  });

  it('changes with the previous entry', () => {
    expect(entryHash(entry, Buffer.alloc(32, 1))).not.toEqual(entryHash(entry, start));
  });
});
