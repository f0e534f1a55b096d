// Certificates and key files that users upload, and the tokens of wallets. The tokens are sealed with the keys of the
// tests (e2e/support/wallet-keys.ts), so that a printed token can be read again in another run.
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import forge from 'node-forge';
import { root } from '../../../scripts/project.ts';
import { applePayment } from '../../support/wallet-sealers/apple.ts';
import { googlePayment } from '../../support/wallet-sealers/google.ts';
import { appleToken, googleToken } from '../../support/wallets.ts';
import { mutatedAsn1, mutatedBytes, mutatedJson, mutatedJsonBytes } from './mutations.ts';
import type { Parser } from './parser.ts';

const fileOf = (...path: string[]) => readFileSync(join(root, 'e2e', ...path), 'utf8');

function pairOf(name: string) {
  const text = fileOf('seed', 'wallet-keys', `${name}.pem`);
  const start = text.indexOf('-----BEGIN PRIVATE KEY-----');
  return { certificate: text.slice(0, start), privateKey: text.slice(start) };
}

const password = 'a long password';

/** A P12 file of few rounds, as fast as the rest of the corpus. */
function pkcs12Of({ certificate, privateKey }: ReturnType<typeof pairOf>, algorithm: 'aes256' | '3des'): Buffer {
  const key = forge.pki.privateKeyFromPem(privateKey);
  const own = forge.pki.certificateFromPem(certificate);
  const file = forge.pkcs12.toPkcs12Asn1(key, [own], password, { algorithm, count: 16 });
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
}

/** Certificate and key files, and the signature inside of an Apple Pay token. */
export async function certificateParsers(): Promise<{ [name: string]: Parser }> {
  const wallets = await import('../../../lib/wallets/index.ts');
  const { readCertificateFile, certificateInfo, readPrivateKeyFile, readPkcs12 } = wallets;
  const pairs = ['apple-ec', 'apple-rsa', 'apple-identity'].map(pairOf);
  const rsa = pairOf('apple-rsa');
  const certificates = pairs.map(({ certificate }) => new X509Certificate(certificate).raw);
  const keys = pairs.map(({ privateKey }) => createPrivateKey(privateKey).export({ format: 'der', type: 'pkcs8' }));
  const pems = pairs.flatMap(({ certificate, privateKey }) => [Buffer.from(certificate), Buffer.from(privateKey)]);
  const readFile = (file: Buffer) => {
    const pem = readCertificateFile(file);
    if (pem !== null) certificateInfo(pem);
    readPrivateKeyFile(file);
  };
  const token = JSON.parse(appleToken());
  const signature = Buffer.from(token.paymentData.signature, 'base64');
  const decrypt = await appleDecryption();
  return {
    'certificate or key': { inputs: mutatedAsn1([...certificates, ...keys]), parse: readFile },
    PEM: { inputs: mutatedBytes(pems), parse: readFile },
    'PKCS #12': {
      inputs: mutatedAsn1([pkcs12Of(rsa, 'aes256'), pkcs12Of(rsa, '3des')]),
      parse: (file) => readPkcs12(file, password),
    },
    'Apple signature': {
      inputs: mutatedAsn1([signature]),
      parse: (bytes) =>
        decrypt(JSON.stringify({ paymentData: { ...token.paymentData, signature: bytes.toString('base64') } })),
    },
    'Apple token': { inputs: mutatedJsonBytes([token]), parse: (bytes) => decrypt(bytes.toString()) },
    // Genuine tokens, so that what Apple has encrypted is read.
    'Apple payment': {
      inputs: sealed(mutatedJson([{ ...applePayment }]), (payment) => appleToken({}, { payment })),
      parse: (bytes) => decrypt(bytes.toString()),
    },
  };
}

/** Tokens around a mutated message. */
const sealed = (message: fc.Arbitrary<unknown>, seal: (message: unknown) => string) =>
  message.map((each) => Buffer.from(seal(each)));

/** Runs `decrypt`; a refused token is an allowed result. */
async function refusing(decrypt: (token: string) => unknown): Promise<(token: string) => void> {
  const { WalletTokenError } = await import('../../../lib/wallets/index.ts');
  return (token) => {
    try {
      decrypt(token);
    } catch (thrown) {
      if (!(thrown instanceof WalletTokenError)) throw thrown;
      // The rejection of last resort, for exceptions that no check expects.
      if (thrown.reason === 'unexpected') throw new Error('The token was rejected by an unexpected exception.');
    }
  };
}

async function appleDecryption() {
  const { decryptApplePay, readApplePayKey, readApplePayRoots } = await import('../../../lib/wallets/index.ts');
  const roots = readApplePayRoots(fileOf('support', 'wallet-roots', 'apple.pem'));
  const keys = ['apple-ec', 'apple-rsa'].map((name) => readApplePayKey(pairOf(name)));
  return refusing((token) => decryptApplePay(token, { keys, roots, now: new Date(), toleranceSeconds: 1e9 }));
}

/** Google Pay tokens. */
export async function walletParsers(): Promise<{ [name: string]: Parser }> {
  const { decryptGooglePay, readGooglePayKey, readGooglePayRoots } = await import('../../../lib/wallets/index.ts');
  const roots = readGooglePayRoots(fileOf('support', 'wallet-roots', 'google.json'));
  const keys = [readGooglePayKey(pairOf('google').privateKey)];
  const who = { recipientId: 'gateway:florin', gatewayMerchantId: 'test-wallets' };
  const authMethods = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const;
  const decrypt = await refusing((token) =>
    decryptGooglePay(token, { keys, roots, ...who, authMethods, now: new Date() }),
  );
  const tokens = [googleToken('PAN_ONLY'), googleToken('CRYPTOGRAM_3DS')].map((text) => JSON.parse(text));
  const parse = (bytes: Buffer) => decrypt(bytes.toString());
  const point = mutatedAsn1([createPublicKey(pairOf('google').privateKey).export({ format: 'der', type: 'spki' })]);
  return {
    'Google token': { inputs: mutatedJsonBytes(tokens), parse },
    'Google payment': {
      inputs: sealed(mutatedJson([googlePayment]), (payment) => googleToken('PAN_ONLY', {}, { payment })),
      parse,
    },
    'Google intermediate key': {
      inputs: sealed(
        fc.tuple(mutatedJson([{ keyValue: '', keyExpiration: String(Date.now() + 86_400_000) }]), point),
        (each) => {
          const [key, value] = each as [object, Buffer];
          const keyValue = value.toString('base64');
          return googleToken('PAN_ONLY', {}, { signedKey: JSON.stringify({ keyValue, ...key }) });
        },
      ),
      parse,
    },
  };
}
