/**
 * The model of the document that a link shows: what the components need to know, made from the view and from what this
 * one request asks for. It decides nothing about money; screen.ts has done that.
 */
import type {
  DeclineAlert,
  FormPage,
  Frame,
  MethodRow,
  SavedCard,
  SessionPage,
  TestBar,
  TestOutcome,
} from '../../components/pay/model';
import { group } from '../core/cards';
import type { LocaleCode } from '../core/locales';
import { sandboxCard } from '../core/sandbox-cards';
import { cardFieldsOf } from '../methods/fields';
import { eligibleMids } from '../payments/routing';
import { askedOf } from './asked';
import { type Faults, shownAgain, type Typed } from './form';
import { isFramed } from './guard';
import { languageOf, languages, type Preset } from './language';
import { leaveAddress, linkTargetOf } from './leave';
import type { Kept } from './saved';
import { isFinal } from './screen';
import type { View } from './view';

/** What one request adds to the view. */
export type Visit = {
  language: LocaleCode;
  /** The language if the payer chose it, so that the addresses of the page carry it on. */
  lang: string | null;
  /** The attempt that this browser made (query `attempt`): it is shown the receipt, others that the order is paid. */
  attempt: string | null;
  /** The payer has come back from the bank, but the bank has not said what became of it (query `back`). */
  cameBack: boolean;
  /** The payer has asked to go back to the shop, or may try no more (query `leave`). */
  leaving: boolean;
  /** The document is inside another page's frame. */
  framed: boolean;
  /** The sandbox's chosen outcome (query `test`). */
  test: string | null;
  now: Date;
};

/** What the page shows besides the view, and what only the outside world knows. */
export type Gathered = {
  hidden: Record<string, string>;
  kept: Kept[];
  logo: Frame['merchant']['logo'];
  sandbox: boolean;
};

/** A submit that was refused: the page shows it again with what was typed. */
export type Refilled = { typed: Typed; faults: Faults; chosen?: string; alert?: DeclineAlert };

/** The path of a link's page, and of its addresses below it. */
export function pathOf(token: string, below = ''): string {
  return `/pay/${token}${below}`;
}

/** What an address of the page may carry besides the link itself. */
type PageQuery = { attempt?: string | null; back?: boolean; leave?: boolean; lang?: string | null };

function withQuery(path: string, { attempt, back, leave, lang }: PageQuery): string {
  const search = new URLSearchParams();
  if (attempt) search.set('attempt', attempt);
  if (back) search.set('back', '1');
  if (leave) search.set('leave', '1');
  if (lang) search.set('lang', lang);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The page's address for the browser that made this payment's latest attempt. */
export function attemptPath({ token, payment }: Pick<View, 'token' | 'payment'>, query: PageQuery = {}): string {
  return withQuery(pathOf(token), { ...query, attempt: payment.attempts > 0 ? String(payment.attempts) : null });
}

/** What the session and its mapping say about the page's language. */
export function presetOf({ session, caller }: Pick<View, 'session' | 'caller'>): Preset {
  return { language: session.language, defaultLanguage: caller.mapping.defaultLanguage };
}

/** Reads what the request adds to the view; `language` is what the form carried, if it was one. */
export function visitOf(request: Request, preset: Preset, now: Date, language?: string | null): Visit {
  const query = new URL(request.url).searchParams;
  const attempt = query.get('attempt');
  const acceptLanguage = request.headers.get('accept-language');
  // The menu appends its choice to an address that may carry an earlier one.
  const chosen = languageOf(preset, language ?? query.getAll('lang').at(-1) ?? null, acceptLanguage);
  return {
    language: chosen,
    lang: chosen === languageOf(preset, null, acceptLanguage) ? null : chosen,
    attempt: attempt !== null && /^\d{1,4}$/.test(attempt) ? attempt : null,
    cameBack: query.get('back') === '1',
    leaving: query.get('leave') === '1',
    framed: isFramed(request),
    test: query.get('test'),
    now,
  };
}

/** The model of a view's document; null for a link whose order has another session now. */
export function pageOf(view: View, visit: Visit, gathered: Gathered, refilled?: Refilled): SessionPage | null {
  const { screen } = view;
  if (screen.kind === 'superseded') return null;
  const frame = frameOf(view, visit, gathered);
  const target = linkTargetOf(view);
  switch (screen.kind) {
    case 'form':
      return formPage(view, visit, { frame, kept: gathered.kept }, refilled);
    case 'challenge':
      if (visit.cameBack) return { ...frame, state: 'waiting', reason: 'unknown', abandonUrl: abandonUrl(view) };
      return {
        ...frame,
        state: 'challenge',
        frameUrl: withQuery(pathOf(view.token, '/challenge'), { lang: visit.lang }),
        abandonUrl: abandonUrl(view),
      };
    case 'redirecting': {
      if (visit.cameBack) return { ...frame, state: 'waiting', reason: 'unknown', abandonUrl: abandonUrl(view) };
      // A bank's page seldom lets itself be framed: only a shop that asks for `_self` keeps it in its frame.
      const out = target ?? '_top';
      if (visit.framed && out !== '_self') return { ...frame, state: 'continue', url: frame.pageUrl, target: out };
      return { ...frame, state: 'redirecting', action: screen.action };
    }
    case 'waiting':
      return { ...frame, state: 'waiting', reason: 'unknown' };
    case 'paid':
      return paidPage(view, visit, frame, screen.held);
    case 'expired':
      return {
        ...frame,
        state: 'expired',
        expiredAt: view.session.expiresAt,
        money: 'none',
        returnUrl: leaveAddress(view, 'expired'),
        target,
      };
    case 'cancelled': {
      // A frame cannot send another window anywhere: there the payer presses the link.
      const leaveNow = visit.leaving && (!visit.framed || target === undefined || target === '_self');
      const returnUrl = leaveAddress(view, 'cancelled');
      return { ...frame, state: 'cancelled', reason: screen.reason, leaveNow, returnUrl, target };
    }
  }
}

function abandonUrl(view: View): string {
  return pathOf(view.token, '/abandon');
}

function frameOf(view: View, visit: Visit, gathered: Gathered): Frame {
  const { payment, session, screen, caller, token } = view;
  const { merchant } = caller;
  const final = isFinal(screen);
  const canLeave = !final && leaveAddress(view, screen.kind === 'form' ? 'cancelled' : 'undetermined') !== undefined;
  return {
    merchant: {
      name: merchant.name,
      site: merchant.site ?? undefined,
      logo: gathered.logo,
      accent: merchant.accent ?? undefined,
      radius: merchant.radius ?? undefined,
    },
    purpose: payment.operation === 'recurring' ? 'purchase' : payment.operation,
    order: {
      number: payment.orderNumber,
      description: payment.description,
      amount: { minor: payment.amountMinor, currency: payment.currency },
      email: payment.payer.email,
    },
    pageUrl: withQuery(pathOf(token), { attempt: visit.attempt, lang: visit.lang }),
    cancelUrl: canLeave ? pathOf(token, '/cancel') : undefined,
    hidden: gathered.hidden,
    languages,
    legal: { privacy: merchant.privacyUrl ?? undefined, terms: merchant.termsUrl ?? undefined },
    live: final
      ? undefined
      : {
          eventsUrl: pathOf(token, '/events'),
          stateUrl: pathOf(token, '/state'),
          version: view.version,
          expiresAt: screen.kind === 'form' ? session.expiresAt : undefined,
        },
    testBar: gathered.sandbox ? testBarOf(view, visit) : undefined,
  };
}

function paidPage(view: View, visit: Visit, frame: Frame, held: boolean): SessionPage {
  const { payment, attempt } = view;
  const end = { ...frame, returnUrl: leaveAddress(view, 'paid'), target: linkTargetOf(view) };
  if (visit.attempt !== String(payment.attempts)) return { ...end, state: 'alreadyPaid' };
  const { card } = payment;
  return {
    ...end,
    state: 'receipt',
    result: held ? 'authorised' : 'paid',
    how: card
      ? { kind: 'card', brand: card.brand ?? '', last4: card.last4 }
      : { kind: 'method', name: payment.method ?? '' },
    at: attempt?.finishedAt ?? payment.settledAt ?? payment.updatedAt,
    payee: payment.operation === 'transfer' ? payment.payee.card?.slice(-4) : undefined,
    paymentId: payment.id,
  };
}

function formPage(
  view: View,
  visit: Visit,
  { frame, kept }: { frame: Frame; kept: Kept[] },
  refilled?: Refilled,
): FormPage {
  const { payment, screen } = view;
  const methods = methodRows(view);
  const chosenTest = frame.testBar?.outcomes.find((outcome) => outcome.id === frame.testBar?.chosen);
  const declined = screen.kind === 'form' ? screen.declined : undefined;
  return {
    ...frame,
    state: 'form',
    methods,
    saved: kept.map((card) => savedCard(card, payment.operation)),
    chosen: refilled?.chosen ?? (chosenTest || declined ? 'card' : undefined),
    alert: alertOf(methods, refilled, chosenTest ? undefined : declined),
    errors: refilled?.faults,
    values: chosenTest
      ? testValues(chosenTest, payment.operation)
      : refilled
        ? shownAgain(refilled.typed)
        : valuesAfter(view),
    country: payment.payer.country?.toUpperCase(),
    statesUrl: withQuery(pathOf(view.token, '/states'), { lang: visit.language }),
  };
}

/** A page without any way to pay says so; it happens when a merchant's accounts change under an open session. */
function alertOf(methods: MethodRow[], refilled?: Refilled, declined?: DeclineAlert): DeclineAlert | undefined {
  return methods.length === 0 ? { kind: 'technical' } : refilled ? refilled.alert : declined;
}

/** After a decline that the same card may overcome, the name on it is kept; number and code never are. */
function valuesAfter({ screen, payment }: View): FormPage['values'] {
  const kind = screen.kind === 'form' ? screen.declined?.kind : undefined;
  const same = kind === 'data' || kind === 'technical' || kind === 'unconfirmed';
  return same && payment.card?.holder ? { card_holder: payment.card.holder } : undefined;
}

/** The marks beside "Card"; every brand is accepted. */
const shownBrands = ['visa', 'mastercard', 'amex'];

/** The session's methods that a merchant account can carry and that this page knows; the order is the session's. */
export function methodRows({ payment, session, caller }: View): MethodRow[] {
  const wanted = session.methods.length > 0 ? session.methods : ['card'];
  const fields = askedOf({ caller, payment }).map((name) => ({ name }));
  const asked = cardFieldsOf(payment.operation, false);
  // A payout to a kept card asks for that card's expiry and for nothing else.
  const keptOnly = payment.operation === 'credit' && session.cardTokens.length > 0;
  return [...new Set(wanted)].flatMap((id): MethodRow[] => {
    if (id !== 'card') return [];
    if (eligibleMids(caller.mids, { ...payment, method: id }).length === 0) return [];
    return [{ id, card: { brands: shownBrands, asked, keptOnly, fields } }];
  });
}

function savedCard({ id, card, expired }: Kept, operation: string): SavedCard {
  const month = String(card.expMonth).padStart(2, '0');
  const expiry = `${month}/${String(card.expYear).slice(-2)}`;
  return { id, brand: card.brand ?? '', last4: card.last4, expiry, expired, asked: cardFieldsOf(operation, true) };
}

const testCards: Record<TestOutcome, string> = {
  approve: 'settled',
  decline: 'declined',
  challenge: '3ds-settled',
  redirect: 'redirect-settled',
  pending: 'waiting-settled',
  down: 'timeout-settled',
};

/** A payout is taken by a payout card, and declined by any other. */
const payoutCards: Partial<Record<TestOutcome, string>> = { approve: 'payout', decline: 'declined' };

function testBarOf({ screen, payment }: View, visit: Visit): TestBar {
  if (screen.kind !== 'form') return { outcomes: [] };
  const cards = payment.operation === 'credit' ? payoutCards : testCards;
  const outcomes = (Object.entries(cards) as [TestOutcome, string][]).map(([id, card]) => {
    const { number, expiry } = sandboxCard(card);
    const [month = '', year = ''] = (expiry ?? '12/2038').split('/');
    return { id, number: group(number), expiry: `${month} / ${year.slice(-2)}`, cvv: '123' };
  });
  return { outcomes, chosen: outcomes.find((outcome) => outcome.id === visit.test)?.id };
}

function testValues(test: TestBar['outcomes'][number], operation: string): FormPage['values'] {
  const values = {
    card_number: test.number,
    card_expiry: test.expiry,
    card_cvv: test.cvv,
    card_holder: 'Sandbox Payer',
  };
  return operation === 'transfer' ? { ...values, payee_card_number: group(sandboxCard('payout').number) } : values;
}
