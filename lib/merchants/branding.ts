/** The branding of a merchant's payment page, as the dashboard reads and changes it. */
import { statement, transaction } from '../db';
import { clearSettingsCache, type Merchant } from './merchants';

export type BrandingSettings = Pick<
  Merchant,
  'accent' | 'radius' | 'privacyUrl' | 'termsUrl' | 'supportEmail' | 'pageTexts'
>;

export type StoredBranding = BrandingSettings &
  Pick<Merchant, 'id' | 'name' | 'site' | 'logoUrl'> & {
    logo: { digest: string; bytes: Uint8Array } | null;
    version: number;
  };

type BrandingRow = Omit<StoredBranding, 'logo'> & { digest: string | null; bytes: Uint8Array | null };

const brandingById = statement<{ id: string }, BrandingRow>(
  'branding-find',
  `select m.id, m.name, m.site, m.logo_url as "logoUrl", m.accent, m.radius, m.privacy_url as "privacyUrl",
          m.terms_url as "termsUrl", m.support_email as "supportEmail", m.page_texts as "pageTexts", m.version,
          l.digest, l.bytes
     from merchants m left join merchant_logos l on l.merchant_id = m.id
    where m.id = :id`,
);

/** The branding of one merchant; null for an unknown id. */
export async function findBranding(id: string): Promise<StoredBranding | null> {
  const [row] = await brandingById({ id });
  if (!row) return null;
  const { digest, bytes, ...branding } = row;
  return { ...branding, logo: digest !== null && bytes !== null ? { digest, bytes } : null };
}

/** A logo that replaces an earlier one; null removes it. */
export type NewLogo = { digest: string; mediaType: string; bytes: Uint8Array } | null;

type UpdateParams = Omit<BrandingSettings, 'pageTexts'> & { id: string; version: number; pageTexts: string };
const updateBranding = statement<UpdateParams, { id: string }>(
  'branding-save',
  `update merchants set accent = :accent, radius = :radius, privacy_url = :privacyUrl, terms_url = :termsUrl,
          support_email = :supportEmail, page_texts = :pageTexts::jsonb, version = version + 1
    where id = :id and version = :version returning id`,
);

const insertLogo = statement<NonNullable<NewLogo> & { id: string; now: Date }>(
  'logo-save',
  `insert into merchant_logos (merchant_id, digest, media_type, bytes, created_at)
   values (:id, :digest, :mediaType, :bytes, :now::timestamptz)`,
);

const deleteLogo = statement<{ id: string }>('logo-remove', 'delete from merchant_logos where merchant_id = :id');

const deleteLogoUrl = statement<{ id: string }>(
  'logo-url-remove',
  'update merchants set logo_url = null where id = :id',
);

/** Stores changed branding; false if the merchant's version has changed. Without `logo` the logo is not changed. */
export async function saveBranding(
  id: string,
  version: number,
  branding: BrandingSettings,
  now: Date,
  logo?: NewLogo,
): Promise<boolean> {
  const saved = await transaction(async (run) => {
    const rows = await updateBranding({ ...branding, id, version, pageTexts: JSON.stringify(branding.pageTexts) }, run);
    if (rows.length === 0) return false;
    if (logo !== undefined) await deleteLogo({ id }, run);
    // Otherwise the logo at the configured address would replace the removed one.
    if (logo === null) await deleteLogoUrl({ id }, run);
    if (logo) {
      await insertLogo({ ...logo, bytes: Buffer.from(logo.bytes), id, now }, run);
    }
    return true;
  });
  clearSettingsCache();
  return saved;
}

const logoByDigest = statement<{ digest: string }, { bytes: Uint8Array }>(
  'logo-find',
  'select bytes from merchant_logos where digest = :digest limit 1',
);

/** The bytes of a logo that a merchant uses now; null for any other. */
export async function findLogo(digest: string): Promise<Uint8Array | null> {
  const [row] = await logoByDigest({ digest });
  return row?.bytes ?? null;
}
