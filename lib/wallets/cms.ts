// Reads the detached signature of an Apple Pay token: CMS SignedData (RFC 5652) with one signer and signed attributes.
// Only the variant that Apple uses is accepted.

import { parseWireDate } from '../core/dates';
import { type Asn1, oidOf, readAsn1, tags } from './asn1';
import { type Certificate, readCertificate } from './certificate';

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

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
} as const;

/** Reads a detached signature; null for any other bytes. */
export function readSignedData(bytes: Buffer): SignedData | null {
  const outer = readAsn1(bytes);
  if (outer?.tag !== tags.sequence || oidOf(outer.parts[0]) !== oids.signedData) return null;
  const [data] = outer.parts[1]?.tag === tags.context(0) ? outer.parts[1].parts : [];
  if (data?.tag !== tags.sequence || data.parts.length !== 5) return null;
  const [, digests, content, certificates, signers] = data.parts as [Asn1, Asn1, Asn1, Asn1, Asn1];
  // Embedded content would be signed in place of the token.
  if (content.parts.length !== 1 || oidOf(content.parts[0]) !== oids.data) return null;
  if (digests.tag !== tags.set || certificates.tag !== tags.context(0) || signers.tag !== tags.set) return null;
  const certificateList = certificates.parts.map((part) => (part.definite ? readCertificate(part.raw) : null));
  const signer = signers.parts.length === 1 ? signerOf(signers.parts[0] as Asn1) : null;
  if (signer === null || certificateList.length === 0 || certificateList.length > 3 || certificateList.includes(null))
    return null;
  return { certificates: certificateList as Certificate[], signer };
}

function signerOf({ tag, parts }: Asn1): Signer | null {
  const [version, identity, digest, attributes, algorithm, signature] = parts;
  if (tag !== tags.sequence || version?.tag !== tags.integer || signature?.tag !== tags.octets) return null;
  const [issuer, serial] = identity?.tag === tags.sequence ? identity.parts : [];
  const [digestAlgorithm, signatureAlgorithm] = [oidOf(digest?.parts[0]), oidOf(algorithm?.parts[0])];
  const signed = attributes && attributesOf(attributes);
  if (!issuer || !serial || !signed || digestAlgorithm === null || signatureAlgorithm === null) return null;
  return {
    issuer: issuer.raw,
    serial: serial.raw,
    digestAlgorithm,
    algorithm: signatureAlgorithm,
    signature: signature.content,
    ...signed,
  };
}

type Attributes = Pick<Signer, 'signedBytes' | 'contentType' | 'messageDigest' | 'signingTime'>;

// The attributes have the tag [0] but are signed as a SET (RFC 5652, 5.4).
function attributesOf(field: Asn1): Attributes | null {
  if (field.tag !== tags.context(0) || !field.definite) return null;
  const values = new Map<string, Asn1>();
  for (const { parts } of field.parts) {
    const oid = oidOf(parts[0]);
    const set = parts[1];
    if (oid === null || set?.tag !== tags.set || set.parts.length !== 1 || values.has(oid)) return null;
    values.set(oid, set.parts[0] as Asn1);
  }
  const contentType = oidOf(values.get(oids.contentType));
  const digest = values.get(oids.messageDigest);
  const signingTime = timeOf(values.get(oids.signingTime));
  if (contentType === null || digest?.tag !== tags.octets || signingTime === null) return null;
  const signedBytes = Buffer.from(field.raw);
  signedBytes[0] = tags.set;
  return { signedBytes, contentType, messageDigest: digest.content, signingTime };
}

// UTCTime (two-digit years from 50 on are 19xx) or GeneralizedTime, both in UTC to the second.
function timeOf(value: Asn1 | undefined): Date | null {
  const text = value?.content.toString('latin1') ?? '';
  const full = value?.tag === tags.utcTime ? `${text < '50' ? '20' : '19'}${text}` : text;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (!match || (value?.tag !== tags.utcTime && value?.tag !== tags.time)) return null;
  const [, year, month, day, hours, minutes, seconds] = match;
  return parseWireDate(`${year}-${month}-${day} ${hours}:${minutes}:${seconds}`);
}

/** Whether the signer declares its content as plain data, the only type in a token's signature. */
export function isOverData(signer: Signer): boolean {
  return signer.contentType === oids.data;
}
