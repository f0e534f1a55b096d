/** Builds the wallet buttons: the requests that the page passes to the browser's Apple Pay and Google Pay. */

import { findMethod } from '../methods/catalog';
import { appleRequest, googleRequest, paymentSummaryOf } from '../protocols';
import type { WalletButton } from './contract';
import { offeredWallets } from './method-list';
import { pathOf } from './page-context';
import type { View } from './view';

/** The display name of a method. */
export function methodName(id: string): string {
  return findMethod(id)?.name ?? id;
}

/** The buttons of a form, in the order of the contract. The script shows those that the payer's device supports. */
export function walletButtons(view: Pick<View, 'payment' | 'caller' | 'wallets' | 'token'>): WalletButton[] {
  const bill = paymentSummaryOf(view);
  return offeredWallets(view).map((wallet) => {
    const name = methodName(wallet.kind);
    if (wallet.kind === 'googlepay') return { id: 'googlepay', name, ...googleRequest(wallet.google, bill) };
    const validateUrl = pathOf(view.token, '/wallet/applepay/validate');
    return { id: 'applepay', name, request: appleRequest(wallet.apple, bill), validateUrl };
  });
}
