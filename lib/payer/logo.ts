/**
 * Serves the merchant's logo, so that payers' browsers send no request to a third party. An uploaded logo has an
 * address derived from its content; a logo given by address is fetched by the guarded client. The type of both is taken
 * from their first bytes, and both are cached in memory.
 */

import { type ImageInfo, readImageInfo } from '../core/image-info.ts';
import { now } from '../db/clock.ts';
import { guardedClient, type HttpResult, httpResult, type Route, scanFile } from '../http/index.ts';
import { findLogo, type Merchant } from '../merchants/index.ts';
import type { Merchant as ShownMerchant } from './contract.ts';
import { findView } from './view.ts';

const bytesMax = 256 * 1024;
const fetchSeconds = 5;
const cacheMilliseconds = { found: 3_600_000, missing: 60_000 };
/** How long the first page waits for a logo that is not cached yet. */
const timeoutMilliseconds = 400;
const logosMax = 200;

type CachedPicture = { until: number; picture: Promise<ImageInfo | null> };

const pictureCache = new Map<string, CachedPicture>();

/** The logo for the page; undefined if there is none (yet). `src` is the address under the link. */
export async function logoOf(merchant: Merchant, src: string): Promise<ShownMerchant['logo']> {
  if (merchant.logo) return uploadedLogo(merchant.logo.digest);
  if (!merchant.logoUrl) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), timeoutMilliseconds);
  });
  const picture = await Promise.race([pictureAt(merchant.logoUrl), timeout]);
  clearTimeout(timer);
  return picture ? { src, square: picture.square, plate: picture.plate } : undefined;
}

/** An uploaded logo, for the page. */
export async function uploadedLogo(digest: string): Promise<ShownMerchant['logo']> {
  const picture = await uploaded(digest);
  return picture ? { src: `/pay/logo/${digest}`, square: picture.square, plate: picture.plate } : undefined;
}

// Anyone can ask for any digest: one without a logo takes no place from others.
async function uploaded(digest: string): Promise<ImageInfo | null> {
  const name = `sha256:${digest}`;
  const known = pictureCache.get(name);
  if (known) return known.picture;
  const bytes = await findLogo(digest);
  const picture = bytes && readImageInfo(bytes);
  if (picture) remember(name, Promise.resolve(picture));
  return picture;
}

/** GET /pay/logo/:digest: the content of this address never changes. */
export const logoByDigest: Route['run'] = async (_request, { digest = '' }) => {
  const picture = /^[0-9a-f]{64}$/.test(digest) ? await uploaded(digest) : null;
  return picture ? pictureResponse(picture, 'public, max-age=31536000, immutable') : notFound();
};

/** GET /pay/:token/logo. */
export const logo: Route['run'] = async (_request, params) => {
  const view = await findView(params.token ?? '', now());
  const url = view?.caller.merchant.logoUrl;
  const picture = url ? await pictureAt(url) : null;
  return picture ? pictureResponse(picture, 'private, max-age=3600') : notFound();
};

function notFound(): HttpResult {
  return httpResult(null, { status: 404, headers: { 'cache-control': 'no-store' } });
}

function pictureResponse({ type, bytes }: ImageInfo, cacheControl: string): HttpResult {
  return httpResult(Uint8Array.from(bytes), {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
      // An SVG opened on its own is a document; the policy keeps it from doing anything.
      'content-security-policy': "default-src 'none'; base-uri 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  });
}

function pictureAt(url: string): Promise<ImageInfo | null> {
  return cached(url, async () => {
    const bytes = await guardedClient().download(url, bytesMax, fetchSeconds);
    return bytes && (await scanFile(bytes)).kind === 'clean' ? readImageInfo(bytes) : null;
  });
}

function remember(name: string, picture: CachedPicture['picture']): CachedPicture {
  const entry = { until: performance.now() + cacheMilliseconds.found, picture };
  pictureCache.delete(name);
  pictureCache.set(name, entry);
  const [oldest] = pictureCache.keys();
  if (pictureCache.size > logosMax && oldest !== undefined) pictureCache.delete(oldest);
  return entry;
}

function cached(name: string, read: () => Promise<ImageInfo | null>): Promise<ImageInfo | null> {
  const nowMs = performance.now();
  const known = pictureCache.get(name);
  if (known && known.until > nowMs) return known.picture;
  const picture = read();
  const entry = remember(name, picture);
  const expireSoon = () => {
    entry.until = performance.now() + cacheMilliseconds.missing;
  };
  void picture.then(
    (found) => found ?? expireSoon(),
    () => pictureCache.delete(name),
  );
  return picture;
}
