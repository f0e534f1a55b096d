/** Themes: the branding of the sessions whose `form_id` they list. All other sessions have the merchant's own branding. */
import { newId } from '../core/ids.ts';
import type { PageTexts } from '../core/page-texts.ts';
import { prisma } from '../db/index.ts';
import type { ThemeForm, Theme as ThemeRow } from '../prisma/client.ts';
import type { BrandingSettings, NewLogo, StoredBranding, ThemeNames } from './branding.ts';
import { cached, clearSettingsCache, type Merchant } from './merchants.ts';

/** The merchant with the branding of a session's `form_id`; without a theme for it, the merchant as it is. */
export async function brandedFor(merchant: Merchant, formId: string | null): Promise<Merchant> {
  if (!formId) return merchant;
  const theme = await cached(`theme:${merchant.id}:${formId}`, () => readTheme(merchant.id, formId));
  return theme ? { ...merchant, ...theme } : merchant;
}

async function readTheme(merchantId: string, formId: string) {
  const form = await prisma().themeForm.findUnique({
    where: { merchantId_formId: { merchantId, formId } },
    include: { theme: { omit: { logoBytes: true } } },
  });
  if (!form) return null;
  const { logoDigest, logoUrl, ...theme } = form.theme;
  return { ...settingsOf(theme), logoUrl, logo: logoDigest === null ? null : { digest: logoDigest } };
}

type StoredSettings = Omit<BrandingSettings, 'pageTexts'> & Pick<ThemeRow, 'pageTexts'>;

function settingsOf(row: StoredSettings): BrandingSettings {
  const { accent, background, radius, font, privacyUrl, termsUrl, supportEmail, pageTexts } = row;
  const texts = pageTexts as PageTexts;
  return { accent, background, radius, font, privacyUrl, termsUrl, supportEmail, pageTexts: texts };
}

const forms = { select: { formId: true }, orderBy: { formId: 'asc' } } as const;

function namesOf({ id, name, forms }: { id: string; name: string; forms: Pick<ThemeForm, 'formId'>[] }): ThemeNames {
  return { id, name, formIds: forms.map(({ formId }) => formId) };
}

/** The themes of a merchant by name. */
export async function findThemes(merchantId: string): Promise<ThemeNames[]> {
  const select = { id: true, name: true, forms } as const;
  return (await prisma().theme.findMany({ where: { merchantId }, select, orderBy: { name: 'asc' } })).map(namesOf);
}

/** A theme of the merchant; null for an unknown id. */
export async function findTheme(merchantId: string, id: string): Promise<StoredBranding | null> {
  const include = { forms, merchant: { select: { id: true, name: true, site: true } } } as const;
  const row = await prisma().theme.findFirst({ where: { id, merchantId }, include });
  if (!row) return null;
  const { logoDigest, logoBytes, logoUrl, version, merchant } = row;
  const logo = logoDigest !== null && logoBytes !== null ? { digest: logoDigest, bytes: logoBytes } : null;
  return { ...settingsOf(row), merchant, theme: namesOf(row), logo, logoUrl, version };
}

/** The name, or one of the form IDs, belongs to another theme of the merchant. */
export class ThemeTakenError extends Error {}

type Names = Omit<ThemeNames, 'id'>;

/** Creates a theme with the settings and the logo of `base`; returns its id. Throws {@link ThemeTakenError}. */
export async function createTheme(base: StoredBranding, { name, formIds }: Names, now: Date): Promise<string> {
  const { logo, logoUrl } = base;
  const id = newId();
  const merchantId = base.merchant.id;
  const picture = { logoUrl, ...(logo && { logoDigest: logo.digest, logoBytes: new Uint8Array(logo.bytes) }) };
  const data = { id, merchantId, name, ...settingsOf(base), ...picture, createdAt: now };
  await unlessTaken(
    prisma().$transaction([
      prisma().theme.create({ data }),
      prisma().themeForm.createMany({ data: formIds.map((formId) => ({ merchantId, formId, themeId: id })) }),
    ]),
  );
  return id;
}

/** The changed parts of a theme; without `logo` the logo is not changed. */
export type ThemeChange = { names: Names; settings: BrandingSettings; logo?: NewLogo | undefined };

/** Stores a changed theme; false if its version has changed. Throws {@link ThemeTakenError}. */
export async function saveTheme(
  { merchantId, id, version }: { merchantId: string; id: string; version: number },
  { names, settings, logo }: ThemeChange,
): Promise<boolean> {
  const { name, formIds } = names;
  const bytes = logo ? new Uint8Array(logo.bytes) : null;
  const picture = logo === undefined ? {} : { logoUrl: null, logoDigest: logo?.digest ?? null, logoBytes: bytes };
  return unlessTaken(
    prisma().$transaction(async (tx) => {
      const data = { ...settings, ...picture, name, version: { increment: 1 } };
      const { count } = await tx.theme.updateMany({ where: { id, merchantId, version }, data });
      if (count === 0) return false;
      await tx.themeForm.deleteMany({ where: { themeId: id } });
      await tx.themeForm.createMany({ data: formIds.map((formId) => ({ merchantId, formId, themeId: id })) });
      return true;
    }),
  );
}

/** Deletes a theme: its sessions get the merchant's own branding. False if its version has changed. */
export async function deleteTheme(id: string, version: number): Promise<boolean> {
  const { count } = await prisma().theme.deleteMany({ where: { id, version } });
  clearSettingsCache();
  return count > 0;
}

async function unlessTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'P2002') throw new ThemeTakenError();
    throw thrown;
  } finally {
    clearSettingsCache();
  }
}
