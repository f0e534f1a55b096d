import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnv } from './config.ts';
import { readKmsAddress } from './kms-address.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64');
const typedKey = Buffer.from('My dog Rex jumps over 7 foxes, q').toString('base64');
const transit = 'https://vault.example.com:8200/v1/transit/keys/florin';
const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const aws = { VAULT_KMS: arn, AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };

const sandbox = { DATABASE_URL: 'postgresql://u:p@localhost/florin' };
const live = { ...sandbox, APP_ENV: 'production', BASE_URL: 'https://pay.example.com' };

const folder = mkdtempSync(join(tmpdir(), 'florin-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
function fileWith(text: string): string {
  const path = join(folder, `key-${Buffer.from(text).toString('hex').slice(0, 24)}`);
  writeFileSync(path, text);
  return path;
}

test.each([key, `${key}\n`, Buffer.from(key, 'base64').toString('hex')])('reads the key of a file: %j', (text) => {
  const path = fileWith(text);
  expect(readEnv({ ...live, VAULT_KEY_FILE: path })).toMatchObject({
    vaultKey: Uint8Array.from({ length: 32 }, (_, at) => at),
    vaultKeyFile: path,
  });
});

test.each([
  ['a missing file', () => join(folder, 'missing'), /VAULT_KEY_FILE should be the path of a file with 32 bytes/],
  ['a short key', () => fileWith('c2hvcnQ='), /VAULT_KEY_FILE should be the path of a file with 32 bytes/],
  ['zeros', () => fileWith(Buffer.alloc(32).toString('base64')), /VAULT_KEY_FILE should be 32 random bytes/],
  ['a typed text', () => fileWith('0123456789abcdef'.repeat(4)), /VAULT_KEY_FILE should be 32 random bytes/],
  ['a typed sentence', () => fileWith(typedKey), /VAULT_KEY_FILE should be 32 random bytes, not a typed text/],
])('refuses %s in production', (_name, path, error) => {
  expect(() => readEnv({ ...live, VAULT_KEY_FILE: path() })).toThrow(error);
});

test.each([
  ['no source', live, /VAULT_KEY is missing/],
  ['no source in a sandbox', sandbox, /VAULT_KEY is missing/],
  [
    'a variable and a file',
    { ...live, VAULT_KEY: key, VAULT_KEY_FILE: fileWith(key) },
    /VAULT_KEY_FILE should be absent/,
  ],
  ['a key beside a service', { ...live, ...aws, VAULT_KEY: key }, /VAULT_KEY should be absent with VAULT_KMS/],
  ['a sandbox with a service only', { ...sandbox, ...aws }, /VAULT_KEY is missing/],
  ['no token', { ...live, VAULT_KMS: transit }, /VAULT_TOKEN is missing, or VAULT_TOKEN_FILE/],
  ['no secret', { ...live, ...aws, AWS_SECRET_ACCESS_KEY: '' }, /AWS_SECRET_ACCESS_KEY is missing/],
  [
    'an open connection',
    { ...live, VAULT_KMS: transit.replace('https', 'http'), VAULT_TOKEN: 'token' },
    /VAULT_KMS should begin with https/,
  ],
  [
    'an open endpoint',
    { ...live, ...aws, AWS_ENDPOINT_URL_KMS: 'http://kms.example.com' },
    /AWS_ENDPOINT_URL_KMS should/,
  ],
  [
    'another address',
    { ...live, VAULT_KMS: 'https://vault.example.com' },
    /VAULT_KMS should be the address of a transit key/,
  ],
])('reports %s', (_name, settings, error) => {
  expect(() => readEnv(settings)).toThrow(error);
});

test('accepts each service alone, and beside the key of a sandbox', () => {
  expect(readEnv({ ...live, VAULT_KMS: transit, VAULT_TOKEN: 'hvs.token' })).toMatchObject({ vaultKms: transit });
  expect(readEnv({ ...live, ...aws })).toMatchObject({ vaultKms: arn });
  expect(readEnv({ ...sandbox, ...aws, VAULT_KEY: key }).vaultKey).toHaveLength(32);
});

describe('the address of a key', () => {
  test.each([
    [transit, { kind: 'transit', engine: 'https://vault.example.com:8200/v1/transit', key: 'florin' }],
    [
      'http://127.0.0.1:8100/v1/team/transit-2/keys/a.b',
      { engine: 'http://127.0.0.1:8100/v1/team/transit-2', key: 'a.b' },
    ],
    [arn, { kind: 'aws', arn, region: 'eu-central-1', host: 'kms.eu-central-1.amazonaws.com' }],
    ['arn:aws-cn:kms:cn-north-1:111122223333:alias/florin/live', { host: 'kms.cn-north-1.amazonaws.com.cn' }],
    ['arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/mrk-12', { host: 'kms.us-gov-west-1.amazonaws.com' }],
  ])('%s', (text, expected) => {
    expect(readKmsAddress(text)).toMatchObject(expected);
  });

  test.each([
    'https://vault.example.com/v1/transit/encrypt/florin',
    'https://user:secret@vault.example.com/v1/transit/keys/florin',
    `${transit}?version=1`,
    'ftp://vault.example.com/v1/transit/keys/florin',
    'arn:aws:s3:eu-central-1:111122223333:key/1',
    'arn:aws:kms:eu-central-1.evil.example/:111122223333:key/1',
    'alias/florin',
  ])('not %s', (text) => {
    expect(readKmsAddress(text)).toBeUndefined();
  });
});

describe('the metadata service of AWS', () => {
  const read = (address: string) =>
    readEnv({ ...live, ...aws, AWS_EC2_METADATA_SERVICE_ENDPOINT: address }).awsMetadataUrl;

  test.each([
    'http://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://127.0.0.1:1338',
    'http://[::1]:1338',
    'http://localhost:1338',
  ])('can be at %s', (address) => {
    expect(read(address)).toBe(address);
  });

  test.each(['http://metadata.example', 'https://metadata.example', 'http://10.0.0.1', 'http://169.254.170.2'])(
    'cannot be at %s, which would get its credentials',
    (address) => {
      expect(() => read(address)).toThrow(/AWS_EC2_METADATA_SERVICE_ENDPOINT should be the address of the service/);
    },
  );
});
