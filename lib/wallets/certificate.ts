// X.509 certificates. Node verifies their signatures; what it does not show (who issued one, byte by byte, and which
// extensions it carries) is read here.

import { X509Certificate } from 'node:crypto';
import { type Asn1, oidOf, readAsn1, tags } from './asn1';

export type Certificate = {
  readonly x509: X509Certificate;
  readonly der: Buffer;
  /** The issuer's name and the serial number as they stand in the certificate: whoever signs is named by both. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  /** The algorithm that the certificate was signed with, dotted. */
  readonly algorithm: string;
  /** The extensions' contents by dotted identifier. */
  readonly extensions: ReadonlyMap<string, Buffer>;
};

// ECDSA and RSA (PKCS #1 v1.5), with SHA-256 and SHA-384: what a chain may be signed with.
const algorithms = ['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12'];

/** The certificate that these DER bytes are, or null when they are none. */
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

/** Whether the certificate was signed with an algorithm that still proves something. */
export function hasStrongSignature(certificate: Certificate): boolean {
  return algorithms.includes(certificate.algorithm);
}

/** Whether `authority` may issue certificates, says that it has issued this one, and has signed it. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Whether the certificate is valid at the moment `now`. */
export function isValidAt(certificate: X509Certificate, now: Date): boolean {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return from <= now.getTime() && now.getTime() <= to;
}
