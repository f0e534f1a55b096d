// The credentials of AWS roles against stand-ins for the container's endpoint and the instance's metadata service, which
// refuse what differs from the published protocols; and a request to AWS KMS that is signed with them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAwsKms } from '../../e2e/support/kms.ts';
import { readEnv } from '../config/index.ts';
import { awsCredentials } from './aws-credentials.ts';
import { keySourceOf } from './key-source.ts';
import { unwrapKey, wrapKey } from './keys.ts';

const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const live = {
  APP_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgresql://localhost/none',
  VAULT_KMS: arn,
};
const role = { AccessKeyId: 'ASIAROLE', SecretAccessKey: 'secret-of-the-role', Token: 'token-of-the-role' };
const expected = { accessKeyId: 'ASIAROLE', secretAccessKey: 'secret-of-the-role', sessionToken: 'token-of-the-role' };

const folder = mkdtempSync(join(tmpdir(), 'aws-credentials-'));
const tokenFile = join(folder, 'token');
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  rmSync(tokenFile, { force: true });
});

type Answer = { status: number; body?: string };

/** Serves on this machine; `asked` has method and path of each request. */
async function serve(answer: (incoming: IncomingMessage) => Answer) {
  const asked: string[] = [];
  const server: Server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { status, body } = answer(incoming);
    outgoing.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  running.push({ stop: () => new Promise((done) => void server.close(() => done())) });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const base = '/latest/meta-data/iam/security-credentials/';
const instance = (credentials: object = { Code: 'Success', Type: 'AWS-HMAC', ...role }) =>
  serve(({ method, url, headers }) => {
    if (url === '/latest/api/token') {
      const isRight = method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] === '60';
      return isRight ? { status: 200, body: 'metadata-token' } : { status: 400 };
    }
    if (headers['x-aws-ec2-metadata-token'] !== 'metadata-token') return { status: 401 };
    if (url === base) return { status: 200, body: 'florin-role' };
    return url === `${base}florin-role` ? { status: 200, body: JSON.stringify(credentials) } : { status: 404 };
  });

const container = (authorization: string | undefined) =>
  serve(({ method, url, headers }) => {
    if (method !== 'GET' || url !== '/v1/credentials') return { status: 404 };
    if (headers.authorization !== authorization) return { status: 401 };
    return { status: 200, body: JSON.stringify({ ...role, Expiration: '2026-11-28T12:00:00Z' }) };
  });

const credentialsOf = (settings: Record<string, string>) => awsCredentials(readEnv({ ...live, ...settings }));

test('an access key is used as it is', async () => {
  const key = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
  // Nothing serves at that address.
  const settings = { ...key, AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:9/' };
  expect(await credentialsOf(settings)).toEqual({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' });
  expect(await credentialsOf({ ...settings, AWS_SESSION_TOKEN: 'session' })).toMatchObject({ sessionToken: 'session' });
});

test("the container's role, with the newest token of the file", async () => {
  const { origin, asked } = await container('token-2');
  writeFileSync(tokenFile, 'token-1\n');
  const settings = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/v1/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
  };
  await expect(credentialsOf(settings)).rejects.toThrow(
    "The container's credentials endpoint answers with status 401.",
  );
  writeFileSync(tokenFile, 'token-2\n');
  expect(await credentialsOf(settings)).toEqual(expected);
  expect(asked).toEqual(['GET /v1/credentials', 'GET /v1/credentials']);
});

test("the container's role without a token, at the address of ECS", async () => {
  const { origin } = await container(undefined);
  expect(await credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/v1/credentials` })).toEqual(expected);
  const ecs = readEnv({ ...live, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/3c5d?id=1' });
  expect(ecs.awsContainerUrl).toBe('http://169.254.170.2/v2/credentials/3c5d?id=1');
});

test("the instance's role, by a session of the metadata service", async () => {
  const { origin, asked } = await instance();
  expect(await credentialsOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: origin })).toEqual(expected);
  expect(asked).toEqual(['PUT /latest/api/token', `GET ${base}`, `GET ${base}florin-role`]);
});

test('what is missing is named, and no secret is', async () => {
  const nowhere = credentialsOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://127.0.0.1:9' });
  await expect(nowhere).rejects.toThrow(/because AWS_ACCESS_KEY_ID is not set, does not answer: \w+\.$/);
  const { origin } = await instance({ Code: 'Failed', ...role, Token: undefined });
  const incomplete = credentialsOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: origin });
  await expect(incomplete).rejects.toThrow(/ returns no credentials\.$/);
});

test('a request to AWS KMS is signed with the credentials of the role', async () => {
  const { origin } = await instance();
  const kms = await startAwsKms({ arn, ...expected });
  running.push(kms);
  const settings = { AWS_EC2_METADATA_SERVICE_ENDPOINT: origin, AWS_ENDPOINT_URL_KMS: kms.origin };
  const source = keySourceOf(readEnv({ ...live, ...settings }));
  const key = { key: Buffer.alloc(32, 5), bindsRows: true };
  expect(await unwrapKey(await wrapKey(key, 'seal', source), 'seal', source)).toEqual(key);
  expect([kms.asked, kms.wrong]).toEqual([['Encrypt data-key-seal ASIAROLE', 'Decrypt data-key-seal ASIAROLE'], []]);
});

test.each(['http://169.254.170.23/v1/credentials', 'http://[fd00:ec2::23]/v1', 'https://agent.example.com/'])(
  'accepts the address %s',
  (url) => {
    expect(readEnv({ ...live, AWS_CONTAINER_CREDENTIALS_FULL_URI: url }).awsContainerUrl).toBe(url);
  },
);

test('sends the token to no other address without encryption', () => {
  expect(() => readEnv({ ...live, AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://agent.example.com/' })).toThrow(
    'AWS_CONTAINER_CREDENTIALS_FULL_URI should be an https address',
  );
});
