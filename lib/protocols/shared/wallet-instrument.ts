// What comes out of a wallet's sheet on a payer's page: the token that the payer has agreed to. It pays once.
import type { CardWallet } from '../../connectors';
import type { Payment } from '../../core/payment';
import { decryptToken } from '../../merchants';
import { claimWalletTokenForAttempt, type PaymentInstrument } from '../../payments';
import type { UsableWallet } from '../../routing';
import { fullName } from './wire-fields';

/** How a wallet's token pays: by the card in it, or as it is. */
type WalletPayment = { means: PaymentInstrument; wallet?: CardWallet };

/**
 * What a token pays with, claimed for this payment; `repeated` for one that this payment has claimed before, null for any
 * other that must not be paid with. The card's name is the wallet's, else `holder`, else the payer's.
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
  const opened =
    flow === 'token' ? { kind, text: token } : await decryptToken(payment.merchantId, kind, token, order, time);
  if ('unopened' in opened) return null;
  const claim = await claimWalletTokenForAttempt(opened, payment.id, time);
  if (claim !== 'claimed') return claim === 'repeated' ? claim : null;
  if ('text' in opened) return { means: { method: kind, walletToken: token } };
  const { card, wallet } = opened;
  return { means: { ...card, holder: card.holder ?? holder ?? fullName(payment.payer) }, wallet };
}
