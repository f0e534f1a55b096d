/** Certificates of Apple Pay that end soon: afterwards no token is opened, or no page may ask for one. */
import { factsOf } from '../wallets/certificate-facts';
import { type AppleSettings, type CertificateSlot, walletsOf } from './wallet-settings';

/** From how many days before its end a certificate is worth a word. */
export const warnDays = 30;

const dayMs = 86_400_000;

export type EndingCertificate = {
  walletId: string;
  merchantId: string;
  merchantName: string;
  slot: CertificateSlot;
  endsAt: Date;
};

/**
 * The certificates of a merchant, or of all, that end within {@link warnDays} or have ended, soonest first. One that a
 * later certificate stands beside is not among them, and no wallet that is switched off.
 */
export async function endingCertificates(merchantId: string | null, now: Date): Promise<EndingCertificate[]> {
  const wallets = await walletsOf(merchantId);
  const ending = wallets.flatMap((wallet): EndingCertificate[] => {
    if (wallet.kind !== 'applepay' || !wallet.enabled) return [];
    const { id: walletId, merchantId, merchantName } = wallet;
    return endsOf(wallet.settings)
      .filter(({ endsAt }) => endsAt.getTime() < now.getTime() + warnDays * dayMs)
      .map((end) => ({ walletId, merchantId, merchantName, ...end }));
  });
  return ending.sort((one, other) => one.endsAt.getTime() - other.endsAt.getTime());
}

/** When each kind of certificate has none left. */
export function endsOf({ processingKeys, merchantIdentity }: AppleSettings): { slot: CertificateSlot; endsAt: Date }[] {
  const latest = (slot: CertificateSlot, certificates: string[]) => {
    const ends = certificates.flatMap((pem) => factsOf(pem)?.validTo ?? []).sort();
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
