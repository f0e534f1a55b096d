/** Validates branding as a user enters it. */
import { z } from 'zod';
import { type ImageInfo, readImageInfo } from '../../core/image-info';
import { type LocaleCode, locales } from '../../core/locales';
import { type PageTexts, type TextLanguage, textMax, textPlaces } from '../../core/page-texts';
import { parseWebUrl } from '../../http';
import type { BrandingSettings } from '../../merchants';
import { logoBytesMax } from './options';

const radiusMax = 14;

/** The languages of a text, `default` first. */
export const textLanguages: readonly TextLanguage[] = ['default', ...locales.map(({ code }): LocaleCode => code)];

const address = z
  .string()
  .trim()
  .max(2048, 'The address has at most 2048 characters.')
  .refine(
    (text) => text === '' || (text.startsWith('https://') && parseWebUrl(text) !== null),
    'Enter a full URL that begins with https://.',
  );

const line = z
  .string()
  .trim()
  .max(textMax, `The text has at most ${textMax} characters.`)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Enter one line without tabs or line breaks.')
  // Bidirectional control characters could make a page read differently from its text.
  .regex(/^[^\u202a-\u202e\u2066-\u2069\p{Surrogate}]*$/u, 'The text contains invisible characters.');

const texts = z
  .partialRecord(z.enum(textLanguages as [TextLanguage, ...TextLanguage[]]), z.partialRecord(z.enum(textPlaces), line))
  .transform(withoutEmpty);

/** The input of saving and previewing. */
export const brandingValues = z.object({
  accent: z.union([
    z.literal(''),
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, 'Enter the colour as #rrggbb, such as #14532d.'),
  ]),
  radius: z
    .string()
    .trim()
    .regex(/^(|\d|1[0-4])$/, `Enter whole pixels from 0 to ${radiusMax}.`),
  privacyUrl: address,
  termsUrl: address,
  supportEmail: z.union([z.literal(''), z.email('Enter an email address, such as help@shop.example.').max(254)]),
  texts,
});

function withoutEmpty(input: PageTexts): PageTexts {
  const stored = Object.entries(input).map(([language, lines]) => [
    language,
    Object.fromEntries(Object.entries(lines ?? {}).filter(([, text]) => text !== '')),
  ]);
  return Object.fromEntries(stored.filter(([, lines]) => Object.keys(lines as object).length > 0));
}

type BrandingValues = z.output<typeof brandingValues>;

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

/** Stored values as form input. */
export function toValues(settings: BrandingSettings): BrandingValues {
  return {
    accent: settings.accent ?? '',
    radius: settings.radius === null ? '' : String(settings.radius),
    privacyUrl: settings.privacyUrl ?? '',
    termsUrl: settings.termsUrl ?? '',
    supportEmail: settings.supportEmail ?? '',
    texts: settings.pageTexts,
  };
}

const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];
const sides = { least: 16, most: 2000 };

/** A logo file, or a sentence about its error. */
export function readLogo(file: Buffer): ImageInfo | string {
  if (file.length > logoBytesMax) return `The file is larger than ${logoBytesMax / 1024} KB.`;
  const picture = readImageInfo(file);
  if (picture?.type === 'image/svg+xml')
    return 'SVG files can contain scripts and are not accepted. Save it as PNG or WebP.';
  if (!picture || !logoTypes.includes(picture.type)) return 'The file is not a PNG, JPEG or WebP image.';
  const { width, height } = picture;
  if (width < sides.least || height < sides.least) return `The logo is smaller than ${sides.least} pixels.`;
  if (width > sides.most || height > sides.most) return `The logo is larger than ${sides.most} × ${sides.most} pixels.`;
  return picture;
}
