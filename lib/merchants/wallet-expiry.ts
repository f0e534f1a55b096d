/** Certificates of Apple Pay that end soon: afterwards no token is opened, or no page may ask for one. */
import { certificateInfo } from '../wallets';
import { type AppleSettings, type CertificateSlot, walletsOf } from './wallet-settings';

/** From how many days before its end a certificate is worth a word. */
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
 * The certificates of a merchant, or of all, that end within {@link warningDays} or have ended, soonest first. One that a
 * later certificate stands beside is not among them, and no wallet that is switched off.
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

/** When each kind of certificate has none left. */
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
