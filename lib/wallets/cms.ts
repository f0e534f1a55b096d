// Reads the detached signature of an Apple Pay token: CMS SignedData (RFC 5652) with one signer and signed attributes.
// pkijs parses it; only the variant that Apple uses is accepted.

import { type BaseBlock, type Constructed, GeneralizedTime, ObjectIdentifier, type Sequence, UTCTime } from 'asn1js';
import { ContentInfo, IssuerAndSerialNumber, SignedData as ParsedData, type SignerInfo } from 'pkijs';
import { octetsOf, orNull, readBer } from './ber.ts';
import { type Certificate, readCertificate } from './certificate.ts';

export type SignedData = { readonly certificates: readonly Certificate[]; readonly signer: Signer };

export type Signer = {
  /** The issuer's name and the serial number of the signer's certificate. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly digestAlgorithm: string;
  readonly algorithm: string;
  readonly signature: Buffer;
  /** The signed bytes: the attributes, encoded as a SET. */
  readonly signedBytes: Buffer;
  readonly contentType: string;
  readonly messageDigest: Buffer;
  readonly signingTime: Date;
};

const attributeTypes = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
} as const;

const setTag = 0x31;
const indefinite = 0x80;

/** Reads a detached signature; null for any other bytes. */
export function readSignedData(bytes: Buffer): SignedData | null {
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

function signerOf({ sid, digestAlgorithm, signatureAlgorithm, signature, signedAttrs }: SignerInfo): Signer | null {
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

/** Whether the signer declares its content as plain data, the only type in a token's signature. */
export function isOverData(signer: Signer): boolean {
  return signer.contentType === ContentInfo.DATA;
}
