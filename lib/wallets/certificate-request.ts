// Key pairs for a merchant's certificates, and the certificate requests (PKCS #10) for Apple. A request contains the
// public key and proves possession of the private key, which never leaves this server.

import { createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { BitString, Constructed, Integer, Null, ObjectIdentifier, Sequence, Set as SetOf, Utf8String } from 'asn1js';
import { readBer } from './ber.ts';

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
  ec: () => [new ObjectIdentifier({ value: '1.2.840.10045.4.3.2' })],
  rsa: () => [new ObjectIdentifier({ value: '1.2.840.113549.1.1.11' }), new Null()],
} as const;

/** The certificate request of a P-256 or RSA key, in PEM. */
export function certificateRequest(privateKey: KeyObject, subject: RequestSubject): string {
  const names = (['commonName', 'organisation'] as const).map((member) => {
    const parts = [new ObjectIdentifier({ value: attributes[member] }), new Utf8String({ value: subject[member] })];
    return new SetOf({ value: [new Sequence({ value: parts })] });
  });
  const publicKey = readBer(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
  const noAttributes = new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 } });
  const signed = new Sequence({
    value: [new Integer({ value: 0 }), new Sequence({ value: names }), publicKey, noAttributes],
  });
  const algorithm = new Sequence({ value: algorithms[privateKey.asymmetricKeyType === 'ec' ? 'ec' : 'rsa']() });
  const signature = new BitString({ valueHex: sign('sha256', Buffer.from(signed.toBER()), privateKey) });
  const request = new Sequence({ value: [signed, algorithm, signature] });
  return pemOf('CERTIFICATE REQUEST', Buffer.from(request.toBER()));
}

function pemOf(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
