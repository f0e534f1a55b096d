import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { parseRanges } from '../config/address-ranges.ts';
import { isInRanges } from '../config/index.ts';
import { clientIpBehind, resolveClientIp } from './node-adapter.ts';

/** The proxies of a test: 10.0.0.0/24 and this machine. */
const isProxy = (address: string) => isInRanges(parseRanges('10.0.0.0/24 loopback') ?? [], address);
const none = () => false;

describe('clientIpBehind', () => {
  it.each([
    [undefined, '10.0.0.9', '10.0.0.9'],
    ['203.0.113.7', '10.0.0.9', '203.0.113.7'],
    ['203.0.113.7', '::ffff:10.0.0.9', '203.0.113.7'],
    // A client that reaches the server past the proxy chooses nothing.
    ['6.6.6.6', '198.51.100.2', '198.51.100.2'],
    ['6.6.6.6, 203.0.113.7', '10.0.0.9', '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7, 10.0.0.8', '10.0.0.9', '203.0.113.7'],
    ['10.0.0.7, 10.0.0.8', '10.0.0.9', '10.0.0.7'],
    ['203.0.113.7, 10.0.1.8', '10.0.0.9', '10.0.1.8'],
    ['10.0.0.9, not an address', '10.0.0.9', 'not an address'],
    ['203.0.113.7:55123', '::1', '203.0.113.7'],
    ['[2001:db8::1]:443', '::1', '2001:db8::1'],
    [['6.6.6.6', '203.0.113.7'], '::1', '203.0.113.7'],
  ])('%s from %s is %s', (forwarded, own, expected) => {
    expect(clientIpBehind(forwarded, own, isProxy)).toBe(expected);
  });
});

describe('the proxies of a deployment', () => {
  it.each([
    ['private', '172.16.3.4', true],
    ['private', 'fd00::1', true],
    ['private', '203.0.113.7', false],
    ['loopback', '127.0.0.5', true],
    ['loopback', '10.0.0.1', false],
    ['203.0.113.7,2001:db8::/32', '2001:db8:7::1', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['::/0', '203.0.113.7', false],
  ])('%s, address %s: %s', (text, address, expected) => {
    expect(isInRanges(parseRanges(text) ?? [], address)).toBe(expected);
  });

  it.each(['10.1', '10.0.0.0/33', 'proxy.example', '10.0.0.1,', ''])('%j is refused', (text) => {
    expect(parseRanges(text)).toBeUndefined();
  });
});

describe('resolveClientIp', () => {
  const spoofed = () => ({
    socket: { remoteAddress: '::ffff:198.51.100.2' },
    headers: {
      'x-forwarded-for': '6.6.6.6',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      'x-forwarded-proto': 'https',
    },
  });

  it('removes every forwarding header without a trusted proxy', () => {
    const request = spoofed() as unknown as IncomingMessage;
    expect(resolveClientIp(request, none)).toBe('198.51.100.2');
    expect(request.headers).toEqual({ 'x-forwarded-for': '198.51.100.2' });
  });

  it('keeps the headers of a trusted proxy', () => {
    const request = spoofed() as unknown as IncomingMessage;
    expect(resolveClientIp(request, (address) => address === '198.51.100.2')).toBe('6.6.6.6');
    expect(request.headers).toEqual({ 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' });
  });
});
