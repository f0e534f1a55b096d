/** Builds the model of a link's document from view and request; screen.ts decides about money. */

import type { Agreement } from '../core/agreement.ts';
import { groupDigits } from '../core/cards.ts';
import { isCountry } from '../core/countries.ts';
import type { LocaleCode } from '../core/locales.ts';
import { maskEmail } from '../core/mask.ts';
import { type PlacedTexts, textsFor, textsOfOperation } from '../core/page-texts.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import { sandboxCard } from '../core/sandbox-cards.ts';
import type { State } from '../core/states.ts';
import type { Merchant } from '../merchants/index.ts';
import { cardFieldsOf } from '../methods/fields.ts';
import { sendsMessages } from '../outbox/index.ts';
import { requiresConsent } from '../recurring/index.ts';
import { addressForm } from './address-form.ts';
import type {
  DeclineAlert,
  FormPage,
  MethodRow,
  PageShell,
  ReceiptPage,
  SavedCard,
  SessionPage,
  TestBar,
  TestOutcome,
} from './contract.ts';
import { formNumber } from './csrf-guard.ts';
import { exitUrl, linkTargetOf } from './exit.ts';
import { expiredPage } from './expired-page.ts';
import { type RefilledForm, redisplayable } from './form.ts';
import { installmentsOf } from './installments.ts';
import { isCardOnly, methodName, methodRows, offeredMethods, walletButtons } from './method-list.ts';
import type { OrderFacts } from './method-order.ts';
import { languages, type PageContext, pathOf, withQuery } from './page-context.ts';
import { presentPage } from './present.ts';
import type { Barcode } from './present-step.ts';
import { type DeclineReason, isCompletedLater, isFinal, isPaidElsewhere } from './screen.ts';
import { type Sending, sendForm } from './send-form.ts';
import type { StoredCard, View } from './view.ts';

/** The input of a page in addition to the view: data that requires a lookup. */
export type PageExtras = {
  hidden: Record<string, string>;
  agreement?: Agreement;
  savedCards: StoredCard[];
  logo: PageShell['merchant']['logo'];
  barcode?: Barcode;
  /** The address that the receipt, or the payment data, was just sent to. */
  sentTo?: string;
  /** The payment has all its messages. */
  isFull?: boolean;
  /** For the order of the methods. */
  successes?: OrderFacts['successes'];
  sandbox: boolean;
};

/** The model of a view's document; null for a link that another session of the same order has replaced. */
export function pageOf(
  view: View,
  context: PageContext,
  extras: PageExtras,
  refilled?: RefilledForm,
): SessionPage | null {
  const { screen } = view;
  if (screen.kind === 'superseded') return null;
  const frame = shellOf(view, context, extras);
  const target = linkTargetOf(view);
  switch (screen.kind) {
    case 'form':
      return formPage(view, context, frame, extras, refilled);
    case 'challenge':
      if (context.cameBack) return waitingPage(view, frame, abandonUrl(view));
      return {
        ...frame,
        state: 'challenge',
        frameUrl: withQuery(pathOf(view.token, '/challenge'), { lang: context.lang }),
        abandonUrl: abandonUrl(view),
        cardOnly: isCardOnly(view),
      };
    case 'redirecting': {
      if (context.cameBack) return waitingPage(view, frame, abandonUrl(view));
      // Banks' pages rarely allow framing, so only a shop that sets `_self` keeps them in its frame.
      const out = target ?? '_top';
      if (context.framed && out !== '_self') return { ...frame, state: 'continue', url: frame.pageUrl, target: out };
      return {
        ...frame,
        asksToLeave: true,
        state: 'redirecting',
        to: otherMethodName(view.attempt),
        action: screen.action,
        auto: context.attempt === formNumber(view),
        abandonUrl: abandonUrl(view),
      };
    }
    case 'present':
      // A payer who is back from the app does not need its link again.
      if (context.cameBack && screen.present.kind === 'app') return waitingPage(view, frame, abandonUrl(view));
      return presentPage(view, context, frame, { ...extras, refilled });
    case 'waiting':
      return waitingPage(view, frame);
    case 'paid':
      return receiptPage(view, context, frame, { sentTo: extras.sentTo, refilled });
    case 'expired':
      return expiredPage(view, context, frame);
    case 'cancelled': {
      // A frame cannot navigate another window by itself; there the payer presses the link.
      const leaveNow = context.leaving && (!context.framed || target === undefined || target === '_self');
      // The last allowed attempt may be one for which the payer has sent money.
      const late = screen.reason === 'declines' && view.attempt !== null && isPaidElsewhere(view.attempt);
      const returnUrl = exitUrl(view, late ? 'undetermined' : 'cancelled');
      return { ...frame, state: 'cancelled', reason: screen.reason, late, leaveNow, returnUrl, target };
    }
  }
}

function abandonUrl(view: View): string {
  return pathOf(view.token, '/abandon');
}

/**
 * The payer's part is complete; the outcome is pending. A bank answers about a card in seconds, another method perhaps in
 * days: its payer may return to the shop. That cancels nothing, so it never leads to cancel_url.
 */
function waitingPage(view: View, frame: PageShell, abandonUrl?: string): SessionPage {
  const method = otherMethodName(view.attempt);
  const later = method === undefined ? undefined : wayBackLater(view);
  return { ...frame, cancelUrl: undefined, later, state: 'waiting', method, abandonUrl };
}

const wayBackLater = (view: View) => ({ returnUrl: exitUrl(view, 'later'), target: linkTargetOf(view) });

/** The display name of an attempt's method; undefined for a card and a wallet's card, because its bank is asked. */
function otherMethodName(attempt: Pick<Transaction, 'method'> | null): string | undefined {
  return attempt && attempt.method !== 'card' ? methodName(attempt.method) : undefined;
}

type AttemptView = Pick<View, 'attempt' | 'payment'>;

/** The method that the payer chose: a wallet or another method; undefined for a card that was entered. */
function chosenMethodName({ attempt, payment }: AttemptView): string | undefined {
  return attempt && payment.digitalWallet ? methodName(payment.digitalWallet) : otherMethodName(attempt);
}

/** The alert of a declined attempt, with the name of its method. */
export function alertFor(declined: DeclineReason, view: AttemptView): DeclineAlert {
  return { ...declined, method: chosenMethodName(view) };
}

function shellOf(view: View, context: PageContext, extras: PageExtras): PageShell {
  const { payment, session, screen, caller, token } = view;
  const { attempt, method, lang } = context;
  const final = isFinal(screen);
  const isLater = isCompletedLater(screen);
  const canLeave =
    !final && !isLater && exitUrl(view, screen.kind === 'form' ? 'cancelled' : 'undetermined') !== undefined;
  return {
    ...orderShell(payment, caller.merchant, extras.logo, context.language),
    purpose: payment.operation === 'recurring' ? 'purchase' : payment.operation,
    pageUrl: withQuery(pathOf(token), { attempt, method, lang }),
    cancelUrl: canLeave ? pathOf(token, '/cancel') : undefined,
    later: isLater ? wayBackLater(view) : undefined,
    hidden: { ...extras.hidden, ...(lang && { lang }) },
    live: final
      ? undefined
      : {
          eventsUrl: pathOf(token, '/events'),
          stateUrl: pathOf(token, '/state'),
          version: view.version,
          expiresAt: screen.kind === 'form' ? session.expiresAt : undefined,
        },
    testBar: extras.sandbox ? testBarOf(view, context, offeredMethods(view).includes('card')) : undefined,
  };
}

/** The part of a page's shell that only depends on the order and its merchant. */
export function orderShell(
  payment: Payment,
  merchant: Merchant,
  logo: PageShell['merchant']['logo'],
  language: LocaleCode,
): Pick<PageShell, 'merchant' | 'order' | 'languages' | 'legal' | 'texts'> {
  const { name, site, accent, background, radius, font } = merchant;
  const theme = {
    accent: accent ?? undefined,
    background: background ?? undefined,
    radius: radius ?? undefined,
    font: font ?? undefined,
  };
  return {
    merchant: { name, site: site ?? undefined, logo, ...theme },
    order: {
      number: payment.orderNumber,
      description: payment.description,
      amount: { minor: payment.amountMinor, currency: payment.currency },
      email: payment.payer.email && maskEmail(payment.payer.email),
    },
    languages,
    legal: {
      privacy: merchant.privacyUrl ?? undefined,
      terms: merchant.termsUrl ?? undefined,
      support: merchant.supportEmail ?? undefined,
    },
    texts: pageTexts(payment, merchant, language),
  };
}

/** The merchant's texts on a payment's page. */
export function pageTexts(
  { operation }: Pick<Payment, 'operation'>,
  merchant: Pick<Merchant, 'pageTexts'>,
  language: LocaleCode,
): PlacedTexts {
  return textsOfOperation(textsFor(merchant.pageTexts, language), operation);
}

function receiptResultOf(state: State): ReceiptPage['result'] {
  if (state === 'pending') return 'authorised';
  return state === 'settled' ? 'paid' : 'returned';
}

function receiptPage(view: View, context: PageContext, frame: PageShell, sending: Sending): ReceiptPage {
  const { payment, attempt } = view;
  const { card, payer } = payment;
  const { email } = payer;
  const name = chosenMethodName(view);
  const result = receiptResultOf(payment.state);
  const isNew = result !== 'returned' && context.attempt === formNumber(view);
  return {
    ...frame,
    returnUrl: exitUrl(view, 'paid'),
    target: linkTargetOf(view),
    state: 'receipt',
    result,
    how:
      card && name === undefined
        ? { kind: 'card', brand: card.brand ?? '', last4: card.last4 }
        : { kind: 'method', name: name ?? payment.method ?? '' },
    at: attempt?.finishedAt ?? payment.settledAt ?? payment.updatedAt,
    payee: payment.operation === 'transfer' ? payment.payee.card?.slice(-4) : undefined,
    paymentId: payment.id,
    // A payer who sends the receipt has stayed.
    isNew: isNew && context.reminded === 0 && !sending.refilled,
    email: sendForm(view, email && sendsMessages('email') ? { channel: 'email', to: email } : null, sending),
  };
}

/** The country that a page's region suggests; Latin America as a whole suggests none. */
const countryOfRegion = (region: string | null) => (region !== null && isCountry(region) ? region : undefined);

/** A list of this many methods gets a search field. */
const searchableMethods = 8;

function formPage(
  view: View,
  context: PageContext,
  frame: PageShell,
  { savedCards, agreement, successes }: PageExtras,
  refilled?: RefilledForm,
): FormPage {
  const { payment, screen, attempt } = view;
  const chosenTest = frame.testBar?.outcomes.find((outcome) => outcome.id === frame.testBar?.chosen);
  const declined = screen.kind === 'form' && !chosenTest ? screen.declined : undefined;
  const declinedMethod = chosenTest ? 'card' : declined && (attempt?.method ?? 'card');
  const chosen = refilled?.chosen ?? declinedMethod ?? context.method ?? context.remembered;
  const typedCountry = refilled?.typed.country?.toUpperCase();
  const country = typedCountry ?? payment.payer.country?.toUpperCase() ?? countryOfRegion(context.region);
  const listed = { ...context, chosen, country: typedCountry, savedCards: savedCards.length, successes };
  const methods = methodRows(view, listed);
  const wallets = walletButtons(view);
  // Saved cards that no account takes any more leave a row without a card.
  const ways = methods.filter(({ card }) => !card?.savedOnly || savedCards.length > 0);
  // After an attempt the payer chooses, also one that they left.
  const isFresh = payment.attempts === 0 && !refilled && savedCards.length === 0;
  return {
    ...frame,
    state: 'form',
    methods,
    saved: savedCards.map((card) => savedCard(card, payment.operation)),
    chosen,
    agreement,
    installments: installmentsOf(view.caller.mids, payment),
    find: methods.length >= searchableMethods ? context.find : undefined,
    remember: context.framed ? undefined : { method: context.remembered },
    consent: requiresConsent(view),
    auto:
      isFresh &&
      !requiresConsent(view) &&
      wallets.length === 0 &&
      methods.length === 1 &&
      methods.every(redirectsAtOnce),
    wallets,
    alert: alertOf(ways.length + wallets.length, refilled, declined && alertFor(declined, view)),
    errors: refilled?.errors,
    // Others have the link too: only the answer to a form has the values that were typed into it.
    values: chosenTest ? testValues(chosenTest, payment.operation) : refilled && redisplayable(refilled.typed),
    country,
    address: addressForm(context.language, country ?? ''),
    addressUrl: withQuery(pathOf(view.token, '/address'), { lang: context.lang ?? context.language }),
  };
}

/** Whether a row has no fields and leads to the method's own page. */
function redirectsAtOnce(row: MethodRow): boolean {
  return !row.card && row.step === 'leave' && row.fields.length === 0 && row.parameters.length === 0;
}

/** A page without any method shows an alert; it happens if the merchant's MIDs change while the session is open. */
function alertOf(waysCount: number, refilled?: RefilledForm, declined?: DeclineAlert): DeclineAlert | undefined {
  return waysCount === 0 ? { kind: 'technical' } : refilled ? refilled.alert : declined;
}

function savedCard({ id, card, expired }: StoredCard, operation: string): SavedCard {
  const month = String(card.expMonth).padStart(2, '0');
  const expiry = `${month}/${String(card.expYear).slice(-2)}`;
  return { id, brand: card.brand ?? '', last4: card.last4, expiry, expired, cardFields: cardFieldsOf(operation, true) };
}

const testCards: Record<TestOutcome, string> = {
  approve: 'settled',
  decline: 'declined',
  challenge: '3ds-settled',
  redirect: 'redirect-settled',
  pending: 'waiting-settled',
  down: 'timeout-settled',
};

/** Only a payout card approves a payout; any other card declines it. */
const payoutCards: Partial<Record<TestOutcome, string>> = { approve: 'payout', decline: 'declined' };

/** The test bar of a view; without outcomes if the form has no card. */
function testBarOf({ screen, payment }: View, context: PageContext, hasCard: boolean): TestBar {
  if (screen.kind !== 'form' || !hasCard) return { outcomes: [] };
  const cards = payment.operation === 'credit' ? payoutCards : testCards;
  const outcomes = (Object.entries(cards) as [TestOutcome, string][]).map(([id, card]) => {
    const { number, expiry } = sandboxCard(card);
    const [month = '', year = ''] = (expiry ?? '12/2038').split('/');
    return { id, number: groupDigits(number), expiry: `${month} / ${year.slice(-2)}`, cvv: '123' };
  });
  return { outcomes, chosen: outcomes.find((outcome) => outcome.id === context.test)?.id };
}

/** The values that the chosen outcome fills in. */
function testValues(test: TestBar['outcomes'][number], operation: string): FormPage['values'] {
  const values = {
    card_number: test.number,
    card_expiry: test.expiry,
    card_cvv: test.cvv,
    card_holder: 'Sandbox Payer',
  };
  return operation === 'transfer'
    ? { ...values, payee_card_number: groupDigits(sandboxCard('payout').number) }
    : values;
}
