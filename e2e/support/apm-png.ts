// Decodes a PNG (PNG specification, row filters), so that tests can read the QR code in it.
import { inflateSync } from 'node:zlib';

/** The pixels of an image as RGBA. */
export type Pixels = { width: number; height: number; data: Uint8Array };

/** Decodes a PNG with 8 bits per channel, without interlacing, in grey, RGB or RGBA. Throws for any other PNG. */
export function readPng(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = { 0: 1, 2: 3, 6: 4 }[png[25] ?? -1];
  if (png.subarray(1, 4).toString() !== 'PNG' || png[24] !== 8 || channels === undefined || png[28] !== 0) {
    throw new Error('unsupported kind of PNG');
  }
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.subarray(at + 4, at + 8).toString() === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (const channel of [0, 1, 2, 3]) {
      const opaque = channel === 3 && channels !== 4;
      data[pixel * 4 + channel] = opaque ? 255 : (bytes[pixel * channels + (channels === 1 ? 0 : channel)] ?? 0);
    }
  }
  return { width, height, data };
}

/** Each row begins with the number of its filter, which selects the reference bytes. */
function unfiltered(raw: Buffer, rowBytes: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column < channels ? 0 : (out[at - channels] ?? 0);
      const above = row === 0 ? 0 : (out[at - rowBytes] ?? 0);
      const corner = column < channels || row === 0 ? 0 : (out[at - rowBytes - channels] ?? 0);
      const from = [0, left, above, Math.floor((left + above) / 2), nearest(left, above, corner)][filter] ?? 0;
      out[at] = (raw[at + row + 1] ?? 0) + from;
    }
  }
  return out;
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
