// X.509 certificates. Node verifies their signatures; pkijs reads what Node does not expose: the issuer's bytes and the
// extensions. The displayed properties of a merchant's certificate are read here too.

import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Utf8String } from 'asn1js';
import { Certificate as ParsedCertificate } from 'pkijs';
import { octetsOf, orNull, readBer } from './ber.ts';
import { privateKeyOf } from './p256.ts';

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

/** The extension of Apple Pay certificates that contains the SHA-256 of the merchant identifier, in hex. */
const merchantExtension = '1.2.840.113635.100.6.32';

/** Times are ISO 8601, the hash is lower-case hex, the fingerprint is SHA-256 over the whole certificate. */
export type CertificateInfo = {
  name: string;
  issuer: string;
  /** The merchant identifier in the subject, if present. */
  merchantIdentifier: string | null;
  /** SHA-256 of the merchant identifier; null if it is not a payment processing certificate. */
  merchantHash: string | null;
  serial: string;
  fingerprint: string;
  validFrom: string;
  validTo: string;
  /** As `EC P-256` or `RSA 2048`. */
  key: string;
  /** The dotted identifiers of Apple's own extensions. */
  marks: string[];
};

/** The properties of a certificate in PEM; null for any other text. */
export function certificateInfo(pem: string): CertificateInfo | null {
  const certificate = readPemCertificate(pem);
  return certificate && orNull(() => infoOf(certificate));
}

function infoOf({ x509, extensions }: Certificate): CertificateInfo {
  return {
    name: memberOf(x509.subject, 'CN') ?? x509.subject.replace(/\n/g, ', '),
    issuer: memberOf(x509.issuer, 'CN') ?? x509.issuer.replace(/\n/g, ', '),
    merchantIdentifier: memberOf(x509.subject, 'UID') ?? null,
    merchantHash: merchantHashIn(extensions)?.toString('hex') ?? null,
    serial: x509.serialNumber,
    fingerprint: createHash('sha256').update(x509.raw).digest('hex'),
    validFrom: new Date(x509.validFrom).toISOString(),
    validTo: new Date(x509.validTo).toISOString(),
    key: keyLabel(x509.publicKey),
    marks: [...extensions.keys()].filter((oid) => oid.startsWith('1.2.840.113635.')),
  };
}

/** The SHA-256 of the merchant identifier from a certificate's extensions; null if absent or malformed. */
export function merchantHashIn(extensions: ReadonlyMap<string, Buffer>): Buffer | null {
  const value = orNull(() => readBer(extensions.get(merchantExtension) ?? Buffer.alloc(0)));
  const text = value instanceof Utf8String ? value.getValue() : '';
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : null;
}

/** The hash with which a payment processing certificate identifies a merchant; lower-case hex. */
export function merchantHashOf(merchantIdentifier: string): string {
  return createHash('sha256').update(merchantIdentifier).digest('hex');
}

/** The first certificate of a DER or PEM file as PEM; null for any other file. */
export function readCertificateFile(file: Buffer): string | null {
  const [pem] = file.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/) ?? [];
  const x509 = orNull(() => new X509Certificate(pem ?? file));
  return x509?.toString() ?? null;
}

/** An unencrypted private key from a DER or PEM file, as PKCS #8 PEM; null for any other file. */
export function readPrivateKeyFile(file: Buffer): string | null {
  const key = privateKeyOf(file, file);
  return key?.export({ format: 'pem', type: 'pkcs8' }).toString() ?? null;
}

/** Whether a private key in PEM belongs to a certificate in PEM. */
export function certificateMatchesKey(certificate: string, privateKey: string): boolean {
  return orNull(() => new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) ?? false;
}

/** The usual name of a key type. */
function keyLabel({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === 'rsa') return `RSA ${details?.modulusLength ?? ''}`.trim();
  if (type !== 'ec') return type ?? 'unknown';
  return `EC ${details?.namedCurve === 'prime256v1' ? 'P-256' : (details?.namedCurve ?? '')}`.trim();
}

function memberOf(name: string, member: string): string | undefined {
  const line = name.split('\n').find((each) => each.startsWith(`${member}=`));
  return line?.slice(member.length + 1);
}
