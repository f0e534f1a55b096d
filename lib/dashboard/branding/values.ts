/** The look as somebody fills it in, checked. */
import { z } from 'zod';
import { type ImageInfo, readImageInfo } from '../../core/image-info';
import { type LocaleCode, locales } from '../../core/locales';
import { type PageTexts, type TextLanguage, textMax, textPlaces } from '../../core/page-texts';
import { parseWebUrl } from '../../http';
import type { BrandingSettings } from '../../merchants';
import { type BrandingValues, logoBytesMax } from './contract';

const radiusMax = 14;

/** The languages that a line can be in, `default` first. */
export const textLanguages: readonly TextLanguage[] = ['default', ...locales.map(({ code }): LocaleCode => code)];

const address = z
  .string()
  .trim()
  .max(2048, 'The address has at most 2048 characters.')
  .refine(
    (text) => text === '' || (text.startsWith('https://') && parseWebUrl(text) !== null),
    'Write a whole address that begins with https://.',
  );

const line = z
  .string()
  .trim()
  .max(textMax, `A line has at most ${textMax} characters.`)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Write one line, without tabs and line breaks.')
  // Marks that turn the direction of text around could make a page read otherwise than it is.
  .regex(/^[^\u202a-\u202e\u2066-\u2069\p{Surrogate}]*$/u, 'The line holds characters that nobody sees.');

const texts = z
  .partialRecord(z.enum(textLanguages as [TextLanguage, ...TextLanguage[]]), z.partialRecord(z.enum(textPlaces), line))
  .transform(withoutEmpty);

/** What is saved and previewed. */
export const brandingValues = z.object({
  accent: z.union([
    z.literal(''),
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, 'Write the colour as #rrggbb, such as #14532d.'),
  ]),
  radius: z
    .string()
    .trim()
    .regex(/^(|\d|1[0-4])$/, `Write whole pixels from 0 to ${radiusMax}.`),
  privacyUrl: address,
  termsUrl: address,
  supportEmail: z.union([z.literal(''), z.email('Write an e-mail address, such as help@shop.example.').max(254)]),
  texts,
}) satisfies z.ZodType<BrandingValues>;

function withoutEmpty(given: PageTexts): PageTexts {
  const kept = Object.entries(given).map(([language, lines]) => [
    language,
    Object.fromEntries(Object.entries(lines ?? {}).filter(([, text]) => text !== '')),
  ]);
  return Object.fromEntries(kept.filter(([, lines]) => Object.keys(lines as object).length > 0));
}

/** The values as they are stored. */
export function toSettings(values: BrandingValues): BrandingSettings {
  return {
    accent: values.accent || null,
    radius: values.radius === '' ? null : Number(values.radius),
    privacyUrl: values.privacyUrl || null,
    termsUrl: values.termsUrl || null,
    supportEmail: values.supportEmail || null,
    pageTexts: values.texts,
  };
}

/** What is stored, as it is filled in. */
export function toValues(look: BrandingSettings): BrandingValues {
  return {
    accent: look.accent ?? '',
    radius: look.radius === null ? '' : String(look.radius),
    privacyUrl: look.privacyUrl ?? '',
    termsUrl: look.termsUrl ?? '',
    supportEmail: look.supportEmail ?? '',
    texts: look.pageTexts,
  };
}

const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];
const sides = { least: 16, most: 2000 };

/** A logo's file, or what is wrong with it in a sentence. */
export function readLogo(file: Buffer): ImageInfo | string {
  if (file.length > logoBytesMax) return `The file is larger than ${logoBytesMax / 1024} KB.`;
  const picture = readImageInfo(file);
  if (picture?.type === 'image/svg+xml') return 'SVG can hold scripts and is not taken. Save it as PNG or WebP.';
  if (!picture || !logoTypes.includes(picture.type)) return 'The file is neither PNG nor JPEG nor WebP.';
  const { width, height } = picture;
  if (width < sides.least || height < sides.least) return `The logo is smaller than ${sides.least} pixels.`;
  if (width > sides.most || height > sides.most) return `The logo is larger than ${sides.most} × ${sides.most} pixels.`;
  return picture;
}
