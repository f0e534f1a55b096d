import { describe, expect, test } from 'vitest';
import { isAllowedAddress } from '../../core/ip-allowlist.ts';
import { readIpList } from './schema.ts';

// One list per row, its lines separated by a bar; a dash is an empty line.
const good = `
  203.0.113.24                          -> 203.0.113.24
  203.0.113.24 | - | 203.0.113.0/28     -> 203.0.113.24 | 203.0.113.0/28
  2001:db8::1 | 2001:db8::/32 | ::1     -> 2001:db8::1 | 2001:db8::/32 | ::1
  0.0.0.0/0 | ::/0                      -> 0.0.0.0/0 | ::/0
  127.0.0.1 | 127.0.0.1/32              -> 127.0.0.1 | 127.0.0.1/32
`;

const faulty = `
  203.0.113.24 | 203.0.113.0/28 | 203.0.113.256 -> Line 3: 256 is too large. Each part of an IPv4 address goes up to 255.
  - | 1000.1.1.1             -> Line 2: 1000 is too large. Each part of an IPv4 address goes up to 255.
  203.0.113                  -> Line 1: an IPv4 address has four parts; 203.0.113 has 3.
  203.0.113.                 -> Line 1: an IPv4 address has four parts; 203.0.113. has 3.
  1.2.3.4.5                  -> Line 1: an IPv4 address has four parts; 1.2.3.4.5 has 5.
  3405803800                 -> Line 1: an IPv4 address has four parts; 3405803800 has 1.
  010.1.1.1                  -> Line 1: 010 begins with a zero. Enter 10.
  0x7f.1.1.1                 -> Line 1: 0x7f.1.1.1 is not an address. Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.
  shop.example               -> Line 1: shop.example is not an address. Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.
  10.0.0.0/33                -> Line 1: /33 is too large. An IPv4 network has at most 32 bits.
  10.0.0.0/                  -> Line 1: / is not a length. An IPv4 network has 0 to 32 bits.
  10.0.0.0/8/8               -> Line 1: 10.0.0.0/8/8 has more than one slash. Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.
  10.0.0.5/8                 -> Line 1: 10.0.0.5/8 does not begin at 10.0.0.5. Enter 10.0.0.0/8.
  2001:db8::1/32             -> Line 1: 2001:db8::1/32 does not begin at 2001:db8::1. Enter 2001:db8::/32.
  2001:db8::/129             -> Line 1: /129 is too large. An IPv6 network has at most 128 bits.
  2001:db8::x                -> Line 1: 2001:db8::x is not an IPv6 address. Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.
  fe80::1%eth0               -> Line 1: fe80::1%eth0 contains a zone after %. Enter the address without it.
  ::ffff:192.0.2.1           -> Line 1: ::ffff:192.0.2.1 is an IPv4 address. Enter 192.0.2.1.
  10.0.0.1 | 10.0.0.2 | 10.0.0.1 -> Line 3 repeats line 1.
  2001:db8::1 | 2001:DB8:0::1 -> Line 2 repeats line 1.
`;

const cases = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('->').map((cell) => cell.trim()) as [string, string]);
const linesOf = (cell: string) => cell.split('|').map((line) => line.trim().replace(/^-$/, ''));

describe('an allowlist', () => {
  test.each(cases(good))('%s is read', (list, entries) => {
    expect(readIpList(linesOf(list), 200)).toEqual({ entries: linesOf(entries) });
  });

  test.each(cases(faulty))('%s is refused', (list, error) => {
    expect(readIpList(linesOf(list), 200)).toEqual({ fault: error });
  });

  test('has an end', () => {
    const lines = Array.from({ length: 201 }, (_, place) => `10.0.${place}.1`);
    expect(readIpList(lines, 200)).toEqual({ fault: 'Line 201: a list holds at most 200 entries.' });
  });

  test.each(cases(good))('%s allows its own addresses', (list) => {
    const read = readIpList(linesOf(list), 200);
    const entries = 'entries' in read ? read.entries : [];
    for (const entry of entries) expect(isAllowedAddress(entries, entry.split('/')[0] ?? ''), entry).toBe(true);
  });
});
