/** Reads everything that a link's addresses need, at one moment. */

import { createHash } from 'node:crypto';
import type { CardView, Payment, Session, Transaction } from '../core/payment.ts';
import { brandedFor, callerOf, type KnownCaller } from '../merchants/index.ts';
import { findSession, lastSubmitted } from '../payments/index.ts';
import { acceptedBrands, isAccepted, type WalletOffer, walletOffers } from '../routing/index.ts';
import { createLinkToken, findToken, verifyLinkToken, withWholePresentation } from '../vault/index.ts';
import { type Screen, screenOf, versionOf } from './screen.ts';

export type View = {
  token: string;
  payment: Payment;
  session: Session;
  /** The attempt that the payer submitted last. */
  attempt: Transaction | null;
  /** Its merchant has the branding of the session's `form_id`. */
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
  const [attempt, { merchant, ...called }] = await Promise.all([
    payment.attemptId ? lastSubmitted(stored) : null,
    callerOf(payment),
  ]);
  const caller = { ...called, merchant: await brandedFor(merchant, session.formId) };
  const wallets = await walletOffers({ payment, session, caller });
  const link = token ?? (await createLinkToken(payment.id, 'page'));
  return viewState({ token: link, payment, session, attempt, caller, wallets }, now);
}

/** The view of rows that were read or just written. Only its screen has the card numbers that a provider presents. */
export async function viewState(facts: Omit<View, 'screen' | 'version'>, now: Date): Promise<View> {
  const { payment, session, caller } = facts;
  const attempt = facts.attempt && (await withWholePresentation(facts.attempt));
  const screen = screenOf({ payment, session, attempt, mapping: caller.mapping, now });
  return { ...facts, screen, version: versionOf(screen, { payment, attempt }) };
}

export type StoredCard = { id: string; token: string; card: CardView; expired: boolean };

/** A session may name more tokens than a page can usefully show. */
const shownMax = 20;

/**
 * The saved cards that a session offers (`card_token`), in its order; unknown and removed ones, and those of brands that
 * no account takes, are omitted.
 */
export async function savedCards(
  { session, payment, caller }: Pick<View, 'session' | 'payment' | 'caller'>,
  now: Date,
): Promise<StoredCard[]> {
  const tokens = [...new Set(session.cardTokens)].slice(0, shownMax);
  const cards = await Promise.all(tokens.map((token) => findToken(payment.merchantId, token, now)));
  const accepted = acceptedBrands(caller.mids, payment);
  return tokens.flatMap((token, place): StoredCard[] => {
    const card = cards[place];
    return card && card !== 'foreign' && isAccepted(accepted, card.card.first6)
      ? [{ id: idOf(token), token, ...card }]
      : [];
  });
}

/** The id of a token on the page, which does not disclose the token: a token is enough to charge the card. */
function idOf(token: string): string {
  return `kept-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}
