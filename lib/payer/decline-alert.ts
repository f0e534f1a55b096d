// Texts of a decline: heading, advice, button, and the fields that the form clears. The page and the JSON for the
// page's script use the same table.

import { isolate } from '../core/bidi.ts';
import type { Money } from '../core/money.ts';
import type { AlertText } from '../core/page-data.ts';
import type { Translations } from '../core/translations.ts';
import type { DeclineAlert, FieldName, FormPage } from './contract.ts';

const cardFields: FieldName[] = ['card_number', 'card_expiry', 'card_cvv'];

/** By the field that the bank named: the alert's texts and the error shown at the field. */
const blamedFieldTexts = {
  card_cvv: { texts: 'cvv', error: 'error.card_cvv.again' },
  card_number: { texts: 'number', error: 'error.card_number.wrong' },
  card_expiry: { texts: 'expiry', error: 'error.card_expiry.wrong' },
} as const;

export type AlertContext = {
  merchantName: string;
  amount: Money;
  cardOnly: boolean;
  /** The merchant's own words for the button. */
  buttonText?: string | undefined;
  /** Digits of the card's security code; 3 if the card is unknown. */
  codeDigits?: number;
};

/** The alert context of a form. */
export function alertContext(
  page: Pick<FormPage, 'merchant' | 'order' | 'methods' | 'wallets' | 'texts'>,
): AlertContext {
  return {
    merchantName: page.merchant.name,
    amount: page.order.amount,
    cardOnly: page.methods.every((method) => method.card) && !page.wallets?.length,
    buttonText: page.texts?.button,
  };
}

/** Texts of a decline by a method other than a card; such a decline names no field and clears none. */
const methodHeadings: { readonly [kind in DeclineAlert['kind']]?: string } = {
  technical: 'decline.methodTechnical',
  unconfirmed: 'decline.methodUnconfirmed',
};

function methodText({ kind, method = '', late }: DeclineAlert, context: AlertContext, words: Translations): AlertText {
  const { t } = words;
  const merchant = isolate(context.merchantName, words);
  const rest = { kind, clears: [], errors: {} };
  if (late) {
    return {
      ...rest,
      heading: t('decline.methodLate.heading'),
      text: t('decline.methodLate.text', { merchant }),
      formHeading: t('pay.headingAnotherWay'),
      title: t('pay.title', { merchant }),
    };
  }
  const key = methodHeadings[kind] ?? 'decline.method';
  return {
    ...rest,
    heading: t(`${key}.heading`, { method: isolate(method, words) }),
    text: t(kind === 'technical' ? `${key}.text` : 'decline.method.text'),
    formHeading: t('pay.headingRetry'),
    title: t('decline.title', { merchant }),
  };
}

/** Declines whose advice names another way to pay; where a card is the only one, the advice is a text of its own. */
const cardTexts = new Set<string>(['funds', 'bank', 'unconfirmed']);

/** Texts for a decline. Every decline class is definite: an unknown outcome has no alert. */
export function alertText(alert: DeclineAlert, context: AlertContext, words: Translations): AlertText {
  const { t } = words;
  if (alert.method) return methodText(alert, context, words);
  const field = alert.kind === 'data' ? alert.field : undefined;
  const key = field ? blamedFieldTexts[field].texts : alert.kind;
  const sameCard = alert.kind === 'data' || alert.kind === 'technical' || alert.kind === 'unconfirmed';
  const amount = words.amount(context.amount).text;
  const another = context.cardOnly ? 'pay.headingAnotherCard' : 'pay.headingAnotherWay';
  return {
    kind: alert.kind,
    heading: t(`decline.${key}.heading`),
    text: t(context.cardOnly && cardTexts.has(key) ? `decline.${key}.textCard` : `decline.${key}.text`),
    formHeading: t(sameCard ? 'pay.headingRetry' : another),
    button:
      sameCard && context.amount.minor > 0n
        ? t('pay.retry', { amount })
        : payButton(context.amount, words, context.buttonText),
    title: t('decline.title', { merchant: isolate(context.merchantName, words) }),
    // A number or date that the bank named stays, so that the payer can see which digit is wrong.
    clears: sameCard ? ['card_cvv'] : cardFields,
    errors: field ? { [field]: t(blamedFieldTexts[field].error, { count: context.codeDigits ?? 3 }) } : {},
  };
}

/** "Pay €84.50", or the merchant's own words before the amount; "Confirm this card" for an amount of zero. */
export function payButton(amount: Money, words: Translations, own?: string): string {
  if (amount.minor === 0n) return words.t('pay.confirmCard');
  const { text } = words.amount(amount);
  return own ? `${isolate(own, words)} · ${text}` : words.t('pay.button', { amount: text });
}

/** The button's text while the payment runs. */
export function busyButton(amount: Money, { t, amount: inWords }: Translations): string {
  return amount.minor === 0n ? t('pay.confirmingCard') : t('pay.busy', { amount: inWords(amount).text });
}
