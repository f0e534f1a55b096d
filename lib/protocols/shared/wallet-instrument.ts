// Turns a wallet token from the payer's browser into a payment instrument. A token pays once.

import type { CardWallet } from '../../connectors';
import type { Payment } from '../../core/payment';
import { decryptToken } from '../../merchants';
import type { PaymentInstrument } from '../../payments';
import { claimWalletTokenForAttempt } from '../../risk';
import type { UsableWallet } from '../../routing';
import { fullName } from './wire-fields';

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
