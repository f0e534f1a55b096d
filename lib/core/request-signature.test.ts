import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSignature, requestMac } from './request-signature.ts';

const password = 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e';
const body = Buffer.from('{"payment_id":"7"}');
const signed = { path: '/api/v1/payment/status', body };
const now = new Date('2026-11-22T06:00:00Z');
const timestamp = String(now.getTime() / 1000);
// printf '%s' '1795327200./api/v1/payment/status.{"payment_id":"7"}' | openssl dgst -sha256 -hmac "$password"
const vector = '9b6831ee7a901e5cc882578dff900b6d021bf849435f48f0ff735cd3aa1560fe';

const faultOf = (headers: { timestamp?: string | null; signature?: string | null }, at = now) => {
  const checked = checkSignature({ timestamp, signature: `v1=${vector}`, ...headers }, signed, password, at);
  return 'mac' in checked ? null : `${checked.path}: ${checked.text}`;
};
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('a signature', () => {
  test('is HMAC-SHA256 over timestamp, path and body', () => {
    expect(requestMac(password, timestamp, signed).toString('hex')).toBe(vector);
    expect(faultOf({})).toBeNull();
    expect(faultOf({ signature: `v1=${vector.toUpperCase()}` })).toBeNull();
  });

  test.each([
    [{ timestamp: null }, 'X-Florin-Timestamp: This value should not be blank.'],
    [{ signature: null }, 'X-Florin-Signature: This value should not be blank.'],
    [{ timestamp: 'yesterday' }, 'X-Florin-Timestamp: This value is not a Unix time in seconds.'],
    [{ timestamp: `${timestamp}000` }, 'X-Florin-Timestamp: This value is not a Unix time in seconds.'],
    [{ timestamp: `${timestamp}.5` }, 'X-Florin-Signature: This value is not valid.'],
    [{ signature: vector }, 'X-Florin-Signature: This value is not valid.'],
    [{ signature: `v1=${vector.slice(2)}` }, 'X-Florin-Signature: This value is not valid.'],
    [{ signature: `v1=00${vector.slice(2)}` }, 'X-Florin-Signature: This value is not valid.'],
  ])('%j: %s', (headers, error) => expect(faultOf(headers)).toBe(error));

  test('is valid for 300 seconds in either direction', () => {
    expect([faultOf({}, later(300)), faultOf({}, later(-300))]).toEqual([null, null]);
    const late = 'X-Florin-Timestamp: This value is more than 300 seconds from now.';
    expect([faultOf({}, later(301)), faultOf({}, later(-301))]).toEqual([late, late]);
  });

  test('is invalid for any other byte, path, time or password', () => {
    const other = fc.record({
      path: fc.oneof(fc.constant(signed.path), fc.webPath()),
      body: fc.oneof(fc.constant(body), fc.uint8Array()),
      password: fc.oneof(fc.constant(password), fc.string()),
    });
    fc.assert(
      fc.property(other, (given) => {
        const same =
          given.path === signed.path && Buffer.compare(given.body, body) === 0 && given.password === password;
        const checked = checkSignature({ timestamp, signature: `v1=${vector}` }, given, given.password, now);
        return 'mac' in checked === same;
      }),
    );
  });
});
