/** The branding of a merchant's payment page, as the dashboard reads and changes it. */
import type { PageTexts } from '../core/page-texts';
import { query, transaction } from '../db';
import { clearSettingsCache } from './merchants';

export type BrandingSettings = {
  accent: string | null;
  radius: number | null;
  privacyUrl: string | null;
  termsUrl: string | null;
  supportEmail: string | null;
  pageTexts: PageTexts;
};

export type StoredBranding = BrandingSettings & {
  id: string;
  name: string;
  site: string | null;
  logoUrl: string | null;
  logo: { digest: string; bytes: Uint8Array } | null;
  version: number;
};

/** The branding of one merchant; null for an unknown id. */
export async function findBranding(id: string): Promise<StoredBranding | null> {
  type Row = Omit<StoredBranding, 'logo'> & { digest: string | null; bytes: Uint8Array | null };
  const [row] = await query<Row>(
    'branding-find',
    `select m.id, m.name, m.site, m.logo_url as "logoUrl", m.accent, m.radius, m.privacy_url as "privacyUrl",
            m.terms_url as "termsUrl", m.support_email as "supportEmail", m.page_texts as "pageTexts", m.version,
            l.digest, l.bytes
       from merchants m left join merchant_logos l on l.merchant_id = m.id
      where m.id = $1`,
    [id],
  );
  if (!row) return null;
  const { digest, bytes, ...branding } = row;
  return { ...branding, logo: digest !== null && bytes !== null ? { digest, bytes } : null };
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
  const saved = await transaction(async (run) => {
    const rows = await run(
      'branding-save',
      `update merchants set accent = $3, radius = $4, privacy_url = $5, terms_url = $6, support_email = $7,
              page_texts = $8::jsonb, version = version + 1
        where id = $1 and version = $2 returning id`,
      [
        id,
        version,
        branding.accent,
        branding.radius,
        branding.privacyUrl,
        branding.termsUrl,
        branding.supportEmail,
        JSON.stringify(branding.pageTexts),
      ],
    );
    if (rows.length === 0) return false;
    if (logo !== undefined) await run('logo-remove', 'delete from merchant_logos where merchant_id = $1', [id]);
    // Otherwise the logo at the configured address would replace the removed one.
    if (logo === null) await run('logo-url-remove', 'update merchants set logo_url = null where id = $1', [id]);
    if (logo) {
      await run(
        'logo-save',
        `insert into merchant_logos (merchant_id, digest, media_type, bytes, created_at)
         values ($1, $2, $3, $4, $5::timestamptz)`,
        [id, logo.digest, logo.mediaType, Buffer.from(logo.bytes), now],
      );
    }
    return true;
  });
  clearSettingsCache();
  return saved;
}
