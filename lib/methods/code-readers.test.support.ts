// Reads images and payloads as a scanner does, so that the tests of codes check what was drawn and written.

import { inflateSync } from 'node:zlib';
import { crc16 } from './qr-payload.ts';

export type Picture = { width: number; height: number; data: Uint8Array };

/** A non-interlaced PNG with eight bits per channel as RGBA. Throws for any other. */
export function readPng(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 0: 1, 2: 3, 6: 4 }[png[25] as number];
  if (png.toString('latin1', 1, 4) !== 'PNG' || png[24] !== 8 || !channels || png[28] !== 0) {
    throw new Error('Unsupported PNG');
  }
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      data[pixel * 4 + channel] = rows[pixel * channels + (channels === 1 ? 0 : channel)] as number;
    }
    data[pixel * 4 + 3] = channels === 4 ? (rows[pixel * channels + 3] as number) : 255;
  }
  return { width, height, data };
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] as number;
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column;
      const left = column < channels ? 0 : (out[at - channels] as number);
      const up = row === 0 ? 0 : (out[at - stride] as number);
      const corner = row === 0 || column < channels ? 0 : (out[at - stride - channels] as number);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] as number;
      out[at] = (raw[row * (stride + 1) + 1 + column] as number) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Draws a path of rectangles (`M2 3h4v1H2z`) in a `size` x `size` box, with a white `margin`, `scale` pixels each. */
export function paintPath({ size, path }: { size: number; path: string }, scale: number, margin: number): Picture {
  const width = (size + 2 * margin) * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let row = 0; row < scale; row += 1) {
      const from = ((Number(y) + margin) * scale + row) * width + (Number(x) + margin) * scale;
      for (let pixel = from; pixel < from + Number(run) * scale; pixel += 1) data.fill(0, pixel * 4, pixel * 4 + 3);
    }
  }
  return { width, height: width, data };
}

/** A parsed field; parse `value` again for a template. */
export type EmvEntry = { tag: string; value: string };

const checksumTag = '63';

/** Parses fields of one level. Null if lengths do not add up or a tag is repeated. */
export function readFields(text: string): EmvEntry[] | null {
  const entries: EmvEntry[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const head = /^([0-9]{2})([0-9]{2})$/.exec(text.slice(at, at + 4));
    if (!head) return null;
    const tag = head[1] as string;
    const length = Number(head[2]);
    const value = text.slice(at + 4, at + 4 + length);
    if (length === 0 || value.length < length || seen.has(tag)) return null;
    seen.add(tag);
    entries.push({ tag, value });
    at += 4 + length;
  }
  return entries;
}

/** Parses a complete payload: its top-level fields without the CRC. Null if it is malformed or its CRC is wrong. */
export function readPayload(text: string): EmvEntry[] | null {
  const entries = readFields(text);
  if (entries === null || entries[0]?.tag !== '00') return null;
  const last = entries.pop();
  if (last?.tag !== checksumTag || last.value !== crc16(text.slice(0, -4))) return null;
  return entries;
}
