// Key pairs for a merchant's certificates, and the certificate requests (PKCS #10) for Apple. A request contains the
// public key and proves possession of the private key, which never leaves this server.

import { createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { tags } from './asn1';
import { bits, der, oid, sequence, utf8 } from './der';

/** EC is a key on P-256, for EC_v1 certificates; RSA one of 2048 bits, for RSA_v1 and merchant identities. */
export type KeyKind = 'EC' | 'RSA';

const generate = promisify(generateKeyPair);
const rsaBits = 2048;

/** Generates a private key; asynchronous because RSA keys take a while. */
export async function makePrivateKey(kind: KeyKind): Promise<KeyObject> {
  const pair =
    kind === 'EC'
      ? await generate('ec', { namedCurve: 'P-256' })
      : await generate('rsa', { modulusLength: rsaBits, publicExponent: 0x10001 });
  return pair.privateKey;
}

const attributes = { commonName: '2.5.4.3', organisation: '2.5.4.10' } as const;

/** The subject of the request. Apple puts its own names into the certificate. */
export type RequestSubject = Record<keyof typeof attributes, string>;

const algorithms = {
  ec: sequence(oid('1.2.840.10045.4.3.2')),
  rsa: sequence(oid('1.2.840.113549.1.1.11'), der(0x05)),
} as const;

/** The certificate request of a P-256 or RSA key, in PEM. */
export function certificateRequest(privateKey: KeyObject, subject: RequestSubject): string {
  const name = sequence(
    ...Object.entries(attributes).map(([member, dotted]) =>
      der(tags.set, sequence(oid(dotted), utf8(subject[member as keyof RequestSubject]))),
    ),
  );
  const info = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const version = der(tags.integer, Buffer.from([0]));
  const signed = sequence(version, name, info, der(tags.context(0)));
  const algorithm = privateKey.asymmetricKeyType === 'ec' ? algorithms.ec : algorithms.rsa;
  return pemOf('CERTIFICATE REQUEST', sequence(signed, algorithm, bits(sign('sha256', signed, privateKey))));
}

/** Bytes as PEM under a label such as `CERTIFICATE`. */
export function pemOf(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
