// Certificates for tests: a chain like Apple's, and any other chain that a forger could make.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { bits, der, integer, nothing, octets, oid, sequence, set, utcTime, utf8, yes } from './der.ts';

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

export type Issued = KeyPair & { certificate: Buffer; name: Buffer; serial: Buffer };

export type Request = {
  name: string;
  serial?: number;
  keys: KeyPair;
  /** The issuer; absent for a self-signed certificate. */
  issuer?: Pick<Issued, 'name' | 'privateKey'>;
  authority?: boolean;
  from?: string;
  until?: string;
  digest?: 'sha1' | 'sha256' | 'sha384';
  /** Additional extensions: the dotted identifier and its DER value. */
  extensions?: Record<string, Buffer>;
};

export const ellipticKeys = (namedCurve = 'P-256'): KeyPair => generateKeyPairSync('ec', { namedCurve });
export const rsaKeys = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2048 });

export const infoOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

const algorithms: Record<string, Buffer> = {
  'ec sha1': sequence(oid('1.2.840.10045.4.1')),
  'ec sha256': sequence(oid('1.2.840.10045.4.3.2')),
  'ec sha384': sequence(oid('1.2.840.10045.4.3.3')),
  'rsa sha256': sequence(oid('1.2.840.113549.1.1.11'), nothing),
};

/** Issues a certificate; valid from 2020 to 2040 unless the request says otherwise. */
export function issue(request: Request): Issued {
  const { keys, authority = false, digest = 'sha256', serial = 4711 } = request;
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8(request.name))));
  const issuer = request.issuer ?? { name, privateKey: keys.privateKey };
  const algorithm = algorithms[`${issuer.privateKey.asymmetricKeyType} ${digest}`] as Buffer;
  const dates = [request.from ?? '2020-01-01', request.until ?? '2040-01-01'].map((day) => utcTime(new Date(day)));
  const extensions = {
    '2.5.29.19': authority ? sequence(yes) : sequence(),
    '2.5.29.15': bits(Buffer.from([authority ? 0x06 : 0x80])),
    ...request.extensions,
  };
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    algorithm,
    issuer.name,
    sequence(...dates),
    name,
    infoOf(keys.publicKey),
    der(0xa3, sequence(...Object.entries(extensions).map(([dotted, value]) => sequence(oid(dotted), octets(value))))),
  );
  const signature = sign(digest, signed, issuer.privateKey);
  return { ...keys, certificate: sequence(signed, algorithm, bits(signature)), name, serial: integer(serial) };
}

/** A payment processing certificate with the merchant identifier. */
export function issueMerchant(merchantId: string, keys: KeyPair): Issued {
  const hash = createHash('sha256').update(merchantId).digest('hex').toUpperCase();
  return issue({ name: merchantId, keys, extensions: { '1.2.840.113635.100.6.32': utf8(hash) } });
}

/** A certificate in PEM. */
export function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
