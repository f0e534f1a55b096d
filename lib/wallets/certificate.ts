// X.509 certificates. Node verifies their signatures; pkijs reads what Node does not expose: the issuer's bytes and the
// extensions.

import { X509Certificate } from 'node:crypto';
import { Certificate as ParsedCertificate } from 'pkijs';
import { octetsOf, orNull, readBer } from './ber.ts';

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
  return orNull(() => {
    const parsed = new ParsedCertificate({ schema: readBer(der) });
    const { signatureAlgorithm, signature, issuer, serialNumber, extensions = [] } = parsed;
    const contents = new Map(extensions.map(({ extnID, extnValue }) => [extnID, octetsOf(extnValue)]));
    if (contents.size !== extensions.length || signatureAlgorithm.algorithmId !== signature.algorithmId) return null;
    return {
      x509: new X509Certificate(der),
      der,
      issuer: Buffer.from(issuer.valueBeforeDecode),
      serial: Buffer.from(serialNumber.valueBeforeDecodeView),
      algorithm: signature.algorithmId,
      extensions: contents,
    };
  });
}

/** The certificate in PEM; null for any other text. */
export function readPemCertificate(pem: string): Certificate | null {
  return orNull(() => readCertificate(new X509Certificate(pem).raw));
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
