// Verifies Apple's signature of a token: step 1 of Apple's Payment Token Format Reference, in its order.

import { createHash, verify, type X509Certificate } from 'node:crypto';
import { type Certificate, hasStrongSignature, isIssuedBy, isValidAt } from './certificate.ts';
import { isOverData, readSignedData, type SignedData, type Signer } from './cms.ts';
import { rejectToken } from './token-error.ts';

/** Extensions that mark the two certificates of payment tokens; only their presence counts. */
const markers = { leaf: '1.2.840.113635.100.6.29', intermediate: '1.2.840.113635.100.6.2.14' } as const;

const sha256 = '2.16.840.1.101.3.4.2.1';

// The signature algorithms by version. An RSA signature may also be identified by its key alone.
const signatures = {
  EC_v1: { key: 'ec', algorithms: ['1.2.840.10045.4.3.2'] },
  RSA_v1: { key: 'rsa', algorithms: ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'] },
} as const;

export type SignatureOptions = {
  version: keyof typeof signatures;
  roots: readonly X509Certificate[];
  now: Date;
  /** The maximum difference between `now` and the signing time, in either direction. */
  toleranceSeconds: number;
};

/** Rejects a token unless `signature` is Apple's over `content`, created around `now`. */
export function verifyAppleSignature(signature: Buffer, content: Buffer, options: SignatureOptions): void {
  const signed = readSignedData(signature) ?? rejectToken('signature-form');
  const { leaf, intermediate } = marked(signed, options.roots);
  verifyChain(leaf, intermediate, options);
  verifySigner(signed.signer, leaf, content, options);
  const age = Math.abs(options.now.getTime() - signed.signer.signingTime.getTime());
  if (age > options.toleranceSeconds * 1000) rejectToken('signing-time');
}

// Exactly one of each; the only other certificates allowed are trusted roots.
function marked({ certificates }: SignedData, roots: readonly X509Certificate[]) {
  const leaves = certificates.filter(({ extensions }) => extensions.has(markers.leaf));
  const intermediates = certificates.filter(({ extensions }) => extensions.has(markers.intermediate));
  const leaf = (leaves.length === 1 && leaves[0]) || rejectToken('certificate-leaf');
  const intermediate = (intermediates.length === 1 && intermediates[0]) || rejectToken('certificate-intermediate');
  const rest = certificates.filter((certificate) => certificate !== leaf && certificate !== intermediate);
  if (!rest.every(({ der }) => roots.some((root) => root.raw.equals(der)))) rejectToken('certificate-extra');
  return { leaf, intermediate };
}

function verifyChain(leaf: Certificate, intermediate: Certificate, { roots, now }: SignatureOptions): void {
  if (!hasStrongSignature(leaf) || !hasStrongSignature(intermediate)) rejectToken('certificate-algorithm');
  const root = roots.find((candidate) => isIssuedBy(intermediate.x509, candidate)) ?? rejectToken('chain-root');
  if (leaf.x509.ca || !isIssuedBy(leaf.x509, intermediate.x509)) rejectToken('chain-leaf');
  if (!isValidAt(root, now)) rejectToken('root-expired');
  if (!isValidAt(intermediate.x509, now)) rejectToken('intermediate-expired');
  if (!isValidAt(leaf.x509, now)) rejectToken('leaf-expired');
}

function verifySigner(signer: Signer, leaf: Certificate, content: Buffer, { version }: SignatureOptions): void {
  if (!signer.issuer.equals(leaf.issuer) || !signer.serial.equals(leaf.serial)) rejectToken('signer');
  const { key, algorithms } = signatures[version];
  const isAllowed = signer.digestAlgorithm === sha256 && algorithms.some((algorithm) => algorithm === signer.algorithm);
  if (!isAllowed || leaf.x509.publicKey.asymmetricKeyType !== key) rejectToken('signature-algorithm');
  const digest = createHash('sha256').update(content).digest();
  if (!isOverData(signer) || !signer.messageDigest.equals(digest)) rejectToken('message-digest');
  if (!verify('sha256', signer.signedBytes, leaf.x509.publicKey, signer.signature)) rejectToken('signature');
}
