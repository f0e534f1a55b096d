import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnvError, readEnv } from './config.ts';
import { productionWarnings } from './production.ts';

const needed = {
  DATABASE_URL: 'postgresql://u:p@localhost/florin',
  VAULT_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64'),
};

describe('readEnv', () => {
  it('applies the defaults of a sandbox', () => {
    expect(readEnv(needed)).toMatchObject({
      appEnv: 'sandbox',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      allowPrivateTargets: true,
      trustedProxies: [],
      jobs: true,
      testControlToken: null,
    });
  });

  it('forbids private targets in production', () => {
    const env = readEnv({ ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com/' });
    expect(env).toMatchObject({ baseUrl: 'https://pay.example.com', allowPrivateTargets: false });
  });

  it('requires a second factor in production, and in a sandbox that enables it', () => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    const managing = ['administrator', 'account_manager'];
    const everyRole = [...managing, 'merchant_owner', 'operator', 'viewer'];
    const rolesOf = (settings: Record<string, string>) => readEnv(settings).secondFactorRoles;
    expect(rolesOf(live)).toEqual(managing);
    expect(rolesOf(needed)).toEqual([]);
    expect(rolesOf({ ...needed, REQUIRE_SECOND_FACTOR: 'on' })).toEqual(managing);
    expect(rolesOf({ ...live, REQUIRE_SECOND_FACTOR: 'all' })).toEqual(everyRole);
    expect(rolesOf({ ...needed, REQUIRE_SECOND_FACTOR: 'merchant_owner operator' })).toEqual([
      'merchant_owner',
      'operator',
    ]);
    for (const fewer of ['off', 'administrator', 'merchant_owner operator'])
      expect(() => rolesOf({ ...live, REQUIRE_SECOND_FACTOR: fewer })).toThrow(
        'REQUIRE_SECOND_FACTOR should include administrator and account_manager in production.',
      );
  });

  it('accepts the vault key in hex, and an empty value as absent', () => {
    const env = readEnv({
      ...needed,
      VAULT_KEY: Buffer.from(needed.VAULT_KEY, 'base64').toString('hex'),
      PORT: '',
      JOBS: ' off ',
    });
    expect(env.vaultKey).toEqual(Uint8Array.from({ length: 32 }, (_, at) => at));
    expect(env).toMatchObject({ port: 3000, jobs: false });
  });

  it.each([
    ['APP_ENV', 'staging'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '127.0.0.1:3000'],
    ['WEB_CONCURRENCY', '0'],
    ['WEB_CONCURRENCY', 'auto'],
    ['BASE_URL', 'pay.example.com'],
    ['BASE_URL', 'https://pay.example.com/florin'],
    ['BASE_URL', 'ftp://pay.example.com'],
    ['CHECKOUT_HOST', 'https://a.example'],
    ['DASHBOARD_HOST', 'a.example/dashboard'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOLER', 'session'],
    ['DIRECT_DATABASE_URL', 'mysql://localhost/x'],
    ['DRAIN_SECONDS', '61'],
    ['VAULT_KEY', 'short'],
    ['VAULT_KEY', 'Correct Horse Battery Staple 1 Correct Horse Battery'],
    ['VAULT_KEY', `${Buffer.alloc(32, 9).toString('base64')}=`],
    ['ALLOW_PRIVATE_TARGETS', 'maybe'],
    ['REQUIRE_SECOND_FACTOR', 'maybe'],
    ['REQUIRE_SECOND_FACTOR', 'administrator guest'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1 proxy.example'],
    ['JOBS', '2'],
    ['TEST_CONTROL_TOKEN', 'short'],
    ['TEST_CLOCK_SKEW_SECONDS', '1.5'],
    ['TEST_CLOCK_SKEW_SECONDS', '86401'],
    ['TEST_CLOCK_SKEW_SECONDS', '120'],
    ['LOG_LEVEL', 'loud'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['DEMO_PASSWORD', 'short'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com/?pool=true'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'A <a@example.com>, b@example.com'],
    ['SMS_GATEWAY_URL', 'sms.example.com'],
    ['SMS_GATEWAY_URL', 'https://user:secret@sms.example.com'],
    ['SMS_GATEWAY_TOKEN', 'two words'],
    ['APPLE_PAY_ROOTS', '/nowhere/roots.pem'],
    ['APPLE_PAY_ROOTS', 'package.json'],
    ['APPLE_PAY_TOLERANCE_SECONDS', '0'],
    ['APPLE_PAY_GATEWAY', 'apple-pay-gateway.apple.com'],
    ['GOOGLE_PAY_ROOTS_TEST', 'package.json'],
    ['GOOGLE_PAY_ROOTS_PRODUCTION', '/nowhere/roots.json'],
  ])('reports an invalid %s (%s)', (name, value) => {
    expect(() => readEnv({ ...needed, [name]: value })).toThrow(new RegExp(`\\b${name} should be`));
  });

  it('reads the roots of wallets, those of Google Pay for its own environment', () => {
    const folder = 'e2e/support/wallet-roots';
    const roots = { APPLE_PAY_ROOTS: `${folder}/apple.pem`, GOOGLE_PAY_ROOTS_TEST: `${folder}/google.json` };
    const sandbox = readEnv({ ...needed, ...roots });
    expect(sandbox.applePayRoots?.map(({ subject }) => subject)).toEqual(['CN=Florin test root']);
    expect(sandbox.googlePayRoots).toHaveLength(1);
    const live = { APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    expect(readEnv({ ...needed, ...live, ...roots }).googlePayRoots).toBeNull();
    expect(readEnv({ ...needed, ...live, GOOGLE_PAY_ROOTS_PRODUCTION: `${folder}/google.json` })).toMatchObject({
      applePayRoots: null,
      applePayToleranceSeconds: 300,
      googlePayRoots: [{}],
    });
  });

  it('accepts a mail server and a gateway with their settings', () => {
    const mail = { SMTP_URL: 'smtps://florin:p%40ss@mail.example.com:465', MAIL_FROM: 'Florin <pay@example.com>' };
    const sms = { SMS_GATEWAY_URL: 'https://sms.example.com/v1/messages', SMS_GATEWAY_TOKEN: 'token-1' };
    expect(readEnv({ ...needed, ...mail, ...sms })).toMatchObject({
      smtpUrl: mail.SMTP_URL,
      mailFrom: mail.MAIL_FROM,
      smsGatewayUrl: sms.SMS_GATEWAY_URL,
      smsGatewayToken: sms.SMS_GATEWAY_TOKEN,
    });
    expect(() => readEnv({ ...needed, SMTP_URL: mail.SMTP_URL })).toThrow(/MAIL_FROM is missing/);
    expect(() => readEnv({ ...needed, SMS_GATEWAY_URL: sms.SMS_GATEWAY_URL })).toThrow(/SMS_GATEWAY_TOKEN is missing/);
  });

  it('refuses in production what sends links in clear, trusts every client, or leaves the dashboard without a host', () => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    const sms = (SMS_GATEWAY_URL: string) => readEnv({ ...live, SMS_GATEWAY_URL, SMS_GATEWAY_TOKEN: 'token-1' });
    expect(() => sms('http://sms.example.com/send')).toThrow(/SMS_GATEWAY_URL should begin with https/);
    expect(sms('http://localhost:8080/send').smsGatewayUrl).toBe('http://localhost:8080/send');
    const wide = ['0.0.0.0/0', '::/0', 'loopback, 0.0.0.0/0', '0.0.0.0/1 128.0.0.0/1', '::/1 8000::/1', '10.0.0.0/7'];
    for (const TRUSTED_PROXIES of [...wide, 'fc00::/6', 'fe80::/9', '2001::/15'])
      expect(() => readEnv({ ...live, TRUSTED_PROXIES })).toThrow(/TRUSTED_PROXIES should be the addresses/);
    for (const TRUSTED_PROXIES of ['203.0.0.0/8', '2001:db8::/16', 'fc00::/7', 'fd00::/8'])
      expect(readEnv({ ...live, TRUSTED_PROXIES }).trustedProxies).toHaveLength(1);
    for (const PRIVATE_NETWORKS of ['0.0.0.0/0', 'private 0.0.0.0/1'])
      expect(() => readEnv({ ...live, PRIVATE_NETWORKS })).toThrow(/PRIVATE_NETWORKS should be the networks/);
    expect(readEnv({ ...live, PRIVATE_NETWORKS: 'private' }).privateNetworks).toHaveLength(7);
    expect(readEnv({ ...needed, TRUSTED_PROXIES: '0.0.0.0/0' }).trustedProxies).toHaveLength(1);
    expect(readEnv({ ...live, TRUSTED_PROXIES: 'private' }).trustedProxies).toHaveLength(7);
    for (const DASHBOARD_HOST of ['pay.example.com', 'pay.example.com:443', 'PAY.example.com:443'])
      expect(() => readEnv({ ...live, DASHBOARD_HOST })).toThrow(/DASHBOARD_HOST should be a host of its own/);
    const hosts = { CHECKOUT_HOST: 'c.example.com', DASHBOARD_HOST: 'c.example.com:443' };
    expect(() => readEnv({ ...live, ...hosts })).toThrow(/DASHBOARD_HOST should be a host of its own/);
    expect(readEnv({ ...live, DASHBOARD_HOST: 'dash.example.com:443' }).dashboardHost).toBe('dash.example.com');
    expect(readEnv({ ...live, DASHBOARD_HOST: 'pay.example.com:8443' }).dashboardHost).toBe('pay.example.com:8443');
  });

  it('warns of the settings by which production lacks a protection', () => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    const open = { ALLOW_PRIVATE_TARGETS: 'on', CARD_TESTING: 'off', RATE_LIMITS: 'off', CONNECTIONS_PER_ADDRESS: '0' };
    const namesIn = (settings: Record<string, string>) =>
      productionWarnings(readEnv(settings)).map((warning) => warning.split(' ')[0]);
    expect(namesIn({ ...live, ...open })).toEqual([
      'ALLOW_PRIVATE_TARGETS=on',
      'CARD_TESTING=off',
      'RATE_LIMITS=off',
      'CONNECTIONS_PER_ADDRESS=0',
    ]);
    for (const TRUSTED_PROXIES of ['private', '10.0.0.0/8', '192.168.0.0/16'])
      expect(namesIn({ ...live, TRUSTED_PROXIES })).toEqual(['TRUSTED_PROXIES']);
    expect(namesIn({ ...live, TRUSTED_PROXIES: 'loopback 10.1.0.0/16' })).toEqual([]);
    const database = (rest: string) =>
      namesIn({ ...live, DATABASE_URL: `postgresql://u:p@db.example.com/florin${rest}` });
    expect([database(''), database('?sslmode=require')]).toEqual([['DATABASE_URL'], ['DATABASE_URL']]);
    expect([database('?sslmode=verify-full'), database('?host=/run/postgresql')]).toEqual([[], []]);
    expect(namesIn({ ...live, DATABASE_URL: 'postgresql://u@%2Frun%2Fpostgresql/florin' })).toEqual([]);
    for (const LOG_LEVEL of ['fatal', 'silent'])
      expect(() => readEnv({ ...live, LOG_LEVEL })).toThrow(/LOG_LEVEL should be error or a lower level/);
    expect(namesIn(live)).toEqual([]);
    expect(namesIn({ ...needed, ...open })).toEqual([]);
  });

  it('reads where security events go, and requires encryption in production', () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const sinks = {
      EVENTS_URL: 'http://siem.example.com/in',
      EVENTS_SECRET: secret,
      EVENTS_SYSLOG: 'tcp://[2001:db8::1]:601',
    };
    expect(readEnv(needed)).toMatchObject({ eventsLog: true, eventsUrl: null, eventsSyslog: null });
    expect(readEnv({ ...needed, ...sinks, EVENTS_LOG: 'off' })).toMatchObject({
      ...{ eventsLog: false, eventsUrl: sinks.EVENTS_URL, eventsSecret: secret },
      eventsSyslog: { tls: false, host: '2001:db8::1', port: 601 },
    });
    expect(() => readEnv({ ...needed, EVENTS_URL: sinks.EVENTS_URL })).toThrow(/EVENTS_SECRET is missing/);
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    const plain = () => readEnv({ ...live, ...sinks });
    expect(plain).toThrow(/EVENTS_URL should begin with https/);
    expect(plain).toThrow(/EVENTS_SYSLOG should begin with tls/);
    const own = { EVENTS_URL: 'https://siem.example.com', EVENTS_SECRET: secret, EVENTS_SYSLOG: 'tcp://localhost:601' };
    expect(readEnv({ ...live, ...own })).toMatchObject({ eventsSyslog: { tls: false, host: 'localhost' } });
  });

  it.each([
    ['EVENTS_URL', 'ftp://siem.example.com'],
    ['EVENTS_URL', 'https://user@siem.example.com'],
    ['EVENTS_SECRET', 'whsec_short'],
    ['EVENTS_SECRET', Buffer.alloc(32, 1).toString('base64')],
    ['EVENTS_SYSLOG', 'udp://siem.example.com:514'],
    ['EVENTS_SYSLOG', 'tls://siem.example.com'],
    ['EVENTS_SYSLOG', 'tls://siem.example.com:6514/path'],
    ['EVENTS_SYSLOG', 'tls://:6514'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readEnv({ ...needed, [name]: value })).toThrow(new RegExp(`${name} should be`));
  });

  it.each(['127.0.0.1', '::1', 'pay-1.internal'])('listens on %s', (address) => {
    expect(readEnv({ ...needed, HOST: address })).toMatchObject({ listenAddress: address, webConcurrency: 1 });
  });

  it('runs the test controls in one process only', () => {
    const controls = { ...needed, TEST_CONTROL_TOKEN: 'x'.repeat(16) };
    expect(readEnv({ ...controls, WEB_CONCURRENCY: '1' }).webConcurrency).toBe(1);
    expect(() => readEnv({ ...controls, WEB_CONCURRENCY: '2' })).toThrow(/TEST_CONTROL_TOKEN should be absent/);
  });

  it('reads the list of card prefixes, and reports its errors', () => {
    const folder = mkdtempSync(join(tmpdir(), 'florin-bins-'));
    const listed = (text: string) => {
      const path = join(folder, 'bins.csv');
      writeFileSync(path, text);
      return () => readEnv({ ...needed, BIN_COUNTRIES_FILE: path });
    };
    expect(listed('bin,country\n457173,DK\n')().binCountries?.get('457173')).toBe('DK');
    expect(listed('457173,DK\n457174,Denmark\n')).toThrow(/BIN_COUNTRIES_FILE .*: line 2 is invalid\./);
    expect(listed('\n')).toThrow(/BIN_COUNTRIES_FILE .*: the file is empty\./);
    expect(() => readEnv({ ...needed, BIN_COUNTRIES_FILE: folder })).toThrow(/BIN_COUNTRIES_FILE .* a readable file/);
    expect(readEnv(needed).binCountries).toBeNull();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['https://pay.example.com', null],
    ['http://localhost:3000', null],
    ['http://127.0.0.1:3000', null],
    ['http://pay.example.com', /BASE_URL should begin with https:\/\/ in production/],
    ['http://localhost.example.com', /BASE_URL should begin with https:\/\/ in production/],
  ])('demands encryption in production, except on this machine: %s', (address, error) => {
    const read = () => readEnv({ ...needed, APP_ENV: 'production', BASE_URL: address });
    if (error) expect(read).toThrow(error);
    else expect(read().baseUrl).toBe(address);
    expect(readEnv({ ...needed, BASE_URL: address }).baseUrl).toBe(address);
  });

  it.each([
    Buffer.alloc(32).toString('base64'),
    '0123456789abcdef'.repeat(4),
    'correcthorsebatterystaplecorrecthorsebattek=',
    'CORRECT/HORSE/BATTERY/STAPLE/CORRECT/HORSEM',
  ])('refuses the weak vault key %s in production', (key) => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    expect(() => readEnv({ ...live, VAULT_KEY: key })).toThrow(/VAULT_KEY should be 32 random bytes/);
    expect(readEnv({ ...needed, VAULT_KEY: key }).vaultKey).toHaveLength(32);
  });

  it('locks a session of the dashboard after 15 minutes at most in production', () => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    expect([readEnv(live).sessionIdleMinutes, readEnv(needed).sessionIdleMinutes]).toEqual([15, 480]);
    expect(readEnv({ ...live, SESSION_IDLE_MINUTES: '5' }).sessionIdleMinutes).toBe(5);
    expect(() => readEnv({ ...live, SESSION_IDLE_MINUTES: '16' })).toThrow(/SESSION_IDLE_MINUTES .* from 1 to 15/);
  });

  it('reads the address of clamd, which production accepts on this machine only', () => {
    const live = { ...needed, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };
    const read = (address: string, more: object = live) => readEnv({ ...more, CLAMAV_URL: address }).clamav;
    expect(read('unix:/run/clamav/clamd.ctl')).toEqual({ path: '/run/clamav/clamd.ctl' });
    expect(read('tcp://127.0.0.1:3310')).toEqual({ host: '127.0.0.1', port: 3310 });
    expect(read('tcp://[::1]:3310')).toEqual({ host: '::1', port: 3310 });
    expect(read('tcp://clamd:3310', needed)).toEqual({ host: 'clamd', port: 3310 });
    expect(() => read('tcp://clamd:3310')).toThrow(/CLAMAV_URL should be an address of this machine in production/);
    for (const wrong of [
      'clamd:3310',
      'tcp://clamd',
      'tcp://clamd:3310/x',
      'unix://host/x',
      'unix:clamd.ctl',
      'unix:',
      'http://a:1',
    ])
      expect(() => read(wrong, needed)).toThrow(/CLAMAV_URL should be tcp:/);
  });

  it('demands a host for the dashboard that serves nothing else', () => {
    const live = { ...needed, BASE_URL: 'https://pay.example.com', S2S_CARD_HOST: 'card.example.com' };
    expect(readEnv({ ...live, DASHBOARD_HOST: 'Desk.example.com' }).dashboardHost).toBe('desk.example.com');
    for (const host of ['pay.example.com', 'card.example.com'])
      expect(() => readEnv({ ...live, DASHBOARD_HOST: host })).toThrow(/DASHBOARD_HOST should be a host of its own/);
  });

  it('reports all errors at once, and never a value', () => {
    const attempt = () => readEnv({ APP_ENV: 'production', VAULT_KEY: 'hunter2', TEST_CONTROL_TOKEN: 'x'.repeat(16) });
    expect(attempt).toThrow(EnvError);
    expect(attempt).toThrow(/VAULT_KEY[\s\S]*DATABASE_URL[\s\S]*BASE_URL[\s\S]*TEST_CONTROL_TOKEN/);
    expect(attempt).not.toThrow(/hunter2/);
  });
});
