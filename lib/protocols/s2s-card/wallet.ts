// A wallet's token in the place of the card (interface.md, Digital wallet token fields): on S2S CARD it has to be opened,
// or the payment cannot be made.

import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import { acceptsDecryptedCards, type DecryptedToken, decryptToken, type Mid } from '../../merchants';
import { claimWalletToken } from '../../risk';
import type { KnownCaller } from '../pipeline/handle';
import type { ChargeInstrument } from './charge-fields';

type WalletInstrument = Extract<ChargeInstrument, { kind: 'wallet' }>;

/** One refusal for whatever is wrong with a token. */
const rejectToken = (): never => throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);

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
