// Wallet tokens of S2S CARD (interface.md, Digital wallet token fields). The token must be decrypted, or the payment is
// refused.
import { fieldErrorTexts, throwApiError } from '../../core/errors';
import { throwValidationError } from '../../http';
import { acceptsDecryptedCards, type DecryptedToken, decryptToken, type Mid } from '../../merchants';
import { claimWalletToken } from '../../payments';
import type { KnownCaller } from '../pipeline/handle';
import type { ChargeInstrument } from './charge-fields';

type WalletInstrument = Extract<ChargeInstrument, { kind: 'wallet' }>;

/** Every invalid token gets the same error. */
const rejectToken = (): never => throwValidationError([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);

/**
 * Decrypts a token for an order. Throws 204004 if none of the accounts accepts decrypted cards or the merchant's wallet
 * settings cannot decrypt tokens, and a field error of `payment_token` for an invalid token.
 */
export async function decryptWalletToken(
  caller: KnownCaller,
  mids: readonly Mid[],
  { wallet, paymentToken }: WalletInstrument,
  order: { amountMinor: bigint; currency: string },
  now: Date,
): Promise<DecryptedToken> {
  if (!mids.some(acceptsDecryptedCards)) throwApiError('methodNotSupported');
  const money = { minor: order.amountMinor, currency: order.currency };
  const decrypted = await decryptToken(caller.merchant.id, wallet, paymentToken, money, now);
  if (!('unopened' in decrypted)) return decrypted;
  return decrypted.unopened === 'settings' ? throwApiError('methodNotSupported') : rejectToken();
}

/** The wallet fields of a payment with a decrypted token. A token that another request has claimed is refused. */
export function walletPaymentFields(
  decrypted: DecryptedToken,
  { requestDigest }: { requestDigest: Buffer },
  now: Date,
) {
  const claim = async () => (await claimWalletToken(decrypted, requestDigest, now)) ?? rejectToken();
  return { wallet: decrypted.wallet, claim };
}
