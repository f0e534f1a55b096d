/** Builds the method list of the page: a row for the card, and one for every other method that the session offers. */

import { experienceOf, findMethod } from '../methods/catalog.ts';
import { cardFieldsOf } from '../methods/fields.ts';
import type { Experience, Method } from '../methods/method.ts';
import { appleRequest, googleRequest, paymentSummaryOf } from '../protocols/index.ts';
import { eligibleMids, type UsableWallet } from '../routing/index.ts';
import type { MethodRow, OtherMethod, WalletButton } from './contract.ts';
import { type PageContext, pathOf, withQuery } from './page-context.ts';
import { cardFormFields, methodFormFields, offersSaving } from './required-fields.ts';
import type { View } from './view.ts';

/** The logos beside "Card"; every brand is accepted. */
const shownBrands = ['visa', 'mastercard', 'amex'];

/** Rows with a form of their own; later rows are links, which keeps a page with hundreds of methods small. */
const formsMax = 6;

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

export type MethodListOptions = Partial<Pick<PageContext, 'lang' | 'attempt'>> & {
  chosen?: string;
  /** The country that the payer chose on the page. */
  country?: string;
};

/** The rows of the list. */
export function methodRows(view: View, options: MethodListOptions = {}): MethodRow[] {
  return offeredMethods(view).flatMap((id, place): MethodRow[] => {
    if (id === 'card') return [cardRow(view)];
    const method = findMethod(id);
    if (!method) return [];
    if (place < formsMax || id === options.chosen) return [otherRow(view, method, options.country)];
    const { lang, attempt } = options;
    return [{ ...bareRow(method, view), href: withQuery(pathOf(view.token), { attempt, lang, method: id }) }];
  });
}

function cardRow({ payment, session, caller }: View): MethodRow {
  const fields = cardFormFields({ caller, payment }).map((name) => ({ name }));
  const cardFields = cardFieldsOf(payment.operation, false);
  // A payout to a saved card requires that card's expiry and nothing else.
  const keptOnly = payment.operation === 'credit' && session.cardTokens.length > 0;
  const offerSaving = offersSaving({ caller, payment });
  return { id: 'card', card: { brands: shownBrands, cardFields, savedOnly: keptOnly, offerSaving, fields } };
}

function bareRow(method: Method, { payment }: View): OtherMethod {
  const { id, name, kind } = method;
  const step = steps[experienceOf(method, payment.payer.country?.toUpperCase())];
  return { id, name, kind, step, fields: [], parameters: [] };
}

function otherRow(view: View, method: Method, country: string | undefined): OtherMethod {
  const { fields, parameters } = methodFormFields(view, method, country);
  return { ...bareRow(method, view), fields: fields.map((name) => ({ name })), parameters };
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
