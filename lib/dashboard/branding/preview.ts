/** The payment page with unpublished branding and an invented order, without scripts and working links. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseHex } from '../../core/colour.ts';
import { readImageInfo } from '../../core/image-info.ts';
import { findLocale, type LocaleCode } from '../../core/locales.ts';
import { pageFonts } from '../../core/page-fonts.ts';
import { type PlacedTexts, textMax, textPlaces, textsOfOperation } from '../../core/page-texts.ts';
import { type HttpResult, httpResult, readPayAssets, translationsOf } from '../../http/index.ts';
import type { StoredBranding } from '../../merchants/index.ts';
import type { Merchant, PageModel, SessionPage } from '../../payer/contract.ts';
import { addressForm, renderPage, sampleNow, samples } from '../../payer/index.ts';
import { contentSecurityPolicy } from '../../payer/security-headers.ts';
import type { DashboardRequest } from '../guard.ts';
import { findStoredBranding } from './branding.ts';
import { previewStates } from './options.ts';

/** A transparent pixel that the editor replaces by a logo that is not uploaded yet. */
const emptyPicture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const previewQuery = z.object({
  state: z.enum(previewStates.map(([state]) => state)).catch('form-list'),
  scheme: z.enum(['light', 'dark']).catch('light'),
  lang: z.string().catch('en'),
  accent: z.string().catch(''),
  background: z.string().catch(''),
  font: z
    .enum(pageFonts.map(({ id }) => id))
    .optional()
    .catch(undefined),
  radius: z.coerce.number().int().min(0).max(14).optional().catch(undefined),
  /** `stored`: the published logo. `draft`: a placeholder of the given size for another. */
  logo: z.enum(['stored', 'draft', 'none']).catch('none'),
  square: z.string().optional(),
  plate: z.string().optional(),
  privacy: z.string().optional(),
  terms: z.string().optional(),
  support: z.string().max(254).optional(),
});

type PreviewQuery = z.infer<typeof previewQuery>;

/** The texts of the query that are short enough, as `text.<place>`. */
function textsIn(query: URLSearchParams): PlacedTexts {
  const texts = textPlaces.map((place) => [place, query.get(`text.${place}`)?.slice(0, textMax[place]) || undefined]);
  return Object.fromEntries(texts);
}

/** GET /look/:id/preview, and below a theme: the payment page with the branding from the query. */
export async function brandingPreview(request: DashboardRequest): Promise<HttpResult> {
  const stored = await findStoredBranding(request);
  const wanted = previewQuery.parse(Object.fromEntries(request.query));
  const nonce = randomBytes(16).toString('base64url');
  const language = findLocale(wanted.lang)?.code ?? 'en';
  const model = inLanguage(modelOf(stored, wanted, textsIn(request.query)), language);
  const words = translationsOf(language);
  const html = await renderPage(model, { words, now: sampleNow, nonce, assets: readPayAssets() });
  const policy = contentSecurityPolicy(model, { nonce, frameAncestors: ["'self'"] })
    .replace("img-src 'self'", "img-src 'self' data:")
    .replace(/script-src [^;]*/, "script-src 'none'")
    .replace(/form-action [^;]*/, "form-action 'none'");
  return httpResult(inScheme(inert(html), wanted.scheme), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; sandbox allow-same-origin`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

function modelOf(stored: StoredBranding, wanted: PreviewQuery, texts: PlacedTexts): PageModel {
  const colour = (text: string) => (parseHex(text) ? text : undefined);
  const merchant: Merchant = {
    name: stored.merchant.name,
    site: stored.merchant.site ?? undefined,
    logo: logoOf(stored, wanted),
    accent: colour(wanted.accent),
    background: colour(wanted.background),
    radius: wanted.radius,
    font: wanted.font,
  };
  const legal = {
    privacy: wanted.privacy ? '#' : undefined,
    terms: wanted.terms ? '#' : undefined,
    support: wanted.support || undefined,
  };
  const sample = samples[wanted.state] as SessionPage;
  const noTest = { live: undefined, testBar: undefined, testUrl: undefined };
  return { ...sample, merchant, legal, texts: textsOfOperation(texts, sample.purpose ?? 'purchase'), ...noTest };
}

/** The address form has labels of its own. */
function inLanguage(model: PageModel, language: LocaleCode): PageModel {
  const hasAddress = model.state === 'form' && model.address !== undefined;
  return hasAddress ? { ...model, address: addressForm(language, model.country ?? '') } : model;
}

function logoOf({ logo }: StoredBranding, { logo: which, square, plate }: PreviewQuery): Merchant['logo'] {
  if (which === 'draft') return { src: emptyPicture, square: square === '1', plate: plate === '1' };
  const picture = which === 'stored' && logo ? readImageInfo(logo.bytes) : null;
  return picture && logo
    ? { src: `/pay/logo/${logo.digest}`, square: picture.square, plate: picture.plate }
    : undefined;
}

/** Disables the links so that the preview stays the preview. */
function inert(html: string): string {
  return html
    .replace(/(<a\b[^>]*?) href="[^"]*"/g, '$1 tabindex="-1"')
    .replace(/(<iframe\b[^>]*?) src="[^"]*"/g, '$1')
    .replace(/<script\b[^>]*><\/script>/g, '')
    .replace(/ autofocus(="")?/gi, '');
}

/** The editor sets the colour scheme, independent of the user's own. */
function inScheme(html: string, scheme: 'light' | 'dark'): string {
  const always = scheme === 'dark' ? '(min-width:0)' : '(max-width:0)';
  return html
    .replace(/\(prefers-color-scheme:\s*dark\)/g, always)
    .replace(/color-scheme:\s*light dark/g, `color-scheme:${scheme}`)
    .replace('content="light dark"', `content="${scheme}"`);
}
