// The command florin wallet decrypt: its files, clock, output and exit code.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeAppleWorld, sealApple } from '../../e2e/support/wallet-sealers/apple.ts';
import { pemOf } from '../../e2e/support/wallet-sealers/certificates.ts';
import { makeGoogleWorld, rootsOf, sealGoogle } from '../../e2e/support/wallet-sealers/google.ts';

const folder = mkdtempSync(join(tmpdir(), 'wallet-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function run(given: Record<string, string>) {
  const options = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/florin.mjs', 'wallet', 'decrypt', ...options],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const apple = makeAppleWorld();
const appleFiles = {
  wallet: 'apple',
  token: file('apple.json', sealApple(apple)),
  key: file('apple.key', apple.merchant.privateKey.export({ format: 'pem', type: 'pkcs8' })),
  cert: file('apple.pem', pemOf(apple.merchant.certificate)),
  roots: file('apple-roots.pem', pemOf(apple.root.certificate)),
  at: '2026-11-20T12:00:00Z',
};

const google = makeGoogleWorld();
const googleFiles = {
  wallet: 'google',
  token: file('google.json', sealGoogle(google)),
  key: file('google.key', google.recipient.privateKey.export({ format: 'pem', type: 'pkcs8' })),
  roots: file('google-roots.json', rootsOf(google)),
  recipient: 'gateway:florin',
  'gateway-merchant': 'shop-1',
  at: '2026-11-20T12:00:00Z',
};

test('a token of Apple Pay is printed with its number masked', () => {
  const { status, stdout } = run(appleFiles);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ number: '481749******8492', amountMinor: '8450', currencyCode: '978' });
});

test('a token of Google Pay is printed with its number masked', () => {
  const { status, stdout } = run(googleFiles);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ number: '411111******1111', authMethod: 'PAN_ONLY' });
});

// Changed arguments, exit code and message.
const rows: [string, number, Record<string, string>, RegExp][] = [
  ['a later clock', 1, { ...appleFiles, at: '2026-11-20T12:10:00Z' }, /not valid\. \(signing-time\)/],
  ['a wider tolerance', 0, { ...appleFiles, at: '2026-11-20T12:10:00Z', tolerance: '900' }, /^$/],
  ['another recipient', 1, { ...googleFiles, recipient: 'merchant:1' }, /not valid\. \(message-signature\)/],
  ['another key', 1, { ...googleFiles, key: appleFiles.key }, /not valid\. \(mac\)/],
  ['a certificate for a key', 1, { ...appleFiles, key: appleFiles.cert }, /private key/],
  ['an invalid time', 1, { ...appleFiles, at: 'yesterday' }, /not a valid time/],
  ['no wallet', 2, { ...appleFiles, wallet: 'other' }, /florin wallet decrypt/],
  ['an unknown option', 2, { ...appleFiles, clock: 'now' }, /florin wallet decrypt/],
];
test.each(rows)('with %s it ends with %d', (_name, ending, given, says) => {
  const { status, stderr } = run(given);
  expect({ status, stderr }).toEqual({ status: ending, stderr: expect.stringMatching(says) });
});
