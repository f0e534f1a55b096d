// Key pairs for a merchant's certificates, and the requests (PKCS #10) with which Apple is asked for them. A request
// carries the public half and proves that its sender has the private one, which therefore need not leave this server.

import { createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { tags } from './asn1';
import { bits, der, oid, sequence, utf8 } from './der';

/** EC is a key on P-256, which Apple issues certificates of EC_v1 for; RSA one of 2048 bits, for RSA_v1 and identities. */
export type KeyKind = 'EC' | 'RSA';

const generate = promisify(generateKeyPair);
const rsaBits = 2048;

/** Makes a private key; of an RSA key this takes a moment, and blocks nobody. */
export async function makePrivateKey(kind: KeyKind): Promise<KeyObject> {
  const pair =
    kind === 'EC'
      ? await generate('ec', { namedCurve: 'P-256' })
      : await generate('rsa', { modulusLength: rsaBits, publicExponent: 0x10001 });
  return pair.privateKey;
}

const attributes = { commonName: '2.5.4.3', organisation: '2.5.4.10' } as const;

/** Whose certificate is asked for. Apple puts its own names into the certificate. */
export type RequestSubject = Record<keyof typeof attributes, string>;

const algorithms = {
  ec: sequence(oid('1.2.840.10045.4.3.2')),
  rsa: sequence(oid('1.2.840.113549.1.1.11'), der(0x05)),
} as const;

/** The certificate request of a key on P-256 or of RSA, in PEM. */
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
