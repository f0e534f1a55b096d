import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { diffMembers, entryHash, shortenedChange } from './audit.ts';

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

describe('the values of a change', () => {
  it('are logged whole, and only where they differ', () => {
    const change = diffMembers({ texts: { de: 'Alt', en: 'Old' } }, { texts: { de: 'Neu '.repeat(2000), en: 'Old' } });
    expect(shortenedChange(change)).toEqual({
      before: { 'texts.de': 'Alt' },
      after: { 'texts.de': 'Neu '.repeat(2000) },
    });
  });

  it('have their beginning and their digest in a long change', () => {
    const text = 'Neu '.repeat(5000);
    const { before, after } = shortenedChange(diffMembers({ text: 'Alt', most: 1 }, { text, most: 2 }));
    expect([before, after.most]).toEqual([{ text: 'Alt', most: 1 }, 2]);
    const digest = createHash('sha256').update(text).digest('hex');
    expect(after.text).toBe(`${text.slice(0, 80)}... (20000 characters, SHA-256 ${digest})`);
  });

  it.each(['ab', '表示'])(
    'of %s are bounded in bytes, with the number of the fields that are left out',
    ([old, fresh]) => {
      const of = (text = '') =>
        Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`t${at}`, `${text}${at}`.repeat(100)]));
      const change = shortenedChange(diffMembers(of(old), of(fresh)));
      expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(20_000);
      const some = shortenedChange(diffMembers({ text: old?.repeat(5000) }, { text: fresh?.repeat(5000) }));
      expect(Buffer.byteLength(JSON.stringify(some))).toBeLessThan(20_000);
      expect(Object.keys(change.after).length - 1 + Number(change.after['more fields'])).toBe(500);
    },
  );
});
