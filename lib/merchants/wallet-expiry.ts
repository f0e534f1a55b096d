/** Apple Pay certificates that expire soon: without them no token can be decrypted, or no page can offer Apple Pay. */
import { certificateInfo } from '../wallets/index.ts';
import { type AppleSettings, type CertificateSlot, walletsOf } from './wallet-settings.ts';

/** Days before the expiry from which a certificate is reported. */
export const warningDays = 30;

const dayMs = 86_400_000;

export type ExpiringCertificate = {
  walletId: string;
  merchantId: string;
  merchantName: string;
  slot: CertificateSlot;
  endsAt: Date;
};

/**
 * The certificates of a merchant, or of all, that expire within {@link warningDays} or have expired, soonest first.
 * Excludes disabled wallets and kinds that have a later certificate.
 */
export async function expiringCertificates(merchantId: string | null, now: Date): Promise<ExpiringCertificate[]> {
  const wallets = await walletsOf(merchantId);
  const ending = wallets.flatMap((wallet): ExpiringCertificate[] => {
    if (wallet.kind !== 'applepay' || !wallet.enabled) return [];
    const { id: walletId, merchantId, merchantName } = wallet;
    return certificateExpiries(wallet.settings)
      .filter(({ endsAt }) => endsAt.getTime() < now.getTime() + warningDays * dayMs)
      .map((end) => ({ walletId, merchantId, merchantName, ...end }));
  });
  return ending.sort((one, other) => one.endsAt.getTime() - other.endsAt.getTime());
}

/** The latest expiry of each kind of certificate. */
export function certificateExpiries({
  processingKeys,
  merchantIdentity,
}: AppleSettings): { slot: CertificateSlot; endsAt: Date }[] {
  const latest = (slot: CertificateSlot, certificates: string[]) => {
    const ends = certificates.flatMap((pem) => certificateInfo(pem)?.validTo ?? []).sort();
    const last = ends.at(-1);
    return last === undefined ? [] : [{ slot, endsAt: new Date(last) }];
  };
  return [
    ...latest(
      'processing',
      processingKeys.map(({ certificate }) => certificate),
    ),
    ...latest('identity', merchantIdentity ? [merchantIdentity.certificate] : []),
  ];
}
