import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientIpBehind, resolveClientIp } from './node-adapter.ts';

describe('clientIpBehind', () => {
  it.each([
    [undefined, '10.0.0.9', 0, '10.0.0.9'],
    ['203.0.113.7', '10.0.0.9', 0, '10.0.0.9'],
    ['203.0.113.7', '10.0.0.9', 1, '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7', '10.0.0.9', 1, '203.0.113.7'],
    ['6.6.6.6, 203.0.113.7, 10.0.0.8', '10.0.0.9', 2, '203.0.113.7'],
    [undefined, '10.0.0.9', 2, '10.0.0.9'],
    ['203.0.113.7', '::ffff:10.0.0.9', 0, '10.0.0.9'],
    ['203.0.113.7:55123', '::1', 1, '203.0.113.7'],
    ['[2001:db8::1]:443', '::1', 1, '2001:db8::1'],
    [['6.6.6.6', '203.0.113.7'], '::1', 1, '203.0.113.7'],
  ])('%s from %s behind %i proxies is %s', (forwarded, own, hops, expected) => {
    expect(clientIpBehind(forwarded, own, hops)).toBe(expected);
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
    expect(resolveClientIp(request, 0)).toBe('198.51.100.2');
    expect(request.headers).toEqual({ 'x-forwarded-for': '198.51.100.2' });
  });

  it('keeps the headers of a trusted proxy', () => {
    const request = spoofed() as unknown as IncomingMessage;
    expect(resolveClientIp(request, 1)).toBe('6.6.6.6');
    expect(request.headers).toEqual({ 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' });
  });
});
