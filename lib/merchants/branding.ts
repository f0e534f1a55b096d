/** The look of a merchant's payment page as somebody who changes it sees it. */
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

/** The look of one merchant; null for none with this id. */
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
  const { digest, bytes, ...look } = row;
  return { ...look, logo: digest !== null && bytes !== null ? { digest, bytes } : null };
}

/** A logo to keep in the place of an earlier one; null takes it away. */
export type NewLogo = { digest: string; mediaType: string; bytes: Uint8Array } | null;

/** Keeps a changed look; false where the merchant has another version by now. Without `logo` the logo stays. */
export async function saveBranding(
  id: string,
  version: number,
  look: BrandingSettings,
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
        look.accent,
        look.radius,
        look.privacyUrl,
        look.termsUrl,
        look.supportEmail,
        JSON.stringify(look.pageTexts),
      ],
    );
    if (rows.length === 0) return false;
    if (logo !== undefined) await run('logo-remove', 'delete from merchant_logos where merchant_id = $1', [id]);
    // An address that the settings name would come back in the place of a logo that somebody has taken away.
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
