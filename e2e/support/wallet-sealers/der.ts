// Writes ASN.1 for the test sealers. It shares no code with the reader under test.

/** A value: its tag byte, its length, its parts. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** A constructed value of indefinite length, as in the outer layers of Apple's signatures. */
export function open(tag: number, ...parts: Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
export const set = (...parts: Uint8Array[]): Buffer => der(0x31, ...parts);
export const octets = (...parts: Uint8Array[]): Buffer => der(0x04, ...parts);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const yes = Buffer.from([0x01, 0x01, 0xff]);
export const nothing = Buffer.from([0x05, 0x00]);

/** A bit string of whole bytes. */
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);

/** A positive integer. */
export function integer(value: number): Buffer {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return der(0x02, Buffer.from(even >= '8' ? `00${even}` : even, 'hex'));
}

/** An object identifier from its dotted text. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime to the second. */
export function utcTime(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}

function base128(arc: number): number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return bytes;
}

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 + short.length]), short]);
}
