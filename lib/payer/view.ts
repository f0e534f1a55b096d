/** Everything that a link stands for, read at one moment: what every address of the payer's page begins with. */

import type { Payment, Session, Transaction } from '../core/payment';
import { type Caller, callerOf, type Mapping } from '../merchants';
import { createLinkToken, findSession, lastAttempt, verifyLinkToken } from '../payments';
import { type WalletOffer, walletOffers } from '../routing';
import { type Screen, screenOf, versionOf } from './screen';

export type View = {
  token: string;
  payment: Payment;
  session: Session;
  /** The latest attempt. */
  attempt: Transaction | null;
  caller: Caller & { mapping: Mapping };
  /** The wallets that the merchant has set up, whether or not they can pay this payment. */
  wallets: WalletOffer[];
  screen: Screen;
  /** The word by which an open page learns that it has become another. */
  version: string;
};

/** The view behind a link; null for one that is forged, misshapen or about no session. */
export async function findView(token: string, now: Date): Promise<View | null> {
  const paymentId = await verifyLinkToken(token, 'page');
  const view = paymentId === null ? null : await viewOf(paymentId, now, token);
  // Hosted fields live in the merchant's own page.
  return view?.session.hostedFields ? null : view;
}

/** The view of a payment; null when no session opened it. */
export async function viewOf(paymentId: string, now: Date, token?: string): Promise<View | null> {
  const found = await findSession(paymentId);
  if (!found) return null;
  const { payment, session } = found;
  const [attempt, caller] = await Promise.all([payment.attemptId ? lastAttempt(payment.id) : null, callerOf(payment)]);
  const wallets = await walletOffers({ payment, session, caller });
  const link = token ?? (await createLinkToken(payment.id, 'page'));
  return viewState({ token: link, payment, session, attempt, caller, wallets }, now);
}

/** What a link shows of what was read, or of what has just been written down, which need not be read again. */
export function viewState(facts: Omit<View, 'screen' | 'version'>, now: Date): View {
  const { payment, session, attempt, caller } = facts;
  const screen = screenOf({ payment, session, attempt, mapping: caller.mapping, now });
  return { ...facts, screen, version: versionOf(screen, { payment, attempt }) };
}
