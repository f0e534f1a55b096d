import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type KmsStandIn, signatureV4, startAwsKms, startTransit } from '../../e2e/support/kms.ts';
import { readEnv } from '../config/index.ts';
import { metrics } from '../telemetry/index.ts';
import { keySourceOf } from './key-source.ts';
import { unwrapKey, wrapKey } from './keys.ts';
import { KmsError } from './kms-request.ts';

const own = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64');
const other = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 1)).toString('base64');
const base = { DATABASE_URL: 'postgresql://localhost/none', VAULT_KEY: own };
const sourceOf = (settings: Record<string, string | undefined>) => keySourceOf(readEnv({ ...base, ...settings }));
const key = Buffer.alloc(32, 5);

const running: KmsStandIn[] = [];
afterEach(async () => {
  for (const standIn of running.splice(0)) await standIn.stop();
});
async function started(starting: Promise<KmsStandIn>): Promise<KmsStandIn> {
  const standIn = await starting;
  running.push(standIn);
  return standIn;
}

const token = 'hvs.token-1';
async function transitSource({ namespace, ...settings }: Record<string, string> = {}) {
  const standIn = await started(startTransit({ token, namespace }));
  const address = { VAULT_KMS: `${standIn.origin}/v1/transit/keys/florin`, VAULT_TOKEN: token };
  const source = sourceOf({ ...address, ...(namespace && { VAULT_NAMESPACE: namespace }), ...settings });
  return { standIn, source };
}

const aws = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
async function awsSource(settings: Record<string, string> = {}, sessionToken?: string, of = arn) {
  const standIn = await started(startAwsKms({ ...aws, arn: of, sessionToken }));
  const credentials = { AWS_ACCESS_KEY_ID: aws.accessKeyId, AWS_SECRET_ACCESS_KEY: aws.secretAccessKey };
  const address = { VAULT_KMS: of, AWS_ENDPOINT_URL_KMS: standIn.origin };
  return { standIn, source: sourceOf({ ...address, ...credentials, AWS_SESSION_TOKEN: sessionToken, ...settings }) };
}

describe.each([
  ['VAULT_KEY', async () => ({ source: sourceOf({}) })],
  ['HashiCorp Vault', () => transitSource({ namespace: 'payments' })],
  ['AWS KMS', () => awsSource({}, 'session-token')],
] as const)('%s', (_name, start) => {
  test('unwraps what it has wrapped, for the same purpose only', async () => {
    const { source } = await start();
    for (const bindsRows of [true, false]) {
      const wrapped = await wrapKey({ key, bindsRows }, 'seal', source);
      expect(wrapped.includes(key)).toBe(false);
      expect(await unwrapKey(wrapped, 'seal', source)).toEqual({ key, bindsRows });
      expect(await unwrapKey(wrapped, 'link', source)).toBeNull();
    }
    for (const { wrong } of running) expect(wrong).toEqual([]);
  });

  test('returns null for the keys of every other source', async () => {
    const { source } = await start();
    const others = [sourceOf({ VAULT_KEY: other }), (await transitSource()).source, (await awsSource()).source];
    const otherKey = await awsSource({}, undefined, arn.replace('1234abcd', '9999abcd'));
    for (const each of [...others, otherKey.source]) {
      expect(await unwrapKey(await wrapKey({ key, bindsRows: true }, 'seal', each), 'seal', source)).toBeNull();
    }
  });
});

describe.each([
  ['HashiCorp Vault', transitSource],
  ['AWS KMS', awsSource],
] as const)('%s', (name, start) => {
  test.each([500, 503, 429, 'close'] as const)('is asked again after %s', async (fault) => {
    const { source, standIn } = await start();
    standIn.faults = [fault, fault];
    const wrapped = await wrapKey({ key, bindsRows: true }, 'seal', source);
    expect(await unwrapKey(wrapped, 'seal', source)).toEqual({ key, bindsRows: true });
  });

  test('is asked again after two seconds without an answer', async () => {
    const { source, standIn } = await start();
    standIn.faults = ['hang'];
    await wrapKey({ key, bindsRows: true }, 'seal', source);
    expect([standIn.faults, standIn.asked.length]).toEqual([[], 1]);
  });

  test('is asked three times at most, and the error has no secret', async () => {
    const { source, standIn } = await start();
    standIn.faults = [503, 503, 503];
    const failure = await wrapKey({ key, bindsRows: true }, 'seal', source).catch((err: unknown) => err);
    expect(failure).toBeInstanceOf(KmsError);
    expect((failure as Error).message).toBe(`${name} does not answer: status 503.`);
    expect(standIn.asked).toEqual([]);
    await standIn.stop();
    await expect(wrapKey({ key, bindsRows: true }, 'seal', source)).rejects.toThrow(
      `${name} does not answer: ECONNREFUSED.`,
    );
  });

  test('is counted', async () => {
    const counted = async () => {
      const { values } = await metrics.dataKeys.get();
      return Object.fromEntries(values.map(({ labels, value }) => [`${labels.call} ${labels.result}`, value]));
    };
    const { source } = await start();
    metrics.dataKeys.reset();
    const wrapped = await wrapKey({ key, bindsRows: true }, 'seal', source);
    await unwrapKey(wrapped, 'seal', source);
    await unwrapKey(wrapped, 'link', source);
    expect(await counted()).toEqual({ 'wrap done': 1, 'unwrap done': 1, 'unwrap refused': 1 });
  });
});

test('a refused token is an error and not another key', async () => {
  const { source } = await transitSource();
  const wrapped = await wrapKey({ key, bindsRows: true }, 'seal', source);
  const refused = await transitSource({ VAULT_TOKEN: 'hvs.other' });
  await expect(unwrapKey(wrapped, 'seal', refused.source)).rejects.toThrow(
    'HashiCorp Vault refuses to decrypt a data key with status 403.',
  );
});

test('the token is read from its file for each request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-token-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'expired\n');
  const { source } = await transitSource({ VAULT_TOKEN: '', VAULT_TOKEN_FILE: file });
  await expect(wrapKey({ key, bindsRows: true }, 'seal', source)).rejects.toThrow('status 403');
  writeFileSync(file, `${token}\n`);
  await wrapKey({ key, bindsRows: true }, 'seal', source);
  rmSync(folder, { recursive: true });
});

test('a wrong secret of AWS is an error and not another key', async () => {
  const { source, standIn } = await awsSource({ AWS_SECRET_ACCESS_KEY: 'another' });
  await expect(wrapKey({ key, bindsRows: true }, 'seal', source)).rejects.toThrow(
    'AWS KMS refuses Encrypt: InvalidSignatureException.',
  );
  expect(standIn.wrong).toEqual([]);
});

test('the stand-in computes the signature of AWS’s published example', () => {
  // get-vanilla of the test suite of Signature Version 4.
  const date = '20150830T123600Z';
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': date };
  const request = { method: 'GET', path: '/', headers, body: '' };
  const scope = '20150830/us-east-1/service/aws4_request';
  const signing = { secretAccessKey: aws.secretAccessKey, date, scope };
  expect(signatureV4(request, ['host', 'x-amz-date'], signing)).toBe(
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  );
});

test('a file has the same key as the variable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-key-'));
  const file = join(folder, 'vault-key');
  writeFileSync(file, `${own}\n`);
  const source = sourceOf({ VAULT_KEY: '', VAULT_KEY_FILE: file });
  expect(source.setting).toBe('VAULT_KEY_FILE');
  expect(source.earlierSessionSecret).toEqual(sourceOf({}).earlierSessionSecret);
  const wrapped = await wrapKey({ key, bindsRows: true }, 'seal', source);
  expect(await unwrapKey(wrapped, 'seal', sourceOf({}))).toEqual({ key, bindsRows: true });
  rmSync(folder, { recursive: true });
});
