/** The branding of a merchant's payment page, as the dashboard reads and changes it. */
import type { PageTexts } from '../core/page-texts.ts';
import { prisma } from '../db/index.ts';
import { clearSettingsCache, type Merchant } from './merchants.ts';

export type BrandingSettings = Pick<
  Merchant,
  'accent' | 'background' | 'radius' | 'font' | 'privacyUrl' | 'termsUrl' | 'supportEmail' | 'pageTexts'
>;

/** A merchant's own branding, or that of one of its themes. */
export type StoredBranding = BrandingSettings &
  Pick<Merchant, 'logoUrl'> & {
    merchant: Pick<Merchant, 'id' | 'name' | 'site'>;
    theme: ThemeNames | null;
    logo: { digest: string; bytes: Uint8Array } | null;
    version: number;
  };

/** The name of a theme, and the values of `form_id` that select it. */
export type ThemeNames = { id: string; name: string; formIds: string[] };

/** The own branding of a merchant; null for an unknown id. */
export async function findBranding(id: string): Promise<StoredBranding | null> {
  const include = { logo: { select: { digest: true, bytes: true } } } as const;
  const row = await prisma().merchant.findUnique({ where: { id }, include });
  return row && { ...row, pageTexts: row.pageTexts as PageTexts, merchant: row, theme: null };
}

/** A logo that replaces an earlier one; null removes it. */
export type NewLogo = { digest: string; mediaType: string; bytes: Uint8Array } | null;

/** Stores changed branding; false if the merchant's version has changed. Without `logo` the logo is not changed. */
export async function saveBranding(
  id: string,
  version: number,
  branding: BrandingSettings,
  now: Date,
  logo?: NewLogo,
): Promise<boolean> {
  const saved = await prisma().$transaction(async (tx) => {
    const data = { ...branding, version: { increment: 1 } };
    const { count } = await tx.merchant.updateMany({ where: { id, version }, data });
    if (count === 0) return false;
    if (logo !== undefined) await tx.merchantLogo.deleteMany({ where: { merchantId: id } });
    // Otherwise the logo at the configured address would replace the removed one.
    if (logo === null) await tx.merchant.update({ where: { id }, data: { logoUrl: null } });
    if (logo) {
      const bytes = new Uint8Array(logo.bytes);
      await tx.merchantLogo.create({ data: { ...logo, bytes, merchantId: id, createdAt: now } });
    }
    return true;
  });
  clearSettingsCache();
  return saved;
}

/** The bytes of a logo that a merchant or a theme uses now; null for any other. */
export async function findLogo(digest: string): Promise<Uint8Array | null> {
  const row = await prisma().merchantLogo.findFirst({ where: { digest } });
  if (row) return row.bytes;
  const theme = await prisma().theme.findFirst({ where: { logoDigest: digest }, select: { logoBytes: true } });
  return theme?.logoBytes ?? null;
}
