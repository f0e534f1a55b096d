/** Reads everything that a link's addresses need, at one moment. */

import type { Payment, Session, Transaction } from '../core/payment.ts';
import { callerOf, type KnownCaller } from '../merchants/index.ts';
import { createLinkToken, findSession, lastAttempt, verifyLinkToken } from '../payments/index.ts';
import { type WalletOffer, walletOffers } from '../routing/index.ts';
import { type Screen, screenOf, versionOf } from './screen.ts';

export type View = {
  token: string;
  payment: Payment;
  session: Session;
  /** The latest attempt. */
  attempt: Transaction | null;
  caller: KnownCaller;
  /** The wallets that the merchant has configured, whether or not they can pay this payment. */
  wallets: WalletOffer[];
  screen: Screen;
  /** A change of this text makes an open page reload. */
  version: string;
};

/** The view of a link; null if the link is forged, malformed or without session. */
export async function findView(token: string, now: Date): Promise<View | null> {
  const paymentId = await verifyLinkToken(token, 'page');
  const view = paymentId === null ? null : await viewOf(paymentId, now, token);
  // Hosted fields run in the merchant's own page.
  return view?.session.hostedFields ? null : view;
}

/** The view of a payment; null for a payment without a session. */
export async function viewOf(paymentId: string, now: Date, token?: string): Promise<View | null> {
  const stored = await findSession(paymentId);
  if (!stored) return null;
  const { payment, session } = stored;
  const [attempt, caller] = await Promise.all([payment.attemptId ? lastAttempt(payment.id) : null, callerOf(payment)]);
  const wallets = await walletOffers({ payment, session, caller });
  const link = token ?? (await createLinkToken(payment.id, 'page'));
  return viewState({ token: link, payment, session, attempt, caller, wallets }, now);
}

/** The view of rows that were read or just written. */
export function viewState(facts: Omit<View, 'screen' | 'version'>, now: Date): View {
  const { payment, session, attempt, caller } = facts;
  const screen = screenOf({ payment, session, attempt, mapping: caller.mapping, now });
  return { ...facts, screen, version: versionOf(screen, { payment, attempt }) };
}
