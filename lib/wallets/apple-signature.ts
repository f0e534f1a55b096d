// Verifies Apple's signature of a token: step 1 of Apple's Payment Token Format Reference, in its order.

import { createHash, verify, type X509Certificate } from 'node:crypto';
import { type BaseBlock, type Constructed, GeneralizedTime, ObjectIdentifier, type Sequence, UTCTime } from 'asn1js';
import { ContentInfo, IssuerAndSerialNumber, SignedData as ParsedData, type SignerInfo } from 'pkijs';
import { octetsOf, orNull, readBer } from './ber.ts';
import { type Certificate, hasStrongSignature, isIssuedBy, isValidAt, readCertificate } from './certificate.ts';
import { rejectToken } from './token.ts';

/** Extensions that mark the two certificates of payment tokens; only their presence counts. */
const markers = { leaf: '1.2.840.113635.100.6.29', intermediate: '1.2.840.113635.100.6.2.14' } as const;

const sha256 = '2.16.840.1.101.3.4.2.1';

// The signature algorithms by version. An RSA signature may also be identified by its key alone.
const signatures = {
  EC_v1: { key: 'ec', algorithms: ['1.2.840.10045.4.3.2'] },
  RSA_v1: { key: 'rsa', algorithms: ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'] },
} as const;

type SignatureOptions = {
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
  if (signer.contentType !== ContentInfo.DATA || !signer.messageDigest.equals(digest)) rejectToken('message-digest');
  if (!verify('sha256', signer.signedBytes, leaf.x509.publicKey, signer.signature)) rejectToken('signature');
}

type Signer = NonNullable<ReturnType<typeof signerOf>>;
type SignedData = { readonly certificates: readonly Certificate[]; readonly signer: Signer };

const attributeTypes = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
} as const;

const setTag = 0x31;
const indefinite = 0x80;

/** Reads a detached signature; null for any other bytes. */
function readSignedData(bytes: Buffer): SignedData | null {
  return orNull(() => {
    const outer = new ContentInfo({ schema: readBer(bytes) });
    if (outer.contentType !== ContentInfo.SIGNED_DATA) return null;
    const { encapContentInfo, certificates, crls, signerInfos } = new ParsedData({ schema: outer.content });
    // Embedded content would be signed in place of the token.
    if (encapContentInfo.eContent || encapContentInfo.eContentType !== ContentInfo.DATA) return null;
    if (!certificates || certificates.length === 0 || certificates.length > 3 || crls) return null;
    const list = certificateBlocks(outer.content).map(certificateOf);
    const [info, ...more] = signerInfos;
    const signer = info && more.length === 0 ? signerOf(info) : null;
    return signer && list.every((certificate) => certificate !== null) ? { certificates: list, signer } : null;
  });
}

// pkijs does not keep the bytes of a certificate, but the tree that it has checked does.
function certificateBlocks(signedData: Sequence): BaseBlock[] {
  return (signedData.valueBlock.value[3] as Constructed).valueBlock.value;
}

function certificateOf({ lenBlock, valueBeforeDecodeView }: BaseBlock): Certificate | null {
  return lenBlock.isIndefiniteForm ? null : readCertificate(Buffer.from(valueBeforeDecodeView));
}

function signerOf({ sid, digestAlgorithm, signatureAlgorithm, signature, signedAttrs }: SignerInfo) {
  if (!(sid instanceof IssuerAndSerialNumber) || !signedAttrs) return null;
  const values = new Map(signedAttrs.attributes.map(({ type, values }) => [type, values]));
  const isSingle = [...values.values()].every(({ length }) => length === 1);
  // pkijs has replaced the tag [0] by that of a SET, which is signed (RFC 5652, 5.4).
  const signedBytes = Buffer.from(signedAttrs.encodedValue);
  if (values.size !== signedAttrs.attributes.length || !isSingle) return null;
  if (signedBytes[0] !== setTag || signedBytes[1] === indefinite) return null;
  const attribute = (name: keyof typeof attributeTypes) => values.get(attributeTypes[name])?.[0];
  const contentType = attribute('contentType');
  const signingTime = timeOf(attribute('signingTime'));
  if (!(contentType instanceof ObjectIdentifier) || signingTime === null) return null;
  return {
    issuer: Buffer.from(sid.issuer.valueBeforeDecode),
    serial: Buffer.from(sid.serialNumber.valueBeforeDecodeView),
    digestAlgorithm: digestAlgorithm.algorithmId,
    algorithm: signatureAlgorithm.algorithmId,
    signature: octetsOf(signature),
    signedBytes,
    contentType: contentType.getValue(),
    messageDigest: octetsOf(attribute('messageDigest')),
    signingTime,
  };
}

// In UTC to the second; asn1js also reads offsets and fractions, which DER excludes.
function timeOf(value: unknown): Date | null {
  if (!(value instanceof UTCTime) && !(value instanceof GeneralizedTime)) return null;
  const digits = value instanceof GeneralizedTime ? 14 : 12;
  const text = Buffer.from(value.valueBlock.valueHexView).toString('latin1');
  return new RegExp(`^\\d{${digits}}Z$`).test(text) ? value.toDate() : null;
}
