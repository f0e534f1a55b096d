// The keys of the merchants for wallet tests: created for the sandbox and valid nowhere else. e2e/support/wallet-keys.ts
// contains their public parts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The certificate, if the file has one, and the private key. */
function pemOf(name: string) {
  const text = readFileSync(join(process.cwd(), 'prisma', 'seed', 'wallet-keys', `${name}.pem`), 'utf8');
  const start = text.indexOf('-----BEGIN PRIVATE KEY-----');
  return { certificate: text.slice(0, start), privateKey: text.slice(start) };
}

/** Certificates and private keys of the merchant identifier merchant.test.florin: for EC_v1, then for RSA_v1. */
export const applePayKeys = [pemOf('apple-ec'), pemOf('apple-rsa')];

/** The private key of the gateway recipient gateway:florin. */
export const googlePayKey = pemOf('google').privateKey;

/** The self-signed certificate that identifies the merchant to Apple when a page requests Apple Pay. */
export const applePayIdentity = pemOf('apple-identity');
