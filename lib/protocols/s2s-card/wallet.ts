// A wallet's token in the place of the card (interface.md, Digital wallet token fields): on S2S CARD it has to be opened,
// or the payment cannot be made.
import { refuse, texts } from '../../core/errors';
import { refuseFaults } from '../../http/field-errors';
import type { Mid } from '../../merchants/merchants';
import { takesDecrypted } from '../../merchants/mid-capabilities';
import { type OpenedToken, openToken } from '../../merchants/wallets';
import { claimToken } from '../../payments/wallet-claims';
import type { KnownCaller } from '../pipeline/handle';
import type { Means } from './charge-fields';

type WalletMeans = Extract<Means, { kind: 'wallet' }>;

/** One refusal for whatever is wrong with a token. */
const refuseToken = (): never => refuseFaults([{ path: 'payment_token', text: texts.notValid }]);

/**
 * Opens a token for an order that these accounts could carry. 204004 where none of them takes the decrypted card, or
 * where the merchant's settings of the wallet cannot open any token; a fault of `payment_token` for the token itself.
 */
export async function openWallet(
  caller: KnownCaller,
  mids: readonly Mid[],
  { wallet, paymentToken }: WalletMeans,
  order: { amountMinor: bigint; currency: string },
  now: Date,
): Promise<OpenedToken> {
  if (!mids.some(takesDecrypted)) refuse('methodNotSupported');
  const money = { minor: order.amountMinor, currency: order.currency };
  const opened = await openToken(caller.merchant.id, wallet, paymentToken, money, now);
  if (!('unopened' in opened)) return opened;
  return opened.unopened === 'settings' ? refuse('methodNotSupported') : refuseToken();
}

/** What a payment by an opened token needs besides its card. A token that another request has claimed is refused. */
export function walletExtras(opened: OpenedToken, { requestDigest }: { requestDigest: Buffer }, now: Date) {
  const claim = async () => (await claimToken(opened, requestDigest, now)) ?? refuseToken();
  return { wallet: opened.wallet, claim };
}
