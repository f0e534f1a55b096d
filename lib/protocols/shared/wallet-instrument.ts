// What comes out of a wallet's sheet on a payer's page: the token that the payer has agreed to. It pays once.
import type { CardWallet } from '../../connectors/connector';
import type { Payment } from '../../core/payment';
import { openToken } from '../../merchants/wallets';
import type { Means } from '../../payments/attempt/execute';
import { claimForAttempt } from '../../payments/wallet-claims';
import type { PayingWallet } from '../../routing/wallet-offers';
import { fullName } from './record';

/** How a wallet's token pays: by the card in it, or as it is. */
type WalletMeans = { means: Means; wallet?: CardWallet };

/**
 * What a token pays with, claimed for this payment; `repeated` for one that this payment has claimed before, null for any
 * other that must not be paid with. The card's name is the wallet's, else `holder`, else the payer's.
 */
export async function walletMeans(
  payment: Payment,
  { kind, flow }: PayingWallet,
  token: string,
  time: Date,
  holder?: string,
): Promise<WalletMeans | 'repeated' | null> {
  if (token === '') return null;
  const order = { minor: payment.amountMinor, currency: payment.currency };
  const opened =
    flow === 'token' ? { kind, text: token } : await openToken(payment.merchantId, kind, token, order, time);
  if ('unopened' in opened) return null;
  const claim = await claimForAttempt(opened, payment.id, time);
  if (claim !== 'claimed') return claim === 'repeated' ? claim : null;
  if ('text' in opened) return { means: { method: kind, walletToken: token } };
  const { card, wallet } = opened;
  return { means: { ...card, holder: card.holder ?? holder ?? fullName(payment.payer) }, wallet };
}
