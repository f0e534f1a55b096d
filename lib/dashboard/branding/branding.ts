/** Reads and publishes the branding of merchants' payment pages. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { auditChange, type Members } from '../../auth';
import { isUuid } from '../../core/ids';
import { readImageInfo } from '../../core/image-info';
import { type BrandingSettings, findBranding, type NewLogo, type StoredBranding, saveBranding } from '../../merchants';
import { conflictError, refusedChange } from '../conflict';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { parseBody } from '../parse-body';
import type { BrandingPage, BrandingView, LogoView } from './contract';
import { brandingValues, readLogo, toSettings, toValues } from './values';

/** The branding of the merchant in `merchant`, otherwise of the first. Null for a merchant out of scope. */
export async function brandingPage({
  query,
  scope,
}: Pick<DashboardRequest, 'query' | 'scope'>): Promise<BrandingPage | null> {
  const merchants = await merchantChoices(scope);
  const named = query.get('merchant');
  const merchant = named === null ? merchants[0] : merchants.find(({ id }) => id === named);
  if (named !== null && !merchant) return null;
  const stored = merchant ? await findBranding(merchant.id) : null;
  return { merchants, look: stored && viewOf(stored) };
}

function viewOf(stored: StoredBranding): BrandingView {
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
export async function brandingView(request: DashboardRequest): Promise<BrandingView | null> {
  const stored = await findStoredBranding(request);
  return stored && viewOf(stored);
}

/** The stored branding of the merchant in the address, if the user may see it. */
export async function findStoredBranding({
  params,
  scope,
}: Pick<DashboardRequest, 'params' | 'scope'>): Promise<StoredBranding | null> {
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
export async function publishAction(request: DashboardRequest): Promise<BrandingView | null> {
  const stored = await findStoredBranding(request);
  if (!stored) return null;
  const { version, logo } = parseBody(publication, request.body);
  const settings = toSettings(parseBody(brandingValues, request.body));
  const changed = { what: 'The merchant', subject: `merchant:${stored.id}` };
  const since = stored.version - version;
  if (since !== 0) throw await conflictError(request, { ...changed, since });
  const remaining = logo === 'keep' ? undefined : logo === 'remove' ? null : newLogo(Buffer.from(logo.file, 'base64'));
  const before = membersOf(stored, stored.logo?.digest ?? stored.logoUrl);
  const after = membersOf(settings, remaining === undefined ? before.logo : (remaining?.digest ?? null));
  const entry = { actor: `user:${request.viewer.id}`, action: 'look.publish', subject: `merchant:${stored.id}` };
  await auditChange(entry, before, after, request.now);
  if (!(await saveBranding(stored.id, version, settings, request.now, remaining))) {
    throw await refusedChange(request, 'look.publish', changed);
  }
  const saved = await findBranding(stored.id);
  return saved && viewOf(saved);
}

function newLogo(bytes: Buffer): NewLogo {
  const picture = readLogo(bytes);
  if (typeof picture === 'string') throw new DashboardError(400, picture, { logo: picture });
  return { digest: createHash('sha256').update(bytes).digest('hex'), mediaType: picture.type, bytes };
}

function membersOf(settings: BrandingSettings, logo: Members[string]) {
  const { accent, radius, privacyUrl, termsUrl, supportEmail, pageTexts } = settings;
  return { accent, radius, privacyUrl, termsUrl, supportEmail, pageTexts, logo } satisfies Members;
}
