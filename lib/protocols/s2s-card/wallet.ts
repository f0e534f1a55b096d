// A wallet's token in the place of the card (interface.md, Digital wallet token fields): on S2S CARD it has to be opened,
// or the payment cannot be made.
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import { acceptsDecryptedCards, type DecryptedToken, decryptToken, type Mid } from '../../merchants';
import { claimWalletToken } from '../../payments';
import type { KnownCaller } from '../pipeline/handle';
import type { ChargeInstrument } from './charge-fields';

type WalletInstrument = Extract<ChargeInstrument, { kind: 'wallet' }>;

/** One refusal for whatever is wrong with a token. */
const rejectToken = (): never => throwFieldErrors([{ path: 'payment_token', text: fieldErrorTexts.notValid }]);

/**
 * Opens a token for an order that these accounts could carry. 204004 where none of them takes the decrypted card, or
 * where the merchant's settings of the wallet cannot open any token; a fault of `payment_token` for the token itself.
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
  const opened = await decryptToken(caller.merchant.id, wallet, paymentToken, money, now);
  if (!('unopened' in opened)) return opened;
  return opened.unopened === 'settings' ? throwApiError('methodNotSupported') : rejectToken();
}

/** What a payment by an opened token needs besides its card. A token that another request has claimed is refused. */
export function walletPaymentFields(opened: DecryptedToken, { requestDigest }: { requestDigest: Buffer }, now: Date) {
  const claim = async () => (await claimWalletToken(opened, requestDigest, now)) ?? rejectToken();
  return { wallet: opened.wallet, claim };
}
