/** Certificates that end soon, among what the overview says needs attention. */

import { may, type Viewer } from '../../auth';
import { type ExpiringCertificate, expiringCertificates } from '../../merchants';
import type { AttentionItem, Overview } from '../overview/contract';

const certificatesMax = 3;
const dayMs = 86_400_000;

/** The overview with the certificates that end soon, for somebody who can look at wallets. */
export async function withExpiringCertificates(
  overview: Overview,
  viewer: Pick<Viewer, 'role'>,
  scope: string | null,
  now: Date,
): Promise<Overview> {
  if (!may(viewer.role, 'settings.read')) return overview;
  const ending = await expiringCertificates(scope, now);
  const items = ending.slice(0, certificatesMax).map((each) => expiryItem(each, scope === null, now));
  return { ...overview, attention: [...overview.attention, ...items] };
}

/** `isOneOfMany`: the merchant is named. */
export function expiryItem(
  { walletId, merchantName, slot, endsAt }: ExpiringCertificate,
  isOneOfMany: boolean,
  now: Date,
): AttentionItem {
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  const when = days < 0 ? 'has ended' : days === 0 ? 'ends today' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`;
  const rest =
    slot === 'processing'
      ? ' Afterwards no token is opened: make a request now, both certificates work side by side.'
      : ' Afterwards the payment page offers no Apple Pay: make a request now.';
  return {
    kind: 'certificate',
    strong: `The ${slot} certificate of Apple Pay${isOneOfMany ? ` of ${merchantName}` : ''} ${when}.`,
    rest,
    href: `/dashboard/wallets/${walletId}`,
    action: 'Open the wallet',
  };
}
