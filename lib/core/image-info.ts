/** Detects images by their content; file names and content types are not trusted. */

/** `square` and `plate` (transparency) decide how a logo is drawn. A width of 0 is unknown. */
export type ImageInfo = {
  type: string;
  bytes: Uint8Array;
  width: number;
  height: number;
  square: boolean;
  plate: boolean;
};

/** Detects the image format; null for anything but the image formats of browsers. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | null {
  const buffer = Buffer.from(bytes);
  const head = buffer.toString('latin1', 0, 16);
  const picture = (type: string, [width, height]: [number, number], plate: boolean): ImageInfo => {
    return { type, bytes, width, height, square: width > 0 && width === height, plate };
  };
  if (head.startsWith('\x89PNG\r\n\x1a\n') && buffer.length > 29) {
    // Colour types 4 and 6 have an alpha channel; the others may define a transparent colour.
    const plate = [4, 6].includes(buffer[25] as number) || buffer.includes('tRNS');
    return picture('image/png', [buffer.readUInt32BE(16), buffer.readUInt32BE(20)], plate);
  }
  if (/^GIF8[79]a/.test(head) && buffer.length >= 10)
    return picture('image/gif', [buffer.readUInt16LE(6), buffer.readUInt16LE(8)], true);
  if (head.startsWith('\xff\xd8\xff')) return picture('image/jpeg', jpegSize(buffer), false);
  if (/^RIFF.{4}WEBP/s.test(head)) {
    return picture('image/webp', webpSize(buffer), buffer.toString('latin1', 12, 16) !== 'VP8 ');
  }
  const text = buffer.toString('utf8', 0, 1024);
  if (!/^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/s.test(text)) return null;
  const [, width = '0', height = '1'] = /viewBox\s*=\s*["'][\d.\s-]*?\s([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(text) ?? [];
  return picture('image/svg+xml', [Number(width), Number(height)], true);
}

// The first frame header contains the size; the segments before it are skipped by their lengths.
function jpegSize(buffer: Buffer): [number, number] {
  for (let at = 2; at + 9 < buffer.length && buffer[at] === 0xff; ) {
    const marker = buffer[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)];
    at += 2 + buffer.readUInt16BE(at + 2);
  }
  return [0, 0];
}

function webpSize(buffer: Buffer): [number, number] {
  if (buffer.length < 30) return [0, 0];
  const kind = buffer.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [buffer.readUIntLE(24, 3) + 1, buffer.readUIntLE(27, 3) + 1];
  if (kind === 'VP8L') {
    const bits = buffer.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return [buffer.readUInt16LE(26) & 0x3fff, buffer.readUInt16LE(28) & 0x3fff];
}
