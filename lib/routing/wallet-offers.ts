/** Decides which wallets a page offers, and whether their tokens are decrypted here or passed to an account. */
import type { Payment, Session } from '../core/payment.ts';
import type { WalletKind } from '../core/provider-data.ts';
import {
  type ApplePay,
  acceptsDecryptedCards,
  type Caller,
  canDecrypt,
  type GooglePay,
  type Mapping,
  publicPoint,
  walletSettings,
} from '../merchants/index.ts';
import type { CardSetId } from '../methods/card-sets.ts';
import { acceptedBrands, eligibleMids, missingParameterSets } from './candidates.ts';

/** `card`: the token is decrypted and its card pays. `token`: the provider gets the encrypted token. */
type WalletFlow = 'card' | 'token';

/** A wallet of the session that the merchant has configured; without a flow it cannot pay this payment. */
export type WalletOffer =
  | { kind: WalletKind; flow: null }
  | { kind: 'applepay'; flow: WalletFlow; apple: AppleOffer }
  | { kind: 'googlepay'; flow: WalletFlow; google: GoogleOffer };

/** A wallet that can pay. */
export type UsableWallet = Exclude<WalletOffer, { flow: null }>;

/** The parameters of an Apple Pay request, with the merchant identity that validates its session. */
export type AppleOffer = Omit<ApplePay, 'kind' | 'keys' | 'merchantIdentity'> & {
  merchantIdentity: NonNullable<ApplePay['merchantIdentity']>;
};

/** The parameters of a Google Pay request: those of the gateway, or the merchant's own public key. */
export type GoogleOffer = Pick<GooglePay, 'merchantId' | 'allowedAuthMethods' | 'networks'> & {
  tokenization: { type: 'PAYMENT_GATEWAY' | 'DIRECT'; parameters: Record<string, string> };
};

/** The names of all card networks that each wallet supports. */
const allNetworks = {
  applepay: ['visa', 'masterCard', 'amex', 'discover', 'jcb', 'chinaUnionPay', 'maestro'],
  googlepay: ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB'],
};

/** The wallets, in the order of the contract. */
export const walletKinds: readonly WalletKind[] = ['applepay', 'googlepay'];

type RoutingContext = Pick<Caller, 'merchant' | 'mids'> & { mapping: Mapping };

type Subject = { payment: Payment; session: Session; caller: RoutingContext };

/** The configured wallets of a session. One without settings is an ordinary method on its provider's page. */
export async function walletOffers({ payment, session, caller }: Subject): Promise<WalletOffer[]> {
  const wanted = walletKinds.filter((kind) => session.methods.includes(kind));
  const offers = await Promise.all(wanted.map((kind) => offerOf(kind, payment, caller)));
  return offers.filter((offer) => offer !== null);
}

/** The wallets among `methods` whose tokens are decrypted here: they support the same payments as cards. */
export async function decryptableWallets(
  { merchant, mids }: Pick<Caller, 'merchant' | 'mids'>,
  methods: readonly string[],
): Promise<string[]> {
  if (!mids.some(acceptsDecryptedCards)) return [];
  const wanted = walletKinds.filter((kind) => methods.includes(kind));
  const settings = await Promise.all(wanted.map((kind) => walletSettings(merchant.id, kind)));
  return wanted.filter((_kind, place) => {
    const ready = settings[place];
    return typeof ready === 'object' && canDecrypt(ready);
  });
}

async function offerOf(kind: WalletKind, payment: Payment, caller: RoutingContext): Promise<WalletOffer | null> {
  const ready = await walletSettings(payment.merchantId, kind);
  if (ready === 'none') return null;
  const missingSets = await missingParameterSets(caller, payment);
  const flow = typeof ready === 'string' ? null : walletFlow(kind, payment, caller, canDecrypt(ready), missingSets);
  if (typeof ready === 'string' || flow === null) return { kind, flow: null };
  const by = flow === 'card' ? { digitalWallet: kind, missingSets } : { method: kind, walletToken: true };
  const networks = networksOf(ready, acceptedBrands(caller.mids, payment, { digitalWallet: null, ...by }));
  if (networks.length === 0) return { kind, flow: null };
  if (ready.kind === 'applepay') {
    const { kind, keys: _secret, merchantIdentity, ...apple } = ready;
    return merchantIdentity ? { kind, flow, apple: { ...apple, networks, merchantIdentity } } : { kind, flow: null };
  }
  const google = googleOffer({ ...ready, networks });
  return google ? { kind: 'googlepay', flow, google } : { kind, flow: null };
}

/** The networks of a wallet's settings, or all, of the brands that the accounts take. */
export function networksOf(
  { kind, networks }: Pick<ApplePay, 'kind' | 'networks'> | Pick<GooglePay, 'kind' | 'networks'>,
  accepted: readonly string[] | null,
): string[] {
  const named = networks.length > 0 ? networks : allNetworks[kind];
  return named.filter((name) => accepted === null || accepted.includes(name.toLowerCase().replace('china', '')));
}

/** How a wallet can pay. An encrypted token supports no authorisations, chains and tokens; one account decrypts it. */
export function walletFlow(
  kind: WalletKind,
  payment: Payment,
  { mids }: Pick<Caller, 'mids'>,
  isDecryptable: boolean,
  missingSets: CardSetId[] = [],
): WalletFlow | null {
  if (payment.amountMinor <= 0n) return null;
  const wanted = { ...payment, digitalWallet: null };
  // The wallet's own method supports no recurring chains; its card may, which is checked below.
  if (eligibleMids(mids, { ...wanted, method: kind, recurringInit: false }).length === 0) return null;
  if (isDecryptable && eligibleMids(mids, { ...wanted, method: 'card', digitalWallet: kind, missingSets }).length > 0)
    return 'card';
  if (payment.authorizeOnly || payment.recurringInit || payment.requestToken) return null;
  return eligibleMids(mids, { ...wanted, method: kind, walletToken: true }).length > 0 ? 'token' : null;
}

/** Google's tokenization specification; null where the settings lack the recipient. */
export function googleOffer({ keys, ...settings }: GooglePay): GoogleOffer | null {
  const { recipientId, gatewayMerchantId, merchantId, allowedAuthMethods, networks } = settings;
  const [kind, name = ''] = recipientId.split(/:(.*)/);
  const common = { merchantId, allowedAuthMethods, networks };
  if (kind === 'gateway' && gatewayMerchantId) {
    const parameters = { gateway: name, gatewayMerchantId };
    return { ...common, tokenization: { type: 'PAYMENT_GATEWAY', parameters } };
  }
  const [key] = keys;
  if (kind !== 'merchant' || !key) return null;
  const parameters = { protocolVersion: 'ECv2', publicKey: publicPoint(key) };
  return { ...common, tokenization: { type: 'DIRECT', parameters } };
}
