/** Builds the method list of the page: a row for the card, and one for every other method that the session offers. */

import { experienceOf, findMethod } from '../methods/catalog.ts';
import { cardFieldsOf } from '../methods/fields.ts';
import type { Experience, Method } from '../methods/method.ts';
import { appleRequest, googleRequest, paymentSummaryOf } from '../protocols/index.ts';
import { offersSaving } from '../recurring/index.ts';
import { acceptedBrands, eligibleMids, type UsableWallet } from '../routing/index.ts';
import type { MethodRow, OtherMethod, WalletButton } from './contract.ts';
import { lineOf } from './method-line.ts';
import { type OrderFacts, orderMethods } from './method-order.ts';
import { tileOf } from './method-tile.ts';
import { type PageContext, pathOf, withQuery } from './page-context.ts';
import { cardFormFields, methodFormFields } from './required-fields.ts';
import type { View } from './view.ts';

/** The logos beside "Card" where every brand is accepted. */
const usualBrands = ['visa', 'mastercard', 'amex'];

/** A list of at most this many rows is shown as a whole; of a longer one, the first `shownMax`. */
const rowsMax = 6;
const shownMax = 5;

type Offering = Pick<View, 'payment' | 'session' | 'caller' | 'wallets'>;

/** The session's methods with an eligible MID, in its order; wallets with a button of their own are excluded. */
export function offeredMethods({ payment, session, caller, wallets }: Offering): string[] {
  const wanted = session.methods.length > 0 ? session.methods : ['card'];
  // The wallet of an earlier attempt does not restrict the next one.
  const canCarry = (method: string) =>
    eligibleMids(caller.mids, { ...payment, method, digitalWallet: null }).length > 0;
  return [...new Set(wanted)].filter((id) => !wallets.some(({ kind }) => kind === id) && canCarry(id));
}

/** The wallets that get a button. A wallet has no form, so it is offered only if no field is required. */
export function offeredWallets({ wallets, ...view }: Pick<View, 'wallets' | 'caller' | 'payment'>): UsableWallet[] {
  return cardFormFields(view).length > 0 ? [] : wallets.filter((wallet) => wallet.flow !== null);
}

/** Whether a card is the only way to pay. */
export const isCardOnly = (view: Offering) =>
  offeredMethods(view).every((id) => id === 'card') && offeredWallets(view).length === 0;

export type MethodListOptions = Partial<Pick<PageContext, 'lang' | 'attempt' | 'device'>> & {
  chosen?: string;
  /** The country that the payer chose on the page. */
  country?: string;
  /** Rows of saved cards above the methods. */
  savedCards?: number;
  successes?: OrderFacts['successes'];
};

/**
 * The rows of the list. The first ones, the card and the chosen one have a form, the others an address: with more than
 * {@link rowsMax} rows, the page folds the latter.
 */
export function methodRows(view: View, options: MethodListOptions = {}): MethodRow[] {
  const { lang, attempt, chosen, savedCards = 0 } = options;
  const ordered = orderedMethods(view, options);
  const isShort = savedCards + ordered.length <= rowsMax;
  const formsMax = isShort ? ordered.length : Math.max(1, shownMax - savedCards);
  const byKind = Map.groupBy(ordered, ({ kind }) => kind);
  return ordered.map((method, place): MethodRow => {
    if (method.id === 'card') return cardRow(view);
    const hasTile = (byKind.get(method.kind)?.length ?? 0) > 1;
    const row = { ...bareRow(method, view), ...(hasTile && { tile: tileOf(method.name) }) };
    if (place < formsMax || method.id === chosen) return { ...row, ...formOf(view, method, options.country) };
    return { ...row, href: withQuery(pathOf(view.token), { attempt, lang, method: method.id }) };
  });
}

function orderedMethods(view: View, { country, device, successes }: MethodListOptions): Method[] {
  const methods = offeredMethods(view).flatMap((id) => findMethod(id) ?? []);
  return orderMethods(methods, {
    isMerchantOrder: keepsOrder(view),
    country: country ?? view.payment.payer.country?.toUpperCase(),
    currency: view.payment.currency,
    device: device ?? { isPhone: false },
    successes: successes ?? new Map(),
  });
}

/**
 * Whether the session's order stays: it is the merchant's, or there is nothing to order. A session without `methods`
 * has the card if a MID accepts cards, else all methods of the MIDs in their order.
 */
export function keepsOrder({ payment, session, caller }: Omit<Offering, 'wallets'>): boolean {
  const ids = [...new Set(caller.mids.flatMap(({ methods }) => methods))];
  const all = offeredMethods({ payment, session: { ...session, methods: ids }, caller, wallets: [] });
  const isChosen = session.methods.length !== all.length || all.some((id, place) => id !== session.methods[place]);
  return isChosen || all.length < 2 || all.includes('card');
}

function cardRow({ payment, session, caller }: View): MethodRow {
  const fields = cardFormFields({ caller, payment }).map((name) => ({ name }));
  const cardFields = cardFieldsOf(payment.operation, false);
  // A payout to a saved card requires that card's expiry and nothing else.
  const keptOnly = payment.operation === 'credit' && session.cardTokens.length > 0;
  const offerSaving = offersSaving({ caller, payment });
  const accepted = acceptedBrands(caller.mids, payment) ?? undefined;
  const brands = accepted ?? usualBrands;
  return { id: 'card', card: { brands, accepted, cardFields, savedOnly: keptOnly, offerSaving, fields } };
}

function bareRow(method: Method, { payment }: View): OtherMethod {
  const { id, name, kind, countries } = method;
  const experience = experienceOf(method, payment.payer.country?.toUpperCase());
  const line = lineOf(method, experience, payment.operation);
  return { id, name, kind, line, countries, step: steps[experience], fields: [], parameters: [] };
}

function formOf(view: View, method: Method, country: string | undefined): Pick<OtherMethod, 'fields' | 'parameters'> {
  const { fields, parameters } = methodFormFields(view, method, country);
  return { fields: fields.map((name) => ({ name })), parameters };
}

const steps: { [experience in Experience]: OtherMethod['step'] } = {
  card: 'pay',
  redirect: 'leave',
  app: 'leave',
  confirm: 'request',
  details: 'details',
  qr: 'code',
  message: 'link',
  crypto: 'address',
  code: 'next',
  none: 'pay',
};

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
