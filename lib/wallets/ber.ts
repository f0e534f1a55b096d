// Parses ASN.1 with asn1js under limits, because the bytes may be an attacker's. BER is accepted and not only DER:
// Apple encodes the outer layers of its signature with indefinite lengths.

import { type AsnType, type BaseBlock, type Constructed, fromBER, OctetString } from 'asn1js';

/** A signature with its certificates has about 4 KB, nests 11 deep and has 200 values. */
const limits = { maxContentLength: 64 * 1024, maxDepth: 24, maxNodes: 1000, parseEmbedded: false };

/** The value encoded by `bytes`. Throws unless they are exactly one well-formed value within the limits. */
export function readBer(bytes: Uint8Array): AsnType {
  const { offset, result } = fromBER(bytes, limits);
  if (offset !== bytes.length || result.error !== '' || !isExact(result)) {
    throw new RangeError('The bytes are not one value in BER.');
  }
  return result;
}

// asn1js accepts parts that are longer than their whole, and an end-of-contents marker with a length.
function isExact(block: BaseBlock): boolean {
  const parts = (block as Constructed).valueBlock.value;
  if (!block.idBlock.isConstructed || !Array.isArray(parts)) return true;
  const contentBytes = parts.reduce((sum, part) => sum + part.valueBeforeDecodeView.length, 0);
  const bytes = block.valueBeforeDecodeView;
  const isWhole = block.lenBlock.isIndefiniteForm
    ? bytes.length === contentBytes + 4 && bytes.at(-2) === 0 && bytes.at(-1) === 0
    : block.lenBlock.length === contentBytes;
  return isWhole && parts.every(isExact);
}

/** The bytes of an octet string. In BER it may consist of several. */
export function octetsOf(value: unknown): Buffer {
  if (!(value instanceof OctetString)) throw new TypeError('The value is not an octet string.');
  return Buffer.from(value.getValue());
}

/** The result of `read`; null if it throws. A library's error message could quote the bytes. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
