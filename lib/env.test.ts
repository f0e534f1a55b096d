import { describe, expect, it } from 'vitest';
import { EnvFault, readEnv } from './env';

const needed = { DATABASE_URL: 'postgresql://u:p@localhost/florin', VAULT_KEY: Buffer.alloc(32, 7).toString('base64') };

describe('readEnv', () => {
  it('fills in what a sandbox does not say', () => {
    expect(readEnv(needed)).toMatchObject({
      appEnv: 'sandbox',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      allowPrivateTargets: true,
      trustedProxyHops: 0,
      jobs: true,
      testControlToken: null,
    });
  });

  it('shuts private targets in production', () => {
    const env = readEnv({ ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com/' });
    expect(env).toMatchObject({ baseUrl: 'https://pay.example.com', allowPrivateTargets: false });
  });

  it('takes the vault key in hex too, and an empty value as absent', () => {
    const env = readEnv({ ...needed, VAULT_KEY: '07'.repeat(32), PORT: '', JOBS: ' off ' });
    expect(env.vaultKey).toEqual(new Uint8Array(32).fill(7));
    expect(env).toMatchObject({ port: 3000, jobs: false });
  });

  it.each([
    ['APP_ENV', 'staging'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['BASE_URL', 'pay.example.com'],
    ['BASE_URL', 'https://pay.example.com/florin'],
    ['BASE_URL', 'ftp://pay.example.com'],
    ['CHECKOUT_HOST', 'https://a.example'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL_SIZE', '0'],
    ['VAULT_KEY', 'short'],
    ['ALLOW_PRIVATE_TARGETS', 'maybe'],
    ['TRUSTED_PROXY_HOPS', '-1'],
    ['JOBS', '2'],
    ['TEST_CONTROL_TOKEN', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO_PASSWORD', 'short'],
  ])('names a wrong %s (%s)', (name, value) => {
    expect(() => readEnv({ ...needed, [name]: value })).toThrow(new RegExp(`\\b${name} should be`));
  });

  it('names everything that is wrong at once, and never a value', () => {
    const attempt = () => readEnv({ APP_ENV: 'production', VAULT_KEY: 'hunter2', TEST_CONTROL_TOKEN: 'x'.repeat(16) });
    expect(attempt).toThrow(EnvFault);
    expect(attempt).toThrow(/VAULT_KEY[\s\S]*DATABASE_URL[\s\S]*BASE_URL[\s\S]*TEST_CONTROL_TOKEN/);
    expect(attempt).not.toThrow(/hunter2/);
  });
});
