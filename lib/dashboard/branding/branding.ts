/** Reads, validates and publishes the branding of merchants' payment pages. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Members } from '../../auth/index.ts';
import { hasCardData } from '../../core/card-addresses.ts';
import { isUuid } from '../../core/ids.ts';
import { type ImageInfo, readImageInfo } from '../../core/image-info.ts';
import { type LocaleCode, locales } from '../../core/locales.ts';
import { fontFamilies } from '../../core/page-fonts.ts';
import { type PageTexts, type TextLanguage, type TextPlace, textMax, textPlaces } from '../../core/page-texts.ts';
import { parseWebUrl } from '../../http/index.ts';
import {
  type BrandingSettings,
  findBranding,
  findTheme,
  findThemes,
  type NewLogo,
  type StoredBranding,
  saveBranding,
  saveTheme,
} from '../../merchants/index.ts';
import { atVersion, saveChange } from '../changes.ts';
import { existing, invalid, parseBody, textLine } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { chosenMerchant } from '../merchants/choices.ts';
import { logoBytesMax } from './options.ts';
import { parseNames, unlessTaken } from './theme-names.ts';

const radiusMax = 14;

/** The languages of a text, `default` first. */
export const textLanguages: readonly TextLanguage[] = ['default', ...locales.map(({ code }): LocaleCode => code)];

const address = z
  .string()
  .trim()
  .max(2048, 'The address has at most 2048 characters.')
  .refine(
    (text) => text === '' || (text.startsWith('https://') && parseWebUrl(text) !== null && !hasCardData(text)),
    'Enter a full URL that begins with https://.',
  );

const places = Object.fromEntries(textPlaces.map((place) => [place, textLine(textMax[place]).optional()])) as {
  [place in TextPlace]: z.ZodOptional<z.ZodString>;
};

const texts = z
  .partialRecord(z.enum(textLanguages as [TextLanguage, ...TextLanguage[]]), z.strictObject(places))
  .transform(withoutEmpty);

const colour = z.union([
  z.literal(''),
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Enter the colour as #rrggbb, such as #14532d.'),
]);

/** The input of saving and previewing. */
export const brandingValues = z.object({
  accent: colour,
  background: colour,
  radius: z
    .string()
    .trim()
    .regex(/^(|\d|1[0-4])$/, `Enter whole pixels from 0 to ${radiusMax}.`),
  font: z.string().refine((id) => id === '' || fontFamilies(id) !== null, 'Choose a font from the list.'),
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

const textNames = ['accent', 'background', 'font', 'privacyUrl', 'termsUrl', 'supportEmail'] as const;
type TextName = (typeof textNames)[number];

/** The values as they are stored. */
export function toSettings({ texts, radius, ...values }: BrandingValues): BrandingSettings {
  const named = Object.fromEntries(textNames.map((name) => [name, values[name] || null]));
  const settings = { radius: radius === '' ? null : Number(radius), pageTexts: texts };
  return { ...(named as Record<TextName, string | null>), ...settings };
}

/** Stored values as form input. */
export function toValues({ radius, pageTexts, ...settings }: BrandingSettings): BrandingValues {
  const named = Object.fromEntries(textNames.map((name) => [name, settings[name] ?? '']));
  return { ...(named as Record<TextName, string>), radius: radius?.toString() ?? '', texts: pageTexts };
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

/** An uploaded logo, or one that the settings reference by URL. */
export type LogoView =
  | { kind: 'uploaded'; src: string; type: string; bytes: number; width: number; height: number }
  | { kind: 'address'; url: string };

/** The branding of the merchant in `merchant`, otherwise of the first: its own, or that of the theme in `theme`. */
export async function brandingPage(request: PageContext) {
  const { merchants, merchant } = await chosenMerchant(request);
  const theme = request.query.get('theme');
  const stored = merchant ? existing(await findOne(merchant.id, theme)) : null;
  return { merchants, themes: merchant ? await findThemes(merchant.id) : [], look: stored && viewOf(stored) };
}

function findOne(merchantId: string, themeId: string | null | undefined): Promise<StoredBranding | null> {
  if (!themeId) return findBranding(merchantId);
  return isUuid(themeId) ? findTheme(merchantId, themeId) : Promise.resolve(null);
}

function viewOf(stored: StoredBranding) {
  const { merchant, theme, version } = stored;
  const { name = '', formIds = [] } = theme ?? {};
  return {
    merchant: { id: merchant.id, name: merchant.name },
    theme: theme && { id: theme.id },
    version,
    values: { name, formIds, ...toValues(stored) },
    logo: logoOf(stored),
  };
}

function logoOf({ logo, logoUrl }: StoredBranding): LogoView | null {
  const picture = logo && readImageInfo(logo.bytes);
  if (logo && picture) {
    const { type, width, height } = picture;
    return { kind: 'uploaded', src: `/pay/logo/${logo.digest}`, type, bytes: logo.bytes.length, width, height };
  }
  return logoUrl === null ? null : { kind: 'address', url: logoUrl };
}

/** The branding of one merchant, or of its theme. */
export const brandingView = async (request: DashboardRequest) => viewOf(await findStoredBranding(request));

/** The stored branding of the merchant or the theme in the address, if the user may see it. */
export async function findStoredBranding({ params, scope }: DashboardRequest): Promise<StoredBranding> {
  const id = params.id ?? '';
  const isVisible = isUuid(id) && (scope === null || scope === id.toLowerCase());
  return existing(isVisible ? await findOne(id, params.theme) : null);
}

const publication = z.object({
  version: z.int().min(0),
  logo: z.union([
    z.literal('keep'),
    z.literal('remove'),
    z.object({ file: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'The file is incomplete. Upload it again.') }),
  ]),
});

/** Publishes branding: payers see it from their next page load. */
export async function publishAction(request: DashboardRequest) {
  const found = await findStoredBranding(request);
  const { version, logo } = parseBody(publication, request.body);
  const settings = toSettings(parseBody(brandingValues, request.body));
  const { merchant, theme } = found;
  const names = theme && (await parseNames(request.body, found));
  const noun = theme ? 'theme' : 'merchant';
  const stored = await atVersion(
    request,
    noun,
    { ...found, id: (theme ?? merchant).id, merchantId: merchant.id },
    version,
  );
  const remaining = logo === 'keep' ? undefined : logo === 'remove' ? null : newLogo(Buffer.from(logo.file, 'base64'));
  const before = { ...namesOf(theme), ...membersOf(stored, stored.logo?.digest ?? stored.logoUrl) };
  const logoAfter = remaining === undefined ? before.logo : (remaining?.digest ?? null);
  const after = { ...namesOf(names), ...membersOf(settings, logoAfter) };
  const save = () =>
    names
      ? unlessTaken(saveTheme(stored, { names, settings, logo: remaining }))
      : saveBranding(stored.id, version, settings, request.now, remaining);
  await saveChange(request, names ? 'theme.publish' : 'look.publish', stored, { before, after }, save, true);
  return brandingView(request);
}

function newLogo(bytes: Buffer): NewLogo {
  const picture = readLogo(bytes);
  if (typeof picture === 'string') throw invalid({ logo: picture }, picture);
  return { digest: createHash('sha256').update(bytes).digest('hex'), mediaType: picture.type, bytes };
}

const namesOf = (names: { name: string; formIds: string[] } | null) =>
  names ? { name: names.name, formIds: names.formIds } : {};

function membersOf(settings: BrandingSettings, logo: Members[string]) {
  const { accent, background, radius, font, privacyUrl, termsUrl, supportEmail, pageTexts } = settings;
  return { accent, background, radius, font, privacyUrl, termsUrl, supportEmail, pageTexts, logo } satisfies Members;
}
