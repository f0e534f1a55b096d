import { describe, expect, it } from 'vitest';
import { entryHash, keyedHash } from './audit.ts';
import { type AuditAnchor, isOwnAnchor, readAnchors } from './audit-anchors.ts';
import { breakOf, type ChainRow, compareAnchor, newChain } from './audit-chain.ts';
import { keyed, named } from './audit-key.ts';

const own = named(Buffer.alloc(32, 7));
const other = named(Buffer.alloc(32, 8));
const keys = new Map([[own.id, own.key]]);
const merchantId = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';

/** A log of `plain` entries of an earlier release and `keyedOnes` after them, under `key`. */
function makeLog(plain: number, keyedOnes: number, key = own): ChainRow[] {
  let previous: Uint8Array = Buffer.alloc(32);
  return Array.from({ length: plain + keyedOnes }, (_, place) => {
    const row: ChainRow = {
      ...{ id: BigInt(place + 1), at: new Date(1_795_000_000_000 + place), actor: 'user:1', action: 'payment.refund' },
      ...{
        subject: `payment:${place}`,
        before: null,
        after: { amount: '40.00' },
        previous,
        hash: previous,
        merchantId,
      },
      ...{ result: 'success', source: '203.0.113.80', userAgent: null, keyId: place < plain ? null : key.id },
    };
    row.hash = row.keyId === null ? entryHash(row, previous) : keyedHash(row, previous, key.key);
    previous = row.hash;
    return row;
  });
}

/** The breaks of a log: the number of the entry and the reason. */
function breaks(rows: ChainRow[], known = keys): string[] {
  const chain = newChain(known);
  return rows.flatMap((row) => {
    const why = breakOf(row, chain);
    return why ? [`${row.id} ${why}`] : [];
  });
}

/** The hashes of the rows from `from` on, made again as their owner would. */
function rebuild(rows: ChainRow[], from: number, key: typeof own | null): ChainRow[] {
  for (const row of rows.slice(from)) {
    row.previous = rows[rows.indexOf(row) - 1]?.hash ?? Buffer.alloc(32);
    row.keyId = key?.id ?? null;
    row.hash = key ? keyedHash(row, row.previous, key.key) : entryHash(row, row.previous);
  }
  return rows;
}

describe('the chain', () => {
  it('continues from entries without a key', () => expect(breaks(makeLog(3, 3))).toEqual([]));

  it.each([
    { actor: 'user:2' },
    { after: { amount: '4.00' } },
    { result: 'refused' as const },
    { source: '203.0.113.81' },
    { userAgent: 'curl' },
    { merchantId: null },
    { at: new Date(0) },
  ])('reports an entry with %j', (change) => {
    const rows = makeLog(3, 3);
    Object.assign(rows[4] ?? {}, change);
    expect(breaks(rows)).toEqual(['5 altered']);
  });

  it('reports a removed entry at the one after it', () => {
    expect(breaks(makeLog(3, 3).toSpliced(4, 1))).toEqual(['6 missing before']);
    expect(breaks(makeLog(3, 3).toSpliced(0, 1))).toEqual(['2 missing before']);
  });

  it('reports exchanged entries', () => {
    const rows = makeLog(0, 4);
    const [a, b] = [rows[1], rows[2]] as [ChainRow, ChainRow];
    expect(breaks(rows.toSpliced(1, 2, b, a))).toEqual(['3 missing before', '2 missing before', '4 missing before']);
  });

  it('reports a changed entry from before the key, whose hashes were made again', () => {
    const rows = makeLog(3, 3);
    const [second] = rows.slice(1) as [ChainRow];
    second.after = { amount: '4.00' };
    const [, , third] = rebuild(rows.slice(0, 3), 1, null);
    expect(breaks([...rows.slice(0, 2), third as ChainRow, ...rows.slice(3)])).toEqual(['4 missing before']);
  });

  it('reports entries that were made again without the key', () => {
    const altered = () => {
      const rows = makeLog(3, 4);
      Object.assign(rows[4] ?? {}, { actor: 'user:2' });
      return rows;
    };
    expect(breaks(rebuild(altered(), 4, null))).toEqual(['5 without key', '6 without key', '7 without key']);
    expect(breaks(rebuild(altered(), 4, other))).toEqual(['5 unknown key', '6 unknown key', '7 unknown key']);
    // The name of a key is public.
    const disguised = rebuild(altered(), 4, { id: own.id, key: other.key });
    expect(breaks(disguised)).toEqual(['5 altered', '6 altered', '7 altered']);
  });
});

describe('a replaced key', () => {
  const both = new Map([
    [other.id, other.key],
    [own.id, own.key],
  ]);
  const laterBy = (seconds: number) => {
    const rows = makeLog(0, 6);
    for (const [place, row] of rows.entries()) row.at = new Date(row.at.getTime() + (place > 3 ? seconds * 1000 : 0));
    // The second key, from the fourth entry on; then one that knows the first key.
    return rebuild(rebuild(rebuild(rows, 0, own), 3, other), 5, own);
  };

  it('verifies the entries before the replacement, and those of processes that learned of it a little later', () => {
    expect(breaks(rebuild(makeLog(1, 5), 4, other), both)).toEqual([]);
    expect(breaks(laterBy(30), both)).toEqual([]);
  });

  it('does not hide entries without a key behind an entry that does not follow, or of an unknown key', () => {
    const rows = rebuild(makeLog(0, 4), 2, null);
    Object.assign(rows[0] ?? {}, { previous: Buffer.alloc(32, 1) });
    expect(breaks(rows.filter(({ id }) => id !== 2n))).toEqual([
      '1 missing before',
      '3 missing before',
      '4 without key',
    ]);
    const alien = rebuild(rebuild(makeLog(0, 3), 0, { id: 'alien', key: other.key }), 1, own);
    expect(breaks(alien)).toEqual(['1 unknown key']);
  });

  it('makes no entry afterwards', () => {
    expect(breaks(laterBy(90), both)).toEqual(['6 older key']);
  });
});

describe('an anchor', () => {
  const unsigned = { date: '2026-11-27', last: 42n, head: 'aGVhZA', entries: 40 };
  const mac = keyed(own.key, 'anchor\n2026-11-27\n42\naGVhZA\n40').toString('base64url');
  const anchor: AuditAnchor = { ...unsigned, mac };
  const written = { ...anchor, last: '42' };

  it('is verified under the key of the service', () => {
    expect(isOwnAnchor(anchor, keys)).toBe(true);
    expect(isOwnAnchor({ ...anchor, entries: 41 }, keys)).toBe(false);
    expect(isOwnAnchor(anchor, new Map([[other.id, other.key]]))).toBe(false);
  });

  it.each([
    ['an entry with a key', 1, own.id, own, 'agrees'],
    ['an entry with a key, and was made under another', 1, own.id, other, 'differs'],
    ['an entry whose key was lost', 1, other.id, other, 'unverified'],
    ['an entry without a key', 0, own.id, own, 'agrees'],
    ['an entry without a key, and was made under a lost one', 0, other.id, other, 'unverified'],
    ['an entry without a key, and was made under another', 0, own.id, other, 'differs'],
  ])('names %s', (_name, withKey, firstKey, maker, result) => {
    const [row] = makeLog(1 - withKey, withKey, firstKey === own.id ? own : other) as [ChainRow];
    const head = Buffer.from(row.hash).toString('base64url');
    const mac = keyed(maker.key, `anchor\n2026-11-27\n1\n${head}\n1`).toString('base64url');
    const given = { date: '2026-11-27', last: 1n, head, entries: 1, mac };
    expect(compareAnchor(given, row, 1, { keys, firstKey })).toBe(result);
    expect(compareAnchor(given, row, 2, { keys, firstKey })).toBe('differs');
  });

  it('is read from a file, a line of the log, an event and a message of syslog', () => {
    const event = { metadata: { uid: '43' }, unmapped: { after: written, hmac: 'b3RoZXI' } };
    for (const line of [written, event, { level: 30, event }]) {
      expect(readAnchors(`${JSON.stringify(line)}\n`)).toEqual([anchor]);
    }
    expect(readAnchors(`<109>1 2026-11-27T00:00:00Z pay florin 1 43 - \uFEFF${JSON.stringify(event)}`)).toEqual([
      anchor,
    ]);
  });

  it('is also each other event, by its entry and hash', () => {
    const event = { metadata: { uid: '44' }, unmapped: { after: null, hmac: 'b3RoZXI' } };
    expect(readAnchors(`no JSON\n{"level":30}\n${JSON.stringify(event)}`)).toEqual([
      { last: 44n, head: 'b3RoZXI', content: { after: null } },
    ]);
  });
});
