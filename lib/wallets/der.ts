// Encodes ASN.1 in DER, limited to the needs of a certificate request.

import { tags } from './asn1';

/** A value: its tag byte, its length, its parts. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => der(tags.sequence, ...parts);

export const utf8 = (text: string): Buffer => der(tags.utf8, Buffer.from(text, 'utf8'));

/** A bit string of whole bytes. */
export const bits = (bytes: Uint8Array): Buffer => der(tags.bits, Buffer.from([0]), bytes);

/** An object identifier from its dotted text. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return bytes;
}

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}
