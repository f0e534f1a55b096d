// A small strict parser of ASN.1 in BER. Apple encodes the outer layers of its signature with indefinite lengths, which
// a DER parser does not accept.

/** One value: its tag byte, its bytes with and without the header, and its parts if it is constructed. */
export type Asn1 = {
  readonly tag: number;
  readonly raw: Buffer;
  readonly content: Buffer;
  readonly parts: readonly Asn1[];
  /** False for an indefinite length, where `content` and `raw` end with a marker. */
  readonly definite: boolean;
};

export const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** The context-specific constructed tag [n]. */
  context: (number: number) => 0xa0 + number,
} as const;

/** A signature with its certificates nests 11 deep. */
const depthMax = 16;

/** The value encoded by `bytes`, or null if they are not exactly one well-formed value. */
export function readAsn1(bytes: Buffer): Asn1 | null {
  try {
    const value = valueAt(bytes, 0, depthMax);
    return value.raw.length === bytes.length ? value : null;
  } catch {
    return null;
  }
}

/** The dotted text of an object identifier; null for another or malformed value. */
export function oidOf(value: Asn1 | undefined): string | null {
  if (value?.tag !== tags.oid || value.content.length === 0) return null;
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of value.content) {
    // Rejects leading zeros and numbers beyond a double's precision; real identifiers have neither.
    if ((arc === 0 && byte === 0x80) || arc > 0xffffffff) return null;
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  if (((value.content.at(-1) as number) & 0x80) !== 0) return null;
  const first = arcs[0] as number;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...arcs.slice(1)].join('.');
}

function valueAt(bytes: Buffer, start: number, depth: number): Asn1 {
  const tag = byteAt(bytes, start);
  if (depth === 0 || (tag & 0x1f) === 0x1f) throw new RangeError();
  const { length, from } = lengthAt(bytes, start + 1);
  const constructed = (tag & 0x20) !== 0;
  if (length === null) return contentAt(bytes, start, from, constructed, depth);
  const to = from + length;
  if (to > bytes.length) throw new RangeError();
  const content = bytes.subarray(from, to);
  const parts = constructed ? partsOf(content, depth) : [];
  return { tag, raw: bytes.subarray(start, to), content, parts, definite: true };
}

// A value of indefinite length ends at two zero bytes.
function contentAt(bytes: Buffer, start: number, from: number, constructed: boolean, depth: number): Asn1 {
  if (!constructed) throw new RangeError();
  const parts: Asn1[] = [];
  let at = from;
  while (byteAt(bytes, at) !== 0) {
    const part = valueAt(bytes, at, depth - 1);
    parts.push(part);
    at += part.raw.length;
  }
  if (byteAt(bytes, at + 1) !== 0) throw new RangeError();
  const raw = bytes.subarray(start, at + 2);
  return { tag: byteAt(bytes, start), raw, content: bytes.subarray(from, at + 2), parts, definite: false };
}

function partsOf(content: Buffer, depth: number): Asn1[] {
  const parts: Asn1[] = [];
  for (let at = 0; at < content.length; ) {
    const part = valueAt(content, at, depth - 1);
    parts.push(part);
    at += part.raw.length;
  }
  return parts;
}

function lengthAt(bytes: Buffer, at: number): { length: number | null; from: number } {
  const first = byteAt(bytes, at);
  if (first < 0x80) return { length: first, from: at + 1 };
  if (first === 0x80) return { length: null, from: at + 1 };
  const count = first & 0x7f;
  if (count > 3 || at + 1 + count > bytes.length) throw new RangeError();
  return { length: bytes.readUIntBE(at + 1, count), from: at + 1 + count };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError();
  return byte;
}
