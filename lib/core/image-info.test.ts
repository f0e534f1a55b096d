import { expect, it } from 'vitest';
import { readImageInfo } from './image-info.ts';

const png = (width: number, height: number, colourType: number, more = '') => {
  const head = Buffer.alloc(33);
  head.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head[25] = colourType;
  return Buffer.concat([head, Buffer.from(more)]);
};
const gif = Buffer.from('GIF89a\x10\0\x10\0\0\0\0', 'latin1');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc2001108003c00a003012200021101031101', 'hex');
const webp = (kind: string, tail: string) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(tail, 'hex')]);
const svg = '<?xml version="1.0"?><!-- a logo --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"></svg>';

// file | its bytes | type, square, plate; or none
const files: [string, Uint8Array, string][] = [
  ['an opaque square PNG', png(80, 80, 2), 'image/png square'],
  ['a PNG with an alpha channel', png(160, 40, 6), 'image/png plate'],
  ['a PNG with a transparent colour', png(160, 40, 3, 'tRNS'), 'image/png plate'],
  ['a square GIF', gif, 'image/gif square plate'],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  ['a WebP without alpha', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
  ['a WebP that may have alpha', Buffer.from('RIFF\0\0\0\0WEBPVP8X'), 'image/webp plate'],
  ['a square SVG', Buffer.from(svg), 'image/svg+xml square plate'],
  ['a wide SVG', Buffer.from('<svg viewBox="0 0 160 40"/>'), 'image/svg+xml plate'],
  ['a page', Buffer.from('<!doctype html><svg></svg>'), 'none'],
  ['a script', Buffer.from('alert(1)'), 'none'],
  ['a PNG that breaks off', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'none'],
  ['a GIF that breaks off', gif.subarray(0, 9), 'none'],
  ['nothing', new Uint8Array(), 'none'],
];

it.each(files)('detects %s', (_what, bytes, expected) => {
  const picture = readImageInfo(bytes);
  const marks = picture && [picture.type, picture.square && 'square', picture.plate && 'plate'];
  expect(marks?.filter(Boolean).join(' ') ?? 'none').toBe(expected);
});

// file | its bytes | width and height
it.each([
  ['a PNG', png(160, 40, 2), 160, 40],
  ['a GIF', gif, 16, 16],
  ['a JPEG with progressive frames', jpeg, 160, 60],
  ['a lossy WebP', webp('VP8 ', '0000009d012aa0003c00'), 160, 60],
  ['a lossless WebP', webp('VP8L', '2f9fc00e000000000000'), 160, 60],
  ['an extended WebP', webp('VP8X', '100000009f00003b0000'), 160, 60],
  ['a JPEG that breaks off', jpeg.subarray(0, 22), 0, 0],
])('knows the size of %s', (_what, bytes, width, height) => {
  expect(readImageInfo(bytes)).toMatchObject({ width, height });
});
