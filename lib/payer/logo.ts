/**
 * The merchant's logo, served by ourselves: no payer's browser ever asks a third party for anything. One that was
 * uploaded is at an address of its content; one that the settings name by its address is fetched by the guarded client.
 * Both are believed only by their own first bytes, and kept in memory.
 */

import { type ImageInfo, readImageInfo } from '../core/image-info';
import { now } from '../db/clock';
import { guardedClient } from '../http';
import { findLogo, type Merchant } from '../merchants';
import type { Merchant as ShownMerchant } from './contract';
import { findView } from './view';

const bytesMax = 256 * 1024;
const fetchSeconds = 5;
const cacheMilliseconds = { found: 3_600_000, missing: 60_000 };
/** How long the first page waits for a logo that was never fetched. */
const patienceMilliseconds = 400;
const logosMax = 200;

type CachedPicture = { until: number; picture: Promise<ImageInfo | null> };

const pictureCache = new Map<string, CachedPicture>();

/** The logo as the page shows it, or undefined where there is none (yet). `src` is the link's own address for it. */
export async function logoOf(merchant: Merchant, src: string): Promise<ShownMerchant['logo']> {
  if (merchant.logo) return uploadedLogo(merchant.logo.digest);
  if (!merchant.logoUrl) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), patienceMilliseconds);
  });
  const picture = await Promise.race([pictureAt(merchant.logoUrl), late]);
  clearTimeout(timer);
  return picture ? { src, square: picture.square, plate: picture.plate } : undefined;
}

/** A logo that was uploaded, as the page shows it. */
export async function uploadedLogo(digest: string): Promise<ShownMerchant['logo']> {
  const picture = await uploaded(digest);
  return picture ? { src: `/pay/logo/${digest}`, square: picture.square, plate: picture.plate } : undefined;
}

function uploaded(digest: string): Promise<ImageInfo | null> {
  return cached(`sha256:${digest}`, async () => {
    const bytes = await findLogo(digest);
    return bytes && readImageInfo(bytes);
  });
}

/** GET /pay/logo/:digest: what is at this address never changes. */
export async function logoByDigest(_request: Request, { digest = '' }: Record<string, string>): Promise<Response> {
  const picture = /^[0-9a-f]{64}$/.test(digest) ? await uploaded(digest) : null;
  return picture ? pictureResponse(picture, 'public, max-age=31536000, immutable') : notFound();
}

/** GET /pay/:token/logo. */
export async function logo(_request: Request, params: Record<string, string>): Promise<Response> {
  const view = await findView(params.token ?? '', now());
  const url = view?.caller.merchant.logoUrl;
  const picture = url ? await pictureAt(url) : null;
  return picture ? pictureResponse(picture, 'private, max-age=3600') : notFound();
}

function notFound(): Response {
  return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
}

function pictureResponse({ type, bytes }: ImageInfo, cacheControl: string): Response {
  return new Response(Uint8Array.from(bytes), {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
      // An SVG that somebody opens by itself is a document, and gets to do nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  });
}

function pictureAt(url: string): Promise<ImageInfo | null> {
  return cached(url, async () => {
    const bytes = await guardedClient().download(url, bytesMax, fetchSeconds);
    return bytes && readImageInfo(bytes);
  });
}

function cached(name: string, read: () => Promise<ImageInfo | null>): Promise<ImageInfo | null> {
  const nowMs = performance.now();
  const known = pictureCache.get(name);
  if (known && known.until > nowMs) return known.picture;
  if (pictureCache.size >= logosMax) pictureCache.clear();
  const picture = read();
  const entry: CachedPicture = { until: nowMs + cacheMilliseconds.found, picture };
  pictureCache.set(name, entry);
  const forgetSoon = () => {
    entry.until = performance.now() + cacheMilliseconds.missing;
  };
  void picture.then(
    (found) => found ?? forgetSoon(),
    () => pictureCache.delete(name),
  );
  return picture;
}
