// Payment requests for Apple Pay and Google Pay in the payer's browser, for the payment page and hosted fields.
import { env } from '../../config/index.ts';
import { applePaySession, type CardWallet, isApplePayGateway } from '../../connectors/index.ts';
import { formatAmount } from '../../core/money.ts';
import type { Payment } from '../../core/payment.ts';
import { type Caller, decryptToken } from '../../merchants/index.ts';
import type { PaymentInstrument } from '../../payments/index.ts';
import { claimWalletTokenForAttempt } from '../../risk/index.ts';
import type { AppleOffer, GoogleOffer, UsableWallet } from '../../routing/index.ts';
import { fullName } from './wire-fields.ts';

/** The payment data that both wallets show. `total` is decimal text. */
type PaymentSummary = { shop: string; total: string; currency: string };

/** Returns the summary of a payment. */
export function paymentSummaryOf(paid: { payment: Payment; caller: Pick<Caller, 'merchant'> }): PaymentSummary {
  const { amountMinor, currency } = paid.payment;
  return { shop: paid.caller.merchant.name, total: formatAmount(amountMinor, currency), currency };
}

/** ApplePayPaymentRequest of version 3. */
export function appleRequest(apple: AppleOffer, { shop, total, currency }: PaymentSummary) {
  return {
    countryCode: apple.country,
    currencyCode: currency,
    merchantCapabilities: apple.merchantCapabilities,
    supportedNetworks: apple.networks,
    total: { label: apple.shopName || shop, type: 'final', amount: total },
  };
}

/** The arguments of PaymentRequest for Google Pay: version 2 of its own API, as `data` of its method. */
export function googleRequest(google: GoogleOffer, { shop, total, currency }: PaymentSummary) {
  const { allowedAuthMethods, networks, tokenization, merchantId } = google;
  const data = {
    environment: env.appEnv === 'production' ? 'PRODUCTION' : 'TEST',
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantName: shop, merchantId },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: { allowedAuthMethods, allowedCardNetworks: networks },
        tokenizationSpecification: tokenization,
      },
    ],
    transactionInfo: { currencyCode: currency, totalPriceStatus: 'FINAL', totalPrice: total },
  };
  const amount = { currency, value: total };
  return {
    methods: [{ supportedMethods: 'https://google.com/pay', data }],
    details: { total: { label: shop, amount } },
  };
}

/** Requests Apple's session for a page on `host`; `foreign` for a URL that is not Apple's, null without a session. */
export async function appleSession(
  address: string,
  { merchantIdentifier, merchantIdentity, shopName }: AppleOffer,
  { shop, host }: { shop: string; host: string },
): Promise<object | 'foreign' | null> {
  if (!isApplePayGateway(address, env.applePayGateway)) return 'foreign';
  const displayName = shopName || shop;
  const sessionRequest = { merchantIdentifier, displayName, initiative: 'web', initiativeContext: host } as const;
  return applePaySession(address, merchantIdentity, sessionRequest);
}

/** The instrument of a wallet token: the decrypted card, or the token itself. */
type WalletPayment = { instrument: PaymentInstrument; wallet?: CardWallet };

/**
 * Claims a token for this payment and returns its instrument; `repeated` for a token that this payment has claimed
 * before, null for any other invalid token. The cardholder name is the wallet's, else `holder`, else the payer's.
 */
export async function walletInstrument(
  payment: Payment,
  { kind, flow }: UsableWallet,
  token: string,
  time: Date,
  holder?: string,
): Promise<WalletPayment | 'repeated' | null> {
  if (token === '') return null;
  const order = { minor: payment.amountMinor, currency: payment.currency };
  const decrypted =
    flow === 'token' ? { kind, text: token } : await decryptToken(payment.merchantId, kind, token, order, time);
  if ('unopened' in decrypted) return null;
  const claim = await claimWalletTokenForAttempt(decrypted, payment.id, time);
  if (claim !== 'claimed') return claim === 'repeated' ? claim : null;
  if ('text' in decrypted) return { instrument: { method: kind, walletToken: token } };
  const { card, wallet } = decrypted;
  return { instrument: { ...card, holder: card.holder ?? holder ?? fullName(payment.payer) }, wallet };
}
