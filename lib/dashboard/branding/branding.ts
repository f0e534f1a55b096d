/** Reads and publishes the branding of merchants' payment pages. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Members } from '../../auth';
import { isUuid } from '../../core/ids';
import { readImageInfo } from '../../core/image-info';
import { type BrandingSettings, findBranding, type NewLogo, type StoredBranding, saveBranding } from '../../merchants';
import { requireVersion, saveChange } from '../changes';
import { invalid } from '../errors';
import type { DashboardRequest, PageContext } from '../guard';
import { chosenMerchant } from '../merchants/choices';
import { parseBody } from '../parse-body';
import { brandingValues, readLogo, toSettings, toValues } from './values';

/** An uploaded logo, or one that the settings reference by URL. */
export type LogoView =
  | { kind: 'uploaded'; src: string; type: string; bytes: number; width: number; height: number }
  | { kind: 'address'; url: string };

/** The branding of the merchant in `merchant`, otherwise of the first. Null for a merchant out of scope. */
export async function brandingPage(request: Pick<PageContext, 'query' | 'scope'>) {
  const chosen = await chosenMerchant(request);
  if (!chosen) return null;
  const { merchants, merchant } = chosen;
  const stored = merchant ? await findBranding(merchant.id) : null;
  return { merchants, look: stored && viewOf(stored) };
}

function viewOf(stored: StoredBranding) {
  const { id, name, version } = stored;
  return { merchant: { id, name }, version, values: toValues(stored), logo: logoOf(stored) };
}

function logoOf({ logo, logoUrl }: StoredBranding): LogoView | null {
  const picture = logo && readImageInfo(logo.bytes);
  if (logo && picture) {
    const { type, width, height } = picture;
    return { kind: 'uploaded', src: `/pay/logo/${logo.digest}`, type, bytes: logo.bytes.length, width, height };
  }
  return logoUrl === null ? null : { kind: 'address', url: logoUrl };
}

/** The branding of one merchant. */
export async function brandingView(request: DashboardRequest) {
  const stored = await findStoredBranding(request);
  return stored && viewOf(stored);
}

/** The stored branding of the merchant in the address, if the user may see it. */
export async function findStoredBranding({ params, scope }: DashboardRequest): Promise<StoredBranding | null> {
  const id = params.id ?? '';
  if (!isUuid(id) || (scope !== null && scope !== id.toLowerCase())) return null;
  return findBranding(id);
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
  const stored = await findStoredBranding(request);
  if (!stored) return null;
  const { id, version } = stored;
  const { version: seen, logo } = parseBody(publication, request.body);
  const settings = toSettings(parseBody(brandingValues, request.body));
  const changed = { subject: `merchant:${id}`, what: 'The merchant', version };
  await requireVersion(request, changed, seen);
  const remaining = logo === 'keep' ? undefined : logo === 'remove' ? null : newLogo(Buffer.from(logo.file, 'base64'));
  const before = membersOf(stored, stored.logo?.digest ?? stored.logoUrl);
  const after = membersOf(settings, remaining === undefined ? before.logo : (remaining?.digest ?? null));
  const save = () => saveBranding(id, version, settings, request.now, remaining);
  await saveChange(request, 'look.publish', changed, { before, after }, save, true);
  return brandingView(request);
}

function newLogo(bytes: Buffer): NewLogo {
  const picture = readLogo(bytes);
  if (typeof picture === 'string') throw invalid({ logo: picture }, picture);
  return { digest: createHash('sha256').update(bytes).digest('hex'), mediaType: picture.type, bytes };
}

function membersOf(settings: BrandingSettings, logo: Members[string]) {
  const { accent, radius, privacyUrl, termsUrl, supportEmail, pageTexts } = settings;
  return { accent, radius, privacyUrl, termsUrl, supportEmail, pageTexts, logo } satisfies Members;
}
