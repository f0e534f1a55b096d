import { describe, expect, it } from 'vitest';
import { demoSession, isDemoReturn, sessionCurl } from './demo-request.ts';

// Both were computed with tr and openssl.
const sessionHash = 'db344399ea64051997edddd3849b0f747250331c';
const returnHash = 'f290b0968fa54eee68a77fc5cd0fd711391d6a45';

describe('the example request', () => {
  it('is signed', () => {
    expect(demoSession('http://localhost:3000', 'demo-1').hash).toBe(sessionHash);
  });

  it('is one shell command, on one line or on several', () => {
    for (const indent of [0, 2]) {
      const command = sessionCurl('http://checkout.test', 'demo-1', 'http://base.test', indent);
      const [, url, body] = /^curl -s (\S+) \\\n.*\\\n {2}-d '([^']*)'$/s.exec(command) ?? [];
      expect(url).toBe('http://checkout.test/api/v1/session');
      expect(JSON.parse(body ?? '')).toEqual(demoSession('http://base.test', 'demo-1'));
    }
  });

  it('is recognised when its payer returns', () => {
    const query = { payment_id: '01a1f954-d557-72d6-a511-f3708e5bc642', order_id: 'demo-1', hash: returnHash };
    expect(isDemoReturn(query)).toBe(true);
    expect(isDemoReturn({ ...query, order_id: 'demo-2' })).toBe(false);
    expect(isDemoReturn({ ...query, hash: sessionHash })).toBe(false);
    expect(isDemoReturn({})).toBe(false);
  });
});
