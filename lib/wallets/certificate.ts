// X.509 certificates. Node verifies their signatures; this module reads what Node does not expose: the issuer's bytes
// and the extensions.

import { X509Certificate } from 'node:crypto';
import { type Asn1, oidOf, readAsn1, tags } from './asn1';

export type Certificate = {
  readonly x509: X509Certificate;
  readonly der: Buffer;
  /** The encoded issuer name and serial number, by which a signer is identified. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  /** The algorithm that the certificate was signed with, dotted. */
  readonly algorithm: string;
  /** The extensions' contents by dotted identifier. */
  readonly extensions: ReadonlyMap<string, Buffer>;
};

// The allowed algorithms of a chain: ECDSA and RSA (PKCS #1 v1.5), with SHA-256 and SHA-384.
const algorithms = ['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12'];

/** The certificate in these DER bytes, or null. */
export function readCertificate(der: Buffer): Certificate | null {
  const value = readAsn1(der);
  const [signed, algorithm] = value?.tag === tags.sequence ? value.parts : [];
  const fields = signed?.parts.filter((part) => part.tag !== tags.context(0)) ?? [];
  const [serial, inner, issuer] = fields;
  const extensions = extensionsOf(fields.find((part) => part.tag === tags.context(3)));
  const oid = oidOf(algorithm?.parts[0]);
  if (!serial || !issuer || !extensions || oid === null || oid !== oidOf(inner?.parts[0])) return null;
  try {
    const x509 = new X509Certificate(der);
    return { x509, der, issuer: issuer.raw, serial: serial.raw, algorithm: oid, extensions };
  } catch {
    return null;
  }
}

function extensionsOf(field: Asn1 | undefined): Map<string, Buffer> | null {
  const extensions = new Map<string, Buffer>();
  for (const { parts } of field?.parts[0]?.parts ?? []) {
    const oid = oidOf(parts[0]);
    const content = parts.at(-1);
    if (oid === null || content?.tag !== tags.octets || extensions.has(oid)) return null;
    extensions.set(oid, content.content);
  }
  return extensions;
}

/** Whether the certificate was signed with a secure algorithm. */
export function hasStrongSignature(certificate: Certificate): boolean {
  return algorithms.includes(certificate.algorithm);
}

/** Whether `authority` may issue certificates, is named as the issuer, and has signed this one. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Whether the certificate is valid at the moment `now`. */
export function isValidAt(certificate: X509Certificate, now: Date): boolean {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return from <= now.getTime() && now.getTime() <= to;
}
