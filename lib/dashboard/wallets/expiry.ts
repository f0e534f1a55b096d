/** Alerts of the overview for certificates that expire soon. */

import { may, type Viewer } from '../../auth/index.ts';
import { type ExpiringCertificate, expiringCertificates } from '../../merchants/index.ts';
import type { AttentionItem } from '../overview/attention.ts';

const certificatesMax = 3;
const dayMs = 86_400_000;

/** The alerts for users who may see wallets. */
export async function expiringCertificateItems(viewer: Pick<Viewer, 'role'>, scope: string | null, now: Date) {
  if (!may(viewer.role, 'settings.read')) return [];
  const ending = await expiringCertificates(scope, now);
  return ending.slice(0, certificatesMax).map((each) => expiryItem(each, scope === null, now));
}

/** `isOneOfMany`: the merchant is named. */
export function expiryItem(
  { walletId, merchantName, slot, endsAt }: ExpiringCertificate,
  isOneOfMany: boolean,
  now: Date,
): AttentionItem {
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs);
  const when =
    days < 0 ? 'has expired' : days === 0 ? 'expires today' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`;
  const rest =
    slot === 'processing'
      ? ' Afterwards tokens cannot be decrypted. Generate a CSR now: both certificates work during the change.'
      : ' Afterwards the payment page does not offer Apple Pay. Generate a CSR now.';
  return {
    kind: 'certificate',
    strong: `The ${slot} certificate of Apple Pay${isOneOfMany ? ` of ${merchantName}` : ''} ${when}.`,
    rest,
    href: `/dashboard/wallets/${walletId}`,
    action: 'View wallet',
  };
}
