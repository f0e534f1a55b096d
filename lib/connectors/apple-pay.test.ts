import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ellipticKeys, issue, pemOf } from '../../e2e/support/wallet-sealers/certificates.ts';
import { applePaySession, isApplePayGateway } from './apple-pay.ts';

// URL | whether it is Apple's
const table = `
https://apple-pay-gateway.apple.com/paymentservices/startSession             | yes
https://apple-pay-gateway.apple.com/paymentservices/paymentSession           | yes
https://apple-pay-gateway-cert.apple.com/paymentservices/startSession        | yes
https://apple-pay-gateway-nc-pod1.apple.com/paymentservices/startSession     | yes
https://cn-apple-pay-gateway-sh-pod2-cert.apple.com/paymentservices/startSession | yes
https://apple-pay-gateway.apple.com:443/paymentservices/startSession         | yes
http://apple-pay-gateway.apple.com/paymentservices/startSession              | no
https://apple-pay-gateway.apple.com:8443/paymentservices/startSession        | no
https://apple-pay-gateway.apple.com/paymentservices/startSession?to=1        | no
https://apple-pay-gateway.apple.com/                                         | no
https://apple-pay-gateway.apple.com/paymentservices/../startSession          | no
https://user:word@apple-pay-gateway.apple.com/paymentservices/startSession   | no
https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession | no
https://evil.example/paymentservices/startSession                            | no
https://evil.apple.com/paymentservices/startSession                          | no
https://evil.apple-pay-gateway.apple.com/paymentservices/startSession        | no
https://apple-pay-gateway.apple.com@evil.example/paymentservices/startSession | no
https://127.0.0.1/paymentservices/startSession                               | no
nothing                                                                      | no
`;

describe('the URLs that are called', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [address = '', expected] = line.split('|').map((cell) => cell.trim());
    expect(isApplePayGateway(address, null)).toBe(expected === 'yes');
  });

  it.each([
    ['http://127.0.0.1:28417/paymentservices/startSession', true],
    ['http://127.0.0.1:28417/other', false],
    ['http://127.0.0.1:28418/paymentservices/startSession', false],
    ['https://apple-pay-gateway.apple.com/paymentservices/startSession', false],
  ])('with a stand-in: %s %s', (address, expected) => {
    expect(isApplePayGateway(address, 'http://127.0.0.1:28417')).toBe(expected);
  });
});

describe('a session', () => {
  const authority = issue({ name: 'localhost', keys: ellipticKeys() });
  const merchant = issue({ name: 'merchant.test', keys: ellipticKeys() });
  const keyOf = ({ privateKey }: typeof merchant) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const identity = { certificate: pemOf(merchant.certificate), privateKey: keyOf(merchant) };
  const question = {
    merchantIdentifier: 'merchant.test',
    displayName: 'Shop',
    initiative: 'web',
    initiativeContext: 'pay.example.com',
  } as const;
  let answer: { status: number; body: string };
  const received: { from: unknown; body: string }[] = [];
  const server = createServer(
    { cert: pemOf(authority.certificate), key: keyOf(authority), requestCert: true, rejectUnauthorized: false },
    async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ from: (request.socket as TLSSocket).getPeerCertificate().subject?.CN, body });
      response.writeHead(answer.status, { location: 'https://localhost/' }).end(answer.body);
    },
  );
  const address = () => `https://localhost:${(server.address() as AddressInfo).port}/paymentservices/startSession`;
  const fetched = () => applePaySession(address(), identity, question, pemOf(authority.certificate));

  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise((done) => server.close(done)));

  it("is fetched with the merchant's certificate and returned unchanged", async () => {
    answer = { status: 200, body: '{"merchantSessionIdentifier":"SSH","signature":"30"}' };
    expect(await fetched()).toEqual({ merchantSessionIdentifier: 'SSH', signature: '30' });
    expect(received.at(-1)?.from).toBe('merchant.test');
    expect(JSON.parse(received.at(-1)?.body ?? '')).toEqual(question);
  });

  it.each([
    ['a refusal', 417, '{"statusMessage":"no"}'],
    ['a redirect', 302, '{}'],
    ['no JSON', 200, '<html>'],
    ['no object', 200, '[]'],
    ['too much', 200, `{"a":"${'b'.repeat(70_000)}"}`],
  ])('is none after %s', async (_what, status, body) => {
    answer = { status, body };
    expect(await fetched()).toBeNull();
  });

  it('is null for an untrusted certificate or an unreachable server', async () => {
    answer = { status: 200, body: '{}' };
    const count = received.length;
    expect(await applePaySession(address(), identity, question)).toBeNull();
    expect(await applePaySession('https://localhost:1/', identity, question)).toBeNull();
    expect(received.length).toBe(count);
  });
});
