/**
 * The merchant's logo, served by ourselves: no payer's browser ever asks a third party for anything. It is fetched by
 * the guarded client, believed only by its own first bytes, and kept in memory.
 */
import type { Merchant as ShownMerchant } from '../../components/pay/model';
import { now } from '../clock';
import { guarded } from '../http';
import type { Merchant } from '../payments/merchants';
import { findView } from './view';

const bytesMax = 256 * 1024;
const fetchSeconds = 5;
const keptMilliseconds = { found: 3_600_000, missing: 60_000 };
/** How long the first page waits for a logo that was never fetched. */
const patienceMilliseconds = 400;
const logosMax = 200;

export type Picture = { type: string; bytes: Uint8Array; square: boolean; plate: boolean };
type Held = { until: number; picture: Promise<Picture | null> };

const held = new Map<string, Held>();

/** The logo as the page shows it, or undefined where there is none (yet). `src` is the link's own address for it. */
export async function logoOf(merchant: Merchant, src: string): Promise<ShownMerchant['logo']> {
  if (!merchant.logoUrl) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), patienceMilliseconds);
  });
  const picture = await Promise.race([pictureAt(merchant.logoUrl), late]);
  clearTimeout(timer);
  return picture ? { src, square: picture.square, plate: picture.plate } : undefined;
}

/** GET /pay/:token/logo. */
export async function logo(_request: Request, params: Record<string, string>): Promise<Response> {
  const view = await findView(params.token ?? '', now());
  const url = view?.caller.merchant.logoUrl;
  const picture = url ? await pictureAt(url) : null;
  if (!picture) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return new Response(Uint8Array.from(picture.bytes), {
    headers: {
      'content-type': picture.type,
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      // An SVG that somebody opens by itself is a document, and gets to do nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  });
}

function pictureAt(url: string): Promise<Picture | null> {
  const nowMs = performance.now();
  const known = held.get(url);
  if (known && known.until > nowMs) return known.picture;
  if (held.size >= logosMax) held.clear();
  const picture = guarded()
    .download(url, bytesMax, fetchSeconds)
    .then((bytes) => bytes && readPicture(bytes));
  const entry: Held = { until: nowMs + keptMilliseconds.found, picture };
  held.set(url, entry);
  void picture.then((found) => {
    if (!found) entry.until = performance.now() + keptMilliseconds.missing;
  });
  return picture;
}

/** What a file is by its content; null for anything but the picture formats of browsers. */
export function readPicture(bytes: Uint8Array): Picture | null {
  const buffer = Buffer.from(bytes);
  const head = buffer.toString('latin1', 0, 16);
  const picture = (type: string, width: number, height: number, plate: boolean): Picture => {
    return { type, bytes, square: width > 0 && width === height, plate };
  };
  if (head.startsWith('\x89PNG\r\n\x1a\n') && buffer.length > 29) {
    // Colour types 4 and 6 have an alpha channel, the others may name a transparent colour.
    const plate = [4, 6].includes(buffer[25] as number) || buffer.includes('tRNS');
    return picture('image/png', buffer.readUInt32BE(16), buffer.readUInt32BE(20), plate);
  }
  if (/^GIF8[79]a/.test(head)) return picture('image/gif', buffer.readUInt16LE(6), buffer.readUInt16LE(8), true);
  if (head.startsWith('\xff\xd8\xff')) return picture('image/jpeg', 0, 0, false);
  if (/^RIFF.{4}WEBP/s.test(head)) return picture('image/webp', 0, 0, buffer.toString('latin1', 12, 16) !== 'VP8 ');
  const text = buffer.toString('utf8', 0, 1024);
  if (!/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/s.test(text)) return null;
  const [, width = '0', height = '1'] = /viewBox\s*=\s*["'][\d.\s-]*?\s([\d.]+)[\s,]+([\d.]+)\s*["']/.exec(text) ?? [];
  return picture('image/svg+xml', Number(width), Number(height), true);
}
